/**
 * Money is an integer count of minor units (`amountMinor`). Only these functions convert to and
 * from it. They work on the decimal digits of a number, never on its binary fraction.
 */

import type { Currency } from './currencies.ts';
import { AMOUNT_MINOR } from './limits.ts';

/** Why an amount is rejected (contract 6). */
export type AmountProblem = 'amount_precision' | 'amount_out_of_range';

/** Decimal digits of a tolerated error of 1e-6 of a minor unit (contract 1). */
const TOLERATED_DIGITS = 6;

/**
 * Minor units of an amount in major units. The sender wrote the shortest decimal that reads back as
 * the same double. Float noise within 1e-6 of a minor unit is rounded to that unit.
 */
export function toMinor(amount: number, places: number): number | AmountProblem {
  if (!Number.isFinite(amount)) return 'amount_out_of_range';
  // The usual case: the nearest whole number of minor units reads back as the same double.
  const minor = Math.round(amount * unitOf(places));
  if (toMajor(minor, places) === amount && Math.abs(minor) <= AMOUNT_MINOR) {
    return minor === 0 ? 0 : minor;
  }
  return readDigits(String(Math.abs(amount)), places, amount < 0);
}

/**
 * Minor units of an amount written with a decimal point, such as `-1234.50`; undefined for other
 * texts. Thousands separators and exponents are not accepted.
 */
export function readAmountText(text: string, places: number): number | AmountProblem | undefined {
  const found = /^([+-]?)(\d+(?:\.\d+)?|\.\d+)$/.exec(text);
  if (found === null) return undefined;
  return readDigits(found[2] ?? '', places, found[1] === '-');
}

/** `-1234.50` for -123450 minor units of a currency with two places. */
export function formatAmount(amountMinor: number, places: number): string {
  const sign = amountMinor < 0 ? '-' : '';
  const digits = String(Math.abs(amountMinor));
  if (places === 0) return sign + digits;
  const padded = digits.padStart(places + 1, '0');
  return `${sign}${padded.slice(0, -places)}.${padded.slice(-places)}`;
}

/** An amount with its currency, for a message: `-1234.50 GBP`. */
export function showMoney(amountMinor: number, { code, places }: Currency): string {
  return `${formatAmount(amountMinor, places)} ${code}`;
}

/**
 * The JSON number of an amount: the double nearest to its decimal form (contract 1). Dividing two
 * whole doubles rounds once, to exactly that double.
 */
export function toMajor(amountMinor: number, places: number): number {
  // Adding 0 turns -0 into 0.
  return amountMinor / unitOf(places) + 0;
}

/** Minor units of what `toMajor` made: a sum can be larger than any amount that is accepted. */
export function fromMajor(amount: number, places: number): number {
  return Math.round(amount * unitOf(places)) + 0;
}

/** How many minor units make a major one. */
function unitOf(places: number): number {
  return UNITS[places] ?? 10 ** places;
}

const UNITS = [1, 10, 100, 1000, 10_000];

function readDigits(text: string, places: number, negative: boolean): number | AmountProblem {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  const point = whole.length + Number(exponent) + places;
  const units = point > 0 ? digits.slice(0, point).padEnd(Math.min(point, 32), '0') : '0';
  const rest =
    (point < 0 ? '0'.repeat(Math.min(-point, 32)) : '') + digits.slice(Math.max(point, 0));
  const minor = Number(units);
  if (minor > AMOUNT_MINOR) return 'amount_out_of_range';
  const rounded = minor + (rest.startsWith('999999') ? 1 : 0);
  if (rounded > AMOUNT_MINOR) return 'amount_out_of_range';
  if (!isWhole(rest)) return minor === AMOUNT_MINOR ? 'amount_out_of_range' : 'amount_precision';
  return negative && rounded !== 0 ? -rounded : rounded;
}

/** Whether the digits after the minor unit are zero, within the tolerance. */
function isWhole(rest: string): boolean {
  const head = rest.slice(0, TOLERATED_DIGITS).padEnd(TOLERATED_DIGITS, '0');
  const tail = rest.slice(TOLERATED_DIGITS);
  if (head === '999999' || head === '000000') return true;
  return head === '000001' && /^0*$/.test(tail);
}

/**
 * `totalMinor` in `count` equal shares. The remainder of the magnitude goes, one unit each, to the
 * earliest shares (contract 4, budgetMode `total`).
 */
export function shareEqually(totalMinor: number, count: number): number[] {
  const magnitude = Math.abs(totalMinor);
  const base = Math.floor(magnitude / count);
  const remainder = magnitude - base * count;
  const sign = totalMinor < 0 ? -1 : 1;
  return Array.from({ length: count }, (_, index) => {
    const share = base + (index < remainder ? 1 : 0);
    return share === 0 ? 0 : sign * share;
  });
}

/**
 * `totalMinor` in proportion to `weights`, which have one sign and are not all 0. By largest
 * remainder: leftover units go to the largest fractions, the earlier first (contract 5).
 */
export function shareByWeight(totalMinor: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + BigInt(Math.abs(weight)), 0n);
  const magnitude = BigInt(Math.abs(totalMinor));
  const parts = weights.map((weight, index) => {
    const product = magnitude * BigInt(Math.abs(weight));
    return { index, share: Number(product / whole), remainder: product % whole };
  });
  let left = Number(magnitude) - parts.reduce((sum, part) => sum + part.share, 0);
  const byRemainder = [...parts].sort(
    (a, b) => Number(b.remainder > a.remainder) - Number(b.remainder < a.remainder),
  );
  for (const part of byRemainder) {
    if (left === 0) break;
    part.share += 1;
    left -= 1;
  }
  const sign = totalMinor < 0 ? -1 : 1;
  return parts.map(({ share }) => (share === 0 ? 0 : sign * share));
}
