/** Excludes and restores transactions, and resolves reviews (contract 5). */

import { type Misfit, type ReviewResolution, rescaleShares } from '../core/allocations.ts';
import type { AuditAction } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { showMoney } from '../core/money.ts';
import type { Db } from '../database/database.ts';
import type { Change, Share, Target } from './acts.ts';
import { checkAmounts } from './allocations.ts';
import { requireOrganisation } from './organisations.ts';
import type { TransactionRecord } from './transactions.ts';

/** A transaction to exclude, and why. */
export interface ExclusionRequest extends Target {
  readonly reason: string;
}

/** Excludes transactions. Refuses with `conflict` those that have allocations. */
export function exclusionChange(
  db: Db,
  orgId: OrgId,
  requests: readonly ExclusionRequest[],
): Change<ExclusionRequest> {
  return {
    requests,
    together: 'transactions.excluded',
    decide(transaction, shares, { reason }) {
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
    },
  };
}

/** Restores excluded transactions. Refuses with `conflict` those that are not excluded. */
export function restoreChange(requests: readonly Target[]): Change {
  return {
    requests,
    together: 'transactions.restored',
    decide(transaction, shares) {
      if (transaction.status !== 'excluded') {
        const message = `${formatId('txn', transaction.id)} is not excluded.`;
        throw new Failure('conflict', message);
      }
      return { action: 'transaction.restored', shares };
    },
  };
}

/** A review to end, and how. */
export interface ReviewRequest extends Target {
  readonly resolution: ReviewResolution;
}

const REVIEW_ACTIONS: Record<ReviewResolution, AuditAction> = {
  keep: 'review.kept',
  rescale: 'review.rescaled',
  clear: 'review.cleared',
};

/**
 * Ends reviews: keeps the allocations, rescales them to the new amount, or removes them. Refuses
 * with `conflict` when there is no review, or when the allocations to keep no longer fit.
 */
export function reviewChange(
  db: Db,
  orgId: OrgId,
  requests: readonly ReviewRequest[],
): Change<ReviewRequest> {
  return {
    requests,
    together: 'reviews.settled',
    decide: (transaction, shares, { resolution }) => ({
      action: REVIEW_ACTIONS[resolution],
      shares: resolve(transaction, shares, resolution, (amounts) =>
        checkAmounts(db, orgId, transaction, amounts),
      ),
    }),
  };
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
