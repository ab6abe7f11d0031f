/**
 * Reads what surrounds the digits of an amount: a minus before or after them, brackets, a currency,
 * a mark for debit or credit. Anything that the mapping does not allow is rejected.
 */

import { findCurrency } from '../../core/currencies.ts';
import { turn } from '../../core/projects.ts';
import { refuseAmount, showCell } from '../problems.ts';
import { canBeSame } from './currency-signs.ts';
import { type NumberWriting, readDecimal, readPlain } from './decimals.ts';

/** How a file can write negative amounts, other than with a minus before the digits. */
export const NEGATIVE_FORMS = ['trailing minus', 'brackets'] as const;
export type NegativeForm = (typeof NEGATIVE_FORMS)[number];

/** How a file writes its amounts. */
export interface AmountWriting extends NumberWriting {
  readonly negative?: readonly NegativeForm[];
  /** The one currency that cells may contain, as a sign or code. */
  readonly currency?: string | undefined;
}

interface AmountParts {
  /** The digits with their separators, and a `-` if there is a minus before them. */
  readonly number: string;
  readonly form: NegativeForm | undefined;
  readonly currency: string | undefined;
  /** `CR`, `D` and the like, as written. */
  readonly mark: string | undefined;
}

const BLANKS = ' \\u00a0\\u2009\\u202f';
const CURRENCY_WORDS =
  'R\\$|US\\$|A\\$|C\\$|NZ\\$|HK\\$|S\\$|[$£€¥￥\\\\₹₽₩₺₪₴]|円|元|zł|Kč|Ft|TL|' +
  'kr\\.?|Kr\\.?|SFr\\.?|Fr\\.?|Rs\\.?|€uro';
const LEAD = new RegExp(`^(${CURRENCY_WORDS}|[A-Z]{3})[${BLANKS}]*`, 'u');
const TAIL = new RegExp(`[${BLANKS}]*(${CURRENCY_WORDS}|[A-Z]{3})$`, 'u');
const MARK = new RegExp(`[${BLANKS}]*(CR|DR|DB|Cr|Dr|Db|cr|dr|db|C|D|S|H|K)\\.?$`, 'u');
const PLAIN = /^-?[\d.,]*\d[\d.,]*$/;
/** Longer than any amount with all possible parts. */
const LONGEST = 60;
const NUMBER = /^[\d.,'\u2019 \u00a0\u2009\u202f]*$/;

/** Splits a cell; undefined if anything in it is not a number, sign, currency or mark. */
export function splitAmount(text: string): AmountParts | undefined {
  let rest = text.trim();
  if (rest.length > LONGEST) return undefined;
  if (PLAIN.test(rest)) return plainParts(rest);
  // A spreadsheet marks texts with an apostrophe, and some programs put texts between two.
  rest = rest.replace(/^'(.*?)'?$/, '$1').trim();
  if (PLAIN.test(rest)) return plainParts(rest);
  if (!/\d/.test(rest)) return undefined;
  let sign = '';
  let form: NegativeForm | undefined;
  let currency: string | undefined;
  let mark: string | undefined;
  // Each part once, in any order: `-£5.00`, `(£5.00)`, `5,00- EUR`, `£5 DR`.
  for (let before = ''; before !== rest; ) {
    before = rest;
    if (sign === '' && form === undefined) {
      if (/^[+\-\u2212\u2013]/.test(rest)) [sign, rest] = [rest.charAt(0), rest.slice(1).trim()];
      else if (/^\(.*\)$/.test(rest)) [form, rest] = ['brackets', rest.slice(1, -1).trim()];
      else if (/\d\s?[-\u2212]$/.test(rest)) {
        [form, rest] = ['trailing minus', rest.slice(0, -1).trim()];
      } else if (/\d\+$/.test(rest)) [sign, rest] = ['+', rest.slice(0, -1)];
    }
    if (currency === undefined) {
      const found = findCurrencyText(LEAD.exec(rest)) ?? findCurrencyText(TAIL.exec(rest));
      if (found !== undefined) {
        currency = found.currency;
        rest = rest.startsWith(found.whole) ? rest.slice(found.whole.length) : rest;
        rest = rest.endsWith(found.whole) ? rest.slice(0, -found.whole.length) : rest;
      }
    }
    const marked = mark === undefined ? MARK.exec(rest) : null;
    if (marked !== null) [mark, rest] = [marked[1], rest.slice(0, marked.index)];
  }
  if (!/\d/.test(rest) || !NUMBER.test(rest)) return undefined;
  const minus = sign === '' || sign === '+' ? '' : '-';
  return { number: minus + rest.trim(), form, currency, mark };
}

function plainParts(number: string): AmountParts {
  return { number, form: undefined, currency: undefined, mark: undefined };
}

function findCurrencyText(found: RegExpExecArray | null) {
  const [whole = '', currency = ''] = found ?? [];
  if (currency === '') return undefined;
  // Three capitals are a currency only if they are in ISO 4217.
  if (/^[A-Z]{3}$/.test(currency) && findCurrency(currency) === undefined) return undefined;
  return { whole, currency };
}

/** Whether a cell has no amount: it is empty, or has only dashes, a currency or `n/a`. */
export function isBlankAmount(text: string): boolean {
  if (text === '') return true;
  if (text.length > LONGEST || /\d/.test(text)) return false;
  const rest = text.trim();
  const { whole = '' } = findCurrencyText(LEAD.exec(rest) ?? TAIL.exec(rest)) ?? {};
  return NO_AMOUNT.test(rest.replace(whole, ''));
}

const NO_AMOUNT = new RegExp(`^(?:[-\u2212\u2013\u2014${BLANKS}]*|n/?a)$`, 'iu');

/** A number, with its mark for debit or credit, if it has one. */
type WrittenAmount = ReturnType<typeof readDecimal> & { readonly mark?: string };

/** Reads a trimmed cell. */
export function readWrittenAmount(text: string, writing: AmountWriting): WrittenAmount {
  const plain = readPlain(text, writing);
  if (plain !== undefined) return { value: plain };
  const parts = splitAmount(text);
  if (parts === undefined) return readDecimal(text, writing);
  const { number, form, currency, mark } = parts;
  if (form !== undefined && writing.negative?.includes(form) !== true) {
    const where = form === 'brackets' ? 'is in brackets' : 'has its minus at the end';
    return refuseAmount(`${showCell(text)} ${where}. Write -${number}.`, ALLOW);
  }
  if (currency !== undefined && !canBeSame(currency, writing.currency ?? '')) {
    const cell = showCell(text);
    const { currency: allowed } = writing;
    if (allowed === undefined) {
      return refuseAmount(`${cell} contains the currency "${currency}". ${REMOVE}`, ALLOW);
    }
    return refuseAmount(`${cell} is in ${currency}, and the mapping allows only ${allowed}.`);
  }
  const read = readDecimal(number, writing);
  const own = 'value' in read && form !== undefined ? { value: turn(read.value) } : read;
  return mark === undefined ? own : { ...own, mark };
}

/** The number in a trimmed cell, whatever surrounds it; undefined if there is none. */
export function readAnyAmount(text: string, writing: NumberWriting): number | undefined {
  if (text === '') return undefined;
  const plain = readPlain(text, writing);
  if (plain !== undefined) return plain;
  const { number, form } = splitAmount(text) ?? { number: text, form: undefined };
  const read = readDecimal(number, writing);
  if ('problem' in read) return undefined;
  return form === undefined ? read.value : turn(read.value);
}

const REMOVE = 'Remove it in the file.';
const ALLOW = { advice: { kind: 'allow amount' } } as const;

/** Reads a trimmed cell, and refuses a mark for debit or credit. */
export function readUnmarkedAmount(text: string, writing: AmountWriting): WrittenAmount {
  const read = readWrittenAmount(text, writing);
  if (read.mark === undefined) return read;
  return refuseAmount(`${showCell(text)} ends in "${read.mark}". ${REMOVE}`, ALLOW);
}
