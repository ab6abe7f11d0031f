/**
 * A request target, split by hand: `new URL` would throw on `//`, take a host from `//host/` and
 * resolve `..`, so that the path that is checked is not the one that was sent.
 */

import { Failure } from '../core/failures.ts';

/** The two parts of a target, as they were sent. */
export interface Target {
  readonly path: string;
  /** What follows the first `?`; empty without one. */
  readonly query: string;
}

/** Decoded query parameters in the order sent. */
export type Query = readonly (readonly [name: string, value: string])[];

const NO_QUERY: Query = Object.freeze([]);
const SLASH = 47;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]+/i;

/**
 * Splits an origin-form target, or an absolute-form one, which is served by its path. Undefined
 * for every other form (`*`, `host:port`, another scheme): they name no path of this service.
 */
export function splitTarget(target: string): Target | undefined {
  let start = 0;
  if (target.charCodeAt(0) !== SLASH) {
    start = ABSOLUTE_FORM.exec(target)?.[0].length ?? -1;
    if (start < 0) {
      return undefined;
    }
  }
  const mark = target.indexOf('?', start);
  if (mark < 0) {
    return { path: start === 0 ? target : target.slice(start) || '/', query: '' };
  }
  return { path: target.slice(start, mark) || '/', query: target.slice(mark + 1) };
}

/**
 * Decodes a query as a form: `+` is a space, empty pieces are nothing, a name without `=` has an
 * empty value. Refuses with `invalid_request_target` what cannot be decoded: a bad percent
 * escape, bytes that are not UTF-8, a `#` or a character that no target may hold.
 */
export function readQuery(query: string): Query {
  if (query === '') {
    return NO_QUERY;
  }
  if (/[^\x21-\x7e]|#/.test(query)) {
    throw new Failure(
      'invalid_request_target',
      'The query holds a character that must be percent-encoded, such as # (%23) or a space (%20).',
    );
  }
  const pairs: (readonly [string, string])[] = [];
  for (const piece of query.split('&')) {
    if (piece === '') {
      continue;
    }
    const mark = piece.indexOf('=');
    const name = mark < 0 ? piece : piece.slice(0, mark);
    const value = mark < 0 ? '' : piece.slice(mark + 1);
    pairs.push([decode(name), decode(value)]);
  }
  return pairs;
}

function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) {
    return spaced;
  }
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw new Failure(
      'invalid_request_target',
      'The query cannot be decoded: a percent sign stands before two hexadecimal digits (itself ' +
        'is %25), and the bytes so written are UTF-8.',
    );
  }
}
