/** The budget lines of a project, their account codes and their budgets. */

import { type AuditChange, type AuditState, changeOf, isChange } from '../core/audit.ts';
import { count } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import {
  type Budget,
  type BudgetLine,
  type BudgetLineDraft,
  matchLines,
  signBudget,
} from '../core/projects.ts';
import type { Db } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';

/** A project's budget lines, in the order of the project file. */
export function listLines({ db, organisation }: Access, projectId: number): BudgetLine[] {
  return selectLines(db)
    .all(organisation.id, projectId)
    .map((line) => ({ ...line, accountCodes: JSON.parse(line.accountCodes) }));
}

const selectLines = statement<
  [OrgId, number],
  Omit<BudgetLine, 'accountCodes'> & { readonly accountCodes: string }
>`select id, code, name, category, kind, total_minor as totalMinor,
          (select json_group_array(account_code order by position)
             from budget_line_account_codes c
            where c.organisation_id = l.organisation_id and c.project_id = l.project_id
              and c.budget_line_id = l.id) as accountCodes
     from budget_lines l where organisation_id = ? and project_id = ? order by position, id`;

export function listAllocatedLines(
  { db, organisation }: Access,
  projectId: number,
): ReadonlySet<number> {
  return new Set(selectAllocatedLines(db).pluck().all(organisation.id, projectId));
}

const selectAllocatedLines = statement<[OrgId, number], number>`
  select id from budget_lines l where organisation_id = ? and project_id = ? and exists (
     select 1 from allocations a where a.organisation_id = l.organisation_id
        and a.project_id = l.project_id and a.budget_line_id = l.id)`;

export function findLine({ db, organisation }: Access, id: number) {
  return selectProject(db).get(organisation.id, id);
}

const selectProject = statement<[OrgId, number], { projectId: number }>`
  select project_id as projectId from budget_lines where organisation_id = ? and id = ?`;

/** Everything about a line that a project file can change, with amounts as the file has them. */
export interface LinePlan extends Omit<BudgetLine, 'totalMinor'> {
  readonly budget: Budget;
}

/** A project's budget lines in the order of the project file, with their budgets. */
export function listLinePlans(access: Access, projectId: number): LinePlan[] {
  const { db, organisation } = access;
  const budgets = new Map(selectMonths(db).raw().all(organisation.id, projectId));
  return listLines(access, projectId).map(({ totalMinor, ...line }) => {
    const budget: Budget =
      totalMinor === null
        ? {
            mode: 'monthly',
            byMonth: new Map(Object.entries<number>(JSON.parse(budgets.get(line.id) ?? '{}'))),
          }
        : { mode: 'total', totalMinor };
    return { ...line, budget: signBudget(budget, line.kind) };
  });
}

/**
 * Replaces a project's budget lines and returns the changes for the audit log. The caller provides
 * the atomic step. Existing lines are matched by number, else by code, or by name if they have
 * none. Throws `conflict` when a line to remove has allocations or is used by a rule, and
 * `invalid_input` for a negative amount on an income line.
 */
export function saveLines(
  access: Access,
  {
    projectId,
    drafts,
    stored = listLinePlans(access, projectId),
  }: {
    projectId: number;
    drafts: readonly BudgetLineDraft[];
    stored?: readonly LinePlan[] | undefined;
  },
): AuditChange[] {
  const { db, organisation } = access;
  const matched = matchLines(stored, drafts);
  const kept = new Set(matched);
  for (const line of stored) if (!kept.has(line)) removeLine(access, projectId, line);
  // Lines can exchange their codes, and no two can ever have the same one.
  for (const [at, line] of matched.entries()) {
    if (line !== undefined && line.code !== drafts[at]?.code)
      clearCode(db).run(organisation.id, line.id);
  }
  const before = new Map(stored.map((line, at) => [line.id, stateOf(line, at)]));
  const changeTo = (id: number, after: AuditState | null) => {
    return changeOf(formatId('bln', id), before.get(id) ?? null, after);
  };
  // In the order of the stored lines, which are removed unless a draft changes or keeps them.
  const changes = new Map(stored.map(({ id }) => [id, changeTo(id, null)]));
  const months: Record<string, Readonly<Record<string, number>>> = {};
  const dropped: (readonly [lineId: number, month: string])[] = [];
  for (const [position, draft] of drafts.entries()) {
    const known = matched[position];
    const line = { ...draft, kind: draft.kind ?? known?.kind ?? 'expense' };
    if (line.kind === 'income') refuseNegative(line);
    if (known !== undefined && known.kind !== line.kind)
      refuse(findFixing(access, known, 'change kind'));
    const after = stateOf(line, position);
    const change = changeTo(known?.id ?? 0, after);
    if (known !== undefined) changes.set(known.id, change);
    if (!isChange(change)) continue;
    const isOnlyMonths =
      known?.budget.mode === 'monthly' &&
      line.budget.mode === 'monthly' &&
      Object.keys(change.after ?? {}).join() === 'budgetMinor';
    const place = { orgId: organisation.id, projectId, position, known };
    const id = isOnlyMonths ? known.id : saveLine(db, place, line);
    if (known === undefined) changes.set(id, changeTo(id, after));
    const amounts = monthsOf(signBudget(line.budget, line.kind));
    months[id] = amounts;
    for (const month of known === undefined ? [] : byMonthOf(known.budget).keys()) {
      if (!(month in amounts)) dropped.push([id, month]);
    }
  }
  // One statement for all lines takes half as long as one for each.
  deleteMonths(db).run(organisation.id, projectId, JSON.stringify(dropped));
  saveMonths(db).run(organisation.id, projectId, JSON.stringify(months));
  return [...changes.values()].filter(isChange);
}

/** Whoever writes that a line is income, or a file from before that does not say so. */
function refuseNegative({ code, name, budget }: Pick<LinePlan, 'code' | 'name' | 'budget'>): void {
  const amounts: Iterable<readonly [place: string, amountMinor: number]> =
    budget.mode === 'total' ? [['the total', budget.totalMinor]] : budget.byMonth;
  for (const [place, amountMinor] of amounts) {
    if (amountMinor >= 0) continue;
    const line = nameLine({ code, name });
    const message = `Budget line ${line} is income, and its budget for ${place} is negative.`;
    throw new Failure('invalid_input', `${message} Write what is expected without the minus.`);
  }
}

/** What a statement has reported of a line stays what it was called and counted as. */
export function findFixing(
  { db, organisation }: Access,
  line: Pick<LinePlan, 'id' | 'code' | 'name'>,
  what: 'change kind' | 'be removed',
): string | undefined {
  const found = selectReporting(db).get(organisation.id, line.id);
  if (found === undefined) return undefined;
  const statement = `statement ${found.number} of "${found.project}" has reported it`;
  return `Budget line ${nameLine(line)} cannot ${what}: ${statement}.`;
}

/** The first statement, not withdrawn, with an item of a line. */
const selectReporting = statement<[OrgId, number], { number: number; project: string }>`
  select number, (select name from projects p where p.id = project_id) as project
     from statements where organisation_id = ? and withdrawn_at is null
      and exists (select 1 from statement_items i
                   where i.statement_id = statements.id and i.budget_line_id = ?)
    order by project_id, number limit 1`;

function nameLine({ code, name }: Pick<LinePlan, 'code' | 'name'>): string {
  return code === null ? `"${name}"` : `${code} "${name}"`;
}

/** A line as the audit log compares it. */
function stateOf(line: Omit<LinePlan, 'id'>, position: number): AuditState {
  const { code, name, category, kind, accountCodes, budget } = line;
  const budgetMinor = budget.mode === 'total' ? budget.totalMinor : monthsOf(budget);
  return { code, name, category, kind, position, accountCodes, budgetMinor };
}

/** Writes a line that changes, or a new one. */
function saveLine(
  db: Db,
  {
    known,
    ...place
  }: { orgId: OrgId; projectId: number; position: number; known: LinePlan | undefined },
  line: Omit<LinePlan, 'id'>,
): number {
  const { orgId, projectId } = place;
  const { code, name, category, kind, accountCodes } = line;
  const budget = signBudget(line.budget, kind);
  const totalMinor = budget.mode === 'total' ? budget.totalMinor : null;
  const values = { ...place, id: known?.id ?? null, code, name, category, kind, totalMinor };
  const id = known?.id ?? Number(insertLine(db).run(values).lastInsertRowid);
  if (known !== undefined) updateLine(db).run(values);
  const codes = JSON.stringify(accountCodes);
  if (codes !== JSON.stringify(known?.accountCodes ?? [])) {
    deleteCodes(db).run(orgId, projectId, id);
    insertCodes(db).run(orgId, projectId, id, codes);
  }
  return id;
}

function byMonthOf(budget: Budget): ReadonlyMap<string, number> {
  return budget.mode === 'total' ? new Map() : budget.byMonth;
}

function monthsOf(budget: Budget): Readonly<Record<string, number>> {
  return Object.fromEntries(byMonthOf(budget));
}

function removeLine({ db, organisation }: Access, projectId: number, line: LinePlan): void {
  const allocated = selectAllocated(db).get(organisation.id, projectId, line.id)?.transactions ?? 0;
  const id = formatId('bln', line.id);
  refuse(findObstacle({ db, organisation }, projectId, line));
  if (allocated > 0) {
    refuse(
      `Budget line ${nameLine(line)} (${id}) has allocations of ` +
        `${count(allocated, 'transaction')} and cannot be removed. Keep the line, or ` +
        'allocate its transactions to another line ' +
        `first: \`budgetd transactions list --line ${id}\` lists them.`,
    );
  }
  deleteLine(db).run(organisation.id, projectId, line.id);
}

/**
 * Why a line cannot be removed, even without allocations; undefined if it can. What nobody can
 * change comes first.
 */
export function findObstacle(
  access: Access,
  projectId: number,
  line: Pick<LinePlan, 'id' | 'code' | 'name'>,
): string | undefined {
  const { db, organisation } = access;
  const fixed = findFixing(access, line, 'be removed');
  const rule = selectRule(db).pluck().get(organisation.id, projectId, line.id);
  if (fixed !== undefined || rule === undefined) return fixed;
  const used = `Budget line ${nameLine(line)} is used by the rule "${rule}"`;
  return `${used} and cannot be removed. Change or remove the rule first.`;
}

function refuse(message: string | undefined): void {
  if (message !== undefined) throw new Failure('conflict', message);
}

// An object for each line, in a third of the time of a record for each month.
const selectMonths = statement<[OrgId, number], [lineId: number, amountsByMonth: string]>`
  select budget_line_id, json_group_object(month, amount_minor order by month)
     from budget_amounts where organisation_id = ? and project_id = ? group by budget_line_id`;
const insertLine = statement<[SqlRecord]>`insert into budget_lines
     (organisation_id, project_id, code, name, category, kind, position, total_minor)
   values (@orgId, @projectId, @code, @name, @category, @kind, @position, @totalMinor)`;
const updateLine = statement<[SqlRecord]>`update budget_lines
      set code = @code, name = @name, category = @category, kind = @kind, position = @position,
          total_minor = @totalMinor
    where organisation_id = @orgId and project_id = @projectId and id = @id`;
const clearCode = statement<[OrgId, number]>`
  update budget_lines set code = null where organisation_id = ? and id = ?`;
const deleteLine = statement<[OrgId, number, number]>`
  delete from budget_lines where organisation_id = ? and project_id = ? and id = ?`;
const deleteCodes = statement<[OrgId, number, number]>`delete from budget_line_account_codes
    where organisation_id = ? and project_id = ? and budget_line_id = ?`;
const insertCodes = statement<[OrgId, number, number, accountCodes: string]>`
  insert into budget_line_account_codes
     (organisation_id, project_id, budget_line_id, account_code, position)
   select ?, ?, ?, value, key from json_each(?)`;
const deleteMonths = statement<[OrgId, number, linesAndMonths: string]>`delete from budget_amounts
    where organisation_id = ? and project_id = ?
      and (budget_line_id, month) in (select value ->> 0, value ->> 1 from json_each(?))`;
const saveMonths = statement<[OrgId, number, amountsByLineAndMonth: string]>`
  insert into budget_amounts
     (organisation_id, project_id, budget_line_id, month, amount_minor)
   select ?, ?, line.key, m.key, m.value from json_each(?) line, json_each(line.value) m where true
   on conflict do update set amount_minor = excluded.amount_minor`;
// The plus has SQLite seek the line: it would read all allocations in the order of transactions.
const selectAllocated = statement<[OrgId, number, number], { transactions: number }>`
  select count(distinct +transaction_id) as transactions from allocations
    where organisation_id = ? and project_id = ? and budget_line_id = ?`;
// Of a rule that is on or off.
const selectRule = statement<[OrgId, number, number], string>`
  select r.name from rule_shares s cross join rules r on r.id = s.rule_id
    where s.organisation_id = ? and s.project_id = ? and s.budget_line_id = ?
    order by r.position limit 1`;
