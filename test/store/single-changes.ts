/** Changes of one transaction, as the operations make them with the store. */

import type { Actor } from '../../src/core/audit.ts';
import type { OrgId } from '../../src/core/ids.ts';
import type { Db } from '../../src/database/database.ts';
import { actOn, type Target } from '../../src/store/acts.ts';
import { type AllocationRequest, allocationChange } from '../../src/store/allocations.ts';
import {
  type ExclusionRequest,
  exclusionChange,
  type ReviewRequest,
  restoreChange,
  reviewChange,
} from '../../src/store/workflow.ts';

export function saveAllocations(db: Db, orgId: OrgId, request: AllocationRequest, actor: Actor) {
  return actOn(db, orgId, allocationChange(db, orgId, [request]), actor);
}

export function excludeTransaction(db: Db, orgId: OrgId, request: ExclusionRequest, actor: Actor) {
  return actOn(db, orgId, exclusionChange(db, orgId, [request]), actor);
}

export function restoreTransaction(db: Db, orgId: OrgId, request: Target, actor: Actor) {
  return actOn(db, orgId, restoreChange([request]), actor);
}

export function resolveReview(db: Db, orgId: OrgId, request: ReviewRequest, actor: Actor) {
  return actOn(db, orgId, reviewChange(db, orgId, [request]), actor);
}
