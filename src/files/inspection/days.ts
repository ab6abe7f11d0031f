/** What the dates of a file show about its rows: their order, and days that cancel out. */

/** The dates of one row, in each format that is still possible. */
export type Days = readonly (string | undefined)[];

/** Whether the oldest date is at the top of a file or at the bottom. */
export class DayOrder {
  #first: Days | undefined;
  #last: Days = [];

  /** The next row. */
  add(days: Days): void {
    if (days.length === 0 || days.includes(undefined)) return;
    this.#first ??= days;
    this.#last = days;
  }

  /** Undefined when the dates do not show it, or the possible formats disagree. */
  get direction(): 'down' | 'up' | undefined {
    const ways = (this.#first ?? []).map((first = '', at) => {
      const last = this.#last[at] ?? first;
      return first === last ? undefined : first < last ? 'down' : 'up';
    });
    const [way] = ways;
    return ways.every((each) => each === way) ? way : undefined;
  }
}

/** The sum of each day. */
export class DaySums {
  readonly #sums = new Map<string, bigint>();
  #rows = 0;

  /** The next row. */
  add(days: Days, movement: bigint): void {
    if (movement === 0n || days.length === 0) return;
    const day = days.join();
    this.#rows += 1;
    this.#sums.set(day, (this.#sums.get(day) ?? 0n) + movement);
  }

  /** Whether every day adds up to 0; a single pair that cancels out is a returned payment. */
  get isDoubleEntry(): boolean {
    return this.#rows > 2 && [...this.#sums.values()].every((sum) => sum === 0n);
  }
}
