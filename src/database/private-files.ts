/** Files that only their owner can read and write, whatever the umask (contract 11). */

import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fchownSync,
  lchownSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from './sqlite-errors.ts';

const OWNER_ONLY = 0o600;

/** Creates a file and opens it for writing. Throws EEXIST if the name exists, without a change. */
export function openPrivateFile(file: string): number {
  const descriptor = openSync(file, 'wx', OWNER_ONLY);
  // The umask can remove the owner's permissions too.
  fchmodSync(descriptor, OWNER_ONLY);
  return descriptor;
}

/**
 * Creates an empty file of a database. If root creates it, it belongs to the owner of its folder,
 * who could not open it otherwise; SQLite does the same for a -wal. Throws as above.
 */
export function createPrivateFile(file: string): void {
  const descriptor = openPrivateFile(file);
  const owner = ownerFor(file);
  if (owner !== undefined) fchownSync(descriptor, owner.uid, owner.gid);
  closeSync(descriptor);
}

/** Creates a folder of a database, which may exist, for the same owner. */
export function ensurePrivateFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owner = ownerFor(folder);
  if (owner !== undefined) lchownSync(folder, owner.uid, owner.gid);
}

/** Whose a path is to be; undefined if it is already. */
function ownerFor(path: string): { uid: number; gid: number } | undefined {
  const { uid, gid } = statSync(dirname(path));
  return uid !== 0 && process.geteuid?.() === 0 ? { uid, gid } : undefined;
}

/** Creates an empty file of a database, or restricts an existing one to its owner. */
export function ensurePrivateFile(file: string): void {
  try {
    createPrivateFile(file);
  } catch (error) {
    if (!isTaken(error)) throw error;
    // A symbolic link to a file that does not exist yet: create that file.
    if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
    makePrivate(file);
  }
}

/**
 * Restricts an existing file to its owner. Does nothing if this user does not own the file, or on
 * Windows.
 */
export function makePrivate(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o077) === 0) return;
  if (process.platform === 'win32' || found.uid !== process.getuid?.()) return;
  chmodSync(file, found.mode & OWNER_ONLY);
}

/** Whether creating a file failed because the name exists. */
export function isTaken(error: unknown): boolean {
  return codeOf(error) === 'EEXIST';
}
