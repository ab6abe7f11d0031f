/**
 * Pages of lists, for every door: how many records, and the cursor of the next page. A cursor is
 * the position where a page ended, bound to the endpoint, organisation, project, filters and order,
 * but not to `limit` (contract 4). The binding is a checksum without a secret, so a cursor can be
 * forged. Its contents are checked like any input, and every page is limited to the organisation
 * of the key.
 */

import { hash } from 'node:crypto';
import { calendarDateOf, isCalendarDate } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { CHARACTERS, PAGE_ITEMS, PAGE_ITEMS_DEFAULT, STRETCH } from '../core/limits.ts';
import { findTextProblems, parseJson } from '../core/text.ts';
import type { Access } from '../store/access.ts';
import type { Page, Position } from '../store/pages.ts';
import { finish, type Steps } from './turns.ts';

/** Which page of a list. */
export interface PageRequest {
  /** 1 to PAGE_ITEMS; PAGE_ITEMS_DEFAULT by default. */
  readonly limit?: number | undefined;
  /** Where the page begins: the `nextCursor` of the page before. The first page by default. */
  readonly cursor?: string | undefined;
}

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
 * Reads the requested page of a list, or its first stretch. Refuses, before `read` is called, with
 * `invalid_input` a wrong limit, and with `invalid_cursor` a cursor that this list did not issue.
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
 * A page in stretches: when matches are rare, `read` ends after its work, before the page is full,
 * with the cursor of the next stretch. After the last of `stretches` the page ends as it is.
 */
export function* readStretches<Item>(
  { limit = PAGE_ITEMS_DEFAULT, cursor }: PageRequest,
  read: (page: PageRequest, work: number) => Listing<Item>,
  stretches: number = STRETCH.perPage,
): Steps<Listing<Item>> {
  const items: Item[] = [];
  let next = cursor;
  for (let stretch = 1; ; stretch += 1) {
    const work = stretch === 1 ? STRETCH.firstWork : STRETCH.work;
    const { items: more, nextCursor } = read({ limit: limit - items.length, cursor: next }, work);
    items.push(...more);
    if (nextCursor === null || items.length === limit || stretch === stretches) {
      return { items, nextCursor };
    }
    next = nextCursor;
    yield;
  }
}

/** A full page of any size, read at once. */
export function fillPage<Item>(
  request: PageRequest,
  read: (page: PageRequest) => Listing<Item>,
): Listing<Item> {
  const readPart = ({ limit = PAGE_ITEMS, cursor }: PageRequest) => {
    return read({ limit: Math.min(limit, PAGE_ITEMS), cursor });
  };
  return finish(readStretches(request, readPart, Infinity));
}

export function listAll<Item>(read: (page: PageRequest) => Listing<Item>): readonly Item[] {
  return fillPage({ limit: Infinity }, read).items;
}

/** What a cursor is bound to, as text: the same for every request of the same list. */
export function bindingOf(
  endpoint: string,
  organisationId: number,
  filters: Readonly<Record<string, unknown>>,
): string {
  const present = Object.entries(filters).filter(([, value]) => value !== undefined);
  const sorted = present.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([endpoint, organisationId, sorted]);
}

/** The cursor of a position in a list. */
export function formatCursor(binding: string, { sort, id }: Position): string {
  const position = JSON.stringify([sort, id]);
  return Buffer.concat([checksum(binding, position), Buffer.from(position)]).toString('base64url');
}

/** What a list is sorted by first. Its cursors must have such a sort key. */
type SortKey = keyof typeof SORT_KEYS;

const SORT_KEYS = {
  name: (sort: unknown) =>
    typeof sort === 'string' && findTextProblems(sort, CHARACTERS.name).length === 0,
  date: (sort: unknown) => typeof sort === 'number' && isCalendarDate(calendarDateOf(sort)),
  updatedAt: (sort: unknown) =>
    Number.isInteger(sort) && !Number.isNaN(new Date(Number(sort)).getTime()),
  recordNumber: (sort: unknown) => Number.isSafeInteger(sort),
} as const;

/** The position in a cursor. Refuses with `invalid_cursor` unless this list can have issued it. */
function readCursor(binding: string, sortKey: SortKey, cursor: string | undefined) {
  if (cursor === undefined) return undefined;
  const bytes = Buffer.from(cursor, 'base64url');
  const position = bytes.toString('utf8', CHECKSUM_BYTES);
  const whole = bytes.toString('base64url') === cursor && bytes.length > CHECKSUM_BYTES;
  const isIssued = whole && checksum(binding, position).equals(bytes.subarray(0, CHECKSUM_BYTES));
  const place = isIssued ? readPosition(position, sortKey) : undefined;
  if (place !== undefined) return place;
  throw new Failure(
    'invalid_cursor',
    'The cursor is not from this list with these filters and this order. Start again without a ' +
      'cursor.',
  );
}

function readPosition(text: string, sortKey: SortKey): Position | undefined {
  const members = parseJson(text);
  // Must be exactly what formatCursor writes: no other spelling, no blanks, no third member.
  if (!Array.isArray(members) || JSON.stringify(members.slice(0, 2)) !== text) return undefined;
  const [sort, id]: unknown[] = members;
  const isPossible = SORT_KEYS[sortKey](sort) && Number.isSafeInteger(id) && Number(id) >= 0;
  return isPossible ? ({ sort, id } as Position) : undefined;
}

const CHECKSUM_BYTES = 12;

function checksum(binding: string, position: string): Buffer {
  return hash('sha256', `${binding}\n${position}`, 'buffer').subarray(0, CHECKSUM_BYTES);
}
