/** One statement: as it was issued, or its draft; saving and issuing that, and withdrawing it. */

import { monthOf, monthsBetween } from '../../core/calendar.ts';
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
import { markDraft, refuseMoved, saveStatementDraft } from '../../operations/statement-drafts.ts';
import {
  countStatements,
  explainOlder,
  issueInTurns,
  readStatementDraft,
  withdrawStatement,
} from '../../operations/statements.ts';
import { finish, nextTurn } from '../../operations/turns.ts';
import { typed } from '../components/elements.ts';
import {
  faultsOfDetails,
  fieldList,
  filterForm,
  hiddenField,
  isFaulty,
  narrowForm,
  required,
  type Sent,
  takeForm,
  UNSENT,
} from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { draftForm, lookSince, reasonName } from './statement-draft.ts';
import { askedFormat, FORMATS, fileLinks, statementFile } from './statement-files.ts';
import { lookAtOpen, statementNotes } from './statement-notes.ts';
import { figuresPart, shownReason } from './statement-sheet.ts';
import { DRAFT, documentOf, placeOf } from './statements.ts';

type Place = ReturnType<typeof placeOf>;

/** `GET /projects/{id}/statements/{number}`: an issued one, or the draft. */
export async function showStatement(visit: Visit, sent: Sent = UNSENT): Promise<Reply> {
  const place = placeOf(visit);
  const { projectId, path, above } = place;
  const format = askedFormat(visit);
  if (format !== undefined) return statementFile(visit, format, () => documentOf(visit, projectId));
  const document = await visit.read(documentOf(visit, projectId));
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
  const paper = listPath(`${own}/print`, {}, query);
  const print = html`<a class="button${!isDraft && ' primary'}" href="${paper}">${
    isDraft ? 'Print the draft' : 'Print'
  }</a>${fileLinks((format) => listPath(own, {}, { ...query, format }))}`;
  const { note, faults } = lookSince(visit, document, place, sent);
  const shown = { ...sent, faults };
  const figures = isDraft
    ? draftForm(visit, document, { place, sent: shown, print, isSaved: note !== undefined })
    : issuedFigures(visit.reader, document, { own, query, asked: visit.asked('by') });
  const items = itemsForm(own, query);
  await nextTurn();
  return showPage(visit, {
    title: isDraft ? `Draft of statement ${number}` : `Statement ${number}`,
    place: '/projects',
    above,
    heading: html`Statement ${number}${isDraft && html` <span class="tag draft">Draft</span>`}`,
    lead: leadOf(visit.reader, document),
    actions: isDraft ? rangeForm(visit, document, { place, sent: shown }) : print,
    content: html`${note}${statementNotes(visit, document, open, ways)}${figures}${items}${
      status === 'issued' && withdrawalPart(visit, document, ways, sent)
    }`,
    ...shown,
  });
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
  return html`<form class="actions items" action="${own}">${kept}<span>The transactions behind
the figures:</span> <span class="choice"><input type="checkbox" id="contacts" name="contacts"
value="yes"><label for="contacts">with contacts, some of whom are private individuals</label></span>
${buttons}</form>
`;
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

/** What withdraws a statement, or why nobody here can. */
function withdrawalPart(
  visit: Visit,
  { number, issue }: StatementDocument,
  { own, newest }: { readonly own: string; readonly newest: number },
  sent: Sent,
): Html {
  const isNewest = newest === number;
  if (!isNewest || !visit.may('projects')) {
    const why = isNewest ? 'An admin of your organisation withdraws it.' : explainOlder(newest);
    return html`<p class="soft">${why}</p>`;
  }
  const hint = `Its months are open again, and the draft of statement ${number + 1} becomes
statement ${number}, with its texts. Up to ${CHARACTERS.withdrawal} characters.`;
  const field = fieldList({ withdrawal: { ...WITHDRAWAL.withdrawal, hint } }, sent);
  const fields = html`${hiddenField('issue', issue)}${field}`;
  return html`<details class="more"${isFaulty(sent.faults) && html` open`}><summary>Withdraw
it</summary>
${narrowForm(own, fields, { button: `Withdraw statement ${number}` })}</details>`;
}

/** The figures as they were issued: lines, categories, or the sums alone. */
function issuedFigures(
  reader: Reader,
  document: StatementDocument,
  page: Pick<Parameters<typeof figuresPart>[2], 'own' | 'query' | 'asked'>,
): Html {
  return figuresPart(reader, document, {
    ...page,
    about: 'As they were issued. The figures of a line lead to the transactions they counted.',
    reasonOf: (line) => shownReason(reader, line),
    linkOf: ({ budgetLineId: line }, column) =>
      listPath(`${page.own}/transactions`, {}, { ...page.query, line, column }),
  });
}

function leadOf(
  reader: Reader,
  { number, startDate, endDate, funder, currency, ...rest }: StatementDocument,
): Html {
  const end = reader.day(endDate);
  const reference = funder?.reference;
  const days =
    startDate === null
      ? html`Changes up to ${end}`
      : html`${reader.day(startDate)} to ${end}${number > 1 && `, after statement ${number - 1}`}`;
  return html`${days}${funder && html` · ${typed(funder.name)}`}${
    reference && html` · ${typed(reference)}`
  } · ${currency}${rest.withSubProjects && ' · with the projects below'}`;
}

/** `POST /projects/{id}/statements/{number}`: saves or issues the draft, or withdraws. */
export function takeStatement(visit: Visit): Promise<Reply> {
  const place = placeOf(visit);
  const number = visit.param('number');
  if (number === DRAFT) return takeDraft(visit, place);
  if (!visit.may('projects')) throw new RoleForbids('projects');
  return takeForm(visit, WITHDRAWAL, showStatement, ({ withdrawal: reason }) => {
    const issue = Number(visit.field('issue')) || undefined;
    const withdrawal = { number: Number(number), issue, reason };
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
  // Its texts are then stored, and only the statement is not issued.
  let isKept = false;
  const refused = ({ message, details, headers }: Failure, status: number) => {
    const found = faultsOfDetails(details, (id) => [id === 'note' ? id : reasonName(id)]);
    const faults = isFaulty(found) ? found : { until: message };
    const kept = isKept ? [['seen', markDraft(access, projectId)] as const] : [];
    const fields = [...visit.form.fields, ...kept].map(([name, text]) => [name, [text]]);
    const given = Object.fromEntries(fields);
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
      const now = finish(readStatementDraft(access, projectId, { to, withSubProjects }, actor));
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
    isKept = true;
    if (!isIssue) return { to: `${path}/${DRAFT}`, message: 'The draft is saved.' };
    const request = { to, withSubProjects, withoutReasons, figures };
    const { number } = await issueInTurns(access, projectId, request, actor);
    return { to: `${path}/${number}`, message: `Statement ${number} is issued.` };
  });
}

const WITHDRAWAL = {
  withdrawal: { label: 'Why is it withdrawn?', read: required('Give the reason.') },
};
