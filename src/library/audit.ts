/** Reading the audit log (contract 5). */

import type { AuditDetails } from '../core/audit.ts';
import { formatInstant, isCalendarDate, readInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { type AuditRecord, listAudit, listHistory } from '../store/audit.ts';
import { accessTo, explainInstant, type LibraryContext } from './context.ts';

/** One entry of the audit log. */
export interface AuditEntry {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  /** The public identifier of what was changed; null for the organisation as a whole. */
  readonly subject: string | null;
  readonly requestId: string | null;
  /** What changed, from what to what; docs/audit.md describes it. */
  readonly details: AuditDetails;
}

/** What can be done with the audit log. */
export function buildAudit(context: LibraryContext) {
  return {
    /**
     * Entries from a date (UTC) or an RFC 3339 date-time on, oldest first; all by default. With a
     * subject, only those about that thing, such as `txn_…`, pushes included.
     */
    list(organisationId: string, since?: string, subject?: string): AuditEntry[] {
      const { organisation } = accessTo(context, organisationId);
      const sinceMs = readSince(since);
      const records =
        subject === undefined
          ? listAudit(context.db, organisation.id, sinceMs)
          : listHistory(context.db, organisation.id, subject);
      return records.filter(({ atMs }) => atMs >= sinceMs).map(toShown);
    },
  };
}

function toShown({ atMs, ...entry }: AuditRecord): AuditEntry {
  return { at: formatInstant(atMs), ...entry };
}

function readSince(text: string | undefined): number {
  if (text === undefined) return 0;
  const instantMs = isCalendarDate(text) ? Date.parse(`${text}T00:00:00Z`) : readInstant(text);
  if (instantMs !== undefined) return instantMs;
  throw new Failure('invalid_input', explainInstant('The start', text));
}
