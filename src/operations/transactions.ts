/** Transactions: the list, one transaction, and storing a batch of rows (Spec 4.5, 4.6). */

import { newestFirst } from '../core/calendar.ts';
import { AMOUNT_MINOR, SORTED, STRETCH } from '../core/limits.ts';
import { toMajor } from '../core/money.ts';
import { readRawData } from '../core/raw-data.ts';
import { STORED_MEMBERS } from '../core/row-members.ts';
import type { Status } from '../core/transactions.ts';
import type { Access } from '../store/access.ts';
import type { Page, Position } from '../store/pages.ts';
import * as push from '../store/push.ts';
import * as totals from '../store/totals.ts';
import { type ListOrder, sortKeyOf, type TransactionFilters } from '../store/transaction-walks.ts';
import * as store from '../store/transactions.ts';
import { missing, numberOf } from './access.ts';
import { AutomaticRuns } from './automatic.ts';
import { renamed } from './input.ts';
import {
  type BoundList,
  type Listing,
  type PageRequest,
  readPage,
  readStretches,
} from './pages.ts';
import { nextTurn, type Steps, takeTurns } from './turns.ts';

/** Stores a batch of rows, after which the rules run if they are automatic. */
export function pushTransactions(...[access, batch, actor]: Parameters<typeof push.storeBatch>) {
  const outcome = push.storeBatch(access, batch, actor);
  if (!batch.dryRun) AutomaticRuns.note(access);
  return outcome;
}

/** Some transactions. An absent filter matches all, an unknown identifier nothing. */
export interface TransactionChoice
  extends Omit<TransactionFilters, 'ids' | 'projectId' | 'branchId' | 'budgetLineId'> {
  readonly ids?: readonly string[] | undefined;
  readonly projectId?: string | undefined;
  /** Transactions with an allocation to this project or one below it. */
  readonly branchId?: string | undefined;
  /** Transactions with an allocation to this line; quicker with its project as well. */
  readonly budgetLineId?: string | undefined;
}

/** What is left to allocate, in whole or in part. A transaction of amount 0 waits for nobody. */
export const TO_ALLOCATE = {
  statuses: ['unallocated', 'partially_allocated'],
  isAllocatable: true,
} as const satisfies TransactionChoice;

export interface TransactionFilter extends TransactionChoice, PageRequest {
  /** `date`, newest first, by default. */
  readonly order?: ListOrder | undefined;
  /** The order of {@link sortByAmount} instead, where there is one. */
  readonly byAmount?: AmountOrder | undefined;
}

/** By amount, without its sign; of the same amount the newest first. */
type AmountOrder = 'largest' | 'smallest';

/**
 * A page of the organisation's transactions, found in steps of some milliseconds, and at most so
 * many stretches. Refuses with `invalid_cursor`.
 */
export function listTransactions(
  access: Access,
  filter: TransactionFilter = {},
  stretches?: number,
): Steps<Listing<store.TransactionRecord>> {
  const { order = 'date' } = filter;
  const filters = toNumbers(filter);
  const list = boundTransactions(filters, order);
  const read = (request: PageRequest, work: number) =>
    readPage(access, list, request, (page) =>
      store.pageOfTransactions(access, { filters, order, work, ...page }),
    );
  return readStretches(filter, read, stretches);
}

/** The externalIds of those that count for something, page by page. */
export async function* listExternalIds(
  access: Access,
  filter: TransactionChoice,
): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page: TransactionFilter = { ...filter, isAllocatable: true, cursor };
    const found = await takeTurns(listTransactions(access, page), () => {});
    for (const { externalId, status } of found.items) {
      if (externalId !== null && status !== 'excluded') yield externalId;
    }
    cursor = found.nextCursor ?? undefined;
    await nextTurn();
  } while (cursor !== undefined);
}

/**
 * The row that pushing or importing again makes this transaction of, as JSON: the last accepted one
 * if it is still known. Undefined if the transaction did not come in as a row.
 */
export function rowAgain(
  transaction: store.TransactionRecord & { readonly rawData: string | null },
  { organisation }: Pick<Access, 'organisation'>,
): string | undefined {
  const { externalId, rawData } = transaction;
  if (externalId === null) return undefined;
  const { places } = organisation.currency;
  const known = rawData && readRawData(rawData, { ...transaction, externalId }, places);
  if (known) return known;
  const members = STORED_MEMBERS.map(({ field, name }) => [
    field,
    field === 'amount' ? toMajor(transaction.amountMinor, places) : transaction[name],
  ]);
  return JSON.stringify(Object.fromEntries(members));
}

/** Which of the sorted ones: so many after the first ones, or after one, or before it. */
interface Ranks {
  readonly skip?: number;
  readonly limit: number;
  readonly beside?: { readonly record: store.RuledRecord; readonly isBefore: boolean };
}

/**
 * Finds some of those that match in their order by amount, or backwards from one of them, and
 * returns their numbers; undefined if they are too many to sort: see SORTED.
 */
export function* sortByAmount(
  access: Access,
  { byAmount, ...filter }: TransactionFilter & { readonly byAmount: AmountOrder },
  { skip = 0, limit, beside }: Ranks,
): Steps<readonly number[] | undefined> {
  const filters = toNumbers(filter);
  const isAsStored = totals.isBestAsStored(access, { ...filters, sizes: [0, 0] }, SORTED.stored);
  const isDown = (byAmount === 'largest') !== (beside?.isBefore ?? false);
  const compare = compareBy(byAmount, beside?.isBefore);
  const sizeOf = (record: store.RuledRecord | undefined) => record && Math.abs(record.amountMinor);
  const first = sizeOf(beside?.record);
  const found: store.RuledRecord[] = [];
  let read = 0;
  let after: Position | undefined;
  do {
    // What is smaller, or larger, than all that were found is not read.
    const last = sizeOf(found[skip + limit - 1]);
    const [least = 0, most = AMOUNT_MINOR] = isDown ? [last, first] : [first, last];
    const sizes = isAsStored ? ([least, most] as const) : undefined;
    const page = { filters: { ...filters, sizes }, isAsStored, limit: SORTED_AT_ONCE, after };
    const { items, next } = store.listRuled(access, { ...page, order: 'date' });
    read += items.length;
    if (!isAsStored && read > SORTED.read) return undefined;
    found.push(...items.filter((each) => !beside || compare(each, beside.record) > 0));
    found.sort(compare).splice(skip + limit);
    after = next;
    yield;
  } while (after !== undefined);
  return found.slice(skip).map(({ id }) => id);
}

/** Transactions that are read in one step. */
const SORTED_AT_ONCE = 500;

function compareBy(byAmount: AmountOrder, isBackwards = false) {
  const sign = byAmount === 'largest' ? -1 : 1;
  const way = isBackwards ? -1 : 1;
  return (one: store.RuledRecord, other: store.RuledRecord) =>
    way *
    (sign * (Math.abs(one.amountMinor) - Math.abs(other.amountMinor)) ||
      newestFirst(one.date) - newestFirst(other.date) ||
      one.id - other.id);
}

/**
 * The number of the transaction after another in a list, or before it; undefined if it is the last,
 * or the first. The other one need not be in the list itself, as after a change.
 */
export function* findBeside(
  access: Access,
  filter: TransactionFilter,
  record: store.TransactionRecord,
  isBefore = false,
): Steps<number | undefined> {
  const { order = 'date', byAmount } = filter;
  if (byAmount !== undefined) {
    const ranks = { limit: 1, beside: { record, isBefore } };
    const sorted = yield* sortByAmount(access, { ...filter, byAmount }, ranks);
    if (sorted !== undefined) return sorted[0];
  }
  const { id, ...other } = record;
  const by = sortKeyOf(order);
  const filters = toNumbers(filter);
  const isReversed = order.startsWith('-') !== isBefore;
  const way = isReversed ? (`-${by}` as const) : by;
  const sort = by === 'date' ? newestFirst(other.date) : other.updatedAtMs;
  let after: Position | undefined = { sort, id };
  for (;;) {
    const page = { filters, order: way, after, limit: 1, work: STRETCH.work };
    const { items, next }: Page<store.TransactionRecord> = store.pageOfTransactions(access, page);
    if (items.length > 0 || next === undefined) return items[0]?.id;
    after = next;
    yield;
  }
}

export function toNumbers(filter: TransactionFilter): TransactionFilters {
  const filters: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined || NO_FILTERS.has(name)) continue;
    filters[name] = READERS[name]?.(value as never) ?? value;
  }
  return filters;
}

const NO_FILTERS: ReadonlySet<string> = new Set(['order', 'byAmount', 'limit', 'cursor']);

/** Lists without what they repeat, or records would be read twice and end a page early. */
const READERS: Readonly<Record<string, (value: never) => unknown>> = {
  ids: (ids: readonly string[]) => [...new Set(ids.map((id) => numberOf('txn', id)))].sort(),
  statuses: (statuses: readonly Status[]) => [...new Set(statuses)].sort(),
  projectId: (id: string) => numberOf('prj', id),
  branchId: (id: string) => numberOf('prj', id),
  budgetLineId: (id: string) => numberOf('bln', id),
} satisfies Partial<Record<keyof TransactionChoice, unknown>>;

/**
 * The list, as its cursors know it: by the names of the interface (contract 4), because a cursor
 * must outlive an update of the service.
 */
export function boundTransactions(filters: TransactionFilters, order: ListOrder): BoundList {
  const bound: Record<string, unknown> = renamed(filters, PARAMETER_NAMES);
  bound['order'] = order;
  return { name: 'transactions', sortKey: sortKeyOf(order), filters: bound };
}

const PARAMETER_NAMES = {
  ids: 'id',
  statuses: 'status',
  isRecoded: 'recoded',
  updatedSinceMs: 'updatedSince',
  search: 'q',
} as const satisfies Partial<Record<keyof TransactionFilters, string>>;

/**
 * What the transactions of a filter add up to, in steps of some milliseconds: with `most` work, in
 * entries of an index, or as much as a page may take. If there are more, `isCapped` is true and all
 * numbers are of a part.
 */
export function countTransactions(
  access: Access,
  choice: TransactionChoice = {},
  most?: number,
): Steps<totals.TransactionTotals> {
  return totals.addUpTransactions(access, toNumbers(choice), most);
}

/** One transaction. Refuses with `not_found`. */
export function getTransaction(access: Access, id: string): store.TransactionRecord {
  const record = store.findTransaction(access, numberOf('txn', id));
  if (record === undefined) throw missing('transaction', id);
  return record;
}
