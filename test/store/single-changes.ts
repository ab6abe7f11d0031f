/** Changes of transactions by their record numbers, as the operations make them with the store. */

import type { ReviewResolution } from '../../src/core/allocations.ts';
import type { Actor } from '../../src/core/audit.ts';
import { formatId, type OrgId } from '../../src/core/ids.ts';
import type { Db } from '../../src/database/database.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { exclusions, restorations, reviewEndings } from '../../src/operations/workflow.ts';
import { type Change, changeAll, type Target } from '../../src/store/acts.ts';
import { requireOrganisation } from '../../src/store/organisations.ts';
import type { TransactionRecord } from '../../src/store/transactions.ts';

/** One allocation to save; without an amount the rest of the transaction. */
interface Draft {
  readonly budgetLineId: number;
  readonly amountMinor?: number | undefined;
  readonly note: string | null;
}

interface AllocationRequest extends Target {
  readonly drafts: readonly Draft[];
}

interface ExclusionRequest extends Target {
  readonly reason: string;
}

/** A review to end, and how. */
export interface ReviewRequest extends Target {
  readonly resolution: ReviewResolution;
}

function named<Request extends Target>(requests: readonly Request[]) {
  return requests.map((each) => ({ ...each, transactionId: formatId('txn', each.transactionId) }));
}

const accessTo = (db: Db, orgId: OrgId) => ({ db, organisation: requireOrganisation(db, orgId) });

export function allocationChange(
  db: Db,
  orgId: OrgId,
  requests: readonly AllocationRequest[],
): Change {
  const wanted = named(requests).map(({ drafts, ...target }) => ({
    ...target,
    allocations: drafts.map((draft) => ({
      ...draft,
      budgetLineId: formatId('bln', draft.budgetLineId),
    })),
  }));
  return allocations(accessTo(db, orgId), wanted);
}

export function exclusionChange(
  db: Db,
  orgId: OrgId,
  requests: readonly ExclusionRequest[],
): Change {
  return exclusions(accessTo(db, orgId), named(requests));
}

export function restoreChange(requests: readonly Target[]): Change {
  return restorations(named(requests));
}

export function reviewChange(db: Db, orgId: OrgId, requests: readonly ReviewRequest[]): Change {
  return reviewEndings(accessTo(db, orgId), named(requests));
}

function changeOne(db: Db, orgId: OrgId, change: Change, actor: Actor): TransactionRecord {
  const [changed] = changeAll(db, orgId, change, actor);
  if (changed === undefined) throw new Error('a change without a transaction');
  return changed;
}

export function saveAllocations(db: Db, orgId: OrgId, request: AllocationRequest, actor: Actor) {
  return changeOne(db, orgId, allocationChange(db, orgId, [request]), actor);
}

export function excludeTransaction(db: Db, orgId: OrgId, request: ExclusionRequest, actor: Actor) {
  return changeOne(db, orgId, exclusionChange(db, orgId, [request]), actor);
}

export function restoreTransaction(db: Db, orgId: OrgId, request: Target, actor: Actor) {
  return changeOne(db, orgId, restoreChange([request]), actor);
}

export function resolveReview(db: Db, orgId: OrgId, request: ReviewRequest, actor: Actor) {
  return changeOne(db, orgId, reviewChange(db, orgId, [request]), actor);
}
