/** Statements and their items (contract 14), and the draft of each project. */

import type { Actor } from '../core/audit.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { LineKind } from '../core/projects.ts';
import type { StatementBody } from '../core/statements.ts';
import { atomically } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import {
  COUNTED_OF,
  type CountedDays,
  DAYS,
  type ItemScope,
  type ItemSums,
  listTouched,
  REPORTED_OF,
  type StatementStage,
} from './statement-stages.ts';

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

const insertStatement = statement<[SqlRecord]>(
  `insert into statements (id, organisation_id, project_id, number, issue, document, hash)
   values (@id, @orgId, @projectId, @number, @issue, @document, @hash)`,
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

/** The items of a statement that is made now: of the period, and what has changed before it. */
const NEW_ITEMS = `select transaction_id, budget_line_id, is_change, sum(minor) as amount_minor
     from (select transaction_id, budget_line_id, date < @first as is_change, minor
             from (${COUNTED})
           union all
           select transaction_id, budget_line_id, 1, -minor from (${REPORTED}))
    group by transaction_id, budget_line_id, is_change having sum(minor) <> 0`;

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
 * reported: newest first. Looks only at what was changed after `sinceMs`, if that is given and few.
 */
export function listChanged(
  access: Access,
  scope: ItemScope,
  sinceMs: number | undefined,
): ChangedItem[] {
  const values = scopeValues(access, scope);
  const ids = sinceMs === undefined ? undefined : listTouched(access, sinceMs);
  if (ids === undefined) return selectChanged(access.db).all(values);
  return selectSomeChanged(access.db).all({ ...values, ids: JSON.stringify(ids) });
}

const selectChanged = statement<[SqlRecord], ChangedItem>(changedOf(COUNTED, REPORTED));
const selectSomeChanged = statement<[SqlRecord], ChangedItem>(
  `with ${DAYS} ${changedOf(COUNTED_OF, REPORTED_OF)}`,
);

function changedOf(counted: string, reported: string): string {
  return `select c.transaction_id as transactionId, c.budget_line_id as budgetLineId, l.kind,
          t.date, t.description, c.reported as reportedMinor, c.now as nowMinor
     from (select transaction_id, budget_line_id, sum(reported) as reported, sum(now) as now
             from (select transaction_id, budget_line_id, 0 as reported, minor as now
                     from (${counted})
                   union all
                   select transaction_id, budget_line_id, minor, 0 from (${reported}))
            group by transaction_id, budget_line_id having sum(reported) <> sum(now)) c
    cross join transactions t on t.id = c.transaction_id
    cross join budget_lines l on l.id = c.budget_line_id
    where t.organisation_id = @orgId
    order by t.date desc, c.transaction_id, c.budget_line_id`;
}

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

const outsideDay = (day: 'from' | 'to', sign: '<' | '>') =>
  `select a.transaction_id, a.budget_line_id, a.amount_minor
     from json_each(@projects) p
    cross join allocations a indexed by allocations_by_project
       on a.organisation_id = @orgId and a.project_id = p.value ->> 'id'
      and a.newest_first ${sign} -cast(replace(p.value ->> '${day}', '-', '') as integer)`;

const selectOutside = statement<[SqlRecord], OutsideSums>(
  `select count(distinct o.transaction_id) as count,
          ifnull(sum(o.amount_minor * (l.kind = 'income')), 0) as incomeMinor,
          ifnull(sum(o.amount_minor * (l.kind = 'expense')), 0) as expensesMinor
     from (${outsideDay('to', '<')} union all ${outsideDay('from', '>')}
          ) o
    cross join budget_lines l on l.id = o.budget_line_id`,
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

/** Items that are read at once: 2 ms. */
const ITEMS_AT_ONCE = 500;

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

/** The items of a statement that were made now, in the same order. */
export function listNewItems(access: Access, scope: ItemScope): ItemRecord[] {
  const first = scope.startDate ?? '~';
  return selectNewItems(access.db).all({ ...scopeValues(access, scope), first });
}

const selectItems = statement<[SqlRecord], ItemRecord>(
  itemsOf(
    'statement_items',
    `i.statement_id = @statementId and (i.transaction_id, i.budget_line_id, i.is_change)
      > (@transactionId, @budgetLineId, @isChange)`,
    `limit ${ITEMS_AT_ONCE}`,
  ),
);
const selectNewItems = statement<[SqlRecord], ItemRecord>(itemsOf(`(${NEW_ITEMS})`, 'true'));

/** Items with their transactions. */
function itemsOf(items: string, condition: string, end = ''): string {
  return `select i.is_change as isChange, t.date, i.transaction_id as transactionId, t.provider,
          t.external_id as externalId, t.description, t.contact, t.account_code as accountCode,
          i.budget_line_id as budgetLineId, i.amount_minor as amountMinor
     from ${items} i cross join transactions t on t.id = i.transaction_id
    where ${condition} and t.organisation_id = @orgId
    order by i.transaction_id, i.budget_line_id, i.is_change ${end}`;
}

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
