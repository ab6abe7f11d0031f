/**
 * Reads the lists of words in this folder: words or phrases with a bar or a line end between them,
 * as many on a line as fit. A new word goes at the end of its language.
 */

import { normalized } from '../../core/text.ts';
import { codesOf } from '../values/currency-signs.ts';

/** The words of a list, in its order. */
export function readWords(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s*[|\n]\s*/));
}

/** Finds a word of a list in plain words; the list can use regular expressions. */
export function anyWord(text: string): RegExp {
  return new RegExp(`(?<!${LETTER})(?:${[...readWords(text)].join('|')})(?!${LETTER})`);
}

/** A letter or digit of a script that has spaces between words, or one that was lost. */
const LETTER = '[\\w\\u0400-\\u052f\\ufffd]';

/** Every known word is shorter; a longer text could take long to look at. */
const LONGEST = 100;

/** Lower case without accents, punctuation and currencies: `Débit (EUR)` is `debit`. */
export function plainWords(text: string): string {
  if (text.length <= LONGEST && PLAIN.test(text)) return text;
  const letters = withoutMoney(text.slice(0, LONGEST))
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
    .replaceAll('æ', 'ae');
  const bare = normalized(letters, 'NFD').replace(/(?<=[a-z])\p{Mn}+/gu, '');
  return normalized(bare, 'NFC')
    .replace(/[^\p{L}\p{N}\ufffd]+/gu, ' ')
    .trim();
}

/** What most words of the lists are already: they are looked at when a command starts. */
const PLAIN = /^(?!.* euros?$)[a-z\d]+(?: [a-z\d]+)*$/;

/** Whether a character is an ASCII letter. */
export function isAsciiLetter(code: number): boolean {
  const small = code | 0x20;
  return small >= 0x61 && small <= 0x7a;
}

/** Whether a text has a letter: most have an ASCII letter near their start, or are all ASCII. */
export function hasLetter(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isAsciiLetter(code)) return true;
    if (code > 0x7f) return /\p{L}/u.test(text);
  }
  return false;
}

const MONEY = '([A-Z]{3}|[Ee]uros?|EUROS?|R\\$|£|€|\\$|円)';
const IN_BRACKETS = new RegExp(`\\s*[(（\\[]\\s*${MONEY}\\s*[)）\\]]\\s*$`, 'u');
const AT_THE_END = new RegExp(`\\s+(?:(?:in|In|IN|en|em)\\s+)?${MONEY}\\s*$`, 'u');

/** Without `(EUR)`, ` in CHF`, `£` and a leading `#`. */
export function withoutMoney(text: string): string {
  const name = text.trim().replace(/^#(?=\p{L})/u, '');
  const drop = (all: string, money: string) => (codesOf(money).length > 0 ? '' : all);
  return name.replace(IN_BRACKETS, drop).replace(AT_THE_END, drop).trim();
}
