/** Excluding and restoring transactions, and ending their reviews (contract 5). */

import {
  findMisfit,
  REVIEW_RESOLUTIONS,
  type ReviewResolution,
  rescaleShares,
} from '../core/allocations.ts';
import type { Actor, AuditAction } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { CHARACTERS } from '../core/limits.ts';
import { showMoney } from '../core/money.ts';
import type { Organisation } from '../core/organisations.ts';
import type { Access } from '../store/access.ts';
import type { Change } from '../store/acts.ts';
import type { Share } from '../store/shares.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import { listAsCreated } from '../store/undo.ts';
import { changeOne } from './changes.ts';
import { readChoice, readLine, readTarget, type Target } from './input.ts';

/** A transaction to exclude, and why. */
export interface ExclusionRequest extends Target {
  readonly reason: string;
}

/**
 * Excludes transactions from the budgets; pushing them again leaves them excluded. Refuses with
 * `not_found`, `invalid_input` or, for those that have allocations, `conflict`.
 */
export function exclusions(
  { organisation: { currency } }: Access,
  requests: readonly ExclusionRequest[],
): Change {
  const read = requests.map((request) => ({
    ...readTarget(request),
    reason: readLine('The reason', request.reason, CHARACTERS.note),
  }));
  const change: Change<(typeof read)[number]> = {
    requests: read,
    together: 'transactions.excluded',
    decide(transaction, shares, { reason }) {
      const id = formatId('txn', transaction.id);
      if (transaction.status === 'excluded') {
        throw new Failure('conflict', `${id} is already excluded.`);
      }
      if (transaction.allocatedMinor !== 0) {
        const allocated = `${id} has ${showMoney(transaction.allocatedMinor, currency)} allocated`;
        const command = `budgetd allocate ${id} --none`;
        throw new Failure('conflict', `${allocated}. Run \`${command}\` first, then exclude it.`);
      }
      return { action: 'transaction.excluded', shares, excluded: { reason } };
    },
  };
  return change;
}

/** Excludes what the push with this stamp created, as far as nobody has changed it since. */
export function exclusionsOfPush(access: Access, atMs: number, reason: string): Change {
  const requests = listAsCreated(access, atMs).map((id) => {
    return { transactionId: formatId('txn', id), seenUpdatedAtMs: atMs, reason };
  });
  return exclusions(access, requests);
}

export function exclude(
  access: Access,
  request: ExclusionRequest,
  actor: Actor,
): TransactionRecord {
  return changeOne(access, exclusions(access, [request]), actor);
}

/** Restores excluded transactions. Refuses with `not_found` or `conflict`. */
export function restorations(requests: readonly Target[]): Change {
  return {
    requests: requests.map(readTarget),
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

export function restore(access: Access, request: Target, actor: Actor): TransactionRecord {
  return changeOne(access, restorations([request]), actor);
}

/** A review to end, and how. */
interface ReviewRequest extends Target {
  readonly resolution: ReviewResolution;
}

const REVIEW_ACTIONS: Record<ReviewResolution, AuditAction> = {
  keep: 'review.kept',
  rescale: 'review.rescaled',
  clear: 'review.cleared',
};

/**
 * Ends reviews and marks: keeps the allocations, rescales them to the new amount, or removes them;
 * so do `allocations`. Refuses with `not_found`, `invalid_input` or, if there is neither or the
 * allocations to keep do not fit, `conflict`. A mark alone leaves nothing to rescale.
 */
export function reviewEndings(
  { organisation }: Access,
  requests: readonly ReviewRequest[],
): Change {
  const read = requests.map((request) => ({
    ...readTarget(request),
    resolution: readChoice('The resolution', request.resolution, REVIEW_RESOLUTIONS),
  }));
  const change: Change<(typeof read)[number]> = {
    requests: read,
    together: 'reviews.settled',
    decide: (transaction, shares, { resolution }) => ({
      action: REVIEW_ACTIONS[resolution],
      shares: resolve(organisation, transaction, shares, resolution),
    }),
  };
  return change;
}

const OTHER_RESOLUTIONS = 'Rescale, replace or clear the allocations instead.';

function resolve(
  { currency }: Organisation,
  { id: number, review, recoded, amountMinor }: TransactionRecord,
  shares: readonly Share[],
  resolution: ReviewResolution,
): readonly Share[] {
  const id = formatId('txn', number);
  if (review === null && (recoded === null || resolution === 'rescale')) {
    const also = resolution === 'rescale' ? '' : ' and not marked as recoded';
    const message = `${id} is not under review${also}, so there is nothing to resolve.`;
    throw new Failure('conflict', message);
  }
  if (resolution === 'clear') return [];
  const amounts = shares.map((share) => share.amountMinor);
  if (resolution === 'keep') {
    const misfit = findMisfit({ id, amountMinor, currency }, amounts);
    if (misfit === undefined) return shares;
    throw new Failure('conflict', `${misfit.problem} ${OTHER_RESOLUTIONS}`);
  }
  const rescaled = review === null ? amounts : rescaleShares(amountMinor, amounts, review);
  return shares.map((share, index) => ({ ...share, amountMinor: rescaled[index] ?? 0 }));
}
