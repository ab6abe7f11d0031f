/** What the functions of src/api share: the organisation, and the form of lists and refusals. */

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

/** The document of a list (contract 1). */
export interface ListDocument<Item> {
  data: Item[];
  meta: { nextCursor: string | null };
}

/** Builds the document of a list from a page of records, with the cursor of the next page. */
export function listDocument<Found, Item>(
  { items, next }: Page<Found>,
  binding: string,
  toItem: (each: Found) => Item,
): ListDocument<Item> {
  const nextCursor = next === undefined ? null : formatCursor(binding, next);
  return { data: items.map(toItem), meta: { nextCursor } };
}

/** The number in an identifier; 0, which no record has, if it is not an identifier. */
export function numberOf(prefix: IdPrefix, id: string): number {
  return readId(prefix, id) ?? 0;
}

/** The refusal for an identifier in a path: the same for another organisation's as for none. */
export function notFound(what: string, id: string): Failure {
  return new Failure('not_found', `There is no ${what} ${id}.`);
}
