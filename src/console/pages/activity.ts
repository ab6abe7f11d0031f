/** Activity: who did what, and when. What was done together is one entry. */

import { AUDIT_ACTIONS, type AuditAction } from '../../core/audit.ts';
import { isCalendarDate } from '../../core/calendar.ts';
import { type Html, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { type AuditRecord, listActivity } from '../../operations/audit.ts';
import { nextTurn } from '../../operations/turns.ts';
import { faultsOf, isFaulty } from '../components/forms.ts';
import { entryOf, joinEntries, Names } from '../sentences/activity.ts';
import { dayOf } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import { tabReply } from './settings.ts';

const PATH = '/activity';
const ENTRIES = 50;
/** Users and keys to choose from, the users first. */
const PEOPLE = 300;
const DAY_MS = 86_400_000;

/** Kinds of actions, by the beginning of their names. */
const KINDS = [
  ['transactions', 'Transactions', ['transaction', 'review', 'changes']],
  ['projects', 'Projects', ['project']],
  ['keys', 'Keys', ['key']],
  ['users', 'Users', ['user']],
  ['sessions', 'Sign-ins and refusals', ['session']],
  ['backups', 'Backups', ['backup']],
  ['organisation', 'Organisation', ['organisation', 'plan', 'database']],
] as const;

/** What the address asks for. */
interface ActivityFilter {
  readonly kind: string;
  readonly who: string;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cursor: string | undefined;
}

/** `GET /activity`. */
export async function showActivity(visit: Visit): Promise<Reply> {
  const text = (name: string) => visit.asked(name)?.trim() ?? '';
  const wish: ActivityFilter = {
    kind: text('kind'),
    who: text('who'),
    subject: text('subject'),
    from: text('from'),
    to: text('to'),
    cursor: visit.asked('cursor'),
  };
  const isDay = (day: string) => day === '' || isCalendarDate(day);
  const faults = faultsOf({
    from: isDay(wish.from) ? undefined : `"${wish.from}" is not a date.`,
    to: isDay(wish.to) ? undefined : `"${wish.to}" is not a date.`,
  });
  const names = new Names(visit);
  const content = html`${filterForm(wish, names)}
${!isFaulty(faults) && (await entryList(visit, wish, names))}`;
  return tabReply(visit, PATH, {
    title: 'Activity',
    lead: 'Changes, pushes, sign-ins and refusals, newest first. Each entry is one step.',
    content,
    faults,
  });
}

function filterForm({ kind, who, subject, from, to }: ActivityFilter, { people }: Names): Html {
  const options = (all: readonly (readonly [string, string])[], chosen: string) =>
    all.map(
      ([value, name]) =>
        html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>\n`,
    );
  const kinds = KINDS.map(([id, name]) => [id, name] as const);
  return html`<form class="filter" method="get" action="${PATH}" role="search"
aria-label="Filter the activity">
<div><label for="subject">Transaction, project or key</label><input id="subject" name="subject"
value="${subject}"></div>
<div><label for="from">From</label><input id="from" name="from" type="date" value="${from}"></div>
<div><label for="to">To</label><input id="to" name="to" type="date" value="${to}"></div>
<div><label for="kind">Kind</label><select id="kind" name="kind"><option value="">Any</option>
${options(kinds, kind)}</select></div>
<div><label for="who">Who</label><select id="who" name="who"><option value="">Anybody</option>
${options([...people].slice(0, PEOPLE), who)}</select></div>
<button class="button">Filter</button></form>`;
}

function actionsOf(kind: string): readonly AuditAction[] | undefined {
  const starts: readonly string[] | undefined = KINDS.find(([id]) => id === kind)?.[2];
  if (starts === undefined) return undefined;
  return AUDIT_ACTIONS.filter((action) => starts.some((start) => action.startsWith(start)));
}

async function entryList(visit: Visit, wish: ActivityFilter, names: Names): Promise<Html> {
  const { kind, who, subject, from, to, cursor } = wish;
  const filter = {
    actor: who === '' ? undefined : who,
    subject: subject === '' ? undefined : subject,
    actions: actionsOf(kind),
    sinceMs: from === '' ? undefined : Date.parse(from),
    beforeMs: to === '' ? undefined : Date.parse(to) + DAY_MS,
  };
  const { items, nextCursor } = listActivity(visit.access, {
    ...filter,
    limit: ENTRIES,
    cursor,
  });
  // An entry can have many changes: other requests run between reading them, and after each.
  await nextTurn();
  const days = new Map<string, AuditRecord[]>();
  for (const entry of items) {
    const day = dayOf(entry.atMs);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const { reader } = names.words;
  const groups: Html[] = [];
  for (const [day, entries] of days) {
    const shown: Html[] = [];
    for (const entry of joinEntries(entries)) {
      shown.push(entryOf(entry, names));
      await nextTurn();
    }
    groups.push(html`<section aria-labelledby="day-${day}"><h2 id="day-${day}">${reader.day(
      day,
    )}</h2>
<ol class="activity">
${shown}</ol></section>`);
  }
  const query = new URLSearchParams({ kind, who, subject, from, to, cursor: nextCursor ?? '' });
  return html`${
    items.length === 0 && html`<p class="empty">No entries match the filter.</p>`
  }${groups}${
    nextCursor !== null &&
    html`<nav class="pages" aria-label="Pages"><span></span><a class="button"
href="${PATH}?${String(query)}" rel="next">Older</a></nav>`
  }`;
}
