/**
 * The records of a CSV file: quoted values with delimiters, quotes and line breaks in them, any
 * line end, each record with the line it begins on. A broken quote ends the reading with its line,
 * as nobody can say where the next record begins.
 */

import Papa from 'papaparse';
import { FileError } from './rows.ts';
import type { Lines } from './text.ts';

/** One record: its values without their quotes, line breaks as `\n`. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A record beyond this is a quote that was never closed; it is also what is kept in memory. */
const RECORD_CHARACTERS = 4 * 1024 * 1024;

interface Parsed {
  readonly data: string[][];
  readonly errors: readonly { readonly code: string; readonly row: number }[];
  readonly meta: { readonly cursor: number };
}

/** Cuts lines into records, one at a time. Throws FileError at a broken quote. */
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
    // One kind of line end, or the parser takes half of another for a part of the value.
    const whole = rest + text.replace(/\r\n?/g, '\n');
    const { records, cursor } = parse(whole, false);
    yield* records;
    rest = whole.slice(cursor);
    if (rest.length > RECORD_CHARACTERS) throw brokenQuote(line, 'MissingQuotes');
  }
  if (rest !== '') yield* parse(rest, true).records;
}

/** The first records of a text that may be cut off; broken quotes are reported later. */
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

/** Whether a record is blank: an empty line, only delimiters, or a drawn rule. */
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
