/** The append-only audit log; every entry is written in the transaction of what it records. */

import type { Actor, AuditAction } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import type { Db } from './database.ts';
import { statement } from './statements.ts';

/** What is recorded beside who and when. */
export interface AuditEntry {
  readonly action: AuditAction;
  /** The public identifier of the thing changed. */
  readonly subject: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** An entry as it is read back. */
export interface AuditRecord extends AuditEntry {
  readonly atMs: number;
  readonly actor: string;
  readonly requestId: string | null;
}

/** Appends an entry. Call it inside the `atomically` of the change. */
export function recordAudit(db: Db, orgId: OrgId, actor: Actor, entry: AuditEntry): void {
  const details = JSON.stringify(entry.details);
  const { nowMs, name, requestId } = actor;
  insertEntry(db).run(orgId, nowMs, name, entry.action, entry.subject, requestId, details);
}

const insertEntry = statement<
  [OrgId, number, string, string, string | null, string | null, string]
>(
  `insert into audit_log (organisation_id, at, actor, action, subject, request_id, details)
   values (?, ?, ?, ?, ?, ?, ?)`,
);

/** The organisation's entries from `sinceMs` on, oldest first. */
export function listAudit(db: Db, orgId: OrgId, sinceMs: number): AuditRecord[] {
  return selectEntries(db)
    .all(orgId, sinceMs)
    .map(({ details, ...record }) => ({ ...record, details: JSON.parse(details) }));
}

const selectEntries = statement<
  [OrgId, number],
  Omit<AuditRecord, 'details'> & { details: string }
>(
  `select at as atMs, actor, action, subject, request_id as requestId, details
     from audit_log where organisation_id = ? and at >= ? order by at, id`,
);
