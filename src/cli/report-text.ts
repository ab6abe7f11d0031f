/** A human-readable report: title, tables, and what a treasurer looks for first. */

import { monthOf, showDate } from '../core/calendar.ts';
import { count } from '../core/counts.ts';
import type { Currency } from '../core/currencies.ts';
import { formatId } from '../core/ids.ts';
import { kindsOf, type LineKind, turn } from '../core/projects.ts';
import type { ReportLine } from '../core/report.ts';
import { addFigures, furthestOver, linesOfKind, turnFigures } from '../core/report-lines.ts';
import { cleanText, cutText, widthOf, wrapText } from '../core/text-width.ts';
import type { budgetToDate, RolledUp } from '../operations/roll-up.ts';
import { amountColumn, moneyText, showAmount, showUse } from './amounts.ts';
import { type Paints, plain } from './paint.ts';
import { layOutReport } from './report-table.ts';
import { formatTable, tableOf } from './table.ts';

interface ReportView {
  readonly rolled: RolledUp;
  readonly currency: Currency;
  /** All lines of the report, and those to show. */
  readonly all: readonly ReportLine[];
  readonly lines: readonly ReportLine[];
  readonly due: ReturnType<typeof budgetToDate>;
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
  const { all, lines, width } = view;
  const shown = lines.filter(
    ({ cells, outsideActual }) =>
      outsideActual !== 0 || cells.some(({ budgeted, actual }) => budgeted !== 0 || actual !== 0),
  );
  const isPart = view.isSample !== true && lines.length < all.length;
  const layout = layOutReport(listSheets(view, shown, isPart), width);
  const sections = [
    titleLines(view, layout.isWhole),
    shown.length === 0 ? ['No line has a budget or an actual.'] : layout.lines,
    isPart || shown.length === 0 ? [] : [...totalLines(view), ...overBudgetLines(view)],
    remarkLines(view, shown.length, layout),
  ];
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section, index) => (index === 0 ? section : ['', ...section]));
}

/** Income first, then expenses, then the balance. */
function listSheets(view: ReportView, shown: readonly ReportLine[], isPart: boolean) {
  const { rolled, all, currency, paints } = view;
  const { report } = rolled;
  const kinds = kindsOf(all.map(({ line }) => line));
  const hasIncome = kinds.length > 1;
  const sheets = kinds.map((kind) => {
    const lines = linesOfKind(shown, kind);
    const [title, every] = hasIncome ? [TITLES[kind], linesOfKind(all, kind)] : ['Total', all];
    const whole = every.length === 0 ? [] : [{ title, figures: addFigures(every) }];
    const sums = isPart ? addPart(lines) : whole;
    return { report, currency, kind, lines, sums, paints };
  });
  const wanted = sheets.filter(({ lines }) => lines.length > 0);
  const last = wanted.at(-1);
  if (isPart || !hasIncome || last === undefined) return wanted;
  const balance = { title: 'Balance', figures: turnFigures(rolled.totals), isBalance: true };
  return [...wanted.slice(0, -1), { ...last, sums: [...last.sums, balance] }];
}

const TITLES: Readonly<Record<LineKind, string>> = { income: 'Income', expense: 'Expenses' };

/** The sum of some lines; a single line needs none. */
function addPart(lines: readonly ReportLine[]) {
  if (lines.length < 2) return [];
  return [{ title: `These ${count(lines.length, 'line')}`, figures: addFigures(lines) }];
}

function titleLines(view: ReportView, isWhole: boolean): string[] {
  const { rolled, currency, paints, width } = view;
  const { project, report } = rolled;
  const { startDate, endDate, granularity } = report;
  const by = granularity === 'monthly' ? 'month' : 'quarter';
  const unit = isWhole ? `whole ${currency.code}` : currency.code;
  const days = startDate > endDate ? 'No days' : `${showDate(startDate)} to ${showDate(endDate)}`;
  const dates = `${days}, by ${by}, in ${unit}`;
  const id = formatId('prj', project.id);
  const blanks = ' '.repeat(Math.max(2, width - widthOf(dates) - id.length));
  return [
    paints.bold(cutText(cleanText(project.name), width)),
    `${dates}${blanks}${paints.dim(id)}`,
  ];
}

/** The totals in sentences, exact even where the tables show whole units. */
function totalLines({ rolled, all, currency, due }: ReportView): string[] {
  const say = (kind: LineKind, [done, planned, rest, beyond]: (typeof SAID)[LineKind]) => {
    const lines = linesOfKind(all, kind);
    if (lines.length === 0) return [];
    const { budgeted, actual, variance } = addFigures(lines).total;
    const use = showUse(budgeted, actual);
    const share = use === '' ? '' : ` (${use})`;
    const end = `${showAmount(Math.abs(variance), currency)} ${variance < 0 ? beyond : rest}`;
    const budget = `${moneyText(budgeted, currency)} ${planned}${share}`;
    return [`${done} ${showAmount(actual, currency)} of ${budget}: ${end}.`];
  };
  const income = say('income', SAID.income);
  const { budgeted, actual } = rolled.totals.total;
  const ends = [actual, budgeted].map((minor) => moneyText(turn(minor), currency));
  const balance = `Balance: ${ends[0]} received less spent, ${ends[1]} expected at the end.`;
  const { startDate, endDate } = rolled.report;
  // At the end of the report it is the whole budget.
  const isDue = monthOf(startDate) <= due.month && due.month < monthOf(endDate);
  return [
    ...income,
    ...say('expense', SAID.expense),
    ...(income.length === 0 ? [] : [balance]),
    ...(isDue ? [`Budgeted to the end of ${due.month}: ${moneyText(due.minor, currency)}.`] : []),
  ];
}

const SAID = {
  income: ['Received', 'expected', 'to come', 'more than expected'],
  expense: ['Spent', 'budgeted', 'left', 'over'],
} as const;

function overBudgetLines({ all, currency, paints, width }: ReportView): string[] {
  const over = furthestOver(all);
  if (over.length === 0) return ['No line is over budget.'];
  const { total } = addFigures(over);
  const excess = `${moneyText(-total.variance, currency)} in total`;
  const most = over.length > NAMED_LINES ? ` The ${NAMED_LINES} furthest over:` : '';
  const showExcess = ({ total: { variance } }: ReportLine) => {
    return { text: showAmount(-variance, currency), paint: paints.red };
  };
  const table = tableOf(over.slice(0, NAMED_LINES), [
    { title: 'Over by', align: 'right', cell: showExcess },
    { title: 'Code', min: 8, cell: ({ line }) => line.code ?? '' },
    { title: 'Line', min: 14, cell: ({ line }) => line.name },
    { ...amountColumn('Spent', currency, ({ total: { actual } }) => actual), rank: 1 },
    { ...amountColumn('Budget', currency, ({ total: { budgeted } }) => budgeted), rank: 2 },
  ]);
  return [
    `${count(over.length, 'line is', 'lines are')} over budget, by ${excess}.${most}`,
    ...formatTable(table, width, paints.bold),
  ];
}

function remarkLines(
  view: ReportView,
  shown: number,
  { hasPeriods, isWhole }: ReturnType<typeof layOutReport>,
): string[] {
  const { rolled, currency, lines, paints, width } = view;
  const { project, report, needsReview, recoded, unallocated, totals } = rolled;
  const remarks: string[] = [];
  const say = (sentence: string, paint = plain) => {
    remarks.push(...wrapText(sentence, Math.max(width, NARROWEST)).map(paint));
  };
  if (needsReview.count > 0) {
    const amount = moneyText(needsReview.amountMinor, currency);
    const what = count(needsReview.count, 'transaction needs', 'transactions need');
    say(`${what} review: ${amount} of the actual may change.`, paints.red);
    // Unwrapped, so that it can be pasted.
    const filters = `--status needs_review --project-id ${formatId('prj', project.id)}`;
    remarks.push(`  budgetd transactions list ${filters}`);
  }
  if (recoded.count > 0) {
    const what = count(recoded.count, 'transaction was', 'transactions were');
    const amount = moneyText(recoded.amountMinor, currency);
    say(`${what} recoded after being allocated: ${amount} may belong elsewhere.`, paints.red);
    remarks.push(
      `  budgetd transactions list --recoded true --project-id ${formatId('prj', project.id)}`,
    );
  }
  if (unallocated.count > 0) {
    const { outMinor, inMinor } = unallocated;
    const amounts = [
      ...(outMinor === 0 ? [] : [`${moneyText(outMinor, currency)} out`]),
      ...(inMinor === 0 ? [] : [`${moneyText(inMinor, currency)} in`]),
    ];
    const what = count(unallocated.count, 'transaction is', 'transactions are');
    const missing = 'If any of this belongs to the project, it is missing above';
    say(`${what} not fully allocated: ${amounts.join(', ')}. ${missing}.`);
    remarks.push(
      '  budgetd transactions list --to-allocate ' +
        `--from ${report.startDate} --to ${report.endDate}`,
    );
  }
  if (totals.outsideActual !== 0) {
    const amount = moneyText(totals.outsideActual, currency);
    const where = 'outside the project. The total includes it, but no period does';
    say(`${amount} of the actual is dated ${where}.`);
  }
  const empty = lines.length - shown;
  if (empty > 0) say(`Omitted ${count(empty, 'line')} without budget or actual.`);
  if (isWhole) {
    say('Each amount is rounded separately, so rounded amounts may not add up to a rounded total.');
  }
  if (!hasPeriods) {
    const each = report.granularity === 'monthly' ? 'months' : 'quarters';
    say(`To see the ${each} of each line, use a wider terminal, --csv, or --q TEXT.`);
  }
  return remarks;
}
