/**
 * Sessions: browsers in which a user is signed in. Only the SHA-256 of a session's token is stored.
 * A session ends with the membership to which it belongs, and with a change of password or role.
 */

import { Failure } from '../core/failures.ts';
import type { OrgId } from '../core/ids.ts';
import { SESSIONS } from '../core/limits.ts';
import type { Role } from '../core/users.ts';
import { atomically, type Db, type Source, withoutWaiting } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { ORGANISATION_COLUMNS, type OrganisationColumns, toOrganisation } from './organisations.ts';
import { createToken, hashToken } from './tokens.ts';

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
  /** Whether signing in asks for a code. */
  readonly hasSecondFactor: boolean;
  /** The organisation whose pages are shown. */
  readonly access: Access;
}

/** A session to begin. */
interface NewSession {
  readonly userId: number;
  /** When the user gave the password: now by default. */
  readonly passwordAtMs?: number;
  /** What the browser says it is, to recognise it in a list. */
  readonly agent: string | null;
}

const IDLE_MS = SESSIONS.idleMinutes * 60_000;
const WHOLE_MS = SESSIONS.hours * 3_600_000;

/**
 * Begins a session in the organisation where the user was last, and returns its token only here.
 * Returns undefined for a user who has been removed. Forgets sessions that are over, and ends those
 * of the user that were used least lately, so that SESSIONS.perUser remain.
 */
export function createSession(
  { db }: Source,
  { userId, agent, passwordAtMs }: NewSession,
  nowMs: number,
): string | undefined {
  return atomically({ db }, () => {
    deleteOver(db).run(nowMs - IDLE_MS, nowMs - WHOLE_MS);
    const orgId = selectLastOrganisation(db).pluck().get(userId);
    if (orgId === undefined) return undefined;
    deleteOldest(db).run(userId, nowMs, SESSIONS.perUser - 1);
    const token = createToken();
    const times = [nowMs, nowMs, passwordAtMs ?? nowMs] as const;
    insertSession(db).run(hashToken(token), userId, orgId, agent, ...times);
    updateLastSignIn(db).run(nowMs, orgId, userId);
    return token;
  });
}

const selectLastOrganisation = statement<[userId: number], OrgId>`
  select organisation_id from memberships
    where user_id = ? order by last_sign_in_at desc, organisation_id limit 1`;
const updateLastSignIn = statement<[nowMs: number, OrgId, userId: number]>`
  update memberships set last_sign_in_at = ? where organisation_id = ? and user_id = ?`;

const deleteOver = statement<[idle: number, whole: number]>`
  delete from sessions where seen_at <= ? or created_at <= ?`;
// Those that begin later than now first: while the clock was ahead, they were seen last.
const deleteOldest = statement<[userId: number, nowMs: number, kept: number]>`
  delete from sessions where id in (
     select id from sessions where user_id = ?
      order by created_at <= ? desc, seen_at desc, id desc limit -1 offset ?)`;
const insertSession = statement<[Buffer, number, OrgId, string | null, number, number, number]>`
  insert into sessions
     (hash, user_id, organisation_id, agent, created_at, seen_at, password_at)
   values (?, ?, ?, ?, ?, ?, ?)`;

/**
 * A session that works; undefined if it has ended or is too old. Using it keeps it from ending. It
 * also ends when the clock goes back to before it began, or it could last longer than it should.
 */
export function findSession({ db }: Source, token: string, nowMs: number): Session | undefined {
  const idle = nowMs - IDLE_MS;
  const found = selectSession(db).get(hashToken(token), idle, nowMs - WHOLE_MS, nowMs);
  if (found === undefined) return undefined;
  const { sessionId: id, userId, email, role, locale, passwordAtMs, ...rest } = found;
  const { seenAtMs, shortcuts, secondFactor, ...organisation } = rest;
  if (Math.abs(nowMs - seenAtMs) >= SESSIONS.seenMs) noteVisit(db, id, nowMs);
  return {
    ...{ id, userId, email, role, locale, passwordAtMs },
    shortcuts: shortcuts === 1,
    hasSecondFactor: secondFactor === 1,
    access: { db, organisation: toOrganisation(organisation) },
  };
}

const selectSession = statement<
  [hash: Buffer, idle: number, whole: number, now: number],
  OrganisationColumns &
    Pick<Session, 'userId' | 'email' | 'role' | 'locale' | 'passwordAtMs'> & {
      readonly sessionId: number;
      readonly seenAtMs: number;
      readonly shortcuts: 0 | 1;
      readonly secondFactor: 0 | 1;
    }
>`select s.id as sessionId, s.user_id as userId, u.email, m.role, u.locale, u.shortcuts,
          s.seen_at as seenAtMs, s.password_at as passwordAtMs,
          exists (select 1 from second_factors f where f.user_id = s.user_id) as secondFactor,
          ${ORGANISATION_COLUMNS}
     from sessions s join users u on u.id = s.user_id
     join organisations o on o.id = s.organisation_id
     join memberships m on m.organisation_id = s.organisation_id and m.user_id = s.user_id
    where s.hash = ? and s.seen_at > ? and s.created_at > ? and s.created_at <= ?`;

/** A page must not fail because another process writes. */
function noteVisit(db: Db, sessionId: number, nowMs: number): void {
  try {
    const note = () => updateSeen(db).run(nowMs, sessionId);
    withoutWaiting(db, () => atomically({ db }, note, { usesReserve: true }));
  } catch {
    // The next page notes it.
  }
}

const updateSeen = statement<[number, number]>`update sessions set seen_at = ? where id = ?`;

/**
 * Gives a session whose user has just given the password another token, and returns it only here:
 * the one before no longer works.
 */
export function renewSession({ db }: Source, id: number, nowMs: number): string {
  const token = createToken();
  atomically({ db }, () => updateHash(db).run(hashToken(token), nowMs, id));
  return token;
}

const updateHash = statement<[Buffer, nowMs: number, id: number]>`
  update sessions set hash = ?, password_at = ? where id = ?`;

/**
 * Shows the pages of another organisation in a session. Returns false, and changes nothing, if its
 * user does not belong to it, or an owner has ended the sessions that began when this one did.
 */
export function switchOrganisation(
  { db }: Source,
  orgId: OrgId,
  { id, userId }: Pick<Session, 'id' | 'userId'>,
  nowMs: number,
): boolean {
  return atomically({ db }, () => {
    if (updateOrganisation(db).run(orgId, id, userId, orgId).changes === 0) return false;
    updateLastSignIn(db).run(nowMs, orgId, userId);
    return true;
  });
}

const updateOrganisation = statement<[OrgId, number, number, OrgId]>`
  update sessions set organisation_id = ?
    where id = ? and user_id = ?
      and exists (select 1 from memberships m
                   where m.organisation_id = ? and m.user_id = sessions.user_id
                     and m.sessions_from <= sessions.created_at)`;

/** The sessions of a user that work, the one that was used last first. */
export function listSessions({ db }: Source, userId: number, nowMs: number) {
  return selectSessions(db).all(userId, nowMs - IDLE_MS, nowMs - WHOLE_MS, nowMs);
}

const selectSessions = statement<
  [userId: number, idle: number, whole: number, now: number],
  { id: number; agent: string | null; createdAtMs: number; seenAtMs: number }
>`select id, agent, created_at as createdAtMs, seen_at as seenAtMs from sessions
    where user_id = ? and seen_at > ? and created_at > ? and created_at <= ?
    order by seen_at desc, id desc`;

/** Ends a session of a user. Throws `not_found` if the user does not have it. */
export function endSession({ db }: Source, { id, userId }: Pick<Session, 'id' | 'userId'>): void {
  if (atomically({ db }, () => deleteById(db).run(id, userId).changes) === 1) return;
  throw new Failure('not_found', 'The session was not found. It may have ended.');
}

const deleteById = statement<[id: number, userId: number]>`
  delete from sessions where id = ? and user_id = ?`;

/** Ends the sessions of a user, but not the one with the number `keptId`. Returns their number. */
export function deleteSessions({ db }: Source, userId: number, keptId = 0): number {
  return atomically({ db }, () => deleteByUser(db).run(userId, keptId).changes);
}

const deleteByUser = statement<[userId: number, keptId: number]>`
  delete from sessions where user_id = ? and id <> ?`;
