/** How things are, beside what there is to do: the last push, the last backup, the transactions. */

import { listPermissions } from '../../core/users.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { type AuditRecord, listActivity } from '../../operations/audit.ts';
import { findKeyById } from '../../operations/keys.ts';
import { countTransactions } from '../../operations/transactions.ts';
import { finish, nextTurn } from '../../operations/turns.ts';
import { typed } from '../components/elements.ts';
import { joinEntries } from '../sentences/activity.ts';
import { isOld, type Visit } from '../session/visit.ts';

/** Pages of the log that are looked through for the last push: after it came other changes. */
const LOG_PAGES = 20;
/** Entries of the log that an import may have, to be added up. */
const LOG_ENTRIES = 20;

/** The facts, as a part of the first page. */
export async function factsOf(visit: Visit): Promise<Html> {
  const { access, reader } = visit;
  const push = await findLastPush(visit);
  const { count } = finish(countTransactions(access));
  const facts: (readonly [name: string, value: HtmlValue])[] = [
    push === undefined
      ? ['Last push', 'none yet']
      : [push.details['provider'] === 'api' ? 'Last push' : 'Last import', sayPush(visit, push)],
    ...backupFact(visit),
    ['Transactions', reader.count(count)],
  ];
  const items = facts.map(([name, value]) => {
    return html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`;
  });
  return html`<section aria-labelledby="state">
<h2 class="hidden" id="state">How things are</h2>
<dl class="facts">${items}</dl>
</section>`;
}

async function findLastPush({ access }: Visit): Promise<AuditRecord | undefined> {
  let cursor: string | undefined;
  for (let page = 0; page < LOG_PAGES; page += 1) {
    const filter = { actions: ['transactions.pushed'], limit: LOG_ENTRIES, cursor } as const;
    const { items, nextCursor } = listActivity(access, filter);
    if (items.length > 0 || nextCursor === null) return joinEntries(items)[0];
    cursor = nextCursor;
    await nextTurn();
  }
  return undefined;
}

/** When, by whom, and what became of its rows. */
function sayPush(visit: Visit, { atMs, actor, details }: AuditRecord): Html {
  const { access, role } = visit.session;
  const permissions = listPermissions(role);
  const key = permissions.includes('keys') ? findKeyById(access, actor) : undefined;
  const say = (member: string, word: string) => {
    const count = Number(details[member] ?? 0);
    return count > 0 && `${visit.count(count)} ${word}`;
  };
  const counts = [say('created', 'new'), say('updated', 'updated')].filter(Boolean).join(', ');
  const rejected = say('rejected', 'rejected');
  const link = permissions.includes('activity') && typeof rejected === 'string';
  return html`${visit.moment(atMs)}${
    key !== undefined && html`, key <a href="/settings/keys">${typed(key.name)}</a>`
  } <span class="sub">${counts === '' ? 'nothing new' : counts}, ${
    link ? html`<a href="/activity?kind=transactions">${rejected}</a>` : rejected || 'none rejected'
  }</span>`;
}

/** Nothing where the service makes no backups and the reader cannot see to it. */
function backupFact(visit: Visit): readonly (readonly [name: string, value: HtmlValue])[] {
  const { desk, request } = visit;
  if (!visit.may('backups')) return [];
  const backups = desk.backups();
  const link = (text: HtmlValue) => html`<a href="/settings/backups">${text}</a>`;
  if (backups === undefined) return [['Last backup', link('none are made')]];
  const { last, failure } = backups;
  const when = last === null ? 'none yet' : visit.reader.moment(last.atMs, request.nowMs);
  const age = last !== null && `${visit.reader.age(last.atMs, request.nowMs)} ago, checked`;
  const isWrong = failure !== null || isOld(last?.atMs, request.nowMs);
  const about = failure === null ? age : 'the last try failed';
  const mark = isWrong ? html`<span class="tag review">${link(when)}</span>` : link(when);
  return [['Last backup', html`${mark} <span class="sub">${about}</span>`]];
}
