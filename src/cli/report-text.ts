/** A human-readable report: title, tables, and what a treasurer looks for first. */

import { showDate } from '../core/calendar.ts';
import { count } from '../core/counts.ts';
import type { Currency } from '../core/currencies.ts';
import { formatId } from '../core/ids.ts';
import type { ReportRow } from '../core/report.ts';
import { addFigures, furthestOver, isUsed } from '../core/report-lines.ts';
import { cleanText, cutText, widthOf, wrapText } from '../core/text-width.ts';
import type { ProjectRecord, ReportRecord } from '../operations/projects.ts';
import { amountColumn, showAmount, showSum, showUse } from './amounts.ts';
import { type Paints, plain } from './paint.ts';
import { layOutReport, type ReportSheet } from './report-table.ts';
import { formatTable, tableOf } from './table.ts';

/** What to show of a report, and how. */
interface ReportView {
  readonly project: ProjectRecord;
  readonly report: ReportRecord;
  readonly currency: Currency;
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
  const { report, currency, lines, paints, width } = view;
  const shown = lines.filter(isUsed);
  const isPart = view.isSample !== true && lines.length < report.rows.length;
  const totals = isPart ? addPart(shown) : { title: 'Total', figures: report.totals };
  const layout = layOutReport({ report, currency, lines: shown, totals, paints }, width);
  const sections = [
    titleLines(view, layout.isWhole),
    shown.length === 0 ? ['No line has a budget or an actual.'] : layout.lines,
    isPart || shown.length === 0 ? [] : [totalLine(view), ...overBudgetLines(view)],
    remarkLines(view, shown.length, layout.hasPeriods),
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : ['', ...section]));
}

/** The sum of some lines; a single line needs none. */
function addPart(lines: readonly ReportRow[]): ReportSheet['totals'] {
  if (lines.length < 2) return undefined;
  return { title: `These ${count(lines.length, 'line')}`, figures: addFigures(lines) };
}

function titleLines(view: ReportView, isWhole: boolean): string[] {
  const { project, report, currency, paints, width } = view;
  const { startDate, endDate, granularity } = report;
  const by = granularity === 'monthly' ? 'month' : 'quarter';
  const unit = isWhole ? `whole ${currency.code}` : currency.code;
  const dates = `${showDate(startDate)} to ${showDate(endDate)}, by ${by}, in ${unit}`;
  const id = formatId('prj', project.id);
  const blanks = ' '.repeat(Math.max(2, width - widthOf(dates) - id.length));
  return [
    paints.bold(cutText(cleanText(project.name), width)),
    `${dates}${blanks}${paints.dim(id)}`,
  ];
}

/** The totals in a sentence, exact even where the tables show whole units. */
function totalLine({ report, currency }: ReportView): string {
  const { total } = report.totals;
  const shown = (amount: number) => showAmount(amount, currency);
  const use = showUse(total.budgeted, total.actual);
  const [amount, side] = total.variance < 0 ? [-total.variance, 'over'] : [total.variance, 'under'];
  const budget = `${showSum(total.budgeted, currency)} budgeted${use === '' ? '' : ` (${use})`}`;
  return `Actual ${shown(total.actual)} of ${budget}: ${shown(amount)} ${side}.`;
}

function overBudgetLines({ report, currency, paints, width }: ReportView): string[] {
  const over = furthestOver(report.rows);
  if (over.length === 0) return ['No line is over budget.'];
  const { total } = addFigures(over);
  const excess = `${showSum(-total.variance, currency)} in total`;
  const most = over.length > NAMED_LINES ? ` The ${NAMED_LINES} furthest over:` : '';
  const showExcess = ({ total: { variance } }: ReportRow) => {
    return { text: showAmount(-variance, currency), paint: paints.red };
  };
  const table = tableOf(over.slice(0, NAMED_LINES), [
    { title: 'Over by', align: 'right', cell: showExcess },
    { title: 'Code', min: 8, cell: ({ line }) => line.code ?? '' },
    { title: 'Line', min: 14, cell: ({ line }) => line.name },
    { ...amountColumn('Actual', currency, ({ total: { actual } }) => actual), rank: 1 },
    { ...amountColumn('Budget', currency, ({ total: { budgeted } }) => budgeted), rank: 2 },
  ]);
  return [
    `${count(over.length, 'line is', 'lines are')} over budget, by ${excess}.${most}`,
    ...formatTable(table, width, paints.bold),
  ];
}

function remarkLines(view: ReportView, shown: number, hasPeriods: boolean): string[] {
  const { project, report, currency, lines, paints, width } = view;
  const { needsReview, recoded, unallocated, totals, granularity } = report;
  const remarks: string[] = [];
  const say = (sentence: string, paint = plain) => {
    remarks.push(...wrapText(sentence, Math.max(width, NARROWEST)).map(paint));
  };
  if (needsReview.count > 0) {
    const amount = showSum(needsReview.amountMinor, currency);
    const what = count(needsReview.count, 'transaction needs', 'transactions need');
    say(`${what} review: ${amount} of the actual is in doubt.`, paints.red);
    // Unwrapped, so that it can be pasted.
    const filters = `--status needs_review --project-id ${formatId('prj', project.id)}`;
    remarks.push(`  budgetd transactions list ${filters}`);
  }
  if (recoded.count > 0) {
    const what = count(recoded.count, 'transaction was', 'transactions were');
    const amount = showSum(recoded.amountMinor, currency);
    say(`${what} recoded after being allocated: ${amount} may belong elsewhere.`, paints.red);
    remarks.push(
      `  budgetd transactions list --recoded true --project-id ${formatId('prj', project.id)}`,
    );
  }
  if (unallocated.count > 0) {
    const { outMinor, inMinor } = unallocated;
    const amounts = [
      ...(outMinor === 0 ? [] : [`${showSum(outMinor, currency)} out`]),
      ...(inMinor === 0 ? [] : [`${showSum(inMinor, currency)} in`]),
    ];
    const what = count(unallocated.count, 'transaction is', 'transactions are');
    say(`${what} not fully allocated: ${amounts.join(', ')}. What belongs here is missing.`);
    remarks.push(
      '  budgetd transactions list --to-allocate ' +
        `--from ${report.startDate} --to ${report.endDate}`,
    );
  }
  if (totals.outsideActual !== 0) {
    const amount = showSum(totals.outsideActual, currency);
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
