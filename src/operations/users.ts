/** Users: owners add and remove them and change their roles (contract 8), and they sign in. */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { CHARACTERS } from '../core/limits.ts';
import { findLocale } from '../core/locales.ts';
import { isEmail, ROLES, type Role } from '../core/users.ts';
import type { Access } from '../store/access.ts';
import { invite } from '../store/invitations.ts';
import * as links from '../store/links.ts';
import type { Session } from '../store/sessions.ts';
import * as store from '../store/users.ts';
import { atomically, type Source } from './access.ts';
import { readChoice, readName } from './input.ts';
import { hashNewPassword, isPassword, type Queued } from './passwords.ts';

export { withdrawInvitation } from '../store/invitations.ts';
export { endSessions, removeUser } from '../store/users.ts';

/** A user to create. */
interface UserDraft extends Omit<store.NewUser, 'name'> {
  /** How the user is shown. */
  readonly name?: string | undefined;
}

/** A trimmed email address. Refuses with `invalid_input`. */
export function readEmail(text: string): string {
  const email = text.trim();
  if (isEmail(email)) return email;
  if (email === '') throw new Failure('invalid_input', 'The email address cannot be blank.');
  const shown = email.length > CHARACTERS.email ? 'This' : `"${email}"`;
  throw new Failure('invalid_input', `${shown} is not an email address, such as ada@example.org.`);
}

/** Of someone who is added. Also refuses a word with letters of scripts that look alike. */
export function readNewEmail(text: string): string {
  const email = readEmail(text);
  const isMixed = (word: string) =>
    /\p{sc=Latn}/u.test(word) && /[\p{sc=Cyrl}\p{sc=Grek}]/u.test(word);
  const mixed = email.split(/[^\p{L}\p{M}\p{N}]+/u).find(isMixed);
  if (mixed === undefined) return email;
  const why = 'mixes Latin letters with Greek or Cyrillic ones, which look the same';
  throw new Failure('invalid_input', `"${mixed}" in "${email}" ${why}. Type the address yourself.`);
}

/** Whether this is the present password of a user who is signed in. Refuses with `unavailable`. */
export function isOwnPassword({ email, access }: Session, password: string, turn?: Queued) {
  return isPassword(password, store.findPassword(access, email)?.password, turn);
}

/**
 * Adds a user to the organisation. One who belongs to another organisation keeps name and password.
 * Refuses with `invalid_input`, `conflict` (already a user here) or `unavailable`.
 */
export async function createUser(access: Access, draft: UserDraft, actor: Actor) {
  return store.addUser(access, await readUser(access, draft), actor);
}

/**
 * Invites someone to the organisation, and returns the token of the link only here. What it returns
 * and how long it takes say nothing of whether the address is a user's. Refuses with
 * `invalid_input`, and with `conflict` for a user of this organisation.
 */
export function inviteUser(access: Access, draft: Omit<UserDraft, 'password'>, actor: Actor) {
  return invite(access, readDraft(draft), actor);
}

async function readUser({ organisation }: Access, draft: UserDraft): Promise<store.NewUser> {
  const read = readDraft(draft);
  const { password: text } = draft;
  const password =
    text === undefined ? undefined : await hashNewPassword(text, [read.email, organisation.name]);
  return { ...read, password, mustChange: draft.mustChange };
}

function readDraft(draft: Omit<UserDraft, 'password'>) {
  const email = readNewEmail(draft.email);
  const role = readChoice('The role', draft.role, ROLES);
  const name = draft.name === undefined ? null : readName('The name', draft.name);
  return { email, name, role };
}

/**
 * Changes the role of a user, from the next thing that they do. Refuses with `not_found`, and with
 * `conflict` for the last owner.
 */
export function changeRole(
  access: Access,
  change: { email: string; role: Role },
  actor: Actor,
): store.UserRecord {
  const role = readChoice('The role', change.role, ROLES);
  return store.setRole(access, { ...change, role }, actor);
}

/**
 * Makes a link with which a user sets a new password, and returns its token only here. Older links
 * of the user end. Refuses with `not_found` and, if the actor is a user, with `conflict` when this
 * one also belongs to an organisation that the actor does not own.
 */
export function createResetLink(access: Access, email: string, actor: Actor): string {
  return atomically(access, () => {
    const user = store.requireUser(access, email);
    store.refuseShared(access, user, actor);
    store.recordLink(access, user, actor);
    return links.createLink(access, user.id, actor);
  });
}

/**
 * Sets the password of a user, and ends the links of the user. Refuses like `createResetLink`, and
 * with `invalid_input` or `unavailable`.
 */
export async function setPassword(
  access: Access,
  { email, password, mustChange }: { email: string; password: string; mustChange?: boolean },
  actor: Actor,
): Promise<store.UserRecord> {
  const { id } = store.requireUser(access, email);
  const hashed = await hashNewPassword(password, ownTexts(access, id));
  return atomically(access, () => {
    // Again: much can happen while a password is hashed.
    const user = store.requireUser(access, email);
    store.refuseShared(access, user, actor);
    links.deleteLinks(access, user.id);
    store.storePassword(access, user.id, { password: hashed, mustChange }, actor);
    return user;
  });
}

/**
 * Sets the user's own password, and ends the links and the other sessions of the user. Returns
 * false, and changes nothing, if the present one is wrong. Refuses with `invalid_input`,
 * `unavailable`, or `conflict` if someone else has just changed the password.
 */
export async function changeOwnPassword(
  { id, userId, email, access }: Session,
  { present, password, turn }: { present: string; password: string; turn?: Queued },
  actor: Actor,
): Promise<boolean> {
  const found = store.findPassword(access, email);
  if (!(await isPassword(present, found?.password, turn))) return false;
  const hashed = await hashNewPassword(password, ownTexts(access, userId), turn);
  atomically(access, () => {
    if (store.findPassword(access, email)?.password !== found?.password) {
      const message = 'Someone else has just changed the password. Nothing was saved.';
      throw new Failure('conflict', message);
    }
    links.deleteLinks(access, userId);
    store.storePassword(access, userId, { password: hashed, keptSessionId: id }, actor);
  });
  return true;
}

/**
 * The token of a link with which a user who has just signed in chooses another password; undefined
 * unless someone else chose the present one. The user cannot do anything else before.
 */
export function createChangeLink(source: Source, userId: number, actor: Actor): string | undefined {
  const isOthers = store.findPasswordToChange(source, userId) !== undefined;
  return isOthers ? links.createLink(source, userId, actor) : undefined;
}

/** Stores how a user sees the console. Refuses with `invalid_input` an unknown locale. */
export function setPreferences(
  source: Source,
  userId: number,
  wanted: Parameters<typeof store.storePreferences>[2],
): void {
  const { locale, shortcuts } = wanted;
  if (locale !== null && findLocale(locale) !== locale) {
    throw new Failure('invalid_input', `"${locale}" is not a locale, such as en-GB.`);
  }
  store.storePreferences(source, userId, { locale, shortcuts });
}

/** What others know of a user: no password should be made of it. */
export function ownTexts(source: Source, userId: number): string[] {
  const all = store.listMemberships(source, userId);
  return all.flatMap(({ email, organisation }) => [email, organisation]);
}

/**
 * Checks an address and a password, and returns the number of the user. Undefined if they do not
 * belong together; an unknown address takes as long. Refuses with `unavailable` when too many
 * passwords are being checked.
 */
export async function signIn(
  source: Source,
  { email, password, turn }: { email: string; password: string; turn?: Queued },
): Promise<number | undefined> {
  const address = email.trim();
  const found = isEmail(address) ? store.findPassword(source, address) : undefined;
  const isRight = await isPassword(password, found?.password, turn);
  if (found === undefined || !isRight) return undefined;
  // Again: it may have changed while it was checked.
  return store.findPassword(source, address)?.password === found.password ? found.id : undefined;
}
