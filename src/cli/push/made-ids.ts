/**
 * Made externalIds, for files that have none: a hash of named values as the file writes them, and
 * which of the equal rows of a day it is. The same row gets the same id next month, whatever else
 * the file holds and in whatever order, and also after a mapping was put right. What this cannot
 * know: a row whose named values the bank changes is a new one; of equal rows that two files share
 * out between them, the later are taken for the first; a rejected row that is mended until it
 * equals another of its day becomes that one.
 */

import { createHash } from 'node:crypto';

/** Enough that two different rows never meet: 80 bits. */
const HASH_CHARACTERS = 20;

/** Makes the ids of one reading of a file. */
export class MadeIds {
  readonly #counts = new Map<string, number>();

  /** The id of the next row, such as `made-9f86d081884c7d659a2f-1`; a day is among the values. */
  make(values: readonly string[]): string {
    const plain = values.map((value) => value.normalize('NFC').trim().replace(/\s+/g, ' '));
    const hash = createHash('sha256').update(JSON.stringify(plain)).digest('hex');
    const own = hash.slice(0, HASH_CHARACTERS);
    const occurrence = (this.#counts.get(own) ?? 0) + 1;
    this.#counts.set(own, occurrence);
    return `made-${own}-${occurrence}`;
  }
}
