/** Counts amounts by their sign, and says how much that is. */

import { count } from '../../core/counts.ts';
import type { CsvRecord } from '../reading/csv-records.ts';
import { type Millionths, plus, showSum } from '../values/exact-sums.ts';

/** How many amounts have each sign, and their sums. */
export class SignCount {
  negatives = 0;
  positives = 0;
  negativeSum: Millionths = 0;
  positiveSum: Millionths = 0;
  readonly first: CsvRecord;

  constructor(first: CsvRecord) {
    this.first = first;
  }

  /** Counts the amount of a row. */
  add(value: Millionths): void {
    if (value < 0) {
      this.negatives += 1;
      this.negativeSum = plus(this.negativeSum, value);
    } else if (value > 0) {
      this.positives += 1;
      this.positiveSum = plus(this.positiveSum, value);
    }
  }

  /** Of all amounts other than 0: `41 rows, 3,210.00 in total`. */
  get shown(): string {
    const sum = plus(this.negativeSum, this.positiveSum);
    return showAmounts(this.negatives + this.positives, sum);
  }

  /** The amounts of this column, and those that the other side has reversed: `41 rows, …`. */
  showWith(other: SignCount | undefined): string {
    const own = this.negatives > this.positives ? 'negative' : 'positive';
    const back = other && other.negatives > other.positives ? 'positive' : 'negative';
    const rows = this[`${own}s`] + (other?.[`${back}s`] ?? 0);
    const sums = [this[`${own}Sum`], other?.[`${back}Sum`] ?? 0].map(absolute);
    return showAmounts(rows, sums.reduce(plus));
  }

  /** The amounts with one sign: `41 rows, …`. */
  show(sign: 'negative' | 'positive'): string {
    return showAmounts(this[`${sign}s`], this[`${sign}Sum`]);
  }
}

/** `41 rows, 3,210.00 in total`. */
function showAmounts(rows: number, sum: Millionths): string {
  return `${count(rows, 'row')}, ${showSum(absolute(sum))} in total`;
}

function absolute(sum: Millionths): Millionths {
  return sum < 0 ? -sum : sum;
}
