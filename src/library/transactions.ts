/** Transactions: the interface's list and push, and the workflow underneath (contract 5). */

import type { Access } from '../api/access.ts';
import type { TransactionDocument, TransactionList } from '../api/contract.ts';
import { readParameters } from '../api/parameters.ts';
import {
  importRows,
  PUSH_PARAMETERS,
  pushEnvelope,
  TRANSACTION_PARAMETERS,
  toTransaction,
  transactionDocument,
  transactionList,
} from '../api/transactions.ts';
import { REVIEW_RESOLUTIONS, type ReviewResolution, settleWishes } from '../core/allocations.ts';
import { Failure } from '../core/failures.ts';
import { NOTE_CHARACTERS } from '../core/limits.ts';
import { readAmount } from '../core/money.ts';
import type { PushMeta, PushResult } from '../core/push.ts';
import { type AccountCodeOutcome, allocateByAccountCode } from '../store/account-codes.ts';
import { requireTransaction, saveAllocations } from '../store/allocations.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from '../store/workflow.ts';
import {
  accessTo,
  type LibraryContext,
  type QueryInput,
  readChoice,
  readLine,
  requireNumber,
  toQuery,
} from './context.ts';

/** One allocation to save. */
export interface AllocationInput {
  readonly budgetLineId: string;
  /** Major units, the transaction's sign; without one, what is left of the transaction. */
  readonly amount?: number | undefined;
  readonly note?: string | null | undefined;
}

/** What can be done with transactions. */
export function buildTransactions(context: LibraryContext) {
  return {
    /** `GET /api/v1/transactions`. */
    list(organisationId: string, query: QueryInput = {}): TransactionList {
      const access = accessTo(context, organisationId);
      return transactionList(access, readParameters(TRANSACTION_PARAMETERS, toQuery(query)));
    },

    /** One transaction. Refuses with `not_found`. */
    get(organisationId: string, transactionId: string): TransactionDocument {
      return transactionDocument(accessTo(context, organisationId), transactionId);
    },

    /** `POST /api/v1/transactions`: one batch of up to 500 rows, with a result for each. */
    push(
      organisationId: string,
      rows: readonly unknown[],
      query: QueryInput = {},
    ): { data: PushResult[]; meta: PushMeta } {
      const access = accessTo(context, organisationId);
      const values = readParameters(PUSH_PARAMETERS, toQuery(query));
      const { results, meta } = pushEnvelope(access, { rows }, values, context.actor());
      return { data: results, meta };
    },

    /** The same as `push`, under the provider `csv`: nothing that was pushed is touched. */
    import(
      organisationId: string,
      rows: readonly unknown[],
      query: QueryInput = {},
    ): { data: PushResult[]; meta: PushMeta } {
      const access = accessTo(context, organisationId);
      const values = readParameters(PUSH_PARAMETERS, toQuery(query));
      const { results, meta } = importRows(access, rows, values, context.actor());
      return { data: results, meta };
    },

    ...buildWorkflow(context),
  };
}

/** Allocating, excluding and reviewing: what people do with transactions (contract 5). */
function buildWorkflow(context: LibraryContext) {
  return {
    /**
     * Saves a transaction's allocations in place of all it had. Refuses with `not_found`,
     * `invalid_input` or, when it is excluded, `conflict`.
     */
    allocate(
      organisationId: string,
      transactionId: string,
      allocations: readonly AllocationInput[],
    ): TransactionDocument {
      const access = accessTo(context, organisationId);
      const { db, organisation } = access;
      const number = requireNumber('txn', 'transaction', transactionId);
      const { amountMinor } = requireTransaction(db, organisation.id, number);
      const drafts = readAllocations(access, amountMinor, allocations);
      const request = { transactionId: number, drafts };
      const record = saveAllocations(db, organisation.id, request, context.actor());
      return { data: toTransaction(record, organisation) };
    },

    /** Allocates each unallocated transaction to the one line that claims its account code. */
    allocateByAccountCode(
      organisationId: string,
      onStep?: (soFar: AccountCodeOutcome) => void,
    ): AccountCodeOutcome {
      const { db, organisation } = accessTo(context, organisationId);
      return allocateByAccountCode(db, organisation.id, context.actor(), onStep);
    },

    /** Excludes a transaction from the workflow; a re-push leaves it excluded. */
    exclude(organisationId: string, transactionId: string, reason: string): TransactionDocument {
      const { db, organisation } = accessTo(context, organisationId);
      const request = {
        transactionId: requireNumber('txn', 'transaction', transactionId),
        reason: readLine('The reason', reason, NOTE_CHARACTERS),
      };
      const record = excludeTransaction(db, organisation.id, request, context.actor());
      return { data: toTransaction(record, organisation) };
    },

    /** Takes an excluded transaction back. */
    restore(organisationId: string, transactionId: string): TransactionDocument {
      const { db, organisation } = accessTo(context, organisationId);
      const number = requireNumber('txn', 'transaction', transactionId);
      const record = restoreTransaction(db, organisation.id, number, context.actor());
      return { data: toTransaction(record, organisation) };
    },

    /** Ends a review; `allocate` is the fourth way out. Refuses with `conflict` without one. */
    review(
      organisationId: string,
      transactionId: string,
      resolution: ReviewResolution,
    ): TransactionDocument {
      const { db, organisation } = accessTo(context, organisationId);
      const request = {
        transactionId: requireNumber('txn', 'transaction', transactionId),
        resolution: readChoice('The resolution', resolution, REVIEW_RESOLUTIONS),
      };
      const record = resolveReview(db, organisation.id, request, context.actor());
      return { data: toTransaction(record, organisation) };
    },
  };
}

function readAllocations(
  { organisation }: Access,
  amountMinor: number,
  allocations: readonly AllocationInput[],
) {
  const wishes = allocations.map(({ amount }) => ({
    amountMinor: amount === undefined ? undefined : readShare(amount, organisation.currency.places),
  }));
  const shares = settleWishes(amountMinor, wishes);
  return allocations.map(({ budgetLineId, note }, index) => ({
    budgetLineId: requireNumber('bln', 'budget line', budgetLineId),
    amountMinor: shares[index] ?? 0,
    note: note === undefined || note === null ? null : readLine('A note', note, NOTE_CHARACTERS),
  }));
}

function readShare(amount: number, places: number): number {
  const minor = readAmount(amount, places);
  if (typeof minor === 'number') return minor;
  const message =
    minor === 'amount_precision'
      ? `The amount ${amount} has more than ${places} decimal places.`
      : `The amount ${amount} is out of range.`;
  throw new Failure('invalid_input', message);
}
