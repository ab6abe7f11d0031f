/** Exact sums of amounts (contract 1) while the currency is unknown, and what rows add up to. */

import { isCalendarDate } from '../../core/calendar.ts';
import { groupThousands } from '../../core/counts.ts';

/** Decimal places to keep: more than any currency has. */
const PLACES = 6;

/** Below this, rounding a float to millionths is exact. */
const EXACT = 2 ** 51;

/**
 * A whole number of millionths: a float if that is exact, which takes a tenth of the time. Equal
 * ones are of one type, so they can be compared with `===`.
 */
export type Millionths = number | bigint;

/** A number in millionths, from its decimal digits instead of its float. */
export function millionthsOf(number: number): Millionths {
  const millionths = Math.round(number * 1e6);
  if (Math.abs(millionths) < EXACT) return millionths;
  if (Number.isInteger(number)) return shortest(BigInt(number) * 10n ** BigInt(PLACES));
  const [whole = '0', fraction = ''] = String(Math.abs(number)).split('.');
  const digits = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return shortest(number < 0 ? -digits : digits);
}

/** The sum of two. */
export function plus(one: Millionths, other: Millionths): Millionths {
  if (typeof one === 'number' && typeof other === 'number') {
    const sum = one + other;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return shortest(BigInt(one) + BigInt(other));
}

function shortest(whole: bigint): Millionths {
  const number = Number(whole);
  return Number.isSafeInteger(number) ? number : whole;
}

/** Millionths as text: `1234.50`, with at least two decimal places. */
export function writeSum(millionths: Millionths): string {
  const sum = BigInt(millionths);
  const digits = (sum < 0n ? -sum : sum).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  const text = `${digits.slice(0, -PLACES)}.${fraction}`;
  return sum < 0n ? `-${text}` : text;
}

/** Millionths as text with thousands separators: `1,234.50`. */
export function showSum(sum: Millionths): string {
  return groupThousands(writeSum(sum));
}

/** The rows of one direction and their sum, in millionths. */
export interface Total {
  rows: number;
  sum: Millionths;
}

/** Counts rows, their days and their money. */
export class RowSums {
  rows = 0;
  readonly moneyOut: Total = { rows: 0, sum: 0 };
  readonly moneyIn: Total = { rows: 0, sum: 0 };
  /** Rows with the amount 0. */
  zeros = 0;
  /** The earliest and the latest date; undefined before the first row. */
  from: string | undefined;
  to: string | undefined;

  /** Counts a row: its date, `YYYY-MM-DD`, and its amount in millionths. */
  count(date: string, amount: Millionths): void {
    this.rows += 1;
    if (this.from === undefined || date < this.from) this.from = date;
    if (this.to === undefined || date > this.to) this.to = date;
    if (amount > 0) add(this.moneyOut, amount);
    else if (amount < 0) add(this.moneyIn, amount);
    else this.zeros += 1;
  }

  /** Counts a row as it would be sent, if it has a date and an amount. */
  countSent(row: unknown): void {
    const { date, amount }: { date?: unknown; amount?: unknown } = Object(row);
    if (typeof date !== 'string' || !isCalendarDate(date)) return;
    if (typeof amount === 'number' && Number.isFinite(amount)) {
      this.count(date, millionthsOf(amount));
    }
  }
}

function add(total: Total, amount: Millionths): void {
  total.rows += 1;
  total.sum = plus(total.sum, amount);
}
