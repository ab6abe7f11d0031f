/**
 * How the amounts of a file relate to its other columns, gathered in one pass: each part below
 * looks at every row, and answers one question at the end.
 */

import { remembered } from '../../core/remembered.ts';
import { forEach } from '../pace.ts';
import type { CsvRecord } from '../reading/csv-records.ts';
import { readAnyAmount } from '../values/amount-writing.ts';
import type { DateFormat } from '../values/date-formats.ts';
import { type Millionths, millionthsOf, plus } from '../values/exact-sums.ts';
import { isOwed } from '../vocabulary/files.ts';
import type { Separators } from './amount-cells.ts';
import { type Balance, BalanceTrial } from './balances.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Collector, Facts } from './facts.ts';
import { type Finding, type Proof, proof } from './found.ts';
import { SignCount } from './sign-count.ts';

/** 1 for a credit, -1 for a debit, 0 if words do not show it. */
interface CreditReader {
  (fields: readonly string[]): -1 | 0 | 1;
  /** Equal keys mean that two readers read alike. */
  readonly key: string;
}

/** What is known when columns are related: how to read amounts, perhaps where the dates are. */
export interface Relatable {
  readonly facts: Facts;
  readonly decimal: Finding<Separators>;
  readonly date?: Finding<ColumnFacts> | undefined;
  readonly dateFormat?: Finding<DateFormat> | undefined;
}

/** How the cells of a record are read. */
interface CellReader {
  readonly separators: Separators;
  readonly days: (fields: readonly string[]) => Days;
  /** Without it, amounts have the signs of their cells. */
  readonly credit?: CreditReader;
  /** Equal keys mean that two readers read alike. */
  readonly key: string;
}

/** Collects them from all rows. `amounts` is one column, two, or several candidates. */
export function relate(known: Relatable, amounts: Columns): Promise<Relations> {
  return collect(known.facts, amounts, readerOf(known));
}

/** Reads a record's numbers and its date, only to see whether dates ascend: any column will do. */
function readerOf({ facts, decimal, date, dateFormat }: Relatable): CellReader {
  const separators = decimal.value;
  const column = date?.value ?? facts.columns.find((each) => each.hasDates());
  if (column === undefined) return { separators, days: () => [], key: '' };
  const candidates = column.dates.listCandidates().filter(({ readable }) => readable > 0);
  const formats = dateFormat ? [dateFormat.value] : candidates.map((each) => each.format);
  const daysOf = remembered((text) => formats.map((format) => format.read(text)));
  const days: CellReader['days'] = (fields) => daysOf(column.cellOf(fields));
  return { separators, days, key: [column.index, ...formats.map(({ text }) => text)].join() };
}

function collect(facts: Facts, amounts: Columns, read: CellReader): Promise<Relations> {
  const numeric = facts.columns.filter(({ numbers }) => numbers.isNumeric);
  const indexes = [amounts, numeric].map((all) => all.map(({ index }) => index));
  const what = ['relations', indexes, read.separators, read.key];
  return facts.collect(what, () => new Relations(facts, [amounts, numeric], read));
}

/** Whether positive amounts raise or lower a balance. */
type Effect = NonNullable<Balance['effect']>;

/** How amounts relate to the other columns. */
export class Relations implements Collector {
  /** The counts and sums of each amount column. */
  readonly sums = new Map<ColumnFacts, SignCount>();
  /** Rows in which both of two columns have an amount other than 0. */
  bothCount = 0;
  readonly #facts: Facts;
  readonly #amounts: Columns;
  readonly #read: CellReader;
  readonly #order = new DayOrder();
  readonly #days = new DaySums();
  readonly #beside: ReadonlyMap<ColumnFacts, Beside>;
  /** Of the columns that had only a few words at first. */
  readonly #words: ReadonlyMap<ColumnFacts, Map<string, SignCount>>;
  readonly #counters: readonly { add(row: AmountRow): void }[];
  /** The amounts of the row that is added: a list for each would be of the kind of its numbers. */
  readonly #own: (Millionths | undefined)[];

  constructor(facts: Facts, [amounts, numeric]: readonly [Columns, Columns], read: CellReader) {
    this.#facts = facts;
    this.#amounts = amounts;
    this.#read = read;
    const { separators } = read;
    const isAlone = amounts.length === 1;
    const compared = numeric.filter((column) => !(isAlone && amounts.includes(column)));
    this.#beside = new Map(
      compared.map((column) => [column, new Beside(column, amounts, separators)]),
    );
    const worded = facts.columns.filter(({ values }) => values !== undefined);
    this.#words = new Map(worded.map((column) => [column, new Map()]));
    const words = [...this.#words].map(([column, counts]) => ({
      add({ seen, amounts: [value = 0] }: AmountRow): void {
        if (column.values === undefined) return;
        countSign(counts, column.cellOf(seen.fields), value, seen);
      },
    }));
    this.#counters = [...this.#beside.values(), ...words];
    this.#own = amounts.map(() => undefined);
  }

  add(seen: CsvRecord, isRow: boolean): Promise<void> | undefined {
    if (!isRow) return undefined;
    const { fields } = seen;
    const own = this.#own;
    for (let at = 0; at < own.length; at += 1) {
      own[at] = numberIn(fields, this.#amounts[at] as ColumnFacts, this.#read.separators);
    }
    const sign = this.#read.credit?.(fields) ?? 1;
    const row = { seen, amounts: own, movement: movementOf(own), sign };
    if (own.length === 2 && own.every((amount) => (amount ?? 0) !== 0)) this.bothCount += 1;
    const written = this.#read.days(fields);
    this.#order.add(written);
    this.#days.add(written, sign < 0 ? -(row.movement ?? 0) : (row.movement ?? 0));
    for (let at = 0; at < own.length; at += 1) {
      countSign(this.sums, this.#amounts[at] as ColumnFacts, own[at] ?? 0, seen);
    }
    return forEach(this.#counters, (each) => each.add(row));
  }

  /** Whether a column is the balance of one amount, or of money in (the second) less money out. */
  balanceOf(some: Columns, balance: ColumnFacts): Balance | undefined {
    const trial = this.#beside.get(balance)?.trialOf(some);
    const found = trial?.decide(this.#order.direction);
    return found?.idle.length === 0 || findIdle(this.#facts, found) ? found : undefined;
  }

  /** The words of the rows that the first balance with such rows leaves out. */
  idleOf(columns: Columns): ReturnType<typeof findIdle> {
    for (const each of this.others) {
      const idle = findIdle(this.#facts, this.balanceOf(columns, each));
      if (idle !== undefined) return idle;
    }
    return undefined;
  }

  /** Whether positive amounts raise or lower the balance of an account, which is not of a debt. */
  effectOf(columns: Columns): { readonly title: string; readonly effect: Effect } | undefined {
    const isDebt = this.#facts.statement?.isCard ?? isOwed(this.#facts.columns);
    return isDebt ? undefined : this.#listEffects(columns)[0];
  }

  /** Whether money in lowers a balance, as a debt or the opposite signs of books do. */
  isLowered(columns: Columns): boolean {
    return this.#listEffects(columns).some(({ effect }) => effect === 'takes');
  }

  /** A balance that rises with a credit is a bank account; undefined when no column shows it. */
  proveAccount(columns: Columns): Proof | undefined {
    const raised = this.#listEffects(columns).find(({ effect }) => effect === 'adds');
    if (raised === undefined) return undefined;
    const { seen, title } = raised;
    const because = `line ${seen.line}: a credit raises ${title}, as in a bank account`;
    return proof(this.#facts.rowOf(seen), because);
  }

  #listEffects(columns: Columns) {
    return this.others.flatMap((column) => {
      const { effect, seen } = this.balanceOf(columns, column) ?? {};
      return effect && seen ? [{ title: column.title, effect, seen }] : [];
    });
  }

  /** A line that shows a balance rising and falling by amounts without a sign. */
  unsignedOf(amount: ColumnFacts, balance: ColumnFacts): CsvRecord | undefined {
    return this.#beside.get(balance)?.trialOf([amount])?.unsigned;
  }

  /** Relations of the first amount when words show its sign. */
  withCredit(credit: CreditReader): Promise<Relations> {
    const { key } = this.#read;
    const read = { ...this.#read, credit, key: `${key} ${credit.key}` };
    return collect(this.#facts, this.#amounts.slice(0, 1), read);
  }

  /** Whether the amounts of every day add up to 0, as in a journal with both sides. */
  get isDoubleEntry(): boolean {
    return this.#days.isDoubleEntry;
  }

  /** Columns of numbers other than the amounts: one can be a balance. */
  get others(): Columns {
    return [...this.#beside.keys()].filter((column) => !this.#amounts.includes(column));
  }

  /** Whether a column has the same amount on every row, whatever its sign. */
  isSame(column: ColumnFacts): boolean {
    return this.#beside.get(column)?.isSame === true;
  }

  /** Whether it has the same amount or none, such as a column of a spending category. */
  isAgain(column: ColumnFacts): boolean {
    return this.#beside.get(column)?.isAgain === true;
  }

  /** For the first amount column: counts for each value of the columns with few values. */
  get words(): ReadonlyMap<ColumnFacts, ReadonlyMap<string, SignCount>> {
    const own = [...this.#words].filter(([column]) => {
      const { values, letters } = column;
      const isWords = values !== undefined && letters > 0 && !this.#amounts.includes(column);
      return isWords || values?.has('-') === true;
    });
    return new Map(own);
  }
}

/** Counts the amount of a row under a key. */
function countSign<Key>(
  counts: Map<Key, SignCount>,
  key: Key,
  value: Millionths,
  seen: CsvRecord,
): void {
  let own = counts.get(key);
  if (own === undefined) {
    own = new SignCount(seen);
    counts.set(key, own);
  }
  own.add(value);
}

/** A column whose words tell all rows that a balance does not include from those that it does. */
function findIdle({ columns }: Facts, { idle = [] }: Partial<Balance> = {}) {
  if (idle.length === 0) return undefined;
  const found = columns.flatMap((column) => {
    const { values } = column;
    const counts = new Map<string, number>();
    for (const { fields } of idle) {
      const word = column.cellOf(fields);
      counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const isOnly = [...counts].every(([word, count]) => values?.get(word)?.count === count);
    return isOnly ? [{ column, words: [...counts.keys()] }] : [];
  });
  // The fewest words are those of a kind or a status, not of a description.
  const sizeOf = ({ column, words }: (typeof found)[number]) =>
    words.length * 100 + (column.values?.size ?? 0);
  return found.sort((one, other) => sizeOf(one) - sizeOf(other))[0];
}

interface AmountRow {
  readonly seen: CsvRecord;
  /** The number in each amount column, in millionths. */
  readonly amounts: readonly (Millionths | undefined)[];
  readonly movement: Millionths | undefined;
  /** The sign that words give to the movement. */
  readonly sign: -1 | 0 | 1;
}

function numberIn(fields: readonly string[], column: ColumnFacts, separators: Separators) {
  const value = readAnyAmount(column.cellOf(fields), separators);
  return value === undefined ? undefined : millionthsOf(value);
}

/** What a record moves: the number in one column, or that in the second less the first. */
export function movementIn(fields: readonly string[], amounts: Columns, separators: Separators) {
  return movementOf(amounts.map((column) => numberIn(fields, column, separators)));
}

/** One column, or the second less the first: money in less money out. */
function movementOf(amounts: AmountRow['amounts']): Millionths | undefined {
  const first = amounts[0];
  const second = amounts[1];
  if (amounts.length !== 2) return first;
  return first === undefined && second === undefined ? undefined : plus(second ?? 0, -(first ?? 0));
}

/** A column of numbers beside the amounts, or one of several candidates. */
class Beside {
  isSame = true;
  isAgain = true;
  /** A trial for each amount, in their order, and one for the movement of two. */
  readonly #amounts: Columns;
  readonly #trials: readonly BalanceTrial[];
  readonly #ofBoth = new BalanceTrial();
  readonly #numberOf: (row: AmountRow) => Millionths | undefined;

  constructor(column: ColumnFacts, amounts: Columns, separators: Separators) {
    this.#amounts = amounts;
    this.#trials = amounts.map(() => new BalanceTrial());
    const at = amounts.indexOf(column);
    this.#numberOf = ({ seen, amounts: own }) =>
      at < 0 ? numberIn(seen.fields, column, separators) : own[at];
  }

  trialOf([amount, second]: Columns): BalanceTrial | undefined {
    if (second !== undefined) return this.#ofBoth;
    return amount && this.#trials[this.#amounts.indexOf(amount)];
  }

  add(row: AmountRow): void {
    const { seen, amounts, movement, sign } = row;
    const number = this.#numberOf(row);
    const own = number ?? 0;
    const moved = movement ?? 0;
    if (own !== moved && own !== -moved) {
      this.isSame = false;
      if (own !== 0) this.isAgain = false;
    }
    for (let at = 0; at < this.#trials.length; at += 1) {
      const amount = sign === 0 ? undefined : amounts[at];
      this.#trials[at]?.add(amount !== undefined && sign < 0 ? -amount : amount, number, seen);
    }
    if (amounts.length === 2) this.#ofBoth.add(movement, number, seen);
  }
}

/** The dates of one row, in each format that is still possible. */
type Days = readonly (string | undefined)[];

/** Whether the oldest date is at the top of a file or at the bottom. */
class DayOrder {
  #first: Days | undefined;
  #last: Days = [];

  /** The next row. */
  add(days: Days): void {
    if (days === this.#last || days.length === 0 || days.includes(undefined)) return;
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

class DaySums {
  readonly #sums = new Map<string, Millionths>();
  /** The day of the last row, and its sum so far. */
  #day = '';
  #sum: Millionths = 0;
  #rows = 0;

  /** The next row. */
  add(days: Days, movement: Millionths): void {
    if (movement === 0 || days.length === 0) return;
    const day = days.length === 1 ? `${days[0]}` : days.join();
    this.#rows += 1;
    if (day !== this.#day) this.#turn(day);
    this.#sum = plus(this.#sum, movement);
  }

  /** Whether every day adds up to 0; a single pair that cancels out is a returned payment. */
  get isDoubleEntry(): boolean {
    this.#turn('');
    return this.#rows > 2 && [...this.#sums.values()].every((sum) => sum === 0);
  }

  /** Keeps the sum of a day when a row of another one comes. */
  #turn(day: string): void {
    if (this.#day !== '') this.#sums.set(this.#day, this.#sum);
    this.#day = day;
    this.#sum = this.#sums.get(day) ?? 0;
  }
}
