/** Text from outside: what may stand in it, how long it is, how it compares. */

/** What can be wrong with a text (contract 6). */
export type TextProblem = 'blank' | 'too_long' | 'invalid_characters';

// Unicode's category Cc, spelled out: by its name it takes four times as long.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const CONTROL = /[\0-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what is looked for
const CONTROL_BUT_TAB_AND_NEWLINE = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

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
  if (isLongerThan(text, maxCharacters)) problems.push('too_long');
  // Half of a surrogate pair is not well formed: UTF-8 cannot hold it.
  if (forbidden.test(text) || !text.isWellFormed()) problems.push('invalid_characters');
  return problems;
}

/** In code points; a text may be as long as a body, so it is counted only where that decides. */
function isLongerThan(text: string, maxCharacters: number): boolean {
  if (text.length <= maxCharacters) return false;
  if (text.length > 2 * maxCharacters) return true;
  let characters = 0;
  for (let at = 0; at < text.length; characters += 1) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return characters > maxCharacters;
}
