/** Reports of projects that have others below them. */

import { type MonthRange, monthOf } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import { kindsOf, type LineKind } from '../core/projects.ts';
import {
  addToMonth,
  type Cell,
  type DueMonths,
  dueMonths,
  dueOf,
  type MonthsBudget,
  type ReportFigures,
  type ReportLine,
} from '../core/report.ts';
import {
  addCells,
  addFigures,
  furthestOver,
  type KindFigures,
  sumOfKind,
} from '../core/report-lines.ts';
import { dayIn } from '../core/time-zones.ts';
import type { Access } from '../store/access.ts';
import type { ProjectRecord } from '../store/projects.ts';
import {
  countMarked,
  countReportLines,
  type MarkedParts,
  type ProjectSums,
  sumMonths,
  sumProjects,
} from '../store/reports.ts';
import { sumUnallocated, type Unallocated } from '../store/totals.ts';
import { consistently } from './access.ts';
import { listAll } from './pages.ts';
import {
  getProject,
  listProjects,
  type PartReport,
  type ReportChoice,
  takePartReport,
} from './projects.ts';
import { finish, type Steps, steadily } from './turns.ts';

/** A project directly below, in the periods of the one above, with everything below it. */
interface ChildFigures extends KindFigures {
  readonly project: ProjectRecord;
  /** The kinds of its lines, and of those below it. */
  readonly kinds: readonly LineKind[];
}

/** A report with the projects below: its sums are of all lines of the project and below it. */
export interface RolledUp extends MarkedParts, KindFigures {
  readonly project: ProjectRecord;
  readonly report: PartReport;
  readonly children: readonly ChildFigures[];
  /** Every project below with its own report by months: by name, each followed by its own. */
  readonly below: readonly ProjectBelow[];
  readonly kinds: readonly LineKind[];
  /** The budget of their expenses in each month, whatever the periods are. */
  readonly byMonth: ReadonlyMap<string, number>;
  /** The lines that are over their budget, and by how much together. */
  readonly over: { readonly lines: number; readonly sumMinor: number };
  /** In the days of the report, without what is coded to none of these projects but to others. */
  readonly unallocated: Unallocated;
  /** Whether any of them has amounts outside the periods, even if they add up to nothing. */
  readonly hasOutside: boolean;
}

/** A project below, in its own months. */
interface ProjectBelow {
  readonly project: ProjectRecord;
  readonly report: PartReport;
}

/** Which report, and whether the projects below are in it: they are unless it says otherwise. */
interface RollUpQuery extends ReportChoice {
  readonly withSubProjects?: boolean;
}

/**
 * The report of a project, and the figures of the projects below it. What is budgeted and spent
 * there outside the periods of the project above counts as outside. Refuses with `not_found`.
 */
export function getRolledUp(access: Access, id: string, query: RollUpQuery = {}): RolledUp {
  return consistently(access, () => finish(rollUp(access, id, query)));
}

/** What `getRolledUp` reads, in short steps. */
export function takeRolledUp(access: Access, id: string, query: RollUpQuery = {}): Steps<RolledUp> {
  return steadily(access, () => rollUp(access, id, query));
}

function* rollUp(access: Access, id: string, query: RollUpQuery): Steps<RolledUp> {
  const { withSubProjects = true, ...wanted } = query;
  const project = getProject(access, id);
  const report = yield* takePartReport(access, id, wanted);
  const isPart = query.from !== undefined || query.to !== undefined;
  // Of some months, nothing is outside: those below are read for the same ones.
  const months = isPart ? { from: monthOf(report.startDate), to: monthOf(report.endDate) } : {};
  const branches: { project: ProjectRecord; parts: readonly ProjectBelow[] }[] = [];
  for (const child of withSubProjects ? listChildren(access, id) : []) {
    branches.push({ project: child, parts: yield* listBranch(access, child, months) });
  }
  const zeros = report.periods.map(() => NOTHING);
  const nothing: ReportFigures = { cells: zeros, outsideActual: 0, total: NOTHING };
  const children = branches.map(({ project, parts }): ChildFigures => {
    const add = (name: 'totals' | 'income') => {
      const figures = parts.flatMap((part) => align([part.report[name]], part, report));
      return addFigures([nothing, ...figures]);
    };
    const kinds = kindsIn(parts.flatMap((part) => part.report.rows));
    return { project, kinds, totals: add('totals'), income: add('income') };
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
    kinds: kindsIn(rows),
    byMonth: addMonths(reports),
    totals: addFigures([report.totals, ...children.map((each) => each.totals)]),
    income: addFigures([report.income, ...children.map((each) => each.income)]),
    over: {
      lines: over.length,
      sumMinor: over.reduce((sum, { total }) => sum - total.variance, 0),
    },
    unallocated: sumUnallocated(access, { from, to, codes }),
    ...(below.length === 0
      ? { needsReview: report.needsReview, recoded: report.recoded }
      : countMarked(access, numbers, isPart ? { from, to } : {})),
    hasOutside: [...rows, ...children.flatMap((each) => [each.totals, each.income])].some(
      ({ outsideActual }) => outsideActual !== 0,
    ),
  };
}

function addMonths(all: readonly Pick<RolledUp, 'byMonth'>[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const { byMonth } of all) {
    for (const [month, minor] of byMonth) addToMonth(sum, month, minor);
  }
  return sum;
}

function kindsIn(rows: readonly ReportLine[]): readonly LineKind[] {
  return kindsOf(rows.map(({ line }) => line));
}

/**
 * What the report adds up: the lines of the project, then those of each project below, in the
 * periods of the report.
 */
export function* listParts({ project, report, below }: RolledUp) {
  yield { project, lines: report.rows };
  for (const part of below) {
    yield { project: part.project, lines: align(part.report.rows, part, report) };
  }
}

/** The budget to date of a rolled-up report, in the time zone of the organisation. */
export function budgetToDate(
  access: Access,
  { project }: RolledUp,
  nowMs: number,
  query: RollUpQuery = {},
) {
  const today = monthOf(dayIn(access.organisation.timeZone, nowMs));
  const { to = today } = query;
  const month = to < today ? to : today;
  const due = getRolledUp(access, formatId('prj', project.id), { ...query, to: month });
  return { month, minor: sumOfKind(due, 'expense').total.budgeted };
}

/** How far a project is, with everything below it: its expenses. */
export interface Standing {
  readonly project: ProjectRecord;
  readonly total: Cell;
  /** Undefined without lines for income. */
  readonly income: { readonly expectedMinor: number; readonly receivedMinor: number } | undefined;
  /** Its budget to the end of today: of this month, the part of its days that have passed. */
  readonly dueMinor: number;
  readonly linesOver: number;
}

/** Lines whose totals, or months, are read in one step: 3 ms, or 7 for the largest project. */
const LINES_AT_ONCE = 1_000;

/** A project with what it and those below it add up to. */
interface Branch {
  readonly project: ProjectRecord;
  readonly due: DueMonths;
  readonly sums: ProjectSums[];
  readonly budgets: MonthsBudget[];
}

/** The totals of every project by name, as {@link getRolledUp} has them. */
export function* listStandings(access: Access, today: string): Steps<readonly Standing[]> {
  const projects = listAll((page) => listProjects(access, page));
  const branches = new Map<number, Branch>(
    projects.map((project) => {
      return [project.id, { project, due: dueMonths(today, project), sums: [], budgets: [] }];
    }),
  );
  // What is due of a project is also summed in the months of each above it, which can be others.
  const parts: { project: ProjectRecord; months: DueMonths; branch: Branch }[] = [];
  const lines = countReportLines(access);
  for (const step of stepsByLines([...lines.keys()], (id) => lines.get(id) ?? 0)) {
    for (const sums of sumProjects(access, step)) {
      const own = branches.get(sums.id);
      let above = own;
      while (own !== undefined && above !== undefined) {
        above.sums.push(sums);
        parts.push({ project: own.project, months: above.due, branch: above });
        above = branches.get(above.project.parentProjectId ?? 0);
      }
    }
    yield;
  }
  for (const step of stepsByLines(parts, ({ project }) => lines.get(project.id) ?? 0)) {
    for (const [index, budget] of sumMonths(access, step).entries()) {
      step[index]?.branch.budgets.push(budget);
    }
    yield;
  }
  return [...branches.values()].map(standingOf);
}

/** A list in parts, each with so few lines as can be read in one step. */
function* stepsByLines<Item>(items: readonly Item[], linesOf: (item: Item) => number) {
  let step: Item[] = [];
  let lines = 0;
  for (const item of items) {
    lines += linesOf(item);
    if (step.length > 0 && lines > LINES_AT_ONCE) {
      yield step;
      step = [];
      lines = linesOf(item);
    }
    step.push(item);
  }
  if (step.length > 0) yield step;
}

function standingOf({ project, due, sums, budgets }: Branch): Standing {
  const add = (read: (each: ProjectSums) => number) =>
    sums.reduce((sum, each) => sum + read(each), 0);
  const [budgeted, actual] = [add((each) => each.budgetMinor), add((each) => each.actualMinor)];
  const income = {
    expectedMinor: add((each) => each.expectedMinor ?? 0),
    receivedMinor: add((each) => each.receivedMinor ?? 0),
  };
  return {
    project,
    total: { budgeted, actual, variance: budgeted - actual },
    income: sums.some((each) => each.expectedMinor !== null) ? income : undefined,
    dueMinor: dueOf(budgets, due),
    linesOver: add((each) => each.linesOver),
  };
}

function listChildren(access: Access, id: string): readonly ProjectRecord[] {
  return listAll((page) => listProjects(access, { ...page, parentProjectId: id }));
}

/** Every project below one: by name, each followed by its own. */
export function listBelow(access: Access, { id }: ProjectRecord): readonly ProjectRecord[] {
  const children = listChildren(access, formatId('prj', id));
  return children.flatMap((each) => [each, ...listBelow(access, each)]);
}

/** A project and everything below it. */
function* listBranch(
  access: Access,
  project: ProjectRecord,
  months: MonthRange,
): Steps<readonly ProjectBelow[]> {
  const parts: ProjectBelow[] = [];
  for (const each of [project, ...listBelow(access, project)]) {
    const report = yield* takePartReport(access, formatId('prj', each.id), months);
    parts.push({ project: each, report });
    yield;
  }
  return parts;
}

/** Figures by months in the periods of another report. */
function align<Figures extends ReportFigures>(
  all: readonly Figures[],
  { report: from }: ProjectBelow,
  { periods }: PartReport,
): Figures[] {
  const columns = from.periods.map(({ key }) =>
    periods.findIndex((each) => monthOf(each.startDate) <= key && key <= monthOf(each.endDate)),
  );
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
