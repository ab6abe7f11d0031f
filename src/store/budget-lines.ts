/** The budget lines of a project, their account codes and their budgets. */

import { type AuditChange, type AuditState, changeOf, isChange } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import { type BudgetLineDraft, lineKey } from '../core/projects.ts';
import type { Db } from './database.ts';
import { type SqlRecord, statement } from './statements.ts';

/** A stored budget line. */
export interface BudgetLineRecord {
  readonly id: number;
  readonly code: string | null;
  readonly name: string;
  readonly category: string | null;
  /** The budget in budgetMode `total`; null in `monthly`. */
  readonly totalMinor: number | null;
}

/** A project's budget lines, in the order of the project file. */
export function listLines(db: Db, orgId: OrgId, projectId: number): BudgetLineRecord[] {
  return selectLines(db).all(orgId, projectId);
}

const selectLines = statement<[OrgId, number], BudgetLineRecord>(
  `select id, code, name, category, total_minor as totalMinor
     from budget_lines where organisation_id = ? and project_id = ? order by position, id`,
);

/**
 * Replaces a project's budget lines with those of its file and returns the changes for the audit
 * log. The caller provides the atomic step. Existing lines are matched by code, or by name if they
 * have none. Throws `conflict` when a line to remove has allocations.
 */
export function saveLines(
  db: Db,
  orgId: OrgId,
  change: { projectId: number; drafts: readonly BudgetLineDraft[] },
): AuditChange[] {
  const { projectId, drafts } = change;
  const before = readStates(db, orgId, projectId);
  const known = new Map(listLines(db, orgId, projectId).map((line) => [lineKey(line), line]));
  for (const [position, draft] of drafts.entries()) {
    const found = known.get(lineKey(draft));
    known.delete(lineKey(draft));
    const id = saveLine(db, { orgId, projectId, position, id: found?.id ?? null }, draft);
    saveParts(db, { orgId, projectId, id }, draft);
  }
  for (const line of known.values()) removeLine(db, orgId, projectId, line);
  const after = readStates(db, orgId, projectId);
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((id) => changeOf(formatId('bln', id), before.get(id) ?? null, after.get(id) ?? null))
    .filter(isChange);
}

/** Everything about a project's lines that an import can change, by line number. */
function readStates(db: Db, orgId: OrgId, projectId: number): Map<number, AuditState> {
  const codes = groupByLine(selectCodes(db).all(orgId, projectId));
  const budgets = groupByLine(listBudgets(db, orgId, projectId));
  return new Map(
    listLines(db, orgId, projectId).map(({ id, code, name, category, totalMinor }, position) => {
      const months = (budgets.get(id) ?? []).map(({ month, amountMinor }) => [month, amountMinor]);
      const accountCodes = (codes.get(id) ?? []).map(({ accountCode }) => accountCode);
      const budgetMinor: AuditState | number = totalMinor ?? Object.fromEntries(months);
      return [id, { code, name, category, position, accountCodes, budgetMinor }];
    }),
  );
}

function groupByLine<Part extends { lineId: number }>(parts: readonly Part[]) {
  const groups = new Map<number, Part[]>();
  for (const part of parts) {
    const group = groups.get(part.lineId);
    if (group === undefined) groups.set(part.lineId, [part]);
    else group.push(part);
  }
  return groups;
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

function removeLine(db: Db, orgId: OrgId, projectId: number, line: BudgetLineRecord): void {
  if (selectAllocated(db).get(orgId, projectId, line.id) !== undefined) {
    const name = line.code === null ? `"${line.name}"` : `${line.code} "${line.name}"`;
    throw new Failure(
      'conflict',
      `Budget line ${name} (${formatId('bln', line.id)}) has allocations but is not in the file. ` +
        'Put the line back, or allocate its transactions to another line first.',
    );
  }
  deleteLine(db).run(orgId, projectId, line.id);
}

/** The budgets of a project with budgetMode `monthly`, by line and month. */
export function listBudgets(
  db: Db,
  orgId: OrgId,
  projectId: number,
): { lineId: number; month: string; amountMinor: number; outsideMinor: 0 }[] {
  return selectBudgets(db).all(orgId, projectId);
}

const selectBudgets = statement<
  [OrgId, number],
  { lineId: number; month: string; amountMinor: number; outsideMinor: 0 }
>(
  `select budget_line_id as lineId, month, amount_minor as amountMinor, 0 as outsideMinor
     from budget_amounts where organisation_id = ? and project_id = ?
    order by budget_line_id, month`,
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
      set name = @name, category = @category, position = @position, total_minor = @totalMinor
    where organisation_id = @orgId and project_id = @projectId and id = @id`,
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
const selectAllocated = statement<[OrgId, number, number], { found: 1 }>(
  `select 1 as found from allocations
    where organisation_id = ? and project_id = ? and budget_line_id = ? limit 1`,
);
