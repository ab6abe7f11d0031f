/**
 * The key of what nobody can read who has the database or a backup alone: in a file beside it,
 * which only its owner can read. A database in memory has one in memory.
 */

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { Failure } from '../core/failures.ts';
import type { Db } from './driver.ts';
import { ensurePrivateFile } from './private-files.ts';
import { codeOf } from './sqlite-errors.ts';

const KEY_BYTES = 32;
const inMemory = new WeakMap<Db, Buffer>();

/** The file of the key: `FILE-key`; empty for a database in memory. */
export function keyFileOf(db: Db): string {
  const [main] = db.pragma('database_list') as { file: string }[];
  return main === undefined || main.file === '' ? '' : `${main.file}-key`;
}

/**
 * The key of a database. Without one, makes it if it is needed, and otherwise returns undefined, as
 * for a file that has no key in it or cannot be read: throws `unavailable` if that is needed, and
 * what the system says if one cannot be written.
 */
export function readOrCreateKey(db: Db, isNeeded: boolean): Buffer | undefined {
  const file = keyFileOf(db);
  const known = file === '' ? inMemory.get(db) : readKey(file, isNeeded);
  if (known !== undefined || !isNeeded) return known;
  const key = randomBytes(KEY_BYTES);
  if (file === '') inMemory.set(db, key);
  else writeKey(file, key);
  return key;
}

function readKey(file: string, isNeeded: boolean): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const key = Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
    return key.length === KEY_BYTES ? key : undefined;
  } catch (error) {
    // It may be the key of others, as when another user copied it here: none takes its place.
    if (isNeeded) throw new Failure('unavailable', `${file} cannot be read (${codeOf(error)}).`);
    return undefined;
  }
}

/** A file with anything else in it is kept under another name: it may be the key of an old copy. */
function writeKey(file: string, key: Buffer): void {
  const unfinished = `${file}.unfinished`;
  ensurePrivateFile(unfinished);
  writeFileSync(unfinished, `${key.toString('hex')}\n`, { flush: true });
  if (existsSync(file)) renameSync(file, `${file}-old`);
  renameSync(unfinished, file);
}
