/** Statements (contract 14), and the draft of each project. */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { StatementBody } from '../core/statements.ts';
import { atomically } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import type { Position } from './pages.ts';
import { listTouched, replaceItems } from './statement-items.ts';
import { findTransactions, ITEMS_AT_ONCE, type ItemScope } from './statement-walks.ts';

/** A stored statement. */
export interface StatementRecord {
  readonly id: number;
  readonly number: number;
  readonly issue: number;
  readonly body: StatementBody;
  readonly hash: string;
  /** The name that the organisation had, and the lines below it on paper. */
  readonly letterhead: string;
  readonly withdrawnAtMs: number | null;
  readonly withdrawnBy: string | null;
  readonly withdrawnReason: string | null;
}

type Stored = Omit<StatementRecord, 'body'> & { readonly document: string };

/** The statements of a project, by number, then issue. */
export function listStatementRecords(
  { db, organisation }: Access,
  projectId: number,
): StatementRecord[] {
  return selectStatements(db)
    .all(organisation.id, projectId)
    .map(({ document, ...record }) => ({ ...record, body: JSON.parse(document) }));
}

const selectStatements = statement<[OrgId, number], Stored>`
  select id, number, issue, document, lower(hex(hash)) as hash, letterhead,
          withdrawn_at as withdrawnAtMs, withdrawn_by as withdrawnBy,
          withdrawn_reason as withdrawnReason
     from statements where organisation_id = ? and project_id = ? order by number, issue`;

/** How many statements of a project are issued, and not withdrawn. */
export function countIssuedStatements({ db, organisation }: Access, projectId: number): number {
  return countIssued(db).pluck().get(organisation.id, projectId) ?? 0;
}

const countIssued = statement<[OrgId, number], number>`select count(*) from statements
    where organisation_id = ? and project_id = ? and withdrawn_at is null`;

/** A statement to store. */
interface NewStatement {
  readonly projectId: number;
  readonly body: StatementBody;
  /** The text of the body that the hash is of. */
  readonly text: string;
  readonly hash: Uint8Array;
  /** What the items must add up to, by line. */
  readonly sums: ItemSums;
}

/**
 * Makes a statement of the items that were staged, and ends the draft of its project. `build` gets
 * the stamp. The caller is in a step. Throws if the items do not add up to the figures.
 */
export function storeStatement(
  access: Access,
  stage: StatementStage,
  build: (stampMs: number) => NewStatement,
  actor: Actor,
): NewStatement {
  const act = beginAct(access, actor);
  const built = build(act.stampMs);
  const { projectId, body, text, hash, sums } = built;
  const { number, issue, to } = body;
  const { id } = stage;
  if (!stage.addsUpTo(sums)) {
    throw new Error(`the items of statement ${id} do not add up to its figures`);
  }
  const values = { id, orgId: access.organisation.id, projectId, number, issue };
  insertStatement(access.db).run({ ...values, document: text, hash });
  stage.end(access);
  saveDraft(access, projectId, undefined);
  const subject = formatId('prj', projectId);
  const details = { changes: [], number, issue, to, hash: Buffer.from(hash).toString('hex') };
  recordAudit(access, act, { action: 'statement.issued', subject, details });
  return built;
}

const insertStatement = statement<[SqlRecord]>`insert into statements
     (id, organisation_id, project_id, number, issue, document, hash, letterhead)
   select @id, id, @projectId, @number, @issue, @document, @hash, name || char(10) || letterhead
     from organisations where id = @orgId`;

interface StatementDraft {
  /** Its last month; null: the usual one. */
  readonly to: string | null;
  readonly withSubProjects: boolean;
  /** By the identifiers of lines. */
  readonly reasons: Readonly<Record<string, string>>;
  readonly note: string | null;
}

/** The stored draft; undefined if nobody has saved one. */
export function findDraft(
  { db, organisation }: Access,
  projectId: number,
): StatementDraft | undefined {
  const text = selectDraft(db).pluck().get(organisation.id, projectId);
  return text === undefined ? undefined : JSON.parse(text);
}

const selectDraft = statement<[OrgId, number], string>`
  select draft from statement_drafts where organisation_id = ? and project_id = ?`;

export function storeDraft(access: Access, projectId: number, draft: StatementDraft, actor: Actor) {
  atomically(access, () => {
    if (JSON.stringify(draft) === JSON.stringify(findDraft(access, projectId))) return;
    const act = beginAct(access, actor);
    saveDraft(access, projectId, draft);
    const subject = formatId('prj', projectId);
    const details = { changes: [], to: draft.to, texts: Object.keys(draft.reasons).length };
    recordAudit(access, act, { action: 'statement.draft_saved', subject, details });
  });
}

function saveDraft(
  { db, organisation }: Access,
  projectId: number,
  draft: StatementDraft | undefined,
): void {
  deleteDraft(db).run(organisation.id, projectId);
  if (draft === undefined) return;
  insertDraft(db).run(organisation.id, projectId, JSON.stringify(draft));
}

const deleteDraft = statement<[OrgId, number]>`
  delete from statement_drafts where organisation_id = ? and project_id = ?`;
const insertDraft = statement<[OrgId, number, string]>`
  insert into statement_drafts (organisation_id, project_id, draft) values (?, ?, ?)`;

/** A statement to withdraw, and the draft that then has its texts. */
interface Withdrawal {
  readonly projectId: number;
  readonly statement: StatementRecord;
  readonly reason: string;
  readonly draft: StatementDraft;
}

/** Withdraws a statement. The caller is in a step. */
export function storeWithdrawal(access: Access, withdrawal: Withdrawal, actor: Actor): void {
  const { projectId, statement: withdrawn, reason, draft } = withdrawal;
  const { id, number, issue } = withdrawn;
  const act = beginAct(access, actor);
  const { name: by, stampMs: atMs } = act;
  updateWithdrawn(access.db).run({ orgId: access.organisation.id, id, atMs, by, reason });
  saveDraft(access, projectId, draft);
  const subject = formatId('prj', projectId);
  const details = { changes: [], number, issue, reason };
  recordAudit(access, act, { action: 'statement.withdrawn', subject, details });
}

const updateWithdrawn = statement<[SqlRecord]>`
  update statements set withdrawn_at = @atMs, withdrawn_by = @by, withdrawn_reason = @reason
    where organisation_id = @orgId and id = @id`;

/** What the items of a statement add up to, by line: of the period, and of changes before it. */
export type ItemSums = ReadonlyMap<number, readonly [periodMinor: number, changesMinor: number]>;

const NOTHING = [0, 0] as const;

/** The items of a statement that is being issued, and what they add up to. */
export class StatementStage {
  /** The id that the statement will have. */
  readonly id: number;
  readonly #scope: ItemScope;
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
    const ids = found.map((each) => each.id);
    this.#put(access, ids);
    this.#upTo = found.at(-1) ?? this.#upTo;
    return found.length < ITEMS_AT_ONCE;
  }

  /** Ends the stage: its items belong to a statement now. The caller is in a step. */
  end({ db }: Access): void {
    deleteStage(db).run(this.id);
  }

  /** Leaves what was staged, to be removed. */
  leave(access: Access): void {
    atomically(access, () => leaveStage(access.db).run(this.id));
  }

  /** Whether the items add up to these sums. */
  addsUpTo(sums: ItemSums): boolean {
    return [...new Set([...this.#sums.keys(), ...sums.keys()])].every((line) => {
      const [period, changes] = sums.get(line) ?? NOTHING;
      const [ownPeriod, ownChanges] = this.#sums.get(line) ?? NOTHING;
      return period === ownPeriod && changes === ownChanges;
    });
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
