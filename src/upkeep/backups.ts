/**
 * Copies of a database and putting one back (contract 8). A copy is made by SQLite from one moment
 * of the database, whatever is written while it copies, and has its name only once it is checked
 * and on the disk: a file with that name is always whole.
 */

import { existsSync, realpathSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { AUDIT_ACTIONS, explainNoUndo } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import type { OrgId } from '../core/ids.ts';
import type { Role } from '../core/users.ts';
import {
  BUSY_TIMEOUT_MS,
  findTaken,
  nameCopy,
  readDatabase,
  synchronise,
  writeCopy,
} from '../database/copies.ts';
import { type Db, withDatabase } from '../database/driver.ts';
import { verifyFile } from '../database/file-checks.ts';
import { lockDatabase, takeLock } from '../database/lock.ts';
import { isTaken } from '../database/private-files.ts';
import { isDamage } from '../database/sqlite-errors.ts';
import { type CheckResult, checkDatabase, describeBroken } from './check.ts';

/** A copy, and what was checked in it. */
interface Copy {
  readonly file: string;
  readonly bytes: number;
  readonly checks: readonly CheckResult[];
}

/** A copy that was put back. */
export interface Restored extends Copy, Compared {
  /** The database that was there before; null if there was none. */
  readonly keptAs: string | null;
}

/**
 * Copies the database of a file to a new file that only its owner can read. Throws `conflict` when
 * the name is taken, `storage_full`, and `invalid_input` when the database is damaged.
 */
export function backUp(
  database: string,
  target: string,
  onRule?: (result: CheckResult) => void,
): Copy {
  const file = resolve(target);
  const present = findTaken(target);
  if (present !== undefined) throw taken(present);
  try {
    return writeChecked(database, file, onRule, nameCopy);
  } catch (error) {
    throw isTaken(error) ? taken(target) : error;
  }
}

function taken(target: string): Failure {
  return new Failure('conflict', `${target} already exists. Pass the name of a new file.`);
}

/**
 * Puts a copy in the place of a database. The old one, with what its `-wal` held, stays as
 * `FILE.before-restore`. All users are signed out. Throws `conflict` when a service runs on the
 * database, that name is taken, or the `-wal` of a database that is gone is left; and
 * `invalid_input` when the copy is not a sound database of this version or an older one.
 */
export function restoreBackup(
  backup: string,
  database: string,
  onRule?: (result: CheckResult) => void,
): Restored {
  const source = resolve(backup);
  verifyFile(source);
  const file = existsSync(database) ? realpathSync.native(database) : resolve(database);
  if (existsSync(file) && realpathSync.native(source) === file) {
    throw new Failure('invalid_input', `${backup} is the database itself. Pass a copy of it.`);
  }
  const unlock = existsSync(file) ? lockDatabase(file).release : takeLock(`${file}-lock`);
  try {
    const before = `${file}.before-restore`;
    // If both are missing, this was killed between the two renames below.
    const isThere = existsSync(file);
    const present = findTaken(isThere ? before : file);
    if (present !== undefined) {
      const earlier = 'already exists, from an earlier restore-backup';
      const orphan = 'belongs to a database that is gone, and would mix with the copy';
      const message = `${present} ${isThere ? earlier : orphan}.`;
      throw new Failure('conflict', `${message} Move it away, then try again.`);
    }
    let isReadable = true;
    const copy = writeChecked(source, file, onRule, (written) => {
      signOutAll(written);
      if (isThere) {
        isReadable = foldIn(file);
        for (const end of ['', '-wal', '-shm']) {
          if (existsSync(file + end)) renameSync(file + end, before + end);
        }
      }
      renameSync(written, file);
    });
    const keptAs = existsSync(before) ? before : null;
    // Reading a damaged database would leave a `-wal` beside it, in the way of the next restore.
    return { ...copy, keptAs, ...compare(file, isReadable ? keptAs : null) };
  } finally {
    unlock?.();
  }
}

/** Ends sessions, links and invitations of a copy: some may have ended after it was made. */
function signOutAll(copy: string): void {
  withDatabase(copy, {}, (db) => {
    for (const table of ['sessions', 'one_time_links', 'invitations']) {
      db.exec(`delete from ${table}`);
    }
  });
  synchronise(copy, 'r+');
}

/** Writes a copy that passes the check. */
function writeChecked(
  database: string,
  file: string,
  onRule: ((result: CheckResult) => void) | undefined,
  place: (copy: string, file: string) => void,
): Copy {
  let checks: CheckResult[] = [];
  const verify = (copy: Db) => {
    checks = checkDatabase(copy, onRule);
    const broken = describeBroken(checks);
    if (broken !== '') throw damaged(database, broken);
  };
  try {
    const bytes = writeCopy({ database, file, verify, place });
    return { file, bytes, checks };
  } catch (error) {
    throw isDamage(error) ? damaged(database) : error;
  }
}

function damaged(database: string, broken = ''): Failure {
  const what = broken === '' ? '' : ` Failed checks: ${broken}.`;
  const message = `${database} is damaged, so no copy was kept.${what}`;
  return new Failure('invalid_input', `${message} Run \`budgetd check\` on it.`);
}

/** Moves what is in the WAL into the file. False if it is damaged: then the WAL stays. */
function foldIn(file: string): boolean {
  try {
    withDatabase(file, { timeout: BUSY_TIMEOUT_MS }, (db) => {
      db.pragma('wal_checkpoint(truncate)');
      db.pragma('journal_mode = delete');
    });
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}

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
interface MissingUser {
  readonly email: string;
  readonly orgId: OrgId;
  readonly change: 'added' | 'removed' | 'role' | 'password';
  /** The role since; for who was removed, the one in the copy. */
  readonly role: Role;
}

/** A copy that was put back, beside what was there before. */
interface Compared {
  /** The last write in the copy, in epoch milliseconds; null if it has no organisation. */
  readonly endsAtMs: number | null;
  /** Whether it has several organisations. */
  readonly isShared: boolean;
  /** Users with a second factor whose codes cannot be checked: the file of the key is missing. */
  readonly withoutKey: number;
  /** What the database had that the copy lacks; null if it could not be read. */
  readonly missing: Missing | null;
}

/** Compares a copy with the database that was there before, if there was one. */
function compare(copy: string, before: string | null): Compared {
  const now = readDatabase(copy, describe);
  const { endsAtMs, isShared } = now;
  const withoutKey = existsSync(`${copy}-key`) ? 0 : now.secondFactors;
  const about = { endsAtMs, isShared, withoutKey };
  if (before === null) return { ...about, missing: null };
  try {
    return { ...about, missing: readDatabase(before, (db) => findMissing(db, now)) };
  } catch {
    // It may be damaged, which can be why the copy was put back.
    return { ...about, missing: null };
  }
}

/** What a database has that its copy lacks. */
function findMissing(db: Db, now: ReturnType<typeof describe>): Missing {
  const old = describe(db);
  const createdKeys = old.keys.filter(({ id }) => !now.keys.some((each) => each.id === id));
  const revokedKeys = old.keys.filter(({ id, isRevoked }) => {
    return isRevoked && now.keys.some((each) => each.id === id && !each.isRevoked);
  });
  const keys = (all: typeof old.keys) => all.map(({ id, orgId }) => ({ id, orgId }));
  return {
    entries: Math.max(0, old.entries - now.entries),
    decisions: countDecisions(db, now.entries),
    createdKeys: keys(createdKeys),
    revokedKeys: keys(revokedKeys),
    users: compareUsers(now.users, old.users),
  };
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
  const entry = ({ email, orgId, role }: User, change: MissingUser['change']) => {
    return { email, orgId, change, role };
  };
  const told = new Set<string>();
  const changed = old.flatMap((user): MissingUser[] => {
    const { folded, role, password } = user;
    const copied = now.find((each) => isSame(each, user));
    if (copied === undefined) return [entry(user, 'added')];
    const isNewPassword = copied.password !== password && !told.has(folded);
    if (isNewPassword) told.add(folded);
    return [
      ...(copied.role === role ? [] : [entry(user, 'role')]),
      ...(isNewPassword ? [entry(user, 'password')] : []),
    ];
  });
  const removed = now.filter((user) => !old.some((each) => isSame(each, user)));
  return [...removed.map((user) => entry(user, 'removed')), ...changed];
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
  const hasFactors = value("select 1 from sqlite_master where name = 'second_factors'") === 1;
  return {
    secondFactors: hasFactors ? (value('select count(*) from second_factors') ?? 0) : 0,
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
