/** Chooses, sorts and adds up the lines of a report, to show a part of it. */

import { type LineKind, turn } from './projects.ts';
import type { Cell, ReportFigures, ReportLine } from './report.ts';
import { foldCase } from './text.ts';

/** Which lines of a report are wanted. */
interface LineFilter {
  /** Part of the code, name or category; case does not matter. */
  readonly search: string | undefined;
  readonly overBudget: boolean;
}

export function selectLines(
  rows: readonly ReportLine[],
  { search, overBudget }: LineFilter,
): ReportLine[] {
  const wanted = search === undefined ? undefined : foldCase(search);
  return rows.filter((row) => {
    const { code, name, category } = row.line;
    const isFound =
      wanted === undefined ||
      [code, name, category].some((text) => foldCase(text ?? '').includes(wanted));
    return isFound && (!overBudget || isOverBudget(row));
  });
}

/** Whether more was spent on a line for expenses than its budget, over the whole project. */
export function isOverBudget({ line, total }: ReportLine): boolean {
  return line.kind === 'expense' && total.variance < 0;
}

/** The lines over budget, the furthest over first. */
export function furthestOver(lines: readonly ReportLine[]): ReportLine[] {
  return lines.filter(isOverBudget).sort((a, b) => a.total.variance - b.total.variance);
}

/** The lines of a kind as people read them: what is expected and received of income is positive. */
export function linesOfKind(rows: readonly ReportLine[], kind: LineKind): ReportLine[] {
  const own = rows.filter(({ line }) => line.kind === kind);
  return kind === 'income' ? own.map(turnFigures) : own;
}

/** The sums of some lines, and of those for income among them, with the sign of money. */
export interface KindFigures {
  readonly totals: ReportFigures;
  readonly income: ReportFigures;
}

/** The sum of the lines of a kind as people read it. */
export function sumOfKind({ totals, income }: KindFigures, kind: LineKind): ReportFigures {
  const turned = turnFigures(income);
  return kind === 'income' ? turned : addFigures([totals, turned]);
}

/** Figures, turned into the other direction. */
export function turnFigures<Figures extends ReportFigures>(figures: Figures): Figures {
  const turnCell = ({ budgeted, actual, variance }: Cell): Cell => {
    return { budgeted: turn(budgeted), actual: turn(actual), variance: turn(variance) };
  };
  const { cells, outsideActual, total } = figures;
  const turned = { cells: cells.map(turnCell), outsideActual: turn(outsideActual) };
  return { ...figures, ...turned, total: turnCell(total) };
}

/**
 * What is in the total and in no period: a project below can have months that the report has not,
 * and what is dated outside the project is in none.
 */
export function outsideOf({ cells, total, outsideActual: actual }: ReportFigures): Cell {
  const budgeted = cells.reduce((rest, cell) => rest - cell.budgeted, total.budgeted);
  return { budgeted, actual, variance: budgeted - actual };
}

/** Whether nothing is budgeted or spent. */
export function isZero({ budgeted, actual }: Cell): boolean {
  return budgeted === 0 && actual === 0;
}

const NOTHING: Cell = { budgeted: 0, actual: 0, variance: 0 };

export function addFigures(lines: readonly ReportFigures[]): ReportFigures {
  return lines.reduce((sum, { cells, outsideActual, total }) => ({
    cells: cells.map((cell, index) => addCells(sum.cells[index] ?? NOTHING, cell)),
    outsideActual: sum.outsideActual + outsideActual,
    total: addCells(sum.total, total),
  }));
}

/** The sum of two cells. */
export function addCells(a: Cell, b: Cell): Cell {
  return {
    budgeted: a.budgeted + b.budgeted,
    actual: a.actual + b.actual,
    variance: a.variance + b.variance,
  };
}
