/** The entries of the activity: who did what, on what, with before and after. */

import { AUDIT_ACTIONS, AUDIT_WORDS, type AuditAction, type AuditState } from '../../core/audit.ts';
import { PAGE_ITEMS } from '../../core/limits.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import { listActivity, type Pushes } from '../../operations/audit.ts';
import { nextTurn } from '../../operations/turns.ts';
import type { Access } from '../../store/access.ts';
import type { AuditRecord } from '../../store/audit.ts';
import { nameFirst, typed } from '../components/elements.ts';
import { askOnce } from '../components/forms.ts';
import type { Reader } from '../session/reader.ts';
import { changeList, memberOf } from './history.ts';
import { type Names, nameIn, SHOWN_CHANGES } from './names.ts';

/** Steps of one piece of work follow each other faster than this. */
const STEP_MS = 5_000;

/** What was done together: all entries of one request, or steps of one command. */
export interface Deed extends AuditRecord {
  /** The stamp of each step, the newest first. */
  readonly actsMs: readonly number[];
  /** How many changes of it were not read, but counted: those of its earlier steps. */
  readonly unread: number;
}

/** More pages of the log of which the changes are read for the rest of an act. */
const MORE_PAGES = 4;
/** Pages of which the changes are counted, until it ends: of a push of some million rows. */
const COUNTED_PAGES = 200;

/** A page of the log as whole acts: the last one with all of its steps. */
export async function listActs(access: Access, filter: Parameters<typeof listActivity>[1]) {
  const first = listActivity(access, filter);
  const entries = [...first.items];
  let cursor = first.nextCursor;
  for (let page = 0; page < MORE_PAGES + COUNTED_PAGES && cursor !== null; page += 1) {
    const last = entries.at(-1);
    if (last === undefined || !STEPWISE.has(kindOf(last))) break;
    await nextTurn();
    const isBrief = page >= MORE_PAGES;
    const rest = isBrief ? { ...filter, isBrief, limit: PAGE_ITEMS } : filter;
    const { items, nextCursor } = listActivity(access, { ...rest, cursor });
    const end = items.findIndex((entry, at) => !areTogether(items[at - 1] ?? last, entry));
    if (end === 0 || items.length === 0) break;
    const isWhole = end < 0;
    entries.push(...(isWhole ? items : items.slice(0, end)));
    cursor = isWhole
      ? nextCursor
      : listActivity(access, { ...rest, limit: end, cursor }).nextCursor;
    if (!isWhole) break;
  }
  return { acts: joinEntries(entries), nextCursor: cursor };
}

/** The form that excludes what some pushes created; it leads to `to`. */
export function exclusionForm(
  reader: Reader,
  { created, on, to }: { readonly created: number; readonly on: HtmlValue; readonly to: string },
  { requests, ...pushes }: Pushes,
): Html {
  const many = reader.count(created, 'new transaction');
  const question = `Exclude ${many}? Those that were allocated or changed since stay.`;
  const words = { open: 'Exclude what it brought', on, question, button: 'Exclude them' };
  return askOnce(words, '/undo', { to, ...pushes, requests: requests?.join(' ') });
}

function joinEntries(entries: readonly AuditRecord[]): Deed[] {
  const groups: AuditRecord[][] = [];
  for (const [at, entry] of entries.entries()) {
    const [last, before] = [groups.at(-1), entries[at - 1]];
    if (last !== undefined && before !== undefined && areTogether(before, entry)) last.push(entry);
    else groups.push([entry]);
  }
  return groups.flatMap(join);
}

/** Only work in many steps has entries with the same words one after the other. */
const STEPWISE: ReadonlySet<string> = new Set([
  'transactions.pushed',
  'transactions.allocated',
  'transactions.excluded',
  'transactions.restored',
  'changes.undone',
]);

/** Whether a step follows the one before: of one request, or the next batch of a file. */
function areTogether(later: AuditRecord, entry: AuditRecord): boolean {
  const { actor, requestId } = entry;
  const action = kindOf(entry);
  if (later.actor !== actor || kindOf(later) !== action || !STEPWISE.has(action)) return false;
  const isOfOne = later.requestId === requestId;
  if (isOfOne && requestId !== null) return true;
  const laterMs = later.atMs - entry.atMs;
  if (action !== 'transactions.pushed') return isOfOne && laterMs < STEP_MS;
  const [rows, next] = [entry, later].map(({ details }) => Number(details['received'] ?? 0));
  const isFull = rows !== undefined && rows >= Math.max(next ?? 0, BATCH_ROWS);
  return isFull && laterMs < BATCH_MS;
}

/** A step of a request may have one transaction, the last one of many. */
function kindOf({ action, requestId }: AuditRecord): string {
  return requestId === null ? action : action.replace(/^transaction\./, 'transactions.');
}

/** A file is pushed in batches, of which only the last one has fewer rows than those before. */
const BATCH_ROWS = 100;
/** One follows the other faster than this. */
const BATCH_MS = 30_000;

/** The steps of an act, the newest first, as one: what they counted is added up. */
function join(steps: readonly AuditRecord[]): Deed | [] {
  const [last, ...earlier] = steps;
  if (last === undefined) return [];
  const sums: Record<string, unknown> = { ...last.details };
  for (const [name, value] of earlier.flatMap(({ details }) => Object.entries(details))) {
    const sum = sums[name];
    if (typeof value === 'number' && typeof sum === 'number') sums[name] = sum + value;
  }
  const changes = steps.flatMap(({ details }) => details.changes);
  const subject = earlier.length > 0 ? null : last.subject;
  const actsMs = steps.map(({ atMs }) => atMs);
  const unread = steps.reduce((sum, { details }) => sum + Number(details['unread'] ?? 0), 0);
  return { ...last, subject, actsMs, unread, details: { ...sums, changes } };
}

/** One entry: when, who, what, on what. `undo`: the form that takes it back. */
export function entryOf(entry: Deed, names: Names, undo: HtmlValue): Html {
  const { atMs, actor, action, details } = entry;
  const { reader } = names;
  const { changes } = details;
  const changed = [...new Set(changes.map(({ subject }) => subject))];
  const count = changed.length + entry.unread;
  const subject = entry.subject ?? (count === 1 ? changed[0] : undefined);
  // Who did it is said already.
  const name = subject === undefined || subject === actor ? undefined : names.shown(subject);
  const said =
    action === 'transactions.pushed'
      ? html`${sayBatch(details, name)}${sayCounts(details, reader)}`
      : isClearing(entry)
        ? html`Cleared the allocations of ${name ?? reader.count(count, 'transaction')}`
        : html`${sayDone(action, count, { name, reader })}${sayWhat(entry, names)}`;
  const place = subject && html`<code class="soft">${subject}</code>`;
  return html`<li>${reader.time(atMs)} <b>${typed(names.of(actor))}</b>
<div>${said}${action !== 'transactions.pushed' && sayWhere(details)}${changesOf(entry, names)}</div>
<span class="actions">${place}${undo}</span></li>\n`;
}

/** What was done to transactions: before the name of one, and before their number. */
const DONE: Readonly<Partial<Record<AuditAction, readonly [one: string, many: string]>>> = {
  'transactions.allocated': ['Allocated', 'Allocated'],
  'transaction.allocated': ['Allocated', 'Allocated'],
  'transactions.excluded': ['Excluded', 'Excluded'],
  'transaction.excluded': ['Excluded', 'Excluded'],
  'transactions.restored': ['Restored', 'Restored'],
  'transaction.restored': ['Restored', 'Restored'],
  'reviews.settled': ['Settled a review', 'Settled the reviews of'],
  'changes.undone': ['Undid a change', 'Undid a change of'],
};

/**
 * What happened, at the beginning of a line: `Allocated 2 transactions`, or `Allocated: ` before
 * the name of the only one. `count`: how many things it changed, 0 if that is not known.
 */
function sayDone(
  action: AuditAction,
  count: number,
  { name, reader }: { readonly name: Html | undefined; readonly reader: Reader },
): Html {
  const [one, many] = DONE[action] ?? [];
  const words = AUDIT_WORDS[action];
  const begun = words.charAt(0).toUpperCase() + words.slice(1);
  if (name !== undefined) return html`${one ?? begun}: ${name}`;
  if (many === undefined || count === 0) return html`${begun}`;
  return html`${many} ${reader.count(count, 'transaction')}`;
}

/** What was pushed, or the file that was imported. */
function sayBatch({ file, received }: AuditRecord['details'], name: Html | undefined): Html {
  if (typeof file === 'string') return html`Imported ${typed(file)}`;
  return html`Pushed ${received === 1 && name ? name : 'transactions'}`;
}

/**
 * To which lines an act allocated how much, if all is read; why it excluded, what it undid, or whom
 * it invited.
 */
function sayWhat({ action, details, unread }: Deed, names: Names): HtmlValue {
  const { reader } = names;
  const { changes, undone, email, role } = details;
  if (action === 'user.invited' || action === 'user.invitation_withdrawn') {
    return html`: ${typed(String(email ?? ''))}, as ${String(role ?? '')}`;
  }
  if (action === 'changes.undone') {
    const isKnown = AUDIT_ACTIONS.find((each) => each === undone);
    return isKnown !== undefined && html`: ${AUDIT_WORDS[isKnown]}`;
  }
  const lines = new Map<string, number>();
  const reasons = new Set<string>();
  for (const { after } of changes) {
    for (const { budgetLineId, amountMinor } of sharesIn(after)) {
      lines.set(budgetLineId, (lines.get(budgetLineId) ?? 0) + amountMinor);
    }
    const reason = memberOf(after?.['excluded'] ?? null, 'reason');
    if (typeof reason === 'string') reasons.add(reason);
  }
  const say = ([id, minor]: readonly [string, number]) => {
    return html`${typed(names.nameOfLine(id))} ${reader.money(minor)}`;
  };
  const [reason, ...others] = reasons;
  const named = unread > 0 ? [] : [...lines];
  return html`${named.length > 0 && html` to ${nameFirst(reader, named, SAID_LINES, say)}`}${
    reason !== undefined && others.length === 0 && html`: ${typed(reason)}`
  }`;
}

/** Lines that a sentence names. */
const SAID_LINES = 2;

/** Whether an act left no allocations to those that it was about. */
function isClearing({ action, details: { changes } }: Deed): boolean {
  const isAllocated = /^transactions?\.allocated$/.test(action);
  return isAllocated && changes.every(({ after }) => sharesIn(after).length === 0);
}

function sharesIn(after: AuditState | null) {
  const shares = after?.['allocations'];
  return Array.isArray(shares)
    ? (shares as { readonly budgetLineId: string; readonly amountMinor: number }[])
    : [];
}

/** What an entry about a session or a backup has beside the user. */
function sayWhere({ page, file, clientAddress }: AuditRecord['details']): HtmlValue {
  const parts = [page, file].map((part) => typeof part === 'string' && html`: ${typed(part)}`);
  const from = typeof clientAddress === 'string' && html`, from ${clientAddress}`;
  return html`${parts}${from}`;
}

function changesOf({ details: { changes }, unread }: Deed, names: Names): HtmlValue {
  const { reader } = names;
  if (changes.length === 0) return undefined;
  const shown = changes.slice(0, SHOWN_CHANGES).map((change) => {
    const own = nameIn(change);
    const name =
      names.shown(change.subject) ??
      (own === undefined ? html`<code>${change.subject}</code>` : typed(own));
    return html`<li>${name}${changeList(change, names)}</li>\n`;
  });
  const count = changes.length + unread;
  const more = count - shown.length;
  const rest = more > 0 && html`<p class="soft">And ${reader.count(more)} more.</p>`;
  const all = reader.count(count, 'change');
  return html`<details class="more"><summary>${all}</summary><ul class="changes">
${shown}</ul>${rest}</details>`;
}

/** The counts of a push: `: 12 new, 3 changed, 1 rejected. 2 need review`. */
function sayCounts(details: AuditRecord['details'], reader: Reader): HtmlValue {
  const numberOf = (member: string) => Number(details[member] ?? 0);
  const unchanged = numberOf('unchanged');
  const counts = (
    [
      [numberOf('created'), 'new'],
      [numberOf('updated') - unchanged, 'changed'],
      [unchanged, 'the same'],
      [numberOf('rejected'), 'rejected'],
    ] as const
  ).flatMap(([count, word]) => (count > 0 ? [`${reader.count(count)} ${word}`] : []));
  const waiting = numberOf('needsReview');
  const need = reader.count(waiting, 'needs', 'need');
  const review = html`<a href="/review"><span class="tag review">${need} review</span></a>`;
  return html`${counts.length > 0 && `: ${counts.join(', ')}`}${waiting > 0 && html`. ${review}`}`;
}
