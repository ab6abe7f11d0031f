/** Reads rows from JSON (a list, or an object with the member `rows`) and from NDJSON. */

import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../core/text.ts';
import { FileError, type RowProblem } from '../problems.ts';
import { joinHead, readHead, readText } from '../text/text.ts';
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

/** Reads a JSON document, which begins with `[` or `{"rows"`, or else NDJSON (contract 8). */
export async function readAnyJson(bytes: AsyncIterable<Buffer>): Promise<Reading> {
  const chunks = bytes[Symbol.asyncIterator]();
  const head = await readHead(chunks, (begun) => trimStart(begun).length >= HEAD_CHARACTERS);
  const whole = joinHead(head, chunks);
  return /^(\[|\{\s*"rows")/.test(trimStart(head)) ? readJson(whole) : readNdjson(whole);
}

/** Enough to recognise `{"rows"`. */
const HEAD_CHARACTERS = 16;

function trimStart(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/^\xef\xbb\xbf/, '')
    .trimStart();
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
  return first.startsWith('{') && parseJson(first) !== undefined;
}

function findRows(document: unknown): readonly unknown[] {
  const isObject = typeof document === 'object' && document !== null;
  const rows = isObject && Object.hasOwn(document, 'rows') ? Reflect.get(document, 'rows') : null;
  const found = Array.isArray(document) ? document : rows;
  if (Array.isArray(found)) return found;
  throw new FileError('it must be a list of rows, or an object with a list "rows".');
}

/** One element of a list, as written in the file. */
interface Element {
  /** The line on which it begins. */
  readonly line: number;
  readonly text: string;
}

/**
 * The elements of the document, if it is a list, or of its member `rows` (the last one if it is
 * repeated), with their lines and texts, which `JSON.parse` loses. The text must be valid JSON. Its
 * signs are compared as numbers, which is faster.
 */
export function findElements(text: string): Element[] {
  let elements: Element[] = [];
  let line = 1;
  let depth = 0;
  /** The last string outside the rows: before a bracket, the name of a member. */
  let name = '';
  /** The depth of the rows while they are read. */
  let rowsDepth: number | undefined;
  let begin: { readonly at: number; readonly line: number } | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === NEWLINE) line += 1;
    if (sign <= SPACE) continue;
    const isEnd = sign === COMMA || sign === CLOSE_LIST || sign === CLOSE_OBJECT;
    if (depth === rowsDepth) {
      if (!isEnd) begin ??= { at, line };
      else if (begin !== undefined) {
        elements.push({ line: begin.line, text: text.slice(begin.at, at).trimEnd() });
        begin = undefined;
      }
    }
    if (sign === QUOTE) {
      const start = at;
      at = findQuote(text, at);
      if (depth === 1 && rowsDepth === undefined) name = text.slice(start, at + 1);
    } else if (sign === OPEN_LIST || sign === OPEN_OBJECT) {
      depth += 1;
      const isRows = depth === 1 || (depth === 2 && name !== '' && JSON.parse(name) === 'rows');
      if (sign === OPEN_LIST && rowsDepth === undefined && isRows) {
        rowsDepth = depth;
        elements = [];
      }
    } else if (isEnd && sign !== COMMA) {
      if (depth === rowsDepth) rowsDepth = undefined;
      depth -= 1;
    }
  }
  return elements;
}

/** The closing quotation mark of the string that begins here. */
function findQuote(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

const [SPACE, QUOTE, COMMA, BACKSLASH] = [32, 34, 44, 92];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125];

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
