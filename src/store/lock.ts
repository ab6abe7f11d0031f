/** A lock between processes that the operating system lets go of with its holder, killed or not. */

import { Failure } from '../core/failures.ts';
import { type Db, loadDriver } from './driver.ts';

/**
 * Takes the lock that a file stands for; the file is made if need be and nothing is ever written to
 * it. Undefined when somebody else holds it, else what lets go. It is SQLite's lock, as Node has
 * none of its own: no number of a dead process is left to be mistaken for a living one.
 */
export function takeLock(file: string): (() => void) | undefined {
  const Driver = loadDriver();
  let db: Db | undefined;
  try {
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
    if (!code.startsWith('SQLITE_')) throw error;
    throw new Failure('invalid_input', `${file} cannot be locked: check the rights of its folder.`);
  }
}
