/** What a pasted table would change in a project. */

import { formatId } from '../../core/ids.ts';
import type { BudgetLineInput, LinePlan, ProjectPlan } from '../../operations/project-plans.ts';
import { amountsOf, columnsOf } from '../pages/project-drafts.ts';
import type { PastedTable } from './table.ts';

/** A line that a table changes: before and after. */
export interface ChangedLine {
  readonly line: LinePlan;
  readonly input: BudgetLineInput;
  /** The columns of its amounts that change, with both. */
  readonly amounts: readonly (readonly [column: string, from: number, to: number])[];
}

/** What a table would do to the lines of a project. */
interface TableEffect {
  readonly added: readonly BudgetLineInput[];
  readonly changed: readonly ChangedLine[];
  readonly removed: readonly LinePlan[];
  /** How many stay as they are. */
  readonly same: number;
  /** Whether those that stay come in another order. */
  readonly isReordered: boolean;
  readonly beforeMinor: number;
  readonly afterMinor: number;
}

/** Compares a table with the project. */
export function effectOf(plan: ProjectPlan, { lines }: PastedTable): TableEffect {
  const columns = columnsOf(plan).map(({ key }) => key);
  const byId = new Map(plan.lines.map((line) => [formatId('bln', line.id), line]));
  const known = lines.flatMap((input): ChangedLine[] => {
    const line = byId.get(input.budgetLineId ?? '');
    if (line === undefined) return [];
    const before = new Map(amountsOf(line));
    const amounts = columns.flatMap((column) => {
      const [from, to] = [before.get(column) ?? 0, amountIn(input, column)];
      return from === to ? [] : [[column, from, to] as const];
    });
    return [{ line, input, amounts }];
  });
  const changed = known.filter(({ line, input, amounts }) => {
    return amounts.length > 0 || textsOf(line) !== textsOf(input);
  });
  const kept = new Set(known.map(({ line }) => line));
  const stored = plan.lines.filter((line) => kept.has(line));
  return {
    added: lines.filter(({ budgetLineId }) => budgetLineId === undefined),
    changed,
    removed: plan.lines.filter((line) => !kept.has(line)),
    same: known.length - changed.length,
    isReordered: stored.some((line, at) => line !== known[at]?.line),
    beforeMinor: addUp(plan.lines.flatMap((line) => amountsOf(line).map(([, minor]) => minor))),
    afterMinor: addUp(lines.map(sumOf)),
  };
}

/** The amounts of a line of a table together. */
export function sumOf({ budgetMinor = 0 }: BudgetLineInput): number {
  return typeof budgetMinor === 'number' ? budgetMinor : addUp(Object.values(budgetMinor));
}

function amountIn({ budgetMinor = 0 }: BudgetLineInput, column: string): number {
  return typeof budgetMinor === 'number' ? budgetMinor : (budgetMinor[column] ?? 0);
}

function textsOf({ code, name, category, accountCodes }: LinePlan | BudgetLineInput): string {
  return JSON.stringify([code, name, category, accountCodes]);
}

function addUp(minors: readonly number[]): number {
  return minors.reduce((sum, minor) => sum + minor, 0);
}
