/**
 * Which passwords are refused: too short, too long, or easy to guess. There are no rules about
 * kinds of characters: they only lead to `Password1!`.
 *
 * Hashes passwords with scrypt, outside the event loop. Few are hashed at once, because each takes
 * memory and a core; some wait for their turn, and others are refused, so that no flood of wrong
 * passwords holds up everything else.
 */

import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { Failure } from '../core/failures.ts';
import { PASSWORDS } from '../core/limits.ts';
import { countCharacters, findTextProblems, foldCase, normalized } from '../core/text.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';

/** What a hash costs. A stored hash has its own, so these can change. */
interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const COST: Cost = { N: 2 ** 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Twice what COST needs; Node's default is too little. */
const MEMORY_BYTES = 64 * 1024 * 1024;

/** What `npm run build` writes: a password in each line, in upper case. */
const COMMON_FILE = new URL('dist/src/operations/common-passwords.txt', PACKAGE_FOLDER);

/**
 * Why a new password is refused; undefined if it is not (docs/operating.md#passwords). `own` are
 * texts that others know, such as the email address and the name of the organisation.
 */
export function explainPassword(password: string, own: readonly string[]): string | undefined {
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
    return 'The password is too much like the email address or the name of the organisation.';
  }
  if (problem === 'blank' || isEasy(password)) {
    return 'The password is too easy to guess. Choose another one.';
  }
  return undefined;
}

/**
 * The text to store for a new password: `scrypt:N:r:p:salt:hash`. Refuses with `invalid_input` a
 * password that is easily guessed, from the texts that are known of the user too, and with
 * `unavailable` when too many passwords are waiting.
 */
export async function hashNewPassword(
  password: string,
  own: readonly string[],
  turn: Queued = FIRST,
): Promise<string> {
  const problem = explainPassword(password, own);
  if (problem !== undefined) throw new Failure('invalid_input', problem);
  const salt = randomBytes(SALT_BYTES);
  const derived = await derive(password, salt, COST, turn);
  const [saltText, hashText] = [salt.toString('base64'), derived.toString('base64')];
  return ['scrypt', COST.N, COST.r, COST.p, saltText, hashText].join(':');
}

/**
 * Whether a password has this hash. Without a hash it takes the same time, and the answer is no, so
 * that nobody learns which addresses are known. Refuses with `unavailable`.
 */
export async function isPassword(
  password: string,
  stored: string | undefined,
  turn: Queued = FIRST,
): Promise<boolean> {
  const [, N, r, p, salt = '', wanted = ''] = stored?.split(':') ?? [];
  const cost = stored === undefined ? COST : { N: Number(N), r: Number(r), p: Number(p) };
  const isTooLong = password.length > 2 * PASSWORDS.characters;
  const text = isTooLong ? '' : password;
  const derived = await derive(text, Buffer.from(salt, 'base64'), cost, turn);
  if (stored === undefined || isTooLong) return false;
  return timingSafeEqual(derived, Buffer.from(wanted, 'base64'));
}

function derive(password: string, salt: Buffer, cost: Cost, turn: Queued): Promise<Buffer> {
  // The same characters can be typed in several ways.
  const text = normalized(password, 'NFKC');
  const options = { ...cost, maxmem: MEMORY_BYTES };
  return inTurn(turn, () => {
    return new Promise((resolve, reject) => {
      scrypt(text, salt, HASH_BYTES, options, (error, derived) => {
        if (error === null) resolve(derived);
        else reject(error);
      });
    });
  });
}

/** Who waits for a password to be checked. */
export interface Queued {
  /** Whoever has a lower one waits in front of others. */
  readonly place: number;
  /** Whether nobody waits for the answer any more. Then nothing is checked. */
  readonly isGone: () => boolean;
}

const FIRST: Queued = { place: 0, isGone: () => false };

let running = 0;
/** By their places, and then as they came. */
let waiting: (Queued & {
  readonly start: () => void;
  readonly refuse: (failure: Failure) => void;
})[] = [];

/**
 * Does the work once fewer than PASSWORDS.atOnce others run. Refuses the last in a full line, in
 * which equals are in no order: each has the same chance, however many others come.
 */
async function inTurn<Result>(turn: Queued, work: () => Promise<Result>): Promise<Result> {
  if (running < PASSWORDS.atOnce) running += 1;
  else {
    await new Promise<void>((start, refuse) => {
      if (waiting.length >= PASSWORDS.waiting) refuseGone();
      const ahead = waiting.filter(({ place }) => place < turn.place).length;
      const equal = waiting.filter(({ place }) => place === turn.place).length;
      const isFull = waiting.length >= PASSWORDS.waiting;
      const after = isFull ? Math.floor(Math.random() * (equal + 1)) : equal;
      waiting.splice(ahead + after, 0, { ...turn, start, refuse });
      if (waiting.length > PASSWORDS.waiting) waiting.pop()?.refuse(busy());
    });
  }
  try {
    return await work();
  } finally {
    refuseGone();
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next.start();
  }
}

function refuseGone(): void {
  for (const each of waiting) if (each.isGone()) each.refuse(busy());
  waiting = waiting.filter((each) => !each.isGone());
}

function busy(): Failure {
  return new Failure('unavailable', 'Too many passwords are being checked. Try again.');
}

function isEasy(password: string): boolean {
  const text = foldCase(password).replaceAll(/\s/gu, '');
  if (new Set(text).size <= 2) return true;
  const unit = unitOf(text);
  const reversed = [...unit].reverse().join('');
  if (ROWS.some((row) => row.includes(unit) || row.includes(reversed))) return true;
  return isCommon(unit) || isCommon(text) || hasCommonWord(text);
}

let common: string | undefined;

/** Whether a text, in upper case and without spaces, is one of the common passwords. */
function isCommon(text: string): boolean {
  // Most processes never set a password, so the list is read when it is first needed.
  common ??= readPackageFile(COMMON_FILE).toString();
  return common.includes(`\n${text}\n`);
}

/** Whether a text is a common word with few digits and signs around it, such as `P@ssw0rd2026`. */
function hasCommonWord(text: string): boolean {
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
