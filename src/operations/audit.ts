/** Reading the audit log (contract 5). */

import * as store from '../store/audit.ts';
import type { Access } from './access.ts';
import { readMoment } from './input.ts';

export type { AuditRecord } from '../store/audit.ts';

/** Which entries to list. */
export interface AuditFilter {
  /** From a date (UTC) or an RFC 3339 date-time on. */
  readonly since?: string | undefined;
  /** Only about this thing, such as `txn_…`, pushes included. */
  readonly subject?: string | undefined;
}

/** The entries of the audit log that match, oldest first. Refuses with `invalid_input`. */
export function listAudit(
  { db, organisation }: Access,
  { since, subject }: AuditFilter = {},
): store.AuditRecord[] {
  const sinceMs = since === undefined ? 0 : readMoment('The start', since);
  if (subject === undefined) return store.listAudit(db, organisation.id, sinceMs);
  return store.listHistory(db, organisation.id, subject).filter(({ atMs }) => atMs >= sinceMs);
}
