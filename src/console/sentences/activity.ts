/** The entries of the activity: who did what, on what, with before and after. */

import type { AuditAction } from '../../core/audit.ts';
import { Failure } from '../../core/failures.ts';
import { formatId } from '../../core/ids.ts';
import { type Html, type HtmlValue, html } from '../../http/html.ts';
import type { AuditRecord } from '../../operations/audit.ts';
import { listBudgetLines } from '../../operations/budget-lines.ts';
import { findKeyById, listNewestKeys } from '../../operations/keys.ts';
import { getProject } from '../../operations/projects.ts';
import { getTransaction } from '../../operations/transactions.ts';
import { listUsers } from '../../operations/users.ts';
import { typed } from '../components/elements.ts';
import { nameLine } from '../components/line-fields.ts';
import { addressOf, LIST } from '../components/transaction-filters.ts';
import type { Visit } from '../session/visit.ts';
import { changeList, sayDone, type Words } from './history.ts';

/** Changes of one entry that are shown. */
const SHOWN_CHANGES = 20;
/** Steps of one piece of work follow each other faster than this. */
const STEP_MS = 5_000;

/** Keys that the filter offers. */
const NAMED_KEYS = 200;

/** The names of what the log has identifiers for. */
export class Names {
  /** Users and the newest keys, which are called keys. */
  readonly people: ReadonlyMap<string, string>;
  readonly words: Words;
  readonly #visit: Visit;

  constructor(visit: Visit) {
    const { access } = visit;
    const users = listUsers(access).map(({ id, email }) => [formatId('usr', id), email] as const);
    const { nowMs } = visit.request;
    const { keys } = listNewestKeys(access, { nowMs, limit: NAMED_KEYS });
    this.#visit = visit;
    this.people = new Map([
      ...users,
      ...keys.map(({ id, name }) => [formatId('key', id), `key ${name}`] as const),
    ]);
    const lines = new Map<string, string>();
    const nameOfLine = (id: string) => {
      const [line] = lines.has(id) ? [] : listBudgetLines(access, { ids: [id] }).items;
      if (line !== undefined) lines.set(id, nameLine(line));
      return lines.get(id) ?? id;
    };
    const shown = (id: string) => this.shown(id);
    this.words = { reader: visit.reader, nameOfLine, shown };
  }

  /** The name of a user, or of a key, which is called one. */
  of(id: string): string {
    const known = this.people.get(id);
    if (known !== undefined) return known;
    const key = this.#findKey(id);
    return key === undefined ? id : `key ${key}`;
  }

  /** The name of anything, with a link where it has a page; undefined if it is gone. */
  shown(id: string): Html | undefined {
    const { access } = this.#visit;
    try {
      if (id.startsWith('txn_')) {
        const { contact, description, amountMinor } = getTransaction(access, id);
        const name = `${contact ?? description}, ${this.#visit.money(amountMinor)}`;
        return html`<a href="${addressOf(LIST, {}, { open: id })}">${typed(name)}</a>`;
      }
      if (id.startsWith('prj_')) {
        return html`<a href="/projects/${id}">${typed(getProject(access, id).name)}</a>`;
      }
      if (id.startsWith('bln_')) {
        const name = this.words.nameOfLine(id);
        return name === id ? undefined : typed(name);
      }
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
    const name = this.#findKey(id) ?? this.people.get(id);
    return name === undefined ? undefined : typed(name);
  }

  #findKey(id: string): string | undefined {
    return id.startsWith('key_') ? findKeyById(this.#visit.access, id)?.name : undefined;
  }
}

/** What was done together: all entries of one request, or steps of one command. */
export function joinEntries(entries: readonly AuditRecord[]): AuditRecord[] {
  const joined: AuditRecord[] = [];
  let earliestMs = 0;
  for (const entry of entries) {
    const last = joined.at(-1);
    if (last !== undefined && areTogether(last, entry, earliestMs)) {
      joined[joined.length - 1] = join(last, entry);
    } else {
      joined.push(entry);
    }
    earliestMs = entry.atMs;
  }
  return joined;
}

/** Only work in many steps has entries with the same words one after the other. */
const STEPWISE: ReadonlySet<AuditAction> = new Set([
  'transactions.pushed',
  'transactions.allocated',
  'transactions.excluded',
  'transactions.restored',
  'changes.undone',
]);

function areTogether(last: AuditRecord, entry: AuditRecord, earliestMs: number): boolean {
  const { actor, action, requestId } = entry;
  if (last.actor !== actor || last.action !== action || last.requestId !== requestId) return false;
  return STEPWISE.has(action) && (requestId !== null || earliestMs - entry.atMs < STEP_MS);
}

function join(later: AuditRecord, earlier: AuditRecord): AuditRecord {
  const details: Record<string, unknown> = { ...later.details };
  for (const [name, value] of Object.entries(earlier.details)) {
    const other = details[name];
    if (typeof value === 'number' && typeof other === 'number') details[name] = value + other;
  }
  const changes = [...later.details.changes, ...earlier.details.changes];
  return { ...later, subject: null, details: { ...details, changes } };
}

/** One entry: when, who, what, on what. */
export function entryOf(entry: AuditRecord, names: Names): Html {
  const { atMs, actor, action, details, requestId } = entry;
  const { words } = names;
  const { changes } = details;
  const changed = [...new Set(changes.map(({ subject }) => subject))];
  const subject = entry.subject ?? (changed.length === 1 ? changed[0] : undefined);
  // Who did it is said already.
  const name = subject === undefined || subject === actor ? undefined : names.shown(subject);
  const on = subject ?? requestId ?? '';
  const said =
    action === 'transactions.pushed'
      ? html`Pushed ${details['received'] === 1 && name ? name : 'transactions'}${sayCounts(
          details,
          words,
        )}`
      : sayDone(action, changed.length, { name, reader: words.reader });
  return html`<li>${words.reader.time(atMs)} <b>${typed(names.of(actor))}</b>
<div>${said}${sayWhere(details)}${changesOf(entry, names)}</div>
<code class="soft">${on}</code></li>\n`;
}

/** What an entry about a session or a backup has beside the user. */
function sayWhere({ page, file, clientAddress }: AuditRecord['details']): HtmlValue {
  const parts = [page, file].map((part) => typeof part === 'string' && html`: ${typed(part)}`);
  const from = typeof clientAddress === 'string' && html`, from ${clientAddress}`;
  return html`${parts}${from}`;
}

function changesOf({ details: { changes } }: AuditRecord, names: Names): HtmlValue {
  const { words } = names;
  if (changes.length === 0) return undefined;
  const shown = changes.slice(0, SHOWN_CHANGES).map((change) => {
    const name = names.shown(change.subject) ?? html`<code>${change.subject}</code>`;
    return html`<li>${name}${changeList(change, words)}</li>\n`;
  });
  const more = changes.length - shown.length;
  const rest = more > 0 && html`<p class="soft">And ${words.reader.count(more)} more.</p>`;
  return html`<details class="more"><summary>${words.reader.count(
    changes.length,
    'change',
  )}</summary><ul class="changes">
${shown}</ul>${rest}</details>`;
}

/** The counts of a push: `: 12 new, 3 changed, 1 rejected. 2 need review`. */
function sayCounts(details: AuditRecord['details'], { reader }: Words): HtmlValue {
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
  const review = html`<a href="/review"><span class="tag review">${reader.count(
    waiting,
    'needs',
    'need',
  )} review</span></a>`;
  return html`${counts.length > 0 && `: ${counts.join(', ')}`}${waiting > 0 && html`. ${review}`}`;
}
