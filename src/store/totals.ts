/**
 * What transactions add up to: those of a filter, those of each status, and what of those of each
 * day is not allocated, by project code. The last two are kept: each write of transactions brings
 * them up to date, so that neither a page nor a report has to add them up (decision 0004).
 */

import type { OrgId } from '../core/ids.ts';
import { COUNTED, PAGE_ITEMS_DEFAULT, STRETCH } from '../core/limits.ts';
import { STATUSES, type Status } from '../core/transactions.ts';
import { listAssembled, type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { sumStretch, type Walk } from './pages.ts';
import { allocatedColumn, prepareWalk, type TransactionFilters } from './transaction-walks.ts';
import type { TransactionRecord } from './transactions.ts';

/** What some transactions add up to. */
export interface Totals {
  readonly count: number;
  /** How many of them are of amount 0, of which nothing can be allocated. */
  readonly zeroes: number;
  readonly outMinor: number;
  /** What came in; not above 0. */
  readonly inMinor: number;
  readonly allocatedMinor: number;
}

type StatusTotals = Readonly<Record<Status, Totals>>;

/** What the kept totals need of a transaction. */
type KeptTransaction = Pick<
  TransactionRecord,
  'date' | 'projectCode' | 'status' | 'amountMinor' | 'allocatedMinor'
>;

const NOTHING: Totals = { count: 0, zeroes: 0, outMinor: 0, inMinor: 0, allocatedMinor: 0 };

/** Totals by status to which transactions, or other totals, are added. */
class Tally {
  readonly byStatus = Object.fromEntries(
    STATUSES.map((status) => [status, { ...NOTHING }]),
  ) as Record<Status, { -readonly [Name in keyof Totals]: number }>;

  /** Adds a transaction, or takes one away with -1. */
  add({ status, amountMinor, allocatedMinor }: KeptTransaction, times: 1 | -1): void {
    const totals = this.byStatus[status];
    totals.count += times;
    if (amountMinor === 0) totals.zeroes += times;
    else totals[amountMinor < 0 ? 'inMinor' : 'outMinor'] += times * amountMinor;
    totals.allocatedMinor += times * allocatedMinor;
  }

  /** Adds what was added up before. */
  addTotals(status: Status, more: Totals): void {
    const totals = this.byStatus[status];
    for (const name of NAMES) totals[name] += more[name];
  }

  /** Adds all of it to what is kept. The caller provides the atomic step. */
  keep({ db, organisation }: Access): void {
    for (const [status, totals] of Object.entries(this.byStatus)) {
      const values = NAMES.map((name) => totals[name]);
      if (values.some((value) => value !== 0)) addKept(db).run(organisation.id, status, ...values);
    }
  }
}

const NAMES = Object.keys(NOTHING) as readonly (keyof Totals)[];

/** What all the transactions of the organisation add up to, in the statuses or in all. */
function readKept({ db, organisation }: Access, statuses: readonly Status[] = STATUSES) {
  const tally = new Tally();
  for (const { status, ...totals } of selectKept(db).all(organisation.id)) {
    if (statuses.includes(status)) tally.addTotals(status, totals);
  }
  return tally.byStatus;
}

export function sumTotals(byStatus: StatusTotals, statuses: readonly Status[] = STATUSES): Totals {
  const sum = { ...NOTHING };
  for (const status of statuses) {
    for (const name of NAMES) sum[name] += byStatus[status][name];
  }
  return sum;
}

/** What the transactions of a filter add up to. */
export interface TransactionTotals extends Totals {
  readonly byStatus: StatusTotals;
  /** Whether the work for a page ended first, so that all of these are only part of it. */
  readonly isCapped: boolean;
  /** The numbers of all of them where a search has found at most PAGE_ITEMS_DEFAULT. */
  readonly found?: readonly number[];
}

/**
 * Counts and adds up the matching transactions, with the allocations that match. Those of a whole
 * organisation are kept; others are read in steps of some milliseconds: all of them, or until
 * `most` work is done, in entries of an index.
 */
export function* addUpTransactions(
  access: Access,
  filters: TransactionFilters,
  most: number = COUNTED.work,
): Generator<undefined, TransactionTotals, undefined> {
  const { statuses, isAllocatable, ...others } = filters;
  const isKept = Object.values(others).every((value) => value === undefined);
  const counted = isKept
    ? { byStatus: readKept(access, statuses), isCapped: false }
    : yield* countMatching(access, filters, most);
  const sum = sumTotals(counted.byStatus);
  const count = isAllocatable ? sum.count - sum.zeroes : sum.count;
  return { ...sum, count, ...counted };
}

function* countMatching(access: Access, filters: TransactionFilters, most: number) {
  const columns = `${SUMS}, sum(${allocatedColumn(access, filters)})`;
  const walk = { ...prepareWalk(access, filters, 'date'), columns };
  const tally = new Tally();
  if (walk.isWhole) {
    const mostStored = Math.max(most, COUNTED.searched);
    const { count, lastId, isMost } = measureTable(access);
    const isStored = isMost && lastId <= mostStored;
    if (isStored) return yield* countStored(access, walk, { lastId, most: mostStored });
    // It would not come to its end.
    if (count > most) return { byStatus: tally.byStatus, isCapped: true };
  }
  const entryWork = walk.isCovered ? 1 : STRETCH.recordWork;
  const atOnce = Math.ceil(COUNTED.atOnce / entryWork);
  const limit = walk.search === undefined ? atOnce : COUNTED.searchedAtOnce;
  let after: Walk['after'];
  let work = 0;
  do {
    if (work > 0) yield;
    if (walk.search !== undefined) walk.search.units = 0;
    const { sums, next } = sumStretch<StatusSum>(access.db, { ...walk, after, limit }, 't.status');
    for (const [status, count, zeroes, outMinor, inMinor, allocatedMinor] of sums) {
      tally.addTotals(status, { count, zeroes, outMinor, inMinor, allocatedMinor });
    }
    work += limit * entryWork + (walk.search?.units ?? 0) / STRETCH.searchedUnits;
    after = next;
  } while (after !== undefined && work < most);
  return { byStatus: tally.byStatus, isCapped: after !== undefined };
}

/** The last number of the table, and how much of it an organisation has: at least half is most. */
function measureTable(access: Access) {
  const lastId = selectLastId(access.db).pluck().get() ?? 0;
  const { count } = sumTotals(readKept(access));
  return { count, lastId, isMost: lastId <= 2 * count };
}

/**
 * Whether reading all that a filter asks for takes a third of the time if the table is read as it
 * is stored, instead of finding each record by an index: the organisation has most of it. A table
 * with a number above `mostId` is too large for that.
 */
export function isBestAsStored(
  access: Access,
  filters: TransactionFilters,
  mostId = Infinity,
): boolean {
  if (!prepareWalk(access, filters, 'date').isWhole) return false;
  const { isMost, lastId } = measureTable(access);
  return isMost && lastId <= mostId;
}

/**
 * The last number of the table, if so many of its transactions are unallocated that allocating them
 * takes less time in the order in which they are stored: several of them are on each page.
 */
export function lastIdOfMany(access: Access): number | undefined {
  const lastId = selectLastId(access.db).pluck().get() ?? 0;
  const { count, zeroes } = readKept(access).unallocated;
  return lastId < FEW * (count - zeroes) ? lastId : undefined;
}

/** If only one in ten waits, reading the others takes about as long as this saves. */
const FEW = 10;

/** Counts by reading the table as it is stored: see {@link isBestAsStored}. */
function* countStored(
  access: Access,
  walk: Omit<Walk, 'after' | 'limit'>,
  { lastId, most }: { readonly lastId: number; readonly most: number },
) {
  const tally = new Tally();
  const { columns, narrow, values, search } = walk;
  const found: number[] = [];
  let isCapped = false;
  let textWork = 0;
  const text =
    `select t.status, ${columns}, json_group_array(t.id) from transactions t not indexed ` +
    `where t.id > @after and t.id <= @end and ${[...walk.range, ...narrow].join(' and ')} ` +
    'group by t.status';
  for (let after = 0; after < lastId && !isCapped; after += COUNTED.storedAtOnce) {
    if (after > 0) yield;
    if (search !== undefined) search.units = 0;
    const bounds = { after, end: after + COUNTED.storedAtOnce };
    const sums = listAssembled<[...StatusSum, string]>(access.db, text, { ...values, ...bounds });
    for (const [status, count, zeroes, outMinor, inMinor, allocatedMinor, ids] of sums) {
      tally.addTotals(status, { count, zeroes, outMinor, inMinor, allocatedMinor });
      if (found.length <= PAGE_ITEMS_DEFAULT) found.push(...JSON.parse(ids));
    }
    textWork += (search?.units ?? 0) / STRETCH.searchedUnits;
    isCapped = after + textWork > most;
  }
  const isFew = !isCapped && found.length <= PAGE_ITEMS_DEFAULT;
  return { byStatus: tally.byStatus, isCapped, ...(isFew && { found }) };
}

const selectLastId = statement<[], number | null>`select max(id) from transactions`;

type StatusSum = readonly [Status, ...totals: [number, number, number, number, number]];

/** The sums of the view `counted_transactions`, without what is allocated. */
const SUMS =
  'count(*), sum(t.amount_minor = 0), sum(max(t.amount_minor, 0)), sum(min(t.amount_minor, 0))';

const addKept = statement<[OrgId, status: string, ...totals: number[]]>`
  insert into transaction_totals
     (organisation_id, status, transactions, zeroes, out_minor, in_minor, allocated_minor)
   values (?, ?, ?, ?, ?, ?, ?)
   on conflict do update
     set transactions = transactions + excluded.transactions,
         zeroes = zeroes + excluded.zeroes,
         out_minor = out_minor + excluded.out_minor,
         in_minor = in_minor + excluded.in_minor,
         allocated_minor = allocated_minor + excluded.allocated_minor`;
const selectKept = statement<[OrgId], Totals & { readonly status: Status }>`
  select status, transactions as count, zeroes, out_minor as outMinor, in_minor as inMinor,
          allocated_minor as allocatedMinor
     from transaction_totals where organisation_id = ?`;

/** Of how many transactions something is not allocated, and how much; both amounts positive. */
export type Unallocated = Pick<Totals, 'count' | 'outMinor' | 'inMinor'>;

/** Which of them to add up. */
interface UnallocatedFilter {
  readonly from: string;
  readonly to: string;
  /** Leaves out those whose project code other projects have, and this list has not. */
  readonly codes: readonly string[];
}

/** What is not allocated of the transactions of some days, apart from that of other projects. */
export function sumUnallocated({ db, organisation }: Access, filter: UnallocatedFilter) {
  const { codes, ...days } = filter;
  const values = { ...days, orgId: organisation.id, codes: JSON.stringify(codes) };
  return selectSum(db).get(values) ?? { count: 0, outMinor: 0, inMinor: 0 };
}

const selectSum = statement<[SqlRecord], Unallocated>`
  select coalesce(sum(transactions), 0) as count, coalesce(sum(out_minor), 0) as outMinor,
          coalesce(sum(in_minor), 0) as inMinor
     from unallocated
    where organisation_id = @orgId and date between @from and @to
      and project_code not in (
          select value from projects join json_each(codes) where organisation_id = @orgId
          except select value from json_each(@codes))`;

/** What is not allocated of the transactions of a day with one project code. */
type DaySums = { -readonly [Name in keyof Unallocated]: number } & {
  readonly date: string;
  /** The empty text for none. */
  readonly projectCode: string;
};

/** What one write changes in the totals that are kept, by status and by day. */
export class KeptChange {
  readonly #byStatus = new Tally();
  /** By the day and the code, each changed in place: a new one for each row took time. */
  readonly #byDay = new Map<string, DaySums>();

  /** Adds a transaction as it is after the write, or takes it away, as it was before, with -1. */
  add(transaction: KeptTransaction, times: 1 | -1): void {
    this.#byStatus.add(transaction, times);
    const { date, projectCode, status, amountMinor, allocatedMinor } = transaction;
    const isOpen = status === 'unallocated' || status === 'partially_allocated';
    if (!isOpen || amountMinor === 0) return;
    const key = projectCode === null ? date : date + projectCode;
    const known = this.#byDay.get(key);
    const sums = known ?? {
      date,
      projectCode: projectCode ?? '',
      count: 0,
      outMinor: 0,
      inMinor: 0,
    };
    if (known === undefined) this.#byDay.set(key, sums);
    const rest = times * (amountMinor - allocatedMinor);
    sums.count += times;
    if (amountMinor > 0) sums.outMinor += rest;
    else sums.inMinor -= rest;
  }

  /** Writes all of it. The caller provides the atomic step. */
  write(access: Access): void {
    this.#byStatus.keep(access);
    const add = addSums(access.db);
    for (const { date, projectCode, count, outMinor, inMinor } of this.#byDay.values()) {
      if (count === 0 && outMinor === 0 && inMinor === 0) continue;
      add.run(access.organisation.id, date, projectCode, count, outMinor, inMinor);
    }
  }
}

const addSums = statement<
  [OrgId, date: string, projectCode: string, count: number, outMinor: number, inMinor: number]
>`insert into unallocated values (?, ?, ?, ?, ?, ?)
   on conflict do update set transactions = transactions + excluded.transactions,
                             out_minor = out_minor + excluded.out_minor,
                             in_minor = in_minor + excluded.in_minor`;
