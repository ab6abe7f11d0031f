/** Sessions: a user signs in, stays signed in while there is something to do, and signs out. */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import type { OrgId } from '../core/ids.ts';
import { SESSIONS } from '../core/limits.ts';
import type { Role } from '../core/users.ts';
import { withoutWaiting } from '../database/database.ts';
import * as store from '../store/sessions.ts';
import { listMemberships } from '../store/users.ts';
import { type Access, missing, requireNumber, type Source } from './access.ts';

export {
  createSession,
  deleteSessions,
  endSession,
  type ListedSession,
  listSessions,
  renewSession,
} from '../store/sessions.ts';

/** Who uses the console, in which organisation. */
export interface Session {
  readonly id: number;
  readonly userId: number;
  readonly email: string;
  readonly role: Role;
  /** The locale of numbers and dates; null: as the browser asks. */
  readonly locale: string | null;
  /** Whether lists listen to keys. */
  readonly shortcuts: boolean;
  /** When the user last gave the password. */
  readonly passwordAtMs: number;
  /** Whether the user has a second factor. */
  readonly hasSecondFactor: boolean;
  readonly access: Access;
}

/** The session with this token; undefined if it has ended. Using it keeps it from ending. */
export function findSession(source: Source, token: string, nowMs: number): Session | undefined {
  const found = store.findSession(source, token, nowMs);
  if (found === undefined) return undefined;
  if (Math.abs(nowMs - found.seenAtMs) >= SESSIONS.seenMs) noteVisit(source, found.id, nowMs);
  const { seenAtMs: _, organisation, shortcuts, secondFactor, ...session } = found;
  const access = { db: source.db, organisation };
  const hasSecondFactor = secondFactor === 1;
  return { ...session, shortcuts: shortcuts === 1, hasSecondFactor, access };
}

/** A page must not fail because another process writes or the disk is full. */
function noteVisit(source: Source, sessionId: number, nowMs: number): void {
  try {
    withoutWaiting(source.db, () => store.recordVisit(source, sessionId, nowMs));
  } catch {
    // The next page notes it.
  }
}

/**
 * Leads to another organisation of the user, with the role that the user has there. Refuses with
 * `not_found` one to which the user does not belong, like one that does not exist, and with
 * `not_allowed` one where an owner has ended the sessions that began when this one did.
 */
export function changeOrganisation(
  session: Session,
  organisationId: string,
  { nowMs }: Pick<Actor, 'nowMs'>,
): void {
  const orgId = requireNumber('org', 'organisation', organisationId) as OrgId;
  const { db } = session.access;
  if (store.setOrganisation(session.access, orgId, session, nowMs)) return;
  const isMember = listMemberships({ db }, session.userId).some((each) => each.orgId === orgId);
  if (!isMember) throw missing('organisation', organisationId);
  const message = 'An owner there has ended your sessions. Sign out, then sign in again.';
  throw new Failure('not_allowed', message);
}
