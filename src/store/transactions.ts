/** Reads transactions: one by its number, or a page of a filtered list. */

import type { OrgId } from '../core/ids.ts';
import { PAGE_ITEMS, SEARCHED_RECORDS, SEARCHED_UNITS } from '../core/limits.ts';
import { foldCase } from '../core/text.ts';
import type { Provider, Review, Status, TransactionOrder } from '../core/transactions.ts';
import type { Db } from './database.ts';
import { type Found, listPage, type Page, type Position } from './pages.ts';
import { statement } from './statements.ts';
import { type TransactionFilters, walkOf } from './transaction-walks.ts';

/** A transaction, without its raw data and the details of its exclusion (Spec 2.4). */
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

/** A page of matching transactions, in the requested order (contract 4). */
export function listTransactions(
  db: Db,
  orgId: OrgId,
  page: TransactionPage,
): Page<TransactionRecord> {
  const { filters, order, after, limit } = page;
  const isSpent = filters.search === undefined ? undefined : startSearch(db);
  const isRecent = filters.updatedSinceMs !== undefined && hasChangedLittle(db, orgId, filters);
  const walk = walkOf(orgId, filters, order, isRecent);
  return listPage(db, { ...walk, columns: COLUMNS, after, limit, isSpent }, toTransaction);
}

/** Whether so little has changed that sorting all of it is as fast as reading a page. */
function hasChangedLittle(
  db: Db,
  orgId: OrgId,
  { updatedSinceMs = 0, search }: TransactionFilters,
): boolean {
  const little = search === undefined ? PAGE_ITEMS : SEARCHED_RECORDS;
  return selectManyChanges(db).get(orgId, updatedSinceMs, little) === undefined;
}

const selectManyChanges = statement<[OrgId, number, number]>(
  `select 1 from transactions indexed by transactions_by_update
    where organisation_id = ? and updated_at >= ? limit 1 offset ?`,
);

/** The columns of a transaction except its number and those that are never returned. */
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

/** Converts the two review columns. */
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

/** How much text each database has compared for the current page. */
const searches = new WeakMap<Db, { units: number }>();

/** Defines `contains_folded`, resets its count and returns a check of the limit for a page. */
function startSearch(db: Db): () => boolean {
  const search = searches.get(db) ?? registerSearch(db);
  search.units = 0;
  return () => search.units >= SEARCHED_UNITS;
}

function registerSearch(db: Db): { units: number } {
  const search = { units: 0 };
  const contains = (part: unknown, text: unknown) => {
    if (typeof text !== 'string') return false;
    search.units += text.length;
    return foldCase(text).includes(String(part));
  };
  db.function('contains_folded', { deterministic: true, varargs: true }, (part, ...texts) =>
    texts.some((text) => contains(part, text)) ? 1 : 0,
  );
  searches.set(db, search);
  return search;
}
