/** The names of what the log has identifiers for. */

import { AUDIT_WORDS, type AuditChange } from '../../core/audit.ts';
import { formatId, readId } from '../../core/ids.ts';
import { PAGE_ITEMS } from '../../core/limits.ts';
import { nameLine } from '../../core/projects.ts';
import { type Html, html } from '../../http/html.ts';
import { listActivity, type listTransactionHistory } from '../../operations/audit.ts';
import { mapBudgetLines } from '../../operations/budget-lines.ts';
import { findKeyById } from '../../operations/keys.ts';
import { listAll } from '../../operations/pages.ts';
import { listProjects } from '../../operations/projects.ts';
import { listTransactions } from '../../operations/transactions.ts';
import { finish } from '../../operations/turns.ts';
import type { AuditRecord } from '../../store/audit.ts';
import { listNewestKeys } from '../../store/keys.ts';
import { readRules } from '../../store/rules.ts';
import { listUsers } from '../../store/users.ts';
import { typed } from '../components/elements.ts';
import { PATHS } from '../components/paths.ts';
import { listPath } from '../components/transaction-filters.ts';
import type { Reader } from '../session/reader.ts';
import type { Visit } from '../session/visit.ts';
import type { Words } from './history.ts';

/** Changes of one entry that are shown. */
export const SHOWN_CHANGES = 20;
/** Keys that the filter offers. */
const NAMED_KEYS = 200;

/** Reads each name once, and those of a page together. */
export class Names implements Words {
  readonly reader: Reader;
  /** Users and the newest keys, which are called keys. */
  readonly people: ReadonlyMap<string, string>;
  readonly #visit: Visit;
  readonly #keys = new Map<string, string>();
  readonly #lines = new Map<string, string>();
  /** What has a page, with a link; undefined for what is gone. */
  readonly #linked = new Map<string, Html | undefined>();
  /** The last names of what is gone; undefined where the log has none. */
  readonly #gone = new Map<string, string | undefined>();

  constructor(visit: Visit) {
    const { access, nowMs } = visit;
    this.#visit = visit;
    this.reader = visit.reader;
    const { keys } = listNewestKeys(access, { nowMs, limit: NAMED_KEYS });
    for (const { id, name } of keys) this.#keys.set(formatId('key', id), name);
    this.people = new Map([
      ...listUsers(access).map(({ id, email }) => [formatId('usr', id), email] as const),
      ...[...this.#keys].map(([id, name]) => [id, `key ${name}`] as const),
    ]);
    const { id, name } = access.organisation;
    const link = html`<a href="/settings/organisation">${typed(name)}</a>`;
    this.#linked.set(formatId('org', id), link);
  }

  /** Reads together what the entries, as far as they are shown, have identifiers of. */
  learn(entries: readonly AuditRecord[]): void {
    const shown = entries.map(({ subject, details: { changes } }) => {
      return [subject, changes.slice(0, SHOWN_CHANGES)];
    });
    this.#learn(JSON.stringify(shown).match(/(?<=")(?:txn|prj|bln|rul)_\w+(?=")/g) ?? []);
  }

  #learn(found: readonly string[]): void {
    const { access, reader } = this.#visit;
    const ids = [...new Set(found)];
    const numbers = ids.flatMap((id) => readId('bln', id) ?? []);
    for (const [id, line] of mapBudgetLines(access, numbers)) {
      this.#lines.set(formatId('bln', id), nameLine(line));
    }
    const linked = ids.filter((id) => !id.startsWith('bln_') && !this.#linked.has(id));
    for (const id of linked) this.#linked.set(id, undefined);
    const transactions = linked.filter((id) => id.startsWith('txn_'));
    for (let at = 0; at < transactions.length; at += PAGE_ITEMS) {
      const filter = { ids: transactions.slice(at, at + PAGE_ITEMS), limit: PAGE_ITEMS };
      for (const { id, ...each } of finish(listTransactions(access, filter)).items) {
        const name = `${each.contact ?? each.description}, ${reader.money(each.amountMinor)}`;
        const open = formatId('txn', id);
        const list = listPath(PATHS.list, {}, { open });
        this.#linked.set(open, html`<a href="${list}">${typed(name)}</a>`);
      }
    }
    const link = (
      kind: 'prj' | 'rul',
      path: string,
      { id, name }: { id: number; name: string },
    ) => {
      const open = formatId(kind, id);
      this.#linked.set(open, html`<a href="${path}/${open}">${typed(name)}</a>`);
    };
    if (linked.some((id) => id.startsWith('prj_'))) {
      for (const each of listAll((page) => listProjects(access, page))) {
        link('prj', '/projects', each);
      }
    }
    if (linked.some((id) => id.startsWith('rul_'))) {
      for (const each of readRules(access).rules) link('rul', PATHS.rules, each);
    }
  }

  /** The name of a user, or of a key, which is called one. */
  of(id: string): string {
    const known = this.people.get(id);
    if (known !== undefined) return known;
    const key = this.#findKey(id);
    return key === undefined ? (this.#findGone(id) ?? id) : `key ${key}`;
  }

  /** The name of a line, which the log does not have of one that is gone. */
  nameOfLine(id: string): string {
    return this.#findLine(id) ?? 'a removed budget line';
  }

  #findLine(id: string): string | undefined {
    if (!this.#lines.has(id)) this.#learn([id]);
    return this.#lines.get(id);
  }

  /** The name of anything, with a link where it has a page; undefined if nothing names it. */
  shown(id: string): Html | undefined {
    if (/^(?:txn|prj|rul|org)_/.test(id)) {
      if (!this.#linked.has(id)) this.#learn([id]);
      const link = this.#linked.get(id);
      if (link !== undefined) return link;
    }
    const line = id.startsWith('bln_') ? this.#findLine(id) : undefined;
    const last = line ?? this.#findKey(id) ?? this.people.get(id) ?? this.#findGone(id);
    return last === undefined ? undefined : typed(last);
  }

  /** Who did what to a transaction, and when. */
  sayEntry(entry: ReturnType<typeof listTransactionHistory>['items'][number]): Html {
    const { atMs, actor, action, change } = entry;
    const what = change === undefined ? 'brought it in' : AUDIT_WORDS[action];
    return html`<b>${typed(this.of(actor))}</b> ${what}, ${this.#visit.moment(atMs)}`;
  }

  /** What a project or a user that is gone was called: the last entry is that of the removal. */
  #findGone(id: string): string | undefined {
    if (!/^(?:prj|usr)_/.test(id)) return undefined;
    if (!this.#gone.has(id)) {
      const [last] = listActivity(this.#visit.access, { subject: id, limit: 1 }).items;
      const change = last?.details.changes.find(({ subject }) => subject === id);
      this.#gone.set(id, change && nameIn(change));
    }
    return this.#gone.get(id);
  }

  #findKey(id: string): string | undefined {
    if (!id.startsWith('key_')) return undefined;
    return this.#keys.get(id) ?? findKeyById(this.#visit.access, id)?.name;
  }
}

/** What something is called in a change that made or removed it. */
export function nameIn({ before, after }: AuditChange): string | undefined {
  const { email, name } = after ?? before ?? {};
  const found = email ?? name;
  return typeof found === 'string' ? found : undefined;
}
