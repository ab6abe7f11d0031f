/**
 * The key of what nobody can read who has the database or a backup alone: in a file beside it,
 * which only its owner can read. A database in memory has one in memory.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Db } from './driver.ts';
import { ensurePrivateFile } from './private-files.ts';

const KEY_BYTES = 32;
const inMemory = new WeakMap<Db, Buffer>();

/** The file of the key: `FILE-key`; empty for a database in memory. */
export function keyFileOf(db: Db): string {
  const [main] = db.pragma('database_list') as { file: string }[];
  return main === undefined || main.file === '' ? '' : `${main.file}-key`;
}

/** The key of a database; undefined if its file is missing, cannot be read or has no key in it. */
export function readKey(db: Db): Buffer | undefined {
  const file = keyFileOf(db);
  if (file === '') return inMemory.get(db);
  try {
    // Reading a pipe would wait until someone writes to it.
    if (!statSync(file).isFile()) return undefined;
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
    return key.length === KEY_BYTES ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Makes the key of a database. Throws what the system says if it cannot be written. */
export function createKeyFile(db: Db): Buffer {
  const file = keyFileOf(db);
  const key = randomBytes(KEY_BYTES);
  if (file === '') inMemory.set(db, key);
  else writeKey(file, key);
  return key;
}

/** A file with anything else in it is kept under another name: it may be the key of an old copy. */
function writeKey(file: string, key: Buffer): void {
  const unfinished = `${file}.unfinished`;
  ensurePrivateFile(unfinished);
  writeFileSync(unfinished, `${key.toString('hex')}\n`, { flush: true });
  if (existsSync(file)) renameSync(file, `${file}-old`);
  renameSync(unfinished, file);
}
