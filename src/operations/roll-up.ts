/** Reports of projects that have others below them. */

import type { Granularity } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import type { Cell, ReportFigures } from '../core/report.ts';
import { type Access, consistently } from './access.ts';
import { listAll } from './pages.ts';
import { getReport, listProjects, type ProjectRecord, type ReportRecord } from './projects.ts';

/** A project below another one, in the periods of that one, with everything below it. */
export interface ChildFigures extends ReportFigures {
  readonly project: ProjectRecord;
}

/** A report with the projects below. */
export interface RolledUp {
  readonly report: ReportRecord;
  readonly children: readonly ChildFigures[];
  /** The lines of the project and everything below it. */
  readonly totals: ReportFigures;
  /** Those of these lines that are over their budget, and by how much together. */
  readonly over: { readonly lines: number; readonly sumMinor: number };
  /** What of their amounts is under review. */
  readonly reviewMinor: number;
  /** Whether any of them has amounts outside the periods, even if they add up to nothing. */
  readonly hasOutside: boolean;
}

/**
 * The report of a project, and the figures of the projects below it. What is spent there outside
 * the periods of the project above counts as outside. Refuses with `not_found`.
 */
export function getRolledUp(access: Access, id: string, granularity?: Granularity): RolledUp {
  return consistently(access, () => rollUp(access, id, granularity));
}

function rollUp(access: Access, id: string, granularity?: Granularity): RolledUp {
  const report = getReport(access, id, granularity);
  const below = listAll((page) => listProjects(access, { ...page, parentProjectId: id }));
  const parts = below.map((project) => {
    const rolled = rollUp(access, formatId('prj', project.id), granularity);
    return { ...rolled, child: { project, ...align(rolled.totals, rolled.report, report) } };
  });
  const children = parts.map(({ child }): ChildFigures => child);
  const { rows, needsReview } = report;
  const over = rows.filter(({ total }) => total.variance < 0);
  const overMinor = over.reduce((sum, { total }) => sum - total.variance, 0);
  return {
    report,
    children,
    totals: children.reduce(add, report.totals),
    over: {
      lines: parts.reduce((sum, each) => sum + each.over.lines, over.length),
      sumMinor: parts.reduce((sum, each) => sum + each.over.sumMinor, overMinor),
    },
    reviewMinor: parts.reduce((sum, each) => sum + each.reviewMinor, needsReview.amountMinor),
    hasOutside:
      rows.some(({ outsideActual }) => outsideActual !== 0) ||
      parts.some(({ hasOutside, child }) => hasOutside || child.outsideActual !== 0),
  };
}

/** Figures in the periods of another report. */
function align(figures: ReportFigures, from: ReportRecord, to: ReportRecord): ReportFigures {
  const indexes = new Map(from.periods.map(({ key }, index) => [key, index]));
  const cells = to.periods.map(({ key }): Cell => {
    const index = indexes.get(key);
    return (index === undefined ? undefined : figures.cells[index]) ?? NOTHING;
  });
  const inside = cells.reduce((sum, { actual }) => sum + actual, 0);
  return { cells, outsideActual: figures.total.actual - inside, total: figures.total };
}

const NOTHING: Cell = { budgeted: 0, actual: 0, variance: 0 };

function add(one: ReportFigures, other: ReportFigures): ReportFigures {
  return {
    cells: one.cells.map((each, index) => addCells(each, other.cells[index] ?? NOTHING)),
    outsideActual: one.outsideActual + other.outsideActual,
    total: addCells(one.total, other.total),
  };
}

function addCells(one: Cell, other: Cell): Cell {
  return {
    budgeted: one.budgeted + other.budgeted,
    actual: one.actual + other.actual,
    variance: one.variance + other.variance,
  };
}
