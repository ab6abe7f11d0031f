/** A human-readable report: title, tables, and what a treasurer looks for first. */

import { showDate } from '../core/calendar.ts';
import { count } from '../core/counts.ts';
import { cleanText, cutText, widthOf, wrapText } from '../core/text-width.ts';
import { showAmount, showUse } from './amounts.ts';
import type { Project, Report, ReportRow } from './documents.ts';
import { type Paints, plain } from './paint.ts';
import { addFigures, furthestOver } from './report-lines.ts';
import { layOutReport, type ReportSheet, withoutEmpty } from './report-table.ts';
import { type Column, formatTable } from './table.ts';

/** What to show of a report, and how. */
export interface ReportView {
  readonly project: Project;
  readonly report: Report;
  /** The lines to show. */
  readonly lines: readonly ReportRow[];
  readonly paints: Paints;
  readonly width: number;
  /** Whether the lines are only a sample: the totals are then those of the whole report. */
  readonly isSample?: boolean;
}

/** Sentences are not wrapped below this width. */
const NARROWEST = 40;

/** How many lines over budget are listed. */
const NAMED_LINES = 5;

/** The lines of a human-readable report. */
export function formatReport(view: ReportView): string[] {
  const { report, lines, paints, width } = view;
  const shown = withoutEmpty(lines);
  const isPart = view.isSample !== true && lines.length < report.rows.length;
  const totals = isPart ? addPart(report, shown) : { title: 'Total', figures: report.totals };
  const layout = layOutReport({ report, lines: shown, totals, paints }, width);
  const sections = [
    titleLines(view, layout.isWhole),
    shown.length === 0 ? ['No line has a budget or an actual.'] : layout.lines,
    isPart || shown.length === 0 ? [] : [totalLine(report), ...overBudgetLines(view)],
    remarkLines(view, shown.length, layout.hasPeriods),
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : ['', ...section]));
}

/** The sum of some lines; a single line needs none. */
function addPart(
  { periods, currency }: Report,
  lines: readonly ReportRow[],
): ReportSheet['totals'] {
  if (lines.length < 2) return undefined;
  const figures = addFigures(lines, periods.length, currency);
  return { title: `These ${count(lines.length, 'line')}`, figures };
}

function titleLines({ project, report, paints, width }: ReportView, isWhole: boolean): string[] {
  const { startDate, endDate, granularity, currency } = report;
  const by = granularity === 'monthly' ? 'month' : 'quarter';
  const unit = isWhole ? `whole ${currency}` : currency;
  const dates = `${showDate(startDate)} to ${showDate(endDate)}, by ${by}, in ${unit}`;
  const blanks = ' '.repeat(Math.max(2, width - widthOf(dates) - project.id.length));
  return [
    paints.bold(cutText(cleanText(project.name), width)),
    `${dates}${blanks}${paints.dim(project.id)}`,
  ];
}

/** The totals in a sentence, exact even where the tables show whole units. */
function totalLine({ totals: { total }, currency }: Report): string {
  const shown = (amount: number) => showAmount(amount, currency);
  const use = showUse(total.budgeted, total.actual);
  const [amount, side] = total.variance < 0 ? [-total.variance, 'over'] : [total.variance, 'under'];
  const budget = `${shown(total.budgeted)} ${currency} budgeted${use === '' ? '' : ` (${use})`}`;
  return `Actual ${shown(total.actual)} of ${budget}: ${shown(amount)} ${side}.`;
}

function overBudgetLines({ report, paints, width }: ReportView): string[] {
  const { currency } = report;
  const over = furthestOver(report.rows);
  if (over.length === 0) return ['No line is over budget.'];
  const { total } = addFigures(over, report.periods.length, currency);
  const excess = `${showAmount(-total.variance, currency)} ${currency} in total`;
  const most = over.length > NAMED_LINES ? ` The ${NAMED_LINES} furthest over:` : '';
  const table = {
    columns: OVER_COLUMNS,
    entries: over
      .slice(0, NAMED_LINES)
      .map((line) => [
        { text: showAmount(-line.total.variance, currency), paint: paints.red },
        line.code ?? '',
        line.name,
        showAmount(line.total.actual, currency),
        showAmount(line.total.budgeted, currency),
      ]),
  };
  return [
    `${count(over.length, 'line is', 'lines are')} over budget, by ${excess}.${most}`,
    ...formatTable(table, width, paints.bold),
  ];
}

const OVER_COLUMNS: readonly Column[] = [
  { title: 'Over by', align: 'right' },
  { title: 'Code', min: 8 },
  { title: 'Line', min: 14 },
  { title: 'Actual', align: 'right', rank: 1 },
  { title: 'Budget', align: 'right', rank: 2 },
];

function remarkLines(view: ReportView, shown: number, hasPeriods: boolean): string[] {
  const { project, report, lines, paints, width } = view;
  const { needsReview, totals, currency, granularity } = report;
  const remarks: string[] = [];
  const say = (sentence: string, paint = plain) => {
    remarks.push(...wrapText(sentence, Math.max(width, NARROWEST)).map(paint));
  };
  if (needsReview.count > 0) {
    const amount = `${showAmount(needsReview.amount, currency)} ${currency}`;
    const what = count(needsReview.count, 'transaction needs', 'transactions need');
    say(`${what} review: ${amount} of the actual is in doubt.`, paints.red);
    // Unwrapped, so that it can be pasted.
    const filters = `--status needs_review --project-id ${project.id}`;
    remarks.push(`  budgetd transactions list ${filters}`);
  }
  if (totals.outsideActual !== 0) {
    const amount = `${showAmount(totals.outsideActual, currency)} ${currency}`;
    const where = 'outside the project. The total includes it, but no period does';
    say(`${amount} of the actual is dated ${where}.`);
  }
  const empty = lines.length - shown;
  if (empty > 0) {
    say(`Omitted ${count(empty, 'line')} without budget or actual.`);
  }
  if (!hasPeriods) {
    const each = granularity === 'monthly' ? 'months' : 'quarters';
    say(`To see the ${each} of each line, use a wider terminal, --csv, or --q TEXT.`);
  }
  return remarks;
}
