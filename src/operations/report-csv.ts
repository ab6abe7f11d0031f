/**
 * A report as CSV for spreadsheets: one entry for each budget line and period. A line with amounts
 * outside the periods has one more, `outside`, so that the file adds up to the totals. What is
 * expected and received of income is positive.
 */

import Papa from 'papaparse';
import { cutToMonths, type Days, monthOf, type Period } from '../core/calendar.ts';
import type { Currency } from '../core/currencies.ts';
import { formatAmount } from '../core/money.ts';
import type { ReportRow } from '../core/report.ts';
import { isZero, outsideOf, turnFigures } from '../core/report-lines.ts';
import type { Steps } from './turns.ts';

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
  readonly lines: readonly ReportRow[];
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
  const most = Math.ceil(ENTRIES_AT_ONCE / periods.length);
  for (const { project, lines } of parts) {
    for (let at = 0; at < lines.length; at += most) {
      const part = { project, lines: lines.slice(at, at + most) };
      pieces.push(`${Papa.unparse(listReportEntries(periods, part, currency))}\r\n`);
      yield;
    }
  }
  return pieces;
}

/** The entries of the CSV as values, without the names of the columns. */
export function listReportEntries(
  periods: readonly Period[],
  { project, lines }: ReportPart,
  { code: currency, places }: Currency,
): string[][] {
  const spans = periods.map((period) => [period.key, ...daysIn(period, project)]);
  return lines.flatMap((row) => {
    const { code, name, category, kind } = row.line;
    const figures = kind === 'income' ? turnFigures(row) : row;
    const texts = [project.name, code ?? '', name, category ?? ''].map(defuse);
    const outside = outsideOf(figures);
    const all = isZero(outside) ? figures.cells : [...figures.cells, outside];
    return all.map(({ budgeted, actual, variance }, index) => {
      const amounts = [budgeted, actual, variance].map((each) => formatAmount(each, places));
      return [...texts, ...(spans[index] ?? OUTSIDE), currency, ...amounts, kind];
    });
  });
}

const NO_DAYS = ['', ''];
const OUTSIDE = ['outside', ...NO_DAYS];

/** The first and the last day that a project has in the months of a period. */
function daysIn(period: Period, project: Days): readonly string[] {
  const months = { from: monthOf(period.startDate), to: monthOf(period.endDate) };
  const { startDate, endDate } = cutToMonths(project, months);
  return startDate > endDate ? NO_DAYS : [startDate, endDate];
}

/**
 * A text that no spreadsheet runs as a formula. One that begins with = + - @, a full-width form of
 * these, a tab or a line end gets an apostrophe in front: spreadsheets then treat it as text.
 */
export function defuse(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
}
