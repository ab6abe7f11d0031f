/** Shows amounts in minor units, and reads those that are typed on the command line. */

import { groupThousands } from '../core/counts.ts';
import type { Currency } from '../core/currencies.ts';
import { AMOUNT_MINOR } from '../core/limits.ts';
import { formatAmount, readAmountText, toMajor } from '../core/money.ts';
import { UsageError } from './command.ts';
import type { ListColumn } from './table.ts';

/** `1,234,567.80`. */
export function showAmount(amountMinor: number, { places }: Currency): string {
  return groupThousands(formatAmount(amountMinor, places));
}

/** `1,234,567.80 GBP`. */
export function showSum(amountMinor: number, currency: Currency): string {
  return `${showAmount(amountMinor, currency)} ${currency.code}`;
}

/** A column of amounts. */
export function amountColumn<Item>(
  title: string,
  currency: Currency,
  amountOf: (item: Item) => number,
): ListColumn<Item> {
  return { title, align: 'right', cell: (item) => showAmount(amountOf(item), currency) };
}

/** `1,234,568`: rounded to whole units, for narrow columns. */
export function showWhole(amountMinor: number, { places }: Currency): string {
  const rounded = Math.round(toMajor(Math.abs(amountMinor), places));
  return groupThousands(`${amountMinor < 0 && rounded > 0 ? '-' : ''}${rounded}`);
}

/** How much of the budget is used, such as `104%`; empty without a budget. */
export function showUse(budgeted: number, actual: number): string {
  if (budgeted === 0) return '';
  const percent = Math.round((actual / budgeted) * 100);
  return Math.abs(percent) > 9999 ? '>9999%' : `${percent}%`;
}

/** Minor units of an option in major units. Refuses with a UsageError. */
export function readTypedAmount(option: string, text: string, { code, places }: Currency): number {
  const minor = readAmountText(text, places);
  if (typeof minor === 'number') return minor;
  const example = formatAmount(12_345 * 10 ** places, places);
  const problem = {
    amount_precision: `has more than the ${places} decimal places of ${code}. Round it`,
    amount_out_of_range: `is too large. The largest is ${formatAmount(AMOUNT_MINOR, places)}`,
    no_number: `is not a plain number. Write it like ${example}`,
  }[minor ?? 'no_number'];
  throw new UsageError(`--${option} "${text}" ${problem}.`);
}
