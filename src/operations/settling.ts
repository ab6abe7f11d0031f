/**
 * Settling what was recoded, and the reviews of voided payments (contract 17): one by its
 * codes, or all of them together.
 */

import { REVIEW_RESOLUTIONS } from '../core/allocations.ts';
import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { CHANGED_TRANSACTIONS } from '../core/limits.ts';
import { BY_ACCOUNT_CODE } from '../core/rules.ts';
import type { Access } from '../store/access.ts';
import { KnownClaims } from '../store/account-codes.ts';
import type { Change } from '../store/acts.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import { changeMany, changeOne, inSteps } from './changes.ts';
import { readChoice, readTarget, type Target } from './input.ts';
import { listAll } from './pages.ts';
import { listTransactions, type TransactionChoice } from './transactions.ts';
import { finish } from './turns.ts';
import { reviewEndings } from './workflow.ts';

/**
 * Gives all of each transaction to the one line to which its codes lead, whoever had allocated it.
 * Refuses with `not_found` or, if it is neither under review nor marked or its codes lead to no
 * single line, `conflict`.
 */
function recodings(
  access: Access,
  requests: readonly Target[],
  mayMove: (shares: Parameters<Change['decide']>[1]) => boolean = () => true,
): Change {
  const known = new KnownClaims();
  return {
    requests: requests.map(readTarget),
    together: 'reviews.settled',
    decide(transaction, shares) {
      const { amountMinor, review, recoded } = transaction;
      const id = formatId('txn', transaction.id);
      if (review === null && recoded === null) {
        const message = `${id} is not under review and not marked as recoded.`;
        throw new Failure('conflict', message);
      }
      known.refresh(access);
      const { kind, budgetLineIds } = known.claimOf(access, transaction);
      const [budgetLineId] = budgetLineIds;
      if (kind !== 'claimed' || budgetLineId === undefined || amountMinor === 0) {
        const why = amountMinor === 0 ? 'is of amount 0' : 'has codes that lead to no single line';
        throw new Failure('conflict', `${id} ${why}. Keep or clear its allocations instead.`);
      }
      if (!mayMove(shares)) {
        throw new Failure('conflict', `A person has allocated ${id}.`);
      }
      const share = { budgetLineId, amountMinor, note: null, rule: BY_ACCOUNT_CODE };
      return { action: 'review.replaced', shares: [share] };
    },
  };
}

/** How one can be settled. */
export const SETTLEMENTS = [...REVIEW_RESOLUTIONS, 'by-account-code'] as const;

/** Settles one. Refuses as {@link reviewEndings} and {@link recodings} do. */
export function resolveReview(
  access: Access,
  request: Target & { readonly resolution: (typeof SETTLEMENTS)[number] },
  actor: Actor,
): TransactionRecord {
  const { resolution: chosen, ...target } = request;
  const resolution = readChoice('The resolution', chosen, SETTLEMENTS);
  const change =
    resolution === 'by-account-code'
      ? recodings(access, [target])
      : reviewEndings(access, [{ ...target, resolution }]);
  return changeOne(access, change, actor);
}

/** What can be settled together, and how. */
const SETTLED_TOGETHER = ['recode', 'keep', 'void'] as const;
export type Settlement = (typeof SETTLED_TOGETHER)[number];

/**
 * Settles all that allow it: `recode` gives what was recoded, if code or rule had allocated it, to
 * the line to which its codes lead; `keep` confirms what was recoded, except under review; `void`
 * clears the reviews of amount 0. Says what was settled, and how many were left. One audit entry
 * for each CHANGED_TRANSACTIONS of them. What has a later stamp than `seenMs` is left.
 */
export async function settleAll(
  access: Access,
  settlement: Settlement,
  actor: Actor,
  seenMs = Number.POSITIVE_INFINITY,
) {
  readChoice('The settlement', settlement, SETTLED_TOGETHER);
  const listed = listTargets(access, settlement);
  const chosen = listed.filter(({ review, updatedAtMs }) => {
    return updatedAtMs <= seenMs && (settlement !== 'keep' || review === null);
  });
  const requests = chosen.map(({ id, updatedAtMs: seenUpdatedAtMs }) => {
    return { transactionId: formatId('txn', id), seenUpdatedAtMs };
  });
  const steps = inSteps(
    requests,
    (step) => changeOf(access, settlement, step),
    CHANGED_TRANSACTIONS,
  );
  const done = await changeMany(access, steps, actor);
  return { ...done, left: listed.length - done.count };
}

function changeOf(access: Access, settlement: Settlement, step: readonly Target[]): Change {
  if (settlement === 'recode') {
    return recodings(access, step, (shares) => shares.every(({ rule }) => rule !== null));
  }
  const resolution = settlement === 'keep' ? 'keep' : 'clear';
  return reviewEndings(
    access,
    step.map((target) => ({ ...target, resolution })),
  );
}

/** Those that are marked, or whose review is of amount 0. */
function listTargets(access: Access, settlement: Settlement): readonly TransactionRecord[] {
  const isVoid = settlement === 'void';
  const choice: TransactionChoice = isVoid ? { statuses: ['needs_review'] } : { isRecoded: true };
  const all = listAll((page) => finish(listTransactions(access, { ...choice, ...page })));
  return isVoid ? all.filter(({ amountMinor }) => amountMinor === 0) : all;
}
