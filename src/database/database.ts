/**
 * Opens a database file: creates or verifies it, then sets and reads back every pragma. Every write
 * of the service is one `atomically`.
 */

import { existsSync, realpathSync } from 'node:fs';
import { Failure } from '../core/failures.ts';
import { type Db, type Driver, type DriverTransaction, loadDriver } from './driver.ts';
import {
  APPLICATION_ID,
  hasDatabase,
  openFailure,
  readVersion,
  refuseNewer,
} from './file-checks.ts';
import { isLocked } from './lock.ts';
import { MIGRATIONS, readSchemaFile, SCHEMA_VERSION, versionAfter } from './migrations.ts';
import { ensurePrivateFile, makePrivate } from './private-files.ts';
import { statement } from './statements.ts';
import { refuseOthers, type UpgradePlan, upgrade } from './upgrade.ts';

export type { Db };

/** Something with an open database. */
export interface Source {
  /** Refuses with `conflict` once the service is closed. */
  readonly db: Db;
}

interface OpenOptions extends UpgradePlan {
  /** Whether to create a missing file. */
  readonly create: boolean;
  /** How long a statement waits for another process, and blocks the event loop. */
  readonly busyTimeoutMs: number;
}

/**
 * Set on every open and read back. `synchronous = 2` is FULL: a reopened WAL file defaults to
 * NORMAL, which can lose acknowledged batches on a power cut.
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
 * Opens a database after verifying that budgetd created it, that it is not truncated, and that its
 * version is supported. Otherwise throws `invalid_input` and changes nothing.
 */
export function openDatabase(options: OpenOptions): Db {
  const { file, migrations = MIGRATIONS } = options;
  const supported = versionAfter(migrations);
  const inMemory = file === ':memory:';
  const missing = inMemory || !hasDatabase(file, { ...options, supported });
  const Driver = loadDriver();
  let db: Db | undefined;
  try {
    if (!inMemory) keepPrivate(file);
    if (!missing && !options.unshared) {
      const version = readVersion(file, options.busyTimeoutMs);
      refuseNewer(file, version, supported);
      const refuse = version < supported ? refuseOthers : refuseUnshared;
      refuse(file, options.busyTimeoutMs);
    }
    const timeout = options.busyTimeoutMs;
    if (inMemory) db = new Driver(emptyDatabase(Driver), { timeout });
    else db = new Driver(file, { fileMustExist: !missing, timeout });
    // Before the first access, or SQLite still creates the WAL index file.
    if (options.unshared) {
      db.pragma('locking_mode = exclusive');
      const version = Number(db.pragma('user_version', { simple: true }));
      if (!missing) refuseNewer(file, version, supported);
    }
    // Before WAL mode, so that the main file's header identifies it from the start.
    if (missing && !inMemory) createSchema(db);
    if (!missing) upgradeSchema(db, options);
    configure(db, inMemory);
    return db;
  } catch (error) {
    db?.close();
    throw openFailure(file, error);
  }
}

/**
 * Refuses the file of a running service without its -wal or -shm: this process would make them
 * again, and both would write over each other's pages.
 */
function refuseUnshared(file: string, waitMs: number): void {
  const real = realpathSync.native(file);
  for (const endMs = performance.now() + waitMs; ; ) {
    const lost = ['-wal', '-shm'].find((end) => !existsSync(real + end));
    // A service that stops removes them before its lock.
    if (lost === undefined || !isLocked(`${real}-lock`)) return;
    if (performance.now() > endMs) {
      const message = `A service runs on ${file} without ${file}${lost}: someone removed it, or`;
      throw new Failure('conflict', `${message} the disk is full. Restart the service.`);
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

const POLL_MS = 50;

/** SQLite copies the database's mode to -wal and -shm; older versions of budgetd left it wider. */
function keepPrivate(file: string): void {
  ensurePrivateFile(file);
  for (const beside of [`${file}-wal`, `${file}-shm`]) makePrivate(beside);
}

/**
 * Shares a database that was opened for this process alone with others. Can be repeated: throws
 * what SQLite throws while there is no room for the files that processes share.
 */
export function shareDatabase(db: Db): void {
  // SQLite needs to leave WAL mode before another process may join.
  for (const mode of ['journal_mode = delete', 'locking_mode = normal']) db.pragma(mode);
  configure(db, false);
}

/** What belongs to an open database besides. */
interface Connection {
  readonly transaction: DriverTransaction<[work: () => unknown], unknown>;
  /** The beginnings and ends of writes that can change keys. */
  keyWrites: number;
  isWriting: boolean;
  guard?: (usesReserve: boolean) => void;
  afterWrite?: (() => void) | undefined;
}

const connections = new WeakMap<Db, Connection>();

function connectionOf(db: Db): Connection {
  let connection = connections.get(db);
  if (connection === undefined) {
    const transaction = db.transaction((work: () => unknown) => work());
    connection = { transaction, keyWrites: 0, isWriting: false };
    connections.set(db, connection);
  }
  return connection;
}

/**
 * Runs `work` as one write: either all of it is stored durably, or nothing (contract 6). One that
 * changes neither an organisation nor what a key allows can say so, and keys stay remembered. One
 * of a few bytes that people need on a full disk, such as signing in, can use the disk's reserve.
 */
export function atomically<Result>(
  { db }: Source,
  work: () => Result,
  {
    changesKeys = true,
    usesReserve = false,
  }: { readonly changesKeys?: boolean; readonly usesReserve?: boolean } = {},
): Result {
  const connection = connectionOf(db);
  const isInner = connection.isWriting;
  // A write inside of another one is a part of that.
  if (!isInner) connection.guard?.(usesReserve);
  if (changesKeys) connection.keyWrites += 1;
  connection.isWriting = true;
  let result: Result;
  try {
    result = connection.transaction.immediate(work) as Result;
  } finally {
    connection.isWriting = isInner;
    // Again, or what was read during a write that failed would still count as true.
    if (changesKeys) connection.keyWrites += 1;
  }
  if (!db.inTransaction) connection.afterWrite?.();
  return result;
}

/**
 * Calls `guard` before every write of this connection, with whether the write may use the disk's
 * reserve: what it throws refuses the write.
 */
export function guardWrites(db: Db, guard: (usesReserve: boolean) => void): void {
  connectionOf(db).guard = guard;
}

/** Calls back after every write of this connection that was stored. It must not throw. */
export function onWrite(db: Db, then: (() => void) | undefined): void {
  connectionOf(db).afterWrite = then;
}

/** Sets how many pages of WAL make a commit copy them into the file. */
export function setCheckpointPages(db: Db, pages: number = PRAGMAS.wal_autocheckpoint): void {
  if (db.open) db.pragma(`wal_autocheckpoint = ${pages}`);
}

/** Runs `work` without waiting for other processes: fails at once with `unavailable`. */
export function withoutWaiting<Result>(db: Db, work: () => Result): Result {
  const timeoutMs = db.pragma('busy_timeout', { simple: true });
  db.pragma('busy_timeout = 0');
  try {
    return work();
  } finally {
    db.pragma(`busy_timeout = ${timeoutMs}`);
  }
}

/** Runs several reads on one snapshot of the database, which ends when `work` returns or waits. */
export function consistently<Result>({ db }: Source, work: () => Result): Result {
  if (db.inTransaction) return work();
  let result: Result | undefined;
  // Does not return the result, because the driver refuses a promise.
  connectionOf(db).transaction.deferred(() => {
    result = work();
  });
  return result as Result;
}

/**
 * A text that differs after every commit that can change keys, whichever process made it: keys that
 * were read when it was the same are as they were. Read it before them. It costs a third of the
 * cheapest query.
 */
export function keyVersionOf(db: Db): string {
  // Counts the commits of all other connections.
  const others = selectDataVersion(db).pluck().get();
  return `${others} ${connectionOf(db).keyWrites}`;
}

const selectDataVersion = statement<[], number>`pragma data_version`;

/** Whether the database is open and can be read. */
export function isAnswering(db: Db): boolean {
  try {
    return db.open && db.pragma('application_id', { simple: true }) === APPLICATION_ID;
  } catch {
    return false;
  }
}

function configure(db: Db, inMemory: boolean): void {
  for (const [name, wanted] of Object.entries(PRAGMAS)) {
    db.pragma(`${name} = ${wanted}`);
    const found = db.pragma(name, { simple: true });
    if (found !== wanted && !(inMemory && name === 'journal_mode')) {
      const message = `SQLite set ${name} to ${found} instead of ${wanted}.`;
      throw new Failure('internal_error', `${message} Keep the database on a local disk.`);
    }
  }
  // Opens the WAL: until then the next process that closes the database would delete its files.
  db.pragma('user_version', { simple: true });
}

let empty: Uint8Array | undefined;

/** A database with only the schema. Copying it takes a fifth of the time of creating it. */
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
  atomically({ db }, () => {
    // Another process may have just created the schema.
    if (db.pragma('user_version', { simple: true }) === SCHEMA_VERSION) return;
    db.exec(readSchemaFile());
    db.pragma(`application_id = ${APPLICATION_ID}`);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
  });
}

function upgradeSchema(db: Db, options: OpenOptions): void {
  upgrade(db, options, (work) => atomically({ db }, work));
}
