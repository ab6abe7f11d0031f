/** Finds projects by id or name, and budget lines by id or code. */

import { explainMissing, Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { findNearest } from '../core/suggestions.ts';
import { findBudgetLines, listBudgetLines } from '../operations/budget-lines.ts';
import { listAll } from '../operations/pages.ts';
import { listProjects } from '../operations/projects.ts';
import type { Access } from '../store/access.ts';
import type { LineChoice } from '../store/line-list.ts';
import type { ProjectRecord } from '../store/projects.ts';

/** The id of the project with this id or exact name. Refuses with `not_found`. */
export function findProjectId(access: Access, wanted: string): string {
  return formatId('prj', lookUpProject(access, wanted).id);
}

/** The project with this id or exact name. Refuses with `not_found`. */
export function lookUpProject(access: Access, wanted: string): ProjectRecord {
  const projects = listAll((page) => listProjects(access, page));
  const byId = projects.find(({ id }) => formatId('prj', id) === wanted);
  const found = byId ?? projects.find(({ name }) => name === wanted);
  if (found !== undefined) return found;
  const names = projects.map(({ name }) => name);
  const meant = findNearest(wanted, names);
  const hint =
    meant === undefined ? '`budgetd projects list` lists them.' : `Did you mean "${meant}"?`;
  throw new Failure('not_found', `${explainMissing('project', `"${wanted}"`)} ${hint}`);
}

/** Every budget line of the organisation, by the names of the projects. */
export function listAllBudgetLines(access: Access): LineChoice[] {
  const lines = listAll((page) => listBudgetLines(access, page));
  return [...lines].sort(({ projectName: a }, { projectName: b }) => (a < b ? -1 : Number(a > b)));
}

/**
 * The id of the budget line with this id or code. Refuses with `not_found`, or with `conflict` if
 * several lines have the code.
 */
export function findBudgetLineId(access: Access, wanted: string): string {
  const found = findBudgetLines(access, wanted);
  const [first, second] = found;
  if (first === undefined) {
    const hint = suggest(listAllBudgetLines(access), wanted);
    throw new Failure('not_found', `${explainMissing('budget line', `"${wanted}"`)} ${hint}`);
  }
  if (second === undefined) return formatId('bln', first.id);
  const shown = found.map(({ id, projectName }) => `${formatId('bln', id)} (${projectName})`);
  const message = `Several budget lines have the code "${wanted}". Use the id of one`;
  throw new Failure('conflict', `${message}: ${shown.join(', ')}.`);
}

/** More codes than this are not listed in a message. */
const LISTED_CODES = 12;

function suggest(lines: readonly LineChoice[], wanted: string): string {
  if (lines.length === 0) return 'Import a project with budget lines first.';
  const words = lines.flatMap(({ code, name }) => (code === null ? [name] : [code, name]));
  const nearest = findNearest(wanted, words);
  const meant = lines.find(({ code, name }) => nearest === code || nearest === name);
  const shortOf = ({ code, id }: LineChoice) => code ?? formatId('bln', id);
  if (meant !== undefined) return `Did you mean ${shortOf(meant)} (${meant.name})?`;
  const codes = [...new Set(lines.map(shortOf))];
  if (codes.length <= LISTED_CODES) return `Use one of ${codes.join(', ')}.`;
  return '`budgetd report PROJECT` lists the lines of a project.';
}
