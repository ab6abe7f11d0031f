/**
 * How the amounts of a file relate to its other columns, gathered in one pass: each part below
 * looks at every row, and answers one question at the end.
 */

import type { CsvRecord } from '../reading/csv-records.ts';
import { readAnyAmount } from '../values/amount-writing.ts';
import { readDigitsOf } from '../values/exact-sums.ts';
import { type Balance, BalanceTrial } from './balances.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import { DayOrder, DaySums, type Days } from './days.ts';
import { type Facts, forEachRow } from './facts.ts';
import { forEach } from './pace.ts';
import { countSign, type SignCount } from './seen-rows.ts';
import type { Separators } from './separators.ts';

/** What was found. */
export interface Relations {
  /** Whether a column is the balance of one amount, or of money in (the second) less money out. */
  balanceOf(amounts: Columns, balance: ColumnFacts): Balance | undefined;
  /** A line that shows a balance rising and falling by amounts without a sign. */
  unsignedOf(amount: ColumnFacts, balance: ColumnFacts): CsvRecord | undefined;
  /** The same relations when words show the sign of the first amount. */
  withCredit(credit: CreditReader): Promise<Relations>;
  /** Whether the amounts of every day add up to 0, as in a journal with both sides. */
  readonly isDoubleEntry: boolean;
  /** Rows in which both of two columns have an amount other than 0. */
  readonly bothCount: number;
  /** Columns of numbers other than the amounts: one can be a balance. */
  readonly others: Columns;
  /** Those with the same amount on every row, whatever its sign. */
  readonly same: ReadonlySet<ColumnFacts>;
  /** Those that have the same amount or none, such as columns of spending categories. */
  readonly again: ReadonlySet<ColumnFacts>;
  /** The counts and sums of each amount column. */
  readonly sums: ReadonlyMap<ColumnFacts, SignCount>;
  /** For the first amount column: counts for each value of the columns with few values. */
  readonly words: ReadonlyMap<ColumnFacts, ReadonlyMap<string, SignCount>>;
}

/** 1 for a credit, -1 for a debit, 0 if words do not show it. */
export type CreditReader = (fields: readonly string[]) => -1 | 0 | 1;

/** How the cells of a record are read. */
export interface CellReader {
  readonly separators: Separators;
  readonly days: (fields: readonly string[]) => Days;
  /** Without it, amounts have the signs of their cells. */
  readonly credit?: CreditReader;
}

/** Reads the whole file again. `amounts` is one column, two, or several candidates. */
export async function relate(facts: Facts, amounts: Columns, read: CellReader): Promise<Relations> {
  const numeric = facts.columns.filter(({ numbers }) => numbers.isNumeric);
  const others = new Map(numeric.map((column) => [column, new Beside(column, amounts)]));
  const besides = [...others.values()];
  const words = listWords(facts.columns, amounts);
  const sums = new Map<ColumnFacts, SignCount>();
  const order = new DayOrder();
  const days = new DaySums();
  let bothCount = 0;
  const numberOf = (fields: readonly string[], { index }: ColumnFacts) => {
    const value = readAnyAmount((fields[index] ?? '').trim(), read.separators);
    return value === undefined ? undefined : readDigitsOf(value);
  };
  const counters = [
    ...besides.map((each) => (row: AmountRow) => {
      const at = amounts.indexOf(each.column);
      each.add(at < 0 ? numberOf(row.seen.fields, each.column) : row.amounts[at], row);
    }),
    ...words.map(([{ index }, counts]) => ({ seen, amounts: [value = 0n] }: AmountRow) => {
      countSign(counts, (seen.fields[index] ?? '').trim(), { value, seen });
    }),
  ];
  await forEachRow(facts, (seen) => {
    const { fields } = seen;
    const own = amounts.map((column) => numberOf(fields, column));
    const sign = read.credit?.(fields) ?? 1;
    const row = { seen, amounts: own, movement: movementOf(own), sign };
    const [first = 0n, second = 0n] = own;
    if (amounts.length === 2 && first !== 0n && second !== 0n) bothCount += 1;
    const written = read.days(fields);
    order.add(written);
    days.add(written, sign < 0 ? -(row.movement ?? 0n) : (row.movement ?? 0n));
    for (const [at, column] of amounts.entries()) {
      countSign(sums, column, { value: own[at] ?? 0n, seen });
    }
    return forEach(counters, (count) => count(row));
  });
  const beside = besides.filter(({ column }) => !amounts.includes(column));
  const listOf = (some: readonly Beside[]) => some.map(({ column }) => column);
  return {
    balanceOf: (some, balance) => {
      const found = others.get(balance)?.trialOf(some)?.decide(order.direction);
      return found?.idle.length === 0 || findIdle(facts, found) ? found : undefined;
    },
    unsignedOf: (amount, balance) => others.get(balance)?.trialOf([amount])?.unsigned,
    withCredit: (credit) => relate(facts, amounts.slice(0, 1), { ...read, credit }),
    isDoubleEntry: days.isDoubleEntry,
    bothCount,
    others: listOf(beside),
    same: new Set(listOf(beside.filter(({ isSame }) => isSame))),
    again: new Set(listOf(beside.filter(({ isAgain }) => isAgain))),
    sums,
    words: new Map(words),
  };
}

/** A column whose words tell all rows that a balance does not include from those that it does. */
export function findIdle({ columns }: Pick<Facts, 'columns'>, balance: Balance | undefined) {
  const found = columns.flatMap((column) => {
    const { index, values } = column;
    const counts = new Map<string, number>();
    for (const { fields } of balance?.idle ?? []) {
      const word = (fields[index] ?? '').trim();
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const isOnly = [...counts].every(([word, count]) => values?.get(word)?.count === count);
    return isOnly && counts.size > 0 ? [{ column, words: [...counts.keys()] }] : [];
  });
  // The fewest words are those of a kind or a status, not of a description.
  const sizeOf = ({ column, words }: (typeof found)[number]) =>
    words.length * 100 + (column.values?.size ?? 0);
  return found.sort((one, other) => sizeOf(one) - sizeOf(other))[0];
}

/** The columns of words that may go with a sign, with nothing counted yet. */
function listWords(columns: Columns, amounts: Columns) {
  return columns.flatMap((column): [ColumnFacts, Map<string, SignCount>][] => {
    const { values, letters } = column;
    const isWords = values !== undefined && letters > 0 && !amounts.includes(column);
    return isWords || values?.has('-') === true ? [[column, new Map()]] : [];
  });
}

/** What a row has in its amount columns. */
interface AmountRow {
  readonly seen: CsvRecord;
  /** The number in each amount column, in millionths. */
  readonly amounts: readonly (bigint | undefined)[];
  readonly movement: bigint | undefined;
  /** The sign that words give to the movement. */
  readonly sign: -1 | 0 | 1;
}

/** One column, or the second less the first: money in less money out. */
function movementOf(amounts: AmountRow['amounts']): bigint | undefined {
  const [first, second] = amounts;
  if (amounts.length !== 2) return first;
  return first === undefined && second === undefined ? undefined : (second ?? 0n) - (first ?? 0n);
}

/** A column of numbers beside the amounts, or one of several candidates. */
class Beside {
  readonly column: ColumnFacts;
  isSame = true;
  isAgain = true;
  /** A trial for each amount, in their order, and one for the movement of two. */
  readonly #trials: ReadonlyMap<ColumnFacts | undefined, BalanceTrial>;
  readonly #ofBoth = new BalanceTrial();

  constructor(column: ColumnFacts, amounts: Columns) {
    this.column = column;
    this.#trials = new Map(amounts.map((amount) => [amount, new BalanceTrial()]));
  }

  trialOf([amount, second]: Columns): BalanceTrial | undefined {
    return second === undefined ? this.#trials.get(amount) : this.#ofBoth;
  }

  add(number: bigint | undefined, { seen, amounts, movement, sign }: AmountRow): void {
    const [own, moved] = [number ?? 0n, movement ?? 0n];
    if (own !== moved && own !== -moved) {
      this.isSame = false;
      if (own !== 0n) this.isAgain = false;
    }
    for (const [at, trial] of [...this.#trials.values()].entries()) {
      const amount = sign === 0 ? undefined : amounts[at];
      trial.add(amount !== undefined && sign < 0 ? -amount : amount, number, seen);
    }
    if (amounts.length === 2) this.#ofBoth.add(movement, number, seen);
  }
}
