/**
 * Makes externalIds for files without ids: a hash of the named values as the file has them, plus a
 * number for equal rows of one date. The same row gets the same id next month, whatever the other
 * rows and their order, and also after the mapping is corrected. It has limits: a row whose named
 * values the bank changes is a new row; equal rows of one date in two files count as one; and a
 * rejected row that is corrected until it equals another row of its date becomes that row.
 */

import { createHash } from 'node:crypto';
import { normalized } from '../../core/text.ts';
import { TextNumbers } from './text-numbers.ts';

/** 80 bits, so that two different lists of texts never get the same hash. */
const HASH_CHARACTERS = 20;

/** A hash of texts, in 20 characters. */
export function hashOf(texts: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
  return digest.slice(0, HASH_CHARACTERS);
}

/** Makes the ids for one pass over a file. */
export class MadeIds {
  readonly #counts = new TextNumbers();

  /** The id of the next row, such as `made-9f86d081884c7d659a2f-1`; `values` include the date. */
  make(values: readonly string[]): string {
    const plain = values.map((value) => normalized(value, 'NFC').trim().replace(/\s+/g, ' '));
    const own = hashOf(plain);
    const occurrence = (this.#counts.get(own) ?? 0) + 1;
    this.#counts.set(own, occurrence);
    return `made-${own}-${occurrence}`;
  }
}
