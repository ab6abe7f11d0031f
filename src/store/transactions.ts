/** Reads transactions: one by its number, or a page of a filtered list. */

import type { OrgId } from '../core/ids.ts';
import {
  COUNTED_AT_ONCE,
  COUNTED_TRANSACTIONS,
  PAGE_ITEMS,
  SEARCHED_RECORDS,
  STRETCH_WORK,
} from '../core/limits.ts';
import { STORED_MEMBERS, type ValidRow } from '../core/row-members.ts';
import {
  type Provider,
  type Review,
  STATUSES,
  type Status,
  type TransactionOrder,
} from '../core/transactions.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import {
  type Found,
  listColumns,
  listPage,
  type Page,
  type Position,
  searchOf,
  sumStretch,
  type Walk,
} from './pages.ts';
import { type TransactionFilters, walkOf } from './transaction-walks.ts';

/** A transaction, without its raw data and the details of its exclusion (Spec 2.4). */
export interface TransactionRecord extends Omit<ValidRow, 'externalId'> {
  readonly id: number;
  readonly provider: Provider;
  readonly externalId: string | null;
  readonly status: Status;
  readonly allocatedMinor: number;
  readonly review: Review | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What to read of a list. */
export interface TransactionPage {
  readonly filters: TransactionFilters;
  readonly order: TransactionOrder;
  readonly after?: Position | undefined;
  readonly limit: number;
  /** The work after which it ends early; see {@link Walk}. */
  readonly work?: number | undefined;
}

/** One transaction, or undefined. */
export function findTransaction(
  { db, organisation }: Access,
  id: number,
): TransactionRecord | undefined {
  const found = selectTransaction(db).raw().get(organisation.id, id);
  return found && toTransaction(found);
}

/** A stretch of the matching transactions, in the requested order (contract 4). */
export function listTransactions(access: Access, page: TransactionPage): Page<TransactionRecord> {
  const { filters, order, ...wanted } = page;
  const walk = prepareWalk(access, filters, order);
  return listPage(
    access.db,
    { ...walk, columns: COLUMNS.text, after: undefined, ...wanted },
    toTransaction,
  );
}

/** What the transactions of a filter add up to. */
export interface TransactionTotals {
  readonly count: number;
  readonly outMinor: number;
  /** What came in; not above 0. */
  readonly inMinor: number;
  readonly allocatedMinor: number;
  readonly byStatus: Readonly<Record<Status, number>>;
  /** Those of amount 0 among the unallocated ones, which cannot be allocated. */
  readonly zeroes: number;
  /** Whether the work of a stretch ended first, so that all of these are only part of it. */
  readonly isCapped: boolean;
}

/**
 * Counts and adds up the matching transactions: at most COUNTED_TRANSACTIONS, and with no more work
 * than a stretch of a list takes. Each step reads a part of them.
 */
export function* countTransactions(
  access: Access,
  filters: TransactionFilters,
): Generator<undefined, TransactionTotals, undefined> {
  const totals = { count: 0, outMinor: 0, inMinor: 0, allocatedMinor: 0, zeroes: 0 };
  const byStatus = Object.fromEntries(STATUSES.map((each) => [each, 0])) as Record<Status, number>;
  const add = (found: Found) => {
    const amountMinor = COUNTED.read(found, 'amountMinor');
    totals.count += 1;
    totals[amountMinor < 0 ? 'inMinor' : 'outMinor'] += amountMinor;
    totals.allocatedMinor += COUNTED.read(found, 'allocatedMinor');
    const status = COUNTED.read(found, 'status');
    byStatus[status] += 1;
    if (amountMinor === 0 && status === 'unallocated') totals.zeroes += 1;
  };
  const walk = { ...prepareWalk(access, filters, 'date'), columns: COUNTED.text };
  const parts = COUNTED_TRANSACTIONS / COUNTED_AT_ONCE;
  const part = { work: STRETCH_WORK / parts, limit: COUNTED_AT_ONCE };
  let after: Walk['after'];
  for (let fruitless = 0; ; ) {
    const before = totals.count;
    after = listPage(access.db, { ...walk, ...part, after }, add).next;
    if (totals.count - before < part.limit) fruitless += 1;
    const isOver = totals.count >= COUNTED_TRANSACTIONS || fruitless === parts;
    if (after === undefined || isOver) break;
    yield;
  }
  return { ...totals, byStatus, isCapped: after !== undefined };
}

/** What the matching transactions of one account code and project code add up to. */
type CodeSum = readonly [
  accountCode: string | null,
  projectCode: string | null,
  count: number,
  sumMinor: number,
  /** The number of one of them. */
  id: number,
  /** Their last and their first day, as `newestFirst` numbers. */
  last: number,
  first: number,
];

/** A part of these sums: of the next COUNTED_AT_ONCE transactions, whether or not they match. */
export function sumAccountCodes(
  access: Access,
  { filters, after }: Pick<TransactionPage, 'filters' | 'after'>,
): { readonly sums: readonly CodeSum[]; readonly next: Position | undefined } {
  const days = 'min(t.newest_first), max(t.newest_first)';
  const columns = `count(*), sum(t.amount_minor), min(t.id_copy), ${days}`;
  const walk = prepareWalk(access, filters, 'date');
  const stretch = { ...walk, columns, after, limit: COUNTED_AT_ONCE };
  return sumStretch<CodeSum>(access.db, stretch, 't.account_code, t.project_code');
}

const COUNTED = listColumns<Pick<TransactionRecord, 'amountMinor' | 'allocatedMinor' | 'status'>>({
  amountMinor: 't.amount_minor',
  allocatedMinor: 't.allocated_minor',
  status: 't.status',
});

function prepareWalk(
  access: Access,
  filters: TransactionFilters,
  order: TransactionOrder,
): Omit<Walk, 'columns' | 'after' | 'limit'> {
  const search = filters.search === undefined ? undefined : searchOf(access.db);
  const isRecent = filters.updatedSinceMs !== undefined && hasChangedLittle(access, filters);
  return { ...walkOf(access.organisation.id, filters, order, isRecent), search };
}

/** Whether so little has changed that sorting all of it is as fast as reading a page. */
function hasChangedLittle(
  { db, organisation }: Access,
  { updatedSinceMs = 0, search }: TransactionFilters,
): boolean {
  const little = search === undefined ? PAGE_ITEMS : SEARCHED_RECORDS;
  return selectManyChanges(db).get(organisation.id, updatedSinceMs, little) === undefined;
}

const selectManyChanges = statement<[OrgId, number, number]>(
  `select 1 from transactions indexed by transactions_by_update
    where organisation_id = ? and updated_at >= ? limit 1 offset ?`,
);

/** The columns of a row, by the names of its members. */
export const ROW_COLUMNS = Object.fromEntries(
  STORED_MEMBERS.map(({ name, column }) => [name, `t.${column}`]),
) as Record<keyof ValidRow, string>;

/** The columns of a transaction except its number and those that are never returned. */
export const TRANSACTION_COLUMNS: Readonly<Record<keyof TransactionColumns, string>> = {
  provider: 't.provider',
  ...ROW_COLUMNS,
  status: 't.status',
  allocatedMinor: 't.allocated_minor',
  reviewPreviousMinor: 't.review_previous_minor',
  reviewChangedAtMs: 't.review_changed_at',
  createdAtMs: 't.created_at',
  updatedAtMs: 't.updated_at',
};
const COLUMNS = listColumns<TransactionColumns>(TRANSACTION_COLUMNS);

/** A transaction as its columns are. */
export interface TransactionColumns extends Omit<TransactionRecord, 'id' | 'review'> {
  readonly reviewPreviousMinor: number | null;
  readonly reviewChangedAtMs: number | null;
}

const selectTransaction = statement<[OrgId, number], Found>(
  `select t.newest_first, t.id, ${COLUMNS.text} from transactions t
    where t.organisation_id = ? and t.id = ?`,
);

/** Converts the two review columns. */
export function toReview(previousMinor: number | null, changedAtMs: number | null): Review | null {
  return previousMinor === null || changedAtMs === null ? null : { previousMinor, changedAtMs };
}

function toTransaction(found: Found): TransactionRecord {
  const { reviewPreviousMinor, reviewChangedAtMs, ...shown } = COLUMNS.toObject(found);
  return { id: found[1], ...shown, review: toReview(reviewPreviousMinor, reviewChangedAtMs) };
}
