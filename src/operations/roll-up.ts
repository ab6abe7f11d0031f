/** Reports of projects that have others below them. */

import { type MonthRange, monthOf } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import type { Cell, ReportFigures, ReportRow } from '../core/report.ts';
import { addCells, addFigures, furthestOver, linesOfKind } from '../core/report-lines.ts';
import { dayIn } from '../core/time-zones.ts';
import { countMarked, type MarkedParts } from '../store/reports.ts';
import { sumUnallocated, type Unallocated } from '../store/totals.ts';
import { type Access, consistently } from './access.ts';
import { listAll } from './pages.ts';
import {
  getProject,
  getReport,
  listProjects,
  type ProjectRecord,
  type ReportQuery,
  type ReportRecord,
} from './projects.ts';

/** A project directly below, in the periods of the one above, with everything below it. */
interface ChildFigures extends ReportFigures {
  readonly project: ProjectRecord;
}

/** A report with the projects below. */
export interface RolledUp extends MarkedParts {
  readonly project: ProjectRecord;
  readonly report: ReportRecord;
  readonly children: readonly ChildFigures[];
  /** Every project below with its own report by months: by name, each followed by its own. */
  readonly below: readonly ProjectBelow[];
  /** The lines of the project and everything below it. */
  readonly totals: ReportFigures;
  /** The lines that are over their budget, and by how much together. */
  readonly over: { readonly lines: number; readonly sumMinor: number };
  /** As in the report, without what is coded to none of these projects but to others. */
  readonly unallocated: Unallocated;
  /** Whether any of them has amounts outside the periods, even if they add up to nothing. */
  readonly hasOutside: boolean;
}

/** A project below, in its own months. */
interface ProjectBelow {
  readonly project: ProjectRecord;
  readonly report: ReportRecord;
}

/** Which report, and whether the projects below are in it: they are unless it says otherwise. */
interface RollUpQuery extends ReportQuery {
  readonly withSubProjects?: boolean;
}

/**
 * The report of a project, and the figures of the projects below it. What is budgeted and spent
 * there outside the periods of the project above counts as outside. Refuses with `not_found`.
 */
export function getRolledUp(access: Access, id: string, query: RollUpQuery = {}): RolledUp {
  return consistently(access, () => rollUp(access, id, query));
}

function rollUp(access: Access, id: string, query: RollUpQuery): RolledUp {
  const { withSubProjects = true, ...wanted } = query;
  const project = getProject(access, id);
  const report = getReport(access, id, wanted);
  const isPart = query.from !== undefined || query.to !== undefined;
  // Of some months, nothing is outside: those below are read for the same ones.
  const months = isPart ? { from: monthOf(report.startDate), to: monthOf(report.endDate) } : {};
  const branches = (withSubProjects ? listChildren(access, id) : []).map((child) => {
    return { project: child, parts: listBranch(access, child, months) };
  });
  const zeros = report.periods.map(() => NOTHING);
  const nothing: ReportFigures = { cells: zeros, outsideActual: 0, total: NOTHING };
  const children = branches.map(({ project, parts }): ChildFigures => {
    const figures = parts.flatMap((part) => align([part.report.totals], part, report));
    return { project, ...addFigures([nothing, ...figures]) };
  });
  const below = branches.flatMap(({ parts }) => parts);
  const reports = [report, ...below.map((each) => each.report)];
  const rows = reports.flatMap((each) => each.rows);
  const { startDate: from, endDate: to } = report;
  const projects = [project, ...below.map((part) => part.project)];
  const codes = projects.flatMap((each) => each.codes);
  const numbers = projects.map((each) => each.id);
  const over = furthestOver(rows);
  return {
    project,
    report,
    children,
    below,
    totals: addFigures([report.totals, ...children]),
    over: {
      lines: over.length,
      sumMinor: over.reduce((sum, { total }) => sum - total.variance, 0),
    },
    unallocated: sumUnallocated(access, { from, to, codes }),
    ...(below.length === 0
      ? { needsReview: report.needsReview, recoded: report.recoded }
      : countMarked(access, numbers, isPart ? { from, to } : {})),
    hasOutside: [...rows, ...children].some(({ outsideActual }) => outsideActual !== 0),
  };
}

/** What the report adds up: the lines of the project, then those of each project below. */
export function listParts({ project, report, below }: RolledUp): readonly ReportPart[] {
  return [
    { project, lines: report.rows },
    ...below.map((part) => {
      return { project: part.project, lines: align(part.report.rows, part, report) };
    }),
  ];
}

/** The lines of one project, in the periods of a report. */
interface ReportPart {
  readonly project: ProjectRecord;
  readonly lines: readonly ReportRow[];
}

/** What should have been spent by now: the budget of the expenses to the end of this month. */
export interface BudgetToDate {
  /** `YYYY-MM`. */
  readonly month: string;
  readonly minor: number;
}

/** The budget to date of a rolled-up report, in the time zone of the organisation. */
export function budgetToDate(
  access: Access,
  { project }: RolledUp,
  nowMs: number,
  query: RollUpQuery = {},
): BudgetToDate {
  const today = monthOf(dayIn(access.organisation.timeZone, nowMs));
  const { to = today } = query;
  const month = to < today ? to : today;
  const due = getRolledUp(access, formatId('prj', project.id), { ...query, to: month });
  const lines = listParts(due).flatMap((part) => linesOfKind(part.lines, 'expense'));
  return { month, minor: lines.reduce((sum, { total }) => sum + total.budgeted, 0) };
}

function listChildren(access: Access, id: string): readonly ProjectRecord[] {
  return listAll((page) => listProjects(access, { ...page, parentProjectId: id }));
}

/** A project and everything below it. */
function listBranch(
  access: Access,
  project: ProjectRecord,
  months: MonthRange,
): readonly ProjectBelow[] {
  const id = formatId('prj', project.id);
  const below = listChildren(access, id).flatMap((each) => listBranch(access, each, months));
  return [{ project, report: getReport(access, id, months) }, ...below];
}

/** Figures by months in the periods of another report. */
function align<Figures extends ReportFigures>(
  all: readonly Figures[],
  { report: from }: ProjectBelow,
  { periods }: ReportRecord,
): Figures[] {
  const columns = from.periods.map(({ key }) => {
    return periods.findIndex(
      (each) => monthOf(each.startDate) <= key && key <= monthOf(each.endDate),
    );
  });
  return all.map((figures) => {
    const cells = periods.map(() => NOTHING);
    for (const [at, index] of columns.entries()) {
      const before = cells[index];
      if (before !== undefined) cells[index] = addCells(before, figures.cells[at] ?? NOTHING);
    }
    const inside = cells.reduce((sum, { actual }) => sum + actual, 0);
    return { ...figures, cells, outsideActual: figures.total.actual - inside };
  });
}

const NOTHING: Cell = { budgeted: 0, actual: 0, variance: 0 };
