/**
 * Users and the organisations they belong to. A user is one email address with one password, and
 * has a role in each organisation; nobody sees the others.
 */

import {
  type Act,
  type Actor,
  type AuditAction,
  type AuditState,
  changeOf,
} from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { formatId, type OrgId, readId } from '../core/ids.ts';
import { endsOwnership, foldEmail, type Role } from '../core/users.ts';
import { atomically, type Source } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { beginAct, recordAudit } from './audit.ts';
import { deleteLinks } from './links.ts';
import { accessOf } from './organisations.ts';
import { deleteSessions } from './sessions.ts';

/** A user as one organisation sees them. */
export interface UserRecord {
  readonly id: number;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /** When the user was added to this organisation. */
  readonly createdAtMs: number;
  /** When the user last signed in to this organisation, or changed to it. */
  readonly lastSignInAtMs: number | null;
  /** Whether signing in asks for a code. */
  readonly secondFactor: 0 | 1;
}

const COLUMNS = `u.id, u.email, u.name, m.role, m.created_at as createdAtMs,
          m.last_sign_in_at as lastSignInAtMs,
          exists (select 1 from second_factors f where f.user_id = u.id) as secondFactor`;

/** The users of an organisation, in the order in which they were created. */
export function listUsers({ db, organisation }: Access): UserRecord[] {
  return selectUsers(db).all(organisation.id);
}

const selectUsers = statement<[OrgId], UserRecord>`
  select ${COLUMNS} from memberships m join users u on u.id = m.user_id
    where m.organisation_id = ? order by m.user_id`;

function findUser({ db, organisation }: Access, email: string): UserRecord | undefined {
  return selectUser(db).get(foldEmail(email), organisation.id);
}

const selectUser = statement<[string, OrgId], UserRecord>`
  select ${COLUMNS} from users u join memberships m on m.user_id = u.id
    where u.email_folded = ? and m.organisation_id = ?`;

/** Refuses with `conflict` the address of a user of this organisation. */
export function refuseMember(access: Access, email: string): void {
  const member = findUser(access, email);
  if (member === undefined) return;
  throw new Failure('conflict', `${member.email} is already a user here, as ${member.role}.`);
}

/** Whether the database has a user. */
export function hasUsers({ db }: Source): boolean {
  return selectAnyUser(db).get() !== undefined;
}

const selectAnyUser = statement<[], unknown>`select 1 from users limit 1`;

/** A user to add. */
export interface NewUser {
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  /** Its hash. Undefined if the address is known: then the user keeps name and password. */
  readonly password: string | undefined;
  /** Whether someone else chose the password, so that the user has to choose another one. */
  readonly mustChange?: boolean | undefined;
}

/**
 * Adds a user to the organisation. One who belongs to another organisation stays the same user,
 * with the same name and password. Any invitation for the address ends. Throws `conflict` if the
 * user already belongs to this organisation, or if the address is new and comes without a password.
 */
export function addUser(
  access: Access,
  draft: NewUser,
  actor: Actor,
): { user: UserRecord; isNew: boolean } {
  const { db, organisation } = access;
  return atomically(access, () => {
    const { email, name, role, password, mustChange = false } = draft;
    const folded = foldEmail(email);
    refuseMember(access, email);
    const known = selectPassword(db).get(folded)?.id;
    if (known === undefined && password === undefined) {
      const message = `Someone else has just removed ${email}. Try again, with a password.`;
      throw new Failure('conflict', message);
    }
    const act = beginAct(access, actor);
    const id =
      known ??
      insertUser(db).run(email, folded, name, password ?? '', mustChange ? 1 : 0, actor.nowMs)
        .lastInsertRowid;
    insertMembership(db).run(organisation.id, Number(id), role, actor.nowMs);
    // Or an owner of another organisation, who made one, would get into this one.
    deleteLinks(access, Number(id));
    // Or whoever is removed from here would come back with it.
    deleteInvitation(db).run(organisation.id, folded);
    const user = requireUser(access, email);
    record(access, act, { action: 'user.added', user, before: null, after: stateOf(user) });
    return { user, isNew: known === undefined };
  });
}

const deleteInvitation = statement<[OrgId, string]>`
  delete from invitations where organisation_id = ? and email_folded = ?`;
const insertUser = statement<[string, string, string | null, string, 0 | 1, number]>`
  insert into users (email, email_folded, name, password, password_changed_by_other, created_at)
   values (?, ?, ?, ?, ?, ?)`;
const insertMembership = statement<[OrgId, number, Role, number]>`
  insert into memberships (organisation_id, user_id, role, created_at) values (?, ?, ?, ?)`;

/**
 * Changes the role of a user, whose sessions in this organisation end. Throws `not_found`, or
 * `conflict` for the last owner.
 */
export function setRole(
  access: Access,
  { email, role }: { email: string; role: Role },
  actor: Actor,
): UserRecord {
  const { db, organisation } = access;
  return atomically(access, () => {
    const user = requireUser(access, email);
    if (user.role === role) return user;
    refuseLastOwner(access, user, role);
    const act = beginAct(access, actor);
    updateRole(db).run(role, organisation.id, user.id);
    deleteSessionsIn(access, user.id);
    const [before, after] = [{ role: user.role }, { role }];
    record(access, act, { action: 'user.role_changed', user, before, after });
    return { ...user, role };
  });
}

/** Ends the sessions in which a user sees the pages of one organisation. Returns their number. */
function deleteSessionsIn({ db, organisation }: Access, userId: number): number {
  return deleteByMembership(db).run(organisation.id, userId).changes;
}

const deleteByMembership = statement<[OrgId, userId: number]>`
  delete from sessions where organisation_id = ? and user_id = ?`;

const updateRole = statement<[Role, OrgId, number]>`
  update memberships set role = ? where organisation_id = ? and user_id = ?`;

/**
 * Ends the sessions of a user in the organisation, and returns their number. Those that began
 * before cannot change to it from another one. Throws `not_found`.
 */
export function endSessions(access: Access, email: string, actor: Actor): number {
  const { db, organisation } = access;
  return atomically(access, () => {
    const user = requireUser(access, email);
    const act = beginAct(access, actor);
    updateSessionsFrom(db).run(actor.nowMs, organisation.id, user.id);
    const sessions = deleteSessionsIn(access, user.id);
    record(access, act, { action: 'user.sessions_ended', user, facts: { sessions } });
    return sessions;
  });
}

const updateSessionsFrom = statement<[nowMs: number, OrgId, userId: number]>`
  update memberships set sessions_from = ? where organisation_id = ? and user_id = ?`;

/**
 * Removes a user from the organisation, and altogether if it was the only one. Throws `not_found`,
 * or `conflict` for the last owner.
 */
export function removeUser(access: Access, email: string, actor: Actor): UserRecord {
  const { db, organisation } = access;
  return atomically(access, () => {
    const user = requireUser(access, email);
    refuseLastOwner(access, user, undefined);
    const act = beginAct(access, actor);
    deleteMembership(db).run(organisation.id, user.id);
    deleteUnused(db).run(user.id, user.id);
    record(access, act, { action: 'user.removed', user, before: stateOf(user), after: null });
    return user;
  });
}

const deleteMembership = statement<[OrgId, number]>`
  delete from memberships where organisation_id = ? and user_id = ?`;
const deleteUnused = statement<[number, number]>`delete from users
    where id = ? and not exists (select 1 from memberships where user_id = ?)`;

function refuseLastOwner({ db, organisation }: Access, user: UserRecord, to: Role | undefined) {
  const owners = countOwners(db).pluck().get(organisation.id) ?? 0;
  if (!endsOwnership(user.role, to, owners)) return;
  const message = `${user.email} is the only owner. Make another user an owner first.`;
  throw new Failure('conflict', message);
}

const countOwners = statement<[OrgId], number>`
  select count(*) from memberships where organisation_id = ? and role = 'owner'`;

/** A user of the organisation. Throws `not_found`: the same for another organisation's. */
export function requireUser(access: Access, email: string): UserRecord {
  const user = findUser(access, email);
  if (user === undefined) throw new Failure('not_found', `There is no user ${email} here.`);
  return user;
}

/** The hash of a user's password, whatever their organisations; undefined for an unknown one. */
export function findPassword({ db }: Source, email: string) {
  return selectPassword(db).get(foldEmail(email));
}

const selectPassword = statement<[string], { id: number; password: string }>`
  select id, password from users where email_folded = ?`;

/** The organisations of a user, with the names by which they and the user are known. */
export function listMemberships({ db }: Source, userId: number) {
  return selectMemberships(db).all(userId);
}

const selectMemberships = statement<
  [number],
  { orgId: OrgId; organisation: string; email: string; role: Role }
>`
  select m.organisation_id as orgId, o.name as organisation, u.email, m.role
     from memberships m join organisations o on o.id = m.organisation_id
     join users u on u.id = m.user_id
    where m.user_id = ? order by m.organisation_id`;

/** A hash to store, and the session that does not end then. */
interface NewPassword {
  readonly password: string;
  readonly keptSessionId?: number;
  /** Whether someone else chose it. */
  readonly mustChange?: boolean | undefined;
}

/** Stores the hash of a new password, ends sessions, and logs it in each of the organisations. */
export function storePassword(
  source: Source,
  userId: number,
  change: NewPassword,
  actor: Actor,
): void {
  const { db } = source;
  atomically({ db }, () => {
    updatePassword(db).run(change.password, change.mustChange === true ? 1 : 0, userId);
    deleteSessions(source, userId, change.keptSessionId);
    recordEverywhere(source, userId, 'user.password_changed', actor);
  });
}

/** Logs that something happened to a user in each of the user's organisations. */
export function recordEverywhere(
  source: Source,
  userId: number,
  action: AuditAction,
  actor: Actor,
): void {
  for (const { orgId } of listMemberships(source, userId)) {
    const access = accessOf(source, orgId);
    record(access, beginAct(access, actor), { action, user: { id: userId } });
  }
}

const updatePassword = statement<[string, 0 | 1, number]>`
  update users set password = ?, password_changed_by_other = ? where id = ?`;

/** The hash of a user's password if someone else chose it, so that it has to change. */
export function findPasswordToChange({ db }: Source, userId: number): string | undefined {
  return selectPasswordToChange(db).pluck().get(userId);
}

const selectPasswordToChange = statement<[number], string>`
  select password from users where id = ? and password_changed_by_other = 1`;

/**
 * Throws `conflict` if the actor is a user who may not set this user's password or remove the
 * second factor: they open every organisation of the user, so only an owner of all of them may. The
 * user does it with the present password, or whoever has stolen a session could take over the
 * account; `own` says where.
 */
export function refuseShared(
  { db }: Source,
  user: UserRecord,
  actor: Actor,
  own = 'password is changed under "Your account". Another owner can make a link for you',
): void {
  const actorId = readId('usr', actor.name);
  if (actorId === undefined) return;
  if (actorId === user.id) throw new Failure('conflict', `Your own ${own}.`);
  if (!hasForeign({ db }, user.id, actorId)) return;
  const message = `${user.email} also belongs to an organisation that you do not own.`;
  throw new Failure('conflict', `${message} Ask the person who runs the service.`);
}

/** Whether a user also belongs to an organisation that another user does not own. */
export function hasForeign({ db }: Pick<Source, 'db'>, userId: number, ownerId: number): boolean {
  return selectForeign(db).get(userId, ownerId) !== undefined;
}

const selectForeign = statement<[userId: number, actorId: number], unknown>`
  select 1 from memberships m
    where m.user_id = ?
      and not exists (select 1 from memberships o
                       where o.organisation_id = m.organisation_id and o.user_id = ?
                         and o.role = 'owner')`;

/** Logs that a one-time link was made for a user. */
export function recordLink(access: Access, user: UserRecord, actor: Actor): void {
  record(access, beginAct(access, actor), { action: 'user.link_created', user });
}

/**
 * Stores how a user sees the console: the locale of numbers and dates (null: as the browser asks),
 * and whether lists listen to keys.
 */
export function storePreferences(
  { db }: Source,
  userId: number,
  { locale, shortcuts }: { readonly locale: string | null; readonly shortcuts: boolean },
): void {
  atomically({ db }, () => updatePreferences(db).run(locale, shortcuts ? 1 : 0, userId));
}

const updatePreferences = statement<[string | null, number, number]>`
  update users set locale = ?, shortcuts = ? where id = ?`;

function stateOf({ email, name, role }: UserRecord): AuditState {
  return { email, name, role };
}

/** What to log. Without states, that something happened to the user. */
interface Entry {
  readonly action: AuditAction;
  readonly user: { readonly id: number };
  readonly before?: AuditState | null;
  readonly after?: AuditState | null;
  readonly facts?: Readonly<Record<string, number>>;
}

function record(access: Access, act: Act, entry: Entry): void {
  const { action, user, before, after, facts } = entry;
  const subject = formatId('usr', user.id);
  const isSilent = before === undefined || after === undefined;
  const changes = isSilent ? [] : [changeOf(subject, before, after)];
  recordAudit(access, act, { action, subject, details: { ...facts, changes } });
}
