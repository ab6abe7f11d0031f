/**
 * Finds where a text stops being valid JSON. The messages of `JSON.parse` depend on the version of
 * Node, often lack the position and quote the text. Users need the line and column.
 */

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

function readValue(cursor: Cursor): Expected {
  skipSpace(cursor);
  const character = cursor.text[cursor.at] ?? '';
  switch (character) {
    case '{':
      return readList(cursor, '}', readMember);
    case '[':
      return readList(cursor, ']', readValue);
    case '"':
      return readString(cursor);
    case 't':
      return readWord(cursor, 'true');
    case 'f':
      return readWord(cursor, 'false');
    case 'n':
      return readWord(cursor, 'null');
    default:
      return character === '-' || isDigit(character) ? readNumber(cursor) : 'a value';
  }
}

function readEnd(cursor: Cursor): Expected {
  skipSpace(cursor);
  return cursor.at < cursor.text.length ? 'the end of the body' : undefined;
}

function readList(cursor: Cursor, close: string, readItem: (cursor: Cursor) => Expected): Expected {
  cursor.at += 1;
  skipSpace(cursor);
  if (cursor.text[cursor.at] === close) {
    cursor.at += 1;
    return undefined;
  }
  for (;;) {
    const expected = readItem(cursor);
    if (expected !== undefined) {
      return expected;
    }
    skipSpace(cursor);
    const character = cursor.text[cursor.at];
    if (character !== ',' && character !== close) {
      return `a comma or ${close}`;
    }
    cursor.at += 1;
    if (character === close) {
      return undefined;
    }
  }
}

function readMember(cursor: Cursor): Expected {
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== '"') {
    return 'a name in double quotes';
  }
  const expected = readString(cursor);
  if (expected !== undefined) {
    return expected;
  }
  skipSpace(cursor);
  if (cursor.text[cursor.at] !== ':') {
    return 'a colon';
  }
  cursor.at += 1;
  return readValue(cursor);
}

function readString(cursor: Cursor): Expected {
  cursor.at += 1;
  const { text } = cursor;
  for (;;) {
    // Comparing codes is ten times faster than comparing one-character strings.
    const code = text.charCodeAt(cursor.at);
    if (Number.isNaN(code)) return 'a closing double quote';
    if (code < SPACE) return 'an escape such as \\n instead of a control character';
    cursor.at += 1;
    if (code === QUOTE) return undefined;
    if (code === BACKSLASH) {
      const expected = readEscape(cursor);
      if (expected !== undefined) return expected;
    }
  }
}

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NEWLINE = 0x0a;

function readEscape(cursor: Cursor): Expected {
  const character = cursor.text[cursor.at] ?? '';
  if (character === '' || !'"\\/bfnrtu'.includes(character)) {
    return 'one of " \\ / b f n r t u after the backslash';
  }
  cursor.at += 1;
  if (character === 'u') {
    for (let digit = 0; digit < 4; digit += 1) {
      if (!isHex(cursor.text.charCodeAt(cursor.at))) return 'four hexadecimal digits after \\u';
      cursor.at += 1;
    }
  }
  return undefined;
}

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}

function readWord(cursor: Cursor, word: string): Expected {
  if (!cursor.text.startsWith(word, cursor.at)) {
    return 'a value';
  }
  cursor.at += word.length;
  return undefined;
}

function readNumber(cursor: Cursor): Expected {
  if (cursor.text[cursor.at] === '-') {
    cursor.at += 1;
  }
  if (cursor.text[cursor.at] === '0') {
    cursor.at += 1;
  } else if (!skipDigits(cursor)) {
    return 'a digit';
  }
  if (cursor.text[cursor.at] === '.') {
    cursor.at += 1;
    if (!skipDigits(cursor)) {
      return 'a digit after the decimal point';
    }
  }
  if (cursor.text[cursor.at] === 'e' || cursor.text[cursor.at] === 'E') {
    cursor.at += 1;
    if (cursor.text[cursor.at] === '+' || cursor.text[cursor.at] === '-') {
      cursor.at += 1;
    }
    return skipDigits(cursor) ? undefined : 'a digit of the exponent';
  }
  return undefined;
}

function skipDigits(cursor: Cursor): boolean {
  const start = cursor.at;
  while (isDigit(cursor.text[cursor.at] ?? '')) {
    cursor.at += 1;
  }
  return cursor.at > start;
}

function isDigit(character: string): boolean {
  return character >= '0' && character <= '9';
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const code = cursor.text.charCodeAt(cursor.at);
    if (code !== SPACE && code !== NEWLINE && code !== 0x0d && code !== 0x09) return;
    cursor.at += 1;
  }
}

function placeOf(cursor: Cursor): { line: number; column: number } {
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < cursor.at; at += 1) {
    if (cursor.text.charCodeAt(at) === NEWLINE) {
      line += 1;
      lineStart = at + 1;
    }
  }
  let column = 1;
  for (let at = lineStart; at < cursor.at; at += 1) {
    const unit = cursor.text.charCodeAt(at);
    if (unit < 0xdc00 || unit > 0xdfff) {
      column += 1;
    }
  }
  return { line, column };
}

function foundAt(cursor: Cursor): string {
  const code = cursor.text.codePointAt(cursor.at);
  if (code === undefined) {
    return 'the end of the body';
  }
  // Shows printable ASCII, and other characters by code: an editor may not show them.
  return code > 0x20 && code < 0x7f
    ? `the character ${String.fromCodePoint(code)}`
    : `the character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
