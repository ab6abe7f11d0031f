/** Statements (contract 14), and the draft of each project. */

import type { Actor } from '../core/audit.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { StatementBody } from '../core/statements.ts';
import { atomically } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import type { ItemSums, StatementStage } from './statement-stages.ts';

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
export function listStatements({ db, organisation }: Access, projectId: number): StatementRecord[] {
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
export function countStatements({ db, organisation }: Access, projectId: number): number {
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
  readonly sums: readonly ItemSums[];
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
  if (JSON.stringify(stage.sums) !== JSON.stringify(sums)) {
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

/** Withdraws the statement that `find` returns, which is called in the same step. */
export function withdrawStatement(access: Access, find: () => Withdrawal, actor: Actor): void {
  const { db, organisation } = access;
  atomically(access, () => {
    const { projectId, statement: withdrawn, reason, draft } = find();
    const act = beginAct(access, actor);
    const { id, number, issue } = withdrawn;
    const { name: by, stampMs: atMs } = act;
    updateWithdrawn(db).run({ orgId: organisation.id, id, atMs, by, reason });
    saveDraft(access, projectId, draft);
    const subject = formatId('prj', projectId);
    const details = { changes: [], number, issue, reason };
    recordAudit(access, act, { action: 'statement.withdrawn', subject, details });
  });
}

const updateWithdrawn = statement<[SqlRecord]>`
  update statements set withdrawn_at = @atMs, withdrawn_by = @by, withdrawn_reason = @reason
    where organisation_id = @orgId and id = @id`;
