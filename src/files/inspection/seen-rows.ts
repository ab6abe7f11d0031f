/** Rows worth showing, and sums of amounts. */

import { count } from '../../core/counts.ts';
import type { CsvRecord } from '../reading/csv-records.ts';
import { showSum } from '../values/exact-sums.ts';
import type { Seen } from './found.ts';

/** The line, nearly as it is in the file. */
export function joinRow({ line, fields }: CsvRecord, delimiter: string): Seen {
  return { line, text: fields.join(delimiter) };
}

/** How many amounts have each sign, and their sums. */
export class SignCount {
  negatives = 0;
  positives = 0;
  negativeSum = 0n;
  positiveSum = 0n;
  readonly first: CsvRecord;

  constructor(first: CsvRecord) {
    this.first = first;
  }

  /** Counts the amount of a row. */
  add(value: bigint): void {
    if (value < 0n) {
      this.negatives += 1;
      this.negativeSum += value;
    } else if (value > 0n) {
      this.positives += 1;
      this.positiveSum += value;
    }
  }

  /** Of all amounts other than 0: `41 rows, 3,210.00 in total`. */
  get shown(): string {
    return showAmounts(this.negatives + this.positives, this.negativeSum + this.positiveSum);
  }
}

/** Counts the amount of a row under a key. */
export function countSign<Key>(
  counts: Map<Key, SignCount>,
  key: Key,
  { value, seen }: { readonly value: bigint; readonly seen: CsvRecord },
): void {
  const own = counts.get(key) ?? new SignCount(seen);
  counts.set(key, own);
  own.add(value);
}

/** `41 rows, 3,210.00 in total`. */
export function showAmounts(rows: number, sum: bigint): string {
  return `${count(rows, 'row')}, ${showSum(sum < 0n ? -sum : sum)} in total`;
}
