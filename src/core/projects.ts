/** A project, its budget lines and their budgets: monthly, or a total spread over the months. */

import { monthsBetween } from './calendar.ts';
import { explainMissing, Failure } from './failures.ts';
import { formatId } from './ids.ts';
import { shareEqually } from './money.ts';

/** The two forms of a project's budget (contract 4). */
export const BUDGET_MODES = ['monthly', 'total'] as const;
export type BudgetMode = (typeof BUDGET_MODES)[number];

/** A budget line's budget: minor units by month, in order, or one total. */
export type Budget =
  | { readonly mode: 'monthly'; readonly byMonth: ReadonlyMap<string, number> }
  | { readonly mode: 'total'; readonly totalMinor: number };

/** A line as people name it. */
export function nameLine({ code, name }: { readonly code: string | null; readonly name: string }) {
  return code === null ? name : `${code} ${name}`;
}

/** Whether a line is for money out or for money in (contract 13). */
export const LINE_KINDS = ['expense', 'income'] as const;
export type LineKind = (typeof LINE_KINDS)[number];

/** The kinds of some lines in the order in which people read them; without income only expenses. */
export function kindsOf(lines: readonly { readonly kind: LineKind }[]): readonly LineKind[] {
  return lines.some(({ kind }) => kind === 'income') ? ['income', 'expense'] : ['expense'];
}

/**
 * The budget of an income line with its sign turned round: people write what is expected as a
 * positive amount, and money in is negative inside.
 */
export function signBudget(budget: Budget, kind: LineKind): Budget {
  if (kind === 'expense') return budget;
  if (budget.mode === 'total') return { mode: 'total', totalMinor: turn(budget.totalMinor) };
  const months = [...budget.byMonth].map(([month, minor]) => [month, turn(minor)] as const);
  return { mode: 'monthly', byMonth: new Map(months) };
}

/** An amount, turned into the other direction. */
export function turn(amountMinor: number): number {
  return amountMinor === 0 ? 0 : -amountMinor;
}

/** An amount of a line as people read it: what came in on an income line is positive. */
export function turnIncome(kind: LineKind | undefined, amountMinor: number): number {
  return kind === 'income' ? turn(amountMinor) : amountMinor;
}

/** A budget line as it is stored. */
export interface BudgetLine {
  readonly id: number;
  readonly code: string | null;
  readonly name: string;
  readonly category: string | null;
  readonly kind: LineKind;
  readonly accountCodes: readonly string[];
  /** The budget in budgetMode `total`; null in `monthly`. */
  readonly totalMinor: number | null;
}

export interface BudgetLineDraft extends Omit<BudgetLine, 'id' | 'kind' | 'totalMinor'> {
  /** The stored line that it changes: by default the one with its `lineKey`. */
  readonly id?: number | undefined;
  /** Absent: as it is stored; a new line is for expenses. */
  readonly kind?: LineKind | undefined;
  /** Positive for what is expected of an income line. */
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
  /** What finance systems call it. */
  readonly codes: readonly string[];
  /**
   * How far a line may be off before a statement asks for a reason, in hundredths of a percent;
   * null asks for none.
   */
  readonly toleranceHundredths: number | null;
  /** Absent: as it is; a new project is not archived. */
  readonly isArchived?: boolean | undefined;
  readonly budgetLines: readonly BudgetLineDraft[];
}

/** A tolerance in percent, as people and files write it. */
export function tolerancePercentOf(hundredths: number | null): number | null {
  return hundredths === null ? null : hundredths / 100;
}

/** Whether more than the tolerance is between two amounts (contract 14); never with null. */
export function isBeyond(
  minor: number,
  budgetMinor: number,
  toleranceHundredths: number | null,
): boolean {
  if (toleranceHundredths === null) return false;
  // Products of whole numbers below 2^53 would not be exact.
  const off = 10_000n * BigInt(Math.abs(minor - budgetMinor));
  return off > BigInt(toleranceHundredths) * BigInt(Math.abs(budgetMinor));
}

/** What identifies a line at the next import: its code or, without one, its name. */
export function lineKey(line: Pick<BudgetLine, 'code' | 'name'>): string {
  return line.code === null ? `name ${line.name}` : `code ${line.code}`;
}

/**
 * The stored line that each draft changes, in the order of the drafts; undefined for a new line.
 * Throws a Failure for the number of a line that is not in the project, or that is used twice.
 */
export function matchLines<Line extends Pick<BudgetLine, 'id' | 'code' | 'name'>>(
  stored: readonly Line[],
  drafts: readonly BudgetLineDraft[],
): (Line | undefined)[] {
  const byId = new Map(stored.map((line) => [line.id, line]));
  const others = new Map(byId);
  for (const { id } of drafts) {
    if (id === undefined || others.delete(id)) continue;
    const shown = formatId('bln', id);
    if (byId.has(id)) throw new Failure('invalid_input', `Budget line ${shown} is listed twice.`);
    throw new Failure('not_found', explainMissing('budget line', `${shown} in this project`));
  }
  const byKey = new Map([...others.values()].map((line) => [lineKey(line), line]));
  return drafts.map((draft) => {
    return draft.id === undefined ? byKey.get(lineKey(draft)) : byId.get(draft.id);
  });
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
