/** Sessions: a user signs in, stays signed in while there is something to do, and signs out. */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import type { OrgId } from '../core/ids.ts';
import { type Session, switchOrganisation } from '../store/sessions.ts';
import { listMemberships } from '../store/users.ts';
import { missing, requireNumber } from './access.ts';

export { createSession, deleteSessions, endSession, renewSession } from '../store/sessions.ts';

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
  if (switchOrganisation(session.access, orgId, session, nowMs)) return;
  const isMember = listMemberships({ db }, session.userId).some((each) => each.orgId === orgId);
  if (!isMember) throw missing('organisation', organisationId);
  const message = 'An owner there has ended your sessions. Sign out, then sign in again.';
  throw new Failure('not_allowed', message);
}
