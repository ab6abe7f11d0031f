/** Projects in the HTTP interface: the list, and one project (Spec 4.1, 4.2). */

import { dateTimeOf, formatInstant } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import { PAGE_ITEMS_DEFAULT } from '../core/limits.ts';
import type { Organisation } from '../core/organisations.ts';
import { findProject, listProjects, type ProjectRecord } from '../store/projects.ts';
import { type Access, listDocument, notFound, numberOf } from './access.ts';
import type { Project, ProjectDocument, ProjectList } from './contract.ts';
import { bindingOf, readCursor } from './cursors.ts';
import { identifier, instant, limit, text, type Values } from './parameters.ts';

/** The parameters of the list of projects. */
export const PROJECT_PARAMETERS = {
  parentProjectId: identifier('prj'),
  updatedSince: instant,
  limit,
  cursor: text,
};

/** A page of the organisation's projects, by name (by code point), then by id. */
export function projectList(
  { db, organisation }: Access,
  values: Values<typeof PROJECT_PARAMETERS>,
): ProjectList {
  const { limit: items = PAGE_ITEMS_DEFAULT, cursor, ...filters } = values;
  const binding = bindingOf('projects', organisation.id, filters);
  const page = listProjects(db, organisation.id, {
    parentProjectId: filters.parentProjectId,
    updatedSinceMs: filters.updatedSince,
    after: readCursor(binding, 'name', cursor),
    limit: items,
  });
  return listDocument(page, binding, (record) => toProject(record, organisation));
}

/** One project. Refuses with `not_found`. */
export function projectDocument({ db, organisation }: Access, id: string): ProjectDocument {
  const record = findProject(db, organisation.id, numberOf('prj', id));
  if (record === undefined) throw notFound('project', id);
  return { data: toProject(record, organisation) };
}

function toProject(record: ProjectRecord, { currency }: Organisation): Project {
  const { parentProjectId, funderName, funderReference } = record;
  return {
    id: formatId('prj', record.id),
    name: record.name,
    description: record.description,
    startDate: dateTimeOf(record.startDate),
    endDate: dateTimeOf(record.endDate),
    currency: currency.code,
    budgetMode: record.budgetMode,
    parentProjectId: parentProjectId === null ? null : formatId('prj', parentProjectId),
    funder: funderName === null ? null : { name: funderName, reference: funderReference },
    createdAt: formatInstant(record.createdAtMs),
    updatedAt: formatInstant(record.updatedAtMs),
  };
}
