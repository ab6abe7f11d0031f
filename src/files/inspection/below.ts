/**
 * Finds the records without a date that are parts of the payment above them, as GnuCash and others
 * write the other side of an entry. The amounts prove it: each payment and its parts are 0.
 */

import { ROW_MEMBERS } from '../../core/row-members.ts';
import type { CsvRecord } from '../reading/csv-records.ts';
import { type Millionths, plus } from '../values/exact-sums.ts';
import type { Separators } from './amount-cells.ts';
import type { ColumnFacts, Columns } from './column-facts.ts';
import type { Collector, Facts } from './facts.ts';
import { type Finding, proof } from './found.ts';
import { movementIn } from './relations.ts';

/** What is known before. */
interface Known {
  readonly facts: Facts;
  readonly date: Finding<ColumnFacts>;
  readonly amounts: Finding<Columns>;
  readonly decimal: Finding<Separators>;
}

/** The columns that can have the account code of each part; undefined if rows have no parts. */
export async function inspectBelow(known: Known): Promise<Finding<Columns | undefined>> {
  const { facts, date, amounts, decimal } = known;
  const own = [date.value, ...amounts.value];
  const what = ['below', own.map(({ index }) => index), decimal.value];
  const parts = await facts.collect(what, () => new Parts(known));
  const { line, text } = parts.first ?? { line: 0, text: '' };
  if (!parts.isProven) return { value: undefined, evidence: proof(undefined, 'none') };
  const because = `line ${line} has no ${date.value.title}: with the payment above, it is 0`;
  const found = facts.columns.filter((column) => parts.codes.has(column) && !own.includes(column));
  return { value: found, evidence: proof({ line, text }, because) };
}

/** Adds up each payment and its parts. */
class Parts implements Collector {
  first: { readonly line: number; readonly text: string } | undefined;
  /** The columns that each part fills in another way than its payment. */
  readonly codes: Set<ColumnFacts>;
  readonly #known: Known;
  #isEven = true;
  #row: CsvRecord | undefined;
  #count = 0;
  #sum: Millionths = 0;

  constructor(known: Known) {
    this.#known = known;
    this.codes = new Set(known.facts.columns.filter(({ numbers }) => !numbers.isNumeric));
  }

  get isProven(): boolean {
    return this.first !== undefined && this.#isEven && this.#isWhole;
  }

  get #isWhole(): boolean {
    return this.#count > 0 && this.#sum === 0;
  }

  add(record: CsvRecord, isRow: boolean): undefined {
    if (!this.#isEven) return;
    const { facts, date, amounts, decimal } = this.#known;
    const movement = movementIn(record.fields, amounts.value, decimal.value) ?? 0;
    if (isRow) {
      if (this.#row !== undefined) this.#isEven = this.#isWhole;
      this.#row = record;
      [this.#count, this.#sum] = [0, movement];
    } else if (this.#row !== undefined) {
      this.#isEven = date.value.cellOf(record.fields) === '' && movement !== 0;
      this.first ??= facts.rowOf(record);
      this.#count += 1;
      this.#sum = plus(this.#sum, movement);
      for (const column of this.codes) {
        const code = column.cellOf(record.fields);
        const isOther = code !== '' && code !== column.cellOf(this.#row.fields);
        if (!isOther || code.length > ROW_MEMBERS.accountCode.most) this.codes.delete(column);
      }
    }
  }
}
