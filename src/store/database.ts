/**
 * Opening a database file: create or verify it, set every pragma and read it back. With
 * `statements.ts` the only place that knows the driver.
 */

import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from '../core/failures.ts';
import { UNAVAILABLE_RETRY_SECONDS } from '../core/limits.ts';
import { type Db, type Driver, loadDriver, type Transaction } from './driver.ts';
import { MIGRATIONS, SCHEMA_VERSION } from './migrations.ts';
import { ensurePrivateFile, makePrivate } from './private-files.ts';

export type { Db };

/** How to open a database. */
export interface OpenOptions {
  /** A file, or `:memory:`. */
  readonly file: string;
  /** Whether a missing file may be created. */
  readonly create: boolean;
  /** How long a statement waits for another process: it holds the event loop for as long. */
  readonly busyTimeoutMs: number;
  /** Whether to open the file for this process alone: then a full disk is no obstacle. */
  readonly unshared?: boolean | undefined;
}

/** `BDGD`: how a file of ours is told from any other SQLite file. */
const APPLICATION_ID = 0x42444744;
const SCHEMA_FILE = new URL('../../../schema.sql', import.meta.url);

/**
 * Set on every open and read back. `synchronous`: a reopened WAL file says NORMAL, which loses
 * acknowledged batches at a power cut; 2 is FULL.
 */
const PRAGMAS = {
  journal_mode: 'wal',
  synchronous: 2,
  foreign_keys: 1,
  trusted_schema: 0,
  cell_size_check: 1,
  temp_store: 2,
  wal_autocheckpoint: 4000,
  journal_size_limit: 64 * 1024 * 1024,
} as const;

/**
 * Opens a database and verifies that it is ours, whole as far as can be told at once, and of this
 * version. Refuses with `invalid_input` and a message that says what to do; changes nothing then.
 */
export function openDatabase(options: OpenOptions): Db {
  const { file } = options;
  const inMemory = file === ':memory:';
  const missing = inMemory || !existsSync(file) || statSync(file).size === 0;
  if (missing && !inMemory) refuseMissing(file, options.create);
  if (!missing) refuseForeign(file);
  const Driver = loadDriver();
  let db: Db | undefined;
  try {
    if (!inMemory) keepPrivate(file);
    if (!missing && !options.unshared) {
      refuseNewer(file, readVersion(file, options.busyTimeoutMs));
    }
    const timeout = options.busyTimeoutMs;
    if (inMemory) db = new Driver(emptyDatabase(Driver), { timeout });
    else db = new Driver(file, { fileMustExist: !missing, timeout });
    // Before the first access, or SQLite keeps its index of the WAL in a file all the same.
    if (options.unshared) {
      db.pragma('locking_mode = exclusive');
      if (!missing) refuseNewer(file, Number(db.pragma('user_version', { simple: true })));
    }
    // Before WAL, so that the main file's header says from the first moment whose file it is.
    if (missing && !inMemory) createSchema(db);
    if (!missing) upgradeSchema(db);
    configure(db, inMemory);
    return db;
  } catch (error) {
    db?.close();
    throw storageFailure(error) ?? openFailure(file, error);
  }
}

/** SQLite gives -wal and -shm the rights of the database; those of an older budgetd are wider. */
function keepPrivate(file: string): void {
  ensurePrivateFile(file);
  for (const beside of [`${file}-wal`, `${file}-shm`]) makePrivate(beside);
}

/** Runs `work` as one write: all of it is stored, durably, or none (contract 6). */
export function atomically<Result>(db: Db, work: () => Result): Result {
  return transactionOf(db).immediate(work) as Result;
}

/** Runs `work` with no wait for another process: it is refused at once, as `unavailable`. */
export function withoutWaiting<Result>(db: Db, work: () => Result): Result {
  const timeoutMs = db.pragma('busy_timeout', { simple: true });
  db.pragma('busy_timeout = 0');
  try {
    return work();
  } finally {
    db.pragma(`busy_timeout = ${timeoutMs}`);
  }
}

/** Runs several reads on one unchanging state of the database. */
export function consistently<Result>(db: Db, work: () => Result): Result {
  return transactionOf(db).deferred(work) as Result;
}

/**
 * What a refusal by SQLite means for a caller: no room is `storage_full`, somebody else's lock is
 * `unavailable` (contract 3); undefined for all else, which is a bug or a broken disk.
 */
export function storageFailure(error: unknown): Failure | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') {
    return undefined;
  }
  if (/^SQLITE_(FULL|IOERR_(WRITE|SHMSIZE|TRUNCATE|FSYNC))$/.test(error.code)) {
    return new Failure('storage_full', 'The disk is full: make room. Reading still works.');
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(error.code)) {
    const headers = { 'Retry-After': String(UNAVAILABLE_RETRY_SECONDS) };
    const message = 'Another process is writing to the database: try again.';
    return new Failure('unavailable', message, { headers });
  }
  return undefined;
}

/** Whether the database answers at all. */
export function isAnswering(db: Db): boolean {
  try {
    return db.open && db.pragma('application_id', { simple: true }) === APPLICATION_ID;
  } catch {
    return false;
  }
}

const transactions = new WeakMap<Db, Transaction<[work: () => unknown], unknown>>();

function transactionOf(db: Db): Transaction<[work: () => unknown], unknown> {
  let transaction = transactions.get(db);
  if (transaction === undefined) {
    transaction = db.transaction((work: () => unknown) => work());
    transactions.set(db, transaction);
  }
  return transaction;
}

function configure(db: Db, inMemory: boolean): void {
  for (const [name, wanted] of Object.entries(PRAGMAS)) {
    db.pragma(`${name} = ${wanted}`);
    const found = db.pragma(name, { simple: true });
    if (found !== wanted && !(inMemory && name === 'journal_mode')) {
      throw new Failure('internal_error', `SQLite set ${name} to ${found}, not ${wanted}.`);
    }
  }
}

let empty: Uint8Array | undefined;

/** A database with the schema and nothing else: copied in a fifth of the time of making it. */
function emptyDatabase(Driver: Driver): Uint8Array {
  if (empty === undefined) {
    const db = new Driver(':memory:');
    createSchema(db);
    empty = db.serialize();
    db.close();
  }
  return empty;
}

function createSchema(db: Db): void {
  atomically(db, () => {
    // Another process may have been first: then this is its database, verified like any other.
    if (db.pragma('user_version', { simple: true }) === SCHEMA_VERSION) return;
    db.exec(readFileSync(SCHEMA_FILE, 'utf8'));
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
}

/** Brings an older file to today's schema: every step that it lacks, or none of them. */
function upgradeSchema(db: Db): void {
  const lacking = () => MIGRATIONS.slice(Number(db.pragma('user_version', { simple: true })) - 1);
  if (lacking().length === 0) return;
  atomically(db, () => {
    // Asked again: another process may have been first.
    for (const step of lacking()) db.exec(step);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
}

function refuseMissing(file: string, create: boolean): void {
  if (!create) throw refusal(file, existsSync(file) ? 'is empty' : 'does not exist', 'init');
  const folder = dirname(file);
  if (existsSync(folder)) return;
  const message = `The database ${file} cannot be created: make the folder ${folder} first.`;
  throw new Failure('invalid_input', message);
}

/**
 * The schema's version as it is with what a WAL holds: a newer program that was killed leaves its
 * own there alone. Read by a connection that can change nothing.
 */
function readVersion(file: string, busyTimeoutMs: number): number {
  if (!existsSync(`${file}-wal`)) return SCHEMA_VERSION;
  const Driver = loadDriver();
  const db = new Driver(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  try {
    return Number(db.pragma('user_version', { simple: true }));
  } finally {
    db.close();
  }
}

function refuseNewer(file: string, version: number): void {
  if (version <= SCHEMA_VERSION) return;
  throw new Failure(
    'invalid_input',
    `${file} was written by a newer budgetd (schema ${version}); this one knows schema ` +
      `${SCHEMA_VERSION}. Install the newer budgetd.`,
  );
}

/** Reads the file's header by itself, so that a file that is not ours is never opened. */
function refuseForeign(file: string): void {
  const header = readHeader(file);
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw refusal(file, 'is not a database', 'init');
  }
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw refusal(file, "is another program's database", 'init');
  }
  refuseNewer(file, header.readUInt32BE(60));
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  if (!existsSync(`${file}-wal`) && statSync(file).size < pageSize * header.readUInt32BE(28)) {
    throw refusal(file, 'is cut short', 'restore-backup');
  }
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(100);
  try {
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, header, 0, header.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    throw refusal(file, 'cannot be read: it is a folder, or not yours to read', 'init');
  }
  return header;
}

const REMEDIES = {
  init: 'Name another with --db, or create one with `budgetd init`.',
  'restore-backup': 'Put a backup in its place.',
} as const;

function refusal(file: string, problem: string, remedy: keyof typeof REMEDIES): Failure {
  return new Failure('invalid_input', `The database ${file} ${problem}. ${REMEDIES[remedy]}`);
}

function openFailure(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return refusal(file, 'is damaged', 'restore-backup');
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|AUTH)|EACCES|ENOTDIR|EPERM|EROFS)/.test(code)) {
    const message = `The database ${file} cannot be opened for writing: check its folder's rights.`;
    return new Failure('invalid_input', message);
  }
  return error;
}
