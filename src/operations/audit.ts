/** Reading the audit log (contract 5). */

import type { Actor, AuditAction } from '../core/audit.ts';
import { formatId } from '../core/ids.ts';
import type { Access } from '../store/access.ts';
import * as store from '../store/audit.ts';
import { accessOf } from '../store/organisations.ts';
import { listMemberships } from '../store/users.ts';
import { atomically, type Source } from './access.ts';
import { readMoment } from './input.ts';
import { type Listing, type PageRequest, readPage } from './pages.ts';
import { getTransaction } from './transactions.ts';
import { nextTurn } from './turns.ts';

export { logEvent } from '../store/audit.ts';

/** Logs a wrong password of a user in each of the user's organisations. */
export function logRefusedPassword(
  source: Source,
  userId: number,
  details: Parameters<typeof store.logEvent>[1]['details'],
  actor: Actor,
): void {
  const event = {
    action: 'session.password_refused',
    subject: formatId('usr', userId),
    details,
  } as const;
  atomically(source, () => {
    for (const { orgId } of listMemberships(source, userId)) {
      store.logEvent(accessOf(source, orgId), event, actor);
    }
  });
}

/** Which entries to list. */
interface AuditFilter {
  /** From a date (UTC) or an RFC 3339 date-time on. */
  readonly since?: string | undefined;
  /** Only about this thing, such as `txn_…`, pushes included. */
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly action?: AuditAction | undefined;
}

/** The entries of the audit log that match, oldest first. Refuses with `invalid_input`. */
export function listAudit(
  access: Access,
  { since, subject, actor, action }: AuditFilter = {},
): store.AuditRecord[] {
  const sinceMs = since === undefined ? 0 : readMoment('The start', since);
  const found =
    subject === undefined
      ? store.listAuditEntries(access, sinceMs)
      : store.listHistory(access, subject);
  return found.filter((entry) => {
    const isWanted = actor === undefined || entry.actor === actor;
    return entry.atMs >= sinceMs && isWanted && (action === undefined || entry.action === action);
  });
}

/** Which page of the audit log to list. An absent filter matches all. */
interface ActivityFilter extends PageRequest, store.AuditFilters {
  /** Only about this thing, such as `txn_…`, `bln_…` or `key_…`, pushes included. */
  readonly subject?: string | undefined;
  /** Whether details have how many changes there are, as `unread`, instead of these. */
  readonly isBrief?: boolean | undefined;
}

/**
 * A page of the audit log, newest first. A page can have fewer entries than `limit`, or none, and
 * still a `nextCursor`. Refuses with `invalid_cursor`.
 */
export function listActivity(
  access: Access,
  filter: ActivityFilter = {},
): Listing<store.AuditRecord> {
  const { limit, cursor, subject, isBrief, ...filters } = filter;
  const list = {
    name: 'activity',
    sortKey: 'updatedAt',
    filters: { subject, ...filters },
  } as const;
  return readPage(access, list, { limit, cursor }, (page) =>
    store.listAuditPage(access, { filters, subject, isBrief, ...page }),
  );
}

/** Pushes: by whom, between which stamps, and of which requests alone; undefined: of all. */
export interface Pushes {
  readonly by: string;
  readonly since: number;
  readonly until: number;
  readonly requests?: readonly string[] | undefined;
}

/** The entries of these pushes, newest first. Other requests run in between. */
export async function* readPushes(access: Access, { by, since, until, requests }: Pushes) {
  const range = { actor: by, sinceMs: since, beforeMs: until + 1 };
  // Each names up to 500 transactions.
  const filter = { ...range, actions: ['transactions.pushed'], limit: 10 } as const;
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = listActivity(access, { ...filter, cursor });
    yield* items.filter(({ requestId }) => requests?.includes(requestId ?? '') ?? true);
    cursor = nextCursor ?? undefined;
    await nextTurn();
  } while (cursor !== undefined);
}

/**
 * A page of what happened to a transaction, newest first, from the log. A page can have fewer items
 * than `limit`. Refuses with `invalid_cursor` or `not_found`.
 */
export function listTransactionHistory(access: Access, id: string, page: PageRequest = {}) {
  getTransaction(access, id);
  const { items, nextCursor } = listActivity(access, { subject: id, ...page });
  return { items: items.map((entry) => toHistoryItem(entry, id)), nextCursor };
}

function toHistoryItem({ details, ...entry }: store.AuditRecord, id: string) {
  const { atMs, actor, action, requestId } = entry;
  // Undefined if the push created it.
  const change = details.changes.find(({ subject }) => subject === id);
  // How many transactions and other objects the same act changed.
  const changed = details.changes.length;
  return { atMs, actor, action, requestId, change, changed };
}
