/** A project, its budget lines and their budgets: by month, or one total spread over its months. */

import { monthsBetween } from './calendar.ts';
import { shareEqually } from './shares.ts';

/** How a project's budget is stated (contract 4). */
export const BUDGET_MODES = ['monthly', 'total'] as const;
export type BudgetMode = (typeof BUDGET_MODES)[number];

/** A budget line's budget: minor units by month, or one total. */
export type Budget =
  | { readonly mode: 'monthly'; readonly byMonth: ReadonlyMap<string, number> }
  | { readonly mode: 'total'; readonly totalMinor: number };

/** A budget line as a project file states it. */
export interface BudgetLineDraft {
  readonly code: string | null;
  readonly name: string;
  readonly category: string | null;
  readonly accountCodes: readonly string[];
  readonly budget: Budget;
}

/** A project as a project file states it (contract 8). */
export interface ProjectDraft {
  readonly name: string;
  readonly description: string | null;
  readonly startDate: string;
  readonly endDate: string;
  readonly budgetMode: BudgetMode;
  /** The name of another project, in the file or already stored. */
  readonly parentProject: string | null;
  readonly funderName: string | null;
  readonly funderReference: string | null;
  readonly budgetLines: readonly BudgetLineDraft[];
}

/** How a line is found again at the next import: by its code, or by its name where it has none. */
export function lineKey(line: { readonly code: string | null; readonly name: string }): string {
  return line.code === null ? `name ${line.name}` : `code ${line.code}`;
}

/**
 * A total over the months of a project: equal shares in minor units, the remainder one unit each to
 * the earliest months (contract 4).
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
