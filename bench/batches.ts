/**
 * The batches of each kind of push, the same for the service and for the loop it is compared with.
 * Each kind has its own range of row numbers; `changed` and `identical` push the rows again that
 * `new` has stored with the same dates.
 */

import { PUSH_ROWS } from '../src/core/limits.ts';
import { type Dates, pushedDateOf, type Row, rowOf, seededDateOf } from './rows.ts';
import { isReviewable } from './stored.ts';

/** Describes one batch. */
export interface BatchRequest {
  readonly kind: 'new' | 'changed' | 'identical' | 'rejected' | 'allocated' | 'single';
  readonly dates: Dates;
  /** Transactions in the seeded file. */
  readonly size: number;
  readonly index: number;
}

/** The first row number of each kind, beyond those of any seed. */
const BASES = {
  recent: 20_000_000,
  scattered: 30_000_000,
  rejected: 40_000_000,
  single: 50_000_000,
};

/** The rows of a batch; one in ten of `rejected` has an amount of three decimal places. */
export function batchOf(request: BatchRequest): Row[] {
  const { kind, dates, size, index } = request;
  switch (kind) {
    case 'new':
      return rowsFrom(BASES[dates] + index * PUSH_ROWS, dates, 0);
    case 'changed':
    case 'identical':
      return rowsFrom(BASES[dates] + index * PUSH_ROWS, dates, 1);
    case 'rejected':
      return rowsFrom(BASES.rejected + index * PUSH_ROWS, dates, 0).map((row, at) =>
        at % 10 === 0 ? { ...row, amount: row.amount + 0.005 } : row,
      );
    case 'allocated':
      return reviewableRows(index, size).map((n) => rowOf(n, seededDateOf(n, size), 1));
    case 'single': {
      const n = BASES.single + index;
      return [rowOf(n, pushedDateOf(n, dates), 0)];
    }
  }
}

function rowsFrom(first: number, dates: Dates, revision: number): Row[] {
  return Array.from({ length: PUSH_ROWS }, (_, at) =>
    rowOf(first + at, pushedDateOf(first + at, dates), revision),
  );
}

/** How many batches of allocated rows a seeded file has. */
export function countReviewableBatches(size: number): number {
  return Math.floor((size * 0.4) / PUSH_ROWS);
}

/** Allocated rows spread over the whole file: each batch has its own stretch. */
function reviewableRows(index: number, size: number): number[] {
  const stretch = Math.floor(size / countReviewableBatches(size));
  const rows: number[] = [];
  for (let n = 1 + index * stretch; rows.length < PUSH_ROWS && n <= size; n += 1) {
    if (isReviewable(n)) rows.push(n);
  }
  return rows;
}
