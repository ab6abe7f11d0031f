/**
 * Reads the whole file as `push` will: the totals of money in and out, and which rows will be
 * rejected.
 */

import { findCurrency } from '../../core/currencies.ts';
import { readRow } from '../../core/push.ts';
import { columnsOf, type Mapping, ruleOf, statedCurrency } from '../mapping/mapping.ts';
import type { RowProblem } from '../problems.ts';
import { readCsv } from '../reading/csv-rows.ts';
import type { Entry, Reading } from '../reading/rows.ts';
import { readSlices, type Source } from '../text/text.ts';
import { readDigitsOf } from '../values/exact-sums.ts';
import { forEachOf } from './pace.ts';

/** The rows of one direction and their sum, in millionths. */
export interface Total {
  rows: number;
  sum: bigint;
}

/** A row that push will reject. */
export interface Refused {
  readonly line: number;
  readonly problems: readonly RowProblem[];
  /** Its values. */
  readonly fields: readonly string[];
}

/** Decimal places of most currencies, and the most of any. */
const USUAL_PLACES = 2;
const MOST_PLACES = 4;
const SHOWN = 5;

/** What push will do with the file. */
export class Check {
  rows = 0;
  readonly moneyOut: Total = { rows: 0, sum: 0n };
  readonly moneyIn: Total = { rows: 0, sum: 0n };
  /** Rows with the amount 0. */
  zeros = 0;
  /** The first few of those that push will reject. */
  readonly refused: Refused[] = [];
  refusedCount = 0;
  /** Lines that are not rows, each with the reason. */
  readonly notRows: readonly string[];
  /** Whether the file has the columns of a file of rejected rows. */
  readonly isOfRejected: boolean;
  /** The earliest and the latest date. */
  from: string | undefined;
  to: string | undefined;

  /** Decimal places of the currency that the mapping states. */
  readonly #places: number | undefined;

  constructor({ remarks, rejectedForm: form }: Reading, mapping: Mapping) {
    this.#places = findCurrency(statedCurrency(mapping) ?? '')?.places;
    this.notRows = remarks;
    this.isOfRejected = form.kind === 'csv' && form.ownColumns < form.header.length;
  }

  /** Counts the next entry of the file. */
  add(entry: Entry): undefined {
    const { line, row, problems, original } = entry;
    const valid =
      problems.length === 0
        ? readRow(row, { places: this.#places ?? placesOf(entry) })
        : { row: undefined, errors: problems };
    if (valid.row === undefined) {
      this.refusedCount += 1;
      const fields = 'fields' in original ? original.fields : [];
      if (this.refused.length < SHOWN) this.refused.push({ line, problems: valid.errors, fields });
      return undefined;
    }
    this.rows += 1;
    const { date } = valid.row;
    if (this.from === undefined || date < this.from) this.from = date;
    if (this.to === undefined || date > this.to) this.to = date;
    const amount = amountOf(entry);
    if (amount === 0n) this.zeros += 1;
    else {
      const total = amount > 0n ? this.moneyOut : this.moneyIn;
      total.rows += 1;
      total.sum += amount;
    }
    return undefined;
  }
}

/** Reads the file with a mapping. Throws FileError. */
export async function checkFile(source: Source, mapping: Mapping): Promise<Check> {
  const reading = await readCsv(readSlices(source), withAnyId(mapping));
  const check = new Check(reading, mapping);
  await forEachOf(reading.pieces, (entry) => check.add(entry));
  return check;
}

/** Nothing is sent, and a made id is never wrong, so the date can take its place. */
export function withAnyId(mapping: Mapping): Mapping {
  if (ruleOf(mapping, 'externalId').made === undefined) return mapping;
  const [externalId = ''] = columnsOf(mapping, 'date');
  return { ...mapping, fields: { ...mapping.fields, externalId } };
}

/** The amount of a row, in millionths. */
export function amountOf(entry: Entry): bigint {
  return readDigitsOf(numberOf(entry));
}

function numberOf({ row }: Entry): number {
  return Number(Reflect.get(Object(row), 'amount'));
}

/** Only the service knows a currency that is not stated: it may be one with these decimals. */
function placesOf(entry: Entry): number {
  const number = numberOf(entry);
  // Writing every number takes long, and most have no more decimals than is usual.
  const millionths = Math.round(number * 1e6);
  if (millionths % 1e4 === 0 && millionths / 1e6 === number) return USUAL_PLACES;
  const decimals = String(number).split('.')[1]?.length ?? 0;
  return Math.min(Math.max(decimals, USUAL_PLACES), MOST_PLACES);
}
