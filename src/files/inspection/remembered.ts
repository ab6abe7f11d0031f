/** Reads a file with the mapping of an earlier one, instead of working out a mapping. */

import type { RowField } from '../../core/row-members.ts';
import { findColumn } from '../mapping/columns.ts';
import { columnsOf, type Mapping, type Rest, ruleOf } from '../mapping/mapping.ts';
import { forEachOf } from '../pace.ts';
import { FileError, MappingError } from '../problems.ts';
import { cellOf } from '../reading/csv-records.ts';
import { readCsv } from '../reading/csv-rows.ts';
import type { Entry } from '../reading/rows.ts';
import { type FileSource, readSlices } from '../text/text.ts';
import { readAnyAmount } from '../values/amount-writing.ts';
import { readDateFormat } from '../values/date-formats.ts';
import { otherSign } from '../values/decimals.ts';
import { hasCash } from '../vocabulary/members.ts';
import { Check, checkFile, withAnyId } from './check.ts';
import { hasOtherSign, type Inspection } from './inspect.ts';

/** The share of rows that a remembered mapping may reject: more show that it is another file. */
const REJECTED_SHARE = 0.05;

/**
 * What a mapping does with a file; undefined if it was made for another kind of file, or if the
 * file contradicts what it rests on.
 */
export async function inspectCsvWith(
  source: FileSource,
  mapping: Mapping,
): Promise<Inspection | undefined> {
  try {
    const tried = await tryOut(source, mapping);
    const check = await checkFile(source, mapping, tried.check);
    const { rows, refusedCount, isOfRejected } = check;
    const isFew = rows > 0 && refusedCount <= (rows + refusedCount) * REJECTED_SHARE;
    // Rejected rows are of the file that the mapping was made for, corrected or not.
    if (!isOfRejected && (!isFew || tried.isContradicted)) return undefined;
    return { name: source.name, questions: [], mapping, check };
  } catch (error) {
    // It has the same header in another encoding.
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/**
 * Whether a file contradicts what its mapping rests on: how an earlier file wrote its days and its
 * decimals, and on which side most of its amounts were. One that cannot be read does not.
 */
export async function isCsvContradicted(source: FileSource, mapping: Mapping): Promise<boolean> {
  try {
    const { check, isContradicted: is } = await tryOut(source, mapping);
    return is && !check.isOfRejected;
  } catch (error) {
    if (error instanceof FileError || error instanceof MappingError) return false;
    throw error;
  }
}

async function tryOut(source: FileSource, mapping: Mapping) {
  const reading = await readCsv(readSlices(source), withAnyId(mapping));
  const check = new Check(reading, mapping);
  const form = reading.rejectedForm;
  const isOther = otherReading(mapping, form.kind === 'csv' ? form.header : []);
  let isAnyOther = false;
  await forEachOf(reading.pieces, (entry) => {
    check.add(entry);
    isAnyOther ||= isOther(entry);
    return undefined;
  });
  const rests = mapping.rests ?? [];
  const isContradicted = isAnyOther || isTurned(check, rests);
  const isSign = rests.includes('sign') && !isContradicted;
  return {
    check,
    isContradicted: isContradicted || (isSign && (await hasOtherSign(headOf(source), mapping))),
  };
}

/** How much of a file shows whether its words or its balance contradict a sign, in bytes. */
const HEAD_BYTES = 1024 * 1024;

/** The first lines of a file. */
function headOf({ name, open }: FileSource): FileSource {
  return {
    name,
    async *open() {
      let left = HEAD_BYTES;
      for await (const piece of open()) {
        if (piece.length > left) return yield piece.subarray(0, piece.lastIndexOf('\n', left) + 1);
        yield piece;
        left -= piece.length;
      }
    },
  };
}

/** Fewer amounts can all be of one side by chance. */
const LEAST_AMOUNTS = 20;
const MOST = 0.9;

/** Whether most amounts are of the side that the mapping's own file had fewer of. */
function isTurned({ moneyOut, moneyIn }: Check, rests: readonly Rest[]): boolean {
  const all = moneyOut.rows + moneyIn.rows;
  if (all < LEAST_AMOUNTS) return false;
  if (rests.includes('more money out') && moneyIn.rows > all * MOST) return true;
  return rests.includes('more money in') && moneyOut.rows > all * MOST;
}

/**
 * Tells rows that the mapping cannot read, but another order of days or decimal mark can; those
 * with three decimals where its own file had whole amounts: these can be thousands; and those of an
 * account without cash where its own file had none.
 */
function otherReading(mapping: Mapping, header: readonly string[]): (entry: Entry) => boolean {
  const { rests = [], decimal = '.' } = mapping;
  const { format } = ruleOf(mapping, 'date');
  const orders = format !== undefined && rests.includes('dates') ? listOrders(format) : [];
  const isDay = (text: string) => orders.some((each) => each?.read(text) !== undefined);
  const other = { decimal: otherSign(decimal) };
  const isAmount = (text: string) =>
    rests.includes('decimal') && readAnyAmount(text, other) !== undefined;
  const indexesOf = (field: RowField, isAsked = true) =>
    (isAsked ? columnsOf(mapping, field) : []).map((name) => findColumn(name, header) ?? -1);
  const amounts = indexesOf('amount', rests.includes('whole amounts'));
  const banks = indexesOf('bankAccount', rests.includes('cash accounts'));
  const isThousand = (cell = '') => /\d([.,])\d{3}\D*$/.exec(cell)?.[1] === decimal;
  return ({ problems, original }) => {
    const fields = 'fields' in original ? original.fields : [];
    if (banks.some((index) => hasCash(fields[index] ?? '') === false)) return true;
    if (problems.length === 0) return amounts.some((index) => isThousand(fields[index]));
    return problems.some(({ field }) => {
      if (field !== 'date' && field !== 'amount') return false;
      const cells = indexesOf(field).map((index) => cellOf(fields, index));
      return cells.some(field === 'date' ? isDay : isAmount);
    });
  };
}

/** The format with its day, month and year in each other order. */
function listOrders(format: string) {
  const parts = format.match(PART) ?? [];
  const orders = parts.flatMap((first) => {
    const rest = parts.filter((part) => part !== first);
    return [rest, [...rest].reverse()].map((others) => [first, ...others]);
  });
  return orders.map((order) => {
    let at = 0;
    return readDateFormat(format.replace(PART, () => order[at++] ?? ''));
  });
}

const PART = /Y{2,4}|M{1,3}|D{1,2}/g;
