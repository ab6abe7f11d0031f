/**
 * Public identifiers: a type prefix and the record's number in Crockford's base 32, at a fixed
 * width, so that the order of identifiers as text is the order in which records were made and no
 * second unique index is needed. Opaque to clients (contract 1).
 */

/** The kinds of record that have a public identifier, by prefix. */
export const ID_PREFIXES = ['org', 'usr', 'key', 'prj', 'bln', 'txn', 'alc'] as const;
export type IdPrefix = (typeof ID_PREFIXES)[number];

/** An organisation's record number; every store function on tenant data takes one. */
export type OrgId = number & { readonly __organisation: unique symbol };

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const DIGITS = 10;

/** The public identifier of record `number` (a positive safe integer). */
export function formatId(prefix: IdPrefix, number: number): string {
  let digits = '';
  let rest = number;
  while (rest > 0) {
    digits = ALPHABET.charAt(rest % 32) + digits;
    rest = Math.floor(rest / 32);
  }
  return `${prefix}_${digits.padStart(DIGITS, '0')}`;
}

/** The record number behind a public identifier; undefined for any text that is not one. */
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
