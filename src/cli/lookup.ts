/** Finds projects by id or name, and budget lines by id or code. */

import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { PAGE_ITEMS } from '../core/limits.ts';
import { findNearest } from '../core/suggestions.ts';
import type { Access } from '../operations/access.ts';
import { type AllocationRecord, listAllocations } from '../operations/allocations.ts';
import { listProjects, type ProjectRecord } from '../operations/projects.ts';
import { getReport } from '../operations/reports.ts';

/** Every project of the organisation. */
function listAllProjects(access: Access): ProjectRecord[] {
  const projects: ProjectRecord[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = listProjects(access, { limit: PAGE_ITEMS, cursor });
    projects.push(...items);
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
  return projects;
}

/** The id of the project with this id or exact name. Refuses with `not_found`. */
export function findProjectId(access: Access, wanted: string): string {
  return formatId('prj', findProject(access, wanted).id);
}

/** The project with this id or exact name. Refuses with `not_found`. */
export function findProject(access: Access, wanted: string): ProjectRecord {
  const projects = listAllProjects(access);
  const byId = projects.find(({ id }) => formatId('prj', id) === wanted);
  const found = byId ?? projects.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const nearest = findNearest(
    wanted.toLowerCase(),
    projects.map(({ name }) => name.toLowerCase()),
  );
  const meant = projects.find(({ name }) => name.toLowerCase() === nearest)?.name;
  const hint =
    meant === undefined ? '`budgetd projects list` lists them.' : `Did you mean "${meant}"?`;
  throw new Failure('not_found', `There is no project "${wanted}". ${hint}`);
}

/** A budget line, and the project that it belongs to. */
export interface NamedLine {
  /** Its record number. */
  readonly number: number;
  readonly id: string;
  readonly code: string | null;
  readonly name: string;
  readonly project: string;
}

/** Every budget line of the organisation. */
export function listBudgetLines(access: Access): NamedLine[] {
  return listAllProjects(access).flatMap((project) =>
    getReport(access, formatId('prj', project.id), 'quarterly').rows.map(({ line }) => {
      const { code, name } = line;
      return { number: line.id, id: formatId('bln', line.id), code, name, project: project.name };
    }),
  );
}

/**
 * The id of the budget line with this id or code. Refuses with `not_found`, or with `conflict` if
 * several lines have the code.
 */
export function findBudgetLineId(lines: readonly NamedLine[], wanted: string): string {
  const byId = lines.find(({ id }) => id === wanted);
  if (byId !== undefined) return byId.id;
  const found = lines.filter(({ code }) => code === wanted);
  const [first, second] = found;
  if (first === undefined) {
    throw new Failure(
      'not_found',
      `There is no budget line "${wanted}". ${suggest(lines, wanted)}`,
    );
  }
  if (second === undefined) return first.id;
  const ids = found.map(({ id, project }) => `${id} (${project})`).join(', ');
  const message = `Several budget lines have the code "${wanted}". Use the id of one: ${ids}.`;
  throw new Failure('conflict', message);
}

/** More codes than this are not listed in a message. */
const LISTED_CODES = 12;

function suggest(lines: readonly NamedLine[], wanted: string): string {
  if (lines.length === 0) return 'Import a project with budget lines first.';
  const words = lines.flatMap(({ code, name }) => [code ?? '', name]).filter((each) => each !== '');
  const nearest = findNearest(
    wanted,
    words.map((word) => word.toLowerCase()),
  );
  const isMeant = (word: string | null) => word?.toLowerCase() === nearest;
  const meant = lines.find(({ code, name }) => isMeant(code) || isMeant(name));
  if (meant !== undefined) return `Did you mean ${meant.code ?? meant.id} (${meant.name})?`;
  const codes = [...new Set(lines.map(({ code, id }) => code ?? id))];
  if (codes.length <= LISTED_CODES) return `Use one of ${codes.join(', ')}.`;
  return '`budgetd report PROJECT` lists the lines of a project.';
}

/** The allocations of a transaction, in all projects. */
export function listTransactionAllocations(
  access: Access,
  transactionId: string,
): AllocationRecord[] {
  return listAllProjects(access).flatMap(({ id }) => {
    const filter = { transactionId, limit: PAGE_ITEMS };
    return listAllocations(access, formatId('prj', id), filter).items;
  });
}
