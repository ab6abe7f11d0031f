/**
 * Invitations: who may join an organisation, and with which role. Nothing is given before the
 * invited person accepts, so no organisation can pull in a user of another one, or learn of one.
 */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { type OrgId, readId } from '../core/ids.ts';
import { INVITATION_DAYS } from '../core/limits.ts';
import { foldEmail, type Role } from '../core/users.ts';
import { atomically, type Source } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import { createToken, hashToken } from './tokens.ts';
import { type NewUser, refuseMember } from './users.ts';

type InvitedUser = Pick<NewUser, 'email' | 'name' | 'role'>;

/** An invitation whose link works. */
export interface Invitation extends InvitedUser {
  readonly orgId: OrgId;
  readonly organisation: string;
}

const INVITATION_MS = INVITATION_DAYS * 86_400_000;

/**
 * Invites an address, whether it is a user's or not, and returns the token of the link only here.
 * An earlier invitation of the address ends. Throws `conflict` for a user of this organisation.
 */
export function invite(access: Access, draft: InvitedUser, actor: Actor): string {
  const { db, organisation } = access;
  const { email, name, role } = draft;
  const token = createToken();
  atomically({ db }, () => {
    refuseMember(access, email);
    const act = beginAct(access, actor);
    const invitedBy = readId('usr', actor.name) ?? 0;
    const folded = foldEmail(email);
    const values = [email, name, role, invitedBy, hashToken(token), actor.nowMs] as const;
    insertInvitation(db).run(organisation.id, folded, ...values);
    const details = { email, role, changes: [] };
    recordAudit(access, act, { action: 'user.invited', subject: null, details });
  });
  return token;
}

const insertInvitation = statement<
  [OrgId, string, string, string | null, Role, number, Buffer, number]
>`insert or replace into invitations
     (organisation_id, email_folded, email, name, role, invited_by, hash, created_at)
   values (?, ?, ?, ?, ?, ?, ?, ?)`;

/** Withdraws an invitation: its link stops working. Throws `not_found` if nobody is invited. */
export function withdrawInvitation(access: Access, email: string, actor: Actor): void {
  const { db, organisation } = access;
  atomically({ db }, () => {
    const ended = deleteInvitation(db).get(organisation.id, foldEmail(email));
    if (ended === undefined) throw new Failure('not_found', 'The invitation has ended.');
    const act = beginAct(access, actor);
    const details = { ...ended, changes: [] };
    recordAudit(access, act, { action: 'user.invitation_withdrawn', subject: null, details });
  });
}

const deleteInvitation = statement<[OrgId, string], Pick<Invitation, 'email' | 'role'>>`
  delete from invitations where organisation_id = ? and email_folded = ? returning email, role`;

/** The invitations of an organisation whose links work, by address, each until when. */
export function listInvitations({ db, organisation }: Access, nowMs: number) {
  const found = selectInvitations(db).all(organisation.id, nowMs - INVITATION_MS, nowMs);
  return found.map(({ createdAtMs, ...each }) => {
    return { ...each, untilMs: createdAtMs + INVITATION_MS };
  });
}

const selectInvitations = statement<
  [OrgId, after: number, now: number],
  Pick<Invitation, 'email' | 'role'> & { readonly createdAtMs: number }
>`
  select i.email, i.role, i.created_at as createdAtMs
     from invitations i join memberships m using (organisation_id)
    where i.organisation_id = ? and i.created_at > ? and i.created_at <= ?
      and m.user_id = i.invited_by and m.role = 'owner'
    order by i.email_folded`;

/**
 * The invitation of a link; undefined if it was used or replaced, is too old, or if whoever made it
 * is no longer an owner.
 */
export function findInvitation({ db }: Source, token: string, nowMs: number) {
  return selectInvitation(db).get(hashToken(token), nowMs - INVITATION_MS, nowMs);
}

const selectInvitation = statement<[hash: Buffer, after: number, now: number], Invitation>`
  select i.organisation_id as orgId, o.name as organisation, i.email, i.name, i.role
     from invitations i
     join organisations o on o.id = i.organisation_id
     join memberships m on m.organisation_id = i.organisation_id and m.user_id = i.invited_by
    where i.hash = ? and i.created_at > ? and i.created_at <= ? and m.role = 'owner'`;
