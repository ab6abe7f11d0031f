/** Exact sums of amounts (contract 1) while the currency is unknown, and what rows add up to. */

import { isCalendarDate } from '../../core/calendar.ts';
import { groupThousands } from '../../core/counts.ts';

/** Decimal places to keep: more than any currency has. */
const PLACES = 6;

/** Below this, rounding a float to millionths is exact. */
const EXACT = 2 ** 51;

/** A number in millionths, from its decimal digits instead of its float. */
export function readDigitsOf(number: number): bigint {
  const millionths = Math.round(number * 1e6);
  if (Math.abs(millionths) < EXACT) return BigInt(millionths);
  if (Number.isInteger(number)) return BigInt(number) * 10n ** BigInt(PLACES);
  const [whole = '0', fraction = ''] = String(Math.abs(number)).split('.');
  const digits = BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, '0'));
  return number < 0 ? -digits : digits;
}

/** A sum of numbers: in a float while that is exact, which takes a tenth of the time. */
export class ExactSum {
  #large = 0n;
  #millionths = 0;

  add(number: number): void {
    const millionths = Math.round(number * 1e6);
    const isExact = Math.abs(millionths) < EXACT && Math.abs(this.#millionths) < EXACT;
    if (isExact) this.#millionths += millionths;
    else {
      this.#large = this.sum + readDigitsOf(number);
      this.#millionths = 0;
    }
  }

  /** In millionths. */
  get sum(): bigint {
    return this.#large + BigInt(this.#millionths);
  }
}

/** Millionths as text: `1234.50`, with at least two decimal places. */
export function writeSum(sum: bigint): string {
  const digits = (sum < 0n ? -sum : sum).toString().padStart(PLACES + 1, '0');
  const fraction = digits.slice(-PLACES).replace(/0+$/, '').padEnd(2, '0');
  const text = `${digits.slice(0, -PLACES)}.${fraction}`;
  return sum < 0n ? `-${text}` : text;
}

/** The same with thousands separators: `1,234.50`. */
export function showSum(sum: bigint): string {
  return groupThousands(writeSum(sum));
}

/** The rows of one direction and their sum, in millionths. */
export interface Total {
  rows: number;
  sum: bigint;
}

/** Counts rows, their days and their money. */
export class Totals {
  rows = 0;
  readonly moneyOut: Total = { rows: 0, sum: 0n };
  readonly moneyIn: Total = { rows: 0, sum: 0n };
  /** Rows with the amount 0. */
  zeros = 0;
  /** The earliest and the latest date; undefined before the first row. */
  from: string | undefined;
  to: string | undefined;

  /** Counts a row: its date, `YYYY-MM-DD`, and its amount in millionths. */
  count(date: string, amount: bigint): void {
    this.rows += 1;
    if (this.from === undefined || date < this.from) this.from = date;
    if (this.to === undefined || date > this.to) this.to = date;
    if (amount === 0n) this.zeros += 1;
    else {
      const total = amount > 0n ? this.moneyOut : this.moneyIn;
      total.rows += 1;
      total.sum += amount;
    }
  }

  /** Counts a row as it would be sent, if it has a date and an amount. */
  countSent(row: unknown): void {
    const { date, amount }: { date?: unknown; amount?: unknown } = Object(row);
    if (typeof date !== 'string' || !isCalendarDate(date)) return;
    if (typeof amount === 'number' && Number.isFinite(amount)) {
      this.count(date, readDigitsOf(amount));
    }
  }
}
