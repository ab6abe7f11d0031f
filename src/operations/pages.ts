/** Pages of lists, for every door: how many records, and the cursor of the next page. */

import { Failure } from '../core/failures.ts';
import { PAGE_ITEMS, PAGE_ITEMS_DEFAULT } from '../core/limits.ts';
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
 * Reads the requested page of a list. Refuses, before `read` is called, with `invalid_input` a
 * wrong limit, and with `invalid_cursor` a cursor that this list did not issue.
 */
export function readPage<Item>(
  { organisation }: Access,
  { name, sortKey, filters }: BoundList,
  { limit = PAGE_ITEMS_DEFAULT, cursor }: PageRequest,
  read: (page: { after: Position | undefined; limit: number }) => Page<Item>,
): Listing<Item> {
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_ITEMS) {
    throw new Failure('invalid_input', `The limit must be 1 to ${PAGE_ITEMS}, not ${limit}.`);
  }
  const binding = bindingOf(name, organisation.id, filters);
  const { items, next } = read({ after: readCursor(binding, sortKey, cursor), limit });
  return { items, nextCursor: next === undefined ? null : formatCursor(binding, next) };
}

/**
 * A full page. When matches are rare, a list has fewer items than the limit, and a cursor: this
 * follows it until the page is full.
 */
export function fillPage<Item>(
  { limit = PAGE_ITEMS_DEFAULT, cursor }: PageRequest,
  read: (page: PageRequest) => Listing<Item>,
): Listing<Item> {
  const items: Item[] = [];
  let next = cursor;
  do {
    const page = read({ limit: Math.min(limit - items.length, PAGE_ITEMS), cursor: next });
    items.push(...page.items);
    next = page.nextCursor ?? undefined;
  } while (items.length < limit && next !== undefined);
  return { items, nextCursor: next ?? null };
}

/** Every item of a list, page after page. */
export function listAll<Item>(read: (page: PageRequest) => Listing<Item>): readonly Item[] {
  return fillPage({ limit: Infinity }, read).items;
}
