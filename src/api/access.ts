/** Whose data a function of this room reads, and from where. */

import { Failure } from '../core/failures.ts';
import { type IdPrefix, readId } from '../core/ids.ts';
import type { Organisation } from '../core/organisations.ts';
import type { Db } from '../store/database.ts';
import type { Page } from '../store/pages.ts';
import { formatCursor } from './cursors.ts';

/** One organisation's data in one database. */
export interface Access {
  readonly db: Db;
  readonly organisation: Organisation;
}

/** A list as it is answered (contract 1). */
export interface ListDocument<Item> {
  data: Item[];
  meta: { nextCursor: string | null };
}

/** A page of records as the document of a list, with the cursor of the next page. */
export function listDocument<Found, Item>(
  { items, next }: Page<Found>,
  binding: string,
  toItem: (each: Found) => Item,
): ListDocument<Item> {
  const nextCursor = next === undefined ? null : formatCursor(binding, next);
  return { data: items.map(toItem), meta: { nextCursor } };
}

/** The number behind an identifier in a path, or 0, which no record has. */
export function numberOf(prefix: IdPrefix, id: string): number {
  return readId(prefix, id) ?? 0;
}

/** The refusal for an identifier in a path, the same whether it is nobody's or somebody else's. */
export function notFound(what: string, id: string): Failure {
  return new Failure('not_found', `There is no ${what} ${id}.`);
}
