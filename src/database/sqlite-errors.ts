/** What the errors of SQLite mean. */

import { Failure } from '../core/failures.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../core/limits.ts';

/** The code of an error of SQLite or the system, such as `ENOENT`; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Maps an SQLite error to a Failure: a full disk to `storage_full`, a lock held by another process
 * and a file that can only be read to `unavailable` (contract 3). Undefined for anything else,
 * which is a bug or a broken disk.
 */
export function storageFailure(error: unknown): Failure | undefined {
  const code = codeOf(error);
  if (/^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE|TRUNCATE|FSYNC))$/.test(code)) {
    return new Failure('storage_full', 'The disk is full. Free some space; reading still works.');
  }
  const headers = { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) };
  if (isBusy(error)) {
    const message = 'Another process is writing to the database. Try again.';
    return new Failure('unavailable', message, { headers });
  }
  if (code.startsWith('SQLITE_READONLY')) {
    const message = 'The database file can only be read. Give this user write permission on it.';
    return new Failure('unavailable', message, { headers });
  }
  return undefined;
}

/** Whether another process has what SQLite needs. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error));
}

/** The refusal that an error is, or that it means; undefined for a bug or a broken disk. */
export function failureOf(error: unknown): Failure | undefined {
  return error instanceof Failure ? error : storageFailure(error);
}

/**
 * Whether a file lacks a table, a column or an index that budgetd made, because someone removed it,
 * or has one that an upgrade is to make.
 */
export function isForeign(error: unknown): error is Error {
  return isPlain(error, /^no such (?:table|column|index)|^duplicate column name|already exists$/);
}

export function isDamage(error: unknown): error is Error {
  const isUnread = isPlain(error, /^(?:SQL logic error|unsupported file format)$/);
  return isUnread || /^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error));
}

/** Whether it is an error without a code of its own that says this. */
function isPlain(error: unknown, said: RegExp): error is Error {
  const hasNoCode = error instanceof Error && codeOf(error) === 'SQLITE_ERROR';
  return hasNoCode && said.test(error.message);
}
