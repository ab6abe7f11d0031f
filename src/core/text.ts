/** Text from outside: which characters it can contain, its length, and how it compares. */

import { COMPARED_UNITS } from './limits.ts';

/** What can be wrong with a text (contract 6). */
export type TextProblem = 'blank' | 'too_long' | 'invalid_characters';

/** Unicode's category Cc as in a pattern's brackets. By name, some dialects do not know it. */
export const CONTROL = '\\u0000-\\u001F\\u007F-\\u009F';
/** The control characters that prose cannot have: all but tabs and line ends. */
export const CONTROL_IN_PROSE = '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F';

/**
 * The pattern of a text without these characters and without half of a surrogate pair, which UTF-8
 * cannot encode. It means the same in dialects that read a pair as one character or as two, and
 * reads a text once.
 */
export function textPattern(forbidden: string): string {
  const some = `[^${forbidden}\\uD800-\\uDFFF]*`;
  return `${some}(?:[\\uD800-\\uDBFF][\\uDC00-\\uDFFF]${some})*$`;
}

const HAS_CONTROL = new RegExp(`[${CONTROL}]`);
const HAS_CONTROL_IN_PROSE = new RegExp(`[\r${CONTROL_IN_PROSE}]`);

/** Everything that is wrong with a one-line text, in a fixed order; lengths in code points. */
export function findTextProblems(text: string, maxCharacters: number): TextProblem[] {
  return findProblems(text, maxCharacters, HAS_CONTROL);
}

/** Everything that is wrong with a text of several lines, whose CRLF and CR are already LF. */
export function findProseProblems(text: string, maxCharacters: number): TextProblem[] {
  return findProblems(text, maxCharacters, HAS_CONTROL_IN_PROSE);
}

/** A text for a message, which may not be as long as what was sent: its first UTF-16 units. */
export function shortened(text: string, units: number): string {
  if (text.length <= units) return text;
  return `${text.slice(0, units - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The value of a text in JSON; undefined if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text has at least one character. */
export function isNotEmpty(text: string): boolean {
  return text !== '';
}

/** The length of a text in code points; half of a surrogate pair is one. */
export function countCharacters(text: string): number {
  let characters = 0;
  for (let at = 0; at < text.length; characters += 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return characters;
}

/** More marks on one letter than any language writes (Unicode Standard Annex 15). */
const MANY_MARKS = /(?<!\p{M})\p{M}{31}/u;

/**
 * A text in a normalization form of Unicode. Sorting marks takes time with the square of their
 * number, so a text with too many on one letter, or above COMPARED_UNITS, is returned as it is.
 */
export function normalized(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  const isSafe = text.length <= COMPARED_UNITS && !MANY_MARKS.test(text);
  return isSafe ? text.normalize(form) : text;
}

/**
 * The form in which texts compare without regard to case, beyond ASCII too (contract 4, `q`). Upper
 * case comes last: lower case depends on what follows, so a part ending in sigma would be missed.
 * What follows COMPARED_UNITS is cut off: no text that it could be compared with is as long.
 */
export function foldCase(text: string): string {
  return text.slice(0, COMPARED_UNITS).toLowerCase().toUpperCase();
}

function findProblems(text: string, maxCharacters: number, forbidden: RegExp): TextProblem[] {
  const problems: TextProblem[] = [];
  if (text.trim() === '') problems.push('blank');
  if (isLongerThan(text, maxCharacters)) problems.push('too_long');
  if (forbidden.test(text) || !text.isWellFormed()) problems.push('invalid_characters');
  return problems;
}

/** In code points. A text can be as long as a body, so it is counted only if that matters. */
function isLongerThan(text: string, maxCharacters: number): boolean {
  if (text.length <= maxCharacters) return false;
  return text.length > 2 * maxCharacters || countCharacters(text) > maxCharacters;
}
