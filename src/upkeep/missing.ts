/** What a database had that the copy put in its place lacks (contract 8). */

import { AUDIT_ACTIONS } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import { explainNoUndo } from '../core/undo.ts';
import type { Role } from '../core/users.ts';
import { readDatabase } from '../database/copies.ts';
import type { Db } from '../database/database.ts';

/** What was written after a copy was made. */
export interface Missing {
  /** Entries of the audit log. */
  readonly entries: number;
  /** Entries by which people allocated, excluded, restored or reviewed transactions. */
  readonly decisions: number;
  /** Keys that were created, and keys that were revoked and are valid again. */
  readonly createdKeys: readonly MissingKey[];
  readonly revokedKeys: readonly MissingKey[];
  readonly users: readonly MissingUser[];
}

/** A key about which the copy says something else. */
interface MissingKey {
  readonly id: number;
  readonly orgId: OrgId;
}

/** What was done with a user after the copy was made. */
export interface MissingUser {
  readonly email: string;
  readonly orgId: OrgId;
  readonly change: 'added' | 'removed' | 'role' | 'password';
  /** The role since; for who was removed, the one in the copy. */
  readonly role: Role;
}

/** A copy that was put back, beside what was there before. */
export interface Compared {
  /** The last write in the copy, in epoch milliseconds; null if it has no organisation. */
  readonly endsAtMs: number | null;
  /** Whether it has several organisations. */
  readonly isShared: boolean;
  /** What the database had that the copy lacks; null if it could not be read. */
  readonly missing: Missing | null;
}

/** Compares a copy with the database that was there before, if there was one. */
export function compare(copy: string, before: string | null): Compared {
  const now = readDatabase(copy, describe);
  const { endsAtMs, isShared } = now;
  try {
    const old = before === null ? undefined : readDatabase(before, describe);
    if (old === undefined) return { endsAtMs, isShared, missing: null };
    const createdKeys = old.keys.filter(({ id }) => !now.keys.some((each) => each.id === id));
    const revokedKeys = old.keys.filter(({ id, isRevoked }) => {
      return isRevoked && now.keys.some((each) => each.id === id && !each.isRevoked);
    });
    const keys = (all: typeof old.keys) => all.map(({ id, orgId }) => ({ id, orgId }));
    const missing = {
      entries: Math.max(0, old.entries - now.entries),
      decisions: readDatabase(before ?? copy, (db) => countDecisions(db, now.entries)),
      createdKeys: keys(createdKeys),
      revokedKeys: keys(revokedKeys),
      users: compareUsers(now.users, old.users),
    };
    return { endsAtMs, isShared, missing };
  } catch {
    // It may be damaged, which can be why the copy was put back.
    return { endsAtMs, isShared, missing: null };
  }
}

interface User {
  readonly orgId: OrgId;
  readonly email: string;
  readonly folded: string;
  readonly role: Role;
  readonly password: string;
}

/** A user has one password, whatever the organisations, so its change is told once. */
function compareUsers(now: readonly User[], old: readonly User[]): MissingUser[] {
  const isSame = (one: User, other: User) => {
    return one.orgId === other.orgId && one.folded === other.folded;
  };
  const told = new Set<string>();
  const changed = old.flatMap((user): MissingUser[] => {
    const { orgId, email, folded, role, password } = user;
    const copied = now.find((each) => isSame(each, user));
    const entry = (change: MissingUser['change']) => ({ email, orgId, change, role });
    if (copied === undefined) return [entry('added')];
    const isNewPassword = copied.password !== password && !told.has(folded);
    if (isNewPassword) told.add(folded);
    return [
      ...(copied.role === role ? [] : [entry('role')]),
      ...(isNewPassword ? [entry('password')] : []),
    ];
  });
  const removed = now.filter((user) => !old.some((each) => isSame(each, user)));
  return [
    ...removed.map(({ email, orgId, role }) => ({
      email,
      orgId,
      change: 'removed' as const,
      role,
    })),
    ...changed,
  ];
}

/** How often people decided on transactions after an entry of the audit log. */
function countDecisions(db: Db, lastEntry: number): number {
  const text = `select count(*) from audit_log where id > ? and action in (select value
    from json_each(?))`;
  const select = db.prepare<[number, string], number>(text).pluck();
  return select.get(lastEntry, JSON.stringify(DECISIONS)) ?? 0;
}

const DECISIONS = AUDIT_ACTIONS.filter((action) => explainNoUndo(action) === undefined);

/** Works on every schema of a release. */
function describe(db: Db) {
  const value = (text: string) => db.prepare<[], number | null>(text).pluck().get() ?? null;
  const keys = db
    .prepare<[], MissingKey & { isRevoked: number }>(
      `select id, organisation_id as orgId, revoked_at is not null as isRevoked
         from api_keys order by id`,
    )
    .all();
  return {
    endsAtMs: value('select max(at) from audit_log'),
    isShared: (value('select count(*) from organisations') ?? 0) > 1,
    entries: value('select coalesce(max(id), 0) from audit_log') ?? 0,
    keys,
    users: listUsers(db),
  };
}

function listUsers(db: Db): User[] {
  return db
    .prepare<[], User>(
      `select m.organisation_id as orgId, u.email, u.email_folded as folded, m.role, u.password
         from memberships m join users u on u.id = m.user_id
        order by m.organisation_id, u.id`,
    )
    .all();
}
