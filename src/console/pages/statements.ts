/** The statements of a project, the draft of the next one, and what has changed since one. */

import { monthsBetween } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { attachment } from '../../http/pages.ts';
import { consistently, missing } from '../../operations/access.ts';
import { getProject, type ProjectRecord } from '../../operations/projects.ts';
import {
  getDraft,
  getStatement,
  type ListedStatement,
  listStatements,
  walkItems,
} from '../../operations/statements.ts';
import { nextTurn } from '../../operations/turns.ts';
import { type Column, emptyPart, stackTable, tabList, typed } from '../components/elements.ts';
import { hiddenField, type Sent, UNSENT } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { addressOf, LIST } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { draftForm, takeDraft, takeWithdrawal, withdrawalForm } from './statement-draft.ts';
import { minorOf, sayChange, statementContent } from './statement-sheet.ts';

const PLACE = '/projects';
/** In the address, in the place of a number. */
const DRAFT = 'new';
/** Changes that are shown one by one. */
const SHOWN_CHANGES = 500;

/** The parts of a project: tabs above each of them. */
export function projectTabs(path: string, here: 'report' | 'statements'): Html {
  return tabList('Project', [
    [path, 'Report', here === 'report'],
    [`${path}/statements`, 'Statements', here === 'statements'],
  ]);
}

/** The project in the address. Refuses with `not_found`. */
function projectOf(visit: Visit): { project: ProjectRecord; path: string } {
  const project = getProject(visit.access, visit.param('id'));
  return { project, path: `${PLACE}/${formatId('prj', project.id)}` };
}

/** `GET /projects/{id}/statements`. */
export function showStatements(visit: Visit): Reply {
  const { project, path } = projectOf(visit);
  const all = listStatements(visit.access, formatId('prj', project.id)).reverse();
  const issued = all.filter(({ status }) => status === 'issued');
  const withdrawn = all.filter(({ status }) => status === 'withdrawn');
  const start = visit.may('projects') ? 'Write the next statement' : 'Look at the draft';
  const look = html`<a class="button" href="${path}/statements/${DRAFT}">${start}</a>`;
  const none = emptyPart(
    'No statements yet',
    'A statement is what a funder or a board gets: figures up to the end of a month, frozen.',
  );
  const content = html`${projectTabs(path, 'statements')}
<p class="actions">${look}</p>
${issued.length === 0 ? none : statementTable(visit, path, issued)}${
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
    ['Months', 'whole', ({ from, to }) => sayMonths(visit, from, to)],
    [`Income, ${visit.currency.code}`, 'num', ({ income }) => money(income), 'Income'],
    ['Expenses', 'num', ({ expenses }) => money(expenses), 'Expenses'],
    ['Balance', 'num', ({ balance }) => money(balance), 'Balance'],
    ['Issued', 'whole', sayIssued],
    ['Changed since', 'whole', sayChanged, 'Changed since'],
  ];
  return stackTable(columns, all, { label: 'Statements' });
}

/** The months of a statement. */
function sayMonths({ reader }: Visit, from: string | null, to: string): string {
  if (from === null) return `Changes up to ${reader.months([to])}`;
  return reader.months(monthsBetween(`${from}-01`, `${to}-01`));
}

/** The statement in the address; the draft for `new`. Refuses with `not_found`. */
function documentOf(visit: Visit, projectId: string): StatementDocument {
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
  if (format !== undefined) return fileReply(visit, projectId, format);
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
    return html`<a class="button" href="${address}">${each.toUpperCase()}</a> `;
  });
  const place = { project, projectId, path: `${path}/statements` };
  const title = isDraft ? `Draft of statement ${number}` : `Statement ${number}`;
  return showPage(visit, {
    title,
    place: PLACE,
    above: [`${path}/statements`, html`${typed(project.name)}: statements`],
    lead: leadOf(visit, document),
    actions: html`${files}`,
    content: html`${statusNote(visit, document, own)}${statementContent(visit, document)}${
      isDraft && draftForm(visit, document, { place, sent })
    }${itemsForm(own, query)}${
      status === 'issued' && visit.may('projects') && withdrawalForm(number, place, sent)
    }`,
    ...sent,
  });
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
  return html`${sayMonths(visit, from, to)}, ${until}${funder && html` · ${typed(funder.name)}`}${
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
  )}${issue > 1 && `, issue ${issue}`}. Its hash: <code>${hash ?? ''}</code></p>`;
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

/** The transactions behind the figures as a file, with contacts if someone ticks that. */
function itemsForm(own: string, query: Readonly<Record<string, string | undefined>>): Html {
  const kept = Object.entries({ ...query, part: 'transactions' }).map(([name, value]) => {
    return hiddenField(name, value);
  });
  const buttons = FORMATS.map((each) => {
    const name = each.toUpperCase();
    return html`<button class="button" name="format" value="${each}">${name}</button> `;
  });
  return html`<form class="actions" action="${own}">${kept}<span>The transactions behind
the figures:</span> <label class="tick"><input type="checkbox" name="contacts" value="yes"> with
contacts, some of which are private persons</label> ${buttons}</form>
`;
}

const FORMATS = ['xlsx', 'csv'] as const;
const TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

async function fileReply(
  visit: Visit,
  projectId: string,
  format: (typeof FORMATS)[number],
): Promise<Reply> {
  const { access } = visit;
  const { document, items } = consistently(access, () => {
    const document = documentOf(visit, projectId);
    return { document, items: walkItems(access, document, visit) };
  });
  const request = { access, items, withContacts: visit.asked('contacts') === 'yes' };
  const isItems = format === 'csv' && visit.asked('part') === 'transactions';
  const name = `Statement ${document.number}${isItems ? ' transactions' : ''}.${format}`;
  const headers = {
    'Content-Type': TYPES[format],
    'Content-Disposition': attachment(name),
  };
  if (format === 'xlsx') {
    const { formatStatementXlsx } = await import('../../operations/statement-xlsx.ts');
    const body = Buffer.concat(await formatStatementXlsx(document, request));
    return { status: 200, headers, body };
  }
  const csv = await import('../../operations/statement-csv.ts');
  if (!isItems) return { status: 200, headers, body: csv.formatStatementCsv(document, access) };
  const body: string[] = [];
  for (const piece of csv.formatItemsCsv(document, request)) {
    body.push(piece);
    await nextTurn();
  }
  return { status: 200, headers, body };
}

/** `GET /projects/{id}/statements/{number}/changed`. */
export function showChanged(visit: Visit): Reply {
  const { project, path } = projectOf(visit);
  const document = documentOf(visit, formatId('prj', project.id));
  const { number, lines, changedSince } = document;
  const all = changedSince?.transactions ?? [];
  const names = new Map(lines.map((line) => [line.budgetLineId, line]));
  type Item = (typeof all)[number];
  const money = (major: number) => visit.money(minorOf(visit, major));
  const columns: readonly Column<Item>[] = [
    ['Date', '', ({ date }) => visit.day(date)],
    [
      'Description',
      'whole',
      ({ transactionId, description }) =>
        html`<a href="${addressOf(LIST, {}, { open: transactionId })}">${typed(description)}</a>`,
    ],
    [
      'Budget line',
      'whole',
      ({ budgetLineId }) => {
        const { code = null, name = budgetLineId } = names.get(budgetLineId) ?? {};
        return html`${code !== null && html`<span class="code">${code}</span> `}${typed(name)}`;
      },
    ],
    [`Reported, ${visit.currency.code}`, 'num', ({ reported }) => money(reported), 'Reported'],
    ['Now', 'num', ({ now }) => money(now), 'Now'],
    ['Change', 'num', ({ change }) => html`<b>${sayChange(visit, change)}</b>`, 'Change'],
  ];
  const rest = all.length - SHOWN_CHANGES;
  const content =
    all.length === 0
      ? html`<p class="empty">Nothing in its months has changed since.</p>`
      : html`${stackTable(columns, all.slice(0, SHOWN_CHANGES), { label: 'Changes' })}${
          rest > 0 && html`<p class="soft">And ${visit.count(rest, 'more change')}.</p>`
        }`;
  return showPage(visit, {
    title: `Changed since statement ${number}`,
    place: PLACE,
    above: [`${path}/statements/${number}`, `Statement ${number}`],
    lead: `What is counted now in the months of the statement, where it is not what was reported.
The next statement shows the changes.`,
    content,
  });
}
