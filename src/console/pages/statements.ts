/** The statements of a project: the list, an issued one on a page and on paper, and the draft. */

import { formatId } from '../../core/ids.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { missing } from '../../operations/access.ts';
import { getProject } from '../../operations/projects.ts';
import {
  type CountedColumn,
  getDraft,
  getStatement,
  type ListedStatement,
  listStatements,
} from '../../operations/statements.ts';
import { nextTurn } from '../../operations/turns.ts';
import type { ProjectRecord } from '../../store/projects.ts';
import {
  type Column,
  emptyPart,
  stackTable,
  switchList,
  tabList,
  typed,
} from '../components/elements.ts';
import { type Sent, UNSENT } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { addressOf } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import {
  draftForm,
  nextPart,
  rangeForm,
  takeDraft,
  takeWithdrawal,
  withdrawalForm,
} from './statement-draft.ts';
import { FORMATS, fileReply, itemsForm } from './statement-files.ts';
import { paperPage, paperStyle } from './statement-paper.ts';
import { figuresPart, sayMonths, shownReason, statementNotes } from './statement-sheet.ts';
import { BY, isUsed, minorOf, type StatementLine, sayChange } from './statement-table.ts';

const PLACE = '/projects';
/** The word in the address of the draft, where others have their number. */
const DRAFT = 'new';
/** The parts of a project: tabs above each of them. */
export function projectTabs(path: string, here: 'report' | 'statements'): Html {
  return tabList('Project', [
    [path, 'Report', here === 'report'],
    [`${path}/statements`, 'Statements', here === 'statements'],
  ]);
}

/** The project in the address. Refuses with `not_found`. */
export function projectOf(visit: Visit): { project: ProjectRecord; path: string } {
  const project = getProject(visit.access, visit.param('id'));
  return { project, path: `${PLACE}/${formatId('prj', project.id)}` };
}

/** `GET /projects/{id}/statements`. */
export function showStatements(visit: Visit): Reply {
  const { project, path } = projectOf(visit);
  const all = listStatements(visit.access, formatId('prj', project.id)).reverse();
  const issued = all.filter(({ status }) => status === 'issued');
  const withdrawn = all.filter(({ status }) => status === 'withdrawn');
  const none = emptyPart(
    'No statements yet',
    'A statement is what a funder or a board gets: figures up to the end of a month, frozen.',
  );
  const content = html`${projectTabs(path, 'statements')}
${nextPart(visit, project, `${path}/statements`)}${
  issued.length === 0 ? none : statementTable(visit, path, issued)
}${
  withdrawn.length > 0 &&
  html`<details class="more"><summary>Withdrawn: ${visit.count(withdrawn.length)}</summary>
${statementTable(visit, path, withdrawn)}</details>`
}`;
  return showPage(visit, {
    title: 'Statements',
    place: PLACE,
    above: [path, typed(project.name)],
    content,
  });
}

function statementTable(visit: Visit, path: string, all: readonly ListedStatement[]): Html {
  const money = (major: number) => visit.money(minorOf(visit, major));
  const linkOf = ({ number, issue, status }: ListedStatement) => {
    const query = status === 'withdrawn' ? `?issue=${issue}` : '';
    const again = issue > 1 && html` <span class="sub">issue ${visit.count(issue)}</span>`;
    return html`<a href="${path}/statements/${number}${query}">Statement ${number}</a>${again}`;
  };
  const sayIssued = ({ issuedAt, issuedBy, withdrawn }: ListedStatement) =>
    html`${visit.moment(Date.parse(issuedAt ?? ''))}, ${typed(issuedBy?.name ?? '')}${
      withdrawn !== null &&
      html` <span class="sub">withdrawn ${visit.moment(Date.parse(withdrawn.at))} by ${typed(
        withdrawn.by.name,
      )}: ${typed(withdrawn.reason)}</span>`
    }`;
  const sayChanged = ({ number, changed }: ListedStatement) =>
    changed !== null && changed > 0
      ? html`<a href="${path}/statements/${number}/changed">${visit.count(
          changed,
          'transaction',
        )}</a>`
      : changed === 0 && 'nothing';
  const columns: readonly Column<ListedStatement>[] = [
    ['Statement', 'whole', linkOf],
    ['Months', 'whole', (each) => sayMonths(visit, each)],
    [`Income, ${visit.currency.code}`, 'num', ({ income }) => money(income), 'Income'],
    ['Expenses', 'num', ({ expenses }) => money(expenses), 'Expenses'],
    ['Balance', 'num', ({ balance }) => money(balance), 'Balance'],
    ['Issued', 'whole', sayIssued],
    ['Changed since', 'whole', sayChanged, 'Changed since'],
  ];
  return stackTable(columns, all, { label: 'Statements' });
}

/** The statement in the address; the draft for `new`. Refuses with `not_found`. */
export function documentOf(visit: Visit, projectId: string): StatementDocument {
  const number = visit.param('number');
  const { access, nowMs } = visit;
  if (number === DRAFT) {
    const to = visit.form.value('until');
    const below = visit.form.value('below');
    const wanted = { to, ...(below !== undefined && { withSubProjects: below === 'yes' }) };
    return getDraft(access, projectId, wanted, { nowMs });
  }
  if (!/^[1-9]\d{0,8}$/.test(number)) throw missing('statement', number);
  const text = visit.asked('issue') ?? '';
  if (!/^(?:[1-9]\d{0,8})?$/.test(text)) throw missing('issue', text);
  const issue = text === '' ? undefined : Number(text);
  return getStatement(access, projectId, { number: Number(number), issue });
}

/** `GET /projects/{id}/statements/{number}`: an issued one, or the draft. */
export async function showStatement(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const { project, path } = projectOf(visit);
  const projectId = formatId('prj', project.id);
  const format = FORMATS.find((each) => each === visit.asked('format'));
  if (format !== undefined) return fileReply(visit, format, () => documentOf(visit, projectId));
  const document = documentOf(visit, projectId);
  await nextTurn();
  const { number, issue, status } = document;
  const isDraft = status === 'draft';
  const own = `${path}/statements/${isDraft ? DRAFT : number}`;
  const query = {
    issue: status === 'withdrawn' ? String(issue) : undefined,
    until: isDraft ? document.to : undefined,
    below: isDraft ? (document.withSubProjects ? 'yes' : 'no') : undefined,
  };
  const files = FORMATS.map((each) => {
    const address = addressOf(own, {}, { ...query, format: each });
    return html` <a class="button" href="${address}">${each.toUpperCase()}</a>`;
  });
  const place = { project, projectId, path: `${path}/statements` };
  const paper = addressOf(`${own}/print`, {}, query);
  const print = html`<a class="button${!isDraft && ' primary'}" href="${paper}">${
    isDraft ? 'Print the draft' : 'Print'
  }</a>`;
  const figures = isDraft
    ? draftForm(visit, document, { place, sent, print })
    : issuedFigures(visit, document, { own, query });
  return showPage(visit, {
    title: isDraft ? `Draft of statement ${number}` : `Statement ${number}`,
    place: PLACE,
    above: [`${path}/statements`, html`${typed(project.name)}: statements`],
    lead: leadOf(visit, document),
    actions: html`${!isDraft && print}${files}`,
    content: html`${isDraft && rangeForm(visit, document, { place, sent })}${statusNote(
      visit,
      document,
      own,
    )}${statementNotes(visit, document)}${figures}${itemsForm(own, query)}${
      status === 'issued' && visit.may('projects') && withdrawalForm(number, place, sent)
    }`,
    ...sent,
  });
}

/** The figures as they were issued: lines, categories, or the sums alone. */
function issuedFigures(
  visit: Visit,
  document: StatementDocument,
  {
    own,
    query,
  }: { readonly own: string; readonly query: Readonly<Record<string, string | undefined>> },
): Html {
  const { lines, categories } = document;
  const by = BY.find((each) => each === visit.asked('by'));
  const way = (name: string, each: typeof by) => {
    return [name, `${addressOf(own, {}, { ...query, by: each })}#figures`, by === each] as const;
  };
  const of = (name: string, count: number) => `${name} ${visit.count(count)}`;
  const actions = switchList('Figures', [
    way(of('Lines', lines.filter(isUsed).length), undefined),
    categories.length > 1 && way(of('Categories', categories.length), 'categories'),
    way('Totals', 'kinds'),
  ]);
  const reasonOf = (line: StatementLine) => shownReason(visit, line);
  const linkOf = ({ budgetLineId: line }: StatementLine, column: CountedColumn) =>
    addressOf(`${own}/transactions`, {}, { ...query, line, column });
  const about = 'As they were issued. Every figure leads to the transactions it counted.';
  return figuresPart(visit, document, { about, actions, reasonOf, linkOf, by });
}

/** `GET /projects/{id}/statements/{number}/print`. */
export function showPrint(visit: Visit): Reply {
  const { project, path } = projectOf(visit);
  const document = documentOf(visit, formatId('prj', project.id));
  const way = `${path}/statements/${visit.param('number')}`;
  const [issue, until, below] = ['issue', 'until', 'below'].map((name) => visit.asked(name));
  const query = { issue, until, below };
  return paperPage(visit, document, {
    way: addressOf(way, {}, query),
    style: addressOf(`${way}/print.css`, {}, query),
  });
}

/** `GET /projects/{id}/statements/{number}/print.css`. */
export function showPrintStyle(visit: Visit): Reply {
  return paperStyle(visit, documentOf(visit, formatId('prj', projectOf(visit).project.id)));
}

/** `POST /projects/{id}/statements/{number}`: saves or issues the draft, or withdraws. */
export function takeStatement(visit: Visit): Promise<Reply> {
  const { project, path } = projectOf(visit);
  const place = { project, projectId: formatId('prj', project.id), path: `${path}/statements` };
  const number = visit.param('number');
  if (number === DRAFT) return takeDraft(visit, place, showStatement);
  const again = showStatement;
  return takeWithdrawal(visit, { number: Number(number), place, again });
}

function leadOf(visit: Visit, { from, to, endDate, funder, currency, ...rest }: StatementDocument) {
  const until = html`up to ${visit.day(endDate)}`;
  const reference = funder?.reference;
  const months = sayMonths(visit, { from, to });
  return html`${months}, ${until}${funder && html` · ${typed(funder.name)}`}${
    reference && html` · ${typed(reference)}`
  } · ${currency}${rest.withSubProjects && ' · with the projects below'}`;
}

/** What kind of statement it is, and what has changed since it was issued. */
function statusNote(visit: Visit, document: StatementDocument, own: string): HtmlValue {
  const { status, issuedAt, issuedBy, withdrawn, changedSince, issue, hash } = document;
  if (status === 'draft') {
    return html`<p class="note">A draft: its figures are those of now, and may change.</p>`;
  }
  const issuedMs = Date.parse(issuedAt ?? '');
  const issued = html`<p class="small">Issued ${visit.moment(issuedMs)} by ${typed(
    issuedBy?.name ?? '',
  )}${issue > 1 && `, issue ${issue}`}. Its hash: <code
class="hash">${hash ?? ''}</code></p>`;
  if (withdrawn !== null) {
    return html`<p class="note warn">Withdrawn ${visit.moment(Date.parse(withdrawn.at))} by ${typed(
      withdrawn.by.name,
    )}: ${typed(withdrawn.reason)}</p>${issued}`;
  }
  const { count = 0, income = 0, expenses = 0 } = changedSince ?? {};
  const changed =
    count > 0 &&
    html`<div class="note warn"><p><b>${visit.count(count, 'transaction')} in its months changed
since:</b> income ${sayChange(visit, income)}, expenses ${sayChange(
      visit,
      expenses,
    )}. This statement stays as it is; the next one shows the changes.</p><a class="button"
href="${own}/changed">See what changed</a></div>`;
  return html`${changed}${issued}`;
}
