/**
 * Public identifiers: a type prefix and the record number in Crockford's base 32. The fixed width
 * makes identifiers sort in the order of creation, and no second unique index is needed. They are
 * opaque to clients (contract 1).
 */

/** The kinds of record that have a public identifier, by prefix. */
export type IdPrefix = 'org' | 'usr' | 'key' | 'prj' | 'bln' | 'txn' | 'alc' | 'rul';

/** An organisation's record number; every store function on tenant data needs one. */
export type OrgId = number & { readonly __organisation: unique symbol };

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGITS = 10;

/** The public identifier of record `number` (a positive safe integer). */
export function formatId(prefix: IdPrefix, number: number): string {
  const high = Math.floor(number / 0x100000);
  if (high !== lastHigh.number) lastHigh = { number: high, text: digitsOf(high, DIGITS - 4) };
  const low = number % 0x100000;
  return `${prefix}_${lastHigh.text}${PAIRS[low >>> 10]}${PAIRS[low & 0x3ff]}`;
}

/** All pairs of digits, and the first six digits, which seldom change between calls. */
const PAIRS = Array.from({ length: 1024 }, (_, number) => digitsOf(number, 2));
let lastHigh = { number: 0, text: digitsOf(0, DIGITS - 4) };

function digitsOf(number: number, width: number): string {
  let digits = '';
  for (let rest = number; rest > 0; rest = Math.floor(rest / 32)) {
    digits = ALPHABET.charAt(rest % 32) + digits;
  }
  return digits.padStart(width, '0');
}

/** The record number of a public identifier; undefined for any other text. */
export function readId(prefix: IdPrefix, text: string): number | undefined {
  if (text.length !== prefix.length + 1 + DIGITS || !text.startsWith(`${prefix}_`)) {
    return undefined;
  }
  let number = 0;
  for (const digit of text.slice(prefix.length + 1)) {
    const value = ALPHABET.indexOf(digit);
    if (value < 0) return undefined;
    number = number * 32 + value;
  }
  return number > 0 ? number : undefined;
}
