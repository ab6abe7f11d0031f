/**
 * Finds where a text stops being valid JSON. The messages of `JSON.parse` depend on the version of
 * Node, often lack the position and quote the text. Users need the line and column.
 */

import { countCharacters } from '../core/text.ts';

/** The first position where a text is not valid JSON. Lines and columns count from 1. */
interface JsonFault {
  readonly line: number;
  /** In characters (code points), as an editor counts them. */
  readonly column: number;
  readonly expected: string;
  /** One character at most. */
  readonly found: string;
}

/**
 * The first fault of a text; undefined if it is valid JSON. Recurses for each bracket, so the
 * caller must have limited their depth.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  const cursor = { text, at: 0 };
  const expected = readValue(cursor) ?? readEnd(cursor);
  return expected === undefined
    ? undefined
    : { ...placeOf(cursor), expected, found: foundAt(cursor) };
}

/** Each reader moves past what it reads, or stops at a fault and returns what it expected. */
interface Cursor {
  readonly text: string;
  at: number;
}

type Expected = string | undefined;

/** Moves past what a pattern matches here, which is sticky; false if it does not match. */
function skip(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at;
  const isThere = pattern.test(cursor.text);
  if (isThere) cursor.at = pattern.lastIndex;
  return isThere;
}

function skipSpace(cursor: Cursor): void {
  skip(cursor, /[ \n\r\t]*/y);
}

function readValue(cursor: Cursor): Expected {
  skipSpace(cursor);
  if (skip(cursor, /\{/y)) return readList(cursor, '}', readMember);
  if (skip(cursor, /\[/y)) return readList(cursor, ']', readValue);
  if (skip(cursor, /"/y)) return readString(cursor);
  if (skip(cursor, /true|false|null/y)) return undefined;
  return /[-\d]/.test(cursor.text[cursor.at] ?? '') ? readNumber(cursor) : 'a value';
}

function readEnd(cursor: Cursor): Expected {
  skipSpace(cursor);
  return cursor.at < cursor.text.length ? 'the end of the body' : undefined;
}

/** Reads what follows the opening bracket. */
function readList(cursor: Cursor, close: string, readItem: (cursor: Cursor) => Expected): Expected {
  skipSpace(cursor);
  let isEnd = cursor.text[cursor.at] === close;
  while (!isEnd) {
    const expected = readItem(cursor);
    if (expected !== undefined) return expected;
    skipSpace(cursor);
    isEnd = cursor.text[cursor.at] === close;
    if (!isEnd && !skip(cursor, /,/y)) return `a comma or ${close}`;
  }
  cursor.at += 1;
  return undefined;
}

function readMember(cursor: Cursor): Expected {
  skipSpace(cursor);
  if (!skip(cursor, /"/y)) return 'a name in double quotes';
  const expected = readString(cursor);
  if (expected !== undefined) return expected;
  skipSpace(cursor);
  return skip(cursor, /:/y) ? readValue(cursor) : 'a colon';
}

/** Reads what follows the opening quotation mark. */
function readString(cursor: Cursor): Expected {
  skipCharacters(cursor);
  if (skip(cursor, /"/y)) return undefined;
  if (cursor.at >= cursor.text.length) return 'a closing double quote';
  if (!skip(cursor, /\\/y)) return 'an escape such as \\n instead of a control character';
  if (!skip(cursor, /u/y)) return 'one of " \\ / b f n r t u after the backslash';
  skip(cursor, /[\da-fA-F]*/y);
  return 'four hexadecimal digits after \\u';
}

/**
 * Moves past characters that need no escape, and escapes. One at a time: two calls of patterns for
 * each would take 0.2 s for a body of nothing but escapes.
 */
function skipCharacters(cursor: Cursor): void {
  const { text } = cursor;
  for (let code = text.charCodeAt(cursor.at); code >= 0x20; code = text.charCodeAt(cursor.at)) {
    if (code === 0x22) return;
    if (code !== 0x5c) cursor.at += 1;
    else if ('"\\/bfnrt'.includes(text[cursor.at + 1] ?? '\0')) cursor.at += 2;
    else if (!skip(cursor, /\\u[\da-fA-F]{4}/y)) return;
  }
}

function readNumber(cursor: Cursor): Expected {
  skip(cursor, /-/y);
  if (!skip(cursor, /0|\d+/y)) return 'a digit';
  if (skip(cursor, /\./y) && !skip(cursor, /\d+/y)) return 'a digit after the decimal point';
  if (skip(cursor, /[eE][+-]?/y) && !skip(cursor, /\d+/y)) return 'a digit of the exponent';
  return undefined;
}

function placeOf({ text, at }: Cursor): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let before = 0; before < at; before += 1) {
    if (text.charCodeAt(before) !== 0x0a) continue;
    line += 1;
    start = before + 1;
  }
  return { line, column: countCharacters(text.slice(start, at)) + 1 };
}

function foundAt(cursor: Cursor): string {
  const code = cursor.text.codePointAt(cursor.at);
  if (code === undefined) return 'the end of the body';
  // Shows printable ASCII, and other characters by code: an editor may not show them.
  return code > 0x20 && code < 0x7f
    ? `the character ${String.fromCodePoint(code)}`
    : `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
