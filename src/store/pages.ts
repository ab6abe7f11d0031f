/**
 * Reads one page of a list by walking an index in list order, from where the last page ended.
 * Conditions that the index does not cover are checked record by record, for at most
 * SCANNED_RECORDS: then the page ends early, with the position for the next one. So no request
 * blocks the service for long, however many records there are and however few match. All SQL built
 * here comes from this folder, never from a caller.
 */

import { SCANNED_RECORDS, SEARCHED_RECORDS, SEARCHED_UNITS } from '../core/limits.ts';
import { foldCase } from '../core/text.ts';
import { consistently, type Db } from './database.ts';
import { listAssembled, type SqlRecord } from './statements.ts';

/** A position in a list: the sort key of a record, and its number. */
export interface Position {
  readonly sort: string | number;
  readonly id: number;
}

/** One page, and the position where the next one begins: undefined on the last page. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: Position | undefined;
}

/** How to walk an index. */
export interface Walk {
  /** The columns to read besides the position, for `toItem`. */
  readonly columns: string;
  /** The table of the list, with the alias that `columns` uses. */
  readonly table: string;
  /** The same table with its index to walk, and its joins. */
  readonly from: string;
  /** The two columns that order the list: the last ones of the index. */
  readonly key: { readonly sort: string; readonly id: string };
  /** The conditions that select each range of the index. Several are merged; none match nothing. */
  readonly ranges: readonly (readonly string[])[];
  /** The bounds of every range, as conditions on the sort key. */
  readonly begin?: string | undefined;
  readonly end?: string | undefined;
  /** The conditions that the index does not cover. */
  readonly narrow: readonly string[];
  /** Whether to walk from the last key to the first. */
  readonly descending?: boolean;
  /** Whether the index can have several entries with the same key, to be listed once. */
  readonly distinct?: boolean;
  /** Whether to end the page because of its cost; called after every SEARCHED_RECORDS. */
  readonly isSpent?: (() => boolean) | undefined;
  readonly values: SqlRecord;
  readonly after: Position | undefined;
  readonly limit: number;
}

/** A record that was read: its position, then the requested columns. */
export type Found<Columns extends readonly unknown[]> = readonly [
  sort: string | number,
  id: number,
  ...columns: Columns,
];

/** Reads the page after `after`: at most `limit` records, converted to items. */
export function listPage<Columns extends readonly unknown[], Item>(
  db: Db,
  walk: Walk,
  toItem: (found: Found<Columns>) => Item,
): Page<Item> {
  const { limit, ranges } = walk;
  if (ranges.length === 0) return { items: [], next: undefined };
  return consistently(db, () => {
    const { found, next } =
      walk.narrow.length === 0
        ? { found: read<Columns>(db, walk, undefined), next: undefined }
        : search<Columns>(db, walk);
    const last = found.length > limit ? found[limit - 1] : undefined;
    return {
      items: (last === undefined ? found : found.slice(0, limit)).map(toItem),
      next: last === undefined ? next : { sort: last[0], id: last[1] },
    };
  });
}

/** Reads stretches of the index, each longer than the one before, until the page is full. */
function search<Columns extends readonly unknown[]>(
  db: Db,
  walk: Walk,
): { found: Found<Columns>[]; next: Position | undefined } {
  const { limit } = walk;
  const found: Found<Columns>[] = [];
  let { after } = walk;
  const longest = Math.ceil(walk.isSpent ? SEARCHED_RECORDS / walk.ranges.length : SCANNED_RECORDS);
  let length = FIRST_STRETCH * limit;
  for (let left = SCANNED_RECORDS; left > 0; left -= length, length *= 4) {
    if (walk.isSpent?.()) break;
    length = Math.min(length, left, longest);
    const stretch = { ...walk, after, limit: limit - found.length };
    const horizon = findHorizon(db, stretch, length);
    found.push(...read<Columns>(db, stretch, horizon));
    after = horizon;
    if (horizon === undefined || found.length > limit) break;
  }
  return { found, next: after };
}

/** Length of the first stretch, as a multiple of the records wanted. */
const FIRST_STRETCH = 4;

/** The matches from `after` to the horizon: at most one more than wanted. */
function read<Columns extends readonly unknown[]>(
  db: Db,
  walk: Walk,
  horizon: Position | undefined,
): Found<Columns>[] {
  const end = horizon && { endSort: horizon.sort, endId: horizon.id };
  const found: Found<Columns>[] = [];
  for (const segment of segmentsOf(walk, horizon)) {
    const limit = walk.limit + 1 - found.length;
    if (limit === 0) break;
    const values = { ...valuesOf(walk), ...end, limit };
    found.push(...listAssembled<Found<Columns>>(db, selectionOf(walk, segment), values));
  }
  return found;
}

/** The first position after that many records of a range. */
function findHorizon(db: Db, walk: Walk, records: number): Position | undefined {
  const { sort, id } = walk.key;
  const values = { ...valuesOf(walk), before: records - 1 };
  const segments = segmentsOf(walk, undefined);
  let first: Position | undefined;
  for (const range of walk.ranges) {
    const keys = segments.map(
      (segment) => `select ${sort}, ${id} from ${walk.from} where ${allOf(range, segment)}`,
    );
    const order = orderBy(walk, '1', '2');
    const text = `${keys.join(' union all ')} ${order} limit 1 offset @before`;
    const [found] = listAssembled<Found<[]>>(db, text, values);
    const horizon = found && { sort: found[0], id: found[1] };
    if (horizon !== undefined && (first === undefined || isBefore(walk, horizon, first))) {
      first = horizon;
    }
  }
  return first;
}

function valuesOf({ values, after }: Walk): SqlRecord {
  if (after === undefined) return values;
  return { ...values, afterSort: after.sort, afterId: after.id };
}

function selectionOf(walk: Walk, segment: readonly string[]): string {
  const { columns, table, from, key, ranges, narrow, distinct } = walk;
  const { sort, id } = key;
  const order = `${orderBy(walk, sort, id)} limit @limit`;
  const select = (wanted: string, range: readonly string[]) =>
    `select ${sort} as sort, ${id} as id${wanted} from ${from} ` +
    `where ${allOf(range, segment, narrow)} ` +
    `${distinct ? `group by ${sort}, ${id} ` : ''}${order}`;
  const [only = [], ...others] = ranges;
  if (others.length === 0) return select(`, ${columns}`, only);
  // Each range can fill the page, so merge the keys before reading the records.
  const keys = ranges.map((range) => `select * from (${select('', range)})`).join(' union all ');
  return (
    `select ${sort}, ${id}, ${columns} from ${table} ` +
    `where ${id} in (select id from (${keys} ${orderBy(walk, 'sort', 'id')} limit @limit)) ${order}`
  );
}

/**
 * The conditions on the key from `after` to the horizon, as one list per segment, in order. Every
 * version of SQLite can seek `sort = ? and id > ?` in an index; for `(sort, id) > (?, ?)` some read
 * all records with the same sort key. The plus stops SQLite from seeking by the wider condition.
 */
function segmentsOf(walk: Walk, horizon: Position | undefined): string[][] {
  const { begin, end, after, descending } = walk;
  const { sort, id } = walk.key;
  const [later, earlier] = descending ? ['<', '>'] : ['>', '<'];
  const endId = `${id} ${earlier}= @endId`;
  const first = after && [`${sort} = @afterSort`, `${id} ${later} @afterId`];
  const middle = [
    after === undefined ? begin : `${sort} ${later} @afterSort`,
    horizon === undefined ? end : `${sort} ${earlier} @endSort`,
  ];
  const last = horizon && [`${sort} = @endSort`, endId];
  const isWithinOne = first !== undefined && after?.sort === horizon?.sort;
  const segments = isWithinOne ? [[...first, endId]] : [first, middle, last];
  return segments.flatMap((segment) => {
    if (segment === undefined) return [];
    const conditions = [...segment, begin && `+${begin}`, end && `+${end}`];
    return [conditions.filter((condition) => condition !== undefined)];
  });
}

function allOf(...conditions: readonly (readonly string[])[]): string {
  return conditions.flat().join(' and ');
}

function orderBy({ descending }: Walk, sort: string, id: string): string {
  return descending ? `order by ${sort} desc, ${id} desc` : `order by ${sort}, ${id}`;
}

function isBefore({ descending = false }: Walk, a: Position, b: Position): boolean {
  const isLess = a.sort < b.sort || (a.sort === b.sort && a.id < b.id);
  return isLess !== descending;
}

/** How much text each database has compared for the current page. */
const searches = new WeakMap<Db, { units: number }>();

/**
 * Defines `contains_folded`, which finds parts of texts in any case, resets its count and returns a
 * check of a page's limit.
 */
export function startSearch(db: Db): () => boolean {
  const search = searches.get(db) ?? registerSearch(db);
  search.units = 0;
  return () => search.units >= SEARCHED_UNITS;
}

function registerSearch(db: Db): { units: number } {
  const search = { units: 0 };
  const contains = (part: unknown, text: unknown) => {
    if (typeof text !== 'string') return false;
    search.units += text.length;
    return foldCase(text).includes(String(part));
  };
  db.function('contains_folded', { deterministic: true, varargs: true }, (part, ...texts) =>
    texts.some((text) => contains(part, text)) ? 1 : 0,
  );
  searches.set(db, search);
  return search;
}
