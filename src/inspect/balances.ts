/** Whether a column is the running balance of the amounts: each balance differs by one amount. */

import type { CsvRecord } from '../rows/csv-records.ts';

/** A column that is the running balance of another. */
export interface Balance {
  /**
   * Whether a positive value raises (`adds`) or lowers (`takes`) the balance. Undefined when the
   * dates do not show whether the file is in ascending order.
   */
  readonly effect: 'adds' | 'takes' | undefined;
  /** A line that shows it. */
  readonly seen: CsvRecord;
}

/** How a balance can differ from the one above: by the amount in its row, or in the row above. */
type Way = 'own' | 'less own' | 'above' | 'less above';

/**
 * The effect of each way in ascending order; in descending order it is the reverse. A balance after
 * each row differs by the amount in that row, a balance before it by the amount above.
 */
const EFFECTS: Readonly<Record<Way, 'adds' | 'takes'>> = {
  own: 'adds',
  'less own': 'takes',
  above: 'adds',
  'less above': 'takes',
};
const WAYS = Object.keys(EFFECTS) as Way[];

/** Compares one column with one kind of movement, row by row. */
export class BalanceTrial {
  readonly #fits: Record<Way, number> = { own: 0, 'less own': 0, above: 0, 'less above': 0 };
  #steps = 0;
  /** Steps of the size of the amount in the row, and in the row above. */
  readonly #sizes = { own: 0, above: 0 };
  readonly #directions = new Set<boolean>();
  #before: { movement: bigint; balance: bigint } | undefined;
  #seen: CsvRecord | undefined;

  /** The next row; a row without both is ignored. */
  add(movement: bigint | undefined, balance: bigint | undefined, seen: CsvRecord): void {
    if (movement === undefined || balance === undefined) return;
    const before = this.#before;
    this.#before = { movement, balance };
    if (before === undefined) return;
    const step = balance - before.balance;
    if (movement === 0n && before.movement === 0n) return;
    this.#steps += 1;
    this.#seen ??= seen;
    if (step !== 0n) this.#directions.add(step > 0n);
    const fits = {
      own: step === movement,
      'less own': step === -movement,
      above: step === before.movement,
      'less above': step === -before.movement,
    };
    for (const way of WAYS) if (fits[way]) this.#fits[way] += 1;
    if (fits.own || fits['less own']) this.#sizes.own += 1;
    if (fits.above || fits['less above']) this.#sizes.above += 1;
  }

  /** Proven only if every step fits one way, and all ways that fit have the same effect. */
  decide(direction: 'down' | 'up' | undefined): Balance | undefined {
    if (this.#steps < 2 || this.#seen === undefined) return undefined;
    const effects = new Set(this.#fitting().map((way) => EFFECTS[way]));
    const [effect] = effects;
    if (effect === undefined) return undefined;
    if (effects.size > 1 || direction === undefined) return { effect: undefined, seen: this.#seen };
    const turned = effect === 'adds' ? 'takes' : 'adds';
    return { effect: direction === 'down' ? effect : turned, seen: this.#seen };
  }

  /** A line that shows it, when each step has the size of the amount but no consistent sign. */
  get unsigned(): CsvRecord | undefined {
    const { own, above } = this.#sizes;
    const isBoth = this.#directions.size === 2 && this.#steps > 1;
    if (!isBoth || Math.max(own, above) < this.#steps) return undefined;
    return this.#fitting().length > 0 ? undefined : this.#seen;
  }

  /** The ways that every step fits. */
  #fitting(): Way[] {
    return WAYS.filter((way) => this.#fits[way] === this.#steps);
  }
}
