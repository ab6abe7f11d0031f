/** One statement: as it was issued, or its draft; saving and issuing that, and withdrawing it. */

import { daysInMonth, monthOf, monthsBetween } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { CHARACTERS } from '../../core/limits.ts';
import { nameLine } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { dayIn } from '../../core/time-zones.ts';
import { RoleForbids } from '../../core/users.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { atomically } from '../../operations/access.ts';
import { listProjects } from '../../operations/projects.ts';
import {
  markDraft,
  markFigures,
  refuseMoved,
  saveStatementDraft,
} from '../../operations/statement-drafts.ts';
import type { CountedColumn } from '../../operations/statement-items.ts';
import {
  countStatements,
  explainOlder,
  explainUnchanged,
  getDraft,
  issueInTurns,
  withdrawStatement,
} from '../../operations/statements.ts';
import { nextTurn } from '../../operations/turns.ts';
import { switchList, typed } from '../components/elements.ts';
import {
  type Field,
  faultsOfDetails,
  fieldList,
  fieldOf,
  filterForm,
  isFaulty,
  narrowForm,
  postForm,
  required,
  type Sent,
  takeForm,
  UNSENT,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { addressOf, LIST } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { askedFormat, fileLinks, itemsForm, statementFile } from './statement-files.ts';
import { lookAtOpen, statementNotes, type Ways } from './statement-notes.ts';
import {
  BY,
  figuresPart,
  isUsed,
  type LinkOf,
  type StatementLine,
  sayOff,
  shownReason,
} from './statement-sheet.ts';
import { DRAFT, documentOf, placeOf } from './statements.ts';

type Place = ReturnType<typeof placeOf>;

const reasonName = (budgetLineId: string) => `reason-${budgetLineId}`;

/** `GET /projects/{id}/statements/{number}`: an issued one, or the draft. */
export async function showStatement(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const place = placeOf(visit);
  const { projectId, path, above } = place;
  const format = askedFormat(visit);
  if (format !== undefined) return statementFile(visit, format, () => documentOf(visit, projectId));
  const document = documentOf(visit, projectId);
  await nextTurn();
  const open = await lookAtOpen(visit, document);
  const { number, issue, status } = document;
  const isDraft = status === 'draft';
  const own = `${path}/${isDraft ? DRAFT : number}`;
  const ways = { own, path, newest: countStatements(visit.access, projectId) };
  const query = {
    issue: status === 'withdrawn' ? String(issue) : undefined,
    until: isDraft ? document.to : undefined,
    below: isDraft ? (document.withSubProjects ? 'yes' : 'no') : undefined,
  };
  const paper = addressOf(`${own}/print`, {}, query);
  const print = html`<a class="button${!isDraft && ' primary'}" href="${paper}">${
    isDraft ? 'Print the draft' : 'Print'
  }</a>${fileLinks((format) => addressOf(own, {}, { ...query, format }))}`;
  const figures = isDraft
    ? draftForm(visit, document, { place, sent, print })
    : issuedFigures(visit, document, { own, query });
  return showPage(visit, {
    title: isDraft ? `Draft of statement ${number}` : `Statement ${number}`,
    place: '/projects',
    above,
    heading: html`Statement ${number}${isDraft && html` <span class="tag draft">Draft</span>`}`,
    lead: leadOf(visit, document),
    actions: isDraft ? rangeForm(visit, document, { place, sent }) : print,
    content: html`${statementNotes(visit, document, open, ways)}${figures}${itemsForm(own, query)}${
      status === 'issued' && withdrawalPart(visit, document, ways, sent)
    }`,
    ...sent,
  });
}

/** What withdraws a statement, or why nobody here can. */
function withdrawalPart(
  visit: Visit,
  { number }: StatementDocument,
  { own, newest }: Ways,
  sent: Sent,
): Html {
  const isNewest = newest === number;
  if (!isNewest || !visit.may('projects')) {
    const why = isNewest ? 'An admin of your organisation withdraws it.' : explainOlder(newest);
    return html`<p class="soft">${why}</p>`;
  }
  const hint = `Its months are open again, and the draft of statement ${number + 1} becomes
statement ${number}, with its texts. Up to ${CHARACTERS.withdrawal} characters.`;
  const fields = fieldList({ withdrawal: { ...WITHDRAWAL.withdrawal, hint } }, sent);
  return html`<details class="more"${isFaulty(sent.faults) && html` open`}><summary>Withdraw
it</summary>
${narrowForm(own, fields, { button: `Withdraw statement ${number}` })}</details>`;
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
  const { by, actions } = figureWays(visit, document, own, query);
  const reasonOf = (line: StatementLine) => shownReason(visit, line);
  const linkOf = ({ budgetLineId: line }: StatementLine, column: CountedColumn) =>
    addressOf(`${own}/transactions`, {}, { ...query, line, column });
  const about = 'As they were issued. Every figure leads to the transactions it counted.';
  return figuresPart(visit, document, { about, actions, reasonOf, linkOf, by });
}

/** What the figures are by, and the links that change that. */
function figureWays(
  visit: Visit,
  { lines, categories }: StatementDocument,
  own: string,
  query: Readonly<Record<string, string | undefined>>,
) {
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
  return { by, actions };
}

function leadOf(
  visit: Visit,
  { number, startDate, endDate, funder, currency, ...rest }: StatementDocument,
): Html {
  const end = visit.day(endDate);
  const reference = funder?.reference;
  const days =
    startDate === null
      ? html`Changes up to ${end}`
      : html`${visit.day(startDate)} to ${end}${number > 1 && `, after statement ${number - 1}`}`;
  return html`${days}${funder && html` · ${typed(funder.name)}`}${
    reference && html` · ${typed(reference)}`
  } · ${currency}${rest.withSubProjects && ' · with the projects below'}`;
}

/** Chooses what the draft covers: its last month, and whether with the projects below. */
function rangeForm(
  visit: Visit,
  document: StatementDocument,
  { place, sent }: { readonly place: Place; readonly sent: Sent },
): Html {
  const { access } = visit;
  const { projectId, withSubProjects } = document;
  const months = monthsOf(visit, document, place.project);
  const isParent = listProjects(access, { parentProjectId: projectId, limit: 1 }).items.length > 0;
  const below = {
    label: 'Projects below',
    type: 'select',
    options: [
      ['no', 'Without them'],
      ['yes', 'With them'],
    ],
  } as const;
  const fields = {
    until: { label: 'Up to the end of', type: 'select', options: months } as const,
    ...((isParent || withSubProjects) && { below }),
  };
  const given = (name: string) => (name === 'until' ? document.to : withSubProjects ? 'yes' : 'no');
  const form = filterForm(`${place.path}/${DRAFT}`, 'Months of the draft', fields, {
    given,
    button: 'Show',
  });
  const fault = sent.faults['until'];
  return html`<div class="months">${
    fault !== undefined && html`<p class="fault">${fault}</p>\n`
  }${form}</div>`;
}

/** The figures with their reasons, the covering note, and what saves and issues the draft. */
function draftForm(
  visit: Visit,
  document: StatementDocument,
  { place, sent, print }: { readonly place: Place; readonly sent: Sent; readonly print: Html },
): Html {
  const { number, to, withSubProjects, unfinished } = document;
  const missing = unfinished.reasonsMissing.length;
  const issue = `Issue statement ${number}`;
  const note: Field = {
    label: 'Covering note',
    type: 'textarea',
    hint: 'Printed above the figures. Optional.',
    value: document.note ?? '',
  };
  const without: Field = {
    label: 'Missing reasons',
    type: 'checkbox',
    options: [['yes', `Issue it without ${count(missing, 'reason')}`]],
  };
  const members = 'An admin of your organisation issues statements.';
  const why = explainUnchanged(document) ?? (visit.may('projects') ? undefined : members);
  const asks = html`<details class="confirm"><summary>${issue}</summary><div class="ask">
<p>Its figures, reasons and note are kept as they are now, with your name and today’s date. They
never change again. Until statement ${number + 1} is issued, an admin can withdraw it.</p>
${missing > 0 && fieldOf('without', without, sent)}<button class="button danger" name="do"
value="issue">${issue}</button></div></details>`;
  const reasonOf = (line: StatementLine) => reasonField(visit, line, sent);
  const about = html`As of now. Every figure leads to its transactions.`;
  const linkOf = draftLinks(document, place.path);
  const below = withSubProjects ? 'yes' : 'no';
  const query = { until: to, below };
  const ways = figureWays(visit, document, `${place.path}/${DRAFT}`, query);
  const content = html`${figuresPart(visit, document, { about, reasonOf, linkOf, ...ways })}
<div class="medium">${fieldOf('note', note, sent)}</div>
<div class="actions"><button class="button primary" name="do" value="save">Save the
draft</button> ${print} ${why === undefined ? asks : html`<span class="soft">${why}</span>`}</div>`;
  const { access } = visit;
  const unseen = {
    ...query,
    seen: markDraft(access, place.projectId),
    figures: markFigures(document),
  };
  return postForm(`${place.path}/${DRAFT}`, unseen, content);
}

/** Where the figures of a draft lead: to what is counted now, and to the statement before. */
function draftLinks({ from, to, number }: StatementDocument, path: string): LinkOf {
  const before = `${path}/${number - 1}`;
  return ({ projectId: project, budgetLineId: line }, column) => {
    if (column === 'before') return `${before}#${line}`;
    if (column === 'changes') return `${before}/changed`;
    const start = column === 'period' && from !== null ? `${from}-01` : undefined;
    const end = `${to}-${daysInMonth(to)}`;
    return addressOf(LIST, { project, line, days: 'own', from: start, to: end });
  };
}

/** Where the reason of a line is written; behind a link if none is asked for. */
function reasonField(visit: Visit, line: StatementLine, sent: Sent): Html {
  const { asksReason, reason } = line;
  const name = reasonName(line.budgetLineId);
  const about = sayOff(visit, line);
  const of = html`<span class="hidden">${nameLine(line)}</span>`;
  const label = html`<b>Why?</b> ${of} ${about}`;
  const field = fieldOf(name, { label, type: 'textarea', value: reason ?? '' }, sent);
  const isWritten = (sent.given?.[name]?.[0] ?? reason ?? '') !== '';
  if (asksReason || isWritten || sent.faults[name] !== undefined) return field;
  const short = sayOff(visit, line, true);
  return html`<details><summary><span class="soft">${short} ·\u00a0</span>add a reason
${of}</summary>${field}</details>`;
}

/** The months with which it can end: to the present one, and the project's last. */
function monthsOf(
  { access, reader, nowMs }: Visit,
  document: StatementDocument,
  project: Place['project'],
) {
  const { from, to } = document;
  const last = monthOf(project.endDate);
  const present = monthOf(dayIn(access.organisation.timeZone, nowMs));
  const end = present < last ? present : last;
  const months = from === null ? [to] : monthsBetween(`${from}-01`, `${end}-01`);
  const all = [...new Set([...months, to, ...(from === null ? [] : [last])])].sort();
  return all.map((month) => [month, reader.months([month])] as const);
}

/** `POST /projects/{id}/statements/{number}`: saves or issues the draft, or withdraws. */
export function takeStatement(visit: Visit): Promise<Reply> {
  const place = placeOf(visit);
  const number = visit.param('number');
  if (number === DRAFT) return takeDraft(visit, place);
  if (!visit.may('projects')) throw new RoleForbids('projects');
  return takeForm(visit, WITHDRAWAL, showStatement, ({ withdrawal: reason }) => {
    const withdrawal = { number: Number(number), reason };
    withdrawStatement(visit.access, place.projectId, withdrawal, visit.actor);
    return { to: place.path, message: `Statement ${number} is withdrawn.` };
  });
}

/** Saves the draft, or also issues it. */
function takeDraft(visit: Visit, { projectId, path }: Place): Promise<Reply> {
  const { access, actor } = visit;
  const isIssue = visit.field('do') === 'issue';
  if (isIssue && !visit.may('projects')) throw new RoleForbids('projects');
  const to = visit.field('until');
  const withSubProjects = visit.field('below') === 'yes';
  const texts = visit.form.fields.flatMap(([name, text]) => {
    const [, id] = /^reason-(bln_\w+)$/.exec(name) ?? [];
    return id === undefined ? [] : [[id, text] as const];
  });
  const refused = ({ message, details, headers }: Failure, status: number) => {
    const found = faultsOfDetails(details, (id) => [id === 'note' ? id : reasonName(id)]);
    const faults = isFaulty(found) ? found : { until: message };
    const given = Object.fromEntries(visit.form.fields.map(([name, text]) => [name, [text]]));
    return showStatement(visit, { given, faults, status, headers });
  };
  return visit.runOr(refused, async () => {
    const [note, seen] = [visit.field('note'), visit.field('seen')];
    const figures = visit.field('figures');
    const withoutReasons = visit.field('without') === 'yes';
    atomically(access, () => {
      const reasons = Object.fromEntries(texts);
      const written = { to, withSubProjects, note, seen, reasons };
      saveStatementDraft(access, projectId, written, actor);
      if (!isIssue) return;
      const now = getDraft(access, projectId, { to, withSubProjects }, actor);
      refuseMoved(now, figures);
      const { reasonsMissing } = now.unfinished;
      if (!withoutReasons && reasonsMissing.length > 0) {
        const missing = now.lines.filter((line) => reasonsMissing.includes(line.budgetLineId));
        const details = missing.map((line) => {
          const message = `${nameLine(line)}: give a reason.`;
          return { field: line.budgetLineId, code: 'required', message };
        });
        throw new Failure('invalid_input', 'Give the reasons.', { details });
      }
    });
    if (!isIssue) return { to: `${path}/${DRAFT}`, message: 'The draft is saved.' };
    const request = { to, withSubProjects, withoutReasons, figures };
    const { number } = await issueInTurns(access, projectId, request, actor);
    return { to: `${path}/${number}`, message: `Statement ${number} is issued.` };
  });
}

const WITHDRAWAL = {
  withdrawal: {
    label: 'Why is it withdrawn?',
    read: required('Give the reason.'),
  },
};
