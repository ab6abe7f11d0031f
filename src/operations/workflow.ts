/**
 * Excluding and restoring transactions, and ending their reviews (contract 5).
 * What is done to several transactions is one act: all or nothing, with one entry in the audit log.
 * A refusal is a `ChangeRefused` with each transaction that cannot be changed.
 */

import { REVIEW_RESOLUTIONS, type ReviewResolution } from '../core/allocations.ts';
import type { Actor } from '../core/audit.ts';
import { NOTE_CHARACTERS } from '../core/limits.ts';
import { actOn, actOnAll, type Preview, previewAll } from '../store/acts.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import * as store from '../store/workflow.ts';
import type { Access } from './access.ts';
import { readChoice, readLine, readTarget, type Target } from './input.ts';

/** A transaction to exclude, and why. */
export interface ExclusionRequest extends Target {
  readonly reason: string;
}

/**
 * Excludes a transaction from the budgets; pushing it again leaves it excluded. Refuses with
 * `not_found`, `invalid_input` or, while it has allocations, `conflict`.
 */
export function exclude(
  access: Access,
  request: ExclusionRequest,
  actor: Actor,
): TransactionRecord {
  return actOn(access.db, access.organisation.id, exclusionsOf(access, [request]), actor);
}

/** Excludes several transactions. */
export function excludeTransactions(
  access: Access,
  requests: readonly ExclusionRequest[],
  actor: Actor,
): TransactionRecord[] {
  return actOnAll(access.db, access.organisation.id, exclusionsOf(access, requests), actor);
}

/** What excluding these transactions would do, for any reason. */
export function previewExclusions(
  { db, organisation }: Access,
  targets: readonly Target[],
): Preview {
  const requests = targets.map((each) => ({ ...readTarget(each), reason: '' }));
  return previewAll(db, organisation.id, store.exclusionChange(db, organisation.id, requests));
}

function exclusionsOf({ db, organisation }: Access, requests: readonly ExclusionRequest[]) {
  const read = requests.map((request) => ({
    ...readTarget(request),
    reason: readLine('The reason', request.reason, NOTE_CHARACTERS),
  }));
  return store.exclusionChange(db, organisation.id, read);
}

/** Restores an excluded transaction. Refuses with `not_found` or `conflict`. */
export function restore(
  { db, organisation }: Access,
  request: Target,
  actor: Actor,
): TransactionRecord {
  return actOn(db, organisation.id, store.restoreChange([readTarget(request)]), actor);
}

/** Restores several excluded transactions. */
export function restoreTransactions(
  { db, organisation }: Access,
  requests: readonly Target[],
  actor: Actor,
): TransactionRecord[] {
  return actOnAll(db, organisation.id, store.restoreChange(requests.map(readTarget)), actor);
}

/** What restoring these transactions would do. */
export function previewRestorations(
  { db, organisation }: Access,
  targets: readonly Target[],
): Preview {
  return previewAll(db, organisation.id, store.restoreChange(targets.map(readTarget)));
}

/** A review to end, and how. */
export interface ReviewRequest extends Target {
  readonly resolution: ReviewResolution;
}

/**
 * Ends a review; so does `allocate`. Refuses with `not_found`, `invalid_input` or, if there is no
 * review or the allocations to keep do not fit, `conflict`.
 */
export function resolveReview(
  access: Access,
  request: ReviewRequest,
  actor: Actor,
): TransactionRecord {
  return actOn(access.db, access.organisation.id, reviewsOf(access, [request]), actor);
}

/** Ends several reviews. */
export function resolveReviews(
  access: Access,
  requests: readonly ReviewRequest[],
  actor: Actor,
): TransactionRecord[] {
  return actOnAll(access.db, access.organisation.id, reviewsOf(access, requests), actor);
}

/**
 * What ending these reviews would do. To do exactly this, pass the same requests to
 * `resolveReviews`, each with the `updatedAtMs` of its transaction in the preview.
 */
export function previewReviews(access: Access, requests: readonly ReviewRequest[]): Preview {
  return previewAll(access.db, access.organisation.id, reviewsOf(access, requests));
}

function reviewsOf({ db, organisation }: Access, requests: readonly ReviewRequest[]) {
  const read = requests.map((request) => ({
    ...readTarget(request),
    resolution: readChoice('The resolution', request.resolution, REVIEW_RESOLUTIONS),
  }));
  return store.reviewChange(db, organisation.id, read);
}
