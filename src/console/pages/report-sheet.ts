/** The sheet of a report: a row for each line, each figure a link to its transactions. */

import { daysInMonth, holds, monthOf } from '../../core/calendar.ts';
import { groupBy } from '../../core/groups.ts';
import { formatId } from '../../core/ids.ts';
import { isBeyond, type LineKind, tolerancePercentOf } from '../../core/projects.ts';
import type { Cell, ReportFigures, ReportLine } from '../../core/report.ts';
import {
  addFigures,
  isOverBudget,
  linesOfKind,
  sumOfKind,
  turnFigures,
} from '../../core/report-lines.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { listParts } from '../../operations/roll-up.ts';
import { Pace } from '../../operations/turns.ts';
import type { ProjectRecord } from '../../store/projects.ts';
import { codedName, KINDS, typed } from '../components/elements.ts';
import { PATHS } from '../components/paths.ts';
import { type Filters, listPath } from '../components/transaction-filters.ts';
import { MANY_LINES, type ReportView, switches } from './report-view.ts';

/** Periods beside each other on paper: with room for `99,999,999`, and for more than that. */
const PRINTED_PERIODS = 12;
const PRINTED_WIDE = 6;
const PRINTED_CHARACTERS = 10;
/** Periods for which a desktop has room, so that the head of the sheet can stay in the window. */
const FITTING_PERIODS = 13;
/** Cells that are written before other requests have their turn. */
const CELLS_AT_ONCE = 1_000;

/** A row of the sheet: a line, a project below, or all of them. Income is positive. */
interface SheetRow extends ReportFigures {
  readonly name: HtmlValue;
  /** What is behind the name. */
  readonly about?: HtmlValue;
  /** Its transactions; undefined if no list has exactly these. */
  readonly filters: Filters | undefined;
  /** Whether it is of other projects, whose days are not those of the report. */
  readonly isBelow?: boolean;
  readonly look?: 'group' | 'inside' | 'kind-total';
  /** Of the balance nothing is left or over. */
  readonly kind: LineKind | 'balance';
}

/** The rows of a kind, in the order and the choice that the reader asked for. */
function rowsOf(view: ReportView, kind: LineKind): readonly SheetRow[] {
  const { rolled, isOwnOrder, shown, project } = view;
  const { report, children } = rolled;
  const linesOf = (rows: readonly ReportLine[]) => linesOfKind(rows, kind);
  if (shown === 'over') {
    const rows = [...listParts(rolled)].flatMap(({ project: each, lines }) => {
      return linesOf(lines).map((row) => lineRow(row, each, each.id !== project.id));
    });
    const over = rows.filter(isOverBudget);
    return isOwnOrder ? over : over.sort((one, two) => one.total.variance - two.total.variance);
  }
  const own = linesOf(report.rows.filter(hasFigures)).map((row) => lineRow(row, project));
  if (!isOwnOrder) own.sort((one, two) => two.total.budgeted - one.total.budgeted);
  const below = children.filter(({ kinds }) => kinds.includes(kind));
  const last = below.map((child): SheetRow => {
    const id = formatId('prj', child.project.id);
    const name = html`<a href="/projects/${id}">${typed(child.project.name)}</a>`;
    const filters = child.kinds.length > 1 ? undefined : { project: id };
    const about = 'project below';
    return { ...sumOfKind(child, kind), kind, name, about, filters, isBelow: true };
  });
  return [...byCategory(view, own), ...last];
}

type LineRow = SheetRow & Pick<ReportLine, 'line'> & { readonly kind: LineKind };

function lineRow(row: ReportLine, { id, name }: ProjectRecord, isBelow = false): LineRow {
  const { code, name: lineName } = row.line;
  const filters = { project: formatId('prj', id), line: formatId('bln', row.line.id) };
  const shown = codedName({ code, name: lineName });
  const { kind } = row.line;
  return { ...row, kind, name: shown, about: isBelow && typed(name), filters, isBelow };
}

/** Each category with its sums, and its lines unless they are folded; lines without one as such. */
function byCategory(view: ReportView, rows: readonly LineRow[]): readonly SheetRow[] {
  const { reader, project, rolled, shown, folds, isOwnOrder } = view;
  const keyOf = ({ kind, category }: LineRow['line']) => JSON.stringify([kind, category]);
  const numbers = [...new Set(rolled.report.rows.map(({ line }) => keyOf(line)))];
  const groups = groupBy(rows, ({ line }) => (line.category === null ? `${line.id}` : keyOf(line)));
  const parts = [...groups].flatMap(([key, lines]) => {
    const [first] = lines;
    const { category } = first.line;
    const isAlone = lines.length === 1 && shown === 'all';
    if (category === null || isAlone) {
      const about = category === null ? first.about : first.about || typed(category);
      return [{ sum: first, rows: [{ ...first, about }] }];
    }
    const number = numbers.indexOf(key) + 1;
    const isFolded = folds.has(number) !== (shown === 'categories');
    const filters = { project: formatId('prj', project.id), category };
    const marks = html`aria-expanded="${isFolded ? 'false' : 'true'}"`;
    const place = html`id="fold-${number}" href="${view.foldAddress(number)}#fold-${number}"`;
    const many = reader.count(lines.length, 'line');
    const name = html`<a class="fold" ${place} ${marks}>${typed(category)}</a> <span
class="sub">${many}</span>`;
    const { kind } = first;
    const sum: SheetRow = { ...addFigures(lines), kind, name, filters, look: 'group' };
    const inside = lines.map((line) => ({ ...line, look: 'inside' as const }));
    return [{ sum, rows: isFolded ? [sum] : [sum, ...inside] }];
  });
  if (!isOwnOrder) parts.sort((one, two) => two.sum.total.budgeted - one.sum.total.budgeted);
  return parts.flatMap((part) => part.rows);
}

/** The sheet with what chooses its rows and columns. */
export async function sheet(view: ReportView): Promise<Html> {
  const { reader, rolled, shown } = view;
  const columns = { hasOutside: rolled.hasOutside, ...columnsOf(view) };
  const hasIncome = rolled.kinds.length > 1;
  const kinds = shown === 'over' ? (['expense'] as const) : rolled.kinds;
  const pace = new Pace(CELLS_AT_ONCE);
  const bodies: Html[] = [];
  let rows = 0;
  const fits = columns.heads.length <= FITTING_PERIODS;
  for (const kind of kinds) {
    const parts: Html[] = [];
    for (const row of rowsOf(view, kind)) {
      rows += 1;
      parts.push(rowOf(view, row, columns));
      await pace.spend(row.cells.length);
    }
    const total = kinds.length > 1 && sumRow(view, kind);
    bodies.push(html`<tbody>
${total && kindHead(kind, columns)}${parts}${total && rowOf(view, total, columns)}</tbody>
`);
  }
  const foot = hasIncome && shown === 'over' ? sumRow(view, 'expense') : wholeRow(view);
  const look = rows > MANY_LINES ? ' tall' : fits && ' fits';
  return html`${switches(view)}
<div class="past"><a class="skip" href="#legend">Skip the table</a></div>
<div class="sheet${look}" tabindex="0" role="region" aria-labelledby="sheet">
<table class="${columns.style}">
<caption class="hidden" id="sheet">Budget lines of ${view.project.name}: actual above, budget below,
in whole ${reader.currency.code}</caption>
<thead><tr><th scope="col">Budget line</th><th scope="col" class="num">Budget <span
class="sub">${view.isPart ? 'these months' : 'whole project'}</span></th><th scope="col"
class="num">Actual <span class="sub">recorded</span></th><th scope="col"
class="num after">Left <span class="sub">or over</span></th>
${columns.heads}${
  columns.hasOutside &&
  html`<th scope="col" class="num other">Other <span
class="sub">days</span></th>`
}</tr></thead>
${bodies}<tfoot>${rowOf(view, foot, columns)}</tfoot>
</table></div>
${legend(view)}`;
}

function legend({ reader, rolled, project, today, by, shown }: ReportView): Html {
  const { rows } = rolled.report;
  const isNow = holds(rolled.report, today);
  const lines = rolled.children.length > 0 && ' of every line, also of the projects below';
  const point = reader.decimal !== '.' && ', in CSV with a decimal point';
  const hidden = shown === 'over' ? 0 : rows.filter((row) => !hasFigures(row)).length;
  const left = `${reader.count(hidden, 'line')} without figures`;
  const percent = tolerancePercentOf(project.toleranceHundredths) ?? 0;
  const beyond = percent === 0 ? 'more than the budget' : `more than ${percent}% above the budget`;
  const periods = html`In each ${by === 'quarters' ? 'quarter' : 'month'}: actual above, budget
below; <span class="ahead">marks</span> ${beyond}.${isNow && ' The heavy line marks today.'}`;
  return html`<p class="legend" id="legend"
tabindex="-1">${by !== 'totals' && periods} The files have
the exact amounts${lines}${point}.${
    hidden > 0 && ` ${left} ${hidden === 1 ? 'is' : 'are'} left out.`
  }${rolled.hasOutside && ' Other days: outside the project, so not in the charts.'}</p>`;
}

function kindHead(kind: LineKind, { marks, hasOutside }: Columns): Html {
  const { name, budget, actual, left } = KINDS[kind];
  const cells = [budget, actual, left].map(
    (word, at) => html`<td${at === 2 && html` class="after"`}>${word}</td>`,
  );
  return html`<tr class="kind"><th scope="rowgroup">${name}</th>${cells}${marks.map(
    (mark) => html`<td${mark}></td>`,
  )}${hasOutside && html`<td class="other"></td>`}</tr>
`;
}

/** The sum of a kind. A list of transactions has both kinds. */
function sumRow({ rolled }: ReportView, kind: LineKind): SheetRow {
  return {
    ...sumOfKind(rolled, kind),
    kind,
    name: KINDS[kind].total,
    filters: undefined,
    look: 'kind-total',
  };
}

/** All lines together; with income the balance. */
function wholeRow({ reader, rolled, project }: ReportView): SheetRow {
  const { report, children, totals } = rolled;
  const isBelow = children.length > 0;
  const whole = { filters: { project: formatId('prj', project.id) }, isBelow };
  if (rolled.kinds.length > 1) {
    const about = 'received less spent';
    return { ...turnFigures(totals), ...whole, kind: 'balance', name: 'Balance', about };
  }
  const lines = `All ${reader.count(report.rows.length, 'line')}`;
  return { ...totals, ...whole, kind: 'expense', name: isBelow ? 'All lines' : lines };
}

function hasFigures({ cells, total, outsideActual }: ReportLine): boolean {
  const has = cells.some(({ budgeted, actual }) => budgeted !== 0 || actual !== 0);
  return has || outsideActual !== 0 || total.budgeted !== 0;
}

/** The ends of addresses of transactions: in each period, and in all together. */
interface ColumnQueries {
  readonly periods: readonly Html[];
  readonly whole: Html;
}

interface Columns {
  readonly hasOutside: boolean;
  /** The class of the table: `long` if paper has no room for all periods beside each other. */
  readonly style: string;
  readonly heads: readonly Html[];
  /** The attributes of the cells of each period. */
  readonly marks: readonly Html[];
  /** How the addresses of transactions end, of the project and of those below it. */
  readonly own: ColumnQueries;
  readonly below: ColumnQueries;
  /** On other days. */
  readonly otherQuery: Html;
}

function columnsOf(view: ReportView): Omit<Columns, 'hasOutside'> {
  const { reader, rolled, today, project, by } = view;
  const periods = by === 'totals' ? [] : rolled.report.periods;
  const amounts = rolled.totals.cells.flatMap(({ actual, budgeted }) => [actual, budgeted]);
  const isWide = amounts.some((minor) => reader.whole(minor).length > PRINTED_CHARACTERS);
  const beside = isWide ? PRINTED_WIDE : PRINTED_PERIODS;
  const isLong = periods.length > beside;
  const present = periods.findIndex((period) => holds(period, today));
  const heads = periods.map((period, at) => {
    const year = period.startDate.slice(0, 4);
    const isNew = isLong || periods[at - 1]?.startDate.slice(0, 4) !== year;
    return html`<th scope="col" class="${at === present ? 'num now' : 'num'}">${reader.period(
      period,
    )} <span class="sub">${isNew ? year : '\u00a0'}</span></th>\n`;
  });
  const marks = periods.map(({ startDate }, at) => {
    const from = isLong && at % beside === 0 && reader.months([monthOf(startDate)]);
    return html`${from !== false && html` data-from="${from}"`}${
      at === present && html` class="now"`
    }`;
  });
  const style = isLong ? `report long${isWide ? ' wide' : ''}` : 'report';
  const via = html`&amp;via=${view.via}`;
  // Projects below begin and end on other days of these months.
  const within = (from: string, to: string, days: 'own' | 'other') => {
    const [first, last] = [monthOf(from), monthOf(to)];
    const end = `${last}-${daysInMonth(last)}`;
    return html`&amp;from=${first}-01&amp;to=${end}&amp;days=${days}${via}`;
  };
  const queriesOf = (isBelow: boolean): ColumnQueries => {
    const part = listPath('', isBelow ? view.part.below : view.part.own).slice(1);
    const ends = periods.map(({ startDate, endDate }) => {
      if (isBelow) return within(startDate, endDate, 'own');
      return html`&amp;from=${startDate}&amp;to=${endDate}${via}`;
    });
    return { periods: ends, whole: html`${part !== '' && `&${part}`}${via}` };
  };
  const [own, below] = [queriesOf(false), queriesOf(true)];
  const otherQuery = within(project.startDate, project.endDate, 'other');
  return { style, heads, marks, own, below, otherQuery };
}

function rowOf(view: ReportView, row: SheetRow, columns: Columns): Html {
  const { reader, project } = view;
  const { name, about, filters, isBelow, look, cells, total, outsideActual, kind } = row;
  const { hasOutside, marks, otherQuery } = columns;
  const { periods, whole } = isBelow ? columns.below : columns.own;
  const query = filters && listPath(PATHS.list, filters);
  const link = (end: HtmlValue, figure: HtmlValue) => {
    return query === undefined ? html`${figure}` : html`<a href="${query}${end}">${figure}</a>`;
  };
  const say = (minor: number) => reader.whole(minor);
  const parts = cells.slice(0, marks.length).map((cell, at) => {
    const isOver = kind === 'expense' && isAbove(cell, project);
    const text = say(cell.actual);
    const figure = isOver
      ? html`<span class="ahead">${text}</span><span class="hidden"> over budget</span>`
      : text;
    const shown = cell.actual === 0 ? sayZero(view, at) : link(periods[at], figure);
    const budget = cell.budgeted === 0 ? '–' : say(cell.budgeted);
    return html`<td${marks[at]}>${shown} <span
class="sub">${budget}</span></td>\n`;
  });
  const other =
    outsideActual === 0 ? html`<span class="soft">0</span>` : link(otherQuery, say(outsideActual));
  const isLink = filters?.line !== undefined;
  const end = kind === 'balance' && html` <span class="sub">at the end</span>`;
  const id = isLink && html` id="${filters.line}"`;
  const own = html`${id}${look && html` class="${look}"`}`;
  return html`<tr${own}><th scope="row">${isLink ? link(whole, name) : name}${
    about && html` <span class="sub">${about}</span>`
  }</th>
<td>${say(total.budgeted)}${end}</td><td>${
    total.actual === 0 ? '0' : link(whole, say(total.actual))
  }</td>${leftCell(view, row)}
${parts}${hasOutside && html`<td class="other">${other}</td>`}</tr>\n`;
}

/** Whether a period has more than the tolerance above its budget. */
function isAbove({ actual, budgeted }: Cell, { toleranceHundredths }: ProjectRecord): boolean {
  return actual > budgeted && actual > 0 && isBeyond(actual, budgeted, toleranceHundredths ?? 0);
}

function sayZero({ rolled, today }: ReportView, at: number): Html {
  const period = rolled.report.periods[at];
  const isAhead = period !== undefined && period.startDate > today;
  return html`<span class="soft">${isAhead ? '·' : '0'}</span>`;
}

/** What is left or over, or to come or more than expected. */
function leftCell({ reader }: ReportView, { kind, total: { budgeted, variance } }: SheetRow): Html {
  if (kind === 'balance') return html`<td class="after"></td>`;
  const { left, over } = KINDS[kind];
  if (variance < 0) {
    const figure = reader.whole(-variance);
    return kind === 'income'
      ? html`<td class="after">${figure} <span class="sub">${over}</span></td>`
      : html`<td class="after hot"><span class="over">${figure}</span> <span
class="sub">${over}</span></td>`;
  }
  const share = budgeted > 0 && `${reader.share(variance, budgeted)} ${left}`;
  return html`<td class="after">${reader.whole(variance)} <span class="sub">${share}</span></td>`;
}
