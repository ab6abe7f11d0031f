/** Finds parts of texts in any case, within a limit of text for each page. */

import { SEARCHED_UNITS } from '../core/limits.ts';
import { foldCase } from '../core/text.ts';
import type { Db } from './database.ts';

/** How much text each database has compared for the current page. */
const searches = new WeakMap<Db, { units: number }>();

/** Defines `contains_folded`, resets its count and returns a check of a page's limit. */
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
