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
  readonly columns: string;
  /** The table with the index that is walked, and what is joined to it. */
  readonly from: string;
  /** The two columns that the list is ordered by; the index has them last. */
  readonly key: { readonly sort: string; readonly id: string };
  /** The conditions that choose a range of the index; several ranges are walked side by side. */
  readonly ranges: readonly (readonly string[])[];
  /** The conditions that the index cannot tell. */
  readonly narrow: readonly string[];
  /** Whether the index can have several entries of one key, of which one is wanted. */
  readonly distinct?: boolean;
  readonly values: SqlRecord;
  readonly after: Position | undefined;
  readonly limit: number;
}

/** The page after `after`, at most `limit` records, made into items. */
export function listPage<Found, Item>(
  db: Db,
  walk: Walk,
  toItem: (found: Found) => Item,
): Page<Item> {
  return consistently(db, () => {
    const { sort, id } = walk.key;
    const { after } = walk;
    const seek = after === undefined ? [] : [`(${sort}, ${id}) > (@afterSort, @afterId)`];
    const ranges = walk.ranges.map((range) => [...range, ...seek]);
    const values: Record<string, SqlRecord[string]> = { ...walk.values };
    if (after !== undefined) Object.assign(values, { afterSort: after.sort, afterId: after.id });
    const horizon =
      walk.narrow.length === 0 ? undefined : findHorizon(db, { ...walk, ranges, values });
    if (horizon !== undefined) {
      Object.assign(values, { endSort: horizon.sort, endId: horizon.id });
      for (const range of ranges) {
        range.push(`${sort} <= @endSort`, `(${sort}, ${id}) <= (@endSort, @endId)`);
      }
    }
    values['limit'] = walk.limit + 1;
    const found = listAssembled<Found & Position>(db, textOf({ ...walk, ranges }), values);
    const isFull = found.length > walk.limit;
    const last = isFull ? found[walk.limit - 1] : horizon;
    return {
      items: (isFull ? found.slice(0, walk.limit) : found).map(toItem),
      next: last && { sort: last.sort, id: last.id },
    };
  });
}

/** The first place at which SCANNED_RECORDS of a range will have been looked at. */
function findHorizon(db: Db, walk: Walk): Position | undefined {
  const { sort, id } = walk.key;
  let first: Position | undefined;
  for (const range of walk.ranges) {
    const text =
      `select ${sort} as sort, ${id} as id from ${walk.from} where ${range.join(' and ')} ` +
      `order by ${sort}, ${id} limit 1 offset ${SCANNED_RECORDS - 1}`;
    const [horizon] = listAssembled<Position>(db, text, walk.values);
    if (horizon !== undefined && (first === undefined || isBefore(horizon, first))) first = horizon;
  }
  return first;
}

function textOf({ columns, from, key, ranges, narrow, distinct }: Walk): string {
  const { sort, id } = key;
  const texts = ranges.map(
    (range) =>
      `select ${sort} as sort, ${columns} from ${from} ` +
      `where ${[...range, ...narrow].join(' and ')} ` +
      `${distinct ? `group by ${sort}, ${id} ` : ''}order by ${sort}, ${id} limit @limit`,
  );
  if (texts.length === 1) return texts.join('');
  const all = texts.map((text) => `select * from (${text})`).join(' union all ');
  return `${all} order by sort, id limit @limit`;
}

function isBefore(a: Position, b: Position): boolean {
  return a.sort < b.sort || (a.sort === b.sort && a.id < b.id);
}
