/**
 * The layout of a file: its delimiter, its header, and the lines before it. A delimiter is proven
 * by lines that contain a date and an amount with it and with no other. A header is a line above
 * the first of those lines that contains neither.
 */

import { splitAmount } from '../rows/amount-writing.ts';
import { DELIMITERS, findSeparatorLine, HEADER_RECORDS } from '../rows/csv-header.ts';
import { type CsvRecord, isBlank, previewRecords } from '../rows/csv-records.ts';
import type { Encoding } from '../rows/encodings.ts';
import { FileError } from '../rows/problems.ts';
import { countLines, noFacts, readLines } from '../rows/text.ts';
import type { Answers } from './answers.ts';
import { shapeOf } from './date-shapes.ts';
import { type Answer, type Evidence, type Finding, type Question, quote, stated } from './found.ts';
import { countKnown } from './header-words.ts';
import type { CsvSource } from './source.ts';

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

/** Works out the layout. Throws FileError for a file without a table. */
export async function inspectLayout(
  source: CsvSource,
  encoding: Encoding,
  answers: Answers,
): Promise<{ readonly layout: Layout } | { readonly question: Question }> {
  const text = await readHead(source, encoding);
  const delimiter = findDelimiter(text, answers);
  if (delimiter.question !== undefined) return delimiter;
  const records = recordsUnder(text, delimiter.value);
  const named = findHeaderByNames(records);
  // A first line of metadata can have a date and an amount: only lines after the header count.
  const rows = findRowLike(records).filter((row) => named === undefined || row.line > named.line);
  if (answers.header !== undefined) return { layout: layOut(records, delimiter, answers.header) };
  const header = rows.length > 0 ? findHeaderAbove(records, rows) : named;
  if (header === undefined) throw noTable();
  return { layout: describe(records, delimiter, header) };
}

async function readHead(source: CsvSource, encoding: Encoding): Promise<string> {
  let text = '';
  let lines = 0;
  for await (const piece of readLines(source.read(), noFacts(), encoding)) {
    text += piece.text;
    lines += countLines(piece.text);
    if (lines > HEAD_LINES || text.length > HEAD_CHARACTERS) break;
  }
  if (text.trim() === '') throw new FileError('it is empty.');
  return text;
}

function recordsUnder(text: string, delimiter: string): CsvRecord[] {
  return previewRecords(text, delimiter, HEAD_LINES).filter(({ fields }) => !isBlank(fields));
}

/** The records with a date and an amount that have the most common number of values. */
function findRowLike(records: readonly CsvRecord[]): CsvRecord[] {
  const found = records.filter(({ fields }) => isRowLike(fields));
  const counts = new Map<number, number>();
  for (const { fields } of found) counts.set(fields.length, (counts.get(fields.length) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return found.filter(({ fields }) => fields.length === most?.[0]);
}

/** Whether a record has a date and, in another cell, an amount. */
export function isRowLike(fields: readonly string[]): boolean {
  const cells = fields.map((field) => field.trim()).filter((cell) => cell !== '');
  return cells.some(isDay) && cells.some((cell) => isAmount(cell) && !isDay(cell));
}

function isDay(cell: string): boolean {
  const shape = shapeOf(cell);
  return shape !== undefined && !shape.key.startsWith('6');
}

function isAmount(cell: string): boolean {
  return splitAmount(cell) !== undefined;
}

function findDelimiter(text: string, answers: Answers): Answer<string> {
  if (answers.delimiter !== undefined) return stated(answers.delimiter, '--delimiter');
  const separator = findSeparatorLine(text);
  if (separator !== undefined) {
    const because = `line 1 states it: ${quote(text.split(/[\r\n]/, 1)[0] ?? '')}`;
    return { value: separator, evidence: { line: 1, text: `sep=${separator}`, because } };
  }
  const scores = DELIMITERS.map((delimiter) => {
    const records = recordsUnder(text, delimiter);
    const rows = findRowLike(records);
    const named = findHeaderByNames(records);
    return { delimiter, records, rows, score: rows.length || (named === undefined ? 0 : 0.5) };
  }).sort((one, other) => other.score - one.score);
  const [best, second] = scores;
  if (best === undefined || best.score === 0) throw noTable();
  if (second !== undefined && second.score > 0 && second.score >= best.score / 5) {
    return { question: askDelimiter(best.delimiter, second.delimiter) };
  }
  return { value: best.delimiter, evidence: proveDelimiter(best) };
}

/** The delimiter as it is shown: a tab by its name. */
export function showDelimiter(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}

function askDelimiter(one: string, other: string): Question {
  const text =
    'More than one delimiter splits lines into a date and an amount. Which one is right?';
  const choices = [one, other].map((delimiter) => {
    const shown = showDelimiter(delimiter);
    return { option: ['delimiter', shown] as const, meaning: `values are separated by ${shown}` };
  });
  return { id: 'delimiter', text, choices };
}

function proveDelimiter(found: {
  delimiter: string;
  rows: readonly CsvRecord[];
  records: readonly CsvRecord[];
}): Evidence {
  const [row] = found.rows.length > 0 ? found.rows : found.records;
  const line = row?.line ?? 1;
  const text = row?.fields.join(found.delimiter) ?? '';
  const count = row?.fields.length ?? 0;
  const what = found.rows.length > 0 ? ', with a date and an amount' : '';
  const because = `only this delimiter splits line ${line} into ${count} values${what}`;
  return { line, text, because };
}

/** A record with column names: its place and its line. */
interface NamedPlace extends HeaderPlace {
  readonly line: number;
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
  if (cells.some((cell) => isDay(cell) || isAmount(cell))) return false;
  // A heading of a few cells above a wide table names none of its columns.
  return cells.length >= width / 2 || countKnown(cells) >= 2;
}

function widthOf(fields: readonly string[]): number {
  return fields.map((field) => field.trim() !== '').lastIndexOf(true) + 1;
}

/** The first record that names columns, whatever comes before it. */
function findHeaderByNames(records: readonly CsvRecord[]): NamedPlace | undefined {
  const known = records.findIndex(({ fields }) => fields.length > 2 && countKnown(fields) >= 3);
  const at = known >= 0 ? known : records.findIndex(isAboveRow);
  const line = records[at]?.line;
  if (line === undefined || records[at + 1] === undefined) return undefined;
  return { at, firstRow: at + 1, line };
}

/** Two known names are enough when a complete row follows and no name is missing. */
function isAboveRow({ fields }: CsvRecord, at: number, records: readonly CsvRecord[]): boolean {
  const below = records[at + 1]?.fields ?? [];
  const filled = fields.filter((field) => field.trim() !== '').length;
  if (at > HEADER_DISTANCE || filled < 3 || filled < widthOf(below)) return false;
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
  const evidence = { line: header?.line ?? firstRowLine, text: shown, because };
  return {
    delimiter,
    names: names ?? [],
    headerLine: { value: line, evidence },
    firstRowLine,
    preamble,
    hasDays: records.slice(firstRow).some(({ fields }) => isRowLike(fields)),
  };
}

/** The layout when the user stated the line of the header. */
function layOut(
  records: readonly CsvRecord[],
  delimiter: Finding<string>,
  headerLine: number,
): Layout {
  const at = records.findIndex(({ line }) => line === headerLine);
  if (headerLine > 0 && at < 0) {
    throw new FileError(`--header ${headerLine}: that line is empty.`);
  }
  const rows = findRowLike(records);
  const first = records.indexOf(rows[0] ?? NO_RECORD);
  const place =
    headerLine > 0 ? { at, firstRow: at + 1 } : { at: -1, firstRow: Math.max(first, 0) };
  const layout = describe(records, delimiter, place);
  const option = `--header ${headerLine === 0 ? 'none' : headerLine}`;
  return { ...layout, headerLine: stated(headerLine, option) };
}

function noTable(): FileError {
  const ask = 'If it is a CSV file with rows, set';
  const way = 'its delimiter with --delimiter and the line of its header with --header';
  return new FileError(`no line has a date and an amount. ${ask} ${way}.`);
}
