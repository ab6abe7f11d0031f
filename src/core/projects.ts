/** A project, its budget lines and their budgets: monthly, or a total spread over the months. */

import { monthsBetween } from './calendar.ts';
import { shareEqually } from './shares.ts';

/** The two forms of a project's budget (contract 4). */
export const BUDGET_MODES = ['monthly', 'total'] as const;
export type BudgetMode = (typeof BUDGET_MODES)[number];

/** A budget line's budget: minor units by month, or one total. */
export type Budget =
  | { readonly mode: 'monthly'; readonly byMonth: ReadonlyMap<string, number> }
  | { readonly mode: 'total'; readonly totalMinor: number };

/** A budget line of a project file. */
export interface BudgetLineDraft {
  readonly code: string | null;
  readonly name: string;
  readonly category: string | null;
  readonly accountCodes: readonly string[];
  readonly budget: Budget;
}

/** A project of a project file (contract 8). */
export interface ProjectDraft {
  readonly name: string;
  readonly description: string | null;
  readonly startDate: string;
  readonly endDate: string;
  readonly budgetMode: BudgetMode;
  /** The name of another project, in the file or in the database. */
  readonly parentProject: string | null;
  readonly funderName: string | null;
  readonly funderReference: string | null;
  readonly budgetLines: readonly BudgetLineDraft[];
}

/** What identifies a line at the next import: its code or, without one, its name. */
export function lineKey(line: { readonly code: string | null; readonly name: string }): string {
  return line.code === null ? `name ${line.name}` : `code ${line.code}`;
}

/**
 * Spreads a total over the months of a project: equal shares in minor units, and the remainder, one
 * unit each, to the earliest months (contract 4).
 */
export function spreadTotal(
  totalMinor: number,
  startDate: string,
  endDate: string,
): Map<string, number> {
  const months = monthsBetween(startDate, endDate);
  const shares = shareEqually(totalMinor, months.length);
  return new Map(months.map((month, index) => [month, shares[index] ?? 0]));
}
