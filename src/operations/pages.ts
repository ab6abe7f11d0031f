/** Pages of lists, for every door: how many records, and the cursor of the next page. */

import { PAGE_ITEMS_DEFAULT } from '../core/limits.ts';
import type { Page, Position } from '../store/pages.ts';
import type { Access } from './access.ts';
import { bindingOf, formatCursor, readCursor, type SortKey } from './cursors.ts';

/** Which page of a list. */
export interface PageRequest {
  /** 1 to PAGE_ITEMS; PAGE_ITEMS_DEFAULT by default. */
  readonly limit?: number | undefined;
  /** Where the page begins: the `nextCursor` of the page before. The first page by default. */
  readonly cursor?: string | undefined;
}

/** One page of a list. */
export interface Listing<Item> {
  readonly items: readonly Item[];
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/** A list with its filters, which bind its cursors. */
export interface BoundList {
  readonly name: string;
  readonly sortKey: SortKey;
  readonly filters: Readonly<Record<string, unknown>>;
}

/**
 * Reads the requested page of a list. Refuses with `invalid_cursor`, before `read` is called,
 * unless this list issued the cursor.
 */
export function readPage<Item>(
  { organisation }: Access,
  { name, sortKey, filters }: BoundList,
  { limit = PAGE_ITEMS_DEFAULT, cursor }: PageRequest,
  read: (page: { after: Position | undefined; limit: number }) => Page<Item>,
): Listing<Item> {
  const binding = bindingOf(name, organisation.id, filters);
  const { items, next } = read({ after: readCursor(binding, sortKey, cursor), limit });
  return { items, nextCursor: next === undefined ? null : formatCursor(binding, next) };
}
