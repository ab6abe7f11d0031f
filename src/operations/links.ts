/** One-time links: what one opens, and what can be done with it (contract 8, 12). */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { foldEmail } from '../core/users.ts';
import { findInvitation, type Invitation } from '../store/invitations.ts';
import * as store from '../store/links.ts';
import { accessOf, listOrganisations } from '../store/organisations.ts';
import { type Session, switchOrganisation } from '../store/sessions.ts';
import {
  addUser,
  findPassword,
  findPasswordToChange,
  hasUsers,
  listMemberships,
  storePassword,
  type UserRecord,
} from '../store/users.ts';
import { atomically, type Source } from './access.ts';
import { createOrganisation, type OrganisationDraft } from './organisations.ts';
import { hashNewPassword, isPassword, type Queued } from './passwords.ts';
import { ownTexts, readNewEmail } from './users.ts';

/**
 * Makes a link that sets up the first user, and returns its token only here. The one before ends.
 * Refuses with `conflict` if there is a user.
 */
export function createSetUpLink(source: Source, actor: Actor): string {
  return atomically(source, () => {
    if (hasUsers(source)) {
      const message = 'A user already exists. Add others with `budgetd users create`.';
      throw new Failure('conflict', message);
    }
    return store.createLink(source, null, actor);
  });
}

export type OpenedLink =
  | { readonly purpose: 'set-up'; readonly needsOrganisation: boolean }
  | { readonly purpose: 'reset' | 'sign-in'; readonly userId: number; readonly email: string }
  | ({ readonly purpose: 'invitation' } & Invitation);

/** What a link is for. Refuses with `not_found` one that was used or replaced, or is too old. */
export function openLink(source: Source, token: string, { nowMs }: Actor): OpenedLink {
  const invitation = findInvitation(source, token, nowMs);
  if (invitation !== undefined) return { purpose: 'invitation', ...invitation };
  const { userId, purpose } = store.requireLink(source, token, nowMs);
  if (userId === null || purpose === 'set-up') {
    return { purpose: 'set-up', needsOrganisation: listOrganisations(source).length === 0 };
  }
  const [first] = listMemberships(source, userId);
  return { purpose, userId, email: first?.email ?? '' };
}

/** Makes a link that signs a user in, and returns its token only here. The one before ends. */
export function createSignInLink(source: Source, { id }: Pick<UserRecord, 'id'>, actor: Actor) {
  return store.createLink(source, id, actor, 'sign-in');
}

/** Uses a link that signs in, and returns the user's number. Refuses with `not_found`. */
export function useSignInLink(source: Source, token: string, actor: Actor): number {
  const use = () => {
    const link = openLink(source, token, actor);
    if (link.purpose !== 'sign-in') throw new Failure('not_found', 'The link does not sign in.');
    store.deleteLinks(source, link.userId);
    return link.userId;
  };
  return atomically(source, use, { usesReserve: true });
}

/** The password that someone chooses with a link. */
interface NewPassword {
  readonly token: string;
  readonly password: string;
  readonly turn?: Queued;
}

/**
 * Sets the password of the user whose link it is, which ends. Returns the user's number. Refuses
 * with `not_found` (see `openLink`), and with `invalid_input` or `unavailable`: then the link still
 * works.
 */
export async function usePasswordLink(
  source: Source,
  { token, password, turn }: NewPassword,
  actor: Actor,
): Promise<number> {
  const userId = requireUserOf(source, token, actor);
  const present = findPasswordToChange(source, userId);
  if (present !== undefined && (await isPassword(password, present, turn))) {
    throw new Failure('invalid_input', 'Someone else knows this password. Choose another one.');
  }
  const hashed = await hashNewPassword(password, ownTexts(source, userId), turn);
  const use = () => {
    // Again: someone else may have used the link while the password was hashed.
    requireUserOf(source, token, actor);
    store.deleteLinks(source, userId);
    const own = { ...actor, name: formatId('usr', userId) };
    storePassword(source, userId, { password: hashed }, own);
    return userId;
  };
  return atomically(source, use, { usesReserve: true });
}

function requireUserOf(source: Source, token: string, actor: Actor): number {
  const link = openLink(source, token, actor);
  if (link.purpose === 'reset') return link.userId;
  throw new Failure('not_found', 'The link is for setting up the first user.');
}

/**
 * Accepts an invitation for a user who is signed in with its address, and leads the session to the
 * organisation. Refuses with `not_found`.
 */
export function acceptInvitation(
  source: Source,
  { token, session }: { token: string; session: Session },
  actor: Actor,
): void {
  atomically(source, () => {
    const invitation = requireInvitation(source, token, actor);
    if (foldEmail(invitation.email) !== foldEmail(session.email)) {
      throw new Failure('not_found', 'The link is for another email address.');
    }
    addUser(accessOf(source, invitation.orgId), { ...invitation, password: undefined }, actor);
    switchOrganisation(source, invitation.orgId, session, actor.nowMs);
  });
}

/**
 * Accepts an invitation for someone whose address is new here, who chooses a password. Returns the
 * user's number; undefined, and changes nothing, if the address is a user's, who has to sign in.
 * Refuses like `usePasswordLink`. Either way takes as long.
 */
export async function joinWithPassword(
  source: Source,
  { token, password, turn }: NewPassword,
  actor: Actor,
): Promise<number | undefined> {
  const { email, organisation } = requireInvitation(source, token, actor);
  const hashed = await hashNewPassword(password, [email, organisation], turn);
  return atomically(source, () => {
    const invitation = requireInvitation(source, token, actor);
    if (findPassword(source, email) !== undefined) return undefined;
    const access = accessOf(source, invitation.orgId);
    return addUser(access, { ...invitation, password: hashed }, actor).user.id;
  });
}

function requireInvitation(source: Source, token: string, { nowMs }: Actor): Invitation {
  const found = findInvitation(source, token, nowMs);
  if (found === undefined) throw new Failure('not_found', 'The invitation has ended.');
  return found;
}

/** The first user, who becomes an owner. */
interface SetUpDraft {
  readonly token: string;
  readonly email: string;
  readonly password: string;
  /** Needed, and used, only if the database has no organisation. */
  readonly organisation?: OrganisationDraft | undefined;
}

/**
 * Creates the first user, as the owner of every organisation of the database, or of a new one if it
 * has none; the link ends. Refuses like `usePasswordLink`.
 */
export async function setUp(source: Source, draft: SetUpDraft, actor: Actor): Promise<UserRecord> {
  const { token, organisation } = draft;
  requireSetUp(source, token, actor);
  const email = readNewEmail(draft.email);
  const existing = listOrganisations(source).map((each) => each.name);
  const own = [email, organisation?.name ?? '', ...existing];
  const password = await hashNewPassword(draft.password, own);
  return atomically(source, () => {
    if (requireSetUp(source, token, actor)) {
      if (organisation === undefined) {
        const message = 'The name and currency of the organisation are missing.';
        throw new Failure('invalid_input', message);
      }
      createOrganisation(source, organisation, actor);
    }
    const added = listOrganisations(source).map((each) => {
      const access = { db: source.db, organisation: each };
      return addUser(access, { email, name: null, role: 'owner', password }, actor).user;
    });
    store.deleteLinks(source, null);
    const [user] = added;
    if (user === undefined) throw new Error('there is no organisation to own');
    return user;
  });
}

/** Whether the link of the first user needs an organisation. */
function requireSetUp(source: Source, token: string, actor: Actor): boolean {
  const link = openLink(source, token, actor);
  if (link.purpose === 'set-up') return link.needsOrganisation;
  throw new Failure('not_found', 'The link is for setting a password.');
}
