/** A transaction: a cash movement of the organisation, money out positive, money in negative. */

/** Where a transaction came from (Spec 2.4, contract 4). */
export const PROVIDERS = ['api', 'csv', 'manual'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The states of a transaction; the first that holds is its status (contract 4). */
export const STATUSES = [
  'excluded',
  'needs_review',
  'allocated',
  'partially_allocated',
  'unallocated',
] as const;
export type Status = (typeof STATUSES)[number];

/** The orders in which transactions can be listed (contract 4). */
export const TRANSACTION_ORDERS = ['date', 'updatedAt'] as const;
export type TransactionOrder = (typeof TRANSACTION_ORDERS)[number];

/** What a review is about while the flag is up (contract 4). */
export interface Review {
  /** The amount that the allocations were last made or confirmed for. */
  readonly previousMinor: number;
  /** When the flag went up. */
  readonly changedAtMs: number;
}

/** What decides a transaction's status. */
export interface StatusFacts {
  readonly excluded: boolean;
  readonly review: Review | null;
  readonly amountMinor: number;
  /** The sum of its allocations: 0 exactly when it has none, as they share one sign. */
  readonly allocatedMinor: number;
}

/** The status of a transaction (contract 4). */
export function statusOf(facts: StatusFacts): Status {
  if (facts.excluded) return 'excluded';
  if (facts.review !== null) return 'needs_review';
  if (facts.allocatedMinor === 0) return 'unallocated';
  return facts.allocatedMinor === facts.amountMinor ? 'allocated' : 'partially_allocated';
}
