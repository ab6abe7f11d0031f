/** Transactions: the list, one transaction, and storing a batch of rows (Spec 4.5, 4.6). */

import type { Actor } from '../core/audit.ts';
import type { TransactionOrder } from '../core/transactions.ts';
import { type Batch, type PushOutcome, pushTransactions as storeRows } from '../store/push.ts';
import type { TransactionFilters } from '../store/transaction-walks.ts';
import * as store from '../store/transactions.ts';
import { type Access, missing, numberOf } from './access.ts';
import { type BoundList, type Listing, type PageRequest, readPage } from './pages.ts';

export type { PushOutcome } from '../store/push.ts';
export type { TransactionRecord } from '../store/transactions.ts';

/** Which transactions to list. An absent filter matches all, an unknown identifier nothing. */
export interface TransactionFilter
  extends Omit<TransactionFilters, 'ids' | 'projectId'>,
    PageRequest {
  readonly ids?: readonly string[] | undefined;
  readonly projectId?: string | undefined;
  /** `date`, newest first, by default. */
  readonly order?: TransactionOrder | undefined;
}

/** A page of the organisation's transactions. Refuses with `invalid_cursor`. */
export function listTransactions(
  access: Access,
  filter: TransactionFilter = {},
): Listing<store.TransactionRecord> {
  const { db, organisation } = access;
  const { order = 'date' } = filter;
  const filters = toNumbers(filter);
  return readPage(access, boundTransactions(filter), filter, (page) =>
    store.listTransactions(db, organisation.id, { filters, order, ...page }),
  );
}

/** The list that a filter describes, as its cursors know it. */
export function boundTransactions(filter: TransactionFilter): BoundList {
  const { order = 'date' } = filter;
  const { ids: id, statuses: status, updatedSinceMs, search: q, ...rest } = toNumbers(filter);
  // The names of contract 4: a cursor must outlive an update of the service.
  const filters = { ...rest, id, status, updatedSince: updatedSinceMs, q, order };
  return { name: 'transactions', sortKey: order, filters };
}

function toNumbers(filter: TransactionFilter): TransactionFilters {
  const { limit: _, cursor: __, order: ___, ids, projectId, ...rest } = filter;
  return {
    ...rest,
    ids: ids && [...new Set(ids.map((id) => numberOf('txn', id)))].sort(),
    projectId: projectId === undefined ? undefined : numberOf('prj', projectId),
  };
}

/** One transaction. Refuses with `not_found`. */
export function getTransaction({ db, organisation }: Access, id: string): store.TransactionRecord {
  const record = store.findTransaction(db, organisation.id, numberOf('txn', id));
  if (record === undefined) throw missing('transaction', id);
  return record;
}

/** Stores a batch of rows; a result for each, in their order. Rejected rows are in the results. */
export function pushTransactions(
  { db, organisation }: Access,
  batch: Batch,
  actor: Actor,
): PushOutcome {
  return storeRows(db, organisation, batch, actor);
}
