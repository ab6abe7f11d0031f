/** The budget lines of a project, their account codes and their budgets. */

import { type AuditChange, type AuditState, changeOf, isChange } from '../core/audit.ts';
import { count } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { type Budget, type BudgetLineDraft, matchLines } from '../core/projects.ts';
import type { Db } from '../database/database.ts';
import { type SqlRecord, statement } from '../database/statements.ts';
import type { Access } from './access.ts';

/** A stored budget line. */
export interface BudgetLineRecord {
  readonly id: number;
  readonly code: string | null;
  readonly name: string;
  readonly category: string | null;
  readonly accountCodes: readonly string[];
  /** The budget in budgetMode `total`; null in `monthly`. */
  readonly totalMinor: number | null;
}

/** A project's budget lines, in the order of the project file. */
export function listLines({ db, organisation }: Access, projectId: number): BudgetLineRecord[] {
  const codes = new Map<number, string[]>();
  for (const { lineId, accountCode } of selectCodes(db).all(organisation.id, projectId)) {
    const known = codes.get(lineId);
    if (known === undefined) codes.set(lineId, [accountCode]);
    else known.push(accountCode);
  }
  return selectLines(db)
    .all(organisation.id, projectId)
    .map((line) => ({ ...line, accountCodes: codes.get(line.id) ?? [] }));
}

const selectLines = statement<[OrgId, number], Omit<BudgetLineRecord, 'accountCodes'>>(
  `select id, code, name, category, total_minor as totalMinor
     from budget_lines where organisation_id = ? and project_id = ? order by position, id`,
);

/** Which lines of a project have allocations. */
export function listAllocatedLines(
  { db, organisation }: Access,
  projectId: number,
): ReadonlySet<number> {
  return new Set(selectAllocatedLines(db).pluck().all(organisation.id, projectId));
}

const selectAllocatedLines = statement<[OrgId, number], number>(
  `select id from budget_lines l where organisation_id = ? and project_id = ? and exists (
     select 1 from allocations a where a.organisation_id = l.organisation_id
        and a.project_id = l.project_id and a.budget_line_id = l.id)`,
);

/** The project of a line, or undefined. */
export function findLine(
  { db, organisation }: Access,
  id: number,
): { projectId: number } | undefined {
  return selectProject(db).get(organisation.id, id);
}

/** The project of a line. Throws the same `not_found` for another organisation's as for none. */
export function requireLine(access: Access, id: number): { projectId: number } {
  const line = findLine(access, id);
  if (line !== undefined) return line;
  const message = `There is no budget line ${formatId('bln', id)}.`;
  throw new Failure('not_found', `${message} Check the id, or use the line's code.`);
}

const selectProject = statement<[OrgId, number], { projectId: number }>(
  'select project_id as projectId from budget_lines where organisation_id = ? and id = ?',
);

/** Everything that is stored about a line and that a project file can change. */
export interface LinePlan extends Omit<BudgetLineRecord, 'totalMinor'> {
  readonly budget: Budget;
}

/** A project's budget lines in the order of the project file, with their budgets. */
export function listLinePlans(access: Access, projectId: number): LinePlan[] {
  const { db, organisation } = access;
  const budgets = new Map<number, Map<string, number>>();
  for (const [lineId, month, amountMinor] of selectMonths(db)
    .raw()
    .all(organisation.id, projectId)) {
    const months = budgets.get(lineId);
    if (months === undefined) budgets.set(lineId, new Map([[month, amountMinor]]));
    else months.set(month, amountMinor);
  }
  return listLines(access, projectId).map(({ totalMinor, ...line }) => {
    const budget: Budget =
      totalMinor === null
        ? { mode: 'monthly', byMonth: budgets.get(line.id) ?? new Map() }
        : { mode: 'total', totalMinor };
    return { ...line, budget };
  });
}

/**
 * Replaces a project's budget lines and returns the changes for the audit log. The caller provides
 * the atomic step. Existing lines are matched by number, else by code, or by name if they have
 * none. Throws `conflict` when a line to remove has allocations.
 */
export function saveLines(
  access: Access,
  change: { projectId: number; drafts: readonly BudgetLineDraft[] },
): AuditChange[] {
  const { db, organisation } = access;
  const { projectId, drafts } = change;
  const before = readStates(access, projectId);
  const stored = listLines(access, projectId);
  const matched = matchLines(stored, drafts);
  for (const line of stored) {
    if (!matched.includes(line)) removeLine(access, projectId, line);
  }
  // Lines can exchange their codes, and no two can ever have the same one.
  for (const [at, line] of matched.entries()) {
    if (line !== undefined && line.code !== drafts[at]?.code)
      clearCode(db).run(organisation.id, line.id);
  }
  for (const [position, draft] of drafts.entries()) {
    const known = matched[position]?.id ?? null;
    const id = saveLine(db, { orgId: organisation.id, projectId, position, id: known }, draft);
    saveParts(db, { orgId: organisation.id, projectId, id }, draft);
  }
  const after = readStates(access, projectId);
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => changeOf(formatId('bln', id), before.get(id) ?? null, after.get(id) ?? null))
    .filter(isChange);
}

/** A project's lines as the audit log compares them, by line number. */
function readStates(access: Access, projectId: number): Map<number, AuditState> {
  return new Map(
    listLinePlans(access, projectId).map(({ id, budget, ...line }, position) => {
      const { code, name, category, accountCodes } = line;
      const budgetMinor =
        budget.mode === 'total' ? budget.totalMinor : Object.fromEntries(budget.byMonth);
      return [id, { code, name, category, position, accountCodes, budgetMinor }];
    }),
  );
}

function saveLine(
  db: Db,
  place: { orgId: OrgId; projectId: number; position: number; id: number | null },
  draft: BudgetLineDraft,
): number {
  const { code, name, category, budget } = draft;
  const totalMinor = budget.mode === 'total' ? budget.totalMinor : null;
  const values = { ...place, code, name, category, totalMinor };
  if (place.id === null) return Number(insertLine(db).run(values).lastInsertRowid);
  updateLine(db).run(values);
  return place.id;
}

function saveParts(
  db: Db,
  place: { orgId: OrgId; projectId: number; id: number },
  draft: BudgetLineDraft,
): void {
  const { orgId, projectId, id } = place;
  deleteCodes(db).run(orgId, projectId, id);
  deleteBudget(db).run(orgId, projectId, id);
  for (const [position, code] of draft.accountCodes.entries()) {
    insertCode(db).run(orgId, code, projectId, id, position);
  }
  if (draft.budget.mode === 'total') return;
  for (const [month, amountMinor] of draft.budget.byMonth) {
    insertBudget(db).run(orgId, projectId, id, month, amountMinor);
  }
}

function removeLine({ db, organisation }: Access, projectId: number, line: BudgetLineRecord): void {
  const allocated = selectAllocated(db).get(organisation.id, projectId, line.id)?.transactions ?? 0;
  if (allocated > 0) {
    const name = line.code === null ? `"${line.name}"` : `${line.code} "${line.name}"`;
    const id = formatId('bln', line.id);
    throw new Failure(
      'conflict',
      `Budget line ${name} (${id}) has allocations of ${count(allocated, 'transaction')} and ` +
        'cannot be removed. Put the line back, or allocate its transactions to another line ' +
        `first: \`budgetd transactions list --line ${id}\` lists them.`,
    );
  }
  deleteLine(db).run(organisation.id, projectId, line.id);
}

const selectMonths = statement<
  [OrgId, number],
  [lineId: number, month: string, amountMinor: number]
>(
  `select budget_line_id, month, amount_minor from budget_amounts
    where organisation_id = ? and project_id = ? order by budget_line_id, month`,
);
const selectCodes = statement<[OrgId, number], { lineId: number; accountCode: string }>(
  `select budget_line_id as lineId, account_code as accountCode
     from budget_line_account_codes where organisation_id = ? and project_id = ?
    order by budget_line_id, position`,
);
const insertLine = statement<[SqlRecord]>(
  `insert into budget_lines
     (organisation_id, project_id, code, name, category, position, total_minor)
   values (@orgId, @projectId, @code, @name, @category, @position, @totalMinor)`,
);
const updateLine = statement<[SqlRecord]>(
  `update budget_lines
      set code = @code, name = @name, category = @category, position = @position,
          total_minor = @totalMinor
    where organisation_id = @orgId and project_id = @projectId and id = @id`,
);
const clearCode = statement<[OrgId, number]>(
  'update budget_lines set code = null where organisation_id = ? and id = ?',
);
const deleteLine = statement<[OrgId, number, number]>(
  'delete from budget_lines where organisation_id = ? and project_id = ? and id = ?',
);
const deleteCodes = statement<[OrgId, number, number]>(
  `delete from budget_line_account_codes
    where organisation_id = ? and project_id = ? and budget_line_id = ?`,
);
const insertCode = statement<[OrgId, string, number, number, number]>(
  `insert into budget_line_account_codes
     (organisation_id, account_code, project_id, budget_line_id, position)
   values (?, ?, ?, ?, ?)`,
);
const deleteBudget = statement<[OrgId, number, number]>(
  `delete from budget_amounts
    where organisation_id = ? and project_id = ? and budget_line_id = ?`,
);
const insertBudget = statement<[OrgId, number, number, string, number]>(
  `insert into budget_amounts
     (organisation_id, project_id, budget_line_id, month, amount_minor)
   values (?, ?, ?, ?, ?)`,
);
// The plus has SQLite seek the line: it would read all allocations in the order of transactions.
const selectAllocated = statement<[OrgId, number, number], { transactions: number }>(
  `select count(distinct +transaction_id) as transactions from allocations
    where organisation_id = ? and project_id = ? and budget_line_id = ?`,
);
