/**
 * Records without a date that are parts of the row above them, as in a journal that writes the date
 * of an entry once: the account code of the row is in these.
 */

import type { Column } from '../mapping/columns.ts';
import { type Mapping, ruleOf } from '../mapping/mapping.ts';
import type { Entry } from './rows.ts';

/** Holds each row until its parts were read. */
export class PartsBelow {
  /** The column of the account code. */
  readonly column: Column;
  readonly #date: number;
  #row: Entry | undefined;
  #parts: (readonly string[])[] = [];

  private constructor(column: Column, date: number) {
    this.column = column;
    this.#date = date;
  }

  /** Undefined unless the mapping says that the account code is below. */
  static of(columns: readonly Column[], mapping: Mapping): PartsBelow | undefined {
    const find = (name: string) => columns.find(({ field }) => field === name);
    const column = find('accountCode');
    if (column === undefined || ruleOf(mapping, 'accountCode').below !== true) return undefined;
    return new PartsBelow(column, find('date')?.indexes[0] ?? -1);
  }

  /** Whether the next record is a part of the row above it. */
  addPart(fields: readonly string[]): boolean {
    const isPart = this.#row !== undefined && (fields[this.#date] ?? '').trim() === '';
    if (isPart) this.#parts.push(fields);
    return isPart;
  }

  /** The row before `next`, with the account code that all its parts have. */
  take(next?: Entry): Entry | undefined {
    const [row, below] = [this.#row, this.#parts];
    this.#row = next;
    this.#parts = [];
    if (row === undefined || !('fields' in row.original)) return row;
    const { fields } = row.original;
    const [index = -1] = this.column.indexes;
    const [code = '', other] = new Set(below.map((each) => (each[index] ?? '').trim()));
    const isOne = code !== '' && other === undefined && row.row !== undefined;
    const own = isOne ? { ...Object(row.row), accountCode: code } : row.row;
    return { ...row, row: own, original: { fields, below } };
  }
}
