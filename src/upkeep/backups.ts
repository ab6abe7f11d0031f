/**
 * Copies of a database and putting one back (contract 8). A copy is made by SQLite from one moment
 * of the database, whatever is written while it copies, and has its name only once it is checked
 * and on the disk: a file with that name is always whole.
 */

import { existsSync, realpathSync, renameSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../core/failures.ts';
import { BUSY_TIMEOUT_MS, nameCopy, synchronise, writeCopy } from '../database/copies.ts';
import { type Db, isDamage, verifyFile } from '../database/database.ts';
import { loadDriver } from '../database/driver.ts';
import { lockDatabase, takeLock } from '../database/lock.ts';
import { isTaken } from '../database/private-files.ts';
import { type CheckResult, checkDatabase, describeBroken } from './check.ts';
import { type Compared, compare } from './missing.ts';

export { type CheckResult, describeBroken } from './check.ts';
export type { Missing, MissingUser } from './missing.ts';

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
  if (existsSync(file)) throw taken(target);
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
 * database or that name is taken, and `invalid_input` when the copy is not a sound database of this
 * version or an older one.
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
    const copy = writeChecked(source, file, onRule, (written) => {
      signOutAll(written);
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

/** Ends sessions, links and invitations of a copy: some may have ended after it was made. */
function signOutAll(copy: string): void {
  const Driver = loadDriver();
  const db = new Driver(copy, { fileMustExist: true });
  try {
    for (const table of ['sessions', 'one_time_links', 'invitations']) {
      db.exec(`delete from ${table}`);
    }
  } finally {
    db.close();
  }
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
  const what = broken === '' ? '' : ` These do not hold: ${broken}.`;
  const message = `${database} is damaged, so no copy was kept.${what}`;
  return new Failure('invalid_input', `${message} Run \`budgetd check\` on it.`);
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
