/** The audit log in the library: docs/audit.md has its entries. */

import { type AuditEntry, auditDocument } from '../api/documents.ts';
import { accessTo } from '../operations/access.ts';
import { listAudit } from '../operations/audit.ts';
import type { LibraryContext } from './context.ts';

/** What can be done with the audit log. */
export type Audit = ReturnType<typeof buildAudit>;

/** Builds the calls for the audit log. */
export function buildAudit(context: LibraryContext) {
  return {
    /**
     * Entries from a date (UTC) or an RFC 3339 date-time on, oldest first; all by default. With a
     * subject, only those about that thing, such as `txn_…`, pushes included.
     */
    list(organisationId: string, since?: string, subject?: string): AuditEntry[] {
      return listAudit(accessTo(context, organisationId), { since, subject }).map(auditDocument);
    },
  };
}
