/**
 * A statement that is being issued (contract 14): its items are stored in steps, between which
 * others write. What they change is staged again, and the last step makes the statement.
 */

import { Failure } from '../core/failures.ts';
import type { OrgId } from '../core/ids.ts';
import { atomically } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';

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

/** What the items of a statement add up to, by line and column. */
export interface ItemSums {
  readonly budgetLineId: number;
  readonly periodMinor: number;
  readonly changesMinor: number;
}

/** Transactions whose items are stored in one step: up to 8 ms. */
const STAGED_AT_ONCE = 500;

/** Transactions that are looked up in one step: about 3 ms. */
const FOUND_AT_ONCE = 2_000;

/** Where a walk over transactions continues. */
interface Place {
  readonly sort: number;
  readonly id: number;
}

/** The items of a statement that is being issued, and what they add up to. */
export class StatementStage {
  /** The id that the statement will have. */
  readonly id: number;
  readonly #scope: ItemScope;
  readonly #sums = new Map<number, { budgetLineId: number; minor: [number, number] }>();
  /** All that was changed before was staged. */
  #upTo: Place;

  private constructor(id: number, { scope, sinceMs }: { scope: ItemScope; sinceMs: number }) {
    this.id = id;
    this.#scope = scope;
    this.#upTo = { sort: sinceMs, id: Number.MAX_SAFE_INTEGER };
  }

  /** Begins one. What changes after `sinceMs` is staged again. Others of the project are left. */
  static begin(
    access: Access,
    projectId: number,
    from: { readonly scope: ItemScope; readonly sinceMs: number },
  ): StatementStage {
    return atomically(access, () => {
      leaveStages(access.db).run(access.organisation.id, projectId);
      const { lastInsertRowid } = insertStage(access.db).run(access.organisation.id, projectId);
      return new StatementStage(Number(lastInsertRowid), from);
    });
  }

  /** Stores the items of all that counts, or was reported before, in steps. */
  *fill(access: Access): Generator<undefined, void, undefined> {
    const found = new Map<number, number[]>();
    for (const days of this.#scope.projects) yield* walk(access, selectCounted, days, found);
    for (const id of this.#scope.earlier) {
      yield* walk(access, selectReported, { id, from: '', to: '' }, found);
    }
    // In their order each step writes to few pages of the table.
    const inOrder = [...found].sort(([one], [other]) => one - other);
    let some: number[] = [];
    for (const [at, [, ids]] of inOrder.entries()) {
      some.push(...ids);
      if (some.length < STAGED_AT_ONCE && at < inOrder.length - 1) continue;
      atomically(access, () => this.#put(access, some));
      some = [];
      yield;
    }
  }

  /** Stages what has changed since again; whether that was all. The caller is in a step. */
  follow(access: Access): boolean {
    const { sort, id } = this.#upTo;
    const values = { orgId: access.organisation.id, sort, id, limit: STAGED_AT_ONCE };
    const found = selectTouched(access.db).all(values);
    this.#put(
      access,
      found.map((each) => each.id),
    );
    this.#upTo = found.at(-1) ?? this.#upTo;
    return found.length < STAGED_AT_ONCE;
  }

  /** Ends it, as the items are those of a statement now. The caller is in a step. */
  end({ db }: Access): void {
    deleteStage(db).run(this.id);
  }

  /** Leaves what was staged, to be removed. */
  leave(access: Access): void {
    atomically(access, () => leaveStage(access.db).run(this.id));
  }

  /** What the items add up to, by line; without those of 0. */
  get sums(): ItemSums[] {
    return [...this.#sums.values()]
      .map(({ budgetLineId, minor: [periodMinor, changesMinor] }) => {
        return { budgetLineId, periodMinor, changesMinor };
      })
      .filter(({ periodMinor, changesMinor }) => periodMinor !== 0 || changesMinor !== 0)
      .sort((one, other) => one.budgetLineId - other.budgetLineId);
  }

  #put({ db, organisation }: Access, some: readonly number[]): void {
    if (selectLive(db).get(this.id) === undefined) {
      throw new Failure('conflict', 'It was not issued: someone else is issuing it.');
    }
    const { projects, earlier, startDate } = this.#scope;
    const values = { id: this.id, ids: JSON.stringify(some) };
    this.#add(deleteItems(db).all(values), -1);
    const scope = { projects: JSON.stringify(projects), earlier: JSON.stringify(earlier) };
    const more = { ...scope, orgId: organisation.id, first: startDate ?? '~' };
    this.#add(insertItems(db).all({ ...values, ...more }), 1);
  }

  #add(items: readonly StagedItem[], times: 1 | -1): void {
    for (const { budgetLineId, isChange, amountMinor } of items) {
      const known = this.#sums.get(budgetLineId);
      const { minor } = known ?? { minor: [0, 0] };
      minor[isChange] += times * amountMinor;
      if (known === undefined) this.#sums.set(budgetLineId, { budgetLineId, minor });
    }
  }
}

/** Finds the transactions of a project's days, or of a statement: near numbers together. */
function* walk(
  { db, organisation }: Access,
  select: typeof selectCounted,
  { id: of, from, to }: CountedDays,
  found: Map<number, number[]>,
): Generator<undefined, void, undefined> {
  const number = (date: string) => -Number(date.replaceAll('-', ''));
  const values = { orgId: organisation.id, of, last: number(from), limit: FOUND_AT_ONCE };
  let after: Place | undefined = { sort: number(to), id: 0 };
  while (after !== undefined) {
    const { sort, id }: Place = after;
    const some = select(db).all({ ...values, sort, id });
    for (const { id } of some) {
      const key = Math.floor(id / STAGED_AT_ONCE);
      const near = found.get(key);
      if (near === undefined) found.set(key, [id]);
      else near.push(id);
    }
    after = some.length < FOUND_AT_ONCE ? undefined : some.at(-1);
    yield;
  }
}

/** The transactions that have changed after a stamp; undefined if there are many. */
export function listTouched(
  { db, organisation }: Access,
  sinceMs: number,
): readonly number[] | undefined {
  const after = { sort: sinceMs, id: Number.MAX_SAFE_INTEGER, limit: FOUND_AT_ONCE };
  const found = selectTouched(db).all({ ...after, orgId: organisation.id });
  return found.length < FOUND_AT_ONCE ? found.map(({ id }) => id) : undefined;
}

interface StagedItem {
  readonly budgetLineId: number;
  readonly isChange: 0 | 1;
  readonly amountMinor: number;
}

/** Removes some of what was left of a project's stages, as a step; whether there may be more. */
export function clearStages(access: Access, projectId: number): boolean {
  const { db, organisation } = access;
  return atomically(access, () => {
    const id = selectLeft(db).pluck().get(organisation.id, projectId);
    if (id === undefined) return false;
    if (deleteSome(db).run({ id, limit: STAGED_AT_ONCE }).changes === 0) deleteStage(db).run(id);
    return true;
  });
}

const insertStage = statement<[OrgId, number]>(
  'insert into statement_stages (organisation_id, project_id, is_left) values (?, ?, 0)',
);
const leaveStages = statement<[OrgId, projectId: number]>(
  'update statement_stages set is_left = 1 where organisation_id = ? and project_id = ?',
);
const leaveStage = statement<[id: number]>(
  'update statement_stages set is_left = 1 where statement_id = ?',
);
const deleteStage = statement<[id: number]>('delete from statement_stages where statement_id = ?');
const selectLive = statement<[id: number], { id: number }>(
  'select statement_id as id from statement_stages where statement_id = ? and is_left = 0',
);
const selectLeft = statement<[OrgId, projectId: number], number>(
  `select statement_id from statement_stages
    where organisation_id = ? and project_id = ? and is_left = 1`,
);
const deleteSome = statement<[SqlRecord]>(
  `delete from statement_items where statement_id = @id and transaction_id <= (
     select max(transaction_id) from (
       select transaction_id from statement_items where statement_id = @id
        order by transaction_id limit @limit))`,
);

const selectCounted = statement<[SqlRecord], Place>(
  `select newest_first as sort, transaction_id as id
     from allocations indexed by allocations_by_project_transaction
    where organisation_id = @orgId and project_id = @of
      and (newest_first, transaction_id) > (@sort, @id) and newest_first <= @last
    order by newest_first, transaction_id limit @limit`,
);
const selectReported = statement<[SqlRecord], Place>(
  `select 0 as sort, transaction_id as id from statement_items
    where statement_id = @of and transaction_id > @id order by transaction_id limit @limit`,
);
const selectTouched = statement<[SqlRecord], Place>(
  `select updated_at as sort, id from transactions indexed by transactions_by_update
    where organisation_id = @orgId and (updated_at, id) > (@sort, @id)
    order by updated_at, id limit @limit`,
);

const ITEM = `budget_line_id as budgetLineId, is_change as isChange, amount_minor as amountMinor`;

const deleteItems = statement<[SqlRecord], StagedItem>(
  `delete from statement_items
    where statement_id = @id and transaction_id in (select value from json_each(@ids))
   returning ${ITEM}`,
);
/** The days that count, and of some transactions what is counted now and what was reported. */
export const DAYS = `days as materialized (
     select value ->> 'id' as id, value ->> 'from' as first, value ->> 'to' as last
       from json_each(@projects))`;
export const COUNTED_OF = `select a.transaction_id, a.budget_line_id, a.date,
          a.amount_minor as minor
     from (select distinct value from json_each(@ids)) j
    cross join allocations a indexed by allocations_by_transaction
       on a.organisation_id = @orgId and a.transaction_id = j.value
    cross join days on days.id = a.project_id and a.date between days.first and days.last`;
export const REPORTED_OF = `select i.transaction_id, i.budget_line_id, i.amount_minor as minor
     from (select distinct value from json_each(@ids)) j
    cross join statement_items i indexed by statement_items_by_transaction
       on i.transaction_id = j.value
    where i.statement_id in (select value from json_each(@earlier))`;

const insertItems = statement<[SqlRecord], StagedItem>(
  `with ${DAYS}
   insert into statement_items
     (statement_id, transaction_id, budget_line_id, is_change, amount_minor)
   select @id, transaction_id, budget_line_id, is_change, sum(minor)
     from (select transaction_id, budget_line_id, date < @first as is_change, minor
             from (${COUNTED_OF})
           union all
           select transaction_id, budget_line_id, 1, -minor from (${REPORTED_OF}))
    group by transaction_id, budget_line_id, is_change having sum(minor) <> 0
   returning ${ITEM}`,
);
