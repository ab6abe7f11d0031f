/** What a seeded file stores besides the rows: provider, state and allocations. */

import { amountMinorOf, pick, rowOf, seededDateOf } from './rows.ts';

/** Budget lines of the large project. */
export const LINES = 200;
/** The months of every project, those of the stored years. */
export const MONTHS = Array.from({ length: 36 }, (_, month) => {
  return `${2023 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`;
});
/** Small projects, each with a few lines. */
export const SMALL_PROJECTS = 20;
export const SMALL_LINES = 10;
/** The first write. */
export const FIRST_STAMP_MS = Date.parse('2026-01-05T08:00:00Z');

/** The state of a stored transaction. */
type State = 'allocated' | 'partial' | 'review' | 'small' | 'excluded' | 'unallocated';

/** The state of row `n`. Half of all rows have two allocations to the large project. */
function stateOf(n: number): State {
  const class_ = pick(n, 8, 100);
  if (class_ < 50) {
    const kind = pick(n, 9, 100);
    return kind < 70 ? 'allocated' : kind < 98 ? 'partial' : 'review';
  }
  if (class_ < 52) return 'small';
  return class_ < 54 ? 'excluded' : 'unallocated';
}

function providerOf(n: number): 'api' | 'csv' | 'manual' {
  const kind = pick(n, 10, 100);
  return kind < 95 ? 'api' : kind < 99 ? 'csv' : 'manual';
}

/** The status of a transaction in each state. */
const STATUS_OF = {
  allocated: 'allocated',
  partial: 'partially_allocated',
  review: 'needs_review',
  small: 'allocated',
  excluded: 'excluded',
  unallocated: 'unallocated',
} as const;

/** When row `n` was created and last changed, in milliseconds. One in twenty changed later. */
function stampsOf(n: number, size: number): { created: number; updated: number } {
  const created = FIRST_STAMP_MS + Math.floor(n / 500) * 700;
  const updated = pick(n, 12, 20) === 0 ? created + pick(n, 13, size) * 2 : created;
  return { created, updated };
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

/** The sum of its allocations. */
function allocatedMinorOf(n: number): number {
  return sharesOf(n).reduce((sum, share) => sum + share, 0);
}

/** Whether a push of row `n` with another amount makes it need review. */
export function isReviewable(n: number): boolean {
  const state = stateOf(n);
  return (state === 'allocated' || state === 'partial') && providerOf(n) === 'api';
}

/** The columns that budgetd's schema and the lean one share, but for raw data. */
export const STORED_COLUMNS =
  'id, organisation_id, provider, external_id, date, description, contact, account_code, ' +
  'amount_minor, status, allocated_minor, review_previous_minor, review_changed_at, ' +
  'created_at, updated_at';

/** Transaction `n` of `size`: the values of STORED_COLUMNS, and what they are made of. */
export function storedValuesOf(n: number, size: number) {
  const row = rowOf(n, seededDateOf(n, size));
  const [amount, provider, state] = [amountMinorOf(n, 0), providerOf(n), stateOf(n)];
  const { created, updated } = stampsOf(n, size);
  const isReview = state === 'review';
  const values = [
    n,
    1,
    provider,
    provider === 'manual' ? null : row.externalId,
    row.date,
    row.description,
    row.contact,
    row.accountCode,
    amount,
    STATUS_OF[state],
    allocatedMinorOf(n),
    isReview ? amount + 7 : null,
    isReview ? updated : null,
    created,
    updated,
  ];
  return { row, state, amount, updated, values };
}
