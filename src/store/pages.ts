/**
 * One page of a list, by walking an index in the list's order from where the last page ended. What
 * the index cannot tell is looked up record by record, but never for more than SCANNED_RECORDS of
 * them: then the page ends early and says where to go on, so that no request holds the service for
 * long, however much is stored and however little matches. The texts put together here come from
 * this room, never from a caller.
 */

import { SCANNED_RECORDS } from '../core/limits.ts';
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
  /** The table with the index that is walked, and what is joined to it. */
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
    const values: Record<string, SqlRecord[string]> = { ...walk.values, limit: walk.limit + 1 };
    const { after } = walk;
    if (after !== undefined) Object.assign(values, { afterSort: after.sort, afterId: after.id });
    const horizon = walk.narrow.length === 0 ? undefined : findHorizon(db, { ...walk, values });
    if (horizon !== undefined) {
      Object.assign(values, { endSort: horizon.sort, endId: horizon.id });
    }
    const text = textOf(walk, horizon !== undefined);
    const found = listAssembled<Found<Columns>>(db, text, values);
    const isFull = found.length > walk.limit;
    const last = isFull ? found[walk.limit - 1] : undefined;
    return {
      items: (isFull ? found.slice(0, walk.limit) : found).map(toItem),
      next: last === undefined ? horizon : { sort: last[0], id: last[1] },
    };
  });
}

/** The first place at which SCANNED_RECORDS of a range will have been looked at. */
function findHorizon(db: Db, walk: Walk): Position | undefined {
  const { sort, id } = walk.key;
  let first: Position | undefined;
  for (const range of walk.ranges) {
    const text =
      `select ${sort}, ${id} from ${walk.from} where ${boundsOf(walk, range, false)} ` +
      `order by ${sort}, ${id} limit 1 offset ${SCANNED_RECORDS - 1}`;
    const [found] = listAssembled<Found<[]>>(db, text, walk.values);
    const horizon = found && { sort: found[0], id: found[1] };
    if (horizon !== undefined && (first === undefined || isBefore(horizon, first))) first = horizon;
  }
  return first;
}

function textOf(walk: Walk, hasHorizon: boolean): string {
  const { columns, from, key, ranges, narrow, distinct } = walk;
  const { sort, id } = key;
  const texts = ranges.map(
    (range) =>
      `select ${sort} as sort, ${id} as id, ${columns} from ${from} ` +
      `where ${[boundsOf(walk, range, hasHorizon), ...narrow].join(' and ')} ` +
      `${distinct ? `group by ${sort}, ${id} ` : ''}order by ${sort}, ${id} limit @limit`,
  );
  if (texts.length === 1) return texts.join('');
  const all = texts.map((text) => `select * from (${text})`).join(' union all ');
  return `${all} order by sort, id limit @limit`;
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
