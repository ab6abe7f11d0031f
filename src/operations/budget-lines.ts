/** Budget lines of all projects, to choose from. */

import { type LineChoice, type LineFilters, listLineChoices } from '../store/line-list.ts';
import { type Access, numberOf } from './access.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';

export type { LineChoice } from '../store/line-list.ts';

/** Which lines to list. An absent filter matches all, an unknown identifier nothing. */
export interface LineFilter extends Omit<LineFilters, 'id' | 'projectId'>, PageRequest {
  readonly id?: string | undefined;
  readonly projectId?: string | undefined;
}

/**
 * A page of the budget lines of all projects, with their projects, by project and in the order of
 * creation. Refuses with `invalid_cursor`.
 */
export function listBudgetLines(access: Access, filter: LineFilter = {}): Listing<LineChoice> {
  const { db, organisation } = access;
  const { limit, cursor, id, projectId, ...rest } = filter;
  const filters = {
    ...rest,
    id: id === undefined ? undefined : numberOf('bln', id),
    projectId: projectId === undefined ? undefined : numberOf('prj', projectId),
  };
  const list = { name: 'budget-lines', sortKey: 'recordNumber', filters } as const;
  return readPage(access, list, { limit, cursor }, (page) =>
    listLineChoices(db, organisation.id, { filters, ...page }),
  );
}

/** The budget lines with this identifier, else those with this code: several, one or none. */
export function findBudgetLines(access: Access, idOrCode: string): readonly LineChoice[] {
  const byId = listBudgetLines(access, { id: idOrCode }).items;
  return byId.length > 0 ? byId : listBudgetLines(access, { code: idOrCode }).items;
}
