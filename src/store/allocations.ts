/** Lists allocations, of a project or of a transaction (contract 4). */

import { newestFirst } from '../core/calendar.ts';
import { listAssembled, namedColumns } from '../database/statements.ts';
import type { Access } from './access.ts';
import { listColumns, listPage, type Page, type Position, type Walk } from './pages.ts';
import { shareCondition, type TransactionFilters, walkValues } from './transaction-walks.ts';
import type { TransactionRecord } from './transactions.ts';

/** An allocation, with the fields of its line and transaction that are shown with it. */
export interface AllocationRecord
  extends Pick<TransactionRecord, 'provider' | 'externalId' | 'date' | 'description' | 'contact'> {
  readonly id: number;
  readonly projectId: number;
  readonly budgetLineId: number;
  readonly lineCode: string | null;
  readonly lineName: string;
  readonly transactionId: number;
  readonly amountMinor: number;
  readonly note: string | null;
  /** The name of the rule that made it; null: a person did. */
  readonly rule: string | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

/** The allocations of a project (contract 4), or those of a transaction in every project. */
type AllocationOwner =
  | { readonly projectId: number; readonly transactionId?: number | undefined }
  | { readonly projectId?: undefined; readonly transactionId: number };

/** Which page of allocations to list. An absent filter matches all. */
type AllocationPage = AllocationOwner & {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly budgetLineId?: number | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
};

/** A page of allocations, by transaction date, newest first, then by id. */
export function pageOfAllocations(
  { db, organisation }: Access,
  page: AllocationPage,
): Page<AllocationRecord> {
  const { from, to, after, limit, ...owner } = page;
  const days = { from: from && newestFirst(from), to: to && newestFirst(to) };
  const given = OWNERS.filter(([name]) => owner[name] !== undefined);
  const [, , index = ''] = given.at(-1) ?? [];
  const walk: Walk = {
    columns: COLUMNS.text,
    from: `allocations a indexed by ${index} ${JOINS}`,
    key: { sort: 'a.newest_first', id: 'a.id' },
    range: ['a.organisation_id = @orgId', ...given.map(([name, is]) => `${is} = @${name}`)],
    begin: to === undefined ? undefined : 'a.newest_first >= @to',
    end: from === undefined ? undefined : 'a.newest_first <= @from',
    narrow: [],
    values: { ...owner, ...days, orgId: organisation.id },
    after,
    limit,
  };
  return listPage(db, walk, COLUMNS.toItem);
}

/** What a list can be of, with the index that finds it: the last one that is given. */
const OWNERS = [
  ['projectId', 'a.project_id', 'allocations_by_project'],
  ['budgetLineId', 'a.budget_line_id', 'allocations_by_line'],
  ['transactionId', 'a.transaction_id', 'allocations_by_transaction'],
] as const;

const COLUMNS = listColumns<Omit<AllocationRecord, 'id'>>({
  projectId: 'a.project_id',
  budgetLineId: 'a.budget_line_id',
  lineCode: 'l.code',
  lineName: 'l.name',
  transactionId: 'a.transaction_id',
  provider: 't.provider',
  externalId: 't.external_id',
  date: 'a.date',
  description: 't.description',
  contact: 't.contact',
  amountMinor: 'a.amount_minor',
  note: 'a.note',
  rule: 'a.rule',
  createdAtMs: 'a.created_at',
  updatedAtMs: 'a.updated_at',
});
const JOINS = `cross join transactions t on t.id = a.transaction_id
  cross join budget_lines l on l.id = a.budget_line_id`;

/** What of a transaction is on a line. */
export interface LineShare {
  readonly transactionId: number;
  readonly budgetLineId: number;
  readonly code: string | null;
  readonly name: string;
  readonly amountMinor: number;
  /** Whether the filters match this allocation; not if none is of allocations. */
  readonly isMatch: boolean;
}

/** The shares of the lines of some transactions, each in the order in which it was made. */
export function listLineShares(
  { db, organisation }: Access,
  transactionIds: readonly number[],
  filters: TransactionFilters,
): LineShare[] {
  const text = `select ${shareCondition(filters) ?? '0'}, ${LINE_SHARE.text}
     from json_each(@transactionIds) j
    cross join allocations s indexed by allocations_by_transaction
       on s.organisation_id = @orgId and s.transaction_id = j.value
    cross join budget_lines l on l.id = s.budget_line_id
    order by s.id`;
  const ids = JSON.stringify(transactionIds);
  const values = { ...walkValues(organisation.id, filters), transactionIds: ids };
  const found = listAssembled<readonly unknown[]>(db, text, values);
  return found.map((each) => ({ ...LINE_SHARE.toObject(each), isMatch: each[0] === 1 }));
}

const LINE_SHARE = namedColumns<Omit<LineShare, 'isMatch'>>(
  {
    transactionId: 's.transaction_id',
    budgetLineId: 's.budget_line_id',
    code: 'l.code',
    name: 'l.name',
    amountMinor: 's.amount_minor',
  },
  1,
);
