/** Shows amounts, and reads those that are typed on the command line. */

import { groupThousands } from '../core/counts.ts';
import { findCurrency } from '../core/currencies.ts';
import { AMOUNT_MINOR } from '../core/limits.ts';
import { formatAmount, readAmountText } from '../core/money.ts';
import { UsageError } from './command.ts';

/** `1,234,567.80` for a number in major units. */
export function showAmount(amount: number, currency: string): string {
  return groupThousands(writeAmount(amount, currency));
}

/** `1,234,568`: rounded to whole units, for narrow columns. */
export function showWhole(amount: number): string {
  const rounded = Math.round(Math.abs(amount));
  return groupThousands(`${amount < 0 && rounded > 0 ? '-' : ''}${rounded}`);
}

/** `1234567.80`, for a spreadsheet: all digits, never rounded. */
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

/** How much of the budget is used, such as `104%`; empty without a budget. */
export function showUse(budgeted: number, actual: number): string {
  if (budgeted === 0) return '';
  const percent = Math.round((actual / budgeted) * 100);
  return Math.abs(percent) > 9999 ? '>9999%' : `${percent}%`;
}

/** Reads the amount of an option, in major units. Refuses with a UsageError. */
export function readTypedAmount(option: string, text: string, currency: string): number {
  const places = placesOf(currency);
  const minor = readAmountText(text, places);
  if (typeof minor === 'number') return Number(formatAmount(minor, places));
  const example = formatAmount(12_345 * 10 ** places, places);
  const problem = {
    amount_precision: `has more than the ${places} decimal places of ${currency}. Round it`,
    amount_out_of_range: `is too large. The largest is ${formatAmount(AMOUNT_MINOR, places)}`,
    no_number: `is not a plain number. Write it like ${example}`,
  }[minor ?? 'no_number'];
  throw new UsageError(`--${option} "${text}" ${problem}.`);
}

/** The sum of amounts, exact to the minor unit. */
export function addAmounts(amounts: readonly number[], currency: string): number {
  const units = 10 ** placesOf(currency);
  return amounts.reduce((sum, amount) => sum + Math.round(amount * units), 0) / units;
}

function placesOf(currency: string): number {
  return findCurrency(currency)?.places ?? 2;
}
