/** Statements and their items (contract 14), and the draft of each project. */

import type { Actor } from '../core/audit.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { LineKind } from '../core/projects.ts';
import type { StatementBody } from '../core/statements.ts';
import { atomically } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';

/** A stored statement. */
export interface StatementRecord {
  readonly id: number;
  readonly number: number;
  readonly issue: number;
  readonly body: StatementBody;
  readonly hash: string;
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

const selectStatements = statement<[OrgId, number], Stored>(
  `select id, number, issue, document, lower(hex(hash)) as hash, withdrawn_at as withdrawnAtMs,
          withdrawn_by as withdrawnBy, withdrawn_reason as withdrawnReason
     from statements where organisation_id = ? and project_id = ? order by number, issue`,
);

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

/** A statement to store. */
interface NewStatement {
  readonly projectId: number;
  readonly body: StatementBody;
  /** The text of the body that the hash is of. */
  readonly text: string;
  readonly hash: Uint8Array;
  readonly scope: ItemScope;
  /** What the items must add up to, by line. */
  readonly sums: readonly ItemSums[];
}

/**
 * Stores a statement with its items, and ends the draft of its project. `build` is called in the
 * same step, with the stamp. Throws if the items do not add up to the figures.
 */
export function issueStatement(
  access: Access,
  build: (stampMs: number) => NewStatement,
  actor: Actor,
): void {
  const { db, organisation } = access;
  atomically(access, () => {
    const act = beginAct(access, actor);
    const { projectId, body, text, hash, scope, sums } = build(act.stampMs);
    const { number, issue, to } = body;
    const values = { orgId: organisation.id, projectId, number, issue, document: text, hash };
    const id = Number(insertStatement(db).run(values).lastInsertRowid);
    insertItems(db).run({ ...scopeValues(access, scope), id, first: scope.startDate ?? '~' });
    if (JSON.stringify(sumItems(access, id)) !== JSON.stringify(sums)) {
      throw new Error(`the items of statement ${id} do not add up to its figures`);
    }
    saveDraft(access, projectId, undefined);
    const subject = formatId('prj', projectId);
    const details = { changes: [], number, issue, to, hash: Buffer.from(hash).toString('hex') };
    recordAudit(access, act, { action: 'statement.issued', subject, details });
  });
}

const insertStatement = statement<[SqlRecord]>(
  `insert into statements (organisation_id, project_id, number, issue, document, hash)
   values (@orgId, @projectId, @number, @issue, @document, @hash)`,
);

function scopeValues({ organisation }: Access, { projects, earlier }: ItemScope): SqlRecord {
  return {
    orgId: organisation.id,
    projects: JSON.stringify(projects),
    earlier: JSON.stringify(earlier),
  };
}

/** What is counted now of each transaction and line, and what earlier statements reported. */
const COUNTED = `select a.transaction_id, a.budget_line_id, a.date, a.amount_minor as minor
     from json_each(@projects) p
    cross join allocations a indexed by allocations_by_project
       on a.organisation_id = @orgId and a.project_id = p.value ->> 'id'
      and a.newest_first between -cast(replace(p.value ->> 'to', '-', '') as integer)
                             and -cast(replace(p.value ->> 'from', '-', '') as integer)`;
const REPORTED = `select i.transaction_id, i.budget_line_id, i.amount_minor as minor
     from json_each(@earlier) s cross join statement_items i on i.statement_id = s.value`;

const insertItems = statement<[SqlRecord]>(
  `insert into statement_items
     (statement_id, transaction_id, budget_line_id, is_change, amount_minor)
   select @id, transaction_id, budget_line_id, is_change, sum(minor)
     from (select transaction_id, budget_line_id, date < @first as is_change, minor
             from (${COUNTED})
           union all
           select transaction_id, budget_line_id, 1, -minor from (${REPORTED}))
    group by transaction_id, budget_line_id, is_change having sum(minor) <> 0`,
);

/** What the items of a statement add up to, by line and column. */
export interface ItemSums {
  readonly budgetLineId: number;
  readonly periodMinor: number;
  readonly changesMinor: number;
}

/** The sums of the items of a statement, by line; without those of 0. */
function sumItems({ db }: Access, statementId: number): ItemSums[] {
  return selectItemSums(db).all(statementId);
}

const selectItemSums = statement<[number], ItemSums>(
  `select budget_line_id as budgetLineId,
          sum(amount_minor * (is_change = 0)) as periodMinor,
          sum(amount_minor * is_change) as changesMinor
     from statement_items where statement_id = ?
    group by budget_line_id having sum(amount_minor * (is_change = 0)) <> 0
        or sum(amount_minor * is_change) <> 0
    order by budget_line_id`,
);

/** A transaction and line of which something else is counted now than was reported. */
interface ChangedItem {
  readonly transactionId: number;
  readonly budgetLineId: number;
  readonly kind: LineKind;
  readonly date: string;
  readonly description: string;
  readonly reportedMinor: number;
  readonly nowMinor: number;
}

/**
 * What is counted now up to the end of a statement, where it is not what statements up to it have
 * reported: newest first.
 */
export function listChanged(access: Access, scope: ItemScope): ChangedItem[] {
  return selectChanged(access.db).all(scopeValues(access, scope));
}

const selectChanged = statement<[SqlRecord], ChangedItem>(
  `select c.transaction_id as transactionId, c.budget_line_id as budgetLineId, l.kind, t.date,
          t.description, c.reported as reportedMinor, c.now as nowMinor
     from (select transaction_id, budget_line_id, sum(reported) as reported, sum(now) as now
             from (select transaction_id, budget_line_id, 0 as reported, minor as now
                     from (${COUNTED})
                   union all
                   select transaction_id, budget_line_id, minor, 0 from (${REPORTED}))
            group by transaction_id, budget_line_id having sum(reported) <> sum(now)) c
    cross join transactions t on t.id = c.transaction_id
    cross join budget_lines l on l.id = c.budget_line_id
    where t.organisation_id = @orgId
    order by t.date desc, c.transaction_id, c.budget_line_id`,
);

/** What is allocated to the lines of some projects on other days than those that count. */
interface OutsideSums {
  readonly count: number;
  readonly incomeMinor: number;
  readonly expensesMinor: number;
}

/** The sums of what does not count. */
export function sumOutside(
  { db, organisation }: Access,
  projects: readonly CountedDays[],
): OutsideSums {
  const found = selectOutside(db).get({
    orgId: organisation.id,
    projects: JSON.stringify(projects),
  });
  return found ?? { count: 0, incomeMinor: 0, expensesMinor: 0 };
}

const selectOutside = statement<[SqlRecord], OutsideSums>(
  `select count(distinct a.transaction_id) as count,
          ifnull(sum(a.amount_minor * (l.kind = 'income')), 0) as incomeMinor,
          ifnull(sum(a.amount_minor * (l.kind = 'expense')), 0) as expensesMinor
     from json_each(@projects) p
    cross join allocations a indexed by allocations_by_project
       on a.organisation_id = @orgId and a.project_id = p.value ->> 'id'
      and a.date not between p.value ->> 'from' and p.value ->> 'to'
    cross join budget_lines l on l.id = a.budget_line_id`,
);

/** An item with its transaction and line as they are now. */
export interface ItemRecord {
  readonly isChange: number;
  readonly date: string;
  readonly transactionId: number;
  readonly provider: string;
  readonly externalId: string | null;
  readonly description: string;
  readonly contact: string | null;
  readonly accountCode: string | null;
  readonly budgetLineId: number;
  readonly amountMinor: number;
}

/** The items of a statement, by transaction, line and column. */
export function listItems({ db, organisation }: Access, statementId: number): ItemRecord[] {
  return selectItems(db).all(statementId, organisation.id);
}

const selectItems = statement<[number, OrgId], ItemRecord>(
  `select i.is_change as isChange, t.date, i.transaction_id as transactionId, t.provider,
          t.external_id as externalId, t.description, t.contact, t.account_code as accountCode,
          i.budget_line_id as budgetLineId, i.amount_minor as amountMinor
     from statement_items i cross join transactions t on t.id = i.transaction_id
    where i.statement_id = ? and t.organisation_id = ?
    order by i.transaction_id, i.budget_line_id, i.is_change`,
);

/** The draft of a project. */
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

const selectDraft = statement<[OrgId, number], string>(
  'select draft from statement_drafts where organisation_id = ? and project_id = ?',
);

/** Stores the draft of a project in place of the one before. */
export function storeDraft(
  access: Access,
  projectId: number,
  draft: StatementDraft,
  actor: Actor,
): void {
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

const deleteDraft = statement<[OrgId, number]>(
  'delete from statement_drafts where organisation_id = ? and project_id = ?',
);
const insertDraft = statement<[OrgId, number, string]>(
  'insert into statement_drafts (organisation_id, project_id, draft) values (?, ?, ?)',
);

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

const updateWithdrawn = statement<[SqlRecord]>(
  `update statements set withdrawn_at = @atMs, withdrawn_by = @by, withdrawn_reason = @reason
    where organisation_id = @orgId and id = @id`,
);
