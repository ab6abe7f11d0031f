/** Reads rows from JSON (a list, or an object with the member `rows`) and from NDJSON. */

import { isUtf8 } from 'node:buffer';
import { FileError, type RowProblem } from '../problems.ts';
import { readText } from '../text/text.ts';
import { type Element, findElements } from './json-lines.ts';
import { REJECTED_MEMBER } from './rejected-rows.ts';
import type { Entry, Reading } from './rows.ts';

/** The largest JSON document, which is read at once; NDJSON can be larger. */
const JSON_BYTES = 256 * 1024 * 1024;
/** A longer line is larger than a request may be (contract 2, step 8). */
const LINE_BYTES = 4 * 1024 * 1024;

/** Reads a JSON document. Throws FileError with the line of the error. */
export async function readJson(bytes: AsyncIterable<Buffer>): Promise<Reading> {
  const text = await readText(bytes, JSON_BYTES);
  const rows = findRows(parseDocument(text));
  const entries = { [Symbol.asyncIterator]: () => toEntries(rows, findElements(text)) };
  return { ...PLAIN, entries, total: rows.length };
}

/** JSON has the names of the fields, and nothing besides its rows. */
const PLAIN = { rejectedForm: { kind: 'ndjson' }, fieldNames: {}, notes: [], remarks: [] } as const;

/**
 * Reads NDJSON line by line. A line that is not JSON is a rejected row like any other, and the
 * lines after it are still read.
 */
export function readNdjson(bytes: AsyncIterable<Buffer>): Reading {
  return { ...PLAIN, entries: toLineEntries(splitLines(bytes)), total: undefined };
}

async function* toEntries(rows: readonly unknown[], elements: Iterable<Element>) {
  let index = 0;
  for (const { line, text } of elements) {
    yield toEntry(rows[index], line, text);
    index += 1;
  }
}

function toEntry(value: unknown, line: number, json: string): Entry {
  const row = withoutRejected(value);
  const original = { json };
  const amount = typeof row === 'object' && row !== null ? Reflect.get(row, 'amount') : undefined;
  // 1e400 becomes Infinity, which JSON cannot express.
  if (typeof amount !== 'number' || Number.isFinite(amount)) {
    return { line, original, row, problems: [] };
  }
  const message = 'amount is too large.';
  const problem = { field: 'amount', code: 'amount_out_of_range', message };
  return { line, original, row: undefined, problems: [problem] };
}

/** A row from a file of rejected rows, without the reason why it was rejected. */
function withoutRejected(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, REJECTED_MEMBER)) {
    return value;
  }
  const { [REJECTED_MEMBER]: _, ...row } = value as Record<string, unknown>;
  return row;
}

function parseDocument(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const position = /position (\d+)/.exec(reason)?.[1];
    const before = position === undefined ? text.trimEnd() : text.slice(0, Number(position));
    const line = before.split('\n').length;
    const message = `line ${line}: it is not JSON, or it is cut off there (${reason}).`;
    throw new FileError(message, isNdjson(text) ? { kind: 'ndjson' } : undefined);
  }
}

function isNdjson(text: string): boolean {
  const [first = ''] = text.trimStart().split('\n', 1);
  try {
    return first.startsWith('{') && typeof JSON.parse(first) === 'object';
  } catch {
    return false;
  }
}

function findRows(document: unknown): readonly unknown[] {
  const isObject = typeof document === 'object' && document !== null;
  const rows = isObject && Object.hasOwn(document, 'rows') ? Reflect.get(document, 'rows') : null;
  const found = Array.isArray(document) ? document : rows;
  if (Array.isArray(found)) return found;
  throw new FileError('it must be a list of rows, or an object with a list "rows".');
}

/** A line as it was read; `bytes` is undefined for a line that is too long. */
interface RawLine {
  readonly line: number;
  readonly bytes: Buffer | undefined;
}

async function* toLineEntries(lines: AsyncIterable<RawLine>): AsyncGenerator<Entry> {
  for await (const { line, bytes } of lines) {
    if (bytes === undefined) {
      const message = 'The line is larger than a request may be (4 MiB).';
      yield rejectLine(line, '', { code: 'row_too_large', message });
    } else if (!isUtf8(bytes)) {
      const problem = { code: 'invalid_encoding', message: 'The line is not UTF-8.' };
      yield rejectLine(line, bytes.toString('latin1'), problem);
    } else {
      const text = bytes.toString('utf8').replace(/^\ufeff/, line === 1 ? '' : '\ufeff');
      if (text.trim() !== '') yield readLine(text, line);
    }
  }
}

function readLine(text: string, line: number): Entry {
  try {
    return toEntry(JSON.parse(text), line, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The line is not JSON, or it is cut off (${reason}).`;
    return rejectLine(line, text, { code: 'invalid_json', message });
  }
}

function rejectLine(line: number, text: string, problem: Omit<RowProblem, 'field'>): Entry {
  return { line, original: { text }, row: undefined, problems: [{ field: null, ...problem }] };
}

const NEWLINE = 10;

/** Splits at `\n`, which is never part of another character in UTF-8; drops long lines. */
async function* splitLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<RawLine> {
  let line = 1;
  let parts: Buffer[] = [];
  let size = 0;
  const take = (): RawLine => {
    const taken = { line, bytes: size > LINE_BYTES ? undefined : Buffer.concat(parts) };
    line += 1;
    parts = [];
    size = 0;
    return taken;
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      size += end - start;
      if (size <= LINE_BYTES) parts.push(chunk.subarray(start, end));
      start = end + 1;
      yield take();
    }
    size += chunk.length - start;
    if (size <= LINE_BYTES) parts.push(chunk.subarray(start));
    else parts = [];
  }
  if (size > 0) yield take();
}
