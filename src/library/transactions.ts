/** Transactions in the library: list and push as in the HTTP interface, and the workflow. */

import type { TransactionDocument, TransactionList } from '../api/contract.ts';
import { ambiguousDocument, listDocument, transactionItem } from '../api/documents.ts';
import { readEnvelope } from '../api/envelope.ts';
import { toFilter } from '../api/filters.ts';
import { PARAMETERS, readQuery } from '../api/parameters.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { AMOUNT_MINOR } from '../core/limits.ts';
import { formatAmount, toMajor, toMinor } from '../core/money.ts';
import type { PushMeta, PushResult } from '../core/push.ts';
import type { Provider } from '../core/transactions.ts';
import { accessTo } from '../operations/access.ts';
import { allocate } from '../operations/allocations.ts';
import { stoppedAfter } from '../operations/changes.ts';
import type { QueryInput } from '../operations/input.ts';
import { type RunCounts, runRules } from '../operations/rule-runs.ts';
import { getTransaction, listTransactions, pushTransactions } from '../operations/transactions.ts';
import { finish } from '../operations/turns.ts';
import {
  exclude,
  resolveReview,
  restore,
  type SETTLEMENTS,
  type Settlement,
  settleAll,
} from '../operations/workflow.ts';
import type { Access } from '../store/access.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import type { LibraryContext } from './context.ts';

/** One allocation to save. */
export interface AllocationInput {
  readonly budgetLineId: string;
  /** In major units, with the transaction's sign. Absent: the rest of the transaction. */
  readonly amount?: number | undefined;
  readonly note?: string | null | undefined;
}

/** The counts, and the result for each budget line. */
export interface AccountCodeAllocation extends RunCounts {
  /** Which codes were ambiguous, with the lines that claim them: at most 100. */
  readonly ambiguousCodes: ReturnType<typeof ambiguousDocument>;
  readonly lines: readonly {
    readonly budgetLineId: string;
    readonly transactions: number;
    readonly amount: number;
  }[];
}

/** One result for each row, in order, and the counts. */
export interface PushedRows {
  readonly data: PushResult[];
  readonly meta: PushMeta;
}

/** What can be done with transactions. */
export interface Transactions {
  /**
   * `GET /api/v1/transactions`, all at once: a filter that matches hardly anything can take 0.2 s.
   */
  list(organisationId: string, query?: QueryInput): TransactionList;
  /** One transaction. Refuses with `not_found`. */
  get(organisationId: string, transactionId: string): TransactionDocument;
  /** `POST /api/v1/transactions`: one batch of up to 500 rows, with a result for each. */
  push(organisationId: string, rows: readonly unknown[], query?: QueryInput): PushedRows;
  /** Like `push`, but with the provider `csv`: pushed transactions are not changed. */
  import(organisationId: string, rows: readonly unknown[], query?: QueryInput): PushedRows;
  /**
   * Replaces all allocations of a transaction. Refuses with `not_found`, `invalid_input` or, when
   * the transaction is excluded, `conflict`.
   */
  allocate(
    organisationId: string,
    transactionId: string,
    allocations: readonly AllocationInput[],
  ): TransactionDocument;
  /**
   * Allocates each unallocated transaction to the only budget line that claims its codes. Works in
   * short steps, between which the service answers requests.
   */
  allocateByAccountCode(
    organisationId: string,
    onStep?: (soFar: RunCounts) => void,
  ): Promise<AccountCodeAllocation>;
  /** Excludes a transaction from the budgets. Pushing it again leaves it excluded. */
  exclude(organisationId: string, transactionId: string, reason: string): TransactionDocument;
  /** Restores an excluded transaction. */
  restore(organisationId: string, transactionId: string): TransactionDocument;
  /**
   * Ends a review, and the mark of what was recoded; so does `allocate`. `by-account-code` gives
   * all of it to the one line to which its codes lead. Refuses with `conflict` if there is neither,
   * or it cannot end like that.
   */
  review(
    organisationId: string,
    transactionId: string,
    resolution: (typeof SETTLEMENTS)[number],
  ): TransactionDocument;
  /**
   * Settles all that allow it, in short steps: `recode` gives what was recoded, unless a person had
   * allocated it, to the line to which its codes lead; `keep` confirms what was recoded and is not
   * under review; `void` clears the reviews of amount 0. Says how many were settled, and how many
   * of the kind are left. What stops it half-way is thrown, and says how many were settled.
   */
  settleAll(
    organisationId: string,
    settlement: Settlement,
  ): Promise<{ readonly settled: number; readonly left: number }>;
}

/** Builds the calls for transactions. */
export function buildTransactions(context: LibraryContext): Transactions {
  const store = (provider: Provider): Transactions['push'] => {
    return (organisationId, rows, query = {}) => {
      const access = accessTo(context, organisationId);
      const { dryRun = false } = readQuery(PARAMETERS.PushQuery, query);
      const batch = { rows: readEnvelope({ rows }), provider, dryRun };
      const { results: data, meta } = pushTransactions(access, batch, context.actor());
      return { data, meta };
    };
  };
  const show = (organisationId: string, act: (access: Access) => TransactionRecord) => {
    const access = accessTo(context, organisationId);
    return { data: transactionItem(act(access), access.organisation) };
  };
  return {
    list: (organisationId, query = {}) => {
      const access = accessTo(context, organisationId);
      const filter = toFilter(readQuery(PARAMETERS.TransactionQuery, query));
      const listing = finish(listTransactions(access, filter));
      return listDocument(listing, transactionItem, access.organisation);
    },
    get: (organisationId, id) => show(organisationId, (access) => getTransaction(access, id)),
    push: store('api'),
    import: store('csv'),
    allocate: (organisationId, transactionId, inputs) =>
      show(organisationId, (access) => {
        const { places } = access.organisation.currency;
        const allocations = inputs.map(({ budgetLineId, amount, note }) => {
          const amountMinor = amount === undefined ? undefined : readShare(amount, places);
          return { budgetLineId, amountMinor, note };
        });
        return allocate(access, { transactionId, allocations }, context.actor());
      }),
    allocateByAccountCode: async (organisationId, onStep) => {
      const access = accessTo(context, organisationId);
      const { places } = access.organisation.currency;
      const run = { onlyByAccountCode: true, onStep };
      const outcome = await runRules(access, context.actor(), run);
      const { allocated, ambiguous, unmatched, rules } = outcome;
      const lines = [...(rules[0]?.lines ?? [])].map(([number, { transactions, amountMinor }]) => {
        const budgetLineId = formatId('bln', number);
        return { budgetLineId, transactions, amount: toMajor(amountMinor, places) };
      });
      const ambiguousCodes = ambiguousDocument(outcome.ambiguousCodes);
      return { allocated, ambiguous, unmatched, ambiguousCodes, lines };
    },
    exclude: (organisationId, transactionId, reason) =>
      show(organisationId, (access) => exclude(access, { transactionId, reason }, context.actor())),
    restore: (organisationId, transactionId) =>
      show(organisationId, (access) => restore(access, { transactionId }, context.actor())),
    review: (organisationId, transactionId, resolution) =>
      show(organisationId, (access) =>
        resolveReview(access, { transactionId, resolution }, context.actor()),
      ),
    settleAll: async (organisationId, settlement) => {
      const access = accessTo(context, organisationId);
      const {
        count: settled,
        left,
        stopped,
      } = await settleAll(access, settlement, context.actor());
      if (stopped !== undefined) throw stoppedAfter(settled, 'settled', stopped);
      return { settled, left };
    },
  };
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
