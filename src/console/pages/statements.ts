/** The statements of a project: their list, and which of them an address names. */

import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { kindsOf, tolerancePercentOf } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import { getProject } from '../../operations/projects.ts';
import { numberIn } from '../../operations/statement-drafts.ts';
import {
  countStatements,
  explainUnchanged,
  readStatement,
  readStatementDraft,
  takeDocuments,
} from '../../operations/statements.ts';
import type { Steps } from '../../operations/turns.ts';
import { findDraft } from '../../store/statements.ts';
import {
  type Column,
  emptyPart,
  jobRow,
  stackTable,
  tabList,
  typed,
  unseen,
} from '../components/elements.ts';
import { showPage } from '../components/layout.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { FORMATS } from './statement-files.ts';
import { sayMonths } from './statement-sheet.ts';

/** The word in the address of the draft, where others have their number. */
export const DRAFT = 'new';

/** The parts of a project: tabs above each of them. */
export function projectTabs(visit: Visit, projectId: string, here: 'report' | 'statements'): Html {
  const path = `${PATHS.projects}/${projectId}`;
  const issued = countStatements(visit.access, projectId);
  const figure = issued > 0 && html` <span class="figure">${visit.reader.count(issued)}</span>`;
  return tabList('Project', [
    [path, 'Report', here === 'report'],
    [`${path}/statements`, html`Statements${figure}`, here === 'statements'],
    visit.may('projects') && [`${path}/edit`, 'Edit', false],
  ]);
}

/** The project in the address, and where its statements are. Refuses with `not_found`. */
export function placeOf(visit: Visit) {
  const project = getProject(visit.access, visit.param('id'));
  const projectId = formatId('prj', project.id);
  const report = `${PATHS.projects}/${projectId}`;
  const path = `${report}/statements`;
  const above = [
    [PATHS.projects, 'Projects'],
    [report, typed(project.name)],
    [path, 'Statements'],
  ] as const;
  return { project, projectId, report, path, above };
}

export async function showStatements(visit: Visit): Promise<Reply> {
  const { reader } = visit;
  const { project, projectId, report, path, above } = placeOf(visit);
  const { name, startDate, endDate, funderName, funderReference } = project;
  const percent = tolerancePercentOf(project.toleranceHundredths);
  const all = (await visit.read(takeDocuments(visit.access, projectId))).reverse();
  const issued = all.filter(({ status }) => status === 'issued');
  const withdrawn = all.filter(({ status }) => status === 'withdrawn');
  const none = emptyPart(
    'No statements yet',
    'A statement gives a funder or a board the figures up to the end of a month, frozen.',
  );
  const content = html`${projectTabs(visit, projectId, 'statements')}
${await nextPart(visit, projectId, path)}${
  issued.length === 0 ? none : statementTable(visit, path, issued)
}${
  withdrawn.length > 0 &&
  html`<details class="more"><summary>Withdrawn: ${reader.count(withdrawn.length)}</summary>
${statementTable(visit, path, withdrawn)}</details>`
}<p class="below small soft">An issued statement never changes: later changes to its months show in
the next one. ${
    percent === null
      ? 'No line needs a reason.'
      : `A line more than ${percent}% off its budget to date needs a reason.`
  }${visit.may('projects') && html` <a href="${report}/edit">Change that</a>`}</p>`;
  return showPage(visit, {
    title: `Statements of ${name}`,
    place: PATHS.projects,
    above: above.slice(0, 1),
    heading: typed(name),
    lead: html`${reader.day(startDate)} to ${reader.day(endDate)}${
      funderName !== null && html` · ${typed(funderName)}`
    }${funderReference !== null && html` · ${typed(funderReference)}`} · ${reader.currency.code}`,
    content,
  });
}

function statementTable(visit: Visit, path: string, all: readonly StatementDocument[]): Html {
  const { reader } = visit;
  const linkOf = ({ number, issue, status }: StatementDocument) => {
    const query = status === 'withdrawn' ? `?issue=${issue}` : '';
    const again = issue > 1 && html` <span class="sub">issue ${reader.count(issue)}</span>`;
    return html`<a href="${path}/${number}${query}">Statement ${number}</a>${again}`;
  };
  const sayIssued = ({ status, issuedAt, issuedBy, withdrawn }: StatementDocument) => {
    const tag = html`<span class="tag ${status}">${withdrawn ? 'Withdrawn' : 'Issued'}</span>`;
    const issued = visit.moment(Date.parse(issuedAt ?? ''));
    const by = typed(issuedBy?.name ?? '');
    if (withdrawn === null) return html`${tag} <span class="sub">${issued}, ${by}</span>`;
    const at = visit.moment(Date.parse(withdrawn.at));
    const other = typed(withdrawn.by.name);
    return html`${tag} issued ${issued}, ${by} <span class="sub">withdrawn ${at} by ${other}:
${typed(withdrawn.reason)}</span>`;
  };
  const [last] = all;
  const idsOf = (each: StatementDocument | undefined) =>
    new Set(each?.changedSince?.transactions.map(({ transactionId }) => transactionId));
  const open = idsOf(last);
  const sayChanged = (each: StatementDocument) => {
    const { number, changedSince } = each;
    if (changedSince === null) return undefined;
    const changed = [...idsOf(each)];
    if (changed.length === 0) return 'nothing';
    const left = changed.filter((id) => open.has(id)).length;
    const reported =
      last?.number === number + 1 ? `all in statement ${last.number}` : 'all reported';
    const some = left < changed.length ? `${reader.count(left)} ` : '';
    const count = reader.count(changed.length, 'transaction');
    return html`<a href="${path}/${number}/changed">${count}</a> <span class="sub">${
      left === 0 ? reported : `${some}not reported yet`
    }</span>`;
  };
  const filesOf = ({ number, issue, status }: StatementDocument) => {
    const query = { issue: status === 'withdrawn' ? String(issue) : undefined };
    const own = `${path}/${number}`;
    const which = unseen(` statement ${number}${issue > 1 ? `, issue ${issue}` : ''}`);
    const files = FORMATS.map((format) => {
      const address = listPath(own, {}, { ...query, format });
      return html` · <a href="${address}">${format.toUpperCase()}${which}</a>`;
    });
    return html`<a href="${listPath(`${own}/print`, {}, query)}">Print${which}</a>${files}`;
  };
  const sums: [name: string, of: (each: StatementDocument) => number][] = [
    ['Spent to date', ({ expenses }) => expenses.toDate],
  ];
  if (all.some(({ lines }) => kindsOf(lines).length > 1)) {
    sums.unshift(['Received to date', ({ income }) => income.toDate]);
    sums.push(['Balance', ({ balance }) => balance.toDate]);
  }
  const columns: readonly Column<StatementDocument>[] = [
    ['Statement', 'whole nowrap', linkOf],
    ['Months', 'whole', (each) => sayMonths(reader, each)],
    ['Status', 'whole', sayIssued],
    ...sums.map(([name, of], at): Column<StatementDocument> => {
      const head = at === 0 ? `${name}, ${reader.currency.code}` : name;
      return [head, 'num whole', (each) => reader.major(of(each)), name];
    }),
    ['Changed since', 'whole', sayChanged, 'Changed since'],
    ['Files', 'whole nowrap', filesOf],
  ];
  return stackTable(columns, all, { label: 'Statements', look: 'issued ' });
}

/** The statement in the address, in short steps; the draft for `new`. Refuses with `not_found`. */
export function* documentOf(
  visit: Visit,
  projectId = placeOf(visit).projectId,
): Steps<StatementDocument> {
  const number = visit.param('number');
  const { access, nowMs } = visit;
  if (number === DRAFT) {
    // A form from before the last statement was issued has another last month.
    const seen = visit.form.value('seen');
    const next = countStatements(access, projectId) + 1;
    const isOpen = seen === undefined || numberIn(seen) === next;
    const to = isOpen ? visit.form.value('until') : undefined;
    const below = visit.form.value('below');
    const wanted = { to, ...(below !== undefined && { withSubProjects: below === 'yes' }) };
    return yield* readStatementDraft(access, projectId, wanted, { nowMs });
  }
  if (!/^[1-9]\d{0,8}$/.test(number)) throw missing('statement', number);
  const text = visit.asked('issue') ?? '';
  if (!/^(?:[1-9]\d{0,8})?$/.test(text)) throw missing('issue', text);
  const issue = text === '' ? undefined : Number(text);
  return yield* readStatement(access, projectId, { number: Number(number), issue });
}

/** The draft of the next statement; undefined for a project without lines. */
function* readNext(
  { access, nowMs }: Visit,
  projectId: string,
): Steps<StatementDocument | undefined> {
  // A project without lines of its own can have those of the projects below it.
  for (const withSubProjects of [undefined, true]) {
    try {
      return yield* readStatementDraft(access, projectId, { withSubProjects }, { nowMs });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'conflict') throw error;
    }
  }
  return undefined;
}

/** The next statement with its months and what is unfinished, or why the project has none. */
async function nextPart(visit: Visit, projectId: string, path: string): Promise<Html> {
  const { reader } = visit;
  const document = await visit.read(readNext(visit, projectId));
  if (document === undefined) return html`<p class="note">Statements need budget lines.</p>\n`;
  const { number, unfinished } = document;
  const unchanged = explainUnchanged(document);
  if (unchanged !== undefined) return html`<p class="note">${unchanged}</p>\n`;
  const open = [
    unfinished.unallocated.count > 0 &&
      `${reader.count(unfinished.unallocated.count, 'transaction')} not allocated`,
    unfinished.underReview.count > 0 &&
      `${reader.count(unfinished.underReview.count)} under review`,
    unfinished.reasonsMissing.length > 0 &&
      `${reader.count(unfinished.reasonsMissing.length, 'reason')} missing`,
  ].filter((part) => part !== false);
  const project = getProject(visit.access, projectId);
  const isBegun = findDraft(visit.access, project.id) !== undefined;
  const begin = `${isBegun ? 'Continue' : 'Start'} statement ${number}`;
  const name = visit.may('projects') ? begin : 'Look at the draft';
  const query = { below: document.withSubProjects ? 'yes' : undefined };
  const address = listPath(`${path}/${DRAFT}`, {}, query);
  const button = html`<a class="button primary" href="${address}">${name}</a>`;
  const tag = isBegun && html` <span class="tag draft">Draft</span>`;
  const what = html`${sayMonths(reader, document)}${tag}`;
  return html`<ul class="jobs field">${jobRow(number, what, open.join(', '), button)}</ul>\n`;
}
