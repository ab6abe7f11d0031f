/** Writing the draft of a statement, issuing it, and withdrawing the newest one. */

import { monthOf, monthsBetween } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { CHARACTERS } from '../../core/limits.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { dayIn } from '../../core/time-zones.ts';
import { RoleForbids } from '../../core/users.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { atomically } from '../../operations/access.ts';
import type { ProjectRecord } from '../../operations/projects.ts';
import {
  getDraft,
  issueInTurns,
  markDraft,
  markFigures,
  refuseMoved,
  saveStatementDraft,
  withdrawStatement,
} from '../../operations/statements.ts';
import { sectionPart } from '../components/elements.ts';
import {
  type Field,
  fieldList,
  narrowForm,
  postForm,
  required,
  type Sent,
  takeForm,
} from '../components/forms.ts';
import type { Visit } from '../session/visit.ts';

type Line = StatementDocument['lines'][number];
type Again = (visit: Visit, sent: Sent) => Reply | Promise<Reply>;

/** Where the statements of a project are, and their project. */
interface Place {
  readonly project: ProjectRecord;
  readonly projectId: string;
  readonly path: string;
}

const reasonName = ({ budgetLineId }: Pick<Line, 'budgetLineId'>) => `reason-${budgetLineId}`;

/** The form of the draft, below its figures. Without permission, who issues it. */
export function draftForm(
  visit: Visit,
  document: StatementDocument,
  { place, sent }: { readonly place: Place; readonly sent: Sent },
): Html {
  const { number } = document;
  const issue = `Issue statement ${number}`;
  const asks = html`<details class="confirm"><summary>${issue}</summary><div class="ask">
<p>Its figures, reasons and note are kept as they are now, with your name and today’s date. They
never change again. Until statement ${number + 1} is issued, an admin can withdraw it.</p>
<button class="button danger" name="do" value="issue">${issue}</button></div></details>`;
  const content = html`${fieldList(fieldsOf(visit, document, place.project), sent)}
<p class="actions"><button class="button" name="do" value="save">Save the draft</button></p>
${
  visit.may('projects')
    ? asks
    : html`<p class="soft">An admin of your organisation issues statements.</p>`
}`;
  const { access } = visit;
  const unseen = { seen: markDraft(access, place.projectId), figures: markFigures(document) };
  const form = postForm(`${place.path}/new`, unseen, content, html` class="medium"`);
  return sectionPart('write', 'Reasons and covering note', form);
}

function fieldsOf(
  visit: Visit,
  document: StatementDocument,
  project: ProjectRecord,
): Record<string, Field> {
  const { lines, note, unfinished } = document;
  const missing = unfinished.reasonsMissing.length;
  const asked = lines.filter(({ asksReason, reason }) => asksReason || reason !== null);
  const words = 'Shown above the figures.';
  return {
    until: {
      label: 'Up to the end of',
      type: 'select',
      value: document.to,
      options: monthsOf(visit, document, project),
    },
    below: {
      label: 'Projects below',
      type: 'radio',
      value: document.withSubProjects ? 'yes' : 'no',
      options: [
        ['no', 'Without the projects below it'],
        ['yes', 'With the projects below it'],
      ],
    },
    ...Object.fromEntries(asked.map((line) => [reasonName(line), reasonField(visit, line)])),
    note: { label: 'Covering note', type: 'textarea', hint: words, value: note ?? '' },
    ...(missing > 0 && {
      without: {
        label: 'Missing reasons',
        type: 'checkbox',
        options: [['yes', `Issue it without ${count(missing, 'reason')}`]],
      },
    }),
  };
}

function reasonField({ reader }: Visit, line: Line): Field {
  const { code, name, toDate, budgetToDate, reason } = line;
  const percent = Math.round((100 * Math.abs(toDate - budgetToDate)) / Math.abs(budgetToDate));
  const side = toDate > budgetToDate ? 'above' : 'below';
  const hint =
    budgetToDate === 0
      ? 'Nothing was budgeted to that day.'
      : `${reader.count(percent)} % ${side} what was budgeted to that day.`;
  const label = `Why? ${code === null ? '' : `${code} `}${name}`;
  return { label, type: 'textarea', hint, value: reason ?? '' };
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
    const [, id] = /^reason-(bln_\d+)$/.exec(name) ?? [];
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
        const why = `Give a reason: it is more than ${now.tolerancePercent} % off.`;
        faults = Object.fromEntries(
          reasonsMissing.map((budgetLineId) => [reasonName({ budgetLineId }), why]),
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
