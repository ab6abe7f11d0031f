/** Files that only their owner can read, whatever the umask (contract 11). */

import { chmodSync, closeSync, fchmodSync, openSync, statSync } from 'node:fs';

const OWNER_ONLY = 0o600;

/** Opens a new file for writing. Throws EEXIST, and changes nothing, when the name is taken. */
export function openPrivateFile(file: string): number {
  const descriptor = openSync(file, 'wx', OWNER_ONLY);
  // A umask can take away the owner's rights too.
  fchmodSync(descriptor, OWNER_ONLY);
  return descriptor;
}

/** Creates an empty file if there is none, else takes it away from everybody but its owner. */
export function ensurePrivateFile(file: string): void {
  try {
    closeSync(openPrivateFile(file));
  } catch (error) {
    if (!isTaken(error)) throw error;
    makePrivate(file);
  }
}

/**
 * Takes an existing file away from everybody but its owner. Only the owner can; anybody else, and a
 * system without such rights, leaves it as it is.
 */
export function makePrivate(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o077) === 0) return;
  if (process.platform === 'win32' || found.uid !== process.getuid?.()) return;
  chmodSync(file, found.mode & OWNER_ONLY);
}

/** Whether opening a new file failed because its name is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST';
}
