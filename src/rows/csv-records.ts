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

/** Splits lines into records, piece by piece. Throws FileError at a broken quotation mark. */
export async function* readRecords(
  pieces: AsyncIterable<Lines>,
  delimiter: string,
  longest = RECORD_CHARACTERS,
): AsyncGenerator<readonly CsvRecord[]> {
  const splitter = new Splitter(delimiter, longest);
  for await (const { text } of pieces) {
    yield splitter.split(text);
    splitter.refuseBroken();
  }
  yield splitter.end();
  splitter.refuseBroken();
}

/** Splits a text that arrives in pieces of whole lines. */
export class Splitter {
  readonly #parser: InstanceType<typeof Papa.Parser>;
  readonly #longest: number;
  #rest = '';
  #line = 1;
  #broken: FileError | undefined;

  constructor(delimiter: string, longest = RECORD_CHARACTERS) {
    this.#parser = new Papa.Parser({ delimiter, newline: '\n' });
    this.#longest = longest;
  }

  /** The records that end in this piece. After a broken quotation mark they may be wrong. */
  split(text: string): CsvRecord[] {
    // With mixed line ends the parser would treat half of one as part of a value.
    return this.#parse(this.#rest + text.replace(/\r\n?/g, '\n'), false);
  }

  /** The record that no line end follows. */
  end(): CsvRecord[] {
    return this.#rest === '' ? [] : this.#parse(this.#rest, true);
  }

  /** Throws FileError if a quotation mark is broken in the records so far. */
  refuseBroken(): void {
    if (this.#broken !== undefined) throw this.#broken;
    if (this.#rest.length > this.#longest) throw brokenQuote(this.#line, 'MissingQuotes');
  }

  #parse(text: string, isLast: boolean): CsvRecord[] {
    const { data, errors, meta }: Papa.ParseResult<string[]> = this.#parser.parse(text, 0, !isLast);
    this.#rest = text.slice(meta.cursor);
    const [broken] = errors;
    return data.map((fields, row) => {
      const line = this.#line;
      this.#line += 1 + countBreaks(fields);
      if (row === broken?.row) this.#broken ??= brokenQuote(line, broken.code);
      return { line, fields };
    });
  }
}

/** The first records of a text that may be cut off; broken quotation marks are not reported. */
export function previewRecords(text: string, delimiter: string, limit: number): CsvRecord[] {
  const parser = new Papa.Parser({ delimiter, newline: '\n', preview: limit });
  const { data }: Papa.ParseResult<string[]> = parser.parse(text.replace(/\r\n?/g, '\n'), 0, false);
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
    for (let at = field.indexOf('\n'); at >= 0; at = field.indexOf('\n', at + 1)) breaks += 1;
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
