/**
 * Splits a CSV file into records: quoted values, any line end, and the line on which each record
 * begins. A broken quotation mark is an error with its line, because nobody can tell where the next
 * record begins.
 */

import Papa from 'papaparse';
import { FileError } from './problems.ts';
import type { Lines } from './text.ts';

/** One record: its values without quotation marks, line breaks as `\n`. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A longer record means that a quotation mark was never closed. This also limits memory. */
const RECORD_CHARACTERS = 4 * 1024 * 1024;

interface Parsed {
  readonly data: string[][];
  readonly errors: readonly { readonly code: string; readonly row: number }[];
  readonly meta: { readonly cursor: number };
}

/** Splits lines into records, one at a time. Throws FileError at a broken quotation mark. */
export async function* readRecords(
  pieces: AsyncIterable<Lines>,
  delimiter: string,
): AsyncGenerator<CsvRecord> {
  const parser = new Papa.Parser({ delimiter, newline: '\n' });
  let rest = '';
  let line = 1;
  const parse = (text: string, isLast: boolean): { records: CsvRecord[]; cursor: number } => {
    const { data, errors, meta }: Parsed = parser.parse(text, 0, !isLast);
    const records: CsvRecord[] = [];
    const [broken] = errors;
    for (const fields of broken === undefined ? data : data.slice(0, broken.row)) {
      records.push({ line, fields });
      line += 1 + countBreaks(fields);
    }
    if (broken !== undefined) throw brokenQuote(line, broken.code);
    return { records, cursor: meta.cursor };
  };
  for await (const { text } of pieces) {
    // With mixed line ends the parser would treat half of one as part of a value.
    const whole = rest + text.replace(/\r\n?/g, '\n');
    const { records, cursor } = parse(whole, false);
    yield* records;
    rest = whole.slice(cursor);
    if (rest.length > RECORD_CHARACTERS) throw brokenQuote(line, 'MissingQuotes');
  }
  if (rest !== '') yield* parse(rest, true).records;
}

/** The first records of a text that may be cut off; broken quotation marks are not reported. */
export function previewRecords(text: string, delimiter: string, limit: number): CsvRecord[] {
  const parser = new Papa.Parser({ delimiter, newline: '\n', preview: limit });
  const { data }: Parsed = parser.parse(text.replace(/\r\n?/g, '\n'), 0, false);
  let line = 1;
  return data.map((fields) => {
    const record = { line, fields };
    line += 1 + countBreaks(fields);
    return record;
  });
}

/** Whether a record is blank: empty, only delimiters, or a line of dashes. */
export function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => /^(?:[-=_]{2,})?$/.test(field.trim()));
}

function countBreaks(fields: readonly string[]): number {
  let breaks = 0;
  for (const field of fields) {
    if (field.includes('\n')) breaks += field.split('\n').length - 1;
  }
  return breaks;
}

function brokenQuote(line: number, code: string): FileError {
  const what =
    code === 'MissingQuotes'
      ? 'a value starts with a quotation mark that is never closed'
      : 'a quoted value is followed by something other than a delimiter';
  return new FileError(`line ${line}: ${what}. Write a quotation mark inside a value twice: "".`);
}
