/** The report of a project: budget against actual, by month or quarter. */

import { monthOf } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import type { ReportFigures, ReportRow } from '../../core/report.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { attachment } from '../../http/pages.ts';
import { getProject, type ProjectRecord } from '../../operations/projects.ts';
import { alignRows, getRolledUp, type RolledUp } from '../../operations/roll-up.ts';
import { nextTurn, Pace } from '../../operations/turns.ts';
import { type ChartFacts, dueUntil, periodChart, runningChart } from '../components/charts.ts';
import { emptyPart, type Figure, figureList, typed } from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import { nameLine } from '../components/line-fields.ts';
import { addressOf, LIST, RECODED } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { archiveForm } from './project-edit.ts';

/** Periods beside each other on paper: with room for `99,999,999`, and for more than that. */
const PRINTED_PERIODS = 12;
const PRINTED_WIDE = 6;
const PRINTED_CHARACTERS = 10;
/** Cells that are written before other requests have their turn. */
const CELLS_AT_ONCE = 1_000;

/** Of a project's name in the name of a file, which has room for 255 bytes. */
const FILE_NAME_CHARACTERS = 70;

/** `GET /projects/{id}`. */
export async function showReport(visit: Visit): Promise<Reply> {
  const { request, access } = visit;
  const id = visit.param('id');
  const isQuarterly = visit.asked('by') === 'quarters';
  const project = getProject(access, id);
  const rolled = getRolledUp(access, id, isQuarterly ? 'quarterly' : 'monthly');
  if (visit.asked('format') === 'csv') return csvReply(visit, project, rolled);
  await nextTurn();
  const view: ReportView = {
    visit,
    project,
    rolled,
    isQuarterly,
    isOwnOrder: visit.asked('order') === 'own',
    today: visit.reader.dayOf(request.nowMs),
  };
  const { report } = rolled;
  const isEmpty = report.rows.length === 0 && rolled.children.length === 0;
  const figures = html`${totalList(view)}
${reviewNote(view)}${recodedNote(view)}${unallocatedNote(view)}
<div class="charts">${charts(view)}</div>`;
  const body = isEmpty ? noLines(visit, id) : html`${figures}${await sheet(view)}`;
  const page = { title: project.name, place: '/projects', head: head(view) };
  return showPage(visit, { ...page, content: html`${archivedNote(view)}${body}` });
}

/** What every part needs. */
interface ReportView {
  readonly visit: Visit;
  readonly project: ProjectRecord;
  readonly rolled: RolledUp;
  readonly isQuarterly: boolean;
  readonly isOwnOrder: boolean;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** The lines that the page adds up: those of the project, then those of each project below. */
async function csvReply(visit: Visit, project: ProjectRecord, rolled: RolledUp) {
  const { formatReportCsv } = await import('../../operations/report-csv.ts');
  const { currency } = visit.access.organisation;
  const { report, below } = rolled;
  const parts = [
    { project: project.name, lines: report.rows },
    ...below.map((part) => ({ project: part.project.name, lines: alignRows(part, rolled) })),
  ];
  const name = [...project.name].slice(0, FILE_NAME_CHARACTERS).join('').trim();
  const [from, to] = [monthOf(project.startDate), monthOf(project.endDate)];
  const by = report.granularity === 'monthly' ? '' : ' by quarter';
  const headers = {
    'Content-Type': 'text/csv; charset=utf-8',
    'Content-Disposition': attachment(`${name} ${from} to ${to}${by}.csv`),
  };
  const writing = formatReportCsv(report.periods, parts, currency);
  return { status: 200, headers, body: await visit.desk.readings.take(visit, writing) };
}

function head({ visit, project, isQuarterly, isOwnOrder, today }: ReportView): Html {
  const { name, startDate, endDate, funderName, parentProjectId } = project;
  const path = `/projects/${formatId('prj', project.id)}`;
  const by = isQuarterly ? 'quarters' : undefined;
  const order = isOwnOrder ? 'own' : undefined;
  const to = (more: Readonly<Record<string, string | undefined>>) =>
    addressOf(path, {}, { by, order, ...more });
  const canEdit = visit.may('projects');
  const edit = canEdit && html`<a class="button" href="${path}/edit">Edit</a>`;
  const mark = (isHere: boolean) => isHere && html` aria-current="page"`;
  const parent =
    parentProjectId === null
      ? undefined
      : getProject(visit.access, formatId('prj', parentProjectId));
  return html`<p class="printed">${typed(visit.access.organisation.name)}, ${visit.day(
    today,
  )}</p><p class="crumb"><a href="/projects">Projects</a>${
    parent !== undefined &&
    html` · <a href="/projects/${formatId('prj', parent.id)}">${typed(parent.name)}</a>`
  }</p>
<div class="head"><div><h1>${typed(name)}</h1>
<p>${visit.day(startDate)} to ${visit.day(endDate)}${
    funderName !== null && html` · ${typed(funderName)}`
  } · ${visit.currency.code}</p></div>
<div class="actions"><span class="switch" role="group" aria-label="Periods"><a
href="${to({ by: undefined })}"${mark(!isQuarterly)}>Months</a> <a
href="${to({ by: 'quarters' })}"${mark(isQuarterly)}>Quarters</a></span>
<span class="switch" role="group" aria-label="Order of the lines"><a
href="${to({ order: undefined })}"${mark(!isOwnOrder)}>Largest first</a> <a
href="${to({ order: 'own' })}"${mark(isOwnOrder)}>Own order</a></span>
<a class="button" href="${to({ format: 'csv' })}">CSV</a> ${edit}</div></div>
`;
}

function archivedNote({ visit, project }: ReportView): Html | undefined {
  if (project.archivedAtMs === null) return undefined;
  const canEdit = visit.may('projects');
  const since = visit.dayAt(project.archivedAtMs);
  return html`<div class="note"><p>Archived on ${since}.</p>${canEdit && archiveForm(project)}</div>
`;
}

function noLines(visit: Visit, id: string): Html {
  const add = html`<a class="button primary" href="/projects/${id}/edit">Add lines</a>`;
  const about = 'A project has a budget for each of its lines.';
  return emptyPart('No budget lines yet', about, visit.may('projects') && add);
}

function totalList({ visit, rolled, today }: ReportView): Html {
  const { report, totals } = rolled;
  const say = (minor: number) => visit.whole(minor);
  const { budgeted, actual, variance } = totals.total;
  const dueMinor = dueUntil(today, report.periods, totals.cells);
  const gap = dueMinor - actual;
  const { lines, sumMinor } = rolled.over;
  const percent = budgeted > 0 ? Math.round((100 * actual) / budgeted) : 0;
  const used = budgeted > 0 && `, ${visit.count(percent)} % of the budget`;
  const left = variance < 0 ? html`<span class="over">${say(-variance)}</span>` : say(variance);
  const figures: readonly Figure[] = [
    ['Budget', say(budgeted), 'the whole project'],
    ['Actual', say(actual), html`to today${used}`],
    [variance < 0 ? 'Over budget' : 'Left', left],
    [
      'Budgeted to today',
      say(dueMinor),
      `${say(Math.abs(gap))} ${gap < 0 ? 'more' : 'less'} spent than that`,
    ],
    [
      'Lines over budget',
      lines === 0 ? '0' : html`<span class="over">${visit.count(lines)}</span>`,
      lines > 0 && `by ${say(sumMinor)} together`,
    ],
  ];
  return figureList(figures);
}

/** What may not be as it should: how many, with how much, and where a person settles it. */
function markNote(
  { visit, rolled }: ReportView,
  [word, { count }, minor]: readonly [word: string, marked: { count: number }, minor: number],
  [said, path, link]: readonly [said: string, path: string, link: string],
): Html | undefined {
  if (count === 0 && minor === 0) return undefined;
  // One that is split between this project and one below it would count twice.
  const many = rolled.children.length === 0 && `${visit.count(count)} `;
  return html`<div class="note warn"><span class="tag review">${many}${word}</span> <span>Of
the actual amounts, ${visit.money(minor)} ${said}.</span> <a href="${path}">${link}</a></div>`;
}

function reviewNote(view: ReportView): Html | undefined {
  const { report, reviewMinor } = view.rolled;
  const said = ['count here as they were allocated', '/review', 'Review them'] as const;
  return markNote(view, ['under review', report.needsReview, reviewMinor], said);
}

/** What may belong elsewhere, because its codes or its day changed after it was allocated. */
function recodedNote(view: ReportView): Html | undefined {
  const { report, recodedMinor } = view.rolled;
  const said = ['may belong elsewhere', RECODED, 'Settle them'] as const;
  return markNote(view, ['recoded', report.recoded, recodedMinor], said);
}

/** What may belong here, but is not allocated to any line yet, or not in full. */
function unallocatedNote({ visit, project, rolled }: ReportView): Html | undefined {
  const { count, outMinor, inMinor } = rolled.unallocated;
  if (count === 0) return undefined;
  const { reader } = visit;
  const { startDate: from, endDate: to } = project;
  const amounts = [
    outMinor !== 0 && `${visit.amount(outMinor)} out`,
    inMinor !== 0 && `${visit.amount(inMinor)} in`,
  ];
  const isOne = count === 1;
  return html`<div class="note"><p>${reader.count(count, 'transaction')} of these days
${isOne ? 'is' : 'are'} not allocated, or not in full: ${amounts
    .filter(Boolean)
    .join(' and ')}. What of that belongs here is not in the report yet. <a
href="${addressOf(LIST, { tab: 'open', from, to })}">See ${isOne ? 'it' : 'them'}</a></p></div>`;
}

function charts({ visit, rolled, today, isQuarterly }: ReportView): Html {
  const { periods } = rolled.report;
  const facts: ChartFacts = {
    periods,
    cells: rolled.totals.cells,
    every: isQuarterly ? 'quarter' : 'month',
    today,
    reader: visit.reader,
  };
  const caption = isQuarterly ? 'Quarter by quarter' : 'Month by month';
  return html`<figure><figcaption>${caption} <span class="soft">outline: budget, filled: actual,
hatched: over</span></figcaption>${periodChart(facts)}</figure>
<figure><figcaption>Added up <span class="soft">dashed: budget, solid: actual</span></figcaption>
${runningChart(facts)}</figure>`;
}

/** A row of the sheet: a line, a project below, or all of them. */
interface SheetRow extends ReportFigures {
  readonly name: Html;
  /** Where the transactions of a cell are; undefined for sums of many lines. */
  readonly line?: string;
}

async function sheet(view: ReportView): Promise<Html> {
  const { visit, rolled, isOwnOrder, isQuarterly, project } = view;
  const { report, children, totals } = rolled;
  const shown = report.rows.filter(hasFigures);
  const sorted = isOwnOrder
    ? shown
    : [...shown].sort((one, two) => two.total.budgeted - one.total.budgeted);
  const rows: SheetRow[] = [
    ...sorted.map((row) => ({ ...row, name: lineName(row), line: formatId('bln', row.line.id) })),
    ...children.map((child) => ({ ...child, name: childName(child.project) })),
  ];
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
  const hidden = report.rows.length - shown.length;
  const left = `${visit.reader.count(hidden, 'line')} without figures`;
  return html`<div class="sheet" tabindex="0" role="region" aria-labelledby="sheet">
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
<tfoot>${rowOf(view, { ...totals, name: html`${all}` }, columns)}</tfoot>
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

function lineName({ line }: ReportRow): Html {
  const code = line.code !== null && html`<span class="code">${line.code}</span> `;
  return html`${code}${typed(nameLine({ code: null, name: line.name }))}`;
}

function childName({ id, name }: ProjectRecord): Html {
  return html`<a href="/projects/${formatId('prj', id)}">${typed(name)}</a> <span
class="sub">project below</span>`;
}

/** The columns of the periods. */
interface Columns {
  readonly hasOutside: boolean;
  /** The class of the table: `long` if paper has no room for all periods beside each other. */
  readonly style: string;
  readonly heads: readonly Html[];
  /** The attributes of the cells of each period. */
  readonly marks: readonly Html[];
  /** The end of the address of the transactions in each period. */
  readonly queries: readonly Html[];
}

function columnsOf({ visit, rolled, today, project }: ReportView): Omit<Columns, 'hasOutside'> {
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
  const id = formatId('prj', project.id);
  const queries = periods.map(({ startDate, endDate }) => {
    return html`&amp;from=${startDate}&amp;to=${endDate}&amp;project=${id}`;
  });
  return { style, heads, marks, queries };
}

function rowOf(
  { visit, rolled, today }: ReportView,
  { name, line, cells, total, outsideActual }: SheetRow,
  { hasOutside, marks, queries }: Columns,
): Html {
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
        : line === undefined
          ? figure
          : html`<a href="${LIST}?line=${line}${queries[at]}">${figure}</a>`;
    const budget = cell.budgeted === 0 ? '–' : say(cell.budgeted);
    return html`<td${marks[at]}>${shown} <span
class="sub">${budget}</span></td>\n`;
  });
  const other = outsideActual === 0 ? html`<span class="soft">0</span>` : say(outsideActual);
  return html`<tr><th scope="row">${name}</th>
<td>${say(budgeted)}</td><td>${say(actual)}</td>${left}
${parts}${hasOutside && html`<td class="other">${other}</td>`}</tr>\n`;
}
