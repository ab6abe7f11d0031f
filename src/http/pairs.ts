/** Names and values encoded as in a form: of a query or of a body. */

import type { Failure } from '../core/failures.ts';

/** Decoded names and values, in the order sent. */
export type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * Decodes pairs: `+` is a space, empty parts are skipped, a name without `=` has an empty value.
 * Throws `refusal()` for a bad percent escape, or for escaped bytes that are not UTF-8.
 */
export function decodePairs(text: string, refusal: () => Failure): Pairs {
  const pairs: (readonly [string, string])[] = [];
  for (const piece of text.split('&')) {
    if (piece === '') {
      continue;
    }
    const mark = piece.indexOf('=');
    const name = mark < 0 ? piece : piece.slice(0, mark);
    const value = mark < 0 ? '' : piece.slice(mark + 1);
    pairs.push([decode(name, refusal), decode(value, refusal)]);
  }
  return pairs;
}

function decode(text: string, refusal: () => Failure): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) {
    return spaced;
  }
  try {
    return decodeURIComponent(spaced);
  } catch {
    throw refusal();
  }
}
