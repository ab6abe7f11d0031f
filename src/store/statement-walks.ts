/** Which transactions a statement counts (contract 14), found in short steps. */

import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import type { Position } from './pages.ts';

/** The days of a project that count for a statement. */
export interface CountedDays {
  readonly id: number;
  readonly from: string;
  readonly to: string;
}

/** What a statement reports, and from where: the earlier ones of its series. */
export interface ItemScope {
  readonly projects: readonly CountedDays[];
  /** The first day of the period; null without one. */
  readonly startDate: string | null;
  /** The numbers of the earlier statements, without withdrawn ones. */
  readonly earlier: readonly number[];
}

/** Items that are read in one step, 2 ms, and transactions whose items are stored: up to 8. */
export const ITEMS_AT_ONCE = 500;
/** Transactions that are looked up in one step: about 3 ms. */
export const FOUND_AT_ONCE = 2_000;

/** All that counts for a statement, or was reported before, in the order of transactions. */
export function* findTransactions(
  access: Access,
  { projects, earlier }: ItemScope,
): Generator<undefined, number[][], undefined> {
  const found = new Map<number, number[]>();
  for (const days of projects) yield* walk(access, selectCountedIds, days, found);
  for (const id of earlier) yield* walk(access, selectReportedIds, { id, from: '', to: '' }, found);
  const some: number[][] = [];
  for (const [, ids] of [...found].sort(([one], [other]) => one - other)) {
    const last = some.at(-1);
    if (last === undefined || last.length >= ITEMS_AT_ONCE) some.push(ids);
    else last.push(...ids);
  }
  return some;
}

/** Finds the transactions of a project's days, or of a statement: near numbers together. */
function* walk(
  { db, organisation }: Access,
  select: typeof selectCountedIds,
  { id: of, from, to }: CountedDays,
  found: Map<number, number[]>,
): Generator<undefined, void, undefined> {
  const number = (date: string) => -Number(date.replaceAll('-', ''));
  const values = { orgId: organisation.id, of, last: number(from), limit: FOUND_AT_ONCE };
  let after: Position | undefined = { sort: number(to), id: 0 };
  while (after !== undefined) {
    const { sort, id }: Position = after;
    const some = select(db).all({ ...values, sort, id });
    for (const { id } of some) {
      const key = Math.floor(id / ITEMS_AT_ONCE);
      const near = found.get(key);
      if (near === undefined) found.set(key, [id]);
      else near.push(id);
    }
    after = some.length < FOUND_AT_ONCE ? undefined : some.at(-1);
    yield;
  }
}

const selectCountedIds = statement<[SqlRecord], Position>`
  select newest_first as sort, transaction_id as id
     from allocations indexed by allocations_by_project_transaction
    where organisation_id = @orgId and project_id = @of
      and (newest_first, transaction_id) > (@sort, @id) and newest_first <= @last
    order by newest_first, transaction_id limit @limit`;
const selectReportedIds = statement<[SqlRecord], Position>`
  select 0 as sort, transaction_id as id from statement_items
    where statement_id = @of and transaction_id > @id order by transaction_id limit @limit`;
