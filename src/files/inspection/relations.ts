/**
 * How the amounts of a file relate to its other columns, gathered in one pass: each part below
 * looks at every row, and answers one question at the end.
 */

import type { CsvRecord } from '../reading/csv-records.ts';
import { readAnyAmount } from '../values/amount-writing.ts';
import { readDigitsOf } from '../values/exact-sums.ts';
import { type Balance, BalanceTrial } from './balances.ts';
import { type ColumnFacts, type Columns, DISTINCT_VALUES } from './column-facts.ts';
import { DayOrder, DaySums, type Days } from './days.ts';
import type { Collector, Facts } from './facts.ts';
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
export interface CreditReader {
  (fields: readonly string[]): -1 | 0 | 1;
  /** The same for readers that read the same. */
  readonly key: string;
}

/** How the cells of a record are read. */
export interface CellReader {
  readonly separators: Separators;
  readonly days: (fields: readonly string[]) => Days;
  /** Without it, amounts have the signs of their cells. */
  readonly credit?: CreditReader;
  /** The same for readers that read the same. */
  readonly key: string;
}

/** Collects them from all rows. `amounts` is one column, two, or several candidates. */
export function relate(facts: Facts, amounts: Columns, read: CellReader): Promise<Relations> {
  const numeric = facts.columns.filter(({ numbers }) => numbers.isNumeric);
  const indexes = [amounts, numeric].map((all) => all.map(({ index }) => index));
  const key = JSON.stringify(['relations', indexes, read.separators, read.key]);
  return facts.collect(key, () => new Related(facts, [amounts, numeric], read));
}

/** A list of words is not longer, with the empty one. */
const WORDS = DISTINCT_VALUES + 1;

class Related implements Relations, Collector {
  readonly sums = new Map<ColumnFacts, SignCount>();
  bothCount = 0;
  readonly #facts: Facts;
  readonly #amounts: Columns;
  readonly #read: CellReader;
  readonly #order = new DayOrder();
  readonly #days = new DaySums();
  readonly #beside: ReadonlyMap<ColumnFacts, Beside>;
  /** Of the columns that had only a few words at first. */
  readonly #words: ReadonlyMap<ColumnFacts, Map<string, SignCount>>;
  readonly #counters: readonly ((row: AmountRow) => void)[];

  constructor(facts: Facts, [amounts, numeric]: readonly [Columns, Columns], read: CellReader) {
    this.#facts = facts;
    this.#amounts = amounts;
    this.#read = read;
    this.#beside = new Map(numeric.map((column) => [column, new Beside(column, amounts)]));
    const worded = facts.columns.filter(({ values }) => values !== undefined);
    this.#words = new Map(worded.map((column) => [column, new Map()]));
    this.#counters = [
      ...[...this.#beside.values()].map((beside) => (row: AmountRow) => {
        const at = amounts.indexOf(beside.column);
        const own = at < 0 ? this.#numberIn(row.seen.fields, beside.column) : row.amounts[at];
        beside.add(own, row);
      }),
      ...[...this.#words].map(
        ([{ index }, counts]) =>
          ({ seen, amounts: [value = 0n] }: AmountRow) => {
            if (counts.size <= WORDS)
              countSign(counts, (seen.fields[index] ?? '').trim(), { value, seen });
          },
      ),
    ];
  }

  add(seen: CsvRecord, isRow: boolean): Promise<void> | undefined {
    if (!isRow) return undefined;
    const { fields } = seen;
    const own = this.#amounts.map((column) => this.#numberIn(fields, column));
    const sign = this.#read.credit?.(fields) ?? 1;
    const row = { seen, amounts: own, movement: movementOf(own), sign };
    const [first = 0n, second = 0n] = own;
    if (own.length === 2 && first !== 0n && second !== 0n) this.bothCount += 1;
    const written = this.#read.days(fields);
    this.#order.add(written);
    this.#days.add(written, sign < 0 ? -(row.movement ?? 0n) : (row.movement ?? 0n));
    for (const [at, column] of this.#amounts.entries()) {
      countSign(this.sums, column, { value: own[at] ?? 0n, seen });
    }
    return forEach(this.#counters, (count) => count(row));
  }

  #numberIn(fields: readonly string[], { index }: ColumnFacts): bigint | undefined {
    const value = readAnyAmount((fields[index] ?? '').trim(), this.#read.separators);
    return value === undefined ? undefined : readDigitsOf(value);
  }

  balanceOf(some: Columns, balance: ColumnFacts): Balance | undefined {
    const trial = this.#beside.get(balance)?.trialOf(some);
    const found = trial?.decide(this.#order.direction);
    return found?.idle.length === 0 || findIdle(this.#facts, found) ? found : undefined;
  }

  unsignedOf(amount: ColumnFacts, balance: ColumnFacts): CsvRecord | undefined {
    return this.#beside.get(balance)?.trialOf([amount])?.unsigned;
  }

  withCredit(credit: CreditReader): Promise<Relations> {
    const { key } = this.#read;
    const read = { ...this.#read, credit, key: `${key} ${credit.key}` };
    return relate(this.#facts, this.#amounts.slice(0, 1), read);
  }

  get isDoubleEntry(): boolean {
    return this.#days.isDoubleEntry;
  }

  get others(): Columns {
    return this.#listOthers(() => true);
  }

  get same(): ReadonlySet<ColumnFacts> {
    return new Set(this.#listOthers(({ isSame }) => isSame));
  }

  get again(): ReadonlySet<ColumnFacts> {
    return new Set(this.#listOthers(({ isAgain }) => isAgain));
  }

  #listOthers(isWanted: (beside: Beside) => boolean): ColumnFacts[] {
    return [...this.#beside].flatMap(([column, beside]) => {
      return !this.#amounts.includes(column) && isWanted(beside) ? [column] : [];
    });
  }

  get words(): ReadonlyMap<ColumnFacts, ReadonlyMap<string, SignCount>> {
    const own = [...this.#words].filter(([column]) => {
      const { values, letters } = column;
      const isWords = values !== undefined && letters > 0 && !this.#amounts.includes(column);
      return isWords || values?.has('-') === true;
    });
    return new Map(own);
  }
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
  readonly #amounts: Columns;
  readonly #trials: readonly BalanceTrial[];
  readonly #ofBoth = new BalanceTrial();

  constructor(column: ColumnFacts, amounts: Columns) {
    this.column = column;
    this.#amounts = amounts;
    this.#trials = amounts.map(() => new BalanceTrial());
  }

  trialOf([amount, second]: Columns): BalanceTrial | undefined {
    if (second !== undefined) return this.#ofBoth;
    return amount && this.#trials[this.#amounts.indexOf(amount)];
  }

  add(number: bigint | undefined, { seen, amounts, movement, sign }: AmountRow): void {
    const [own, moved] = [number ?? 0n, movement ?? 0n];
    if (own !== moved && own !== -moved) {
      this.isSame = false;
      if (own !== 0n) this.isAgain = false;
    }
    for (const [at, trial] of this.#trials.entries()) {
      const amount = sign === 0 ? undefined : amounts[at];
      trial.add(amount !== undefined && sign < 0 ? -amount : amount, number, seen);
    }
    if (amounts.length === 2) this.#ofBoth.add(movement, number, seen);
  }
}
