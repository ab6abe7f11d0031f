/** Text from outside: what may stand in it, how long it is, how it compares. */

/** What can be wrong with a text (contract 6). */
export type TextProblem = 'blank' | 'too_long' | 'invalid_characters';

const CONTROL = /\p{Cc}/u;
const CONTROL_BUT_TAB_AND_NEWLINE = /(?![\t\n])\p{Cc}/u;
/** Half of a surrogate pair: UTF-8 cannot hold it, so it would not come back as it went in. */
const UNPAIRED_SURROGATE = /\p{Surrogate}/u;

/** Everything wrong with a text of one line, in a fixed order; lengths in code points. */
export function findTextProblems(text: string, maxCharacters: number): TextProblem[] {
  return findProblems(text, maxCharacters, CONTROL);
}

/** The same for a text that may hold tabs and newlines (its CRLF and CR already made LF). */
export function findProseProblems(text: string, maxCharacters: number): TextProblem[] {
  return findProblems(text, maxCharacters, CONTROL_BUT_TAB_AND_NEWLINE);
}

/**
 * How a text compares when its case does not count, beyond ASCII too (contract 4, `q`). Upper case
 * comes last, as lower case depends on what follows: a part that ends in sigma would not be found.
 */
export function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase();
}

function findProblems(text: string, maxCharacters: number, forbidden: RegExp): TextProblem[] {
  const problems: TextProblem[] = [];
  if (text.trim() === '') problems.push('blank');
  if (text.length > maxCharacters && [...text].length > maxCharacters) problems.push('too_long');
  if (forbidden.test(text) || UNPAIRED_SURROGATE.test(text)) problems.push('invalid_characters');
  return problems;
}
