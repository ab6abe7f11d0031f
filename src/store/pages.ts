/**
 * One page of a list, by walking an index in the list's order from where the last page ended. What
 * the index cannot tell is looked up record by record, but never for more than SCANNED_RECORDS of
 * them: then the page ends early and says where to go on, so that no request holds the service for
 * long, however much is stored and however little matches. The texts put together here come from
 * this room, never from a caller.
 */

import { SCANNED_RECORDS, SEARCHED_RECORDS } from '../core/limits.ts';
import { consistently, type Db } from './database.ts';
import { listAssembled, type SqlRecord } from './statements.ts';

/** A place in a list: the sort key of a record, and its number. */
export interface Position {
  readonly sort: string | number;
  readonly id: number;
}

/** One page, and where the next one begins; undefined after the last. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: Position | undefined;
}

/** How to walk. */
export interface Walk {
  /** What is wanted of a record beside its position, for `toItem`. */
  readonly columns: string;
  /** The table of the list, under the name that `columns` has for it. */
  readonly table: string;
  /** It with the index that is walked, and what is joined to it. */
  readonly from: string;
  /** The two columns that the list is ordered by; the index has them last. */
  readonly key: { readonly sort: string; readonly id: string };
  /** The conditions that choose a range of the index; several ranges are walked side by side. */
  readonly ranges: readonly (readonly string[])[];
  /** Where every range begins and ends, as conditions on the sort key. */
  readonly begin?: string | undefined;
  readonly end?: string | undefined;
  /** The conditions that the index cannot tell. */
  readonly narrow: readonly string[];
  /** Whether the index can have several entries of one key, of which one is wanted. */
  readonly distinct?: boolean;
  /** Whether looking has cost enough for one page; asked after every SEARCHED_RECORDS. */
  readonly isSpent?: (() => boolean) | undefined;
  readonly values: SqlRecord;
  readonly after: Position | undefined;
  readonly limit: number;
}

/** A record as it is read: its position, then the columns asked for. */
export type Found<Columns extends readonly unknown[]> = readonly [
  sort: string | number,
  id: number,
  ...Columns,
];

/** The page after `after`, at most `limit` records, made into items. */
export function listPage<Columns extends readonly unknown[], Item>(
  db: Db,
  walk: Walk,
  toItem: (found: Found<Columns>) => Item,
): Page<Item> {
  return consistently(db, () => {
    const { limit } = walk;
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

/** Looks up stretches of the walk, each longer than the one before, until the page is full. */
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

/** Records looked up for each one that is wanted, at first. */
const FIRST_STRETCH = 4;

/** What matches from `after` to the horizon, one record more than wanted at the most. */
function read<Columns extends readonly unknown[]>(
  db: Db,
  walk: Walk,
  horizon: Position | undefined,
): Found<Columns>[] {
  const values = { ...valuesOf(walk), limit: walk.limit + 1 };
  if (horizon === undefined) return listAssembled(db, textOf(walk, false), values);
  const { sort: endSort, id: endId } = horizon;
  return listAssembled(db, textOf(walk, true), { ...values, endSort, endId });
}

/** The first place at which so many records of a range will have been looked at. */
function findHorizon(db: Db, walk: Walk, records: number): Position | undefined {
  const { sort, id } = walk.key;
  const values = { ...valuesOf(walk), before: records - 1 };
  let first: Position | undefined;
  for (const range of walk.ranges) {
    const text =
      `select ${sort}, ${id} from ${walk.from} where ${boundsOf(walk, range, false)} ` +
      `order by ${sort}, ${id} limit 1 offset @before`;
    const [found] = listAssembled<Found<[]>>(db, text, values);
    const horizon = found && { sort: found[0], id: found[1] };
    if (horizon !== undefined && (first === undefined || isBefore(horizon, first))) first = horizon;
  }
  return first;
}

function valuesOf({ values, after }: Walk): SqlRecord {
  if (after === undefined) return values;
  return { ...values, afterSort: after.sort, afterId: after.id };
}

function textOf(walk: Walk, hasHorizon: boolean): string {
  const { columns, table, from, key, ranges, narrow, distinct } = walk;
  const { sort, id } = key;
  const order = `order by ${sort}, ${id} limit @limit`;
  const select = (wanted: string, range: readonly string[]) =>
    `select ${sort} as sort, ${id} as id${wanted} from ${from} ` +
    `where ${[boundsOf(walk, range, hasHorizon), ...narrow].join(' and ')} ` +
    `${distinct ? `group by ${sort}, ${id} ` : ''}${order}`;
  const [only = [], ...others] = ranges;
  if (others.length === 0) return select(`, ${columns}`, only);
  // Every range has a page's worth: merged by their keys, and only then looked up.
  const keys = ranges.map((range) => `select * from (${select('', range)})`).join(' union all ');
  return (
    `select ${sort}, ${id}, ${columns} from ${table} ` +
    `where ${id} in (select id from (${keys} order by sort, id limit @limit)) ${order}`
  );
}

/**
 * One range, from where the last page ended to where looking ends. An index is entered at one
 * condition and left at one: the plus keeps SQLite from taking the wider of two.
 */
function boundsOf({ key, begin, end, after }: Walk, range: readonly string[], hasHorizon: boolean) {
  const { sort, id } = key;
  const bounds = [...range];
  if (begin !== undefined) bounds.push(after === undefined ? begin : `+${begin}`);
  if (after !== undefined) bounds.push(`(${sort}, ${id}) > (@afterSort, @afterId)`);
  if (end !== undefined) bounds.push(hasHorizon ? `+${end}` : end);
  if (hasHorizon) bounds.push(`(${sort}, ${id}) <= (@endSort, @endId)`);
  return bounds.join(' and ');
}

function isBefore(a: Position, b: Position): boolean {
  return a.sort < b.sort || (a.sort === b.sort && a.id < b.id);
}
