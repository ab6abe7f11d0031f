/** Budget against actual, in minor units. Variance is always budgeted - actual. */

import {
  cutToMonths,
  type Days,
  type Granularity,
  monthOf,
  monthsBetween,
  type Period,
  periodsBetween,
  quarterOf,
  shareUntil,
} from './calendar.ts';
import { type BudgetLine, type BudgetMode, spreadTotal } from './projects.ts';

/** One cell of a report (Spec 2.2), in minor units. */
export interface Cell {
  readonly budgeted: number;
  readonly actual: number;
  readonly variance: number;
}

export interface MonthSum {
  readonly lineId: number;
  readonly month: string;
  readonly amountMinor: number;
  /** Allocated but dated outside the project; always 0 for a budget. */
  readonly outsideMinor: number;
}

/** The data of a report; its days are the project's. */
interface ReportFacts extends Days {
  /** The days of some months of the project; absent: a report of all, with what is outside. */
  readonly part?: Days | undefined;
  readonly budgetMode: BudgetMode;
  readonly lines: readonly BudgetLine[];
  readonly budgets: readonly MonthSum[];
  readonly actuals: readonly MonthSum[];
}

/** The figures of one line, or of all lines. */
export interface ReportFigures {
  readonly cells: readonly Cell[];
  readonly outsideActual: number;
  readonly total: Cell;
}

export interface ReportLine extends ReportFigures {
  readonly line: BudgetLine;
}

/** A report in minor units: periods, a row for each line, totals (contract 4). */
interface ReportFiguresByLine {
  readonly periods: readonly Period[];
  readonly rows: readonly ReportLine[];
  readonly totals: ReportFigures;
  /** The sum of the lines for income, with the sign of money. */
  readonly income: ReportFigures;
  /** The budget of the expenses in each month, whatever the periods are. */
  readonly byMonth: ReadonlyMap<string, number>;
}

/** Adds up a project's sums into the cells of a report (Spec 4.3, contract 4). */
export function buildReport(facts: ReportFacts, granularity: Granularity): ReportFiguresByLine {
  const { startDate, endDate } = facts.part ?? facts;
  const periods = periodsBetween(startDate, endDate, granularity);
  const numbers = new Map(periods.map((period, index) => [period.key, index]));
  const columns = new Map(
    monthsBetween(startDate, endDate).map((month) => {
      return [month, numbers.get(granularity === 'monthly' ? month : quarterOf(month))];
    }),
  );
  const columnOf = (month: string) => columns.get(month) ?? -1;
  const sheets = new Map(facts.lines.map((line) => [line.id, new Sheet(periods.length)]));
  const all = new Sheet(periods.length);
  const income = new Sheet(periods.length);
  const isIncome = new Set(facts.lines.filter(({ kind }) => kind === 'income').map(({ id }) => id));
  const byMonth = new Map<string, number>();

  for (const { lineId, month, amountMinor } of [...facts.budgets, ...spreadTotals(facts)]) {
    const column = columnOf(month);
    sheets.get(lineId)?.budget(column, amountMinor);
    all.budget(column, amountMinor);
    if (isIncome.has(lineId)) income.budget(column, amountMinor);
    else addToMonth(byMonth, month, amountMinor);
  }
  for (const sum of facts.actuals) {
    const counted = facts.part === undefined ? sum : { ...sum, outsideMinor: 0 };
    const column = columnOf(sum.month);
    sheets.get(sum.lineId)?.spend(column, counted);
    all.spend(column, counted);
    if (isIncome.has(sum.lineId)) income.spend(column, counted);
  }
  const rows = facts.lines.map((line) => {
    const sheet = sheets.get(line.id) ?? new Sheet(periods.length);
    return { line, ...sheet.figures() };
  });
  return { periods, rows, totals: all.figures(), income: income.figures(), byMonth };
}

/** The months of some days, `YYYY-MM`, whose budget is due, and how much of the last one. */
export interface DueMonths {
  readonly from: string;
  readonly to: string;
  readonly part: number;
}

/** The months that have begun on a day; of the present one is due the part that has passed. */
export function dueMonths(today: string, days: Days): DueMonths {
  const [from, last] = [monthOf(days.startDate), monthOf(days.endDate)];
  const to = last < today ? last : monthOf(today);
  return { from, to, part: shareUntil(today, cutToMonths(days, { from: to, to })) };
}

/** What is budgeted in these months, and in the last of them. */
export interface MonthsBudget {
  readonly minor: number;
  readonly lastMinor: number;
}

/** The sum of a budget by months. */
export function budgetIn(
  byMonth: ReadonlyMap<string, number>,
  { from, to }: DueMonths,
): MonthsBudget {
  const within = [...byMonth].filter(([month]) => from <= month && month <= to);
  const minor = within.reduce((sum, [, each]) => sum + each, 0);
  return { minor, lastMinor: from <= to ? (byMonth.get(to) ?? 0) : 0 };
}

/** What of the sum of these budgets is due. */
export function dueOf(budgets: readonly MonthsBudget[], { part }: DueMonths): number {
  const minor = budgets.reduce((sum, each) => sum + each.minor - each.lastMinor, 0);
  const lastMinor = budgets.reduce((sum, each) => sum + each.lastMinor, 0);
  return minor + Math.round(lastMinor * part);
}

export function addToMonth(byMonth: Map<string, number>, month: string, minor: number): void {
  byMonth.set(month, (byMonth.get(month) ?? 0) + minor);
}

/** Running sums of budget and actual, by column. */
class Sheet {
  readonly #budgeted: number[];
  readonly #actual: number[];
  #outside = 0;

  constructor(columns: number) {
    this.#budgeted = new Array<number>(columns).fill(0);
    this.#actual = new Array<number>(columns).fill(0);
  }

  budget(column: number, amountMinor: number): void {
    if (column >= 0) this.#budgeted[column] = (this.#budgeted[column] ?? 0) + amountMinor;
  }

  spend(column: number, sum: MonthSum): void {
    // A month outside the project has no column: all of its sum is outside.
    if (column >= 0) this.#actual[column] = (this.#actual[column] ?? 0) + sum.amountMinor;
    this.#outside += sum.outsideMinor;
  }

  figures(): ReportFigures {
    const cells = this.#budgeted.map((budgeted, index) => cell(budgeted, this.#actual[index] ?? 0));
    const budgeted = cells.reduce((sum, each) => sum + each.budgeted, 0);
    const actual = cells.reduce((sum, each) => sum + each.actual, this.#outside);
    return { cells, outsideActual: this.#outside, total: cell(budgeted, actual) };
  }
}

function cell(budgeted: number, actual: number): Cell {
  return { budgeted, actual, variance: budgeted - actual };
}

function* spreadTotals(facts: ReportFacts): Generator<MonthSum> {
  for (const line of facts.lines) {
    if (line.totalMinor === null) continue;
    const spread = spreadTotal(line.totalMinor, facts.startDate, facts.endDate);
    for (const [month, amountMinor] of spread) {
      yield { lineId: line.id, month, amountMinor, outsideMinor: 0 };
    }
  }
}
