/**
 * Reads the whole file as `push` will: the totals of money in and out, and which rows will be
 * rejected.
 */

import { readRow } from '../core/push.ts';
import { readCsv } from '../rows/csv-rows.ts';
import { readDigitsOf } from '../rows/exact-sums.ts';
import type { Mapping } from '../rows/mapping.ts';
import type { RowProblem } from '../rows/problems.ts';
import type { Entry } from '../rows/rows.ts';
import { paced } from './pace.ts';
import { readSlices, type Source } from './source.ts';

/** The rows of one direction and their sum, in millionths. */
export interface Total {
  rows: number;
  sum: bigint;
}

/** A row that push will reject. */
export interface Refused {
  readonly line: number;
  readonly problems: readonly RowProblem[];
}

/** What push will do with the file. */
export interface Check {
  readonly rows: number;
  readonly moneyOut: Total;
  readonly moneyIn: Total;
  /** Rows with the amount 0. */
  readonly zeros: number;
  readonly refused: readonly Refused[];
  readonly refusedCount: number;
  /** Lines that are not rows, each with the reason. */
  readonly notRows: readonly string[];
  /** The earliest and the latest date. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** More decimal places than any currency has: only the service knows the currency. */
const PLACES = 4;
const SHOWN = 5;

/** Reads the file with a mapping. Throws FileError. */
export async function checkFile(source: Source, mapping: Mapping): Promise<Check> {
  const reading = await readCsv(readSlices(source), mapping);
  const [moneyOut, moneyIn] = [newTotal(), newTotal()];
  const refused: Refused[] = [];
  let [rows, zeros, refusedCount] = [0, 0, 0];
  let [from, to]: (string | undefined)[] = [];
  for await (const entry of paced(reading.entries)) {
    const { line, row, problems } = entry;
    const valid = problems.length === 0 ? readRow(row, PLACES) : undefined;
    const wrong = valid !== undefined && !('row' in valid) ? valid.errors : problems;
    if (wrong.length > 0 || valid?.row === undefined) {
      refusedCount += 1;
      if (refused.length < SHOWN) refused.push({ line, problems: wrong });
      continue;
    }
    rows += 1;
    const { date } = valid.row;
    if (from === undefined || date < from) from = date;
    if (to === undefined || date > to) to = date;
    const sum = amountOf(entry);
    if (sum === 0n) zeros += 1;
    else add(sum > 0n ? moneyOut : moneyIn, sum);
  }
  const notRows = [...(reading.remarks ?? [])];
  return { rows, moneyOut, moneyIn, zeros, refused, refusedCount, notRows, from, to };
}

/** The amount of a row, in millionths. */
export function amountOf({ row }: Pick<Entry, 'row'>): bigint {
  return readDigitsOf(Number(Reflect.get(Object(row), 'amount')));
}

function newTotal(): Total {
  return { rows: 0, sum: 0n };
}

function add(total: Total, sum: bigint): void {
  total.rows += 1;
  total.sum += sum;
}
