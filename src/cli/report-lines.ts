/** Chooses, sorts and adds up the lines of a report, for its tables and its CSV. */

import { foldCase } from '../core/text.ts';
import { addAmounts } from './amounts.ts';
import type { Report, ReportCell, ReportRow } from './documents.ts';

/** The figures of one line, or the sum of several. */
export type Figures = Pick<ReportRow, 'cells' | 'outsideActual' | 'total'>;

/** Which lines of a report are wanted. */
export interface LineFilter {
  /** Part of the code, name or category; case does not matter. */
  readonly search: string | undefined;
  readonly overBudget: boolean;
}

/** The lines of a report that match a filter. */
export function selectLines({ rows }: Report, { search, overBudget }: LineFilter): ReportRow[] {
  const wanted = search === undefined ? undefined : foldCase(search);
  return rows.filter((line) => {
    const texts = [line.code, line.name, line.category];
    const isFound =
      wanted === undefined || texts.some((text) => foldCase(text ?? '').includes(wanted));
    return isFound && (!overBudget || isOverBudget(line));
  });
}

/** Whether more was spent on the line than its budget, over the whole project. */
export function isOverBudget({ total }: Figures): boolean {
  return total.variance < 0;
}

/** Whether a line has a budget or an actual in any period. */
export function isUsed({ cells, outsideActual }: Figures): boolean {
  return (
    outsideActual !== 0 || cells.some(({ budgeted, actual }) => budgeted !== 0 || actual !== 0)
  );
}

/** The lines over budget, the furthest over first. */
export function furthestOver(lines: readonly ReportRow[]): ReportRow[] {
  return lines.filter(isOverBudget).sort((a, b) => a.total.variance - b.total.variance);
}

/** The lines with the most spending, in the order of the report. */
export function largestLines({ rows }: Report, number: number): ReportRow[] {
  const bySpending = [...rows].sort((a, b) => Math.abs(b.total.actual) - Math.abs(a.total.actual));
  const largest = new Set(bySpending.slice(0, number));
  return rows.filter((line) => largest.has(line));
}

/** The sum of figures, exact to the minor unit. */
export function addFigures(lines: readonly Figures[], periods: number, currency: string): Figures {
  const add = (amounts: readonly number[]) => addAmounts(amounts, currency);
  const addCells = (cells: readonly ReportCell[]): ReportCell => ({
    budgeted: add(cells.map(({ budgeted }) => budgeted)),
    actual: add(cells.map(({ actual }) => actual)),
    variance: add(cells.map(({ variance }) => variance)),
  });
  const columns = Array.from({ length: periods }, (_, index) =>
    addCells(lines.flatMap(({ cells }) => cells.slice(index, index + 1))),
  );
  return {
    cells: columns,
    outsideActual: add(lines.map(({ outsideActual }) => outsideActual)),
    total: addCells(lines.map(({ total }) => total)),
  };
}
