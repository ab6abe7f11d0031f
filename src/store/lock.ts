/** A lock between processes that the operating system lets go of with its holder, killed or not. */

import { realpathSync } from 'node:fs';
import { Failure } from '../core/failures.ts';
import { loadDriver } from './driver.ts';
import { ensurePrivateFile } from './private-files.ts';

/**
 * Takes the lock of a service on a database, FILE-lock beside it: one lock, by whatever link or
 * path the file is named. Gives what releases it. Refuses with `conflict` when another has it. The
 * lock file stays: removing it could take the lock away from whoever opens it at that moment.
 */
export function lockDatabase(file: string): () => void {
  const unlock = takeLock(`${realpathSync.native(file)}-lock`);
  if (unlock !== undefined) return unlock;
  const message =
    `Another budgetd is already serving ${file}. Stop it first, or serve another database: ` +
    'two of them would each grant the whole rate limit.';
  throw new Failure('conflict', message);
}

/**
 * Takes the lock that a file stands for; the file is made if need be and nothing is ever written to
 * it. Undefined when somebody else holds it, else what lets go. It is SQLite's lock, as Node has
 * none of its own: no number of a dead process is left to be mistaken for a living one.
 */
export function takeLock(file: string): (() => void) | undefined {
  const Driver = loadDriver();
  let db: InstanceType<typeof Driver> | undefined;
  try {
    ensurePrivateFile(file);
    db = new Driver(file, { timeout: 0 });
    // Without it the journal of what is never written would stand beside the file.
    db.pragma('journal_mode = memory');
    db.prepare('begin exclusive').run();
    const held = db;
    return () => held.close();
  } catch (error) {
    db?.close();
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code.startsWith('SQLITE_BUSY')) return undefined;
    if (!/^(SQLITE_|EACCES|EISDIR|ENOENT|ENOTDIR|EPERM|EROFS)/.test(code)) throw error;
    throw new Failure('invalid_input', `${file} cannot be locked: check the rights of its folder.`);
  }
}
