/**
 * A statement that is being issued (contract 14): its items are stored in steps, between which
 * others write. What they change is staged again, and the last step makes the statement.
 */

import { Failure } from '../core/failures.ts';
import type { OrgId } from '../core/ids.ts';
import { atomically } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import type { Position } from './pages.ts';
import { listTouched, replaceItems } from './statement-items.ts';
import { findTransactions, ITEMS_AT_ONCE, type ItemScope } from './statement-walks.ts';

/** What the items of a statement add up to, by line and column. */
export interface ItemSums {
  readonly budgetLineId: number;
  readonly periodMinor: number;
  readonly changesMinor: number;
}

/** The items of a statement that is being issued, and what they add up to. */
export class StatementStage {
  /** The id that the statement will have. */
  readonly id: number;
  readonly #scope: ItemScope;
  /** By line: of the period, and of changes before it. */
  readonly #sums = new Map<number, [periodMinor: number, changesMinor: number]>();
  /** All that was changed before was staged. */
  #upTo: Position;

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
    // In their order each step writes to few pages of the table.
    for (const ids of yield* findTransactions(access, this.#scope)) {
      atomically(access, () => this.#put(access, ids));
      yield;
    }
  }

  /** Stages what has changed since again; whether that was all. The caller is in a step. */
  follow(access: Access): boolean {
    const found = listTouched(access, this.#upTo, ITEMS_AT_ONCE);
    this.#put(
      access,
      found.map((each) => each.id),
    );
    this.#upTo = found.at(-1) ?? this.#upTo;
    return found.length < ITEMS_AT_ONCE;
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
    return [...this.#sums]
      .map(([budgetLineId, [periodMinor, changesMinor]]) => {
        return { budgetLineId, periodMinor, changesMinor };
      })
      .filter(({ periodMinor, changesMinor }) => periodMinor !== 0 || changesMinor !== 0)
      .sort((one, other) => one.budgetLineId - other.budgetLineId);
  }

  #put(access: Access, ids: readonly number[]): void {
    if (selectLive(access.db).get(this.id) === undefined) {
      throw new Failure('conflict', 'It was not issued: someone else is issuing it.');
    }
    const changes = replaceItems(access, this.id, { scope: this.#scope, ids });
    for (const { budgetLineId, isChange, amountMinor } of changes) {
      const sums = this.#sums.get(budgetLineId) ?? [0, 0];
      sums[isChange] += amountMinor;
      this.#sums.set(budgetLineId, sums);
    }
  }
}

/** Removes some of what was left of a project's stages, as a step; whether there may be more. */
export function clearStages(access: Access, projectId: number): boolean {
  const { db, organisation } = access;
  return atomically(access, () => {
    const id = selectLeft(db).pluck().get(organisation.id, projectId);
    if (id === undefined) return false;
    if (deleteSome(db).run({ id, limit: ITEMS_AT_ONCE }).changes === 0) deleteStage(db).run(id);
    return true;
  });
}

const insertStage = statement<[OrgId, number]>`
  insert into statement_stages (organisation_id, project_id, is_left) values (?, ?, 0)`;
const leaveStages = statement<[OrgId, projectId: number]>`
  update statement_stages set is_left = 1 where organisation_id = ? and project_id = ?`;
const leaveStage = statement<[id: number]>`
  update statement_stages set is_left = 1 where statement_id = ?`;
const deleteStage = statement<[id: number]>`delete from statement_stages where statement_id = ?`;
const selectLive = statement<[id: number], { id: number }>`
  select statement_id as id from statement_stages where statement_id = ? and is_left = 0`;
const selectLeft = statement<[OrgId, projectId: number], number>`
  select statement_id from statement_stages
    where organisation_id = ? and project_id = ? and is_left = 1`;
const deleteSome = statement<[SqlRecord]>`
  delete from statement_items where statement_id = @id and transaction_id <= (
     select max(transaction_id) from (
       select transaction_id from statement_items where statement_id = @id
        order by transaction_id limit @limit))`;
