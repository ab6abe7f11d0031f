/**
 * Upgrades an older database to the current schema when it is opened: first a checked copy beside
 * it, then all missing steps in one SQLite transaction, so a killed upgrade has changed nothing.
 */

import { realpathSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { megabytes } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import {
  findTaken,
  freeBytesAt,
  nameCopy,
  readDatabase,
  removeUnfinished,
  writeCopy,
} from './copies.ts';
import { type Db, withDatabase } from './driver.ts';
import { listHolders } from './holders.ts';
import { takeLock } from './lock.ts';
import { MIGRATIONS, type Migration, versionAfter } from './migrations.ts';
import { failureOf, isBusy, isDamage } from './sqlite-errors.ts';

/** What is upgraded, and who hears of it. */
export interface UpgradePlan {
  /** A file, or `:memory:`. */
  readonly file: string;
  /** The steps of this budgetd, or of a test. */
  readonly migrations?: readonly Migration[] | undefined;
  /** Whether the file is open for this process alone, which works even on a full disk. */
  readonly unshared?: boolean | undefined;
  /** Hears of an upgrade, a sentence at a time. */
  readonly onUpgrade?: ((message: string) => void) | undefined;
}

/**
 * How many times the size of the file an upgrade needs: the copy and the changed pages in the
 * `-wal`, each at most as large as the file, and what the file grows by.
 */
const ROOM = 3;

/**
 * Upgrades a database if it is older. Throws `conflict` while a service runs on it, `storage_full`
 * without room for the copy, and `invalid_input` when it is damaged: then nothing is changed.
 */
export function upgrade(
  db: Db,
  { file, migrations = MIGRATIONS, unshared, onUpgrade = () => {} }: UpgradePlan,
  atomically: (work: () => void) => void,
): void {
  const target = versionAfter(migrations);
  if (versionOf(db) === target) return;
  const real = realpathSync.native(file);
  for (const path of removeUnfinishedOf(file)) {
    onUpgrade(`Removed ${path}, left by an upgrade or a backup that was killed.`);
  }
  refuseLackOfRoom(real, unshared === true);
  const unlock = takeLock(`${real}-lock`);
  if (unlock === undefined) throw served(file);
  try {
    atomically(() => {
      // Another process may have just upgraded the file. From here on no other can write to it.
      const version = versionOf(db);
      if (version === target) return;
      refuseDamage(db, file);
      onUpgrade(`Upgrading ${file} from schema ${version} to ${target}.`);
      onUpgrade(`A copy of the old one stays in ${keepCopy(real, version)}.`);
      for (const [at, step] of migrations.entries()) {
        if (at < version - 1) continue;
        if (typeof step === 'string') db.exec(step);
        else step(db, (done) => onUpgrade(`Upgrading: ${done}.`));
        logStep(db, at + 1);
      }
      db.pragma(`user_version = ${target}`);
    });
    // The WAL is as large as what was changed.
    db.pragma('wal_checkpoint(truncate)');
    onUpgrade(`Upgraded ${file}.`);
  } catch (error) {
    throw fullDisk(error, real) ?? error;
  } finally {
    unlock();
  }
}

/** The refusal of an upgrade for which the disk had too little room; undefined for other errors. */
function fullDisk(error: unknown, file: string): Failure | undefined {
  if (failureOf(error)?.code !== 'storage_full') return undefined;
  const message = `The disk became full during the upgrade of ${file}, which has changed nothing.`;
  return new Failure('storage_full', `${message} Free some space, then try again.`);
}

/**
 * Throws `conflict` while another process has an older file open: it would write to the new tables
 * as to the old ones. The first versions of budgetd take no lock.
 */
export function refuseOthers(file: string, waitMs: number): void {
  const unlock = takeLock(`${realpathSync.native(file)}-lock`);
  if (unlock === undefined) throw served(file);
  try {
    for (const endMs = performance.now() + waitMs; !isAlone(file); ) {
      if (hasReplicator(file)) return;
      if (performance.now() > endMs) throw held(file);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
    }
  } finally {
    unlock();
  }
}

const POLL_MS = 50;

/** Whether no other process has a file open: only then does SQLite open it alone. */
function isAlone(file: string): boolean {
  try {
    withDatabase(file, { timeout: 0 }, (db) => {
      db.pragma('locking_mode = exclusive');
      versionOf(db);
    });
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}

/** Whether a replicator copies the file, such as Litestream: it has it open and writes no rows. */
function hasReplicator(file: string): boolean {
  const text = `select 1 from sqlite_schema where name like '~_litestream~_%' escape '~'`;
  return readDatabase(file, (db) => db.prepare(text).get()) !== undefined;
}

function served(file: string): Failure {
  const message = `${file} needs an upgrade, and another process is serving or upgrading it.`;
  return new Failure('conflict', `${message} Stop the older service, then try again.`);
}

function held(file: string): Failure {
  const holders = listHolders(realpathSync.native(file));
  const others = holders.filter((id) => id !== String(process.pid));
  const shown = others.length === 0 ? '' : ` (process ${others.join(', ')})`;
  const message = `${file} needs an upgrade, and another program has it open${shown}.`;
  return new Failure('conflict', `${message} End it, then try again.`);
}

/** Removes what a killed upgrade or `restore-backup` left beside a database; returns the paths. */
export function removeUnfinishedOf(file: string): string[] {
  const real = realpathSync.native(file);
  const own = basename(real);
  return removeUnfinished(dirname(real), (name) => {
    return name === own || name.startsWith(`${own}.before-upgrade-`);
  });
}

/** Logs a step that began at version `from`, with a stamp of its own in each organisation. */
function logStep(db: Db, from: number): void {
  db.exec(`
    update organisations
       set last_write_at = max(last_write_at + 1, cast(unixepoch('subsec') * 1000 as integer));
    insert into audit_log (organisation_id, at, actor, action, details)
      select id, last_write_at, 'budgetd', 'database.upgraded',
             json_object('from', ${from}, 'to', ${from + 1}, 'changes', json_array())
        from organisations;`);
}

function versionOf(db: Db): number {
  return Number(db.pragma('user_version', { simple: true }));
}

function refuseLackOfRoom(file: string, unshared: boolean): void {
  const needed = ROOM * statSync(file).size;
  const free = freeBytesAt(dirname(file)) ?? Number.POSITIVE_INFINITY;
  // Unshared is how a file is opened when there is no room left.
  if (free >= needed && !unshared) return;
  throw new Failure(
    'storage_full',
    `${file} was written by an older budgetd. Its upgrade needs ${megabytes(needed, Math.ceil)} ` +
      `of free space, and the disk has ${megabytes(free)}. Free some, or use the older budgetd.`,
  );
}

/** Copies the file before its upgrade. Returns the name of the copy. */
function keepCopy(file: string, version: number): string {
  for (let number = 1; ; number += 1) {
    const copy = `${file}.before-upgrade-${version}${number === 1 ? '' : `-${number}`}`;
    if (findTaken(copy) === undefined) {
      const verify = (written: Db) => refuseDamage(written, file);
      writeCopy({ database: file, file: copy, verify, place: nameCopy });
      return copy;
    }
    // An upgrade that was killed has already made this copy.
    if (isCopyOf(file, copy)) return copy;
  }
}

/** Whether the audit log, which has an entry for every write, ends in the same way in both. */
function isCopyOf(file: string, copy: string): boolean {
  const text = `select max(id) || ' ' || max(at) from audit_log`;
  const lastEntry = (db: Db) => db.prepare<[], string | null>(text).pluck().get();
  try {
    return readDatabase(copy, lastEntry) === readDatabase(file, lastEntry);
  } catch {
    return false;
  }
}

/** Only what SQLite checks: the rules of `budgetd check` are about the current schema. */
function refuseDamage(db: Db, file: string): void {
  if (isIntact(db)) return;
  const message = `${file} is damaged, so it was not upgraded.`;
  const advice = 'Restore a backup with `budgetd restore-backup FILE`.';
  throw new Failure('invalid_input', `${message} ${advice}`);
}

function isIntact(db: Db): boolean {
  try {
    return db.pragma('integrity_check(1)', { simple: true }) === 'ok';
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}
