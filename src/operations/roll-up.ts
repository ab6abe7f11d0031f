/** Reports of projects that have others below them. */

import { type Granularity, monthOf } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import type { Cell, ReportFigures, ReportRow } from '../core/report.ts';
import { addCells, addFigures } from '../core/report-lines.ts';
import { sumUnallocated, type Unallocated } from '../store/totals.ts';
import { type Access, consistently } from './access.ts';
import { listAll } from './pages.ts';
import {
  getProject,
  getReport,
  listProjects,
  type ProjectRecord,
  type ReportRecord,
} from './projects.ts';

/** A project directly below, in the periods of the one above, with everything below it. */
interface ChildFigures extends ReportFigures {
  readonly project: ProjectRecord;
}

/** A report with the projects below. */
export interface RolledUp {
  readonly report: ReportRecord;
  readonly children: readonly ChildFigures[];
  /** Every project below with its own report by months: by name, each followed by its own. */
  readonly below: readonly ProjectBelow[];
  /** The lines of the project and everything below it. */
  readonly totals: ReportFigures;
  /** The lines that are over their budget, and by how much together. */
  readonly over: { readonly lines: number; readonly sumMinor: number };
  /** What of their amounts is under review. */
  readonly reviewMinor: number;
  /** What of them was recoded after it was allocated. */
  readonly recodedMinor: number;
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

/**
 * The report of a project, and the figures of the projects below it. What is budgeted and spent
 * there outside the periods of the project above counts as outside. Refuses with `not_found`.
 */
export function getRolledUp(access: Access, id: string, granularity?: Granularity): RolledUp {
  return consistently(access, () => rollUp(access, id, granularity));
}

function rollUp(access: Access, id: string, granularity?: Granularity): RolledUp {
  const report = getReport(access, id, granularity);
  const branches = listChildren(access, id).map((project) => {
    return { project, parts: listBranch(access, project) };
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
  const codes = [getProject(access, id), ...below.map(({ project }) => project)].flatMap(
    (project) => project.codes,
  );
  const over = rows.filter(({ total }) => total.variance < 0);
  return {
    report,
    children,
    below,
    totals: addFigures([report.totals, ...children]),
    over: {
      lines: over.length,
      sumMinor: over.reduce((sum, { total }) => sum - total.variance, 0),
    },
    unallocated: sumUnallocated(access, { from, to, codes }),
    reviewMinor: reports.reduce((sum, { needsReview }) => sum + needsReview.amountMinor, 0),
    recodedMinor: reports.reduce((sum, { recoded }) => sum + recoded.amountMinor, 0),
    hasOutside: [...rows, ...children].some(({ outsideActual }) => outsideActual !== 0),
  };
}

/** The lines of a project below in the periods of the report. */
export function alignRows(
  part: ProjectBelow,
  { report }: Pick<RolledUp, 'report'>,
): readonly ReportRow[] {
  return align(part.report.rows, part, report);
}

function listChildren(access: Access, id: string): readonly ProjectRecord[] {
  return listAll((page) => listProjects(access, { ...page, parentProjectId: id }));
}

/** A project and everything below it. */
function listBranch(access: Access, project: ProjectRecord): readonly ProjectBelow[] {
  const id = formatId('prj', project.id);
  const below = listChildren(access, id).flatMap((each) => listBranch(access, each));
  return [{ project, report: getReport(access, id) }, ...below];
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
