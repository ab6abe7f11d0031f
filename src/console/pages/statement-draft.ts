/** Writing the draft of a statement, issuing it, and withdrawing the newest one. */

import { monthOf, monthsBetween } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
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
  getDraft,
  issueInTurns,
  markDraft,
  markFigures,
  refuseMoved,
  saveStatementDraft,
  withdrawStatement,
} from '../../operations/statements.ts';
import type { ProjectRecord } from '../../store/projects.ts';
import {
  type Field,
  fieldList,
  fieldOf,
  filterForm,
  narrowForm,
  postForm,
  required,
  type Sent,
  takeForm,
} from '../components/forms.ts';
import { addressOf, LIST } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { daysOf, figuresPart, sayMonths, sayOff } from './statement-sheet.ts';
import type { LinkOf, StatementLine } from './statement-table.ts';

type Again = (visit: Visit, sent: Sent) => Reply | Promise<Reply>;

/** Where the statements of a project are, and their project. */
interface Place {
  readonly project: ProjectRecord;
  readonly projectId: string;
  readonly path: string;
}

const reasonName = ({ budgetLineId }: Pick<StatementLine, 'budgetLineId'>) =>
  `reason-${budgetLineId}`;

/** The draft of the next statement; undefined for a project without lines. */
function readNext({ access, nowMs }: Visit, projectId: string): StatementDocument | undefined {
  // A project without lines of its own can have those of the projects below it.
  for (const withSubProjects of [undefined, true]) {
    try {
      return getDraft(access, projectId, { withSubProjects }, { nowMs });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'conflict') throw error;
    }
  }
  return undefined;
}

/** The next statement with its months and what is unfinished, or why the project has none. */
export function nextPart(visit: Visit, project: ProjectRecord, path: string): Html {
  const document = readNext(visit, formatId('prj', project.id));
  if (document === undefined) return html`<p class="note">Statements need budget lines.</p>\n`;
  const { number, from, lines, unfinished } = document;
  if (from === null && lines.every(({ changes }) => changes === 0)) {
    return html`<p class="note">All months are reported, and nothing has changed since.</p>\n`;
  }
  const open = [
    unfinished.unallocated.count > 0 &&
      `${visit.count(unfinished.unallocated.count, 'transaction')} not allocated`,
    unfinished.underReview.count > 0 && `${visit.count(unfinished.underReview.count)} under review`,
    unfinished.reasonsMissing.length > 0 &&
      `${visit.count(unfinished.reasonsMissing.length, 'reason')} missing`,
  ].filter((part) => part !== false);
  const name = visit.may('projects') ? `Write statement ${number}` : 'Look at the draft';
  const query = { below: document.withSubProjects ? 'yes' : undefined };
  return html`<div class="note"><p><b>Statement ${number}: ${sayMonths(visit, document)}</b>${
    open.length > 0 && html`<br>${open.join(', ')}`
  }</p><a class="button primary" href="${addressOf(`${path}/new`, {}, query)}">${name}</a></div>
`;
}

/** Chooses what the draft covers: its last month, and whether with the projects below. */
export function rangeForm(
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
  const form = filterForm(`${place.path}/new`, 'Months of the draft', fields, {
    given,
    button: 'Show',
  });
  const fault = sent.faults['until'];
  return html`<div class="months">${
    fault !== undefined && html`<p class="fault">${fault}</p>\n`
  }${form}</div>`;
}

/** The figures with their reasons, the covering note, and what saves and issues the draft. */
export function draftForm(
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
  const asks = html`<details class="confirm"><summary>${issue}</summary><div class="ask">
<p>Its figures, reasons and note are kept as they are now, with your name and today’s date. They
never change again. Until statement ${number + 1} is issued, an admin can withdraw it.</p>
${missing > 0 && fieldOf('without', without, sent)}<button class="button danger" name="do"
value="issue">${issue}</button></div></details>`;
  const reasonOf = (line: StatementLine) => reasonField(visit, line, sent);
  const about = html`As of now. Every figure leads to its transactions.`;
  const links = draftLinks(document, place.path);
  const content = html`${figuresPart(visit, document, { about, reasonOf, linkOf: links })}
<div class="medium">${fieldOf('note', note, sent)}</div>
<div class="actions"><button class="button primary" name="do" value="save">Save the
draft</button> ${print} ${
    visit.may('projects')
      ? asks
      : html`<span class="soft">An admin of your organisation issues statements.</span>`
  }</div>`;
  const { access } = visit;
  const unseen = {
    until: to,
    below: withSubProjects ? 'yes' : 'no',
    seen: markDraft(access, place.projectId),
    figures: markFigures(document),
  };
  return postForm(`${place.path}/new`, unseen, content);
}

/** Where the figures of a draft lead: to what is counted now, and to the statement before. */
function draftLinks({ from, to, number }: StatementDocument, path: string): LinkOf {
  const before = `${path}/${number - 1}`;
  return ({ projectId: project, budgetLineId: line }, column) => {
    if (column === 'before') return `${before}#${line}`;
    if (column === 'changes') return `${before}/changed`;
    const { to: end } = daysOf(to);
    const start = column === 'period' && from !== null ? daysOf(from).from : undefined;
    return addressOf(LIST, { project, line, days: 'own', from: start, to: end });
  };
}

/** Where the reason of a line is written; behind a link if none is asked for. */
function reasonField(visit: Visit, line: StatementLine, sent: Sent): Html {
  const { asksReason, reason } = line;
  const name = reasonName(line);
  const about = sayOff(visit, line);
  const of = html`<span class="hidden">${nameLine(line)}</span>`;
  const label = html`<b>Why?</b> ${of} ${about}`;
  const field = fieldOf(name, { label, type: 'textarea', value: reason ?? '' }, sent);
  const isWritten = (sent.given?.[name]?.[0] ?? reason ?? '') !== '';
  if (asksReason || isWritten || sent.faults[name] !== undefined) return field;
  const short = sayOff(visit, line, true);
  return html`<details><summary><span class="soft">${short}</span> · add a reason
${of}</summary>${field}</details>`;
}

/** The months with which it can end: to the present one, and the project's last. */
function monthsOf(
  { access, reader, nowMs }: Visit,
  document: StatementDocument,
  project: ProjectRecord,
) {
  const { from, to } = document;
  const last = monthOf(project.endDate);
  const present = monthOf(dayIn(access.organisation.timeZone, nowMs));
  const end = present < last ? present : last;
  const months = from === null ? [to] : monthsBetween(`${from}-01`, `${end}-01`);
  const all = [...new Set([...months, to, ...(from === null ? [] : [last])])].sort();
  return all.map((month) => [month, reader.months([month])] as const);
}

/** `POST /projects/{id}/statements/new`: saves the draft, or also issues it. */
export function takeDraft(visit: Visit, place: Place, again: Again): Promise<Reply> {
  const { access, actor } = visit;
  const { projectId, path } = place;
  const isIssue = visit.field('do') === 'issue';
  if (isIssue && !visit.may('projects')) throw new RoleForbids('projects');
  const to = visit.field('until');
  const withSubProjects = visit.field('below') === 'yes';
  const texts = visit.form.fields.flatMap(([name, text]) => {
    const [, id] = /^reason-(bln_\w+)$/.exec(name) ?? [];
    return id === undefined ? [] : [[id, text] as const];
  });
  let faults: Record<string, string> = {};
  const refused = ({ message, headers }: Failure, status: number) => {
    const shown = Object.keys(faults).length > 0 ? faults : { until: message };
    const given = Object.fromEntries(visit.form.fields.map(([name, text]) => [name, [text]]));
    return again(visit, { given, faults: shown, status, headers });
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
        const why = `give a reason, because it is more than ${now.tolerancePercent} % off.`;
        const missing = now.lines.filter((line) => reasonsMissing.includes(line.budgetLineId));
        faults = Object.fromEntries(
          missing.map((line) => [reasonName(line), `${nameLine(line)}: ${why}`]),
        );
        throw new Failure('invalid_input', why);
      }
    });
    if (!isIssue) return { to: `${path}/new`, message: 'The draft is saved.' };
    const request = { to, withSubProjects, withoutReasons, figures };
    const { number } = await issueInTurns(access, projectId, request, actor);
    return { to: `${path}/${number}`, message: `Statement ${number} is issued.` };
  });
}

const WITHDRAWAL = {
  withdrawal: {
    label: 'Why is it withdrawn?',
    hint: `Its months are open again, and the draft has its texts. Up to ${CHARACTERS.withdrawal}
characters.`,
    read: required('Give the reason.'),
  },
};

/** The form that withdraws a statement, for admins. */
export function withdrawalForm(number: number, { path }: Place, sent: Sent): Html {
  const fields = fieldList(WITHDRAWAL, sent);
  const form = narrowForm(`${path}/${number}`, fields, { button: `Withdraw statement ${number}` });
  return html`<details class="more"><summary>Withdraw it</summary>
${form}</details>`;
}

/** `POST /projects/{id}/statements/{number}`: withdraws it. */
export function takeWithdrawal(
  visit: Visit,
  {
    number,
    place,
    again,
  }: { readonly number: number; readonly place: Place; readonly again: Again },
): Promise<Reply> {
  if (!visit.may('projects')) throw new RoleForbids('projects');
  return takeForm(visit, WITHDRAWAL, again, ({ withdrawal: reason }) => {
    withdrawStatement(visit.access, place.projectId, { number, reason }, visit.actor);
    return { to: place.path, message: `Statement ${number} is withdrawn.` };
  });
}
