/**
 * Writes copies of a database, for backups and before an upgrade. A copy is made by SQLite from one
 * moment, and has its name only once it is checked and on the disk.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../core/failures.ts';
import { type Db, loadDriver } from './driver.ts';
import { createPrivateFile, isTaken } from './private-files.ts';
import { storageFailure } from './sqlite-errors.ts';

/** How long a copy waits for a process that is recovering the file. */
export const BUSY_TIMEOUT_MS = 10_000;

/** How to write a copy. */
export interface CopyPlan {
  readonly database: string;
  /** Its final name, beside which it is written. */
  readonly file: string;
  /** Throws what is wrong with the copy. */
  readonly verify: (copy: Db) => void;
  /** Gives the whole copy its name. */
  readonly place: (copy: string, file: string) => void;
}

/** Throws `not_found` unless there is a folder for a new file or folder. */
export function requireFolderOf(path: string): void {
  const folder = dirname(path);
  if (existsSync(folder)) return;
  throw new Failure('not_found', `There is no folder ${folder}. Create it first.`);
}

/** Writes a copy, and returns its size. Throws `storage_full`, and what SQLite says of damage. */
export function writeCopy({ database, file, verify, place }: CopyPlan): number {
  requireFolderOf(file);
  const copy = `${file}.${process.pid}.unfinished`;
  try {
    rmSync(copy, { force: true });
    createPrivateFile(copy);
    readDatabase(database, (db) => db.prepare('vacuum into ?').run(copy));
    readDatabase(copy, verify);
    synchronise(copy, 'r+');
    const { size } = statSync(copy);
    place(copy, file);
    if (process.platform !== 'win32') synchronise(dirname(file), 'r');
    return size;
  } catch (error) {
    throw storageFailure(error) ?? error;
  } finally {
    rmSync(copy, { force: true });
  }
}

/** Gives a copy its name, unlike a rename never that of another file: then it throws EEXIST. */
export function nameCopy(copy: string, file: string): void {
  try {
    linkSync(copy, file);
    rmSync(copy);
  } catch (error) {
    if (isTaken(error)) throw error;
    // Some file systems have no links.
    renameSync(copy, file);
  }
}

/** Reads a database through a connection that changes nothing. */
export function readDatabase<Result>(file: string, work: (db: Db) => Result): Result {
  const Driver = loadDriver();
  const db = new Driver(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** The bytes that this user can still write beside a file. */
export function freeBytes(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

/** Waits until a file, or the names in a folder, are on the disk. */
export function synchronise(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
