/**
 * The layout of a file: its delimiter, its header, and the lines before it. A delimiter is proven
 * by lines that contain a date and an amount with it and with no other. A header is a line above
 * the first of those lines that contains neither.
 */

import { count } from '../../core/counts.ts';
import { remembered } from '../../core/remembered.ts';
import { findColumn } from '../mapping/columns.ts';
import { showDelimiter } from '../mapping/mapping-values.ts';
import { paced } from '../pace.ts';
import { FileError } from '../problems.ts';
import { DELIMITERS, findSeparatorLine, HEADER_RECORDS } from '../reading/csv-header.ts';
import { type CsvRecord, cellOf, isBlank, Splitter } from '../reading/csv-records.ts';
import { countOwnColumns, countOwnOfRows } from '../reading/rejected-rows.ts';
import type { Encoding } from '../text/encodings.ts';
import { countLines, type FileSource, openLines } from '../text/text.ts';
import { splitAmount } from '../values/amount-writing.ts';
import { isDecimal } from '../values/decimals.ts';
import { countKnown } from '../vocabulary/column-names.ts';
import { shapeOf } from './date-column.ts';
import {
  AnswerError,
  type Answers,
  ask,
  choice,
  type Decision,
  type Finding,
  isAsked,
  proven,
  quote,
  type StepOutcome,
  stated,
} from './found.ts';

export interface Layout {
  readonly delimiter: Finding<string>;
  /** The column names, trimmed; all empty when there is no header. */
  readonly names: readonly string[];
  /** The most values in a row: those, and what a file of rejected rows has behind them. */
  readonly width: number;
  /** The line of the header; 0 if there is none. */
  readonly headerLine: Finding<number>;
  /** The first line that can be a row. */
  readonly firstRowLine: number;
  /** The lines before the header, or before the first row, that are not blank. */
  readonly preamble: readonly CsvRecord[];
  /** Whether any line has a full date; if not, any line after the header may be a row. */
  readonly hasDays: boolean;
}

/** How much of a file is read to find its layout. */
const HEAD_LINES = 2000;
const HEAD_CHARACTERS = 1024 * 1024;
/** Some steps look at all columns at once: this many keep them within some milliseconds. */
const COLUMNS = 1000;

/** The first lines, split with one delimiter. */
interface Head {
  readonly delimiter: string;
  readonly records: readonly CsvRecord[];
  /** The records with a date and an amount that have the most common number of values. */
  readonly rows: readonly CsvRecord[];
  /** The record that names columns, whatever comes before it. */
  readonly named: CsvRecord | undefined;
}

/** Works out the layout. Throws FileError for a file without a table. */
export async function inspectLayout({
  source,
  encoding,
  answers,
}: {
  readonly source: FileSource;
  readonly encoding: Finding<Encoding>;
  readonly answers: Answers;
}): Promise<StepOutcome<Layout>> {
  const pieces = await readHead(source, encoding.value);
  const heads = new Map<string, Promise<Head>>();
  const headOf = (own: string) => {
    const head = heads.get(own) ?? splitHead(pieces, own);
    heads.set(own, head);
    return head;
  };
  const delimiter = await findDelimiter(pieces, headOf, answers);
  if (isAsked(delimiter)) return delimiter;
  const { records, rows, named } = await headOf(delimiter.value);
  const said = answers.last.header;
  if (said !== undefined) {
    const line = said.header ?? 0;
    const header = records.find((record) => record.line === line);
    if (line > 0 && header === undefined) {
      throw new AnswerError(said, ` ${line}: that line is empty.`);
    }
    const layout = withoutRejected(describe(records, delimiter, header, rows[0]), answers);
    return { ...layout, headerLine: stated(line, said) };
  }
  // A first line of metadata can have a date and an amount: only lines after the header count.
  const first = rows.find(({ line }) => line > (named?.line ?? 0));
  if (first === undefined && named === undefined) throw noTable(records);
  const header = first === undefined ? named : findHeaderAbove(records, first);
  return withoutRejected(describe(records, delimiter, header, first), answers);
}

/** Without the columns that a file of rejected rows has more, unless an answer names one. */
function withoutRejected(layout: Layout, { columns }: Answers): Layout {
  const { names } = layout;
  const said = [...columns.values()].flat().flatMap(({ column }) => {
    return column === null ? [] : (findColumn(column, names) ?? []);
  });
  return { ...layout, names: names.slice(0, countOwnColumns(names, said)) };
}

async function readHead(source: FileSource, encoding: Encoding): Promise<string[]> {
  const pieces: string[] = [];
  let [lines, length] = [0, 0];
  for await (const text of paced(openLines(source, encoding))) {
    pieces.push(text);
    lines += countLines(text);
    length += text.length;
    if (lines > HEAD_LINES || length > HEAD_CHARACTERS) break;
  }
  if (pieces.every((text) => text.trim() === '')) throw new FileError('it is empty.');
  return pieces;
}

async function splitHead(pieces: readonly string[], delimiter: string): Promise<Head> {
  const splitter = new Splitter(delimiter);
  const records: CsvRecord[] = [];
  const found: CsvRecord[] = [];
  const counts = new Map<number, number>();
  let left = HEAD_LINES;
  for await (const record of paced(splitPieces(pieces, splitter))) {
    if (left === 0) break;
    left -= 1;
    const { fields } = record;
    if (isBlank(fields)) continue;
    records.push(record);
    if (!isRowLike(fields)) continue;
    found.push(record);
    counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  }
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  const rows = found.filter(({ fields }) => fields.length === most?.[0]);
  return { delimiter, records, rows, named: await findHeaderByNames(records) };
}

function* splitPieces(pieces: readonly string[], splitter: Splitter): Generator<CsvRecord> {
  for (const text of pieces) yield* splitter.split(text);
  yield* splitter.end();
}

/** Cells of one record in which a date and an amount are looked for: no table needs more. */
const LOOKED_CELLS = 1_000;

/** The test `isRowLike`, which first looks where the last row had its date and its amount. */
export function rowTest(): (fields: readonly string[]) => boolean {
  let [day, amount] = [-1, -1];
  const isKnownDay = remembered(isDay);
  return (fields) => {
    const other = cellOf(fields, amount);
    const isOther = isDecimal(other) || (isAmount(other) && !isDay(other));
    if (isOther && isKnownDay(cellOf(fields, day))) return true;
    if (!isRowLike(fields)) return false;
    const cells = fields.map((field) => field.trim());
    day = cells.findIndex(isDay);
    amount = cells.findIndex((cell) => isAmount(cell) && !isDay(cell));
    return true;
  };
}

/** Whether a record has a date and, in another cell, an amount. */
function isRowLike(fields: readonly string[]): boolean {
  let [hasDay, hasAmount] = [false, false];
  for (const field of fields.slice(0, LOOKED_CELLS)) {
    const cell = field.trim();
    if (cell === '') continue;
    if (hasDay && !isAmount(cell)) continue;
    if (isDay(cell)) hasDay = true;
    else if (!hasAmount) hasAmount = isAmount(cell);
    if (hasDay && hasAmount) return true;
  }
  return false;
}

function isDay(cell: string): boolean {
  const shape = shapeOf(cell);
  return shape !== undefined && !shape.key.startsWith('6');
}

function isAmount(cell: string): boolean {
  return splitAmount(cell) !== undefined;
}

async function findDelimiter(
  pieces: readonly string[],
  headOf: (delimiter: string) => Promise<Head>,
  answers: Answers,
): Promise<Decision<string>> {
  const said = answers.last.delimiter;
  if (said !== undefined) return stated(said.delimiter, said);
  const [begin = ''] = pieces;
  const separator = findSeparatorLine(begin);
  if (separator !== undefined) {
    const because = `line 1 states it: ${quote(begin.split(/[\r\n]/, 1)[0] ?? '')}`;
    return proven(separator, { line: 1, text: `sep=${separator}` }, because);
  }
  const scores: { head: Head; score: number }[] = [];
  // One that occurs nowhere finds nothing; the first one tells what is wrong if none does.
  const tried = DELIMITERS.filter((each, at) => at === 0 || pieces.some((p) => p.includes(each)));
  for (const each of tried) {
    const head = await headOf(each);
    scores.push({ head, score: head.rows.length || (head.named === undefined ? 0 : 0.5) });
  }
  const [best, second] = scores.sort((one, other) => other.score - one.score);
  if (best === undefined || best.score === 0) throw noTable(best?.head.records);
  if (second !== undefined && second.score > 0 && second.score >= best.score / 5) {
    return askDelimiter([best.head, second.head]);
  }
  return proveDelimiter(best.head);
}

function askDelimiter(heads: readonly Head[]) {
  const text =
    'Which character separates the columns? More than one gives lines with a date and an amount.';
  const choices = heads.map(({ delimiter, rows }) => {
    const meaning = `values are separated by ${showDelimiter(delimiter)}`;
    const examples = rows.slice(0, 2).map(({ line, fields }) => {
      return `line ${line}: ${fields
        .slice(0, 6)
        .map((field) => quote(field, 20))
        .join(', ')}`;
    });
    return { ...choice({ kind: 'delimiter', delimiter }, meaning), examples };
  });
  return ask('delimiter', text, choices);
}

function proveDelimiter({ delimiter, rows, records }: Head): Finding<string> {
  const [{ line, fields } = { line: 1, fields: [] }] = rows.length > 0 ? rows : records;
  const what = rows.length > 0 ? ', with a date and an amount' : '';
  const values = count(fields.length, 'value');
  const because = `only this delimiter splits line ${line} into ${values}${what}`;
  return proven(delimiter, { line, text: fields.join(delimiter) }, because);
}

/** The record above the first row that names the most columns; the nearest one in a tie. */
function findHeaderAbove(records: readonly CsvRecord[], row: CsvRecord): CsvRecord | undefined {
  const end = records.indexOf(row);
  const width = widthOf(row.fields);
  const [best] = records
    .slice(Math.max(0, end - HEADER_DISTANCE), end)
    .reverse()
    .filter(({ fields }) => isHeaderLike(fields, width))
    .map((record) => ({ record, known: countKnown(record.fields) }))
    .sort((one, other) => other.known - one.known);
  return best?.record;
}

/** How many records, such as an opening balance, can be between the header and the first row. */
const HEADER_DISTANCE = 6;

function isHeaderLike(fields: readonly string[], width: number): boolean {
  const cells = fields.map((field) => field.trim()).filter((cell) => cell !== '');
  if (cells.length < 2 || widthOf(fields) < Math.min(width, 2)) return false;
  if (cells.slice(0, LOOKED_CELLS).some((cell) => isDay(cell) || isAmount(cell))) return false;
  // A heading of a few cells above a wide table names none of its columns.
  return cells.length >= width / 2 || countKnown(cells) >= 2;
}

function widthOf(fields: readonly string[]): number {
  return fields.map((field) => field.trim() !== '').lastIndexOf(true) + 1;
}

/** The first record that names columns, whatever comes before it. */
async function findHeaderByNames(records: readonly CsvRecord[]): Promise<CsvRecord | undefined> {
  for await (const [at, record] of paced(records.entries())) {
    const { fields } = record;
    if (fields.length > 2 && countKnown(fields) >= 3) return records[at + 1] && record;
  }
  return records
    .slice(0, HEADER_DISTANCE + 1)
    .find(({ fields }, at) => isAboveRow(fields, records[at + 1]?.fields ?? []));
}

/** Two known names are enough when a complete row follows and no name is missing. */
function isAboveRow(fields: readonly string[], below: readonly string[]): boolean {
  const filled = fields.filter((field) => field.trim() !== '').length;
  if (filled < 3 || filled < widthOf(below)) return false;
  return countKnown(fields) >= 2 && isHeaderLike(fields, widthOf(below)) && isRowLike(below);
}

/** The layout with this header, or without one and with this first row. */
function describe(
  records: readonly CsvRecord[],
  delimiter: Finding<string>,
  header: CsvRecord | undefined,
  first: CsvRecord | undefined,
): Layout {
  const at = header === undefined ? -1 : records.indexOf(header);
  if (header !== undefined && at >= HEADER_RECORDS) {
    throw new FileError(`its header is too far down, in line ${header.line}.`);
  }
  // Without a header, a line with a date and an amount is a row even if it has other columns.
  const isRow = ({ fields }: CsvRecord) => isRowLike(fields);
  const firstRow = header === undefined && first !== undefined ? records.findIndex(isRow) : at + 1;
  const firstRowLine = records[firstRow]?.line ?? 1;
  const { line, fields } = header ?? {
    line: 0,
    fields: (first ?? records[firstRow])?.fields ?? [],
  };
  if (fields.length > COLUMNS) {
    throw new FileError(
      `it has ${count(fields.length, 'column')}, more than ${COLUMNS}. Delete what is not needed.`,
    );
  }
  // With a header, its names tell how many columns belong to the input.
  const found = header === undefined ? records.slice(firstRow).filter(isRow) : undefined;
  const rows = found?.map((each) => each.fields);
  const own = rows && countOwnOfRows(rows, fields.length);
  const text = fields.join(delimiter.value);
  const because =
    header === undefined
      ? `there are no column names above the first row, line ${firstRowLine}`
      : `line ${line} has the column names: ${quote(text)}`;
  return {
    delimiter,
    names: fields.map((name) => (header === undefined ? '' : name.trim())).slice(0, own),
    width: fields.length,
    headerLine: proven(line, { line: line || firstRowLine, text }, because),
    firstRowLine,
    preamble: records.slice(0, at < 0 ? firstRow : at),
    hasDays: records.slice(firstRow).some(isRow),
  };
}

/** A year and a month in place of a date. */
const MONTH = /^(?:20\d\d[-/.](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])[-/.]20\d\d)$/;

function noTable(records: readonly CsvRecord[] = []): FileError {
  for (const { line, fields } of records) {
    const month = fields.find((field) => MONTH.test(field.trim()));
    if (month === undefined || !fields.some((field) => field !== month && isAmount(field)))
      continue;
    const way = 'Each payment needs a day: export the file again with full dates.';
    return new FileError(`line ${line} has only a month, ${quote(month)}. ${way}`);
  }
  return new FileError('no line has a date and an amount.', { kind: 'state layout' });
}
