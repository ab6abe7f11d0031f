/**
 * Splits a CSV file into records: quoted values, any line end, and the line on which each record
 * begins. Quotation marks inside a value that are not doubled are read if the line tells where its
 * values end. Otherwise they are an error with the line, because nobody can tell where the next
 * record begins.
 */

import Papa from 'papaparse';
import { FileError } from '../problems.ts';

/** One record: its values without quotation marks, line breaks as `\n`. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A longer record means that a quotation mark was never closed. This also limits memory. */
const RECORD_CHARACTERS = 4 * 1024 * 1024;

/** Splits lines into records, piece by piece. Throws FileError at a broken quotation mark. */
export async function* readRecords(
  pieces: AsyncIterable<string>,
  delimiter: string,
  longest = RECORD_CHARACTERS,
): AsyncGenerator<readonly CsvRecord[]> {
  const splitter = new Splitter(delimiter, longest);
  for await (const text of pieces) {
    yield splitter.split(text);
    splitter.refuseBroken();
  }
  yield splitter.end();
  splitter.refuseBroken();
}

const QUOTE = 0x22;

/** Splits a text that arrives in pieces of whole lines. */
export class Splitter {
  readonly #delimiter: string;
  readonly #longest: number;
  readonly #parser: InstanceType<typeof Papa.Parser>;
  readonly #single: InstanceType<typeof Papa.Parser>;
  #rest = '';
  #line = 1;
  #broken: FileError | undefined;

  constructor(delimiter: string, longest = RECORD_CHARACTERS) {
    this.#delimiter = delimiter;
    this.#longest = longest;
    this.#parser = new Papa.Parser({ delimiter, newline: '\n' });
    this.#single = new Papa.Parser({ delimiter, newline: '\n', preview: 1 });
  }

  /** The records that end in this piece. After a broken quotation mark they may be wrong. */
  split(text: string): CsvRecord[] {
    // With mixed line ends the parser would treat half of one as part of a value.
    const plain = text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
    const all = this.#rest + plain;
    return this.#splitUsual(all) ?? this.#parse(all, false);
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

  /**
   * The records of whole lines, in less time than the parser takes; undefined if a value has more
   * quotation marks than one at each end.
   */
  #splitUsual(text: string): CsvRecord[] | undefined {
    if (!text.endsWith('\n') || Papa.BAD_DELIMITERS.includes(this.#delimiter)) return undefined;
    const records: CsvRecord[] = [];
    let line = this.#line;
    let [start, next] = [0, -1];
    while (start < text.length) {
      const fields: string[] = [];
      records.push({ line, fields });
      let end = text.indexOf('\n', start);
      while (start <= end) {
        let stop = end;
        if (text.charCodeAt(start) === QUOTE) {
          stop = text.indexOf('"', start + 1) + 1;
          if (stop === 0) return undefined;
          // A line end in a value does not end the record.
          for (; end < stop; line += 1) end = text.indexOf('\n', end + 1);
          if (stop !== end && text[stop] !== this.#delimiter) return undefined;
          fields[fields.length] = text.slice(start + 1, stop - 1);
        } else {
          if (next < start) next = text.indexOf(this.#delimiter, start);
          if (next < 0) next = text.length;
          if (next < end) stop = next;
          fields[fields.length] = text.slice(start, stop);
        }
        start = stop + 1;
      }
      line += 1;
    }
    this.#line = line;
    this.#rest = '';
    return records;
  }

  #parse(text: string, isLast: boolean): CsvRecord[] {
    const { data, errors, meta }: Papa.ParseResult<string[]> = this.#parser.parse(text, 0, !isLast);
    const broken = new Map(errors.map(({ row = 0, code }) => [row, code]));
    const isInLine = (row: number) => data[row]?.every((field) => !field.includes('\n')) === true;
    if (![...broken.keys()].every(isInLine)) return this.#parseEach(text, isLast);
    this.#rest = text.slice(meta.cursor);
    if (!text.includes('"')) return data.map((fields) => ({ line: this.#line++, fields }));
    if (broken.size === 0) return data.map((fields) => this.#toRecord(fields));
    const first = this.#line;
    const lines = text.split('\n');
    return data.map((fields, row) => {
      const plain = this.#splitBroken(lines[this.#line - first] ?? '', broken.get(row));
      return this.#toRecord(plain ?? fields);
    });
  }

  /** Record by record, because a broken quotation mark can swallow the lines below. */
  #parseEach(text: string, isLast: boolean): CsvRecord[] {
    const records: CsvRecord[] = [];
    let start = 0;
    while (start < text.length) {
      const end = text.indexOf('\n', start) + 1 || text.length;
      let found = this.#parseOne(text.slice(start, end), false);
      // A value with line breaks begins here.
      if (found.error === 'MissingQuotes') found = this.#parseOne(text.slice(start), !isLast);
      const plain = this.#splitBroken(text.slice(start, end).replace(/\n$/, ''), found.error);
      const fields = plain ?? found.fields;
      if (fields === undefined) break;
      records.push(this.#toRecord(fields));
      start = plain === undefined ? start + found.length : end;
    }
    this.#rest = text.slice(start);
    return records;
  }

  /** The values of a line with an error, if it shows them. */
  #splitBroken(line: string, error: string | undefined): readonly string[] | undefined {
    const plain = error === undefined ? undefined : splitLine(line, this.#delimiter);
    if (error !== undefined && !plain) this.#broken ??= brokenQuote(this.#line, error);
    return plain;
  }

  #parseOne(text: string, isCut: boolean) {
    const { data, errors, meta }: Papa.ParseResult<string[]> = this.#single.parse(text, 0, isCut);
    return { fields: data[0], error: errors[0]?.code, length: meta.cursor };
  }

  #toRecord(fields: readonly string[]): CsvRecord {
    const line = this.#line;
    this.#line += 1 + countBreaks(fields);
    return { line, fields };
  }
}

/**
 * The values of a line in which quotation marks inside values are not doubled; undefined if more
 * than one reading is possible, or if a value does not end on the line.
 */
function splitLine(line: string, delimiter: string): string[] | undefined {
  const fields: string[] = [];
  let open = '';
  for (const part of line.split(delimiter)) {
    const isQuoted = part.startsWith('"');
    if (isQuoted && open !== '') return undefined;
    if (isQuoted || open !== '') open += open === '' ? part : delimiter + part;
    else fields.push(part);
    if (open === '' || !/[^\\]"\s*$/.test(part)) continue;
    const value = open.trimEnd().slice(1, -1);
    if (/.""./.test(value)) return undefined;
    fields.push(value.replaceAll('\\"', '"'));
    open = '';
  }
  return open === '' ? fields : undefined;
}

/** The first records of a text that may be cut off; broken quotation marks are not reported. */
export function previewRecords(text: string, delimiter: string, limit: number): CsvRecord[] {
  const splitter = new Splitter(delimiter);
  return [...splitter.split(text), ...splitter.end()].slice(0, limit);
}

const BLANK = /^\s*(?:[-=_]{2,}\s*)?$/;

/** Whether a record is blank: empty, only delimiters, or a line of dashes. */
export function isBlank(fields: readonly string[]): boolean {
  return fields.every((field) => !isWordly(field.charCodeAt(0)) && BLANK.test(field));
}

/** Whether a character is a digit or an ASCII letter, as the first one of most records is. */
function isWordly(code: number): boolean {
  const small = code | 0x20;
  return (code >= 0x30 && code <= 0x39) || (small >= 0x61 && small <= 0x7a);
}

/** The value at a place without white space around it; empty if the record is shorter. */
export function cellOf(fields: readonly string[], at: number): string {
  const text = fields[at] ?? '';
  // Looking at both ends takes less time than trimming a text that has none.
  return isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1)) ? text : text.trim();
}

/** Whether a character is not white space for certain. */
function isInk(code: number): boolean {
  return code > 0x20 && code < 0x80;
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
