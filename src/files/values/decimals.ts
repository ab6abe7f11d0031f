/**
 * Reads amounts with decimal and thousands separators. A text that could be two numbers, or that
 * has more digits than a number can hold, is rejected: budgetd never guesses.
 */

import { CUT_OFF, type RowProblem, refuseAmount, showCell } from '../problems.ts';

/** The decimal separators. */
export const DECIMAL_SIGNS = ['.', ','] as const;
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];

/** The point for the comma, and the comma for the point. */
export function otherSign(sign: DecimalSign): DecimalSign {
  return sign === '.' ? ',' : '.';
}

/** The number, or why the text is not one. */
type DecimalReading = { readonly value: number } | { readonly problem: RowProblem };

/** Thousands separators; an apostrophe and a space include their typographic variants. */
export const THOUSANDS_SIGNS = ['.', ',', "'", ' '] as const;
export type ThousandsSign = (typeof THOUSANDS_SIGNS)[number];

/** How a file writes its numbers. */
export interface NumberWriting {
  /** By default the point; an ambiguous text is then rejected. */
  readonly decimal?: DecimalSign | undefined;
  /** By default any separator of groups of three. */
  readonly thousands?: ThousandsSign | undefined;
}

/** The characters for each thousands separator. */
const KINDS: Readonly<Record<ThousandsSign, string>> = {
  '.': '.',
  ',': ',',
  "'": "'\u2019",
  ' ': ' \u00a0\u2009\u202f',
};

/**
 * Reads a trimmed text such as `-1,234.50`. By default the decimal separator is the point, and a
 * text in which it could separate thousands (`1.234`, `1,234`) is rejected.
 */
export function readDecimal(text: string, writing: NumberWriting): DecimalReading {
  const stated = writing.decimal;
  const plain = readPlain(text, writing);
  if (plain !== undefined) return { value: plain };
  const found = /^([+\-\u2212\u2013]?)([\d.,'\u2019 \u00a0\u2009\u202f]+)$/.exec(text);
  if (found === null || !/\d/.test(text)) return refuseAmount(explainCharacters(text));
  const [, sign = '', body = ''] = found;
  if (stated === undefined && /^[1-9]\d{0,2}[.,]\d{3}$/.test(body)) {
    const [whole, rest] = body.split(/[.,]/);
    const two = `${showCell(text)} can be ${whole}.${rest} or ${whole}${rest}`;
    const advice = { kind: 'decimal', signs: DECIMAL_SIGNS } as const;
    return refuseAmount(`${two}.`, { code: 'ambiguous_amount', advice });
  }
  const digits = readDigits(body, stated ?? '.', writing.thousands);
  if (digits === undefined) return refuseWriting(text, body, writing);
  return toNumber(text, digits, sign !== '' && sign !== '+');
}

/**
 * Reads most amounts in a tenth of the time: at most twelve digits, and two behind the decimal
 * separator. Undefined for the others.
 */
export function readPlain(text: string, { decimal = '.' }: NumberWriting): number | undefined {
  const start = text.startsWith('-') ? 1 : 0;
  const end = text.length;
  if (end > MOST_PLAIN) return undefined;
  let [digits, point] = [0, end];
  for (let at = start; at < end; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (digit >= 0 && digit <= 9) digits = digits * 10 + digit;
    else if (point < end || text[at] !== decimal) return undefined;
    else point = at;
  }
  const places = Math.max(end - point - 1, 0);
  const isPlain = point > start && point - start <= 12 && places <= 2 && point !== end - 1;
  // Dividing two whole numbers rounds once, to the number nearest to the text.
  return isPlain ? (start === 1 ? -digits : digits) / (UNITS[places] ?? 1) + 0 : undefined;
}

/** Whether a trimmed text is digits with one separator in between, perhaps after a minus. */
export function isDecimal(text: string): boolean {
  const start = text.startsWith('-') ? 1 : 0;
  const end = text.length < LONGEST_DECIMAL ? text.length : 0;
  let sign = 0;
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= ZERO && code <= ZERO + 9) continue;
    if (sign > 0 || at === start || (code !== POINT && code !== COMMA)) return false;
    sign = at;
  }
  return sign > 0 && sign < end - 1;
}

const LONGEST_DECIMAL = 60;
const POINT = 0x2e;
const COMMA = 0x2c;
const ZERO = 0x30;
/** A minus, twelve digits, the separator and two more. */
const MOST_PLAIN = 16;
const UNITS = [1, 10, 100];
const DIGITS = /^\d*$/;
/** Groups of three with the same separator between them. */
const GROUPED = /^\d{1,3}(?=([.,'\u2019 \u00a0\u2009\u202f]))(?:\1\d{3})+$/;
/** Lakhs and crores, `1,20,000`: only if the mapping separates thousands with a comma. */
const INDIAN = /^\d{1,2}(?:,\d{2})+,\d{3}$/;

/** `1234.5` for `1,234.5`; undefined when the separators are in the wrong places. */
function readDigits(body: string, decimal: DecimalSign, thousands: ThousandsSign | undefined) {
  const [whole = '', fraction, ...more] = body.split(decimal);
  if (more.length > 0 || !DIGITS.test(fraction ?? '')) return undefined;
  if (DIGITS.test(whole)) return `${whole || '0'}.${fraction || '0'}`;
  const isIndian = thousands === ',' && INDIAN.test(whole);
  const separator = isIndian ? thousands : GROUPED.exec(whole)?.[1];
  if (separator === undefined) return undefined;
  const isRight = thousands === undefined || KINDS[thousands].includes(separator);
  return isRight ? `${whole.replaceAll(separator, '')}.${fraction || '0'}` : undefined;
}

/** Refuses digits with separators in the wrong places. */
function refuseWriting(text: string, body: string, { decimal = '.', thousands }: NumberWriting) {
  const other = otherSign(decimal);
  if (readDigits(body, other, thousands) !== undefined) {
    const only = `${showCell(text)} is a number only with "${other}" as the decimal separator.`;
    return refuseAmount(only, { advice: { kind: 'decimal', signs: [other] } });
  }
  const sign = thousands === ' ' ? 'a space' : `"${thousands}"`;
  const isOtherwise = thousands !== undefined && readDigits(body, decimal, undefined) !== undefined;
  const reason = isOtherwise
    ? `the mapping separates thousands with ${sign}`
    : 'its thousands are not in groups of three';
  return refuseAmount(`${showCell(text)} is not a number: ${reason}.`);
}

const CUT_OFF_ADVICE = 'The file is cut off in this payment. Download the file again.';

/** Names the characters that cannot be in a number. */
function explainCharacters(text: string): string {
  if (text.startsWith(`? ${CUT_OFF}`)) return CUT_OFF_ADVICE;
  const wrong = [...new Set(text.match(/[^\d.,'\u2019\s+\-\u2212\u2013]+/g))];
  const isSome = wrong.length > 0 && wrong[0] !== text.trim();
  const shown = wrong.slice(0, 3).map(showCell).join(', ');
  const found = isSome ? `is not a number: it contains ${shown}` : 'is not a number';
  return `${showCell(text)} ${found}. Write an amount such as 1234.50.`;
}

function toNumber(text: string, digits: string, negative: boolean): DecimalReading {
  const value = Number(digits);
  if (!Number.isFinite(value)) {
    const message = `${showCell(text)} is too large for an amount.`;
    return refuseAmount(message, { code: 'amount_out_of_range' });
  }
  // Fifteen digits always fit, so only longer numbers need the check.
  if (digits.length > 16 && canonical(String(value)) !== canonical(digits)) {
    const message = `${showCell(text)} has more digits than a JSON number can hold exactly.`;
    return refuseAmount(message, { code: 'amount_precision' });
  }
  return { value: negative && value !== 0 ? -value : value };
}

/** Digits and exponent, the same for every notation of a number. */
function canonical(number: string): string {
  const [mantissa = '', exponent = '0'] = number.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const shift = Number(exponent) - fraction.length + digits.length - significant.length;
  return significant === '' ? '0' : `${significant}e${shift}`;
}
