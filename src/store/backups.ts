/**
 * Copies of a database and putting one back (contract 8). A copy is made by SQLite from one moment
 * of the database, whatever is written meanwhile, and has its name only once it is checked and on
 * the disk: a file with that name is always whole.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Failure } from '../core/failures.ts';
import { type CheckResult, checkDatabase } from './check.ts';
import { type Db, isDamage, storageFailure, verifyFile } from './database.ts';
import { loadDriver } from './driver.ts';
import { lockDatabase, takeLock } from './lock.ts';
import { isTaken, openPrivateFile } from './private-files.ts';

export type { CheckResult } from './check.ts';

/** A copy, and what was checked in it. */
export interface Copy {
  readonly file: string;
  readonly bytes: number;
  readonly checks: readonly CheckResult[];
}

/** A copy that was put back. */
export interface Restored extends Copy {
  /** The database that was there before; null if there was none. */
  readonly keptAs: string | null;
  /** The last write in the copy, in epoch milliseconds; null if it has no organisation. */
  readonly endsAtMs: number | null;
  /** What the database had that the copy lacks; null if it could not be read. */
  readonly missing: Missing | null;
}

/** What was written after a copy was made. */
export interface Missing {
  /** Entries of the audit log. */
  readonly entries: number;
  /** Ids of keys that were created, and of keys that were revoked and are valid again. */
  readonly createdKeys: readonly number[];
  readonly revokedKeys: readonly number[];
}

/** How long a copy waits for a process that is recovering the file. */
const BUSY_TIMEOUT_MS = 10_000;

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
  if (existsSync(file)) throw taken(target);
  return writeCopy(database, file, onRule, (copy) => {
    try {
      // Unlike a rename, this never replaces a file.
      linkSync(copy, file);
      rmSync(copy);
    } catch (error) {
      if (isTaken(error)) throw taken(target);
      // Some file systems have no links.
      renameSync(copy, file);
    }
  });
}

function taken(target: string): Failure {
  return new Failure('conflict', `${target} already exists. Pass the name of a new file.`);
}

/**
 * Puts a copy in the place of a database. The old one, with what its `-wal` held, stays as
 * `FILE.before-restore`. Throws `conflict` when a service runs on the database or that name is
 * taken, and `invalid_input` when the copy is not a sound database of this version or an older one.
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
    if (isThere && existsSync(before)) {
      const message = `${before} already exists, from an earlier restore-backup.`;
      throw new Failure('conflict', `${message} Move it away, then try again.`);
    }
    const copy = writeCopy(source, file, onRule, (written) => {
      if (isThere) {
        foldIn(file);
        for (const end of ['', '-wal', '-shm']) {
          if (existsSync(file + end)) renameSync(file + end, before + end);
        }
      }
      renameSync(written, file);
    });
    const keptAs = existsSync(before) ? before : null;
    return { ...copy, keptAs, ...compare(file, keptAs) };
  } finally {
    unlock?.();
  }
}

/** Writes a checked copy beside its place, from which `place` moves it there. */
function writeCopy(
  database: string,
  file: string,
  onRule: ((result: CheckResult) => void) | undefined,
  place: (copy: string) => void,
): Copy {
  const folder = dirname(file);
  const copy = `${file}.${process.pid}.unfinished`;
  try {
    rmSync(copy, { force: true });
    closeSync(openPrivateFile(copy));
    read(database, (db) => db.prepare('vacuum into ?').run(copy));
    const checks = read(copy, (db) => checkDatabase(db, onRule));
    if (checks.some(({ ok }) => !ok)) throw damaged(database);
    synchronise(copy, 'r+');
    const { size: bytes } = statSync(copy);
    place(copy);
    if (process.platform !== 'win32') synchronise(folder, 'r');
    return { file, bytes, checks };
  } catch (error) {
    throw isDamage(error) ? damaged(database) : (storageFailure(error) ?? error);
  } finally {
    rmSync(copy, { force: true });
  }
}

function damaged(database: string): Failure {
  const message = `${database} is damaged, so no copy was kept.`;
  return new Failure('invalid_input', `${message} Run \`budgetd check\` on it.`);
}

/** Reads a database through a connection that changes nothing. */
function read<Result>(file: string, work: (db: Db) => Result): Result {
  const Driver = loadDriver();
  const db = new Driver(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Moves what is in the WAL into the file. A damaged database keeps its WAL. */
function foldIn(file: string): void {
  const Driver = loadDriver();
  try {
    const db = new Driver(file, { fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    try {
      db.pragma('wal_checkpoint(truncate)');
      db.pragma('journal_mode = delete');
    } finally {
      db.close();
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
  }
}

/** Waits until a file, or the names in a folder, are on the disk. */
function synchronise(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** What the database that was there before has and the copy lacks. */
function compare(file: string, before: string | null): Pick<Restored, 'endsAtMs' | 'missing'> {
  const now = read(file, describe);
  const { endsAtMs } = now;
  try {
    const old = before === null ? undefined : read(before, describe);
    if (old === undefined) return { endsAtMs, missing: null };
    const created = old.keys.filter(({ id }) => !now.keys.some((each) => each.id === id));
    const revoked = old.keys.filter(({ id, isRevoked }) => {
      return isRevoked && now.keys.some((each) => each.id === id && !each.isRevoked);
    });
    const idsOf = (keys: typeof created) => keys.map(({ id }) => id);
    const entries = Math.max(0, old.entries - now.entries);
    return {
      endsAtMs,
      missing: { entries, createdKeys: idsOf(created), revokedKeys: idsOf(revoked) },
    };
  } catch {
    // It may be damaged, which can be why the copy was put back.
    return { endsAtMs, missing: null };
  }
}

/** Works on every schema from version 1 on. */
function describe(db: Db) {
  const value = (text: string) => db.prepare<[], number | null>(text).pluck().get() ?? null;
  const keys = db
    .prepare<[], { id: number; isRevoked: number }>(
      'select id, revoked_at is not null as isRevoked from api_keys order by id',
    )
    .all();
  return {
    endsAtMs: value('select max(at) from audit_log'),
    entries: value('select coalesce(max(id), 0) from audit_log') ?? 0,
    keys: keys.map(({ id, isRevoked }) => ({ id, isRevoked: isRevoked === 1 })),
  };
}
