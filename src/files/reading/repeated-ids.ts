/** Finds externalIds that a file contains more than once: only the last row of each counts. */

import { TextNumbers } from './text-numbers.ts';

/** How many ids are remembered; in a larger file some repetitions are not found. */
const IDS = 1_000_000;

/** Remembers the line of each externalId, as surely as TextNumbers does. */
export class RepeatedIds {
  readonly #lines = new TextNumbers();

  /** Adds an accepted row. Returns the line of the one before it that has the same id, if any. */
  add(externalId: string, line: number): number | undefined {
    if (this.#lines.size < IDS) return this.#lines.set(externalId, line);
    const before = this.#lines.get(externalId);
    if (before !== undefined) this.#lines.set(externalId, line);
    return before;
  }

  /** Whether no row after this line has the id, as far as ids are remembered. */
  isLast(externalId: string, line: number): boolean {
    return (this.#lines.get(externalId) ?? line) === line;
  }
}
