/**
 * A report as CSV for spreadsheets: one entry for each budget line and period. A line with actuals
 * dated outside the project has one more, `outside`, so that the file adds up to the totals.
 */

import Papa from 'papaparse';
import type { Currency } from '../core/currencies.ts';
import { formatAmount } from '../core/money.ts';
import type { ReportRow } from '../core/report.ts';
import type { ReportRecord } from './projects.ts';

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
];

/** Some lines of a project's report, as CSV. */
export function formatReportCsv(
  report: ReportRecord,
  lines: readonly ReportRow[],
  projectName: string,
  currency: Currency,
): string {
  const entries = listReportEntries(report, lines, projectName, currency);
  return `${BYTE_ORDER_MARK}${Papa.unparse([REPORT_COLUMNS, ...entries])}\r\n`;
}

/** The same as values, without the names of the columns. */
export function listReportEntries(
  { periods }: ReportRecord,
  lines: readonly ReportRow[],
  projectName: string,
  { code: currency, places }: Currency,
): string[][] {
  return lines.flatMap(({ line, cells, outsideActual }) => {
    const { code, name, category } = line;
    const texts = [projectName, code ?? '', name, category ?? ''].map(defuse);
    const outside = { budgeted: 0, actual: outsideActual, variance: -outsideActual };
    const all = outsideActual === 0 ? cells : [...cells, outside];
    return all.map(({ budgeted, actual, variance }, index) => {
      const { key, startDate, endDate } = periods[index] ?? OUTSIDE;
      const amounts = [budgeted, actual, variance].map((each) => formatAmount(each, places));
      return [...texts, key, startDate, endDate, currency, ...amounts];
    });
  });
}

const OUTSIDE = { key: 'outside', startDate: '', endDate: '' };

/**
 * A text that no spreadsheet runs as a formula. One that begins with = + - @, a full-width form of
 * these, a tab or a line end gets an apostrophe in front: spreadsheets then treat it as text.
 */
export function defuse(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
}
