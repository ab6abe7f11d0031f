/**
 * Records of a file that are not rows: totals, balances, headings, and notes at the end. A record
 * is skipped only if a rule of the mapping matches it and, except for `is`, it cannot be read as a
 * row. Each skipped record is reported.
 */

import { findColumn } from '../mapping/columns.ts';
import { columnsOf, type Mapping, type NotRowRule, ruleOf } from '../mapping/mapping.ts';
import { type AmountWriting, readWrittenAmount } from '../values/amount-writing.ts';
import { withoutDay } from '../values/date-formats.ts';
import { readPlain } from '../values/decimals.ts';
import { type Millionths, millionthsOf, plus } from '../values/exact-sums.ts';
import { cellOf } from './csv-records.ts';
import { writingOf } from './csv-values.ts';

/** Applies the rules during one pass over a file. */
export class NotRows {
  readonly #rules: readonly NotRowRule[];
  /** The columns of rules whose value alone decides, and the value. */
  readonly #values: readonly {
    readonly index: number;
    readonly column: string;
    readonly is: string;
  }[];
  readonly #date: number | undefined;
  readonly #amounts: readonly number[];
  readonly #writing: AmountWriting;
  /** Whether the amount of a row has the opposite sign of its cell. */
  readonly #isTurned: boolean;
  /** Which kinds of rules look at the rows above. */
  readonly #has: { readonly begins: boolean; readonly sum: boolean };
  readonly #sums: Sums;
  /** The fewest values, other than empty ones, in a record that became a row. */
  #fewest = Number.POSITIVE_INFINITY;

  /** The rules need not be those of the mapping, which says where dates and amounts are. */
  constructor(rules: readonly NotRowRule[], mapping: Mapping, header: readonly string[]) {
    this.#rules = rules;
    this.#values = rules.flatMap(({ column = '', is = '' }) => {
      const index = column === '' ? undefined : findColumn(column, header);
      return index === undefined ? [] : [{ index, column, is: withoutDay(is) }];
    });
    const find = (name: string) => findColumn(name, header) ?? [];
    this.#date = columnsOf(mapping, 'date').flatMap(find)[0];
    const amounts = columnsOf(mapping, 'amount').flatMap(find);
    // The column of the direction is not an amount, and without it a sum means nothing.
    const isSummed = ruleOf(mapping, 'amount').indicator === undefined;
    this.#amounts = isSummed ? amounts : amounts.slice(0, 1);
    this.#writing = writingOf(mapping);
    this.#isTurned = ruleOf(mapping, 'amount').negate === true;
    this.#has = {
      begins: rules.some(({ begins }) => begins),
      sum: isSummed && rules.some(({ sum }) => sum),
    };
    this.#sums = new Sums(this.#amounts.length);
  }

  /** A record that became a row, perhaps with its amount. */
  addRow(fields: readonly string[], amount?: Millionths): void {
    if (this.#has.begins) this.#fewest = Math.min(this.#fewest, countFilled(fields));
    if (!this.#has.sum) return;
    const own = amount === undefined || !this.#isTurned ? amount : -amount;
    const known = this.#amounts.length === 1 ? own : undefined;
    let isAny = false;
    for (let at = 0; at < this.#amounts.length; at += 1) {
      const index = this.#amounts[at] ?? -1;
      const value = known ?? millionthsOf(readSum(cellOf(fields, index), this.#writing) ?? 0);
      if (!value) continue;
      isAny = true;
      this.#sums.add(at, value);
    }
    // A single amount does not make a sum.
    if (isAny) this.#sums.rows += 1;
  }

  /** Why this record is not a row, whatever else it has; undefined when no rule matches. */
  explainAny(fields: readonly string[]): string | undefined {
    for (const { index, column, is } of this.#values) {
      // In a row that is cut off, this value is missing, not blank.
      const value = fields[index]?.trim();
      if (value === undefined || withoutDay(value) !== is) continue;
      return value === '' ? `${column} is blank` : `${column} is "${value}"`;
    }
    return undefined;
  }

  /** Why an unreadable record is not a row; undefined when it should have been one. */
  explain(fields: readonly string[]) {
    const cells = fields.map((field) => field.trim());
    for (const rule of this.#rules) {
      const reason = this.#explainBy(rule, cells);
      if (reason !== undefined) return { rule, reason };
    }
    return undefined;
  }

  #explainBy({ begins, text, sum }: NotRowRule, cells: readonly string[]): string | undefined {
    if (begins !== undefined) {
      if (this.#hasDay(cells) && this.#hasAmount(cells)) return undefined;
      const isFound = cells.some((cell) => beginsWith(cell, begins));
      // A payment to a supplier such as Total Gas lacks only its date, and a total much more.
      const isWhole = this.#fewest > LEAST_VALUES && countFilled(cells) >= this.#fewest - 1;
      const isOnly = cells.some((cell) => withoutDay(cell) === begins.toLowerCase());
      if (isWhole && !isOnly && this.#hasAmount(cells)) return undefined;
      return isFound ? `it begins with "${begins}"` : undefined;
    }
    if (text) {
      const [only, second] = [...cells.keys()].filter((at) => cells[at] !== '');
      if (only === undefined || second !== undefined) return undefined;
      // A number can be what is left of a row: of one that is cut off, or its date or amount.
      const isRest = cells.length === 1 || only === this.#date || this.#amounts.includes(only);
      if (!/^[^\p{L}]*\d[^\p{L}]*$/u.test(cells[only] ?? '')) return 'it has only one text';
      return isRest ? undefined : 'it has only one number';
    }
    if (!sum || !this.#has.sum || this.#hasDay(cells)) return undefined;
    const own = this.#amounts.map((index) => cells[index]);
    const values = own.map((cell) => readSum(cell, this.#writing));
    // An empty cell is the sum of nothing. Any other text is not a sum.
    const isBad = values.some((value, at) => value === undefined && own[at]);
    if (isBad || !this.#sums.has(values)) return undefined;
    return 'its amount is the sum of the rows above it';
  }

  /** Whether there is anything like a date: a wrong date is a wrong row, not a total. */
  #hasDay(cells: readonly string[]): boolean {
    return this.#date !== undefined && /\d/.test(cells[this.#date] ?? '');
  }

  #hasAmount(cells: readonly string[]): boolean {
    return this.#amounts.some((index) => (cells[index] ?? '') !== '');
  }
}

/** A row with only a date, a text and an amount is hardly different from a total without a date. */
const LEAST_VALUES = 3;

function countFilled(fields: readonly string[]): number {
  let filled = 0;
  for (let at = 0; at < fields.length; at += 1) if (cellOf(fields, at) !== '') filled += 1;
  return filled;
}

/** Whether a text begins with this whole word, in any case, after any symbols. */
function beginsWith(text: string, word: string): boolean {
  const own = text.replace(/^[^\p{L}\p{N}]+/u, '');
  if (own.slice(0, word.length).toLowerCase() !== word.toLowerCase()) return false;
  return !/^[\p{L}\p{N}]/u.test(own.slice(word.length));
}

/** An amount with the sign of the file; undefined if there is none. */
function readSum(text = '', writing: AmountWriting): number | undefined {
  const plain = readPlain(text, writing);
  if (plain !== undefined || text === '') return plain;
  const read = readWrittenAmount(text, writing);
  return 'value' in read ? read.value : undefined;
}

/** Exact sums of columns: of all rows, and of those since the last line with their sums. */
class Sums {
  rows = 0;
  readonly #totals: Millionths[];
  /** What was known at that line. */
  #before: { readonly rows: number; readonly totals: readonly Millionths[] };

  constructor(columns: number) {
    this.#totals = Array.from({ length: columns }, () => 0);
    this.#before = { rows: 0, totals: [...this.#totals] };
  }

  add(column: number, value: Millionths): void {
    this.#totals[column] = plus(this.#totals[column] ?? 0, value);
  }

  /** Whether these are the sums; the next rows are then added up again from 0. */
  has(values: readonly (number | undefined)[]): boolean {
    const { rows, totals } = this.#before;
    const own = values.map((value) => millionthsOf(value ?? 0));
    const isAll = this.rows > 1 && own.every((value, at) => value === this.#totals[at]);
    const isPart =
      this.rows - rows > 1 &&
      own.every((value, at) => value === plus(this.#totals[at] ?? 0, -(totals[at] ?? 0)));
    const isSum = (isAll || isPart) && values.some((value) => value);
    if (isSum) this.#before = { rows: this.rows, totals: [...this.#totals] };
    return isSum;
  }
}
