/** The sheet of a report: a row for each line, each figure a link to its transactions. */

import { daysInMonth, monthOf } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import type { ReportFigures, ReportRow } from '../../core/report.ts';
import { addFigures, isOverBudget } from '../../core/report-lines.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { ProjectRecord } from '../../operations/projects.ts';
import { listParts, type RolledUp } from '../../operations/roll-up.ts';
import { Pace } from '../../operations/turns.ts';
import { typed } from '../components/elements.ts';
import { nameLine } from '../components/line-fields.ts';
import { addressOf, type DAYS, type Filters, LIST } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';

/** Periods beside each other on paper: with room for `99,999,999`, and for more than that. */
const PRINTED_PERIODS = 12;
const PRINTED_WIDE = 6;
const PRINTED_CHARACTERS = 10;
/** Cells that are written before other requests have their turn. */
const CELLS_AT_ONCE = 1_000;

/** Which lines a report can show instead of all. */
export const SHOWN = ['categories', 'over'] as const;

/** What every part of a report needs. */
export interface ReportView {
  readonly visit: Visit;
  readonly project: ProjectRecord;
  readonly rolled: RolledUp;
  readonly isQuarterly: boolean;
  readonly isOwnOrder: boolean;
  readonly shown: (typeof SHOWN)[number] | undefined;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** How it is shown, as its address says. */
function stateOf({ isQuarterly, isOwnOrder, shown }: ReportView) {
  const by = isQuarterly ? 'quarters' : undefined;
  return { by, order: isOwnOrder ? 'own' : undefined, show: shown };
}

/** The address of the same report, shown in another way. */
export function reportAddress(
  view: ReportView,
  more: Readonly<Record<string, string | undefined>>,
): string {
  const path = `/projects/${formatId('prj', view.project.id)}`;
  return addressOf(path, {}, { ...stateOf(view), ...more });
}

/** The way from the list of transactions back to the report. */
function viaOf(view: ReportView): string {
  const state = Object.values(stateOf(view)).filter((each) => each !== undefined);
  return ['report', formatId('prj', view.project.id), ...state].join('.');
}

/** A figure of the whole project, with those below it, as a link to its transactions. */
export function allLink(view: ReportView, figure: HtmlValue): Html {
  const filters = { project: formatId('prj', view.project.id), via: viaOf(view) };
  return html`<a href="${addressOf(LIST, filters)}">${figure}</a>`;
}

/** A row of the sheet: a line, a project below, or all of them. */
interface SheetRow extends ReportFigures {
  readonly name: HtmlValue;
  /** What is behind the name. */
  readonly about?: HtmlValue;
  /** Its transactions. */
  readonly filters: Filters;
  /** Whether it is of other projects, whose days are not those of the report. */
  readonly isBelow?: boolean;
  readonly look?: 'group';
}

/** The rows, in the order and the choice that the reader asked for. */
function rowsOf(view: ReportView): readonly SheetRow[] {
  const { rolled, isOwnOrder, shown, project } = view;
  const { report, children } = rolled;
  const own = report.rows.filter(hasFigures).map((row) => lineRow(row, project));
  if (shown === 'over') {
    const rows = listParts(rolled).flatMap(({ project: each, lines }) => {
      return lines.map((row) => lineRow(row, each, each.id !== project.id));
    });
    const over = rows.filter(isOverBudget);
    return isOwnOrder ? over : over.sort((one, two) => one.total.variance - two.total.variance);
  }
  if (!isOwnOrder) own.sort((one, two) => two.total.budgeted - one.total.budgeted);
  const last = children.map((child): SheetRow => {
    const id = formatId('prj', child.project.id);
    const name = html`<a href="/projects/${id}">${typed(child.project.name)}</a>`;
    const about = 'project below';
    return { ...child, name, about, filters: { project: id }, isBelow: true };
  });
  return shown === 'categories' ? [...byCategory(own, project), ...last] : [...own, ...last];
}

type LineRow = SheetRow & Pick<ReportRow, 'line'>;

function lineRow(row: ReportRow, { id, name }: ProjectRecord, isBelow = false): LineRow {
  const { code, name: lineName } = row.line;
  const filters = { project: formatId('prj', id), line: formatId('bln', row.line.id) };
  const mark = code !== null && html`<span class="code">${code}</span> `;
  const shown = html`${mark}${typed(nameLine({ code: null, name: lineName }))}`;
  return { ...row, name: shown, about: isBelow && typed(name), filters, isBelow };
}

/** Each category with its sums and its lines, then the lines that have none. */
function byCategory(rows: readonly LineRow[], { id }: ProjectRecord): readonly SheetRow[] {
  const groups = new Map<string | null, LineRow[]>();
  for (const row of rows) {
    const { category } = row.line;
    groups.set(category, [...(groups.get(category) ?? []), row]);
  }
  const rest = groups.get(null) ?? [];
  groups.delete(null);
  const named = [...groups].flatMap(([category, lines]): SheetRow[] => {
    const filters = { project: formatId('prj', id), category: category ?? '' };
    const name = typed(category ?? '');
    return [{ ...addFigures(lines), name, filters, look: 'group' }, ...lines];
  });
  return [...named, ...rest];
}

type Way = readonly [name: string, isHere: boolean, more: Parameters<typeof reportAddress>[1]];

/** Which lines, in which order, in which periods. */
function switches(view: ReportView): Html {
  const { visit, rolled, isQuarterly, isOwnOrder, shown } = view;
  const categories = new Set(rolled.report.rows.flatMap(({ line }) => line.category ?? [])).size;
  const over = rolled.over.lines;
  const group = (label: string, ways: readonly (false | Way)[]) => {
    const links = ways.map((way) => {
      if (way === false) return undefined;
      const [name, isHere, more] = way;
      const mark = isHere && html` aria-current="page"`;
      return html`<a href="${reportAddress(view, more)}#lines"${mark}>${name}</a>\n`;
    });
    return html`<span class="switch" role="group" aria-label="${label}">${links}</span>\n`;
  };
  const of = (count: number, name: string) => `${name} ${visit.count(count)}`;
  return html`<div class="title" id="lines"><h2>Lines</h2><div class="actions">${
    (categories > 0 || over > 0) &&
    group('Lines', [
      ['All', shown === undefined, { show: undefined }],
      categories > 0 && [
        of(categories, 'Categories'),
        shown === 'categories',
        { show: 'categories' },
      ],
      over > 0 && [of(over, 'Over'), shown === 'over', { show: 'over' }],
    ])
  }${group('Order of the lines', [
    ['Largest first', !isOwnOrder, { order: undefined }],
    ['Own order', isOwnOrder, { order: 'own' }],
  ])}${group('Periods', [
    ['Months', !isQuarterly, { by: undefined }],
    ['Quarters', isQuarterly, { by: 'quarters' }],
  ])}</div></div>
`;
}

/** The sheet with what chooses its rows and columns. */
export async function sheet(view: ReportView): Promise<Html> {
  const { visit, rolled, isQuarterly, project } = view;
  const { report, children, totals } = rolled;
  const rows = rowsOf(view);
  const { startDate, endDate } = view.project;
  const isNow = startDate <= view.today && view.today <= endDate;
  const lines = rolled.children.length > 0 && ' of every line, also of the projects below';
  const point = visit.reader.decimal !== '.' && ', with a decimal point';
  const columns = { hasOutside: rolled.hasOutside, ...columnsOf(view) };
  const parts: Html[] = [];
  const pace = new Pace(CELLS_AT_ONCE);
  for (const row of rows) {
    parts.push(rowOf(view, row, columns));
    await pace.spend(row.cells.length);
  }
  const all =
    children.length === 0 ? `All ${visit.reader.count(report.rows.length, 'line')}` : 'Everything';
  const hidden = view.shown === 'over' ? 0 : report.rows.filter((row) => !hasFigures(row)).length;
  const left = `${visit.reader.count(hidden, 'line')} without figures`;
  const whole = { project: formatId('prj', project.id) };
  const foot = { ...totals, name: all, filters: whole, isBelow: children.length > 0 };
  return html`${switches(view)}
<div class="sheet" tabindex="0" role="region" aria-labelledby="sheet">
<table class="${columns.style}">
<caption class="hidden" id="sheet">Budget lines of ${project.name}: actual above, budget below, in
whole ${visit.currency.code}</caption>
<thead><tr><th scope="col">Budget line</th><th scope="col" class="num">Budget <span
class="sub">whole project</span></th><th scope="col" class="num">Actual <span class="sub">to
today</span></th><th scope="col" class="num after">Left <span class="sub">or over</span></th>
${columns.heads}${
  columns.hasOutside &&
  html`<th scope="col" class="num other">Other <span
class="sub">days</span></th>`
}</tr></thead>
<tbody>
${parts}</tbody>
<tfoot>${rowOf(view, foot, columns)}</tfoot>
</table></div>
<p class="legend">In each ${isQuarterly ? 'quarter' : 'month'}: actual above, budget below;
<span class="ahead">marks</span> more than the budget.${
    isNow && ' The heavy rule is today.'
  } The CSV file has the exact amounts${lines}${point}.${
    hidden > 0 && ` ${left} ${hidden === 1 ? 'is' : 'are'} left out.`
  }${columns.hasOutside && ' Other days: outside the project, so not in the charts.'}</p>`;
}

function hasFigures({ cells, total, outsideActual }: ReportRow): boolean {
  const has = cells.some(({ budgeted, actual }) => budgeted !== 0 || actual !== 0);
  return has || outsideActual !== 0 || total.budgeted !== 0;
}

/** The columns of the periods. */
interface Columns {
  readonly hasOutside: boolean;
  /** The class of the table: `long` if paper has no room for all periods beside each other. */
  readonly style: string;
  readonly heads: readonly Html[];
  /** The attributes of the cells of each period. */
  readonly marks: readonly Html[];
  /** The end of the address of the transactions in each period, and of those below the project. */
  readonly queries: readonly Html[];
  readonly belowQueries: readonly Html[];
  /** On other days, and on any. */
  readonly otherQuery: Html;
  readonly via: Html;
}

function columnsOf(view: ReportView): Omit<Columns, 'hasOutside'> {
  const { visit, rolled, today, project } = view;
  const { periods } = rolled.report;
  const amounts = rolled.totals.cells.flatMap(({ actual, budgeted }) => [actual, budgeted]);
  const isWide = amounts.some((minor) => {
    return visit.reader.whole(minor).length > PRINTED_CHARACTERS;
  });
  const beside = isWide ? PRINTED_WIDE : PRINTED_PERIODS;
  const isLong = periods.length > beside;
  const present = periods.findIndex(({ startDate, endDate }) => {
    return startDate <= today && today <= endDate;
  });
  const heads = periods.map((period, at) => {
    const year = period.startDate.slice(0, 4);
    const isNew = isLong || periods[at - 1]?.startDate.slice(0, 4) !== year;
    return html`<th scope="col" class="${at === present ? 'num now' : 'num'}">${visit.reader.period(
      period,
    )} <span class="sub">${isNew ? year : '\u00a0'}</span></th>\n`;
  });
  const marks = periods.map(({ startDate }, at) => {
    const from = isLong && at % beside === 0 && visit.reader.months([monthOf(startDate)]);
    return html`${from !== false && html` data-from="${from}"`}${
      at === present && html` class="now"`
    }`;
  });
  const style = isLong ? `report long${isWide ? ' wide' : ''}` : 'report';
  const via = html`&amp;via=${viaOf(view)}`;
  const queries = periods.map(({ startDate, endDate }) => {
    return html`&amp;from=${startDate}&amp;to=${endDate}${via}`;
  });
  // Projects below begin and end on other days of these months.
  const within = (from: string, to: string, days: keyof typeof DAYS) => {
    const [first, last] = [monthOf(from), monthOf(to)];
    const end = `${last}-${daysInMonth(last)}`;
    return html`&amp;from=${first}-01&amp;to=${end}&amp;days=${days}${via}`;
  };
  const belowQueries = periods.map(({ startDate, endDate }) => within(startDate, endDate, 'own'));
  const otherQuery = within(project.startDate, project.endDate, 'other');
  return { style, heads, marks, queries, belowQueries, otherQuery, via };
}

function rowOf({ visit, rolled, today }: ReportView, row: SheetRow, columns: Columns): Html {
  const { name, about, filters, isBelow, look, cells, total, outsideActual } = row;
  const { hasOutside, marks, via, otherQuery } = columns;
  const queries = isBelow ? columns.belowQueries : columns.queries;
  const query = addressOf(LIST, filters);
  const link = (end: HtmlValue, figure: HtmlValue) => html`<a href="${query}${end}">${figure}</a>`;
  const { periods } = rolled.report;
  const { reader } = visit;
  const say = (minor: number) => reader.whole(minor);
  const { budgeted, actual, variance } = total;
  const share = budgeted > 0 && `${reader.count(Math.round((100 * variance) / budgeted))} % left`;
  const left =
    variance < 0
      ? html`<td class="after hot"><span class="over">${say(-variance)}</span> <span
class="sub">over</span></td>`
      : html`<td class="after">${say(variance)} <span class="sub">${share}</span></td>`;
  const parts = cells.map((cell, at) => {
    const period = periods[at];
    const isAhead = period !== undefined && period.startDate > today && cell.actual === 0;
    const isOver = cell.actual > cell.budgeted && cell.actual > 0;
    const text = say(cell.actual);
    const figure = isOver
      ? html`<span class="ahead">${text}</span><span class="hidden"> over budget</span>`
      : text;
    const shown =
      cell.actual === 0
        ? html`<span class="soft">${isAhead ? '·' : '0'}</span>`
        : link(queries[at], figure);
    const budget = cell.budgeted === 0 ? '–' : say(cell.budgeted);
    return html`<td${marks[at]}>${shown} <span
class="sub">${budget}</span></td>\n`;
  });
  const other =
    outsideActual === 0 ? html`<span class="soft">0</span>` : link(otherQuery, say(outsideActual));
  const isLink = filters.line !== undefined || filters.category !== undefined;
  const id = filters.line !== undefined && html` id="${filters.line}"`;
  return html`<tr${id}${look && html` class="${look}"`}><th scope="row">${
    isLink ? link(via, name) : name
  }${about && html` <span class="sub">${about}</span>`}</th>
<td>${say(budgeted)}</td><td>${actual === 0 ? '0' : link(via, say(actual))}</td>${left}
${parts}${hasOutside && html`<td class="other">${other}</td>`}</tr>\n`;
}
