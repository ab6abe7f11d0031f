/**
 * Excluding and restoring transactions, and ending their reviews (contract 5); settling what was
 * recoded, and the reviews of voided payments (contract 17): one by its codes, or all together.
 */

import {
  findMisfit,
  REVIEW_RESOLUTIONS,
  type ReviewResolution,
  rescaleShares,
} from '../core/allocations.ts';
import type { Actor, AuditAction } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { CHANGED_TRANSACTIONS, CHARACTERS } from '../core/limits.ts';
import { showMoney } from '../core/money.ts';
import type { OrganisationRecord } from '../core/organisations.ts';
import { BY_ACCOUNT_CODE } from '../core/rules.ts';
import type { Access } from '../store/access.ts';
import { KnownClaims } from '../store/account-codes.ts';
import { type Change, changeOne } from '../store/acts.ts';
import type { Share } from '../store/shares.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import { listAsCreated } from '../store/undo.ts';
import { changeMany, inSteps } from './changes.ts';
import { readChoice, readLine, readTarget, type Target } from './input.ts';
import { listAll } from './pages.ts';
import { listTransactions, type TransactionChoice } from './transactions.ts';
import { finish } from './turns.ts';

/** A transaction to exclude, and why. */
interface ExclusionRequest extends Target {
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

export function exclude(access: Access, request: ExclusionRequest, actor: Actor) {
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
  requests: readonly (Target & { readonly resolution: ReviewResolution })[],
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
  { currency }: OrganisationRecord,
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
        const why =
          amountMinor === 0 ? 'has the amount 0' : 'has codes that lead to no single line';
        throw new Failure('conflict', `${id} ${why}. Keep or clear its allocations instead.`);
      }
      if (!mayMove(shares)) throw new Failure('conflict', `A person has allocated ${id}.`);
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
  const isVoid = settlement === 'void';
  const choice: TransactionChoice = isVoid ? { statuses: ['needs_review'] } : { isRecoded: true };
  const all = listAll((page) => finish(listTransactions(access, { ...choice, ...page })));
  const listed = isVoid ? all.filter(({ amountMinor }) => amountMinor === 0) : all;
  const chosen = listed.filter(({ review, updatedAtMs }) => {
    return updatedAtMs <= seenMs && (settlement !== 'keep' || review === null);
  });
  const requests = chosen.map(({ id, updatedAtMs: seenUpdatedAtMs }) => {
    return { transactionId: formatId('txn', id), seenUpdatedAtMs };
  });
  const change = (step: readonly Target[]) => changeOf(access, settlement, step);
  const steps = inSteps(requests, change, CHANGED_TRANSACTIONS);
  const done = await changeMany(access, steps, actor);
  return { ...done, left: listed.length - done.count };
}

function changeOf(access: Access, settlement: Settlement, step: readonly Target[]): Change {
  if (settlement === 'recode') {
    return recodings(access, step, (shares) => shares.every(({ rule }) => rule !== null));
  }
  const resolution = settlement === 'keep' ? 'keep' : 'clear';
  const requests = step.map((target) => ({ ...target, resolution }) as const);
  return reviewEndings(access, requests);
}
