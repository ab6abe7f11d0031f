/**
 * Reads a stretch of a list by walking an index in list order, from where the last one ended.
 * Conditions that select no range of the index are checked entry by entry, for a limited amount of
 * work: then the stretch ends early, with the position for the next one. So no read blocks the
 * service for long, however many records there are and however few match. All SQL built here comes
 * from this folder, never from a caller.
 */

import { fixedPart } from '../core/fixed-part.ts';
import { STRETCH } from '../core/limits.ts';
import { foldText } from '../core/rules.ts';
import { foldCase } from '../core/text.ts';
import { consistently, type Db } from '../database/database.ts';
import { listAssembled, namedColumns, type SqlValue } from '../database/statements.ts';

/** A position in a list: the sort key of a record, and its number. */
export interface Position {
  readonly sort: string | number;
  readonly id: number;
}

/** Items of a list, and the position where the next ones begin: undefined after the last one. */
export interface Page<Item> {
  readonly items: Item[];
  readonly next: Position | undefined;
}

export interface Walk {
  /** The columns to read besides the position, for `toItem`. */
  readonly columns: string;
  /** The table of the list with its index to walk, and its joins. */
  readonly from: string;
  /** The two columns that order the list, as the index has them. */
  readonly key: { readonly sort: string; readonly id: string };
  /** The conditions that select a range of the index. */
  readonly range: readonly string[];
  /** The bounds of the range, as conditions on the sort key. */
  readonly begin?: string | undefined;
  readonly end?: string | undefined;
  /** The conditions to check entry by entry. */
  readonly narrow: readonly string[];
  /** Whether the index has all columns of `narrow`. */
  readonly isCovered?: boolean;
  /** Whether to walk from the last key to the first. */
  readonly descending?: boolean;
  /** Whether the index can have several entries with the same key, to be listed once. */
  readonly distinct?: boolean;
  /** What is searched, if `narrow` uses a function of texts. */
  readonly search?: Search | undefined;
  /** The work after which the stretch ends, in entries of the index; STRETCH.work by default. */
  readonly work?: number | undefined;
  /** Values of filters that are absent are undefined. */
  readonly values: Readonly<Record<string, SqlValue | undefined>>;
  readonly after: Position | undefined;
  readonly limit: number;
}

/** A record that was read: its position, then the requested columns. */
export type Found = readonly [sort: string | number, id: number, ...columns: unknown[]];

/** The columns of a list by name, for a Walk and to read what it found. */
export function listColumns<Named extends object>(texts: Readonly<Record<keyof Named, string>>) {
  const columns = namedColumns<Named>(texts, POSITION_COLUMNS);
  const toItem = (found: Found) => columns.toObject(found, { id: found[1] });
  return { ...columns, toItem };
}

const POSITION_COLUMNS = 2;

/** Reads the stretch after `after`: at most `limit` records, converted to items. */
export function listPage<Item>(db: Db, walk: Walk, toItem: (found: Found) => Item): Page<Item> {
  return consistently({ db }, () => {
    const { found, next } =
      walk.narrow.length === 0
        ? { found: read(db, walk, undefined), next: undefined }
        : search(db, walk);
    const last = found.length > walk.limit ? found[walk.limit - 1] : undefined;
    return {
      items: (last === undefined ? found : found.slice(0, walk.limit)).map(toItem),
      next: last === undefined ? next : { sort: last[0], id: last[1] },
    };
  });
}

/**
 * Adds up the matching records among the next `limit` entries of the index, or up to twice as many:
 * the columns of the walk are sums, by the columns `by`. The same group can come up to three times.
 */
export function sumStretch<Sum extends readonly unknown[]>(db: Db, walk: Walk, by: string) {
  return consistently({ db }, () => {
    const next = findHorizon(db, walk, walk.limit);
    const end = next && { endSort: next.sort, endId: next.id };
    const sums = segmentsOf(walk, next).flatMap((segment) => {
      const { columns, from, key, range, narrow, distinct } = walk;
      const matching = `from ${from} where ${allOf(range, segment, narrow)}`;
      const once = `from transactions t where t.id in (select ${key.id} ${matching})`;
      const text = `select ${by}, ${columns} ${distinct ? once : matching} group by ${by}`;
      return listAssembled<Sum>(db, text, { ...valuesOf(walk), ...end });
    });
    return { sums, next };
  });
}

/**
 * Reads parts of the index until `limit` or `work` is reached: each eight times as long as the one
 * before, or what is probably needed by the matches so far.
 */
function search(db: Db, walk: Walk): { found: Found[]; next: Position | undefined } {
  const { limit, work = STRETCH.work, search: texts } = walk;
  const entryWork = walk.isCovered ? 1 : STRETCH.recordWork;
  const found: Found[] = [];
  let { after } = walk;
  let left = work;
  let seen = 0;
  let length = FIRST_PART * limit;
  if (texts !== undefined) texts.units = 0;
  do {
    length = Math.ceil(Math.min(length, longestPart(walk, seen), left / entryWork));
    const part = { ...walk, after, limit: limit - found.length };
    const horizon = findHorizon(db, part, length);
    found.push(...read(db, part, horizon));
    after = horizon;
    left -= length * entryWork;
    seen += length;
    length = Math.min(8 * length, (1.2 * seen * (limit + 1 - found.length)) / found.length);
  } while (
    after !== undefined &&
    found.length <= limit &&
    left > (texts?.units ?? 0) / STRETCH.searchedUnits
  );
  return { found, next: after };
}

/** Records of a part of a search: more while the texts were short, as in an index all are. */
function longestPart({ search: texts, isCovered }: Walk, seen: number): number {
  if (texts === undefined) return Infinity;
  const records = isCovered ? COVERED_RECORDS : STRETCH.searchedRecords;
  return seen > 0 && texts.units < seen * SHORT_UNITS ? 4 * records : records;
}

/** A contact has a sixth of the text of a record. */
const COVERED_RECORDS = 6 * STRETCH.searchedRecords;

const SHORT_UNITS = 200;

/** Length of the first part, as a multiple of the records wanted. */
const FIRST_PART = 4;

/** The matches from `after` to the horizon: at most one more than wanted. */
function read(db: Db, walk: Walk, horizon: Position | undefined): Found[] {
  const end = horizon && { endSort: horizon.sort, endId: horizon.id };
  const found: Found[] = [];
  for (const segment of segmentsOf(walk, horizon)) {
    const limit = walk.limit + 1 - found.length;
    if (limit === 0) break;
    const values = { ...valuesOf(walk), ...end, limit };
    found.push(...listAssembled<Found>(db, selectionOf(walk, segment), values));
  }
  return found;
}

/**
 * The position after that many entries, and at most as many more: SQLite counts within a segment in
 * a third of the time that several take together. Undefined if there are fewer.
 */
function findHorizon(db: Db, walk: Walk, entries: number): Position | undefined {
  const { sort, id } = walk.key;
  const values = { ...valuesOf(walk), before: entries - 1 };
  for (const segment of segmentsOf(walk, undefined)) {
    const text =
      `select ${sort}, ${id} from ${walk.from} where ${allOf(walk.range, segment)} ` +
      `${orderBy(walk, sort, id)} limit 1 offset @before`;
    const [found] = listAssembled<Found>(db, text, values);
    if (found !== undefined) return { sort: found[0], id: found[1] };
  }
  return undefined;
}

function valuesOf({ values, after }: Walk): Walk['values'] {
  if (after === undefined) return values;
  return { ...values, afterSort: after.sort, afterId: after.id };
}

/** Without the plus, SQLite would compile the statement again for each value of the limit. */
function selectionOf(walk: Walk, segment: readonly string[]): string {
  const { columns, from, key, range, narrow, distinct } = walk;
  const { sort, id } = key;
  return (
    `select ${sort}, ${id}, ${columns} from ${from} where ${allOf(range, segment, narrow)} ` +
    `${distinct ? `group by ${sort}, ${id} ` : ''}${orderBy(walk, sort, id)} limit +@limit`
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

/** How much longer reading the words of a text takes than finding a part of it. */
const READ_FULLY = 8;

/** How much text the search of a stretch has read so far. */
interface Search {
  /** In UTF-16 code units. */
  units: number;
}

const searches = new WeakMap<Db, Search>();

/**
 * Defines `contains_folded`, which finds parts of texts in any case and counts what it reads,
 * `fixed_part` and `folded_text`.
 */
export function searchOf(db: Db): Search {
  const known = searches.get(db);
  if (known !== undefined) return known;
  const search = { units: 0 };
  const contains = (part: unknown, text: unknown) => {
    if (typeof text !== 'string') return false;
    search.units += text.length;
    return foldCase(text).includes(String(part));
  };
  db.function('contains_folded', { deterministic: true, varargs: true }, (part, ...texts) =>
    texts.some((text) => contains(part, text)) ? 1 : 0,
  );
  const define = (name: string, read: (text: string) => string) =>
    db.function(name, { deterministic: true }, (text) => {
      search.units += READ_FULLY * String(text).length;
      return read(String(text));
    });
  define('fixed_part', fixedPart);
  define('folded_text', foldText);
  searches.set(db, search);
  return search;
}
