/**
 * What statements counted (contract 14): the items of one that is made now, those that are stored,
 * what is counted otherwise since, and what was reported of a line or a transaction.
 */

import { newestFirst } from '../core/calendar.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { LineKind } from '../core/projects.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { lastWriteMs } from './audit.ts';
import type { Position } from './pages.ts';
import {
  type CountedDays,
  FOUND_AT_ONCE,
  findTransactions,
  ITEMS_AT_ONCE,
  type ItemScope,
} from './statement-walks.ts';
import type { TransactionRecord } from './transactions.ts';

function scopeValues({ organisation }: Access, { projects, earlier, startDate }: ItemScope) {
  const lists = { projects: JSON.stringify(projects), earlier: JSON.stringify(earlier) };
  return { ...lists, orgId: organisation.id, first: startDate ?? '~' };
}

/** What is counted now of the transactions `@ids` and of each line. */
const COUNTED = `select a.transaction_id, a.budget_line_id, a.date, a.amount_minor as minor
     from (select distinct value from json_each(@ids)) j
    cross join allocations a indexed by allocations_by_transaction
       on a.organisation_id = @orgId and a.transaction_id = j.value
    cross join days on days.id = a.project_id and a.date between days.first and days.last`;
/** What earlier statements reported of them. */
const REPORTED = `select i.transaction_id, i.budget_line_id, i.amount_minor as minor
     from (select distinct value from json_each(@ids)) j
    cross join statement_items i indexed by statement_items_by_transaction
       on i.transaction_id = j.value
    where i.statement_id in (select value from json_each(@earlier))`;
/** The days that count. */
const DAYS = `with days as materialized (
     select value ->> 'id' as id, value ->> 'from' as first, value ->> 'to' as last
       from json_each(@projects))`;

/** The items of a statement that is made now: of the period, and what has changed before it. */
const NEW_ITEMS = `select transaction_id, budget_line_id, is_change, sum(minor) as amount_minor
     from (select transaction_id, budget_line_id, date < @first as is_change, minor
             from (${COUNTED})
           union all
           select transaction_id, budget_line_id, 1, -minor from (${REPORTED}))
    group by transaction_id, budget_line_id, is_change having sum(minor) <> 0`;

interface StagedItem {
  readonly budgetLineId: number;
  readonly isChange: 0 | 1;
  readonly amountMinor: number;
}

/** Stores the items of some transactions for a statement, and returns what that changes. */
export function replaceItems(
  access: Access,
  statementId: number,
  { scope, ids }: { readonly scope: ItemScope; readonly ids: readonly number[] },
): StagedItem[] {
  const values = { ...scopeValues(access, scope), id: statementId, ids: JSON.stringify(ids) };
  const removed = deleteItems(access.db).all(values);
  const added = insertItems(access.db).all(values);
  return [...removed.map((item) => ({ ...item, amountMinor: -item.amountMinor })), ...added];
}

const ITEM = 'budget_line_id as budgetLineId, is_change as isChange, amount_minor as amountMinor';

const deleteItems = statement<[SqlRecord], StagedItem>`delete from statement_items
    where statement_id = @id and transaction_id in (select value from json_each(@ids))
   returning ${ITEM}`;
const insertItems = statement<[SqlRecord], StagedItem>`${DAYS}
   insert into statement_items
     (statement_id, transaction_id, budget_line_id, is_change, amount_minor)
   select @id, * from (${NEW_ITEMS})
   returning ${ITEM}`;

/** The next transactions in the order of their changes, after a stamp and a number. */
export function listTouched({ db, organisation }: Access, after: Position, limit: number) {
  return selectTouched(db).all({ ...after, orgId: organisation.id, limit });
}

const selectTouched = statement<[SqlRecord], Position>`
  select updated_at as sort, id from transactions indexed by transactions_by_update
    where organisation_id = @orgId and (updated_at, id) > (@sort, @id)
    order by updated_at, id limit @limit`;

/** A transaction and line of which something else is counted now than was reported. */
interface ChangedItem
  extends Pick<ItemRecord, 'transactionId' | 'budgetLineId' | 'date' | 'description'> {
  readonly kind: LineKind;
  readonly reportedMinor: number;
  readonly nowMinor: number;
}

/** Transactions that are compared in one step: 1 to 5 ms. */
const COMPARED_AT_ONCE = 1_000;

/**
 * What is counted now up to the end of a statement, where it is not what statements up to it have
 * reported, newest first, in short steps: of the moment of the last step. Looks only at
 * what was changed after `sinceMs`, if that is given.
 */
export function* findChanged(
  access: Access,
  scope: ItemScope,
  sinceMs: number | undefined,
): Generator<undefined, ChangedItem[], undefined> {
  const values = scopeValues(access, scope);
  const found = new Map<number, ChangedItem[]>();
  const compare = (ids: readonly number[]) => {
    for (const id of ids) found.delete(id);
    for (const item of selectChanged(access.db).all({ ...values, ids: JSON.stringify(ids) })) {
      const { transactionId } = item;
      found.set(transactionId, [...(found.get(transactionId) ?? []), item]);
    }
  };
  const sort = sinceMs ?? lastWriteMs(access) ?? 0;
  let after: Position = { sort, id: Number.MAX_SAFE_INTEGER };
  if (sinceMs === undefined) {
    for (const ids of yield* findTransactions(access, scope)) {
      compare(ids);
      yield;
    }
  }
  for (;;) {
    const touched = listTouched(access, after, COMPARED_AT_ONCE);
    compare(touched.map(({ id }) => id));
    const last = touched.at(-1);
    if (last === undefined || touched.length < COMPARED_AT_ONCE) break;
    after = last;
    yield;
  }
  return [...found.values()].flat().sort(compareNewest);
}

type Dated = Pick<ItemRecord, 'date' | 'transactionId'>;

function compareNewest(one: Dated, other: Dated): number {
  const days = newestFirst(one.date) - newestFirst(other.date);
  return days || one.transactionId - other.transactionId;
}

const selectChanged = statement<[SqlRecord], ChangedItem>`${DAYS}
   select c.transaction_id as transactionId, c.budget_line_id as budgetLineId, l.kind,
          t.date, t.description, c.reported as reportedMinor, c.now as nowMinor
     from (select transaction_id, budget_line_id, sum(reported) as reported, sum(now) as now
             from (select transaction_id, budget_line_id, 0 as reported, minor as now
                     from (${COUNTED})
                   union all
                   select transaction_id, budget_line_id, minor, 0 from (${REPORTED}))
            group by transaction_id, budget_line_id having sum(reported) <> sum(now)) c
    cross join transactions t on t.id = c.transaction_id
    cross join budget_lines l on l.id = c.budget_line_id
    where t.organisation_id = @orgId
    order by c.transaction_id, c.budget_line_id`;

/** Whether a project of a statement was created, moved, or got other days up to its end since. */
export function haveDaysMoved(
  { db, organisation }: Access,
  { projects }: ItemScope,
  { sinceMs, end }: { readonly sinceMs: number; readonly end: string },
): boolean {
  const subjects = JSON.stringify(projects.map(({ id }) => formatId('prj', id)));
  return selectMoved(db).get({ orgId: organisation.id, subjects, sinceMs, end }) !== undefined;
}

// The change of a project itself is before those of its lines, and of its members that differ.
const selectMoved = statement<[SqlRecord], unknown>`
  select 1 from json_each(@subjects) s
    cross join audit_log a indexed by audit_log_by_subject
      on a.organisation_id = @orgId and a.subject = s.value and a.at > @sinceMs
    where a.action in ('project.created', 'project.updated')
      and (json_type(a.details, '$.changes[0].after.startDate') is not null
        or json_type(a.details, '$.changes[0].after.parentProjectId') is not null
        or min(a.details ->> '$.changes[0].before.endDate',
               a.details ->> '$.changes[0].after.endDate') < @end)
    limit 1`;

export function sumOutside({ db, organisation }: Access, projects: readonly CountedDays[]) {
  const found = selectOutside(db).get({
    orgId: organisation.id,
    projects: JSON.stringify(projects),
  });
  return found ?? { count: 0, incomeMinor: 0, expensesMinor: 0 };
}

const outsideDay = (day: 'from' | 'to', sign: '<' | '>') =>
  `select a.transaction_id, a.budget_line_id, a.amount_minor
     from json_each(@projects) p
    cross join allocations a indexed by allocations_by_project
       on a.organisation_id = @orgId and a.project_id = p.value ->> 'id'
      and a.newest_first ${sign} -cast(replace(p.value ->> '${day}', '-', '') as integer)`;

const selectOutside = statement<
  [SqlRecord],
  { count: number; incomeMinor: number; expensesMinor: number }
>`
  select count(distinct o.transaction_id) as count,
          ifnull(sum(o.amount_minor * (l.kind = 'income')), 0) as incomeMinor,
          ifnull(sum(o.amount_minor * (l.kind = 'expense')), 0) as expensesMinor
     from (${outsideDay('to', '<')} union all ${outsideDay('from', '>')}
          ) o
    cross join budget_lines l on l.id = o.budget_line_id`;

export interface ItemRecord
  extends Pick<
    TransactionRecord,
    'date' | 'provider' | 'externalId' | 'description' | 'contact' | 'accountCode'
  > {
  readonly isChange: number;
  readonly transactionId: number;
  readonly budgetLineId: number;
  readonly amountMinor: number;
}

/** The items of a statement by transaction, line and column, some at a time. */
export function* walkItems(
  { db, organisation }: Access,
  statementId: number,
): Generator<ItemRecord[]> {
  const start = { transactionId: 0, budgetLineId: 0, isChange: 0 };
  let last: Pick<ItemRecord, keyof typeof start> | undefined = start;
  while (last !== undefined) {
    const { transactionId, budgetLineId, isChange }: typeof start = last;
    const after = { transactionId, budgetLineId, isChange };
    const items = selectItems(db).all({ ...after, statementId, orgId: organisation.id });
    if (items.length > 0) yield items;
    last = items.length < ITEMS_AT_ONCE ? undefined : items.at(-1);
  }
}

/** The items of a statement that are changes to earlier periods, in the same order, in steps. */
export function* readChanges(
  access: Access,
  statementId: number,
): Generator<undefined, ItemRecord[], undefined> {
  const items: ItemRecord[] = [];
  for (const part of partsOf(access, statementId)) {
    items.push(...selectChanges(access.db).all({ ...part, orgId: access.organisation.id }));
    yield;
  }
  return items;
}

/** The items of a statement that is made now, in the same order, in steps. */
export function* readNewItems(
  access: Access,
  scope: ItemScope,
): Generator<undefined, ItemRecord[][], undefined> {
  const values = scopeValues(access, scope);
  const items: ItemRecord[][] = [];
  for (const ids of yield* findTransactions(access, scope)) {
    items.push(selectNewItems(access.db).all({ ...values, ids: JSON.stringify(ids) }));
    yield;
  }
  return items;
}

const selectItems = statement<[SqlRecord], ItemRecord>`${itemsOf(
  'statement_items',
  `i.statement_id = @statementId and (i.transaction_id, i.budget_line_id, i.is_change)
      > (@transactionId, @budgetLineId, @isChange)`,
  `limit ${ITEMS_AT_ONCE}`,
)}`;
const selectChanges = statement<[SqlRecord], ItemRecord>`${itemsOf(
  'statement_items',
  `i.statement_id = @statementId and i.transaction_id > @after and i.transaction_id <= @end
      and i.is_change = 1`,
)}`;
const selectNewItems = statement<[SqlRecord], ItemRecord>`
  ${DAYS} ${itemsOf(`(${NEW_ITEMS})`, 'true')}`;

function itemsOf(items: string, condition: string, end = ''): string {
  return `select i.is_change as isChange, t.date, i.transaction_id as transactionId, t.provider,
          t.external_id as externalId, t.description, t.contact, t.account_code as accountCode,
          i.budget_line_id as budgetLineId, i.amount_minor as amountMinor
     from ${items} i cross join transactions t on t.id = i.transaction_id
    where ${condition} and t.organisation_id = @orgId
    order by i.transaction_id, i.budget_line_id, i.is_change ${end}`;
}

type ReportedTransaction = Pick<ItemRecord, 'transactionId' | 'date' | 'description'> & {
  readonly minor: number;
};

/**
 * What some statements reported of a line, all of it or that of one column, in short steps: of how
 * many transactions, their sum, and the newest of them, at most `most`.
 */
export function* findReported(
  access: Access,
  statementIds: readonly number[],
  { most, ...wanted }: { budgetLineId: number; isChange: 0 | 1 | null; most: number },
) {
  const { db, organisation } = access;
  const sums = new Map<number, number>();
  for (const statementId of statementIds) {
    for (const part of partsOf(access, statementId)) {
      for (const { id, minor } of selectReported(db).all({ ...part, ...wanted })) {
        sums.set(id, (sums.get(id) ?? 0) + minor);
      }
      yield;
    }
  }
  const found = [...sums].filter(([, minor]) => minor !== 0);
  let newest: ReportedTransaction[] = [];
  for (let at = 0; at < found.length; at += FOUND_AT_ONCE) {
    const some = JSON.stringify(found.slice(at, at + FOUND_AT_ONCE));
    const values = { orgId: organisation.id, found: some, most };
    newest = [...newest, ...selectNewest(db).all(values)];
    newest = newest.sort(compareNewest).slice(0, most);
    yield;
  }
  const sumMinor = found.reduce((sum, [, minor]) => sum + minor, 0);
  return { count: found.length, sumMinor, newest };
}

/** Items of a statement that are looked at in one step: about 2 ms. */
const SEARCHED_AT_ONCE = 10_000;

/** The parts of a statement's items, each for a step. */
function* partsOf({ db }: Access, statementId: number): Generator<SqlRecord> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const end: number | undefined = selectEnd(db).get({ statementId, after })?.id;
    yield { statementId, after, end: end ?? Number.MAX_SAFE_INTEGER };
    after = end;
  }
}

const selectEnd = statement<[SqlRecord], { id: number }>`
  select transaction_id as id from statement_items
    where statement_id = @statementId and transaction_id > @after
    order by transaction_id limit 1 offset ${SEARCHED_AT_ONCE}`;
const selectReported = statement<[SqlRecord], { id: number; minor: number }>`
  select transaction_id as id, sum(amount_minor) as minor from statement_items
    where statement_id = @statementId and transaction_id > @after and transaction_id <= @end
      and budget_line_id = @budgetLineId and (@isChange is null or is_change = @isChange)
    group by transaction_id`;
const selectNewest = statement<[SqlRecord], ReportedTransaction>`
  select t.id as transactionId, t.date, t.description, f.value ->> 1 as minor
     from json_each(@found) f cross join transactions t on t.id = f.value ->> 0
    where t.organisation_id = @orgId order by t.date desc, t.id limit @most`;

/** What some statements reported of some transactions, for each line. */
export function sumReported(
  { db, organisation }: Access,
  statementIds: readonly number[],
  transactionIds: readonly number[],
): Pick<ItemRecord, 'transactionId' | 'budgetLineId' | 'amountMinor'>[] {
  const ids = JSON.stringify(statementIds);
  const wanted = JSON.stringify(transactionIds);
  return selectSums(db).all({ ids, wanted, orgId: organisation.id });
}

const selectSums = statement<
  [SqlRecord],
  Pick<ItemRecord, 'transactionId' | 'budgetLineId' | 'amountMinor'>
>`select i.transaction_id as transactionId, i.budget_line_id as budgetLineId,
          sum(i.amount_minor) as amountMinor
     from json_each(@wanted) w
    cross join transactions t on t.id = w.value and t.organisation_id = @orgId
    cross join json_each(@ids) s
    cross join statement_items i on i.statement_id = s.value and i.transaction_id = t.id
    group by i.transaction_id, i.budget_line_id`;

export function listTransactionReports({ db, organisation }: Access, transactionId: number) {
  return selectReports(db).all({ orgId: organisation.id, transactionId });
}

/** The documents of statements are before the column that is asked for, so it is read last. */
const selectReports = statement<
  [SqlRecord],
  { projectId: number; budgetLineId: number; number: number; minor: number }
>`
  select s.project_id as projectId, i.budget_line_id as budgetLineId, max(s.number) as number,
          sum(i.amount_minor) as minor
     from statements s indexed by sqlite_autoindex_statements_1
    cross join statement_items i on i.statement_id = s.id and i.transaction_id = @transactionId
    cross join statements w on w.id = s.id and w.withdrawn_at is null
    where s.organisation_id = @orgId
    group by s.project_id, i.budget_line_id having sum(i.amount_minor) <> 0`;

/** The number of the newest issued statement of a project, and the month with which it ends. */
export function findLastStatement({ db, organisation }: Access, projectId: number) {
  return selectLast(db).get(organisation.id, projectId);
}

const selectLast = statement<[OrgId, number], { number: number; to: string }>`
  select number, document ->> '$.to' as "to" from statements
    where organisation_id = ? and project_id = ? and withdrawn_at is null
    order by number desc limit 1`;
