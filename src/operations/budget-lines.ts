/** Budget lines of all projects: to choose from, and what is left in some of them. */

import { Failure } from '../core/failures.ts';
import { PAGE_ITEMS } from '../core/limits.ts';
import type { Access } from '../store/access.ts';
import { type LineChoice, type LineFilters, listLineChoices } from '../store/line-list.ts';
import { type LineSums, sumLines } from '../store/reports.ts';
import { numberOf } from './access.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';

/** Which lines to list. An absent filter matches all, an unknown identifier nothing. */
export interface LineFilter extends Omit<LineFilters, 'ids' | 'projectId'>, PageRequest {
  readonly ids?: readonly string[] | undefined;
  readonly projectId?: string | undefined;
}

/**
 * A page of the budget lines of all projects, with their projects, by project and in the order of
 * creation. Refuses with `invalid_cursor`.
 */
export function listBudgetLines(access: Access, filter: LineFilter = {}): Listing<LineChoice> {
  const { ids, limit = ids?.length, cursor, projectId, ...rest } = filter;
  const filters = {
    ...rest,
    ids: ids?.map((id) => numberOf('bln', id)),
    projectId: projectId === undefined ? undefined : numberOf('prj', projectId),
  };
  const list = { name: 'budget-lines', sortKey: 'recordNumber', filters } as const;
  return readPage(access, list, { limit, cursor }, (page) =>
    listLineChoices(access, { filters, ...page }),
  );
}

/** The lines with this identifier, else with this code: several, one or none. */
export function findBudgetLines(access: Access, idOrCode: string): readonly LineChoice[] {
  const byId = listBudgetLines(access, { ids: [idOrCode] }).items;
  return byId.length > 0 ? byId : listBudgetLines(access, { code: idOrCode }).items;
}

/** Lines by their record numbers; without those that are gone, or not of the filter. */
export function mapBudgetLines(
  access: Access,
  numbers: Iterable<number>,
  filter: Omit<LineFilters, 'ids'> = {},
): ReadonlyMap<number, LineChoice> {
  const ids = [...new Set(numbers)];
  if (ids.length === 0) return new Map();
  const { items } = listLineChoices(access, { filters: { ...filter, ids }, limit: ids.length });
  return new Map(items.map((line) => [line.id, line]));
}

/**
 * The budget and the actual of some lines, as their reports have them in total. Leaves out unknown
 * identifiers. Refuses with `invalid_input` more lines than a page has.
 */
export function sumBudgetLines(
  access: Access,
  budgetLineIds: readonly string[],
): readonly LineSums[] {
  if (budgetLineIds.length > PAGE_ITEMS) {
    throw new Failure('invalid_input', `Ask for at most ${PAGE_ITEMS} lines at a time.`);
  }
  const numbers = budgetLineIds.map((id) => numberOf('bln', id));
  return sumLines(access, numbers);
}
