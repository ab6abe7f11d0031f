/** Excludes and restores transactions, and resolves reviews (contract 5). */

import { type Misfit, type ReviewResolution, rescaleShares } from '../core/allocations.ts';
import type { Actor, AuditAction } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { showMoney } from '../core/money.ts';
import { actOn, checkAmounts, type Share } from './allocations.ts';
import type { Db } from './database.ts';
import { requireOrganisation } from './organisations.ts';
import type { TransactionRecord } from './transactions.ts';

/** Excludes a transaction. Throws `conflict` while it has allocations. */
export function excludeTransaction(
  db: Db,
  orgId: OrgId,
  request: { transactionId: number; reason: string },
  actor: Actor,
): TransactionRecord {
  const { transactionId, reason } = request;
  return actOn(db, orgId, { transactionId, actor }, (transaction, shares) => {
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
    return { action: 'transaction.excluded', shares, excluded: { reason } };
  });
}

/** Restores an excluded transaction. Throws `conflict` when it is not excluded. */
export function restoreTransaction(
  db: Db,
  orgId: OrgId,
  transactionId: number,
  actor: Actor,
): TransactionRecord {
  return actOn(db, orgId, { transactionId, actor }, (transaction, shares) => {
    if (transaction.status !== 'excluded') {
      const message = `${formatId('txn', transaction.id)} is not excluded.`;
      throw new Failure('conflict', message);
    }
    return { action: 'transaction.restored', shares };
  });
}

const REVIEW_ACTIONS: Record<ReviewResolution, AuditAction> = {
  keep: 'review.kept',
  rescale: 'review.rescaled',
  clear: 'review.cleared',
};

/**
 * Ends a review: keeps the allocations, rescales them to the new amount, or removes them. Throws
 * `conflict` when there is no review, or when the allocations to keep no longer fit.
 */
export function resolveReview(
  db: Db,
  orgId: OrgId,
  request: { transactionId: number; resolution: ReviewResolution },
  actor: Actor,
): TransactionRecord {
  const { transactionId, resolution } = request;
  return actOn(db, orgId, { transactionId, actor }, (transaction, shares) => ({
    action: REVIEW_ACTIONS[resolution],
    shares: resolve(transaction, shares, resolution, (amounts) =>
      checkAmounts(db, orgId, transaction, amounts),
    ),
  }));
}

const OTHER_RESOLUTIONS = 'Rescale, replace or clear the allocations instead.';

function resolve(
  { id, review, amountMinor }: TransactionRecord,
  shares: readonly Share[],
  resolution: ReviewResolution,
  check: (amounts: readonly number[]) => Misfit | undefined,
): readonly Share[] {
  if (review === null) {
    const message = `${formatId('txn', id)} is not under review, so there is nothing to resolve.`;
    throw new Failure('conflict', message);
  }
  if (resolution === 'clear') return [];
  const amounts = shares.map((share) => share.amountMinor);
  if (resolution === 'keep') {
    const misfit = check(amounts);
    if (misfit === undefined) return shares;
    throw new Failure('conflict', `${misfit.problem} ${OTHER_RESOLUTIONS}`);
  }
  const rescaled = rescaleShares(amountMinor, amounts, review);
  return shares.map((share, index) => ({ ...share, amountMinor: rescaled[index] ?? 0 }));
}
