/**
 * A report as CSV and as a workbook of Excel: one entry for each budget line and period. A line
 * with amounts outside the periods has one more, `outside`, so that the file adds up to the totals.
 * What is expected and received of income is positive.
 */

import Papa from 'papaparse';
import { cutToMonths, type Days, monthOf, type Period } from '../core/calendar.ts';
import type { Currency } from '../core/currencies.ts';
import { formatAmount } from '../core/money.ts';
import type { ReportLine } from '../core/report.ts';
import { isZero, outsideOf, turnFigures } from '../core/report-lines.ts';
import type { Steps } from './turns.ts';
import { type WorkbookCell, writeWorkbook } from './workbook.ts';

/** Tells spreadsheets that this is UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** The columns of the file. */
export const REPORT_COLUMNS = [
  'project',
  'code',
  'line',
  'category',
  'period',
  'from',
  'to',
  'currency',
  'budgeted',
  'actual',
  'variance',
  'kind',
];

/** Some lines of one project, by the periods of a report. */
interface ReportPart {
  readonly project: Days & { readonly name: string };
  readonly lines: readonly ReportLine[];
}

/** Entries that are written before other work has its turn: 5 ms. */
const ENTRIES_AT_ONCE = 600;

/** Pieces of a CSV of lines of one or more projects by the same periods, in steps of some ms. */
export function* formatReportCsv(
  periods: readonly Period[],
  parts: Iterable<ReportPart>,
  currency: Currency,
): Steps<string[]> {
  const pieces = [`${BYTE_ORDER_MARK}${Papa.unparse([REPORT_COLUMNS])}\r\n`];
  let some: string[][] = [];
  for (const entry of walkReportEntries(periods, parts, currency)) {
    if (some.push(entry) < ENTRIES_AT_ONCE) continue;
    pieces.push(`${Papa.unparse(some)}\r\n`);
    some = [];
    yield;
  }
  if (some.length > 0) pieces.push(`${Papa.unparse(some)}\r\n`);
  return pieces;
}

/** The bytes of the workbook, in pieces. Rejects with `conflict` if a sheet has no room for it. */
export function formatReportXlsx(
  periods: readonly Period[],
  parts: Iterable<ReportPart>,
  currency: Currency,
): Promise<Buffer[]> {
  function* rows(): Generator<readonly WorkbookCell[]> {
    yield REPORT_COLUMNS.map((name, at) => [8 <= at && at <= 10 ? 'rightHead' : 'head', name]);
    yield* walkReportCells(periods, parts, currency);
  }
  const widths = [24, 9, 30, 16, 9, 12, 12, 9, 13, 13, 13, 9];
  const sheet = { name: 'Report', widths, frozenRows: 1, rows: rows() };
  return writeWorkbook([sheet], currency.places);
}

/** The entries of the CSV as values, without the names of the columns. */
export function* walkReportEntries(
  ...report: Parameters<typeof walkReportCells>
): Generator<string[]> {
  for (const cells of walkReportCells(...report)) yield cells.map(csvText);
}

function* walkReportCells(
  periods: readonly Period[],
  parts: Iterable<ReportPart>,
  { code: currency, places }: Currency,
): Generator<WorkbookCell[]> {
  for (const { project, lines } of parts) {
    const spans = periods.map((period): WorkbookCell[] => [period.key, ...daysIn(period, project)]);
    for (const row of lines) {
      const { code, name, category, kind } = row.line;
      const figures = kind === 'income' ? turnFigures(row) : row;
      const outside = outsideOf(figures);
      const all = isZero(outside) ? figures.cells : [...figures.cells, outside];
      for (const [at, { budgeted, actual, variance }] of all.entries()) {
        const amounts = [budgeted, actual, variance].map((minor): WorkbookCell => {
          return ['amount', formatAmount(minor, places)];
        });
        const texts = [project.name, code, name, category];
        yield [...texts, ...(spans[at] ?? OUTSIDE), currency, ...amounts, kind];
      }
    }
  }
}

const OUTSIDE = ['outside', null, null];

/** The first and the last day that a project has in the months of a period. */
function daysIn(period: Period, project: Days): WorkbookCell[] {
  const months = { from: monthOf(period.startDate), to: monthOf(period.endDate) };
  const { startDate, endDate } = cutToMonths(project, months);
  const days = startDate > endDate ? [null, null] : [startDate, endDate];
  return days.map((day) => day && ['day', day]);
}

/** What a cell of a workbook is in a CSV. */
export function csvText(cell: WorkbookCell): string {
  if (cell === null || typeof cell === 'string') return defuse(cell ?? '');
  return cell[0] === 'wrapped' ? defuse(cell[1]) : cell[1];
}

/**
 * A text that no spreadsheet runs as a formula. One that begins with = + - @, a full-width form of
 * these, a tab or a line end gets an apostrophe in front: spreadsheets then treat it as text.
 */
export function defuse(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
}
