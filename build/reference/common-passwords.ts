/**
 * The list of passwords that are refused, from the package `@zxcvbn-ts/language-common` (MIT): it
 * has the most common passwords of published leaks, the most common first.
 */

import { dictionary } from '@zxcvbn-ts/language-common';
import { PASSWORDS } from '../../src/core/limits.ts';
import { foldCase } from '../../src/core/text.ts';

/** Shorter passwords are only refused as words with digits around them. The rest are names. */
const WORDS = 10_000;
const WORD = /^[A-Z]{4,}$/;

/** The text of the file: in each line one password, in upper case, after an empty line. */
export function listCommonPasswords(): string {
  const passwords = dictionary['passwords-common'].map(foldCase);
  const long = passwords.filter((text) => text.length >= PASSWORDS.minCharacters);
  const words = passwords.slice(0, WORDS).filter((text) => WORD.test(text));
  return ['', ...new Set([...words, ...long]), ''].join('\n');
}
