/** Transactions: the list, one transaction, and storing a batch of rows (Spec 4.5, 4.6). */

import type { TransactionOrder } from '../core/transactions.ts';
import type { TransactionFilters } from '../store/transaction-walks.ts';
import * as store from '../store/transactions.ts';
import { type Access, missing, numberOf } from './access.ts';
import {
  type BoundList,
  type Listing,
  type PageRequest,
  readPage,
  readStretches,
} from './pages.ts';
import type { Steps } from './turns.ts';

export { type PushOutcome, pushTransactions } from '../store/push.ts';
export { sumTotals, type Totals } from '../store/totals.ts';
export type { TransactionRecord, TransactionTotals } from '../store/transactions.ts';

/** Some transactions. An absent filter matches all, an unknown identifier nothing. */
export interface TransactionChoice
  extends Omit<TransactionFilters, 'ids' | 'projectId' | 'budgetLineId'> {
  readonly ids?: readonly string[] | undefined;
  readonly projectId?: string | undefined;
  /** Transactions with an allocation to this line; quicker with its project as well. */
  readonly budgetLineId?: string | undefined;
}

/** What is left to allocate, in whole or in part. A transaction of amount 0 waits for nobody. */
export const TO_ALLOCATE = {
  statuses: ['unallocated', 'partially_allocated'],
  isAllocatable: true,
} as const satisfies TransactionChoice;

/** Which transactions to list. */
export interface TransactionFilter extends TransactionChoice, PageRequest {
  /** `date`, newest first, by default. */
  readonly order?: TransactionOrder | undefined;
}

/**
 * A page of the organisation's transactions, found in steps of some milliseconds. Refuses with
 * `invalid_cursor`.
 */
export function listTransactions(
  access: Access,
  filter: TransactionFilter = {},
): Steps<Listing<store.TransactionRecord>> {
  const { order = 'date' } = filter;
  const filters = toNumbers(filter);
  const list = boundTransactions(filters, order);
  return readStretches(filter, (request, work) =>
    readPage(access, list, request, (page) =>
      store.listTransactions(access, { filters, order, work, ...page }),
    ),
  );
}

/** The filters of the store, with record numbers. */
export function toNumbers(filter: TransactionChoice): Required<TransactionFilters> {
  const { ids, projectId, budgetLineId, statuses } = filter;
  return {
    ids: ids && [...new Set(ids.map((id) => numberOf('txn', id)))].sort(),
    from: filter.from,
    to: filter.to,
    // Each once, or records would be read twice and end a page early.
    statuses: statuses && [...new Set(statuses)].sort(),
    isAllocatable: filter.isAllocatable,
    provider: filter.provider,
    externalId: filter.externalId,
    accountCode: filter.accountCode,
    contact: filter.contact,
    reference: filter.reference,
    bankAccount: filter.bankAccount,
    projectCode: filter.projectCode,
    externalIdPrefix: filter.externalIdPrefix,
    isRecoded: filter.isRecoded,
    projectId: projectId === undefined ? undefined : numberOf('prj', projectId),
    budgetLineId: budgetLineId === undefined ? undefined : numberOf('bln', budgetLineId),
    updatedSinceMs: filter.updatedSinceMs,
    search: filter.search,
  };
}

/** The filters by the names of contract 4: a cursor must outlive an update of the service. */
type BoundName =
  | Exclude<
      keyof TransactionFilters,
      'ids' | 'statuses' | 'isRecoded' | 'updatedSinceMs' | 'search'
    >
  | 'id'
  | 'status'
  | 'recoded'
  | 'updatedSince'
  | 'q'
  | 'order';

/** The list, as its cursors know it. Without object spread, which took a tenth of a short page. */
export function boundTransactions(
  filters: Required<TransactionFilters>,
  order: TransactionOrder,
): BoundList {
  const bound: Record<BoundName, unknown> = {
    id: filters.ids,
    from: filters.from,
    to: filters.to,
    status: filters.statuses,
    isAllocatable: filters.isAllocatable,
    provider: filters.provider,
    externalId: filters.externalId,
    accountCode: filters.accountCode,
    contact: filters.contact,
    reference: filters.reference,
    bankAccount: filters.bankAccount,
    projectCode: filters.projectCode,
    externalIdPrefix: filters.externalIdPrefix,
    recoded: filters.isRecoded,
    projectId: filters.projectId,
    budgetLineId: filters.budgetLineId,
    updatedSince: filters.updatedSinceMs,
    q: filters.search,
    order,
  };
  return { name: 'transactions', sortKey: order, filters: bound };
}

/**
 * What the transactions of a filter add up to, in steps of some milliseconds: all of them, or with
 * no more work than a page may take. If there are more, `isCapped` is true and all numbers are of a
 * part.
 */
export function countTransactions(
  access: Access,
  choice: TransactionChoice = {},
  { isWhole = false } = {},
): Steps<store.TransactionTotals> {
  return store.countTransactions(access, toNumbers(choice), isWhole ? Infinity : undefined);
}

/** One transaction. Refuses with `not_found`. */
export function getTransaction(access: Access, id: string): store.TransactionRecord {
  const record = store.findTransaction(access, numberOf('txn', id));
  if (record === undefined) throw missing('transaction', id);
  return record;
}
