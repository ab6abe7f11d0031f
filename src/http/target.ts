/**
 * Splits a request target. `new URL` would throw on `//`, read a host from `//host/` and resolve
 * `..`, so the checked path would differ from the one that was sent.
 */

import { Failure } from '../core/failures.ts';

/** Decoded names and values, in the order sent. */
export type Query = readonly (readonly [name: string, value: string])[];

/** The query of a target without one. */
export const NO_QUERY: Query = Object.freeze([]);
const SLASH = 47;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;

/**
 * Splits a target in origin form or absolute form. Undefined for any other form (`*`, `host:port`,
 * another scheme), which has no path.
 */
export function splitTarget(target: string) {
  let start = 0;
  if (target.charCodeAt(0) !== SLASH) {
    start = ABSOLUTE_FORM.exec(target)?.[0].length ?? -1;
    if (start < 0) return undefined;
  }
  const mark = target.indexOf('?', start);
  if (mark < 0) return { path: start === 0 ? target : target.slice(start) || '/', query: '' };
  return { path: target.slice(start, mark) || '/', query: target.slice(mark + 1) };
}

/**
 * Decodes a query. Throws `invalid_request_target` for a bad percent escape, bytes that are not
 * UTF-8, a `#` or a character that a target cannot contain.
 */
export function decodeQuery(query: string): Query {
  if (query === '') return NO_QUERY;
  if (/[^\x21-\x7e]|#/.test(query)) {
    throw new Failure(
      'invalid_request_target',
      'The query has a character that must be percent-encoded, such as # (%23) or a space (%20).',
    );
  }
  return decodePairs(query, undecodable);
}

function undecodable(): Failure {
  return new Failure(
    'invalid_request_target',
    'The query cannot be decoded. Percent-encode it as UTF-8: % and two hexadecimal digits per ' +
      'byte, and %25 for the percent sign itself.',
  );
}

/**
 * Decodes a query or a form: `+` is a space, empty parts are skipped, a name without `=` has an
 * empty value. Throws `refusal()` for a bad percent escape, or for bytes that are not UTF-8.
 */
export function decodePairs(text: string, refusal: () => Failure): Query {
  const pairs: (readonly [string, string])[] = [];
  for (const piece of text.split('&')) {
    if (piece === '') continue;
    const mark = piece.indexOf('=');
    const name = mark < 0 ? piece : piece.slice(0, mark);
    const value = mark < 0 ? '' : piece.slice(mark + 1);
    pairs.push([decode(name, refusal), decode(value, refusal)]);
  }
  return pairs;
}

function decode(text: string, refusal: () => Failure): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw refusal();
  }
}
