/** Whether a column is the running balance of the amounts: it differs by the amounts in between. */

import type { CsvRecord } from '../reading/csv-records.ts';
import { type Millionths, plus } from '../values/exact-sums.ts';

/** A column that is the running balance of another. */
export interface Balance {
  /**
   * Whether a positive value raises (`adds`) or lowers (`takes`) the balance. Undefined when the
   * dates do not show whether the file is in ascending order.
   */
  readonly effect: 'adds' | 'takes' | undefined;
  /** A line that shows it. */
  readonly seen: CsvRecord;
  /** Rows with an amount that the balance does not include, such as what a shop has reserved. */
  readonly idle: readonly CsvRecord[];
}

/** A column that leaves out more rows than these is something else than a balance. */
const MOST_IDLE = 1_000;

/**
 * How a balance can differ from the one above: by the amount in its row, or in the row above. The
 * effects are those in ascending order; in descending order they are the reverse. A balance after
 * each row differs by the amount in that row, a balance before it by the amount above.
 */
const WAYS = [
  { isOwn: true, effect: 'adds' },
  { isOwn: true, effect: 'takes' },
  { isOwn: false, effect: 'adds' },
  { isOwn: false, effect: 'takes' },
] as const;

/** Compares one column with one kind of movement, row by row. */
export class BalanceTrial {
  /** The ways that every step so far fits, and the rows that changed nothing. */
  #ways = WAYS.map(({ isOwn, effect }) => ({ isOwn, effect, idle: [] as CsvRecord[] }));
  /** Whether every step so far has the size of the amount in the row, or in the row above. */
  readonly #isSize = { own: true, above: true };
  #steps = 0;
  readonly #directions = new Set<boolean>();
  /** Since the last balance: the movement of its own row, and of all rows below it. */
  #before:
    | {
        readonly seen: CsvRecord;
        readonly balance: Millionths;
        readonly own: Millionths;
        below: Millionths;
      }
    | undefined;
  #seen: CsvRecord | undefined;

  /** The next row. Without a balance, as in all but one row of a day, its movement is added up. */
  add(movement: Millionths | undefined, balance: Millionths | undefined, seen: CsvRecord): void {
    // Nothing can be proven any more.
    if (this.#ways.length === 0 && !this.#isSize.own && !this.#isSize.above) return;
    const before = this.#before;
    if (balance === undefined || movement === undefined) {
      if (before !== undefined && balance === undefined) {
        before.below = plus(before.below, movement ?? 0);
      }
      return;
    }
    this.#before = { seen, balance, own: movement, below: 0 };
    if (before === undefined) return;
    const own = plus(before.below, movement);
    const above = plus(before.own, before.below);
    if (own === 0 && above === 0) return;
    const step = plus(balance, -before.balance);
    this.#steps += 1;
    this.#seen ??= seen;
    if (step !== 0) this.#directions.add(step > 0);
    for (const way of this.#ways) {
      const { isOwn, effect, idle } = way;
      const moved = isOwn ? own : above;
      if (step === (effect === 'adds' ? moved : -moved)) continue;
      if (step === 0 && before.below === 0 && idle.length < MOST_IDLE) {
        idle.push(isOwn ? seen : before.seen);
      } else this.#ways = this.#ways.filter((each) => each !== way);
    }
    this.#isSize.own &&= step === own || step === -own;
    this.#isSize.above &&= step === above || step === -above;
  }

  /** Proven only if every step fits one way, and all ways that fit have the same effect. */
  decide(direction: 'down' | 'up' | undefined): Balance | undefined {
    const ways = [...this.#ways].sort((one, two) => one.idle.length - two.idle.length);
    const idle = ways[0]?.idle ?? [];
    const best = ways.filter((each) => each.idle.length === idle.length);
    const [effect, other] = new Set(best.map((way) => way.effect));
    const isFew = this.#steps - idle.length < Math.max(2, idle.length);
    const seen = this.#seen;
    if (effect === undefined || seen === undefined || isFew) return undefined;
    if (other !== undefined || direction === undefined) return { effect: undefined, seen, idle };
    const turned = effect === 'adds' ? 'takes' : 'adds';
    return { effect: direction === 'down' ? effect : turned, seen, idle };
  }

  /** A line that shows it, when each step has the size of the amount but no consistent sign. */
  get unsigned(): CsvRecord | undefined {
    const isBoth = this.#directions.size === 2 && this.#ways.length === 0;
    return isBoth && (this.#isSize.own || this.#isSize.above) ? this.#seen : undefined;
  }
}
