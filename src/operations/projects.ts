/**
 * Projects: importing a project file, the list, one project, and its report: budget against actual
 * (Spec 4.1 to 4.3, contract 8).
 */

import type { Actor } from '../core/audit.ts';
import type { Days, Granularity, MonthRange } from '../core/calendar.ts';
import { buildReport } from '../core/report.ts';
import type { Access } from '../store/access.ts';
import * as store from '../store/projects.ts';
import { findFigures, findReport, type MarkedParts } from '../store/reports.ts';
import type { Unallocated } from '../store/totals.ts';
import { missing, numberOf } from './access.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';
import { readProjectFile } from './project-file.ts';
import type { Steps } from './turns.ts';

/** Which projects to list. An absent filter matches all, an unknown identifier nothing. */
interface ProjectFilter extends PageRequest {
  readonly parentProjectId?: string | undefined;
  readonly updatedSinceMs?: number | undefined;
}

/** A page of the organisation's projects, by name (by code point), then by id. */
export function listProjects(
  access: Access,
  filter: ProjectFilter = {},
): Listing<store.ProjectRecord> {
  const { parentProjectId: parent, updatedSinceMs } = filter;
  const parentProjectId = parent === undefined ? undefined : numberOf('prj', parent);
  // The names of contract 4: a cursor must outlive an update of the service.
  const filters = { parentProjectId, updatedSince: updatedSinceMs };
  const list = { name: 'projects', sortKey: 'name', filters } as const;
  return readPage(access, list, filter, (page) =>
    store.pageOfProjects(access, { parentProjectId, updatedSinceMs, ...page }),
  );
}

/** One project. Refuses with `not_found`. */
export function getProject(access: Access, id: string): store.ProjectRecord {
  const record = store.findProject(access, numberOf('prj', id));
  if (record === undefined) throw missing('project', id);
  return record;
}

/**
 * Imports all projects of a document (contract 8) or none. A project with the name of an existing
 * one updates it. Refuses with `invalid_input` (the details say where) or `conflict`.
 */
export function importProjects(
  access: Access,
  document: unknown,
  actor: Actor,
): store.ProjectImport[] {
  const drafts = readProjectFile(document, access.organisation.currency);
  return store.storeProjects(access, drafts, actor);
}

/**
 * Archives a project, whose lines are then no longer offered and claim no account codes, or brings
 * it back. Refuses with `not_found`, or `conflict` when it has changed since it was seen.
 */
export function archiveProject(
  access: Access,
  { id, ...archiving }: Omit<store.Archiving, 'id'> & { readonly id: string },
  actor: Actor,
): store.ProjectRecord {
  const change = { ...archiving, id: numberOf('prj', id) };
  return store.storeArchiving(access, change, actor);
}

/**
 * Removes a project and its budget lines, and returns what it was. Refuses with `not_found`, or
 * `conflict` if it has statements, projects below it, or a line with allocations or a rule.
 */
export function removeProject(access: Access, id: string, actor: Actor): store.ProjectRecord {
  return store.dropProject(access, numberOf('prj', id), actor);
}

/** A project's report, in minor units. */
export interface ReportRecord extends ReturnType<typeof buildReport>, MarkedParts, Days {
  /** The record number of the project. */
  readonly projectId: number;
  readonly granularity: Granularity;
  /** Of the organisation, dated in the periods, without what is coded to other projects alone. */
  readonly unallocated: Unallocated;
}

/** Of which months a report is, and how long its periods are: months, unless it says otherwise. */
export interface ReportChoice extends MonthRange {
  readonly granularity?: Granularity | undefined;
}

/** Budget against actual for one project, or for some months of it. Refuses with `not_found`. */
export function getReport(access: Access, id: string, query: ReportChoice = {}): ReportRecord {
  const stored = findReport(access, numberOf('prj', id), query);
  if (stored === undefined) throw missing('project', id);
  return { ...buildRecord(id, stored, query), unallocated: stored.unallocated };
}

/** The report of a project that is part of another one's. */
export type PartReport = Omit<ReportRecord, 'unallocated'>;

/** A report without what is not allocated, in two steps; not of one snapshot. */
export function* takePartReport(
  access: Access,
  id: string,
  query: ReportChoice = {},
): Steps<PartReport> {
  const stored = findFigures(access, numberOf('prj', id), query);
  if (stored === undefined) throw missing('project', id);
  yield;
  return buildRecord(id, stored, query);
}

function buildRecord(
  id: string,
  stored: NonNullable<ReturnType<typeof findFigures>>,
  { granularity = 'monthly' }: ReportChoice,
): PartReport {
  const { startDate, endDate } = stored.part ?? stored;
  const { periods, rows, totals, income, byMonth } = buildReport(stored, granularity);
  const { needsReview, recoded } = stored;
  // Object spread is avoided: it took a twelfth of the time of a report.
  const figures = { periods, rows, totals, income, byMonth, needsReview, recoded };
  return { projectId: numberOf('prj', id), granularity, startDate, endDate, ...figures };
}
