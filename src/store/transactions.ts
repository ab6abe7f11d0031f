/** Transactions as they are read: one by its number, or a page of a filtered list. */

import type { OrgId } from '../core/ids.ts';
import { foldCase } from '../core/text.ts';
import type { Provider, Review, Status, TransactionOrder } from '../core/transactions.ts';
import type { Db } from './database.ts';
import { listPage, type Page, type Position } from './pages.ts';
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
  const record = selectTransaction(db).get(orgId, id);
  return record === undefined ? undefined : toTransaction(record);
}

/** When the organisation's transactions last changed, 0 when it has none. */
export function latestUpdate(db: Db, orgId: OrgId): number {
  return selectLatestUpdate(db).get(orgId)?.updated_at ?? 0;
}

const selectLatestUpdate = statement<[OrgId], { updated_at: number }>(
  `select updated_at from transactions where organisation_id = ?
    order by updated_at desc limit 1`,
);

/** A page of transactions that match, in the order asked for (contract 4). */
export function listTransactions(
  db: Db,
  orgId: OrgId,
  page: TransactionPage,
): Page<TransactionRecord> {
  registerSearch(db);
  const { filters, order, after, limit } = page;
  const walk = { ...walkOf(orgId, filters, order), columns: COLUMNS, after, limit };
  return listPage(db, walk, toTransaction);
}

/** The columns of a transaction, and nothing that must stay inside. */
const COLUMNS =
  't.id, t.provider, t.external_id, t.date, t.description, t.contact, t.account_code, ' +
  't.amount_minor, t.status, t.allocated_minor, t.review_previous_minor, t.review_changed_at, ' +
  't.created_at, t.updated_at';

interface TransactionColumns {
  id: number;
  provider: Provider;
  external_id: string | null;
  date: string;
  description: string;
  contact: string | null;
  account_code: string | null;
  amount_minor: number;
  status: Status;
  allocated_minor: number;
  review_previous_minor: number | null;
  review_changed_at: number | null;
  created_at: number;
  updated_at: number;
}

const selectTransaction = statement<[OrgId, number], TransactionColumns>(
  `select ${COLUMNS} from transactions t where t.organisation_id = ? and t.id = ?`,
);

/** The review that two columns describe. */
export function toReview(record: {
  review_previous_minor: number | null;
  review_changed_at: number | null;
}): Review | null {
  const { review_previous_minor: previousMinor, review_changed_at: changedAtMs } = record;
  return previousMinor === null || changedAtMs === null ? null : { previousMinor, changedAtMs };
}

function toTransaction(record: TransactionColumns): TransactionRecord {
  return {
    id: record.id,
    provider: record.provider,
    externalId: record.external_id,
    date: record.date,
    description: record.description,
    contact: record.contact,
    accountCode: record.account_code,
    amountMinor: record.amount_minor,
    status: record.status,
    allocatedMinor: record.allocated_minor,
    review: toReview(record),
    createdAtMs: record.created_at,
    updatedAtMs: record.updated_at,
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
