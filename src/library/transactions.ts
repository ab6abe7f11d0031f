/** Transactions: list and push as in the HTTP interface, and the workflow (contract 5). */

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
import { REVIEW_RESOLUTIONS, type ReviewResolution } from '../core/allocations.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { AMOUNT_MINOR, NOTE_CHARACTERS } from '../core/limits.ts';
import { formatAmount, toMajor, toMinor } from '../core/money.ts';
import type { PushMeta, PushResult } from '../core/push.ts';
import { type AccountCodeCounts, allocateByAccountCode } from '../store/account-codes.ts';
import { type AllocationDraft, saveAllocations } from '../store/allocations.ts';
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
  /** In major units, with the transaction's sign. Absent: the rest of the transaction. */
  readonly amount?: number | undefined;
  readonly note?: string | null | undefined;
}

/** The counts, and the result for each budget line. */
export interface AccountCodeAllocation extends AccountCodeCounts {
  readonly lines: readonly {
    readonly budgetLineId: string;
    readonly transactions: number;
    readonly amount: number;
  }[];
}

/** The calls for transactions. */
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

    /** Like `push`, but with the provider `csv`: pushed transactions are not changed. */
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

/** Allocating, excluding and reviewing (contract 5). */
function buildWorkflow(context: LibraryContext) {
  return {
    /**
     * Replaces all allocations of a transaction. Refuses with `not_found`, `invalid_input` or, when
     * the transaction is excluded, `conflict`.
     */
    allocate(
      organisationId: string,
      transactionId: string,
      allocations: readonly AllocationInput[],
    ): TransactionDocument {
      const { db, organisation } = accessTo(context, organisationId);
      const request = {
        transactionId: requireNumber('txn', 'transaction', transactionId),
        drafts: readAllocations(organisation, allocations),
      };
      const record = saveAllocations(db, organisation.id, request, context.actor());
      return { data: toTransaction(record, organisation) };
    },

    /** Allocates each unallocated transaction to the only budget line with its account code. */
    allocateByAccountCode(
      organisationId: string,
      onStep?: (soFar: AccountCodeCounts) => void,
    ): AccountCodeAllocation {
      const { db, organisation } = accessTo(context, organisationId);
      const outcome = allocateByAccountCode(db, organisation.id, context.actor(), onStep);
      const lines = [...outcome.lines].map(([number, { transactions, amountMinor }]) => ({
        budgetLineId: formatId('bln', number),
        transactions,
        amount: toMajor(amountMinor, organisation.currency.places),
      }));
      return { ...outcome, lines };
    },

    /** Excludes a transaction from the budgets. Pushing it again leaves it excluded. */
    exclude(organisationId: string, transactionId: string, reason: string): TransactionDocument {
      const { db, organisation } = accessTo(context, organisationId);
      const request = {
        transactionId: requireNumber('txn', 'transaction', transactionId),
        reason: readLine('The reason', reason, NOTE_CHARACTERS),
      };
      const record = excludeTransaction(db, organisation.id, request, context.actor());
      return { data: toTransaction(record, organisation) };
    },

    /** Restores an excluded transaction. */
    restore(organisationId: string, transactionId: string): TransactionDocument {
      const { db, organisation } = accessTo(context, organisationId);
      const number = requireNumber('txn', 'transaction', transactionId);
      const record = restoreTransaction(db, organisation.id, number, context.actor());
      return { data: toTransaction(record, organisation) };
    },

    /** Ends a review; so does `allocate`. Refuses with `conflict` if there is no review. */
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
  { currency }: Access['organisation'],
  allocations: readonly AllocationInput[],
): AllocationDraft[] {
  return allocations.map(({ budgetLineId, amount, note }) => ({
    budgetLineId: requireNumber('bln', 'budget line', budgetLineId),
    amountMinor: amount === undefined ? undefined : readShare(amount, currency.places),
    note: note === undefined || note === null ? null : readLine('A note', note, NOTE_CHARACTERS),
  }));
}

function readShare(amount: number, places: number): number {
  const minor = toMinor(amount, places);
  if (typeof minor === 'number') return minor;
  const message =
    minor === 'amount_precision'
      ? `The amount ${amount} has more than ${places} decimal places. Round it.`
      : `The amount ${amount} is too large. The largest is ${formatAmount(AMOUNT_MINOR, places)}.`;
  throw new Failure('invalid_input', message);
}
