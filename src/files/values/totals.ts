/** What the rows of a file add up to. */

import { readDigitsOf } from './exact-sums.ts';

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
    if (typeof date !== 'string' || !DAY.test(date)) return;
    if (typeof amount === 'number' && Number.isFinite(amount)) {
      this.count(date, readDigitsOf(amount));
    }
  }
}

const DAY = /^\d{4}-\d\d-\d\d$/;
