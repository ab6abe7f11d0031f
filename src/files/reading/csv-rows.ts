/** Reads the rows of a CSV file with a mapping: trimmed values, exact amounts, ISO dates. */

import { count } from '../../core/counts.ts';
import { isOptional, type RowField } from '../../core/row-members.ts';
import { CURRENCY_COLUMN, type FieldColumn, findColumn } from '../mapping/columns.ts';
import { isAllAssumed, type Mapping, ruleOf } from '../mapping/mapping.ts';
import type { RowProblem } from '../problems.ts';
import { encodingBeside, findEncoding } from '../text/encodings.ts';
import { joinHead, openText } from '../text/text.ts';
import { type Header, readHeader } from './csv-header.ts';
import { type CsvRecord, cellOf, isBlank, readRecords } from './csv-records.ts';
import { isOneOf, valueReader } from './csv-values.ts';
import { MadeIds } from './made-ids.ts';
import { NotRows } from './not-rows.ts';
import { countOwnColumns, countOwnValues } from './rejected-rows.ts';
import type { Entry, Reading } from './rows.ts';

/** An open CSV file, whose entries can also be read piece by piece, which is faster. */
interface CsvReading extends Reading {
  /** Read either these or `entries`. */
  readonly pieces: AsyncIterable<Iterable<Entry>>;
  readonly isOfRejected: boolean;
}

/** Opens CSV bytes. Throws FileError, or MappingError when the mapping does not fit the header. */
export async function readCsv(bytes: AsyncIterable<Buffer>, mapping: Mapping): Promise<CsvReading> {
  const file = await openText(bytes, findEncoding(mapping.encoding ?? ''));
  const start = await startRows(file.lines, mapping);
  const { first, header, maker, remarks, ownColumns, isOfRejected } = start;
  const { columns, names, delimiter } = header;
  const read = new Set(columns.flatMap(({ indexes }) => indexes));
  const unread = names.slice(0, ownColumns).filter((name, index) => {
    return name !== '' && name !== CURRENCY_COLUMN && !read.has(index);
  });
  const pieces = maker.toPieces(readRecords(joinHead(first, file.lines), delimiter));
  const encoding = encodingBeside(file.encoding);
  return {
    entries: flatten(pieces),
    pieces,
    isOfRejected,
    rejectedForm: {
      kind: 'csv',
      header: names,
      ownColumns,
      delimiter,
      newline: first.includes('\r\n') ? '\r\n' : '\n',
      byteOrderMark: file.byteOrderMark || encoding !== file.encoding,
      encoding,
      // Without a header, the lines to skip must be written too.
      preamble: mapping.headerless && takeLines(first, header.line),
    },
    fieldNames: Object.fromEntries(
      columns.map(({ field, names: own }) => [field, own.join(' / ')]),
    ),
    notes: [
      ...describePreamble(header.preamble),
      ...(isAllAssumed(mapping) && unread.length > 0
        ? [`Columns not sent: ${unread.join(', ')}.`]
        : []),
    ],
    remarks,
    total: undefined,
  };
}

/** What makes entries of the records of a file that begins with these lines. */
export async function startRows(lines: AsyncGenerator<string>, mapping: Mapping) {
  const { first, header } = await readHeader(lines, mapping);
  const { columns, names } = header;
  const indexes = columns.flatMap((column) => column.indexes);
  const isHeaderless = mapping.headerless !== undefined;
  const ownColumns = isHeaderless ? names.length : countOwnColumns(names, indexes);
  const remarks: string[] = [];
  const maker = new RowMaker(header, mapping, remarks);
  /** Whether the file has the columns of a file of rejected rows. */
  const isOfRejected = ownColumns < names.length;
  return { first, header, maker, remarks, ownColumns, isOfRejected };
}

/**
 * Whether CSV bytes, or its rejected rows, have the columns of the file a mapping was made for.
 * Throws as `readCsv` does.
 */
export async function hasCsvHeaderOf(
  bytes: AsyncIterable<Buffer>,
  mapping: Mapping,
): Promise<boolean> {
  const { lines } = await openText(bytes, findEncoding(mapping.encoding ?? ''));
  try {
    const { header, ownColumns } = await startRows(lines, mapping);
    const [own, other] = [header.names.slice(0, ownColumns), mapping.header ?? []].map((each) =>
      each.join('\n').trimEnd(),
    );
    return own === other;
  } finally {
    await lines.return(undefined);
  }
}

async function* flatten(pieces: AsyncIterable<Iterable<Entry>>): AsyncGenerator<Entry> {
  for await (const piece of pieces) yield* piece;
}

function takeLines(text: string, lines: number): string {
  const all = text.match(/[^\r\n]*(?:\r\n|\r|\n)/g) ?? [];
  return all.slice(0, lines).join('');
}

function describePreamble(lines: readonly number[]): string[] {
  const [first] = lines;
  const last = lines.at(-1);
  if (first === undefined) return [];
  const which = first === last ? `line ${first}` : `lines ${first}–${last}`;
  return [`Skipped ${which}, before the first row.`];
}

/** How many skipped lines are named one by one. */
const REMARKS = 20;

/** Holds each row until its parts were read. */
class PartsBelow {
  /** The column of the account code. */
  readonly column: FieldColumn;
  readonly #date: number;
  #row: Entry | undefined;
  #parts: (readonly string[])[] = [];

  private constructor(column: FieldColumn, date: number) {
    this.column = column;
    this.#date = date;
  }

  /** Undefined unless the mapping says that the account code is below. */
  static of(columns: readonly FieldColumn[], mapping: Mapping): PartsBelow | undefined {
    const find = (name: string) => columns.find(({ field }) => field === name);
    const column = find('accountCode');
    if (column === undefined || ruleOf(mapping, 'accountCode').below !== true) return undefined;
    return new PartsBelow(column, find('date')?.indexes[0] ?? -1);
  }

  /** Whether the next record is a part of the row above it. */
  addPart(fields: readonly string[]): boolean {
    const isPart = this.#row !== undefined && cellOf(fields, this.#date) === '';
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
    const [code = '', other] = new Set(below.map((each) => cellOf(each, index)));
    const isOne = code !== '' && other === undefined && row.row !== undefined;
    const own = isOne ? { ...Object(row.row), accountCode: code } : row.row;
    return { ...row, row: own, original: { fields, below } };
  }
}

/** Makes the entries of one reading, each of a record. */
export class RowMaker {
  readonly #header: Header;
  readonly #mapping: Mapping;
  readonly #remarks: string[];
  readonly #readers: readonly {
    readonly field: RowField;
    readonly read: ReturnType<typeof valueReader>;
    readonly mayLack: boolean;
  }[];
  readonly #guards: ReturnType<typeof guardsOf>;
  readonly #notRows: NotRows;
  readonly #below: PartsBelow | undefined;
  /** The columns of a made externalId, and whether the date is one of them. */
  readonly #made: { readonly indexes: readonly number[]; readonly isDated: boolean } | undefined;
  readonly #ids = new MadeIds();
  /** The column of the currency, which a file with the names of the fields can have; else -1. */
  readonly #currency: number;
  /** The fewest values in a row. */
  readonly #width: number;
  #left = 0;

  constructor(header: Header, mapping: Mapping, remarks: string[]) {
    this.#header = header;
    this.#mapping = mapping;
    this.#remarks = remarks;
    const { columns, names } = header;
    const isMade = ruleOf(mapping, 'externalId').made !== undefined;
    const made = isMade ? columns.find(({ field }) => field === 'externalId') : undefined;
    this.#below = PartsBelow.of(columns, mapping);
    this.#readers = columns
      .filter((column) => column !== made && column !== this.#below?.column)
      .map((column) => {
        const { field } = column;
        return { field, read: valueReader(column, mapping), mayLack: isOptional(field) };
      });
    this.#guards = guardsOf(mapping, names);
    const date = columns.find(({ field }) => field === 'date')?.indexes[0];
    const isDated = made?.indexes.some((index) => index === date) === true;
    this.#made = made && { indexes: made.indexes, isDated };
    this.#currency = mapping.isAssumed === true ? names.indexOf(CURRENCY_COLUMN) : -1;
    this.#notRows = new NotRows(mapping.notRows ?? [], mapping, names);
    // Some exports end every line, or only the header, with extra delimiters.
    const named = names.map((name) => name !== '').lastIndexOf(true) + 1;
    this.#width = mapping.fewestValues ?? mapping.headerless?.columns ?? named;
  }

  async *toPieces(pieces: AsyncGenerator<readonly CsvRecord[]>): AsyncGenerator<Iterable<Entry>> {
    for await (const records of pieces) yield this.#toEntries(records);
    const last = this.end();
    if (last !== undefined) yield [last];
  }

  /** The last entry, if others could be parts of it; says how many more remarks there are. */
  end(): Entry | undefined {
    const more = this.#left - REMARKS;
    if (more > 0) this.#remarks[REMARKS] = `… and ${count(more, 'more line')} that are not rows.`;
    return this.#below?.take();
  }

  *#toEntries(records: readonly CsvRecord[]): Generator<Entry> {
    for (const record of records) {
      const entry = this.toEntry(record);
      if (entry !== undefined) yield entry;
    }
  }

  /**
   * The entry of the next record, or of the one before if the next ones can be parts of it;
   * undefined if it is not a row, with a remark if not blank.
   */
  toEntry(record: CsvRecord): Entry | undefined {
    if (isBlank(record.fields)) return undefined;
    const isBefore = record.line <= this.#header.line;
    if (isBefore && this.#mapping.headerless === undefined) return undefined;
    if (this.#below?.addPart(record.fields)) return undefined;
    const entry = this.#read(record);
    // Without a header, a fixed number of lines is skipped; next month one may be a row.
    if (entry === undefined || (isBefore && entry.problems.length > 0)) return undefined;
    return this.#below === undefined ? entry : this.#below.take(entry);
  }

  #read({ line, fields: all }: CsvRecord): Entry | undefined {
    const fields = this.#withoutRejected(all);
    const { names } = this.#header;
    const isHeader = fields.every((_, at) => cellOf(fields, at) === (names[at] ?? ''));
    if (isHeader) return this.#leave(line, fields, 'it repeats the header');
    const reason = this.#notRows.explainAny(fields);
    if (reason !== undefined) return this.#leave(line, fields, reason);
    const wrong = this.#checkWidth(fields);
    const made = wrong === undefined ? this.#toRow(fields) : { row: undefined, problems: [wrong] };
    const { row, problems } = made;
    if (problems.length === 0) this.#notRows.addRow(fields);
    else {
      const why = this.#notRows.explain(fields);
      if (why !== undefined) return this.#leave(line, fields, why.reason);
    }
    return { line, original: { fields }, row, problems };
  }

  #leave(line: number, fields: readonly string[], reason: string): undefined {
    this.#left += 1;
    if (this.#left > REMARKS) return;
    const own = fields.filter((field) => field.trim() !== '').join(this.#header.delimiter);
    const text = own.replace(/\s+/g, ' ').slice(0, 60);
    this.#remarks.push(`line ${line} is not a row: ${reason} (${text})`);
  }

  /** Without a header, the columns of a rejected row can be identified only by their values. */
  #withoutRejected(fields: readonly string[]): readonly string[] {
    const { headerless } = this.#mapping;
    if (headerless === undefined) return fields;
    return fields.slice(0, countOwnValues(fields, headerless.columns));
  }

  /** A missing value means a missing delimiter, so later values are in the wrong columns. */
  #checkWidth(fields: readonly string[]): RowProblem | undefined {
    const width = this.#width;
    // Each value of a sheet is in its column, and notes can be beside the table.
    if (width === 0) return undefined;
    const { length } = this.#header.names;
    const isFull = fields.length >= width;
    if (isFull && (fields.length <= length || isBlank(fields.slice(length)))) return undefined;
    const columns = count(width, 'column');
    const counts = `${count(fields.length, 'value')} where the header has ${columns}`;
    const cause = fields.length > width ? 'does a value need quotation marks' : 'is it cut off';
    return { field: null, code: 'field_count', message: `The row has ${counts}: ${cause}?` };
  }

  #toRow(fields: readonly string[]): Pick<Entry, 'row' | 'problems'> {
    const row: Partial<Record<RowField | 'currency', string | number>> = {};
    const problems: RowProblem[] = [];
    for (const { field, read, mayLack } of this.#readers) {
      const found = read(fields);
      if (typeof found === 'object') problems.push(found.problem);
      // An optional one that is empty means the same as null.
      else if (found !== '' || !mayLack) row[field] = found;
    }
    const currency = this.#currency < 0 ? '' : (fields[this.#currency] ?? '');
    if (currency !== '') row.currency = currency;
    for (const explain of this.#guards) {
      const problem = explain(fields);
      if (problem !== undefined) problems.push(problem);
    }
    if (problems.length > 0) return { row: undefined, problems };
    if (this.#made === undefined) return { row, problems };
    const { indexes, isDated } = this.#made;
    const values = indexes.map((index) => fields[index] ?? '');
    // Equal rows are counted per date; the date is added unless the mapping names it.
    const externalId = this.#ids.make(isDated ? values : [String(row.date), ...values]);
    return { row: { externalId, ...row }, problems };
  }
}

/** Why a row is not accepted although its values can be read; undefined if it is. */
type Guard = (fields: readonly string[]) => RowProblem | undefined;

/** What accepts only rows with the currency and the status of the mapping. */
function guardsOf({ currency, status }: Mapping, header: readonly string[]): Guard[] {
  const words = [status?.is ?? []].flat();
  const statuses = words.map((word) => `"${word}"`).join(' or ');
  const ofCurrency = currency && {
    column: currency.column,
    wanted: `in ${currency.is}`,
    accepts: (text: string) => text === currency.is,
    problem: { field: 'amount', code: 'other_currency' },
  };
  const ofStatus = status && {
    column: status.column,
    wanted: `with ${statuses}`,
    accepts: (text: string) => isOneOf(words, text),
    problem: { field: null, code: 'other_status' },
  };
  return [ofCurrency ?? [], ofStatus ?? []].flat().map(({ column, wanted, accepts, problem }) => {
    const index = findColumn(column, header) ?? -1;
    return (fields) => {
      const text = cellOf(fields, index);
      if (accepts(text)) return undefined;
      const message = `"${column}" is "${text}": the mapping accepts only rows ${wanted}.`;
      return { ...problem, message };
    };
  });
}
