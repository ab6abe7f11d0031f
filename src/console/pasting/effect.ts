/** What a pasted table would change in a project. */

import { formatId } from '../../core/ids.ts';
import { kindsOf, type LineKind } from '../../core/projects.ts';
import type { BudgetLineInput, ProjectPlan } from '../../operations/project-plans.ts';
import type { LinePlan } from '../../store/budget-lines.ts';
import { amountsOf, columnsOf } from '../pages/project-drafts.ts';
import type { PastedLine, PastedTable } from './table.ts';

/** A line that a table changes: before and after. */
export interface ChangedLine {
  readonly line: LinePlan;
  readonly input: PastedLine;
  /** The columns of its amounts that change, with both. */
  readonly amounts: readonly (readonly [column: string, from: number, to: number])[];
}

/** What a table would do to the lines of a project. */
interface TableEffect {
  readonly added: readonly PastedLine[];
  readonly changed: readonly ChangedLine[];
  readonly removed: readonly LinePlan[];
  /** How many stay as they are. */
  readonly same: number;
  /** Whether those that stay come in another order. */
  readonly isReordered: boolean;
  /** All lines of each kind together, before and after. */
  readonly sums: readonly (readonly [kind: LineKind, beforeMinor: number, afterMinor: number])[];
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
    sums: kindsOf([...plan.lines, ...lines]).map((kind) => {
      const isOwn = (line: Pick<LinePlan, 'kind'>) => line.kind === kind;
      const before = plan.lines.filter(isOwn).flatMap(amountsOf);
      const after = lines.filter(isOwn).map(sumOf);
      return [kind, addUp(before.map(([, minor]) => minor)), addUp(after)] as const;
    }),
  };
}

/** The amounts of a line of a table together. */
export function sumOf({ budgetMinor = 0 }: BudgetLineInput): number {
  return typeof budgetMinor === 'number' ? budgetMinor : addUp(Object.values(budgetMinor));
}

function amountIn({ budgetMinor = 0 }: BudgetLineInput, column: string): number {
  return typeof budgetMinor === 'number' ? budgetMinor : (budgetMinor[column] ?? 0);
}

function textsOf({ code, name, category, kind, accountCodes }: LinePlan | PastedLine): string {
  return JSON.stringify([code, name, category, kind, accountCodes]);
}

function addUp(minors: readonly number[]): number {
  return minors.reduce((sum, minor) => sum + minor, 0);
}
