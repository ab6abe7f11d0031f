/**
 * Which passwords are refused: too short, too long, or easy to guess.
 * There are no rules about kinds of characters: they only lead to `Password1!`.
 */

import { PASSWORDS } from './limits.ts';
import { countCharacters, findTextProblems, foldCase } from './text.ts';

/** Whether a text, in upper case and without spaces, is in the list of common passwords. */
type IsCommon = (text: string) => boolean;

/**
 * Why a password is refused; undefined if it is not. `own` are texts that others know, such as the
 * e-mail address and the name of the organisation.
 */
export function explainWeakness(
  password: string,
  own: readonly string[],
  isCommon: IsCommon,
): string | undefined {
  const [problem] = findTextProblems(password, PASSWORDS.characters);
  if (problem === 'too_long') {
    return `The password is longer than ${PASSWORDS.characters} characters.`;
  }
  if (countCharacters(password) < PASSWORDS.minCharacters) {
    return `The password is shorter than ${PASSWORDS.minCharacters} characters.`;
  }
  if (problem === 'invalid_characters') return 'The password contains a control character.';
  const known = own.flatMap((text) => [text, ...text.split(/[\s@._-]+/)]).map(bareOf);
  if (known.includes(bareOf(password)) && bareOf(password) !== '') {
    return 'The password is too much like the e-mail address or the name of the organisation.';
  }
  if (problem === 'blank' || isEasy(password, isCommon)) {
    return 'The password is too easy to guess. Choose another one.';
  }
  return undefined;
}

function isEasy(password: string, isCommon: IsCommon): boolean {
  const text = foldCase(password).replaceAll(/\s/gu, '');
  if (new Set(text).size <= 2) return true;
  const unit = unitOf(text);
  const reversed = [...unit].reverse().join('');
  if (ROWS.some((row) => row.includes(unit) || row.includes(reversed))) return true;
  return isCommon(unit) || isCommon(text) || hasCommonWord(text, isCommon);
}

/** Whether a text is a common word with few digits and signs around it, such as `P@ssw0rd2026`. */
function hasCommonWord(text: string, isCommon: IsCommon): boolean {
  const bare = bareOf(text);
  if (countCharacters(text) - countCharacters(bare) > DECORATION_CHARACTERS) return false;
  const word = unitOf(bareOf(bare.replaceAll(/[@$0345]/g, (sign) => LETTERS[sign] ?? sign)));
  return OWN_WORDS.has(word) || isCommon(word);
}

/** Digits and signs around a common word that make it no better: a year and an exclamation mark. */
const DECORATION_CHARACTERS = 6;

/** In upper case, without spaces and without digits and signs at both ends. */
function bareOf(text: string): string {
  return foldCase(text)
    .replaceAll(/\s/gu, '')
    .replaceAll(/^\P{L}+|\P{L}+$/gu, '');
}

/** The part that a text repeats: ABC of ABCABC. */
function unitOf(text: string): string {
  return text.replace(/^(.+?)\1+$/u, '$1');
}

/** Letters, by the signs that people write for them. */
const LETTERS: Readonly<Record<string, string>> = {
  '@': 'A',
  $: 'S',
  '0': 'O',
  '3': 'E',
  '4': 'A',
  '5': 'S',
};

/** Digits and letters in the order of an alphabet or a keyboard. */
const ROWS = [
  '01234567890',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  'QWERTYUIOPASDFGHJKLZXCVBNM',
  'QWERTZUIOPASDFGHJKLYXCVBNM',
  'AZERTYUIOPQSDFGHJKLMWXCVBN',
  '1Q2W3E4R5T6Y7U8I9O0P',
  'Q1W2E3R4T5Y6U7I8O9P0',
  '1QAZ2WSX3EDC4RFV5TGB6YHN7UJM',
];

/** Common words here that the list of common passwords lacks. */
const OWN_WORDS: ReadonlySet<string> = new Set(['ABC', 'BUDGETD', 'LOGIN', 'PASSPHRASE']);
