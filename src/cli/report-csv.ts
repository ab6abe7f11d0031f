/**
 * A report as CSV for spreadsheets: one entry for each budget line and period. A line with actuals
 * dated outside the project has one more, `outside`, so that the file adds up to the totals.
 */

import { writeAmount } from './amounts.ts';
import type { Report, ReportRow } from './documents.ts';

/** Tells spreadsheets that this is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

const COLUMNS = [
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
  report: Report,
  lines: readonly ReportRow[],
  projectName: string,
): string {
  const { currency, periods } = report;
  const amount = (value: number) => writeAmount(value, currency);
  const entries = lines.flatMap(({ code, name, category, cells, outsideActual }) => {
    const texts = [projectName, code ?? '', name, category ?? ''].map(defuse);
    const inside = periods.map(({ key, startDate, endDate }, index) => {
      const { budgeted = 0, actual = 0, variance = 0 } = cells[index] ?? {};
      const figures = [budgeted, actual, variance].map(amount);
      return [...texts, key, startDate, endDate, currency, ...figures];
    });
    if (outsideActual === 0) return inside;
    const figures = [0, outsideActual, -outsideActual].map(amount);
    return [...inside, [...texts, 'outside', '', '', currency, ...figures]];
  });
  const text = [COLUMNS, ...entries].map((entry) => `${entry.map(quoteCsv).join(',')}\r\n`);
  return BYTE_ORDER_MARK + text.join('');
}

/**
 * A text that no spreadsheet runs as a formula. One that begins with = + - @, a full-width form of
 * these, a tab or a line end gets an apostrophe in front: spreadsheets then treat it as text.
 */
export function defuse(text: string): string {
  return /^[=+\-@\t\r\n＝＋－＠]/u.test(text) ? `'${text}` : text;
}

function quoteCsv(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
