/** Reading the audit log (contract 5). */

import { formatInstant, isCalendarDate, readInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { listAudit } from '../store/audit.ts';
import { accessTo, explainInstant, type LibraryContext } from './context.ts';

/** One entry of the audit log. */
export interface AuditEntry {
  readonly at: string;
  readonly actor: string;
  readonly action: string;
  /** The public identifier of what was changed; null for the organisation as a whole. */
  readonly subject: string | null;
  readonly requestId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

/** What can be done with the audit log. */
export function buildAudit(context: LibraryContext) {
  return {
    /** Entries since a date (UTC) or an RFC 3339 date-time, oldest first; all by default. */
    list(organisationId: string, since?: string): AuditEntry[] {
      const { organisation } = accessTo(context, organisationId);
      return listAudit(context.db, organisation.id, readSince(since)).map(
        ({ atMs, actor, action, subject, requestId, details }) => {
          return { at: formatInstant(atMs), actor, action, subject, requestId, details };
        },
      );
    },
  };
}

function readSince(text: string | undefined): number {
  if (text === undefined) return 0;
  const instantMs = isCalendarDate(text) ? Date.parse(`${text}T00:00:00Z`) : readInstant(text);
  if (instantMs !== undefined) return instantMs;
  throw new Failure('invalid_input', explainInstant('The start', text));
}
