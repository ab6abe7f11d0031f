/** Amounts as people read and write them. */

import { findCurrency } from '../core/currencies.ts';
import { formatAmount, readAmountText } from '../core/money.ts';
import { UsageError } from './command.ts';

/** `1,234,567.80` for a number in major units. */
export function showAmount(amount: number, currency: string): string {
  return groupThousands(writeAmount(amount, currency));
}

/** The same in whole units, for where there is no room: `1,234,568`. */
export function showWhole(amount: number): string {
  const rounded = Math.round(Math.abs(amount));
  return groupThousands(`${amount < 0 && rounded > 0 ? '-' : ''}${rounded}`);
}

/** `1234567.80`, for a spreadsheet: the number's own digits, never rounded. */
export function writeAmount(amount: number, currency: string): string {
  const places = placesOf(currency);
  const [whole = '0', fraction = ''] = String(Math.abs(amount)).split('.');
  const digits = places === 0 ? whole : `${whole}.${fraction.padEnd(places, '0')}`;
  return amount < 0 ? `-${digits}` : digits;
}

/** `1234567.80` for a number in minor units. */
export function showMinor(amountMinor: number, currency: string): string {
  return formatAmount(amountMinor, placesOf(currency));
}

/** How much of the budget is used, such as `104%`; nothing where there is no budget. */
export function showUse(budgeted: number, actual: number): string {
  if (budgeted === 0) return '';
  const percent = Math.round((actual / budgeted) * 100);
  return Math.abs(percent) > 9999 ? '>9999%' : `${percent}%`;
}

/** The number of an amount that a person typed. Refuses with a UsageError. */
export function readTypedAmount(option: string, text: string, currency: string): number {
  const places = placesOf(currency);
  const minor = readAmountText(text, places);
  if (typeof minor === 'number') return Number(formatAmount(minor, places));
  const because = {
    amount_precision: `takes at most ${places} decimal places in ${currency}`,
    amount_out_of_range: 'is too large an amount',
    no_number: 'takes an amount written like 1234.50',
  }[minor ?? 'no_number'];
  throw new UsageError(`--${option} ${because}, not "${text}".`);
}

/** `1 transaction`, `1,200 transactions`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${groupThousands(String(number))} ${number === 1 ? noun : plural}`;
}

function placesOf(currency: string): number {
  return findCurrency(currency)?.places ?? 2;
}

function groupThousands(digits: string): string {
  const [whole = '', fraction] = digits.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
