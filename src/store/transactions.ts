/** Transactions as they are read: one by its number, or a page of a filtered list. */

import type { OrgId } from '../core/ids.ts';
import { PAGE_ITEMS } from '../core/limits.ts';
import { foldCase } from '../core/text.ts';
import type { Provider, Review, Status, TransactionOrder } from '../core/transactions.ts';
import type { Db } from './database.ts';
import { type Found, listPage, type Page, type Position } from './pages.ts';
import { statement } from './statements.ts';
import { type TransactionFilters, walkOf } from './transaction-walks.ts';

/** A transaction, without its raw data and without who excluded it, when and why (Spec 2.4). */
export interface TransactionRecord {
  readonly id: number;
  readonly provider: Provider;
  readonly externalId: string | null;
  readonly date: string;
  readonly description: string;
  readonly contact: string | null;
  readonly accountCode: string | null;
  readonly amountMinor: number;
  readonly status: Status;
  readonly allocatedMinor: number;
  readonly review: Review | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** One page to read. */
export interface TransactionPage {
  readonly filters: TransactionFilters;
  readonly order: TransactionOrder;
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** One transaction, or undefined. */
export function findTransaction(db: Db, orgId: OrgId, id: number): TransactionRecord | undefined {
  const found = selectTransaction(db).raw().get(orgId, id);
  return found && toTransaction(found);
}

/** A page of transactions that match, in the order asked for (contract 4). */
export function listTransactions(
  db: Db,
  orgId: OrgId,
  page: TransactionPage,
): Page<TransactionRecord> {
  registerSearch(db);
  const { filters, order, after, limit } = page;
  const isRecent = filters.updatedSinceMs !== undefined && hasChangedLittle(db, orgId, filters);
  const walk = { ...walkOf(orgId, filters, order, isRecent), columns: COLUMNS, after, limit };
  return listPage(db, walk, toTransaction);
}

/** What can be sorted for a page as fast as it is read. */
const LITTLE = PAGE_ITEMS;

function hasChangedLittle(db: Db, orgId: OrgId, { updatedSinceMs = 0 }: TransactionFilters) {
  return selectManyChanges(db).get(orgId, updatedSinceMs) === undefined;
}

const selectManyChanges = statement<[OrgId, number]>(
  `select 1 from transactions indexed by transactions_by_update
    where organisation_id = ? and updated_at >= ? limit 1 offset ${LITTLE}`,
);

/** The columns of a transaction beside its number, and nothing that must stay inside. */
const COLUMNS =
  't.provider, t.external_id, t.date, t.description, t.contact, t.account_code, t.amount_minor, ' +
  't.status, t.allocated_minor, t.review_previous_minor, t.review_changed_at, t.created_at, ' +
  't.updated_at';

type TransactionColumns = [
  provider: Provider,
  externalId: string | null,
  date: string,
  description: string,
  contact: string | null,
  accountCode: string | null,
  amountMinor: number,
  status: Status,
  allocatedMinor: number,
  reviewPreviousMinor: number | null,
  reviewChangedAtMs: number | null,
  createdAtMs: number,
  updatedAtMs: number,
];

const selectTransaction = statement<[OrgId, number], Found<TransactionColumns>>(
  `select t.newest_first, t.id, ${COLUMNS} from transactions t
    where t.organisation_id = ? and t.id = ?`,
);

/** The review that two columns describe. */
export function toReview(previousMinor: number | null, changedAtMs: number | null): Review | null {
  return previousMinor === null || changedAtMs === null ? null : { previousMinor, changedAtMs };
}

function toTransaction(found: Found<TransactionColumns>): TransactionRecord {
  return {
    id: found[1],
    provider: found[2],
    externalId: found[3],
    date: found[4],
    description: found[5],
    contact: found[6],
    accountCode: found[7],
    amountMinor: found[8],
    status: found[9],
    allocatedMinor: found[10],
    review: toReview(found[11], found[12]),
    createdAtMs: found[13],
    updatedAtMs: found[14],
  };
}

const withSearch = new WeakSet<Db>();

function registerSearch(db: Db): void {
  if (withSearch.has(db)) return;
  withSearch.add(db);
  const contains = (part: unknown, ...texts: unknown[]) =>
    texts.some((text) => typeof text === 'string' && foldCase(text).includes(String(part)));
  db.function('contains_folded', { deterministic: true, varargs: true }, (part, ...texts) =>
    contains(part, ...texts) ? 1 : 0,
  );
}
