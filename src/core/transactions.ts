/** A transaction: a cash movement of the organisation, money out positive, money in negative. */

/** The source of a transaction (Spec 2.4, contract 4). */
export const PROVIDERS = ['api', 'csv', 'manual'] as const;
export type Provider = (typeof PROVIDERS)[number];

export function isProvider(text: string): text is Provider {
  return PROVIDERS.some((each) => each === text);
}

/** The statuses of a transaction; the first that applies counts (contract 4). */
export const STATUSES = [
  'excluded',
  'needs_review',
  'allocated',
  'partially_allocated',
  'unallocated',
] as const;
export type Status = (typeof STATUSES)[number];

/** Members of a journal line, which is not a cash movement (Spec 2.5). */
export const JOURNAL_MARKS = [
  'debit',
  'credit',
  'journalId',
  'journalNumber',
  'journalLines',
  'lines',
] as const;

/** Members that mark, if they are true, a payment that is no more (contract 17). */
export const VOID_MARKS = ['deleted', 'isDeleted', 'void', 'voided', 'isVoid'] as const;

/** The orders in which transactions can be listed (contract 4). */
export const TRANSACTION_ORDERS = ['date', 'updatedAt'] as const;
export type TransactionOrder = (typeof TRANSACTION_ORDERS)[number];

/** An open review (contract 4). */
export interface Review {
  /** The amount for which the allocations were last saved or confirmed. */
  readonly previousMinor: number;
  /** When the review began. */
  readonly changedAtMs: number;
}

/**
 * The mark of an allocated transaction that was recoded (contract 17): what it was before the
 * push that marked it.
 */
export interface Recoded extends Coded {
  readonly changedAtMs: number;
}

/** What decides to which budget line a transaction belongs. */
export interface Coded {
  readonly accountCode: string | null;
  readonly projectCode: string | null;
  readonly date: string;
}

/** The facts that decide a transaction's status. */
interface StatusFacts {
  readonly excluded: boolean;
  readonly review: Review | null;
  readonly amountMinor: number;
  /** The sum of its allocations. They share one sign, so it is 0 only without allocations. */
  readonly allocatedMinor: number;
}

/** The status of a transaction (contract 4). */
export function statusOf(facts: StatusFacts): Status {
  if (facts.excluded) return 'excluded';
  if (facts.review !== null) return 'needs_review';
  if (facts.allocatedMinor === 0) return 'unallocated';
  return facts.allocatedMinor === facts.amountMinor ? 'allocated' : 'partially_allocated';
}
