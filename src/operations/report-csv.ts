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
import { tableSheet, type WorkbookCell, writeWorkbook } from './workbook.ts';

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

/** A CSV of lines of one or more projects by the same periods, in pieces. */
export function formatReportCsv(...report: Parameters<typeof walkReportCells>): Generator<string> {
  return writeCsv(REPORT_COLUMNS, walkReportCells(...report));
}

/** The bytes of the workbook, in pieces. Rejects with `conflict` if a sheet has no room for it. */
export function formatReportXlsx(...report: Parameters<typeof walkReportCells>): Promise<Buffer[]> {
  const head = REPORT_COLUMNS.map((name, at): WorkbookCell => {
    return [8 <= at && at <= 10 ? 'rightHead' : 'head', name];
  });
  const widths = [24, 9, 30, 16, 9, 12, 12, 9, 13, 13, 13, 9];
  const [, , { places }] = report;
  return writeWorkbook([tableSheet('Report', widths, [head], walkReportCells(...report))], places);
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

/** Entries that are written before other work has its turn: 2 to 3 ms. */
const ENTRIES_AT_ONCE = 250;

/** A table as CSV, in pieces. */
export function* writeCsv(
  columns: readonly string[],
  rows: Iterable<readonly WorkbookCell[]>,
): Generator<string> {
  yield `${BYTE_ORDER_MARK}${Papa.unparse([columns])}\r\n`;
  let entries: string[][] = [];
  for (const cells of rows) {
    if (entries.push(cells.map(csvText)) < ENTRIES_AT_ONCE) continue;
    yield `${Papa.unparse(entries)}\r\n`;
    entries = [];
  }
  if (entries.length > 0) yield `${Papa.unparse(entries)}\r\n`;
}

/** What a cell of a workbook is in a CSV. */
function csvText(cell: WorkbookCell): string {
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
