/**
 * Bodies within the limit that block the server for as long as they can: each is the worst case for
 * one step of a push. Texts are as long as the limit allows, or as 500 rows allow.
 */

import { BODY_BYTES, PUSH_ROWS } from '../src/core/limits.ts';

/** The bodies by name, built on demand because together they are large. */
export const WORST_BODIES: Readonly<Record<string, () => string | Uint8Array>> = {
  'white space': () => ' '.repeat(BODY_BYTES),
  'one ASCII text as description': () => inRow('"description":"', filling('x'), '"'),
  'one astral text as description': () => inRow('"description":"', filling('😀'), '"'),
  'one text of escapes as description': () => inRow('"description":"', filling('\\u0041'), '"'),
  'one text of quotes as description': () => inRow('"description":"', filling('\\"'), '"'),
  'one text of carriage returns': () => inRow('"description":"', filling('\\r'), '"'),
  'one text of spaces as contact': () => inRow('"contact":"', filling(' '), '"'),
  'spaces and a letter as description': () => inRow('"description":"', filling(' '), 'x"'),
  'one ASCII text as externalId': () => inRow('"externalId":"', filling('x'), '"'),
  'one astral text as externalId': () => inRow('"externalId":"', filling('😀'), '"'),
  'one text as date': () => inRow('"date":"', filling('1'), '"'),
  'one number of many digits': () => inRow('"amount":', filling('7'), ''),
  'one number of many decimals': () => inRow('"amount":0.', filling('7'), ''),
  'empty lists in the envelope': () => inEnvelope('"x":[[]', filling(',[]'), ']'),
  'empty objects in the envelope': () => inEnvelope('"x":[{}', filling(',{}'), ']'),
  'numbers in the envelope': () => inEnvelope('"x":[1', filling(',1'), ']'),
  'fractions in the envelope': () => inEnvelope('"x":[1', filling(',0.1'), ']'),
  'empty texts in the envelope': () => inEnvelope('"x":[""', filling(',""'), ']'),
  'short texts in the envelope': () =>
    inEnvelope(
      '"x":[0',
      counted((n) => `,"${n}"`),
      ']',
    ),
  'lists 30 deep in the envelope': () =>
    inEnvelope('"x":[0', filling(`,${'['.repeat(29)}${']'.repeat(29)}`), ']'),
  'objects 30 deep in the envelope': () =>
    inEnvelope('"x":[0', filling(`,${'{"a":'.repeat(29)}0${'}'.repeat(29)}`), ']'),
  'objects of two members in the envelope': () =>
    inEnvelope('"x":[0', filling(',{"a":1,"b":2}'), ']'),
  'members of the envelope': () =>
    inEnvelope(
      '"x":1',
      counted((n) => `,"a${n}":1`),
      '',
    ),
  'members of one row': () =>
    inRow(
      '"x":1',
      counted((n) => `,"a${n}":1`),
      '',
    ),
  'numbered members of one row': () =>
    inRow(
      '"x":1',
      counted((n) => `,"${n}":1`),
      '',
    ),
  'members with large numbers of one row': () =>
    inRow(
      '"x":1',
      counted((n) => `,"${n * 4001}":1`),
      '',
    ),
  'one member repeated': () => inRow('"x":1', filling(',"a":1'), ''),
  'objects with different members': () =>
    inEnvelope(
      '"x":[0',
      counted((n) => `,{"a${n}":1}`),
      ']',
    ),
  'too many rows': () => `{"rows":[0${repeat(',0', BODY_BYTES - 11)}]}`,
  'too many empty rows': () => `{"rows":[0${repeat(',{}', BODY_BYTES - 11)}]}`,
  'too deep at the end': () =>
    inEnvelope('"x":[0', filling(',[]', 80), `,${'['.repeat(33)}${']'.repeat(33)}]`),
  'not UTF-8 at the end': notUtf8,
  'syntax error after empty lists': () => inEnvelope('"x":[[]', filling(',[]'), '}'),
  'syntax error after a long text': () => inEnvelope('"x":"', filling('x'), '",'),
  'syntax error after escapes': () => inEnvelope('"x":"', filling('\\u0041'), '",'),
  'syntax error after many lines': () => inEnvelope('"x":1', filling('\n'), '!'),
  'syntax error after numbers': () => inEnvelope('"x":[1', filling(',1'), '}'),
  'syntax error after members': () => inEnvelope('"x":1', filling(',"a":1'), ','),
};

/** Bodies of 500 rows that fill the limit. The rows are stored, or rejected one by one. */
export const WORST_ROWS: Readonly<Record<string, () => string>> = {
  'longest rows, ASCII': () => rows((n) => longRow(n, 'x')),
  'longest rows, astral': () => rows((n) => longRow(n, '😀')),
  'longest rows, escaped': () => rows((n) => longRow(n, '\\u00e9')),
  'rows with a raw text of 8 kB': () => rows((n) => `${plain(n)},"x":"${'x'.repeat(8000)}"`),
  'rows with a raw list of 8 kB': () => rows((n) => `${plain(n)},"x":[0${',[]'.repeat(2600)}]`),
  'rows with a raw list of numbers': () => rows((n) => `${plain(n)},"x":[0${',1.5'.repeat(2000)}]`),
  'rows with 20 unknown members': () =>
    rows((n) => plain(n) + members(20, (at) => `unknown_${at}`)),
  'rows with 20 long unknown members': () =>
    rows((n) => plain(n) + members(20, (at) => `${at}${'n'.repeat(390)}`)),
  'rows with 700 unknown members': () => rows((n) => plain(n) + members(700, (at) => `m${at}`)),
  'rows with 600 different members': () =>
    rows((n) => plain(n) + members(600, (at) => `m${n}_${at}`)),
  'rows with 12 errors': () => rows(() => faulty()),
  'rows with 12 errors and long texts': () => rows(() => faulty('\\u0000'.repeat(250))),
  'rows with too long descriptions': () =>
    rows((n) => `"externalId":"w${n}","description":"${'x'.repeat(8000)}"`),
  'rows with too long astral texts': () =>
    rows((n) => `"externalId":"w${n}","description":"${'😀'.repeat(2000)}"`),
  'rows with long externalIds': () => rows(() => `"externalId":"${'x'.repeat(8200)}"`),
  'the same row 500 times': () => rows(() => `${plain(0)},"x":"${'x'.repeat(8000)}"`),
};

/**
 * Long rows, from a number on, of the letter that takes longest to compare in any case. They have
 * the latest dates, so a search comes to them first.
 */
export function longRows(first: number): string {
  return rows((n) => longRow(first + n, 'İ'));
}

function rows(membersOf: (n: number) => string): string {
  const list = Array.from({ length: PUSH_ROWS }, (_, n) => `{${membersOf(n)}}`);
  const body = `{"rows":[${list.join(',')}]}`;
  if (Buffer.byteLength(body) > BODY_BYTES) throw new Error('a body is too large');
  return body;
}

function plain(n: number): string {
  return `"externalId":"worst-${n}","date":"2026-01-31","description":"d","amount":1.5`;
}

/** Texts of the greatest length allowed, and a description as long as 500 rows have room for. */
function longRow(n: number, character: string): string {
  const room = Math.floor(8000 / Buffer.byteLength(character)) - 250 - 255 - 64;
  const id = `${String(n).padStart(5, '0')}${character.repeat(250)}`;
  return (
    `"externalId":"${id}","date":"2026-01-31","contact":"${character.repeat(255)}",` +
    `"accountCode":"${character.repeat(64)}","amount":-9999999999.99,` +
    `"description":"${character.repeat(Math.min(1000, room))}"`
  );
}

function members(count: number, nameOf: (at: number) => string): string {
  let text = '';
  for (let at = 0; at < count; at += 1) text += `,"${nameOf(at)}":1`;
  return text;
}

function faulty(text = '\\u0000'): string {
  const marks = ['debit', 'credit', 'journalId', 'journalNumber', 'journalLines', 'lines'];
  return (
    `"externalId":"${text}","date":"${text}","description":"${text}","contact":"${text}",` +
    `"accountCode":"${text}","amount":1.234${marks.map((mark) => `,"${mark}":1`).join('')}`
  );
}

/** Fills the space between a beginning and an end. */
type Filling = (bytes: number) => string;

function filling(piece: string, spare = 0): Filling {
  return (bytes) => repeat(piece, bytes - spare);
}

function counted(pieceOf: (n: number) => string): Filling {
  return (bytes) => {
    const pieces: string[] = [];
    let left = bytes;
    for (let n = 1; ; n += 1) {
      const piece = pieceOf(n);
      left -= piece.length;
      if (left < 0) return pieces.join('');
      pieces.push(piece);
    }
  };
}

function repeat(piece: string, bytes: number): string {
  return piece.repeat(Math.floor(bytes / Buffer.byteLength(piece)));
}

function inRow(before: string, filler: Filling, after: string): string {
  return surround(`{"rows":[{${before}`, filler, `${after}}]}`);
}

function inEnvelope(before: string, filler: Filling, after: string): string {
  return surround(`{"rows":[0],${before}`, filler, `${after}}`);
}

function surround(before: string, filler: Filling, after: string): string {
  return before + filler(BODY_BYTES - before.length - Buffer.byteLength(after)) + after;
}

function notUtf8(): Uint8Array {
  const bytes = Buffer.from(inEnvelope('"x":"', filling('é'), '"'));
  bytes[bytes.length - 4] = 0xff;
  return bytes;
}
