/** Excluding and restoring a transaction, and the ways out of a review (contract 5). */

import { type ReviewResolution, rescaleShares } from '../core/allocations.ts';
import type { Actor, AuditAction } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { showMoney } from '../core/money.ts';
import {
  checkAmounts,
  listShares,
  requireTransaction,
  setShare,
  settle,
  writeAllocations,
} from './allocations.ts';
import { atomically, type Db } from './database.ts';
import { requireOrganisation } from './organisations.ts';
import { latestUpdate, type TransactionRecord } from './transactions.ts';

/** Takes a transaction out of the workflow. Refuses with `conflict` while it has allocations. */
export function excludeTransaction(
  db: Db,
  orgId: OrgId,
  request: { transactionId: number; reason: string },
  actor: Actor,
): TransactionRecord {
  return atomically(db, () => {
    const transaction = requireTransaction(db, orgId, request.transactionId);
    const id = formatId('txn', transaction.id);
    if (transaction.status === 'excluded') {
      throw new Failure('conflict', `${id} is already excluded.`);
    }
    if (transaction.allocatedMinor !== 0) {
      const { currency } = requireOrganisation(db, orgId);
      const allocated = `${id} has ${showMoney(transaction.allocatedMinor, currency)} allocated`;
      const command = `budgetd allocate ${id} --none`;
      throw new Failure('conflict', `${allocated}. Run \`${command}\` first, then exclude it.`);
    }
    const { reason } = request;
    const details = { reason };
    const excluded = { reason };
    return settle(
      db,
      orgId,
      { transaction, action: 'transaction.excluded', details, excluded },
      actor,
    );
  });
}

/** Takes an excluded transaction back. Refuses with `conflict` when it is not excluded. */
export function restoreTransaction(
  db: Db,
  orgId: OrgId,
  transactionId: number,
  actor: Actor,
): TransactionRecord {
  return atomically(db, () => {
    const transaction = requireTransaction(db, orgId, transactionId);
    if (transaction.status !== 'excluded') {
      const message = `${formatId('txn', transaction.id)} is not excluded.`;
      throw new Failure('conflict', message);
    }
    return settle(db, orgId, { transaction, action: 'transaction.restored', details: {} }, actor);
  });
}

const REVIEW_ACTIONS: Record<ReviewResolution, AuditAction> = {
  keep: 'review.kept',
  rescale: 'review.rescaled',
  clear: 'review.cleared',
};

const OTHER_RESOLUTIONS = 'Rescale, replace or clear the allocations instead.';

/**
 * Ends a review: keeps the allocations as they are, rescales them to the new amount, or removes
 * them. Refuses with `conflict` when there is no review or what is kept no longer fits.
 */
export function resolveReview(
  db: Db,
  orgId: OrgId,
  request: { transactionId: number; resolution: ReviewResolution },
  actor: Actor,
): TransactionRecord {
  return atomically(db, () => {
    const transaction = requireTransaction(db, orgId, request.transactionId);
    const { review, amountMinor } = transaction;
    if (review === null) {
      const message = `${formatId('txn', transaction.id)} is not under review: nothing to settle.`;
      throw new Failure('conflict', message);
    }
    const action = REVIEW_ACTIONS[request.resolution];
    if (request.resolution === 'clear') {
      return writeAllocations(db, orgId, { transaction, drafts: [], action }, actor);
    }
    const shares = listShares(db, orgId, transaction.id);
    const amounts = shares.map((share) => share.amountMinor);
    if (request.resolution === 'keep') {
      const misfit = checkAmounts(db, orgId, transaction, amounts);
      if (misfit !== undefined) {
        throw new Failure('conflict', `${misfit.problem} ${OTHER_RESOLUTIONS}`);
      }
    }
    const kept =
      request.resolution === 'keep' ? amounts : rescaleShares(amountMinor, amounts, review);
    const stampMs = Math.max(actor.nowMs, latestUpdate(db, orgId));
    const allocations = shares.map(({ id, budgetLineId }, index) => {
      const amount = kept[index] ?? 0;
      if (amount !== amounts[index]) setShare(db, orgId, { id, amountMinor: amount }, stampMs);
      return { budgetLineId: formatId('bln', budgetLineId), amountMinor: amount };
    });
    return settle(db, orgId, { transaction, action, details: { allocations } }, actor);
  });
}
