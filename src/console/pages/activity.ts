/**
 * Activity: who did what, and when. What was done together is one entry. Undo takes back what was
 * done to transactions or a project, as a new change.
 */

import { AUDIT_ACTIONS, type AuditAction, explainNoUndo, isPlanChange } from '../../core/audit.ts';
import { isCalendarDate } from '../../core/calendar.ts';
import { Failure } from '../../core/failures.ts';
import { groupBy } from '../../core/groups.ts';
import { boundsOfDay } from '../../core/time-zones.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { readWayBack } from '../../http/pages.ts';
import { readPushes } from '../../operations/audit.ts';
import { changeMany } from '../../operations/changes.ts';
import { undoProjects } from '../../operations/project-plans.ts';
import { nextTurn } from '../../operations/turns.ts';
import { exclusionsOfPush } from '../../operations/workflow.ts';
import { listAsCreated, listLeft, undoing } from '../../store/undo.ts';
import { nameFirst, sectionPart, typed } from '../components/elements.ts';
import { filterForm, readFields } from '../components/forms.ts';
import { showPage } from '../components/layout.ts';
import { listPath } from '../components/transaction-filters.ts';
import { type Deed, entryOf, exclusionForm, listActs } from '../sentences/activity.ts';
import { Names } from '../sentences/names.ts';
import { outcomeOf, sayChanged } from '../sentences/refusals.ts';
import { DONE, type Outcome, undoForm } from '../session/outcomes.ts';
import type { Visit } from '../session/visit.ts';
import { tabReply } from './settings.ts';

const PATH = '/activity';
const LEAD = 'Changes, pushes, sign-ins and refusals, newest first. Each entry is one step.';
const ENTRIES = 50;
/** Users and keys to choose from, the users first. */
const PEOPLE = 300;

const PUSH = 'transactions.pushed';
/** Kinds of actions, by the beginning of their names. */
const KINDS = [
  ['transactions', 'Transactions', ['transaction', 'review', 'changes']],
  ['pushes', 'Imports and pushes', [PUSH]],
  ['projects', 'Projects', ['project']],
  ['statements', 'Statements', ['statement']],
  ['rules', 'Rules', ['rules']],
  ['keys', 'Keys', ['key']],
  ['users', 'Users', ['user']],
  ['sessions', 'Sign-ins and refusals', ['session']],
  ['backups', 'Backups', ['backup']],
  ['organisation', 'Organisation', ['organisation', 'plan', 'database']],
] as const;

/** What the list is filtered by. */
function filtersOf({ people }: Names) {
  const read = (text: string) => text.trim() || undefined;
  const readDay = (text: string) => {
    const day = read(text);
    if (day === undefined || isCalendarDate(day)) return day;
    throw new Failure('invalid_input', `"${day}" is not a date.`);
  };
  const kinds = KINDS.map(([id, name]) => [id, name] as const);
  const who = [['', 'Anybody'], ...[...people].slice(0, PEOPLE)] as const;
  return {
    subject: { label: 'Transaction, project or key', read },
    from: { label: 'From', type: 'date', read: readDay },
    to: { label: 'To', type: 'date', read: readDay },
    kind: { label: 'Kind', type: 'select', options: [['', 'Any'], ...kinds], read },
    who: { label: 'Who', type: 'select', options: who, read },
  } as const;
}

export async function showActivity(visit: Visit): Promise<Reply> {
  const names = new Names(visit);
  const fields = filtersOf(names);
  const { values, faults } = readFields(fields, visit.form);
  const given = (name: string) => visit.asked(name);
  const content = html`${filterForm(PATH, 'Filter the activity', fields, { given })}
${values && (await entryList(visit, values, names))}`;
  return tabReply(visit, PATH, {
    title: 'Activity',
    lead: `${LEAD} Time zone: ${visit.reader.timeZone}.`,
    content,
    faults,
  });
}

/** Undo, while something is as the act left it; undefined for what cannot be undone. */
function undoOf(visit: Visit, entry: Deed, left: ReadonlySet<number>): Html | undefined {
  const { request, reader } = visit;
  const { action, actor, details, actsMs, atMs } = entry;
  const query = request.query.filter(([name]) => name !== DONE).map(([...pair]) => pair);
  const to = `${PATH}?${new URLSearchParams(query)}`;
  const on = html`what was done at ${reader.time(atMs)}`;
  const open = actsMs.filter((each) => left.has(each));
  if (open.length === 0) return undefined;
  if (action === PUSH) {
    const created = Number(details['created'] ?? 0);
    const pushes = { by: actor, since: actsMs.at(-1) ?? atMs, until: atMs };
    return exclusionForm(reader, { created, on, to }, pushes);
  }
  const isUndone = explainNoUndo(action) === undefined || isPlanChange(entry);
  if (!isUndone || details.changes.length === 0) return undefined;
  return undoForm(open, to, on);
}

function actionsOf(kind: string | undefined): readonly AuditAction[] | undefined {
  const starts: readonly string[] | undefined = KINDS.find(([id]) => id === kind)?.[2];
  if (starts === undefined) return undefined;
  return AUDIT_ACTIONS.filter((action) => starts.some((start) => action.startsWith(start)));
}

async function entryList(
  visit: Visit,
  values: Readonly<Record<keyof ReturnType<typeof filtersOf>, string | undefined>>,
  names: Names,
): Promise<Html> {
  const { reader } = visit;
  const { kind, who: actor, subject, from, to } = values;
  const { timeZone } = reader;
  const { acts, nextCursor } = await listActs(visit.access, {
    actor,
    subject,
    actions: actionsOf(kind),
    sinceMs: from === undefined ? undefined : boundsOfDay(timeZone, from)[0],
    beforeMs: to === undefined ? undefined : boundsOfDay(timeZone, to)[1],
    limit: ENTRIES,
    cursor: visit.asked('cursor'),
  });
  // An entry can have many changes: other requests run between reading them, and after each.
  await nextTurn();
  const left = new Set<number>();
  for (const arePushes of [true, false]) {
    const of = acts.filter(({ action }) => (action === PUSH) === arePushes);
    const stamps = of.flatMap(({ actsMs }) => actsMs);
    for (const atMs of listLeft(visit.access, stamps, arePushes)) left.add(atMs);
    await nextTurn();
  }
  names.learn(acts);
  const groups: Html[] = [];
  for (const [day, entries] of groupBy(acts, ({ atMs }) => reader.dayOf(atMs))) {
    const shown: Html[] = [];
    for (const entry of entries) {
      shown.push(entryOf(entry, names, undoOf(visit, entry, left)));
      await nextTurn();
    }
    const list = html`<ol class="activity">\n${shown}</ol>`;
    groups.push(sectionPart(`day-${day}`, reader.weekday(day), list));
  }
  const older = listPath(PATH, {}, { ...values, cursor: nextCursor ?? undefined });
  return html`${
    acts.length === 0 && html`<p class="empty">No entries match the filter.</p>`
  }${groups}${
    nextCursor !== null &&
    html`<nav class="pages" aria-label="Pages"><span></span><a class="button"
href="${older}" rel="next">Older</a></nav>`
  }`;
}

/**
 * `POST /undo`: undoes some acts, the last first, or excludes what a push brought. Leads back to
 * where that was offered.
 */
export async function takeUndo(visit: Visit): Promise<Reply> {
  const acts = new Set(visit.form.values('act').map(Number));
  const to = readWayBack(visit.form.value('to')) ?? '/';
  return visit.runOr(
    (failure) => nothingUndone(visit, failure, to),
    () => (visit.form.value('by') === undefined ? undoAll(visit, acts, to) : exclude(visit, to)),
  );
}

async function undoAll(visit: Visit, acts: ReadonlySet<number>, to: string): Promise<Outcome> {
  if (acts.size === 0) throw missing();
  const [first] = acts;
  const projects = acts.size === 1 && undoProjects(visit.access, first ?? 0, visit.actor);
  if (projects) {
    const names = nameFirst(visit.reader, projects, NAMED, ({ name }) => typed(name));
    const are = projects.length === 1 ? 'is' : 'are';
    return { to, message: html`${names} ${are} as before.`, undo: [projects[0]?.updatedAtMs ?? 0] };
  }
  const newestFirst = [...acts].sort((one, two) => two - one);
  const steps = newestFirst.map((atMs) => () => undoing(visit.access, atMs));
  const done = await changeMany(visit.access, steps, visit.actor);
  const are = visit.reader.count(done.count, 'transaction is', 'transactions are');
  return outcomeOf(visit, done, to, `${are} as before.`);
}

/** Excludes what the pushes that a form names brought. */
async function exclude(visit: Visit, to: string): Promise<Outcome> {
  const { access, reader } = visit;
  const [since, until] = [Number(visit.field('since')), Number(visit.field('until'))];
  if (![since, until].every(Number.isSafeInteger)) throw missing();
  const requests = visit.form.value('requests')?.split(' ');
  const pushes = { by: visit.field('by'), since, until, requests };
  const steps: (() => ReturnType<typeof exclusionsOfPush>)[] = [];
  let [file, created] = ['Push', 0];
  for await (const { atMs, details } of readPushes(access, pushes)) {
    if (typeof details['file'] === 'string') file = `Import of ${details['file']}`;
    created += Number(details['created'] ?? 0);
    if (listAsCreated(access, atMs).length === 0) continue;
    const reason = `${file} taken back`;
    steps.push(() => exclusionsOfPush(access, atMs, reason));
  }
  if (steps.length === 0) throw missing();
  const done = await changeMany(visit.access, steps, visit.actor);
  const left = created - done.count - done.refusals.length;
  const rest = left > 0 && ` ${sayChanged(reader, left)}`;
  return outcomeOf(
    visit,
    done,
    to,
    html`${reader.count(done.count, 'transaction')} excluded.${rest}`,
  );
}

/** Projects that a message names. */
const NAMED = 3;

const missing = () => new Failure('not_found', 'There is nothing to undo.');

/** 409: everything has changed since, so nothing is as before. */
function nothingUndone(visit: Visit, { message }: Failure, to: string): Reply {
  const content = html`<p class="actions"><a class="button primary" href="${to}">Back</a></p>`;
  return showPage(visit, { title: 'Nothing was undone', lead: message, content, status: 409 });
}
