/** The report of a project: budget against actual, by month or quarter. */

import { monthOf, monthsBetween } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import type { LineKind } from '../../core/projects.ts';
import { budgetIn, dueMonths, dueOf, type ReportFigures } from '../../core/report.ts';
import { sumOfKind, turnFigures } from '../../core/report-lines.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { getProject } from '../../operations/projects.ts';
import { listParts } from '../../operations/roll-up.ts';
import { nextTurn } from '../../operations/turns.ts';
import { chartPair } from '../components/charts.ts';
import { emptyPart, type Figure, figureList, KINDS, typed } from '../components/elements.ts';
import { filterForm, hiddenField } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { archiveForm } from './project-edit.ts';
import { sheet } from './report-sheet.ts';
import { type ReportView, readView } from './report-view.ts';
import { askedFormat, fileLinks, tableFile } from './statement-files.ts';
import { projectTabs } from './statements.ts';

/** Of a project's name in the name of a file, which has room for 255 bytes. */
const FILE_NAME_CHARACTERS = 70;

export async function showReport(visit: Visit): Promise<Reply> {
  const id = visit.param('id');
  const project = getProject(visit.access, id);
  const view = await readView(visit, project);
  const format = askedFormat(visit);
  if (format !== undefined) return reportFile(visit, view, format);
  await nextTurn();
  const { report, children } = view.rolled;
  const isEmpty = report.rows.length === 0 && children.length === 0;
  const figures = html`${monthsForm(view)}${totalList(view)}
${markNotes(view)}${unallocatedNote(view)}
<div class="charts">${charts(view)}</div>`;
  const add = html`<a class="button primary" href="/projects/${id}/edit">Add lines</a>`;
  const none = emptyPart(
    'No budget lines yet',
    'A project has a budget for each of its lines.',
    view.canEdit && add,
  );
  const body = isEmpty ? none : html`${figures}${await sheet(view)}`;
  const page = { title: project.name, place: PATHS.projects, head: head(view) };
  const tabs = projectTabs(visit, id, 'report');
  return showPage(visit, { ...page, content: html`${tabs}${archivedNote(view)}${body}` });
}

/** The lines that the page adds up: those of the project, then those of each project below. */
async function reportFile(
  visit: Visit,
  { reader, project, rolled }: ReportView,
  format: NonNullable<ReturnType<typeof askedFormat>>,
): Promise<Reply> {
  const { formatReportCsv, formatReportXlsx } = await import('../../operations/report-csv.ts');
  const { report } = rolled;
  const name = [...project.name].slice(0, FILE_NAME_CHARACTERS).join('').trim();
  const [from, to] = [monthOf(report.startDate), monthOf(report.endDate)];
  const by = report.granularity === 'monthly' ? '' : ' by quarter';
  const content = [report.periods, listParts(rolled), reader.currency] as const;
  return tableFile(visit, [`${name} ${from} to ${to}${by}`, format], {
    csv: () => formatReportCsv(...content),
    xlsx: () => formatReportXlsx(...content),
  });
}

function head(view: ReportView): Html {
  const { reader, project, rolled, today, organisation, parent } = view;
  const { name, funderName, funderReference } = project;
  const { startDate, endDate } = rolled.report;
  const days =
    startDate > endDate
      ? 'The project has no days in these months'
      : html`${reader.day(startDate)} to ${reader.day(endDate)}`;
  return html`<p class="printed">${typed(organisation)}, ${reader.day(
    today,
  )}</p><p class="crumb"><a href="/projects">Projects</a>${
    parent !== undefined &&
    html` · <a href="/projects/${formatId('prj', parent.id)}">${typed(parent.name)}</a>`
  }</p>
<div class="head"><div><h1>${typed(name)}</h1>
<p>${days}${funderName !== null && html` · ${typed(funderName)}`}${
    funderReference !== null && html` · ${typed(funderReference)}`
  } · ${reader.currency.code}</p></div>
<div class="actions">${fileLinks((format) => view.address({ format }))}</div></div>
`;
}

function archivedNote({ reader, project, canEdit }: ReportView): Html | undefined {
  if (project.archivedAtMs === null) return undefined;
  const since = reader.dayAt(project.archivedAtMs);
  return html`<div class="note"><p>Archived on ${since}.</p>${canEdit && archiveForm(project)}</div>
`;
}

function totalList(view: ReportView): Html {
  const { reader, rolled, today } = view;
  const say = (minor: number) => reader.whole(minor);
  const expenses = sumOfKind(rolled, 'expense');
  const { actual } = expenses.total;
  const due = dueMonths(today, rolled.report);
  const dueMinor = dueOf([budgetIn(rolled.byMonth, due)], due);
  const gap = dueMinor - actual;
  const { lines, sumMinor } = rolled.over;
  const over = view.address({ show: 'over' });
  const figures: readonly Figure[] = [
    ...(rolled.kinds.length > 1 ? balanceFigures(view) : expenseFigures(view)),
    [
      'Budgeted to today',
      say(dueMinor),
      `${say(Math.abs(gap))} ${gap < 0 ? 'more' : 'less'} spent than that`,
    ],
    [
      'Lines over budget',
      lines === 0
        ? '0'
        : html`<a href="${over}#lines"><span class="over">${reader.count(lines)}</span></a>`,
      lines > 0 && `by ${say(sumMinor)} in total`,
    ],
  ];
  return figureList(figures);
}

/** Of a project without income. */
function expenseFigures(view: ReportView): readonly Figure[] {
  const { reader, rolled } = view;
  const say = (minor: number) => reader.whole(minor);
  const { budgeted, actual, variance } = rolled.totals.total;
  const used = budgeted > 0 && `, ${reader.share(actual, budgeted)} of the budget`;
  const project = formatId('prj', view.project.id);
  const { own, below } = view.part;
  const part = rolled.children.length > 0 ? below : own;
  const list = listPath(PATHS.list, { project, ...part, via: view.via });
  const left = variance < 0 ? html`<span class="over">${say(-variance)}</span>` : say(variance);
  return [
    ['Budget', say(budgeted), view.isPart ? 'these months' : 'the whole project'],
    ['Actual', html`<a href="${list}">${say(actual)}</a>`, html`recorded${used}`],
    [variance < 0 ? 'Over budget' : 'Left', left],
  ];
}

/** Of a project with income: received, spent, and the balance. */
function balanceFigures({ reader, rolled }: ReportView): readonly Figure[] {
  const say = (minor: number) => reader.whole(minor);
  const [income, expenses] = [sumOfKind(rolled, 'income'), sumOfKind(rolled, 'expense')];
  const about = (
    kind: LineKind,
    { total: { budgeted, actual, variance } }: ReportFigures,
    of: string,
  ) => {
    const share = budgeted > 0 && `${reader.share(actual, budgeted)} `;
    const { left, over } = KINDS[kind];
    const rest = variance < 0 ? over : left;
    return html`${share}of ${of}<br>${say(Math.abs(variance))} ${rest}`;
  };
  const { budgeted, actual } = turnFigures(rolled.totals).total;
  const rest = actual < 0 ? 'more spent than received' : 'received, not yet spent';
  const expected = `${say(income.total.budgeted)} expected`;
  const budget = `the budget of ${say(expenses.total.budgeted)}`;
  return [
    ['Received', say(income.total.actual), about('income', income, expected)],
    ['Spent', say(expenses.total.actual), about('expense', expenses, budget)],
    ['Balance', say(actual), html`${rest}<br>${say(budgeted)} expected at the end`],
  ];
}

const MARKS = [
  ['needsReview', 'under review', 'count here as they were allocated', PATHS.review, 'Review them'],
  ['recoded', 'recoded', 'may belong elsewhere', PATHS.recoded, 'Settle them'],
] as const;

/** What may not be as it should: how many, with how much, and where a person settles it. */
function markNotes({ reader, rolled }: ReportView): readonly Html[] {
  return MARKS.flatMap(([mark, word, said, path, link]) => {
    const { count, amountMinor } = rolled[mark];
    if (count === 0) return [];
    const many = reader.count(count);
    return html`<div class="note warn"><span class="tag review">${many} ${word}</span> <span>Of
the actual amounts, ${reader.money(amountMinor)} ${said}.</span> <a
href="${path}">${link}</a></div>`;
  });
}

/** What may belong here, but is not allocated to any line yet, or not in full. */
function unallocatedNote({ reader, rolled }: ReportView): Html | undefined {
  const { count, outMinor, inMinor } = rolled.unallocated;
  if (count === 0) return undefined;
  const { startDate: from, endDate: to } = rolled.report;
  const amounts = reader.outAndIn(outMinor, inMinor, true);
  const isOne = count === 1;
  const list = listPath(PATHS.list, { tab: 'open', from, to });
  const missing = isOne
    ? 'If it belongs to this project, it is missing here until someone allocates it'
    : 'Those that belong to this project are missing here until someone allocates them';
  return html`<div class="note"><p>${reader.count(count, 'transaction')} of these days
${isOne ? 'is' : 'are'} not allocated, or not in full: ${amounts}. ${missing}. <a
href="${list}">See ${isOne ? 'it' : 'them'}</a></p></div>`;
}

function charts({ reader, rolled, today, by }: ReportView): Html {
  const hasIncome = rolled.kinds.length > 1;
  return chartPair({
    periods: rolled.report.periods,
    cells: sumOfKind(rolled, 'expense').cells,
    income: hasIncome ? sumOfKind(rolled, 'income').cells : undefined,
    every: by === 'quarters' ? 'quarter' : 'month',
    today,
    reader,
  });
}

function monthsForm(view: ReportView): Html {
  const { reader, project, state } = view;
  const months = monthsBetween(project.startDate, project.endDate).map((month) => {
    return [month, reader.months([month])] as const;
  });
  const [first, last] = [monthOf(project.startDate), monthOf(project.endDate)];
  const fields = {
    from: { label: 'From', type: 'select', options: months },
    to: { label: 'To', type: 'select', options: months },
  } as const;
  const { from = first, to = last, ...others } = state;
  const kept = Object.entries(others).map(([name, value]) => hiddenField(name, value));
  const given = (name: string) => (name === 'from' ? from : to);
  const path = `/projects/${formatId('prj', project.id)}`;
  const all = view.address({ from: undefined, to: undefined });
  return html`<details class="months"${view.isPart && html` open`}><summary>${
    view.isPart ? 'Some months' : 'All months'
  }</summary>
${filterForm(path, 'Months of the report', fields, { given, kept })}${
  view.isPart && html`\n<a href="${all}">All months</a>`
}</details>
`;
}
