/** A lock between processes, which the operating system releases when a process ends. */

import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../core/failures.ts';
import { type Db, loadDriver, withDatabase } from './driver.ts';
import { ensurePrivateFile } from './private-files.ts';
import { codeOf, isBusy } from './sqlite-errors.ts';

/** The lock of a service on its database. */
export interface DatabaseLock {
  /**
   * Takes the lock again if someone removed its file, or another service could take it. Returns
   * whether it did; undefined when another process has the lock now.
   */
  renew(): boolean | undefined;
  release(): void;
}

/**
 * Locks a database for one service, through the file FILE-lock next to it. Every link and path to
 * the database leads to the same lock: two services would each grant the full rate limit. Throws
 * `conflict` when another process holds it. The lock file is never removed: another process could
 * be opening it at that moment.
 */
export function lockDatabase(file: string): DatabaseLock {
  const path = `${realpathSync.native(file)}-lock`;
  const take = () => {
    const release = takeLock(path);
    return release && { release, ino: inodeOf(path) };
  };
  let held = take();
  if (held === undefined) {
    const message = `Another budgetd is already serving ${file}.`;
    throw new Failure('conflict', `${message} Stop it first.`);
  }
  return {
    renew: () => {
      if (held !== undefined && held.ino === inodeOf(path)) return false;
      const again = take();
      // Once lost, the old lock stays open until the end, so that `doctor` finds this process.
      if (again === undefined) return undefined;
      held?.release();
      held = again;
      return true;
    },
    release: () => held?.release(),
  };
}

/** For so long another process may ask whether a lock is held. */
const ASKED_MS = 50;

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Whether a process holds a lock. Takes nothing, so that two can ask at once. */
export function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    withDatabase(file, { readonly: true, timeout: 0 }, (db) => db.pragma('schema_version'));
    return false;
  } catch (error) {
    return isBusy(error);
  }
}

/**
 * Locks a file, which is created if it is missing and stays empty. Returns a function that releases
 * the lock; undefined when another process holds it. It uses SQLite's file lock because Node has no
 * API for locks, and a file with a process id can outlive its process. Throws `invalid_input` when
 * the file cannot be opened.
 */
export function takeLock(file: string): (() => void) | undefined {
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    const message = `The lock file ${file} is a symbolic link. Remove it.`;
    throw new Failure('invalid_input', message);
  }
  const Driver = loadDriver();
  let db: Db | undefined;
  try {
    ensurePrivateFile(file);
    db = new Driver(file, { timeout: ASKED_MS });
    // Otherwise SQLite would create a journal file next to it.
    db.pragma('journal_mode = memory');
    db.prepare('begin exclusive').run();
    const held = db;
    return () => held.close();
  } catch (error) {
    db?.close();
    const code = codeOf(error);
    if (isBusy(error)) return undefined;
    if (!/^(SQLITE_|EACCES|EISDIR|ENOENT|ENOTDIR|EPERM|EROFS)/.test(code)) throw error;
    const folder = dirname(file);
    const advice = existsSync(folder)
      ? 'Give this user write permission on that file and its folder.'
      : `The folder ${folder} does not exist. Create the folder first.`;
    throw new Failure('invalid_input', `Cannot lock ${file}. ${advice}`);
  }
}
