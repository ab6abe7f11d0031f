/** Finding what a person names: a project by id or name, a budget line by id or code. */

import { Failure } from '../core/failures.ts';
import { PAGE_ITEMS } from '../core/limits.ts';
import type { Service } from '../service.ts';
import type { Organisation, Project } from './documents.ts';
import { findNearest } from './suggestions.ts';

/** Every project of the organisation. */
export function* listAllProjects(service: Service, { id }: Organisation): Generator<Project> {
  let cursor: string | undefined;
  do {
    const { data, meta } = service.projects.list(id, { limit: PAGE_ITEMS, cursor });
    yield* data;
    cursor = meta.nextCursor ?? undefined;
  } while (cursor !== undefined);
}

/** The project of an id or an exact name. Refuses with `not_found`. */
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
    meant === undefined ? '`budgetd projects list` lists them.' : `did you mean "${meant}"?`;
  throw new Failure('not_found', `There is no project "${wanted}": ${hint}`);
}

/** The budget line of an id, or of a code that one project alone has. Refuses with `not_found`. */
export function findBudgetLineId(
  service: Service,
  organisation: Organisation,
  wanted: string,
): string {
  if (/^bln_\w+$/.test(wanted)) return wanted;
  const found = [...listAllProjects(service, organisation)].flatMap((project) =>
    service.projects
      .report(organisation.id, project.id)
      .data.rows.filter(({ code }) => code === wanted)
      .map((line) => ({ id: line.budgetLineId, project: project.name })),
  );
  const [first, second] = found;
  if (first === undefined) {
    throw new Failure('not_found', `There is no budget line with the id or code "${wanted}".`);
  }
  if (second === undefined) return first.id;
  const ids = found.map(({ id, project }) => `${id} (${project})`).join(', ');
  throw new Failure(
    'conflict',
    `Several budget lines have the code "${wanted}": name one of ${ids}.`,
  );
}
