/**
 * Where a page is in the list of transactions. The address has the cursor of the page, the number
 * of its first row, and the cursors of the pages before it, because a cursor leads only onwards.
 */

import { type Html, html } from '../../http/html.ts';
import type { Query } from '../../http/target.ts';
import type { Totals } from '../../operations/transactions.ts';
import type { Reader } from '../session/reader.ts';
import { addressOf, type Filters, LIST } from './transaction-filters.ts';

/** Rows on a page. */
export const ROWS = 50;
/** The address of a page has the beginnings of this many pages before it. */
const PAGES_BACK = 10;

/** Where a page is in the list. */
interface ListPlace {
  readonly cursor: string | undefined;
  /** The number of its first row, from 1. */
  readonly start: number;
  /** The cursors of the pages before it, the last one last; the first page has none. */
  readonly back: readonly string[];
}

/** The place that the address of a page names. */
export function readPlace({ cursor, start = '', back = '' }: PlaceQuery): ListPlace {
  if (cursor === undefined) return { cursor: undefined, start: 1, back: [] };
  return {
    cursor,
    start: /^\d{1,9}$/.test(start) ? Number(start) : 1,
    back: back.split('.').filter((each) => each !== ''),
  };
}

/** The members of the address that name a place. */
export type PlaceQuery = Readonly<Record<'cursor' | 'start' | 'back', string | undefined>>;

/** Those of a query, whatever else it has. */
export function placeQuery(query: Query): PlaceQuery {
  const read = (name: string) => query.find(([each]) => each === name)?.[1];
  return { cursor: read('cursor'), start: read('start'), back: read('back') };
}

/** What is on the page. */
interface Shown {
  readonly place: ListPlace;
  readonly count: number;
  readonly nextCursor: string | null;
  /** Undefined until they are counted. */
  readonly shown: Totals | undefined;
  readonly reader: Reader;
}

/** The links to the pages before and after. */
export function pager(filters: Filters, { place, count, nextCursor, shown, reader }: Shown): Html {
  const { cursor, start, back } = place;
  const end = start + count - 1;
  const whole = shown && ` of ${reader.count(shown.count)}`;
  const pages = cursor === undefined ? back : [...back, cursor].slice(-PAGES_BACK);
  const older = addressOf(LIST, filters, {
    cursor: nextCursor ?? undefined,
    start: String(end + 1),
    back: pages.join('.') || undefined,
  });
  const newerStart = start - ROWS;
  const newer = addressOf(LIST, filters, {
    cursor: newerStart > 1 ? back.at(-1) : undefined,
    start: newerStart > 1 ? String(newerStart) : undefined,
    back: back.slice(0, -1).join('.') || undefined,
  });
  const canGoBack = cursor !== undefined && (back.length > 0 || newerStart <= 1);
  const shownRows = `${reader.count(start)} to ${reader.count(end)}`;
  return html`<nav class="pages" aria-label="Pages"><span id="place">${shownRows}${whole}</span>${
    cursor !== undefined && html`<a href="${addressOf(LIST, filters)}">Newest</a>`
  }${canGoBack && html`<a class="button" href="${newer}" rel="prev">Newer</a>`}${
    nextCursor !== null && html`<a class="button" href="${older}" rel="next">Older</a>`
  }</nav>`;
}
