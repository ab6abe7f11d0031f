/** A report added up by hand: the sums of a project by line and month. */

import type { Db } from '../../src/database/database.ts';

interface Sum {
  line: number;
  month: string;
  amount: number;
}

interface LineSheet {
  line: number;
  budgeted: number;
  actual: number;
  months: Record<string, { budgeted: number; actual: number; variance: number }>;
}

/** Reads the budget and actual of every cell, and adds up each line. */
export function addUpReport(db: Db, project: number): LineSheet[] {
  const budgets = db
    .prepare<[number], Sum>(
      `select budget_line_id as line, month, amount_minor as amount
         from budget_amounts where organisation_id = 1 and project_id = ?`,
    )
    .all(project);
  const actuals = db
    .prepare<[number], Sum>(
      `select budget_line_id as line, month, inside_minor as amount
         from actuals where organisation_id = 1 and project_id = ?`,
    )
    .all(project);
  const sheets = new Map<number, LineSheet>();
  for (const { line, month, amount } of budgets) {
    let sheet = sheets.get(line);
    if (sheet === undefined) {
      sheet = { line, budgeted: 0, actual: 0, months: {} };
      sheets.set(line, sheet);
    }
    sheet.months[month] = { budgeted: amount, actual: 0, variance: amount };
    sheet.budgeted += amount;
  }
  for (const { line, month, amount } of actuals) {
    const sheet = sheets.get(line);
    const cell = sheet?.months[month];
    if (sheet === undefined || cell === undefined) continue;
    cell.actual += amount;
    cell.variance -= amount;
    sheet.actual += amount;
  }
  return [...sheets.values()];
}
