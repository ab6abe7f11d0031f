/**
 * The layout of a file: its delimiter, its header, and the lines before it. A delimiter is proven
 * by lines that contain a date and an amount with it and with no other. A header is a line above
 * the first of those lines that contains neither.
 */

import { splitAmount } from '../rows/amount-writing.ts';
import { DELIMITERS, findSeparatorLine, HEADER_RECORDS } from '../rows/csv-header.ts';
import { type CsvRecord, isBlank, Splitter } from '../rows/csv-records.ts';
import type { Encoding } from '../rows/encodings.ts';
import { FileError } from '../rows/problems.ts';
import { countLines } from '../rows/text.ts';
import type { AnswerOf, Answers } from './answers.ts';
import { shapeOf } from './date-shapes.ts';
import {
  AnswerError,
  ask,
  choice,
  type Decision,
  type Finding,
  isAsked,
  type Outcome,
  proven,
  quote,
  stated,
} from './found.ts';
import { paced } from './pace.ts';
import { readText, type Source } from './source.ts';
import { countKnown } from './vocabulary/column-names.ts';

/** The layout of a file. */
export interface Layout {
  readonly delimiter: Finding<string>;
  /** The column names, trimmed; all empty when there is no header. */
  readonly names: readonly string[];
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

/** The first lines, split with one delimiter. */
interface Head {
  readonly delimiter: string;
  readonly records: readonly CsvRecord[];
  /** The records with a date and an amount that have the most common number of values. */
  readonly rows: readonly CsvRecord[];
  /** The record that names columns, whatever comes before it. */
  readonly named: HeaderPlace | undefined;
}

/** Works out the layout. Throws FileError for a file without a table. */
export async function inspectLayout(
  source: Source,
  encoding: Encoding,
  answers: Answers,
): Promise<Outcome<Layout>> {
  const pieces = await readHead(source, encoding);
  const delimiter = await findDelimiter(pieces, answers);
  if (isAsked(delimiter)) return delimiter;
  const { records, rows, named } = await splitHead(pieces, delimiter.value);
  const said = answers.last.header;
  if (said !== undefined) return layOut({ records, rows }, delimiter, said);
  // A first line of metadata can have a date and an amount: only lines after the header count.
  const first = named === undefined ? 0 : (records[named.at]?.line ?? 0);
  const below = rows.filter((row) => row.line > first);
  const header = below.length > 0 ? findHeaderAbove(records, below) : named;
  if (header === undefined) throw noTable();
  return describe(records, delimiter, header);
}

async function readHead(source: Source, encoding: Encoding): Promise<string[]> {
  const pieces: string[] = [];
  let [lines, length] = [0, 0];
  for await (const { text } of paced(readText(source, encoding))) {
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
  const add = (record: CsvRecord) => {
    const { fields } = record;
    if (isBlank(fields)) return;
    records.push(record);
    if (!isRowLike(fields)) return;
    found.push(record);
    counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  };
  let all = 0;
  for await (const record of paced(splitPieces(pieces, splitter))) {
    if (all < HEAD_LINES) add(record);
    all += 1;
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

/** Whether a record has a date and, in another cell, an amount. */
export function isRowLike(fields: readonly string[]): boolean {
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
  for (const each of DELIMITERS) {
    const head = await splitHead(pieces, each);
    scores.push({ head, score: head.rows.length || (head.named === undefined ? 0 : 0.5) });
  }
  const [best, second] = scores.sort((one, other) => other.score - one.score);
  if (best === undefined || best.score === 0) throw noTable();
  if (second !== undefined && second.score > 0 && second.score >= best.score / 5) {
    return askDelimiter([best.head.delimiter, second.head.delimiter]);
  }
  return proveDelimiter(best.head);
}

/** The delimiter as it is shown: a tab by its name. */
export function showDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}

function askDelimiter(delimiters: readonly string[]) {
  const text =
    'More than one delimiter splits lines into a date and an amount. Which one is right?';
  const choices = delimiters.map((delimiter) => {
    const meaning = `values are separated by ${showDelimiter(delimiter)}`;
    return choice({ kind: 'delimiter', delimiter }, meaning);
  });
  return ask('delimiter', text, choices);
}

function proveDelimiter({ delimiter, rows, records }: Head): Finding<string> {
  const [{ line, fields } = { line: 1, fields: [] }] = rows.length > 0 ? rows : records;
  const what = rows.length > 0 ? ', with a date and an amount' : '';
  const because = `only this delimiter splits line ${line} into ${fields.length} values${what}`;
  return proven(delimiter, { line, text: fields.join(delimiter) }, because);
}

interface HeaderPlace {
  /** The header's index among the records; -1 if there is none. */
  readonly at: number;
  /** The index of the first record that can be a row. */
  readonly firstRow: number;
}

/** The record above the first row that names the most columns; the nearest one in a tie. */
function findHeaderAbove(records: readonly CsvRecord[], rows: readonly CsvRecord[]): HeaderPlace {
  const firstRow = records.indexOf(rows[0] ?? NO_RECORD);
  const width = widthOf(rows[0]?.fields ?? []);
  let best = { at: -1, known: -1 };
  for (let at = firstRow - 1; at >= Math.max(0, firstRow - HEADER_DISTANCE); at -= 1) {
    const { fields } = records[at] ?? NO_RECORD;
    if (!isHeaderLike(fields, width)) continue;
    const known = countKnown(fields);
    if (known > best.known) best = { at, known };
  }
  return best.at < 0 ? { at: -1, firstRow } : { at: best.at, firstRow: best.at + 1 };
}

const NO_RECORD: CsvRecord = { line: 0, fields: [] };

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
async function findHeaderByNames(records: readonly CsvRecord[]): Promise<HeaderPlace | undefined> {
  for await (const [at, { fields }] of paced(records.entries())) {
    if (fields.length > 2 && countKnown(fields) >= 3) return placeOf(at, records);
  }
  const at = records.findIndex((record, index) => isAboveRow(record, index, records));
  return placeOf(at, records);
}

function placeOf(at: number, records: readonly CsvRecord[]): HeaderPlace | undefined {
  return at < 0 || records[at + 1] === undefined ? undefined : { at, firstRow: at + 1 };
}

/** Two known names are enough when a complete row follows and no name is missing. */
function isAboveRow({ fields }: CsvRecord, at: number, records: readonly CsvRecord[]): boolean {
  if (at > HEADER_DISTANCE) return false;
  const below = records[at + 1]?.fields ?? [];
  const filled = fields.filter((field) => field.trim() !== '').length;
  if (filled < 3 || filled < widthOf(below)) return false;
  return countKnown(fields) >= 2 && isHeaderLike(fields, widthOf(below)) && isRowLike(below);
}

function describe(
  records: readonly CsvRecord[],
  delimiter: Finding<string>,
  { at, firstRow }: HeaderPlace,
): Layout {
  if (at >= HEADER_RECORDS) {
    throw new FileError(`its header is too far down, in line ${records[at]?.line}.`);
  }
  const header = records[at];
  const row = records[firstRow];
  const firstRowLine = row?.line ?? 1;
  const preamble = records.slice(0, at < 0 ? firstRow : at);
  const names = (header ?? row)?.fields.map((name) => (header === undefined ? '' : name.trim()));
  const line = header?.line ?? 0;
  const shown = (header ?? row)?.fields.join(delimiter.value) ?? '';
  const because =
    header === undefined
      ? `there are no column names above the first row, line ${firstRowLine}`
      : `line ${line} has the column names: ${quote(shown)}`;
  const seen = { line: header?.line ?? firstRowLine, text: shown };
  return {
    delimiter,
    names: names ?? [],
    headerLine: proven(line, seen, because),
    firstRowLine,
    preamble,
    hasDays: records.slice(firstRow).some(({ fields }) => isRowLike(fields)),
  };
}

/** The layout when the user stated the line of the header. */
function layOut(
  { records, rows: [row] }: Pick<Head, 'records' | 'rows'>,
  delimiter: Finding<string>,
  said: AnswerOf<'header'>,
): Layout {
  const headerLine = said.header ?? 0;
  const at = records.findIndex(({ line }) => line === headerLine);
  if (headerLine > 0 && at < 0) {
    throw new AnswerError(said, ` ${headerLine}: that line is empty.`);
  }
  const first = row === undefined ? 0 : records.indexOf(row);
  const layout = describe(records, delimiter, { at, firstRow: at < 0 ? first : at + 1 });
  return { ...layout, headerLine: stated(headerLine, said) };
}

function noTable(): FileError {
  return new FileError('no line has a date and an amount.', { kind: 'state layout' });
}
