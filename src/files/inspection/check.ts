/**
 * Reads the whole file as `push` will: the totals of money in and out, and which rows will be
 * rejected.
 */

import { findCurrency } from '../../core/currencies.ts';
import { toMinor } from '../../core/money.ts';
import { readRow } from '../../core/push.ts';
import { mostOf, ROW_FIELDS, type RowField } from '../../core/row-members.ts';
import { columnsOf, type Mapping, ruleOf, statedCurrency } from '../mapping/mapping.ts';
import { forEachOf } from '../pace.ts';
import type { RowProblem } from '../problems.ts';
import { readCsv } from '../reading/csv-rows.ts';
import { FirstFew } from '../reading/first-few.ts';
import type { Entry } from '../reading/rows.ts';
import { RepeatedIds } from '../reading/text-numbers.ts';
import { type FileSource, readSlices } from '../text/text.ts';
import { type Millionths, millionthsOf, RowSums } from '../values/exact-sums.ts';

/** A row that push will reject. */
export interface Refused {
  readonly line: number;
  readonly problems: readonly RowProblem[];
  readonly fields: readonly string[];
}

/** Two lines with the same externalId: only the later one is stored. */
interface Repeated {
  readonly line: number;
  readonly byLine: number;
  readonly externalId: string;
}

/** Decimal places of most currencies, and the most of any. */
const USUAL_PLACES = 2;
const MOST_PLACES = 4;
const SHOWN = 5;

/** What is known of a file before its rows are read. */
type Read = Pick<Awaited<ReturnType<typeof readCsv>>, 'remarks' | 'isOfRejected'>;

/** What push will do with the file: the totals are those of the rows that it stores. */
export class Check extends RowSums {
  /** The first few of those that push will reject. */
  readonly refused: Refused[] = [];
  refusedCount = 0;
  /** Lines that are not rows, each with the reason. */
  readonly notRows: readonly string[];
  /** Whether the file has the columns of a file of rejected rows. */
  readonly isOfRejected: boolean;
  /** Rows that a later one with the same externalId replaces. */
  readonly repeated: FirstFew<Repeated>;

  /** Decimal places of the currency that the mapping states. */
  readonly #places: number | undefined;
  /** The last line of each id; undefined for ids that never repeat, such as made ones. */
  #ids: RepeatedIds | undefined;
  /** Whether each id has its last line, from an earlier reading. */
  readonly #isSecond: boolean;

  /**
   * After a check in which ids repeated, `before`, only the last row of each id counts. Another one
   * is told whether ids may repeat at all.
   */
  constructor(
    { remarks, isOfRejected }: Read,
    mapping: Mapping,
    before: Check | boolean = ruleOf(mapping, 'externalId').made === undefined,
  ) {
    super();
    const earlier = before instanceof Check ? before : undefined;
    this.repeated = earlier?.repeated ?? new FirstFew(SHOWN);
    this.#ids = earlier === undefined ? undefined : earlier.#ids;
    if (before === true) this.#ids = new RepeatedIds();
    this.#isSecond = earlier !== undefined;
    this.#places = findCurrency(statedCurrency(mapping) ?? '')?.places;
    this.notRows = remarks;
    this.isOfRejected = isOfRejected;
  }

  /** Counts the next entry of the file; `amount` is that of its row. */
  add(entry: Entry, amount = amountOf(entry)): undefined {
    const { line, row, problems } = entry;
    if (problems.length > 0) return this.#refuse(entry, problems);
    const places = this.#places ?? placesOf(entry);
    const valid = isUsual(row, places) ? { row } : readRow(row, { places });
    if (valid.row === undefined) return this.#refuse(entry, valid.errors);
    const { externalId, date } = valid.row;
    if (this.#isSecond) {
      if (this.#ids?.isLast(externalId, line) !== false) this.count(date, amount);
      return;
    }
    const before = this.#ids?.add(externalId, line);
    if (before !== undefined) this.repeated.add(() => ({ line: before, byLine: line, externalId }));
    this.count(date, amount);
  }

  #refuse({ line, original }: Entry, problems: Refused['problems']): undefined {
    this.refusedCount += 1;
    const fields = 'fields' in original ? original.fields : [];
    if (this.refused.length < SHOWN) this.refused.push({ line, problems, fields });
  }

  /** All rows are counted: their ids need not stay. */
  end(): this {
    this.#ids = undefined;
    return this;
  }
}

/**
 * Reads the file with a mapping, and once more if ids repeat; `first` is what a reading with the
 * same mapping found. Throws FileError.
 */
export async function checkFile(
  source: FileSource,
  mapping: Mapping,
  first?: Check,
): Promise<Check> {
  if (first?.repeated.total === 0) return first.end();
  const reading = await readCsv(readSlices(source), withAnyId(mapping));
  const check = new Check(reading, mapping, first);
  await forEachOf(reading.pieces, (entry) => check.add(entry));
  return first !== undefined || check.repeated.total === 0
    ? check.end()
    : checkFile(source, mapping, check);
}

/** Nothing is sent, and a made id is never wrong, so the date can take its place. */
export function withAnyId(mapping: Mapping): Mapping {
  if (ruleOf(mapping, 'externalId').made === undefined) return mapping;
  const [externalId = ''] = columnsOf(mapping, 'date');
  return { ...mapping, fields: { ...mapping.fields, externalId } };
}

/** The amount of a row, in millionths. */
export function amountOf(entry: Entry): Millionths {
  return millionthsOf(numberOf(entry));
}

function numberOf({ row }: Entry): number {
  const { amount }: { amount?: unknown } = Object(row);
  return typeof amount === 'number' ? amount : 0;
}

/** A trimmed text that any member can have is short, and in ASCII. */
const USUAL_LENGTH = Math.min(...ROW_FIELDS.map((field) => mostOf(field) ?? Infinity));
/** What such a text does not have. A test that finds nothing is faster: V8 keeps what is found. */
const UNUSUAL = /[^ -~]/;
const SPACE = 0x20;

/**
 * Whether `readRow` accepts a row for certain, which takes less time than reading the row: true for
 * nearly all. The date of a row is read before.
 */
function isUsual(
  row: unknown,
  places: number,
): row is Readonly<Record<'externalId' | 'date', string>> {
  const members: Partial<Record<RowField | 'currency', unknown>> = Object(row);
  const { amount, currency, externalId, description } = members;
  const { contact, accountCode, reference, bankAccount, projectCode } = members;
  return (
    currency === undefined &&
    typeof amount === 'number' &&
    typeof toMinor(amount, places) === 'number' &&
    isUsualText(externalId) &&
    isUsualText(description) &&
    (contact === undefined || isUsualText(contact)) &&
    (accountCode === undefined || isUsualText(accountCode)) &&
    (reference === undefined || isUsualText(reference)) &&
    (bankAccount === undefined || isUsualText(bankAccount)) &&
    (projectCode === undefined || isUsualText(projectCode))
  );
}

function isUsualText(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > USUAL_LENGTH) return false;
  return value.charCodeAt(0) > SPACE && !UNUSUAL.test(value);
}

/** Only the service knows a currency that is not stated: it may be one with these decimals. */
function placesOf(entry: Entry): number {
  const number = numberOf(entry);
  // Writing every number takes long, and most have no more decimals than is usual.
  if (Math.round(number * 100) / 100 === number) return USUAL_PLACES;
  const decimals = String(number).split('.')[1]?.length ?? 0;
  return Math.min(Math.max(decimals, USUAL_PLACES), MOST_PLACES);
}
