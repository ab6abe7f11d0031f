/** Excluding and restoring transactions, and ending their reviews (contract 5). */

import { REVIEW_RESOLUTIONS, type ReviewResolution } from '../core/allocations.ts';
import type { Actor } from '../core/audit.ts';
import { NOTE_CHARACTERS } from '../core/limits.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import * as store from '../store/workflow.ts';
import { type Access, requireNumber } from './access.ts';
import { readChoice, readLine } from './input.ts';

/**
 * Excludes a transaction from the budgets; pushing it again leaves it excluded. Refuses with
 * `not_found`, `invalid_input` or, while it has allocations, `conflict`.
 */
export function exclude(
  { db, organisation }: Access,
  { transactionId, reason }: { readonly transactionId: string; readonly reason: string },
  actor: Actor,
): TransactionRecord {
  const request = {
    transactionId: requireNumber('txn', 'transaction', transactionId),
    reason: readLine('The reason', reason, NOTE_CHARACTERS),
  };
  return store.excludeTransaction(db, organisation.id, request, actor);
}

/** Restores an excluded transaction. Refuses with `not_found` or `conflict`. */
export function restore(
  { db, organisation }: Access,
  transactionId: string,
  actor: Actor,
): TransactionRecord {
  const number = requireNumber('txn', 'transaction', transactionId);
  return store.restoreTransaction(db, organisation.id, number, actor);
}

/**
 * Ends a review; so does `allocate`. Refuses with `not_found`, `invalid_input` or, if there is no
 * review or the allocations to keep do not fit, `conflict`.
 */
export function resolveReview(
  { db, organisation }: Access,
  request: { readonly transactionId: string; readonly resolution: ReviewResolution },
  actor: Actor,
): TransactionRecord {
  const transactionId = requireNumber('txn', 'transaction', request.transactionId);
  const resolution = readChoice('The resolution', request.resolution, REVIEW_RESOLUTIONS);
  return store.resolveReview(db, organisation.id, { transactionId, resolution }, actor);
}
