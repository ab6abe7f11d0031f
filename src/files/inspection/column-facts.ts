/** Facts about the cells of one column, gathered in one pass over the file. */

import { findCurrency } from '../../core/currencies.ts';
import { TextNumbers } from '../reading/text-numbers.ts';
import { columnWords, type Role, rolesOf, saysAmount } from '../vocabulary/column-names.ts';
import { type DirectionPair, findPair, HOW_PAID } from '../vocabulary/directions.ts';
import { isProse, rankText, type TextRank } from '../vocabulary/texts.ts';
import { hasLetter } from '../vocabulary/words.ts';
import { DateColumn } from './date-column.ts';
import type { Seen } from './found.ts';
import { NumberColumn } from './number-column.ts';

/** How many values are counted: a column with more is not a list of words. */
export const DISTINCT_VALUES = 40;
/** How many values are checked for being unique. */
const WATCHED_ROWS = 1_000_000;

/** After this many cells, a column without dates or numbers is not checked for them. */
const TRIED_CELLS = 200;
/** How many cells show whether a column has texts. */
export const READ_CELLS = 1_000;

/** A value, where it first occurs, and how often. */
interface Value extends Seen {
  count: number;
}

/** One column of a file. */
export class ColumnFacts {
  readonly index: number;
  /** Its name in the header, `''` if it has none. */
  readonly name: string;
  /** How the mapping and messages name it. */
  readonly title: string;
  /** Its name in plain words, and what the name says that it contains. */
  readonly words: string;
  readonly roles: ReadonlySet<Role>;
  /** Whether it is named as an amount, or has a word for it and no other role. */
  readonly isNamedAmount: boolean;
  /** How surely its name says that it describes payments. */
  readonly textRank: TextRank;
  readonly dates: DateColumn;
  readonly numbers = new NumberColumn();
  rows = 0;
  filled = 0;
  firstBlankLine: number | undefined;
  /** The first cell that is not blank. */
  firstText: Seen | undefined;
  /** Cells that contain a letter. */
  letters = 0;
  /** Of the first thousand cells: those that read as text, and their length together. */
  prose = 0;
  proseLength = 0;
  /** Cells in rows in which no column named as a description has a word. */
  untold = 0;
  currencyCodes = 0;
  /** The length of the longest text. */
  longest = 0;
  /** Whether it numbers the rows: 1, 2, 3. */
  isCounter = true;
  /** Whether a spreadsheet has rounded a long number: `1.23457E+12`. */
  isRounded = false;
  /** The values, if the column may be an id and none has occurred twice. */
  #ids: TextNumbers | undefined;
  readonly #values = new Map<string, Value>();
  /** The pair of so many values. */
  #pair: { readonly size: number; readonly found: DirectionPair | undefined } | undefined;

  constructor(index: number, [name, title]: readonly [string, string], lastDay: string) {
    this.index = index;
    this.name = name;
    this.title = title;
    this.dates = new DateColumn(lastDay);
    this.words = columnWords(name);
    this.roles = rolesOf(name);
    this.isNamedAmount = this.roles.has('amount') || (this.roles.size === 0 && saysAmount(name));
    this.textRank = rankText(this);
    // Storing every value takes memory, so only columns that may be ids do it.
    if (this.roles.has('id') || this.roles.has('weakId')) this.#ids = new TextNumbers();
  }

  /** The trimmed cell of the next row. */
  add(text: string, line: number): void {
    this.rows += 1;
    if (text === '') {
      this.firstBlankLine ??= line;
      this.isCounter = false;
      return;
    }
    this.filled += 1;
    this.firstText ??= { line, text };
    if (text.length > this.longest) this.longest = text.length;
    const isNew = this.filled <= TRIED_CELLS;
    if (isNew || this.dates.readable > 0) this.dates.add(text, line);
    if (isNew || this.numbers.numbers > this.numbers.filled / 2) this.numbers.add(text, line);
    if (hasLetter(text)) this.letters += 1;
    if (this.filled <= READ_CELLS && isProse(text)) {
      this.prose += 1;
      this.proseLength += text.length;
    }
    if (this.#isCode(text)) this.currencyCodes += 1;
    if (this.isCounter && text !== String(this.rows)) this.isCounter = false;
    if (text.includes('+') && /^\d[.,]?\d*E\+\d+$/i.test(text)) this.isRounded = true;
    this.#count(text, line);
    this.#watch(text);
  }

  /** Whether its name is that of an id or a number, and every row that has one has another. */
  get isUnique(): boolean {
    return this.#ids !== undefined;
  }

  /** Its values with their counts; undefined when there are too many for a list of words. */
  get values(): ReadonlyMap<string, Value> | undefined {
    return this.#values.size > DISTINCT_VALUES ? undefined : this.#values;
  }

  /** The words for money out and in, if all its values are such words. */
  get pair(): DirectionPair | undefined {
    // A status, such as paid out, is the same for money in: a platform paid it out to its owner.
    const isOther = HOW_PAID.test(this.words) || this.roles.has('status');
    const { size } = this.#values;
    if (this.#pair?.size !== size) {
      this.#pair = { size, found: findPair(isOther ? [] : [...(this.values?.keys() ?? [])]) };
    }
    return this.#pair.found;
  }

  get isCurrency(): boolean {
    return this.filled > 0 && this.currencyCodes === this.filled;
  }

  /** A column that is named for the currency can have coins such as BTC. */
  #isCode(text: string): boolean {
    if (text.length === 3 && /^[A-Z]{3}$/.test(text) && findCurrency(text)) return true;
    return this.roles.has('currency') && /^[A-Z][A-Z0-9.]{1,9}$/.test(text);
  }

  #count(text: string, line: number): void {
    if (this.#values.size > DISTINCT_VALUES) return;
    const value = this.#values.get(text);
    if (value === undefined) this.#values.set(text, { line, text, count: 1 });
    else value.count += 1;
  }

  #watch(text: string): void {
    const ids = this.#ids;
    if (ids === undefined) return;
    const before = ids.size < WATCHED_ROWS ? ids.set(text, 1) : ids.get(text);
    if (before !== undefined) this.#ids = undefined;
  }
}

/** Some columns of a file. */
export type Columns = readonly ColumnFacts[];
