/** What the problems of a project file have in common, whoever finds them. */

import type { Currency } from '../core/currencies.ts';
import { AMOUNT_MINOR } from '../core/limits.ts';
import { showMoney, toMinor } from '../core/money.ts';
import { cutText } from '../core/text-width.ts';

/** What is wrong, and where: a path such as `budgetLines[3].budget.2015-04`. */
export type Problem = readonly [place: string, message: string];

/** A value in a message: short, and in JSON, so that "5" and 5 differ. */
export function showValue(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'bigint' ? `${value}n` : (JSON.stringify(value) ?? 'nothing');
  return cutText(text, 60);
}

/** What is wrong with an amount of the budget. */
export function explainAmount(value: unknown, currency: Currency): string | undefined {
  if (typeof value !== 'number' || Number.isNaN(value)) {
    return `Use a number such as 1200, not ${showValue(value)}.`;
  }
  const { places, code } = currency;
  const minor = toMinor(value, places);
  if (typeof minor === 'number') return undefined;
  if (minor === 'amount_precision') {
    return `${value} has more than the ${places} decimal places of ${code}. Round it.`;
  }
  const largest = showMoney(AMOUNT_MINOR, currency);
  return `${value} is too large. The largest amount is ${largest}.`;
}
