/** What the cells of one column say, gathered in one reading of the file. */

import { findCurrency } from '../../core/currencies.ts';
import { DateColumn } from './date-column.ts';
import { rolesOf } from './header-words.ts';
import { NumberColumn, type Seen } from './number-column.ts';

/** Values that are remembered with how often they stand: a column of more is no list of words. */
const DISTINCT_VALUES = 40;
/** Rows whose values are watched for being unique. */
const WATCHED_ROWS = 1_000_000;

/** After as many cells a column that holds neither days nor numbers is not looked at for them. */
const TRIED_CELLS = 200;

/** A value and where it stands first. */
interface Value extends Seen {
  count: number;
}

/** One column of a file. */
export class ColumnFacts {
  readonly index: number;
  readonly name: string;
  readonly dates: DateColumn;
  readonly numbers = new NumberColumn();
  filled = 0;
  firstBlankLine: number | undefined;
  /** The first cell that is not blank. */
  firstText: Seen | undefined;
  /** Cells that hold a letter. */
  letters = 0;
  currencyCodes = 0;
  /** Whether it counts its rows: 1, 2, 3. */
  isCounter = true;
  /** Values that stand twice, with the lines of both, the first few. */
  readonly repeated: { readonly text: string; readonly lines: readonly [number, number] }[] = [];
  repeatedCount = 0;
  /** Whether a spreadsheet has rounded a long number in it: `1.23457E+12`. */
  isRounded = false;
  readonly #lines = new Map<string, number>();
  readonly #values = new Map<string, Value>();
  #isWatched: boolean;
  #rows = 0;

  constructor(index: number, name: string, lastDay: string) {
    this.index = index;
    this.name = name;
    this.dates = new DateColumn(lastDay);
    const roles = rolesOf(name);
    // To remember every value takes memory: only of what may be an identity.
    this.#isWatched = roles.has('id') || roles.has('weakId');
  }

  /** The trimmed cell of the next row. */
  add(text: string, line: number): void {
    this.#rows += 1;
    if (text === '') {
      this.firstBlankLine ??= line;
      this.isCounter = false;
      return;
    }
    this.filled += 1;
    this.firstText ??= { line, text };
    const isNew = this.filled <= TRIED_CELLS;
    if (isNew || this.dates.readable > 0) this.dates.add(text, line);
    if (isNew || this.numbers.numbers > TRIED_CELLS / 2) this.numbers.add(text, line);
    if (/\p{L}/u.test(text)) this.letters += 1;
    if (/^[A-Z]{3}$/.test(text) && findCurrency(text) !== undefined) this.currencyCodes += 1;
    if (text !== String(this.#rows)) this.isCounter = false;
    if (/^\d[.,]?\d*E\+\d+$/i.test(text)) this.isRounded = true;
    this.#count(text, line);
    this.#watch(text, line);
  }

  get rows(): number {
    return this.#rows;
  }

  get isUnique(): boolean {
    return this.filled > 0 && this.filled === this.#rows && this.repeatedCount === 0;
  }

  /** Its values with how often each stands; undefined when there are too many for words. */
  get values(): ReadonlyMap<string, Value> | undefined {
    return this.#values.size > DISTINCT_VALUES ? undefined : this.#values;
  }

  get isCurrency(): boolean {
    return this.filled > 0 && this.currencyCodes === this.filled;
  }

  #count(text: string, line: number): void {
    const value = this.#values.get(text);
    if (value !== undefined) value.count += 1;
    else if (this.#values.size <= DISTINCT_VALUES) this.#values.set(text, { line, text, count: 1 });
  }

  #watch(text: string, line: number): void {
    if (!this.#isWatched) return;
    const before = this.#lines.get(text);
    if (before !== undefined) {
      this.repeatedCount += 1;
      if (this.repeated.length < 3) this.repeated.push({ text, lines: [before, line] });
      // A column in which much stands twice is no identity: no need to remember it all.
      if (this.repeatedCount > 50 && this.repeatedCount > this.#rows / 4) this.#forget();
    } else if (this.#lines.size < WATCHED_ROWS) this.#lines.set(text, line);
  }

  #forget(): void {
    this.#isWatched = false;
    this.#lines.clear();
  }
}
