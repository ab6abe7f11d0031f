/** What a seeded file stores besides the rows: provider, state and allocations. */

import { amountMinorOf, pick } from './rows.ts';

/** Budget lines of the large project. Its months are those of the stored years. */
export const LINES = 200;
/** Small projects, each with a few lines. */
export const SMALL_PROJECTS = 20;
export const SMALL_LINES = 10;

/** The state of a stored transaction. */
export type State = 'allocated' | 'partial' | 'review' | 'small' | 'excluded' | 'unallocated';

/** The state of row `n`. Half of all rows have two allocations to the large project. */
export function stateOf(n: number): State {
  const class_ = pick(n, 8, 100);
  if (class_ < 50) {
    const kind = pick(n, 9, 100);
    return kind < 70 ? 'allocated' : kind < 98 ? 'partial' : 'review';
  }
  if (class_ < 52) return 'small';
  return class_ < 54 ? 'excluded' : 'unallocated';
}

export function providerOf(n: number): 'api' | 'csv' | 'manual' {
  const kind = pick(n, 10, 100);
  return kind < 95 ? 'api' : kind < 99 ? 'csv' : 'manual';
}

/** The amounts of the allocations of row `n`. */
export function sharesOf(n: number): number[] {
  const amount = amountMinorOf(n, 0);
  const larger = Math.trunc(amount * 0.6);
  switch (stateOf(n)) {
    case 'allocated':
    case 'review':
      return [larger, amount - larger];
    case 'partial':
      return [larger, Math.trunc(amount * 0.3)];
    case 'small':
      return [amount];
    default:
      return [];
  }
}

/** Whether a push of row `n` with another amount makes it need review. */
export function isReviewable(n: number): boolean {
  const state = stateOf(n);
  return (state === 'allocated' || state === 'partial') && providerOf(n) === 'api';
}
