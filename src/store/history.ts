/** The history of one object, found in the audit log by its public identifier. */

import { concerns } from '../core/audit.ts';
import { formatId, type OrgId, readId } from '../core/ids.ts';
import { AUDIT_UNITS, PAGE_ITEMS } from '../core/limits.ts';
import {
  type AuditFilters,
  type AuditPage,
  type AuditRecord,
  listAuditPage,
  listEntriesAt,
} from './audit.ts';
import { findLine } from './budget-lines.ts';
import { consistently, type Db } from './database.ts';
import type { Page, Position } from './pages.ts';
import { statement } from './statements.ts';
import { findTransaction } from './transactions.ts';

/** Which page of a history to list. */
export interface HistoryPage extends Omit<AuditPage, 'isWanted'> {
  readonly subject: string;
}

/**
 * A page of the entries about one object, newest first. Those about a budget line are among the
 * entries of its project; a line that was removed has none.
 */
export function listHistoryPage(db: Db, orgId: OrgId, page: HistoryPage): Page<AuditRecord> {
  const { subject } = page;
  const transactionId = readId('txn', subject);
  if (transactionId !== undefined) {
    return consistently(db, () => followStamps(db, orgId, { ...page, transactionId }));
  }
  const lineId = readId('bln', subject);
  if (lineId === undefined) return listAuditPage(db, orgId, page);
  const line = findLine(db, orgId, lineId);
  if (line === undefined) return { items: [], next: undefined };
  return listAuditPage(db, orgId, {
    ...page,
    subject: formatId('prj', line.projectId),
    isWanted: (details) => concerns(details, subject),
  });
}

/** The whole history of one object, oldest first. */
export function listHistory(db: Db, orgId: OrgId, subject: string): AuditRecord[] {
  const found: AuditRecord[] = [];
  let after: Position | undefined;
  do {
    const page = { subject, filters: {}, after, limit: PAGE_ITEMS };
    const { items, next } = listHistoryPage(db, orgId, page);
    found.push(...items);
    after = next;
  } while (after !== undefined);
  return found.reverse();
}

/**
 * A page of a transaction's history. Its `updatedAt` is the stamp of the entry that last changed
 * it, and each change has the stamp of the previous one. So a push needs no index entry per row.
 * Entries of schema version 1 have no changes: those with the transaction as their subject follow.
 */
function followStamps(
  db: Db,
  orgId: OrgId,
  page: HistoryPage & { transactionId: number },
): Page<AuditRecord> {
  const { transactionId, subject, filters, after, limit } = page;
  const { sinceMs = 0 } = filters;
  const items: AuditRecord[] = [];
  const read = { units: 0 };
  let at = after?.sort ?? findTransaction(db, orgId, transactionId)?.updatedAtMs;
  while (at !== undefined && Number(at) >= sinceMs) {
    const atMs = Number(at);
    const isFull = items.length >= limit || read.units >= AUDIT_UNITS;
    if (isFull) return { items, next: { sort: atMs, id: 0 } };
    at = selectStampBefore(db).pluck().get(orgId, subject, atMs);
    for (const entry of listEntriesAt(db, orgId, atMs, read).reverse()) {
      if (!concerns(entry.details, subject) && entry.subject !== subject) continue;
      if (matches(entry, filters)) items.push(entry);
      const change = entry.details.changes.find((each) => each.subject === subject);
      if (change?.previousAt !== undefined) at = Date.parse(change.previousAt);
    }
  }
  return { items, next: undefined };
}

function matches(entry: AuditRecord, { actor, actions, beforeMs }: AuditFilters): boolean {
  return (
    (actor === undefined || entry.actor === actor) &&
    (actions === undefined || actions.includes(entry.action)) &&
    (beforeMs === undefined || entry.atMs < beforeMs)
  );
}

/** The stamp of the latest earlier entry that has this subject. */
const selectStampBefore = statement<[OrgId, string, number], number>(
  `select at from audit_log
    where organisation_id = ? and subject = ? and at < ? order by at desc limit 1`,
);
