/** The append-only audit log. Each entry is written in one SQLite transaction with its change. */

import {
  type Act,
  type AuditAction,
  type AuditDetails,
  type AuditState,
  concerns,
} from '../core/audit.ts';
import { formatInstant } from '../core/calendar.ts';
import { type OrgId, readId } from '../core/ids.ts';
import type { Review } from '../core/transactions.ts';
import type { Db } from './database.ts';
import { statement } from './statements.ts';
import { findTransaction } from './transactions.ts';

/** What an entry records, apart from who and when. */
export interface AuditEntry {
  readonly action: AuditAction;
  /** The public identifier of the changed object; null for an act on several transactions. */
  readonly subject: string | null;
  readonly details: AuditDetails;
}

/** A stored entry. */
export interface AuditRecord extends AuditEntry {
  readonly atMs: number;
  readonly actor: string;
  readonly requestId: string | null;
}

/** Appends an entry. Call it inside the same `atomically` as the change. */
export function recordAudit(db: Db, orgId: OrgId, act: Act, entry: AuditEntry): void {
  const details = JSON.stringify(entry.details);
  const { stampMs, name, requestId } = act;
  insertEntry(db).run(orgId, stampMs, name, entry.action, entry.subject, requestId, details);
}

const insertEntry = statement<
  [OrgId, number, string, string, string | null, string | null, string]
>(
  `insert into audit_log (organisation_id, at, actor, action, subject, request_id, details)
   values (?, ?, ?, ?, ?, ?, ?)`,
);

/** The organisation's entries since `sinceMs`, oldest first. */
export function listAudit(db: Db, orgId: OrgId, sinceMs: number): AuditRecord[] {
  return selectEntries(db).all(orgId, sinceMs).map(toRecord);
}

/**
 * The history of one object, by its public identifier, oldest first. An act on this object alone
 * has it as its subject. Pushes and other acts on many transactions are found from the latest to
 * the earliest: `updatedAt` of a transaction is the stamp of its last change, and each change has
 * the stamp of the previous one. So a push does not need an index entry per row.
 */
export function listHistory(db: Db, orgId: OrgId, subject: string): AuditRecord[] {
  const found = new Map<number, AuditRecord>();
  for (const entry of selectEntriesAbout(db).all(orgId, subject)) {
    found.set(entry.id, toRecord(entry));
  }
  const number = readId('txn', subject);
  const transaction = number === undefined ? undefined : findTransaction(db, orgId, number);
  let next = transaction?.updatedAtMs;
  while (next !== undefined) {
    const atMs: number = next;
    next = undefined;
    for (const entry of selectEntriesAt(db).all(orgId, atMs)) {
      const record = toRecord(entry);
      if (!concerns(record.details, subject)) continue;
      found.set(entry.id, record);
      const change = record.details.changes.find((each) => each.subject === subject);
      if (change?.previousAt !== undefined) next = Date.parse(change.previousAt);
    }
  }
  return [...found].sort(([a], [b]) => a - b).map(([, record]) => record);
}

/** A review as the log records it. */
export function reviewState(review: Review | null): AuditState | null {
  if (review === null) return null;
  return {
    previousAmountMinor: review.previousMinor,
    changedAt: formatInstant(review.changedAtMs),
  };
}

type FoundEntry = Omit<AuditRecord, 'details'> & { id: number; details: string };

/** An entry written by schema version 1 has no changes. */
function toRecord({ id: _, details, ...record }: FoundEntry): AuditRecord {
  return { ...record, details: { changes: [], ...JSON.parse(details) } };
}

const COLUMNS = 'id, at as atMs, actor, action, subject, request_id as requestId, details';

const selectEntries = statement<[OrgId, number], FoundEntry>(
  `select ${COLUMNS} from audit_log where organisation_id = ? and at >= ? order by at, id`,
);
const selectEntriesAbout = statement<[OrgId, string], FoundEntry>(
  `select ${COLUMNS} from audit_log where organisation_id = ? and subject = ? order by id`,
);
const selectEntriesAt = statement<[OrgId, number], FoundEntry>(
  `select ${COLUMNS} from audit_log where organisation_id = ? and at = ? order by id`,
);
