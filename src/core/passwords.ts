/**
 * Which passwords are refused: too short, too long, or among the first that anyone would guess.
 * There are no rules about kinds of characters: they only lead to `Password1!`.
 */

import { PASSWORD_CHARACTERS, PASSWORD_MIN_CHARACTERS } from './limits.ts';
import { countCharacters, findTextProblems, foldCase } from './text.ts';

/**
 * Why a password is refused; undefined if it is not. `own` are texts that others know, such as the
 * e-mail address and the name of the organisation.
 */
export function explainPassword(password: string, own: readonly string[]): string | undefined {
  const [problem] = findTextProblems(password, PASSWORD_CHARACTERS);
  if (problem === 'too_long') {
    return `The password is longer than ${PASSWORD_CHARACTERS} characters.`;
  }
  if (countCharacters(password) < PASSWORD_MIN_CHARACTERS) {
    return `The password is shorter than ${PASSWORD_MIN_CHARACTERS} characters.`;
  }
  if (problem === 'invalid_characters') return 'The password contains a control character.';
  if (problem === 'blank' || isCommon(password)) {
    return 'The password is one of the first that anyone would try. Choose another one.';
  }
  const known = own.flatMap((text) => [text, ...text.split(/[\s@._-]+/)]).map(bareOf);
  if (known.includes(bareOf(password)) && bareOf(password) !== '') {
    return 'The password is too much like the e-mail address or the name of the organisation.';
  }
  return undefined;
}

function isCommon(password: string): boolean {
  const text = foldCase(password).replaceAll(/\s/gu, '');
  if (new Set(text).size <= 2) return true;
  const unit = unitOf(text);
  const reversed = [...unit].reverse().join('');
  const bare = unitOf(bareOf(password).replaceAll(/[@$0345]/g, (sign) => LETTERS[sign] ?? sign));
  return ROWS.some((row) => row.includes(unit) || row.includes(reversed)) || COMMON.has(bare);
}

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

/** Words that people choose, whatever digits and signs they put around them. */
const COMMON: ReadonlySet<string> = new Set(
  (
    'PASS PASSWD PASSWORD PASSWORDS PASSWORT PASSPHRASE ADMIN ADMINISTRATOR ROOT USER GUEST TEST ' +
    'TESTING TESTTEST TEMP DEFAULT LOGIN SECRET ACCESS WELCOME HELLO LETMEIN OPENSESAME CHANGEME ' +
    'CHANGEIT TRUSTNO ILOVEYOU LOVE LOVELY LOVEME ABC ABCD QWER QWERTY QWERTZ AZERTY ASDF ASDFGH ' +
    'ZXCVBN MASTER MONKEY DRAGON SHADOW SUNSHINE PRINCESS FLOWER BUTTERFLY FOOTBALL BASEBALL ' +
    'BASKETBALL SOCCER HOCKEY LIVERPOOL ARSENAL CHELSEA SUPERMAN BATMAN SPIDERMAN STARWARS ' +
    'POKEMON MINECRAFT COMPUTER INTERNET SAMSUNG GOOGLE FACEBOOK WHATEVER FREEDOM JESUS MICHAEL ' +
    'JORDAN CHARLIE ASHLEY DANIEL JESSICA JENNIFER THOMAS MICHELLE SPRING SUMMER AUTUMN WINTER ' +
    'JANUARY FEBRUARY MARCH APRIL JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER BUDGET ' +
    'BUDGETD'
  ).split(' '),
);
