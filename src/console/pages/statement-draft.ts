/** The draft of a statement: what it covers, its form, and what others did since it was opened. */

import { daysInMonth } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { nameLine } from '../../core/projects.ts';
import type { StatementDocument } from '../../core/statements.ts';
import { type Html, html } from '../../http/html.ts';
import { listActivity } from '../../operations/audit.ts';
import { markDraft, markFigures, numberIn } from '../../operations/statement-drafts.ts';
import type { CountedColumn } from '../../operations/statement-items.ts';
import { explainUnchanged, readStatement } from '../../operations/statements.ts';
import { finish } from '../../operations/turns.ts';
import { typed } from '../components/elements.ts';
import {
  type Field,
  type FormFaults,
  fieldOf,
  isFaulty,
  postForm,
  type Sent,
} from '../components/forms.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import { Names } from '../sentences/names.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { figuresPart, isUsed, type StatementLine, sayOff } from './statement-sheet.ts';
import { DRAFT, type placeOf } from './statements.ts';

/** The project of a statement, and where its statements are. */
type Place = ReturnType<typeof placeOf>;

/** The field of the reason of a line. */
export const reasonName = (budgetLineId: string) => `reason-${budgetLineId}`;

/** Looks at what others have done since the form was opened. */
export function lookSince(
  visit: Visit,
  document: StatementDocument,
  { projectId, path }: Place,
  { given = {}, faults, status }: Sent,
) {
  const { access } = visit;
  const [seen] = given['seen'] ?? [];
  if (status !== 409 || seen === undefined) return { faults };
  const before = numberIn(seen);
  if (before < document.number) {
    const { issuedAt, issuedBy } = finish(readStatement(access, projectId, { number: before }));
    const link = html`<a href="${path}/${before}">Statement ${before}</a>`;
    const when = visit.moment(Date.parse(issuedAt ?? ''));
    const who = typed(issuedBy?.name ?? '');
    return { note: html`<p class="note">${link} was issued by ${who}, ${when}.</p>\n`, faults };
  }
  const actions = ['statement.draft_saved', 'statement.withdrawn'] as const;
  const [last] = listActivity(access, { subject: projectId, actions, limit: 1 }).items;
  if (seen !== markDraft(access, projectId) && last !== undefined) {
    const what = last.action === 'statement.draft_saved' ? 'saved this draft' : 'withdrew it';
    const note = html`<p class="note">${typed(new Names(visit).of(last.actor))} ${what},
${visit.moment(last.atMs)}. The saved texts are shown above yours.</p>\n`;
    return { note, faults };
  }
  if (before !== document.number) return { faults };
  return { faults: { ...faults, ...sayMoved(visit.reader, document, given) } };
}

const WATCHED = [
  ['budget', 'budget'],
  ['period', 'this period'],
  ['changes', 'changes to earlier periods'],
  ['toDate', 'to date'],
] as const;

/** The figures of a line that the form has, to say how they have moved. */
const watchedName = (budgetLineId: string) => `was-${budgetLineId}`;

/** Each figure that has moved since the form was opened, with what it was. */
function sayMoved(
  reader: Reader,
  document: StatementDocument,
  given: NonNullable<Sent['given']>,
): FormFaults {
  if (given['figures']?.[0] === markFigures(document)) return {};
  let moved = 0;
  const lines = document.lines.flatMap((line): [string, string][] => {
    const was = (given[watchedName(line.budgetLineId)]?.[0] ?? '').split(',').map(Number);
    const parts = WATCHED.flatMap(([column, name], at) => {
      const [before = 0, now] = [was[at], line[column]];
      return before === now ? [] : [`${name} ${reader.major(before)}, now ${reader.major(now)}`];
    });
    moved += parts.length;
    return parts.length === 0
      ? []
      : [[line.budgetLineId, `${nameLine(line)}: ${parts.join('; ')}`]];
  });
  if (moved === 0) return {};
  const what = count(moved, 'figure has', 'figures have');
  const until = `It was not issued: ${what} changed since you opened it.`;
  return { until, ...Object.fromEntries(lines) };
}

/** What a form of the draft has besides it. */
interface DraftParts {
  readonly place: Place;
  readonly sent: Sent;
  readonly print: Html;
  /** Whether someone else has saved texts since the form was opened. */
  readonly isSaved: boolean;
}

/** The figures with their reasons, the covering note, and what saves and issues the draft. */
export function draftForm(
  visit: Visit,
  document: StatementDocument,
  { place, sent, print, isSaved }: DraftParts,
): Html {
  const { number, to, withSubProjects, unfinished } = document;
  const missing = unfinished.reasonsMissing.length;
  const issue = `Issue statement ${number}`;
  const note: Field = {
    label: 'Covering note',
    type: 'textarea',
    hint: (isSaved && savedText(sent, 'note', document.note)) || NOTE_HINT,
    value: document.note ?? '',
  };
  const without: Field = {
    label: 'Missing reasons',
    type: 'checkbox',
    options: [['yes', `Issue it without ${count(missing, 'reason')}`]],
  };
  const members = 'An admin of your organisation issues statements.';
  const why = explainUnchanged(document) ?? (visit.may('projects') ? undefined : members);
  // Issuing was refused, perhaps for reasons that can be left out here.
  const isOpen = isFaulty(sent.faults) && sent.given?.['do']?.includes('issue');
  const asks = html`<details class="confirm"${isOpen && html` open`}><summary>${issue}</summary><div
class="ask">
<p>Its figures, reasons and note are kept as they are now, with your name and today’s date. They
never change again. Until statement ${number + 1} is issued, an admin can withdraw it.</p>
${missing > 0 && fieldOf('without', without, sent)}<button class="button danger" name="do"
value="issue">${issue}</button></div></details>`;
  const reasonOf = (line: StatementLine) => {
    const { budgetLineId, reason } = line;
    const hint = isSaved && savedText(sent, reasonName(budgetLineId), reason);
    return reasonField(visit.reader, line, sent, hint || undefined);
  };
  const about = html`As of now. The figures of a line lead to its transactions.`;
  const linkOf = draftLinks(document, place.path);
  const below = withSubProjects ? 'yes' : 'no';
  const query = { until: to, below };
  const own = `${place.path}/${DRAFT}`;
  const figures = { about, reasonOf, linkOf, own, query, asked: visit.asked('by') };
  const content = html`${figuresPart(visit.reader, document, figures)}
<div class="medium">${fieldOf('note', note, sent)}</div>
<div class="actions"><button class="button primary" name="do" value="save">Save the
draft</button> ${print} ${why === undefined ? asks : html`<span class="soft">${why}</span>`}</div>`;
  const { access } = visit;
  const unseen = {
    ...query,
    seen: markDraft(access, place.projectId),
    figures: markFigures(document),
  };
  const watched = document.lines.filter(isUsed).map((line) => {
    const figures = WATCHED.map(([column]) => line[column]).join();
    return [watchedName(line.budgetLineId), figures] as const;
  });
  const hidden = { ...unseen, ...Object.fromEntries(watched) };
  return postForm(own, hidden, content);
}

/** Where the figures of a draft lead: to what is counted now, and to the statement before. */
function draftLinks({ from, to, number }: StatementDocument, path: string) {
  const before = `${path}/${number - 1}`;
  return ({ projectId: project, budgetLineId: line }: StatementLine, column: CountedColumn) => {
    if (column === 'before') return `${before}#${line}`;
    if (column === 'changes') return `${before}/changed`;
    const start = column === 'period' && from !== null ? `${from}-01` : undefined;
    const end = `${to}-${daysInMonth(to)}`;
    return listPath(PATHS.list, { project, line, days: 'own', from: start, to: end });
  };
}

const NOTE_HINT = 'Printed above the figures. Optional.';

/** What is stored of a text, if a form that was refused has another one. */
function savedText({ given }: Sent, name: string, stored: string | null): Html | undefined {
  const own = given?.[name]?.[0]?.replaceAll('\r\n', '\n').trim();
  if (own === undefined || stored === null || own === stored) return undefined;
  return html`Saved: <span class="note-text">${stored}</span>`;
}

/** Where the reason of a line is written; behind a link if none is asked for. */
function reasonField(reader: Reader, line: StatementLine, sent: Sent, hint?: Html): Html {
  const { asksReason, reason } = line;
  const name = reasonName(line.budgetLineId);
  const about = sayOff(reader, line);
  const of = html`<span class="hidden">${nameLine(line)}</span>`;
  const label = html`<b>Why?</b> ${of} ${about}`;
  const shown: Field = { label, type: 'textarea', value: reason ?? '', ...(hint && { hint }) };
  const field = fieldOf(name, shown, sent);
  const isWritten = (sent.given?.[name]?.[0] ?? reason ?? '') !== '';
  if (asksReason || isWritten || sent.faults[name] !== undefined) return field;
  const short = sayOff(reader, line, true);
  return html`<details><summary><span class="soft">${short} ·\u00a0</span>add a reason
${of}</summary>${field}</details>`;
}
