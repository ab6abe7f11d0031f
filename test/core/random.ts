/** Repeatable randomness: the same seed gives the same numbers, so a failure can be reproduced. */

/** Numbers, whole numbers, choices and coin tosses from one seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 to just below 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `first` to `last`, both included. */
  whole(first: number, last: number): number {
    return first + Math.floor(this.fraction() * (last - first + 1));
  }

  /** An item of a list, which must not be empty. */
  pick<Value>(values: readonly Value[]): Value {
    const found = values[this.whole(0, values.length - 1)];
    if (found === undefined) throw new Error('the list is empty');
    return found;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.whole(1, times) === 1;
  }
}
