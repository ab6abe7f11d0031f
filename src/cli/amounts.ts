/** Shows amounts in minor units, and reads those that are typed on the command line. */

import { groupThousands } from '../core/counts.ts';
import type { Currency } from '../core/currencies.ts';
import { formatAmount } from '../core/money.ts';
import type { ListColumn } from './table.ts';

/** `1,234,567.80`. */
export function showAmount(amountMinor: number, { places }: Currency): string {
  return groupThousands(formatAmount(amountMinor, places));
}

/** `1,234,567.80 GBP`. */
export function moneyText(amountMinor: number, currency: Currency): string {
  return `${showAmount(amountMinor, currency)} ${currency.code}`;
}

export function amountColumn<Item>(
  title: string,
  currency: Currency,
  amountOf: (item: Item) => number,
): ListColumn<Item> {
  return { title, align: 'right', cell: (item) => showAmount(amountOf(item), currency) };
}

/** How much of the budget is used, such as `104%`; empty without a budget. */
export function showUse(budgeted: number, actual: number): string {
  if (budgeted === 0) return '';
  const percent = Math.round((actual / budgeted) * 100);
  return Math.abs(percent) > 9999 ? '>9999%' : `${percent}%`;
}
