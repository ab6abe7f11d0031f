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
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Failure } from '../core/failures.ts';
import { type Db, withDatabase } from './driver.ts';
import { createPrivateFile, isTaken } from './private-files.ts';
import { codeOf, storageFailure } from './sqlite-errors.ts';

/** How long a copy waits for a process that is recovering the file. */
export const BUSY_TIMEOUT_MS = 10_000;

/** How to write a copy. */
interface CopyPlan {
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

/**
 * What has the name of a new database already, or would become a part of it: SQLite adds what is in
 * a `-wal` or a `-journal` to any file with the name before that. Undefined if nothing has.
 */
export function findTaken(file: string): string | undefined {
  return ['', '-wal', '-journal'].map((end) => file + end).find((path) => existsSync(path));
}

/** Writes a copy, and returns its size. Throws `storage_full`, and what SQLite says of damage. */
export function writeCopy({ database, file, verify, place }: CopyPlan): number {
  requireFolderOf(file);
  const copy = `${file}.${process.pid}.unfinished`;
  const source = realpathSync.native(database);
  removeUnfinished(dirname(file), (name, path) => name === basename(file) && path !== source);
  try {
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

/**
 * Removes the files in a folder that processes left unfinished when they were killed, or the
 * folders of exports, and returns their paths. `isOurs` gets the name that one was to have, and its
 * path. What cannot be removed stays.
 */
export function removeUnfinished(
  folder: string,
  isOurs: (name: string, path: string) => boolean,
  areFolders = false,
): string[] {
  const removed: string[] = [];
  try {
    for (const path of listUnfinished(folder, isOurs, areFolders)) {
      rmSync(path, { recursive: areFolders, force: true });
      removed.push(path);
    }
  } catch {
    // What was to be done does not depend on it.
  }
  return removed;
}

/** The paths that `removeUnfinished` would remove. */
export function listUnfinished(
  folder: string,
  isOurs: (name: string, path: string) => boolean,
  areFolders = false,
): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const [, name = '', id = ''] = UNFINISHED.exec(entry.name) ?? [];
    const path = join(folder, entry.name);
    const isKind = areFolders ? entry.isDirectory() : entry.isFile();
    return isKind && name !== '' && !isRunning(Number(id)) && isOurs(name, path) ? [path] : [];
  });
}

/** SQLite writes a journal beside a copy. */
const UNFINISHED = /^(.+)\.(\d+)\.unfinished(?:-journal)?$/;

/** Whether another process has a number. This one writes one copy at a time. */
function isRunning(processId: number): boolean {
  if (processId === process.pid) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // It is another user's.
    return codeOf(error) === 'EPERM';
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
  return withDatabase(file, { readonly: true, timeout: BUSY_TIMEOUT_MS }, work);
}

/** The free bytes on the disk of a path; undefined if the system does not tell. */
export function freeBytesAt(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  } catch {
    return undefined;
  }
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
