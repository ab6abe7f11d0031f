/** Projects: importing a project file, the list, and one project (Spec 4.1, 4.2, contract 8). */

import type { Actor } from '../core/audit.ts';
import * as store from '../store/projects.ts';
import { type Access, missing, numberOf } from './access.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';
import { readProjectFile } from './project-file.ts';

export type { ImportedProject, ProjectChange, ProjectRecord } from '../store/projects.ts';

/** Which projects to list. An absent filter matches all, an unknown identifier nothing. */
export interface ProjectFilter extends PageRequest {
  readonly parentProjectId?: string | undefined;
  readonly updatedSinceMs?: number | undefined;
}

/** A page of the organisation's projects, by name (by code point), then by id. */
export function listProjects(
  access: Access,
  filter: ProjectFilter = {},
): Listing<store.ProjectRecord> {
  const { db, organisation } = access;
  const { parentProjectId: parent, updatedSinceMs } = filter;
  const parentProjectId = parent === undefined ? undefined : numberOf('prj', parent);
  // The names of contract 4: a cursor must outlive an update of the service.
  const filters = { parentProjectId, updatedSince: updatedSinceMs };
  return readPage(
    access,
    { name: 'projects', sortKey: 'name', filters },
    filter,
    ({ after, limit }) =>
      store.listProjects(db, organisation.id, { parentProjectId, updatedSinceMs, after, limit }),
  );
}

/** One project. Refuses with `not_found`. */
export function getProject({ db, organisation }: Access, id: string): store.ProjectRecord {
  const record = store.findProject(db, organisation.id, numberOf('prj', id));
  if (record === undefined) throw missing('project', id);
  return record;
}

/**
 * Imports all projects of a document (contract 8) or none. A project with the name of an existing
 * one updates it. Refuses with `invalid_input` (the details say where) or `conflict`.
 */
export function importProjects(
  { db, organisation }: Access,
  document: unknown,
  actor: Actor,
): store.ImportedProject[] {
  const drafts = readProjectFile(document, organisation.currency);
  return store.importProjects(db, organisation.id, drafts, actor);
}
