/**
 * How the amounts of a file relate to its other columns: whether a column is their running balance,
 * whether two are ever both filled, and which words appear with which sign.
 */

import { count } from '../core/counts.ts';
import { readWrittenAmount } from '../rows/amount-writing.ts';
import { readDecimal } from '../rows/decimals.ts';
import { readDigitsOf, showSum } from '../rows/exact-sums.ts';
import type { Signs } from './decimals.ts';
import { type Facts, listRows } from './facts.ts';

/** A row worth showing. */
export interface SeenRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/** The line, nearly as it is in the file. */
export function textOf(seen: SeenRow | undefined, { cut }: Pick<Facts, 'cut'>): string {
  return seen?.fields.join(cut.delimiter) ?? '';
}

/** A column that is the running balance of another. */
export interface Balance {
  /**
   * Whether a positive value raises (`adds`) or lowers (`takes`) the balance. Undefined when the
   * dates do not show whether the file is in ascending order.
   */
  readonly effect: 'adds' | 'takes' | undefined;
  /** A line that shows it. */
  readonly seen: SeenRow;
}

/** How many amounts of each sign a column has, or appear with a word, and their sums. */
export interface SignCount {
  negatives: number;
  positives: number;
  negativeSum: bigint;
  positiveSum: bigint;
  readonly first: SeenRow;
}

/** What was found. */
export interface Relations {
  /** By `amount,balance`: columns, or `first-second` for money in less money out. */
  balanceOf(amount: readonly number[], balance: number): Balance | undefined;
  /** The same for the amounts with the sign of `CellReader.credit`. */
  creditOf(balance: number): Balance | undefined;
  /** A line that shows a balance rising and falling by amounts without a sign. */
  unsignedOf(amount: number, balance: number): SeenRow | undefined;
  /** Whether the amounts of every day add up to 0, as in a journal with both sides. */
  readonly isDoubleEntry: boolean;
  /** Rows in which both of two columns have an amount other than 0. */
  readonly bothCount: number;
  /** Columns of numbers other than the amounts: one can be a balance. */
  readonly others: readonly number[];
  /** Those with the same amount on every row, whatever its sign. */
  readonly same: ReadonlySet<number>;
  /** Those that have the same amount or none, such as columns of spending categories. */
  readonly again: ReadonlySet<number>;
  /** The counts and sums of each amount column. */
  readonly sums: ReadonlyMap<number, SignCount>;
  /** For the first amount column: counts for each value of the columns with few values. */
  readonly words: ReadonlyMap<number, ReadonlyMap<string, SignCount>>;
}

/** The number in a cell, in millionths; undefined if there is none. */
export type NumberReader = (text: string) => bigint | undefined;

/** Reads numbers in every form, once the decimal separator is known. */
export function numberReader({ decimal, thousands }: Signs): NumberReader {
  return (text) => {
    const own = text.trim();
    if (own === '') return undefined;
    if (/^-?[\d.,]+$/.test(own)) {
      const plain = readDecimal(own, { decimal, thousands });
      return 'value' in plain ? readDigitsOf(plain.value) : undefined;
    }
    for (const currency of [undefined, currencyOf(own)]) {
      const read = readWrittenAmount(own, {
        decimal,
        thousands,
        negative: ['trailing minus', 'brackets'],
        currency,
      });
      if ('value' in read) return readDigitsOf(read.value);
    }
    return undefined;
  };
}

function currencyOf(text: string): string | undefined {
  return /[^\d\s.,'\u2019()+\-\u2212\u2013]+\.?/u.exec(text)?.[0];
}

/** How the cells of a record are read. */
export interface CellReader {
  readonly number: NumberReader;
  /** The date of a record, in each format that is still possible. */
  readonly days: (fields: readonly string[]) => readonly (string | undefined)[];
  /** 1 for a credit, -1 for a debit, 0 if words do not show it. */
  readonly credit?: (fields: readonly string[]) => -1 | 0 | 1;
}

/** Reads the whole file again. `amounts` is one column, two, or several candidates. */
export async function relate(
  facts: Facts,
  amounts: readonly number[],
  read: CellReader,
): Promise<Relations> {
  const numeric = facts.columns
    .filter(({ numbers }) => numbers.isNumeric)
    .map(({ index }) => index);
  const trials = startTrials(numeric, amounts);
  const words = new Map<number, Map<string, SignCount>>();
  for (const { values, letters, index } of facts.columns) {
    const isWords = values !== undefined && letters > 0 && !amounts.includes(index);
    if (isWords || values?.has('-') === true) words.set(index, new Map());
  }
  let bothCount = 0;
  const sums = new Map<number, SignCount>();
  const same = new Set(numeric.filter((index) => !amounts.includes(index)));
  const again = new Set(same);
  const order = new DayOrder();
  const days = new DaySums();
  for await (const { line, fields } of listRows(facts)) {
    const numbers = new Map<number, bigint | undefined>();
    for (const index of [...numeric, ...amounts]) {
      if (!numbers.has(index)) numbers.set(index, read.number(fields[index] ?? ''));
    }
    const written = read.days(fields);
    order.add(written);
    const [first, second] = amounts.map((index) => numbers.get(index));
    const seen = { line, fields };
    if (amounts.length === 2 && first && second) bothCount += 1;
    for (const { amount, balance, trial } of trials.values()) {
      const sign = amount === CREDIT ? (read.credit?.(fields) ?? 0) : 1;
      const movement = movementOf(amount === CREDIT ? amounts.slice(0, 1) : amount, numbers);
      trial.add(sign === 0 ? undefined : multiply(movement, sign), numbers.get(balance), seen);
    }
    const movement = movementOf(amounts, numbers) ?? 0n;
    days.add(written, read.credit?.(fields) === -1 ? -movement : movement);
    for (const index of same) {
      const other = numbers.get(index) ?? 0n;
      if (other !== movement && other !== -movement) same.delete(index);
    }
    for (const index of again) {
      const other = numbers.get(index) ?? 0n;
      if (other !== 0n && other !== movement && other !== -movement) again.delete(index);
    }
    for (const index of amounts) countSign(sums, index, { value: numbers.get(index) ?? 0n, seen });
    for (const [index, counts] of words) {
      countSign(counts, (fields[index] ?? '').trim(), { value: first ?? 0n, seen });
    }
  }
  const decide = (key: string) => trials.get(key)?.trial.decide(order.direction);
  return {
    balanceOf: (amount, balance) => decide(`${amount.join('-')},${balance}`),
    creditOf: (balance) => decide(`${CREDIT},${balance}`),
    unsignedOf: (amount, balance) => trials.get(`${amount},${balance}`)?.trial.unsigned,
    isDoubleEntry: days.isDoubleEntry,
    bothCount,
    others: numeric.filter((index) => !amounts.includes(index)),
    same,
    again,
    sums,
    words,
  };
}

const CREDIT = 'credit';

interface Trial {
  /** One column; two, of which the second raises the balance; or the first with words as sign. */
  readonly amount: readonly number[] | typeof CREDIT;
  readonly balance: number;
  readonly trial: BalanceTrial;
}

function startTrials(numeric: readonly number[], amounts: readonly number[]): Map<string, Trial> {
  const trials = new Map<string, Trial>();
  const start = (amount: Trial['amount'], balance: number) => {
    const key = amount === CREDIT ? CREDIT : amount.join('-');
    trials.set(`${key},${balance}`, { amount, balance, trial: new BalanceTrial() });
  };
  for (const balance of numeric) {
    for (const amount of amounts) if (amount !== balance) start([amount], balance);
    if (amounts.includes(balance)) continue;
    if (amounts.length === 2) start(amounts, balance);
    start(CREDIT, balance);
  }
  return trials;
}

function multiply(movement: bigint | undefined, sign: number): bigint | undefined {
  return movement === undefined || sign > 0 ? movement : -movement;
}

/** The number of one column, or the second minus the first: money in minus money out. */
function movementOf(
  amount: readonly number[],
  numbers: ReadonlyMap<number, bigint | undefined>,
): bigint | undefined {
  const [first = 0, second] = amount;
  const own = numbers.get(first);
  if (second === undefined) return own;
  const other = numbers.get(second);
  return own === undefined && other === undefined ? undefined : (other ?? 0n) - (own ?? 0n);
}

function countSign<Key>(
  counts: Map<Key, SignCount>,
  key: Key,
  { value, seen }: { value: bigint; seen: SeenRow },
): void {
  const none = { negatives: 0, positives: 0, negativeSum: 0n, positiveSum: 0n, first: seen };
  const own = counts.get(key) ?? none;
  counts.set(key, own);
  if (value < 0n) {
    own.negatives += 1;
    own.negativeSum += value;
  } else if (value > 0n) {
    own.positives += 1;
    own.positiveSum += value;
  }
}

/** `41 rows, 3,210.00 in total`. */
export function showAmounts(rows: number, sum: bigint): string {
  return `${count(rows, 'row')}, ${showSum(sum < 0n ? -sum : sum)} in total`;
}

/** Whether the oldest date is at the top of a file or at the bottom. */
class DayOrder {
  #first: readonly (string | undefined)[] | undefined;
  #last: readonly (string | undefined)[] = [];

  add(days: readonly (string | undefined)[]): void {
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
class DaySums {
  readonly #sums = new Map<string, bigint>();
  #rows = 0;

  add(days: readonly (string | undefined)[], movement: bigint): void {
    if (movement === 0n || days.length === 0) return;
    const day = days.join();
    this.#rows += 1;
    this.#sums.set(day, (this.#sums.get(day) ?? 0n) + movement);
  }

  /** A single pair that cancels out is a returned payment. */
  get isDoubleEntry(): boolean {
    return this.#rows > 2 && [...this.#sums.values()].every((sum) => sum === 0n);
  }
}

/** How a balance can differ from the one above: by the amount in its row, or in the row above. */
type Way = 'own' | 'less own' | 'above' | 'less above';
const WAYS: readonly Way[] = ['own', 'less own', 'above', 'less above'];

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

/** Whether a column is the running balance of another. */
class BalanceTrial {
  readonly #fits = new Map<Way, number>(WAYS.map((way) => [way, 0]));
  #steps = 0;
  /** Steps of the size of the amount in the row, and in the row above. */
  readonly #sizes = { own: 0, above: 0 };
  readonly #directions = new Set<boolean>();
  #before: { movement: bigint; balance: bigint } | undefined;
  #seen: SeenRow | undefined;

  add(movement: bigint | undefined, balance: bigint | undefined, seen: SeenRow): void {
    if (movement === undefined || balance === undefined) return;
    const before = this.#before;
    this.#before = { movement, balance };
    if (before === undefined) return;
    const step = balance - before.balance;
    if (movement === 0n && before.movement === 0n) return;
    this.#steps += 1;
    this.#seen ??= seen;
    if (step === movement || step === -movement) this.#sizes.own += 1;
    if (step === before.movement || step === -before.movement) this.#sizes.above += 1;
    if (step !== 0n) this.#directions.add(step > 0n);
    this.#fit('own', step === movement);
    this.#fit('less own', step === -movement);
    this.#fit('above', step === before.movement);
    this.#fit('less above', step === -before.movement);
  }

  /** Proven only if every step fits one way, and all ways that fit have the same effect. */
  decide(direction: 'down' | 'up' | undefined): Balance | undefined {
    if (this.#steps < 2 || this.#seen === undefined) return undefined;
    const fitting = WAYS.filter((way) => this.#fits.get(way) === this.#steps);
    const effects = new Set(fitting.map((way) => EFFECTS[way]));
    const [effect] = effects;
    if (effect === undefined) return undefined;
    if (effects.size > 1 || direction === undefined) return { effect: undefined, seen: this.#seen };
    const turned = effect === 'adds' ? 'takes' : 'adds';
    return { effect: direction === 'down' ? effect : turned, seen: this.#seen };
  }

  /** A line that shows it, when each step has the size of the amount but no consistent sign. */
  get unsigned(): SeenRow | undefined {
    const { own, above } = this.#sizes;
    const isBoth = this.#directions.size === 2 && this.#steps > 1;
    if (!isBoth || Math.max(own, above) < this.#steps) return undefined;
    return WAYS.some((way) => this.#fits.get(way) === this.#steps) ? undefined : this.#seen;
  }

  #fit(way: Way, fits: boolean): void {
    if (fits) this.#fits.set(way, (this.#fits.get(way) ?? 0) + 1);
  }
}
