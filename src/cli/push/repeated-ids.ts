/** Finds externalIds that a file contains more than once: only the last row of each counts. */

import { TextNumbers } from '../../rows/text-numbers.ts';

/** How many ids are remembered; in a larger file some repetitions are not found. */
const IDS = 1_000_000;
const SHOWN = 5;

/** Remembers the line of each externalId. */
export class RepeatedIds {
  readonly #lines = new TextNumbers();
  readonly #repeated: string[] = [];
  #count = 0;

  /** An accepted row. */
  add(externalId: string, line: number): void {
    const before = this.#lines.get(externalId);
    if (before !== undefined) {
      this.#count += 1;
      if (this.#repeated.length < SHOWN) {
        this.#repeated.push(`line ${line}: ${externalId} is in line ${before} too`);
      }
    }
    if (before !== undefined || this.#lines.size < IDS) this.#lines.set(externalId, line);
  }

  /** Human-readable lines; empty if every id is unique. */
  describe(): string[] {
    if (this.#count === 0) return [];
    const more = this.#count - this.#repeated.length;
    return [
      ...this.#repeated,
      ...(more > 0 ? [`… and ${more} more`] : []),
      'Rows with the same externalId are one transaction. The last one counts.',
    ];
  }
}
