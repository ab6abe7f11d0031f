/** Reads transactions: one by its number, or a page of a filtered list. */

import type { OrgId } from '../core/ids.ts';
import { COUNTED, PAGE_ITEMS, STRETCH } from '../core/limits.ts';
import { readRecoded } from '../core/recoded.ts';
import { STORED_MEMBERS, type ValidRow } from '../core/row-members.ts';
import type { Provider, Recoded, Review, Status } from '../core/transactions.ts';
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
import { readKept, type StatusTotals, sumTotals, Tally, type Totals } from './totals.ts';
import {
  isSearched,
  type ListOrder,
  SHARES_OF,
  shareCondition,
  type TransactionFilters,
  walkOf,
} from './transaction-walks.ts';

/** A transaction, without its raw data and the details of its exclusion (Spec 2.4). */
export interface TransactionRecord extends Omit<ValidRow, 'externalId'> {
  readonly id: number;
  readonly provider: Provider;
  readonly externalId: string | null;
  readonly status: Status;
  readonly allocatedMinor: number;
  readonly review: Review | null;
  readonly recoded: Recoded | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** What to read of a list. */
export interface TransactionPage {
  readonly filters: TransactionFilters;
  readonly order: ListOrder;
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

/** Transactions by their numbers; without those that are missing. */
export function mapTransactions(
  { db, organisation }: Access,
  ids: readonly number[],
): ReadonlyMap<number, TransactionRecord> {
  const found = selectTransactions(db).raw().all(JSON.stringify(ids), organisation.id);
  return new Map(found.map(toTransaction).map((each) => [each.id, each]));
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
export interface TransactionTotals extends Totals {
  readonly byStatus: StatusTotals;
  /** Whether the work for a page ended first, so that all of these are only part of it. */
  readonly isCapped: boolean;
}

/**
 * Counts and adds up the matching transactions, with the allocations that match. Those of a whole
 * organisation are kept; others are read in steps of some milliseconds: all of them, or until
 * `most` work is done, in entries of an index.
 */
export function* countTransactions(
  access: Access,
  filters: TransactionFilters,
  most: number = COUNTED.work,
): Generator<undefined, TransactionTotals, undefined> {
  const { statuses, isAllocatable, ...others } = filters;
  const isKept = Object.values(others).every((value) => value === undefined);
  const { byStatus, isCapped } = isKept
    ? { byStatus: readKept(access, statuses), isCapped: false }
    : yield* countMatching(access, filters, most);
  const sum = sumTotals(byStatus);
  const count = isAllocatable ? sum.count - sum.zeroes : sum.count;
  return { ...sum, count, byStatus, isCapped };
}

function* countMatching(access: Access, filters: TransactionFilters, most: number) {
  const tally = new Tally();
  const share = shareCondition(narrowBranch(access, filters));
  const part = `ifnull((select sum(s.amount_minor) ${SHARES_OF} and ${share}), 0)`;
  const columns = `${SUMS}, sum(${share === undefined ? 't.allocated_minor' : part})`;
  const walk = { ...prepareWalk(access, filters, 'date'), columns };
  const limit = walk.search === undefined ? COUNTED.atOnce : COUNTED.searchedAtOnce;
  let after: Walk['after'];
  let work = 0;
  do {
    if (work > 0) yield;
    if (walk.search !== undefined) walk.search.units = 0;
    const { sums, next } = sumStretch<StatusSum>(access.db, { ...walk, after, limit }, 't.status');
    for (const [status, count, zeroes, outMinor, inMinor, allocatedMinor] of sums) {
      tally.addTotals(status, { count, zeroes, outMinor, inMinor, allocatedMinor });
    }
    work += limit + (walk.search?.units ?? 0) / STRETCH.searchedUnits;
    after = next;
  } while (after !== undefined && work < most);
  return { byStatus: tally.byStatus, isCapped: after !== undefined };
}

type StatusSum = readonly [Status, ...totals: [number, number, number, number, number]];

/** As in the view `counted_transactions`, without what is allocated. */
const SUMS =
  'count(*), sum(t.amount_minor = 0), sum(max(t.amount_minor, 0)), sum(min(t.amount_minor, 0))';

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

/** A part of these sums: of the next COUNTED.atOnce transactions, whether or not they match. */
export function sumAccountCodes(
  access: Access,
  { filters, after }: Pick<TransactionPage, 'filters' | 'after'>,
): { readonly sums: readonly CodeSum[]; readonly next: Position | undefined } {
  const days = 'min(t.newest_first), max(t.newest_first)';
  const columns = `count(*), sum(t.amount_minor), min(t.id_copy), ${days}`;
  const walk = prepareWalk(access, filters, 'date');
  const stretch = { ...walk, columns, after, limit: COUNTED.atOnce };
  return sumStretch<CodeSum>(access.db, stretch, 't.account_code, t.project_code');
}

function prepareWalk(
  access: Access,
  filters: TransactionFilters,
  order: ListOrder,
): Omit<Walk, 'columns' | 'after' | 'limit'> {
  const search = isSearched(filters) ? searchOf(access.db) : undefined;
  const isRecent = filters.updatedSinceMs !== undefined && hasChangedLittle(access, filters);
  const found = narrowBranch(access, filters);
  return { ...walkOf(access.organisation.id, found, order, isRecent), search };
}

/** A project without others below it is found by an index. */
function narrowBranch(access: Access, filters: TransactionFilters): TransactionFilters {
  const { branchId, ...rest } = filters;
  if (branchId === undefined || rest.projectId !== undefined) return filters;
  const hasBelow = selectBelow(access.db).get(access.organisation.id, branchId) !== undefined;
  return hasBelow ? filters : { ...rest, projectId: branchId };
}

const selectBelow = statement<[OrgId, number], unknown>(
  'select 1 from projects where organisation_id = ? and parent_project_id = ?',
);

/** Whether so little has changed that sorting all of it is as fast as reading a page. */
function hasChangedLittle({ db, organisation }: Access, filters: TransactionFilters): boolean {
  const { updatedSinceMs = 0 } = filters;
  const little = isSearched(filters) ? STRETCH.searchedRecords : PAGE_ITEMS;
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
  recodedText: 't.recoded',
  createdAtMs: 't.created_at',
  updatedAtMs: 't.updated_at',
};
const COLUMNS = listColumns<TransactionColumns>(TRANSACTION_COLUMNS);

/** A transaction as its columns are. */
export interface TransactionColumns extends Omit<TransactionRecord, 'id' | 'review' | 'recoded'> {
  readonly reviewPreviousMinor: number | null;
  readonly reviewChangedAtMs: number | null;
  readonly recodedText: string | null;
}

const selectTransaction = statement<[OrgId, number], Found>(
  `select t.newest_first, t.id, ${COLUMNS.text} from transactions t
    where t.organisation_id = ? and t.id = ?`,
);

const selectTransactions = statement<[ids: string, OrgId], Found>(
  `select t.newest_first, t.id, ${COLUMNS.text} from json_each(?) j
    cross join transactions t not indexed on t.organisation_id = ? and t.id = j.value`,
);

/** Converts the two review columns. */
export function toReview(previousMinor: number | null, changedAtMs: number | null): Review | null {
  return previousMinor === null || changedAtMs === null ? null : { previousMinor, changedAtMs };
}

function toTransaction(found: Found): TransactionRecord {
  const { reviewPreviousMinor, reviewChangedAtMs, recodedText, ...shown } = COLUMNS.toObject(found);
  const review = toReview(reviewPreviousMinor, reviewChangedAtMs);
  return { id: found[1], ...shown, review, recoded: readRecoded(recodedText) };
}
