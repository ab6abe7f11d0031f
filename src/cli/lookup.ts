/** Finds projects by id or name, and budget lines by id or code. */

import { Failure } from '../core/failures.ts';
import { PAGE_ITEMS } from '../core/limits.ts';
import { findNearest } from '../core/suggestions.ts';
import type { Service } from '../service.ts';
import type { Allocation, Organisation, Project } from './documents.ts';

/** Every project of the organisation. */
export function* listAllProjects(service: Service, { id }: Organisation): Generator<Project> {
  let cursor: string | undefined;
  do {
    const { data, meta } = service.projects.list(id, { limit: PAGE_ITEMS, cursor });
    yield* data;
    cursor = meta.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The project with this id or exact name. Refuses with `not_found`. */
export function findProject(service: Service, organisation: Organisation, wanted: string): Project {
  const projects = [...listAllProjects(service, organisation)];
  const byId = projects.find(({ id }) => id === wanted);
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
  readonly id: string;
  readonly code: string | null;
  readonly name: string;
  readonly project: string;
}

/** Every budget line of the organisation. */
export function listBudgetLines(service: Service, organisation: Organisation): NamedLine[] {
  return [...listAllProjects(service, organisation)].flatMap((project) =>
    service.projects
      .report(organisation.id, project.id, { granularity: 'quarterly' })
      .data.rows.map(({ budgetLineId: id, code, name }) => {
        return { id, code, name, project: project.name };
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
export function listAllocations(
  service: Service,
  organisation: Organisation,
  transactionId: string,
): Allocation[] {
  return [...listAllProjects(service, organisation)].flatMap(
    ({ id }) =>
      service.projects.allocations(organisation.id, id, { transactionId, limit: PAGE_ITEMS }).data,
  );
}
