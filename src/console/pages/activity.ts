/** Activity: who did what, and when. What was done together is one entry. */

import { AUDIT_ACTIONS, type AuditAction } from '../../core/audit.ts';
import { isCalendarDate } from '../../core/calendar.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { Reply } from '../../http/message.ts';
import { type AuditRecord, listActivity } from '../../operations/audit.ts';
import { findBudgetLines } from '../../operations/budget-lines.ts';
import { listKeys } from '../../operations/keys.ts';
import { listUsers } from '../../operations/users.ts';
import { readerOf, type Visit } from '../desk.ts';
import { faultsOf, isFaulty } from '../forms.ts';
import { changeList, sayAction, type Words } from '../history.ts';
import { nameLine } from '../lines.ts';
import { typed } from '../parts.ts';
import { dayOf } from '../reader.ts';
import { tabReply } from './settings.ts';

const PATH = '/activity';
const ENTRIES = 50;
/** Users and keys to choose from, the users first. */
const PEOPLE = 300;
/** Changes of one entry that are shown. */
const SHOWN_CHANGES = 20;
const DAY_MS = 86_400_000;

/** Kinds of actions, by the beginning of their names. */
const KINDS = [
  ['transactions', 'Transactions', ['transaction', 'review', 'changes']],
  ['projects', 'Projects', ['project']],
  ['keys', 'Keys', ['key']],
  ['users', 'Users', ['user']],
  ['organisation', 'Organisation', ['organisation', 'plan', 'database']],
] as const;

/** What the address asks for. */
interface Wish {
  readonly kind: string;
  readonly who: string;
  readonly subject: string;
  readonly from: string;
  readonly to: string;
  readonly cursor: string | undefined;
}

/** `GET /activity`. */
export function showActivity(visit: Visit): Reply {
  const value = (name: string) => visit.request.query.find(([each]) => each === name)?.[1];
  const text = (name: string) => value(name)?.trim() ?? '';
  const wish: Wish = {
    kind: text('kind'),
    who: text('who'),
    subject: text('subject'),
    from: text('from'),
    to: text('to'),
    cursor: value('cursor'),
  };
  const isDay = (day: string) => day === '' || isCalendarDate(day);
  const faults = faultsOf({
    from: isDay(wish.from) ? undefined : `"${wish.from}" is not a date.`,
    to: isDay(wish.to) ? undefined : `"${wish.to}" is not a date.`,
  });
  const names = new Names(visit);
  const content = html`${filterForm(wish, names)}
${!isFaulty(faults) && entryList(visit, wish, names)}`;
  return tabReply(visit, PATH, {
    title: 'Activity',
    lead: 'Every change and every push, newest first. What was done together is one entry.',
    content,
    faults,
  });
}

/** The names of what the log has identifiers for. */
class Names {
  readonly people: ReadonlyMap<string, string>;
  readonly words: Words;

  constructor(visit: Visit) {
    const { access } = visit.session;
    const users = listUsers(access).map(({ id, email }) => [formatId('usr', id), email] as const);
    const keys = listKeys(access).map(({ id, name }) => [formatId('key', id), name] as const);
    this.people = new Map([...users, ...keys]);
    const nameOfLine = (id: string) => {
      const [line] = findBudgetLines(access, id);
      return line === undefined ? id : nameLine(line);
    };
    const { currency } = access.organisation;
    this.words = { reader: readerOf(visit), currency, nameOfLine };
  }

  of(id: string): string {
    return this.people.get(id) ?? id;
  }
}

function filterForm({ kind, who, subject, from, to }: Wish, { people }: Names): Html {
  const options = (all: readonly (readonly [string, string])[], chosen: string) =>
    all.map(
      ([value, name]) =>
        html`<option value="${value}"${value === chosen && html` selected`}>${name}</option>\n`,
    );
  const kinds = KINDS.map(([id, name]) => [id, name] as const);
  return html`<form class="filter" method="get" action="${PATH}" role="search"
aria-label="Filter the activity">
<div><label for="subject">About (an id)</label><input id="subject" name="subject"
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

function entryList(visit: Visit, wish: Wish, names: Names): Html {
  const { kind, who, subject, from, to, cursor } = wish;
  const filter = {
    actor: who === '' ? undefined : who,
    subject: subject === '' ? undefined : subject,
    actions: actionsOf(kind),
    sinceMs: from === '' ? undefined : Date.parse(from),
    beforeMs: to === '' ? undefined : Date.parse(to) + DAY_MS,
  };
  const { items, nextCursor } = listActivity(visit.session.access, {
    ...filter,
    limit: ENTRIES,
    cursor,
  });
  const days = new Map<string, AuditRecord[]>();
  for (const entry of items) {
    const day = dayOf(entry.atMs);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  const { reader } = names.words;
  const groups = [...days].map(
    ([day, entries]) => html`<section aria-labelledby="day-${day}"><h2 id="day-${day}">${reader.day(
      day,
    )}</h2>
<ol class="activity">
${entries.map((entry) => entryOf(entry, names))}</ol></section>`,
  );
  const query = new URLSearchParams({ kind, who, subject, from, to, cursor: nextCursor ?? '' });
  return html`${
    items.length === 0 && html`<p class="empty">Nothing happened that fits the filter.</p>`
  }${groups}${
    nextCursor !== null &&
    html`<nav class="pages" aria-label="Pages"><span></span><a class="button"
href="${PATH}?${String(query)}" rel="next">Older</a></nav>`
  }`;
}

function entryOf({ atMs, actor, action, details }: AuditRecord, names: Names): Html {
  const { words } = names;
  const { changes } = details;
  const shown = changes
    .slice(0, SHOWN_CHANGES)
    .map((change) => html`<li><code>${change.subject}</code>${changeList(change, words)}</li>\n`);
  const more = changes.length - shown.length;
  const rest = more > 0 && html`<p class="soft">And ${words.reader.count(more)} more.</p>`;
  const about = sayCounts(details, words);
  return html`<li><span class="soft">${words.reader.time(atMs)}</span> <b>${typed(
    names.of(actor),
  )}</b> ${sayAction(action)}${about}${
    shown.length > 0 &&
    html`<details class="more"><summary>${words.reader.count(changes.length)} ${
      changes.length === 1 ? 'change' : 'changes'
    }</summary><ul class="changes">
${shown}</ul>${rest}</details>`
  }</li>\n`;
}

/** The counts of a push: `12 new, 3 changed, 1 rejected`. */
function sayCounts(details: AuditRecord['details'], { reader }: Words): HtmlValue {
  const counts = (
    [
      ['created', 'new'],
      ['updated', 'changed'],
      ['unchanged', 'the same'],
      ['rejected', 'rejected'],
    ] as const
  ).flatMap(([member, word]) => {
    const count = details[member];
    return typeof count === 'number' && count > 0 ? [`${reader.count(count)} ${word}`] : [];
  });
  return counts.length > 0 && `: ${counts.join(', ')}`;
}
