/** Changes of transactions by their record numbers, as the operations make them with the store. */

import type { ReviewResolution } from '../../src/core/allocations.ts';
import type { Actor } from '../../src/core/audit.ts';
import { formatId } from '../../src/core/ids.ts';
import { allocations } from '../../src/operations/allocations.ts';
import { exclusions, restorations, reviewEndings } from '../../src/operations/workflow.ts';
import type { Access } from '../../src/store/access.ts';
import { type ActTarget, type Change, changeOne } from '../../src/store/acts.ts';

/** One allocation to save; without an amount the rest of the transaction. */
interface Draft {
  readonly budgetLineId: number;
  readonly amountMinor?: number | undefined;
  readonly note: string | null;
}

interface AllocationRequest extends ActTarget {
  readonly drafts: readonly Draft[];
}

interface ExclusionRequest extends ActTarget {
  readonly reason: string;
}

/** A review to end, and how. */
export interface ReviewRequest extends ActTarget {
  readonly resolution: ReviewResolution;
}

function named<Request extends ActTarget>(requests: readonly Request[]) {
  return requests.map((each) => ({ ...each, transactionId: formatId('txn', each.transactionId) }));
}

export function allocationChange(access: Access, requests: readonly AllocationRequest[]): Change {
  const wanted = named(requests).map(({ drafts, ...target }) => ({
    ...target,
    allocations: drafts.map((draft) => ({
      ...draft,
      budgetLineId: formatId('bln', draft.budgetLineId),
    })),
  }));
  return allocations(access, wanted);
}

export function exclusionChange(access: Access, requests: readonly ExclusionRequest[]): Change {
  return exclusions(access, named(requests));
}

export function restoreChange(requests: readonly ActTarget[]): Change {
  return restorations(named(requests));
}

export function reviewChange(access: Access, requests: readonly ReviewRequest[]): Change {
  return reviewEndings(access, named(requests));
}

export function saveAllocations(access: Access, request: AllocationRequest, actor: Actor) {
  return changeOne(access, allocationChange(access, [request]), actor);
}

export function excludeTransaction(access: Access, request: ExclusionRequest, actor: Actor) {
  return changeOne(access, exclusionChange(access, [request]), actor);
}

export function restoreTransaction(access: Access, request: ActTarget, actor: Actor) {
  return changeOne(access, restoreChange([request]), actor);
}

export function resolveReview(access: Access, request: ReviewRequest, actor: Actor) {
  return changeOne(access, reviewChange(access, [request]), actor);
}
