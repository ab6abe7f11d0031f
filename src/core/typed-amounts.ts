/** Amounts as people type them, in whichever habit, and as spreadsheets copy them. */

import { AMOUNT_UNITS } from './limits.ts';
import { type AmountProblem, formatAmount, readAmountText } from './money.ts';

/** How someone writes amounts in one currency. */
interface AmountHabit {
  /** What separates the minor units: `.` or `,`. */
  readonly decimal: string;
  /** How many digits of minor units the currency has. */
  readonly places: number;
}

/**
 * Reads an amount that someone typed, in minor units; undefined if it is not one. A text that
 * only has a meaning for others, such as `12.50` where the comma is decimal, is read as they do.
 */
export function readTypedAmount(
  text: string,
  { decimal, places }: AmountHabit,
): number | readonly [ownMinor: number, otherMinor: number] | AmountProblem | undefined {
  if (text.length > AMOUNT_UNITS) return undefined;
  // Some scripts put invisible marks before a sign.
  const plain = text.replace(/[\u200e\u200f\u061c]/g, '').trim();
  const typed = plain.replace(/^[\u2212\u2013]/, '-');
  const foreign = decimal === ',' ? '.' : ',';
  const own = readWith(typed, decimal, places);
  const other = readWith(typed, foreign, places);
  if (own === undefined) return other;
  if (typeof own !== 'number' || typeof other !== 'number' || own === other) return own;
  // Nobody writes 1,000 for 1 where the currency has 2 places; and what has all of its decimals is
  // meant with them.
  const isLikely = typed.includes(foreign)
    ? countDecimals(typed, foreign) <= places
    : countDecimals(typed, decimal) !== places;
  return isLikely ? [own, other] : own;
}

/** Whole numbers with signs for thousands, or for pairs of digits as in India. */
const BY_COMMAS = /^-?[1-9]\d{0,2}([,'’\s])(?:\d{2,3}\1)*\d{3}$/;
const BY_POINTS = /^-?[1-9]\d{0,2}([.'’\s])(?:\d{2,3}\1)*\d{3}$/;

/** Minor units of an amount with this decimal sign; undefined if it is not written like that. */
function readWith(text: string, decimal: string, places: number) {
  const [whole = '', fraction = '', ...more] = text.split(decimal);
  // Thousands are separated throughout or not at all; Indian ones by pairs of digits.
  const digits = (decimal === ',' ? BY_POINTS : BY_COMMAS).test(whole)
    ? whole.replace(/[^-\d]/g, '')
    : whole;
  if (more.length > 0 || !/^-?\d*$/.test(digits)) return undefined;
  return readAmountText(fraction === '' ? digits : `${digits}.${fraction}`, places);
}

function countDecimals(text: string, decimal: string): number {
  return text.length - text.lastIndexOf(decimal) - 1;
}

/** 1% in the units of {@link readPercent}. */
export const PERCENT = 10_000;

/** What was typed as a percentage, in ten thousandths of one; undefined if it is something else. */
export function readPercent(text: string): number | undefined {
  const [, percent] = /^\s*(\d{1,3}(?:[.,]\d{1,4})?)\s*%\s*$/.exec(text) ?? [];
  if (percent === undefined) return undefined;
  return Math.round(Number(percent.replace(',', '.')) * PERCENT);
}

/** An amount as a form takes it back: without signs for thousands, `-1234.50`. */
export function formatTyped(amountMinor: number, { decimal, places }: AmountHabit): string {
  return formatAmount(amountMinor, places).replace('.', decimal);
}

/**
 * The plain form of an amount that a spreadsheet copied, such as `£1,000.50`, `(500.00)`, or `-`
 * for zero. `signs` are the code and the signs of the currency. What is already plain, and what is
 * not certainly an amount, stays as it is.
 */
export function plainAmount(text: string, habit: AmountHabit, signs: readonly string[]): string {
  const copied = text.trim();
  if (copied === '' || typeof readTypedAmount(copied, habit) === 'number') return copied;
  const minor = readAccounting(copied, habit, signs);
  return minor === undefined ? copied : formatTyped(minor, habit);
}

/** What can be beside an amount of a currency in this locale: its code and its signs. */
export function listSigns(currency: string, locale: string): readonly string[] {
  const signs = (['symbol', 'narrowSymbol'] as const).flatMap((currencyDisplay) => {
    const options = { style: 'currency', currency, currencyDisplay } as const;
    const parts = new Intl.NumberFormat(locale, options).formatToParts(0);
    return parts.filter(({ type }) => type === 'currency').map(({ value }) => value);
  });
  return [currency, ...signs];
}

/**
 * Reads an amount that a spreadsheet copied, in minor units, as {@link readTypedAmount} does.
 * `signs` are those of the currency.
 */
export function readCopiedAmount(text: string, habit: AmountHabit, signs: readonly string[]) {
  const typed = readTypedAmount(text, habit);
  return typeof typed === 'number' ? typed : (readAccounting(text.trim(), habit, signs) ?? typed);
}

/** The currency is before or after the amount, outside or inside of what makes it negative. */
function readAccounting(text: string, habit: AmountHabit, signs: readonly string[]) {
  if (text.length > AMOUNT_UNITS) return undefined;
  const read = (amount: string) => {
    const minor = readTypedAmount(amount, habit);
    return typeof minor === 'number' ? minor : undefined;
  };
  const outer = withoutSign(text, signs);
  const [, inBrackets, afterMinus] = /^(?:\((.*)\)|[-\u2212\u2013\u2014](.*))$/.exec(outer) ?? [];
  const negated = inBrackets ?? afterMinus;
  if (negated === undefined) return read(outer);
  const inner = outer === text ? withoutSign(negated.trim(), signs) : negated.trim();
  if (afterMinus !== undefined && inner === '') return 0;
  const minor = read(inner);
  // 0 has no sign.
  return minor === undefined || minor < 0 ? undefined : 0 - minor;
}

function withoutSign(text: string, signs: readonly string[]): string {
  const [sign = ''] = signs
    .filter((each) => text.startsWith(each) || text.endsWith(each))
    .sort((a, b) => b.length - a.length);
  const rest = text.startsWith(sign) ? text.slice(sign.length) : text.slice(0, -sign.length);
  return rest.trim();
}
