/**
 * Says what a file is before it is opened as a database: refuses one that is missing, belongs to
 * another program, is truncated, or was written by a newer budgetd.
 */

import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { Failure } from '../core/failures.ts';
import { removeUnfinished } from './copies.ts';
import { loadDriver, withDatabase } from './driver.ts';
import { SCHEMA_VERSION } from './migrations.ts';
import { codeOf, isDamage, storageFailure } from './sqlite-errors.ts';

/** `bdgd`: identifies a budgetd database among other SQLite files. */
export const APPLICATION_ID = 0x62646764;
/** `BDGD`: the databases from before the first release. */
const UNRELEASED_ID = 0x42444744;

/**
 * Verifies that a file is a whole database of this budgetd or an older one. Changes nothing, unless
 * a process was killed while it created the file. Throws `invalid_input`.
 */
export function verifyFile(file: string): void {
  rollBackJournal(file, 0);
  if (look(file) === undefined) throw refusal(`The file ${file} does not exist.`, 'backup');
  refuseForeign(file, { remedy: 'backup' });
  refuseNewer(file, readVersion(file, 0), SCHEMA_VERSION);
}

/**
 * Whether there is a database to open. Refuses a file that is missing, or empty, unless it is to be
 * created in a folder that exists; one of another program; and one of a newer version.
 */
export function hasDatabase(
  file: string,
  plan: { readonly create: boolean; readonly busyTimeoutMs: number; readonly supported: number },
): boolean {
  rollBackJournal(file, plan.busyTimeoutMs);
  const found = look(file);
  const isThere = found !== undefined && !(found.isFile() && found.size === 0);
  if (isThere) refuseForeign(file, { supported: plan.supported });
  else refuseMissing(file, plan.create);
  return isThere;
}

/** Whether a file is a whole database that no upgrade would change. Changes nothing. */
export function isCurrent(file: string): boolean {
  try {
    refuseForeign(file, {});
    return readHeader(file).readUInt32BE(60) === SCHEMA_VERSION;
  } catch {
    return false;
  }
}

function refuseMissing(file: string, create: boolean): void {
  if (!create) {
    const problem = look(file) ? 'is empty' : 'does not exist';
    throw refusal(`The database ${file} ${problem}.`, 'init');
  }
  const folder = dirname(file);
  if (look(folder)) return;
  const message = `Cannot create the database ${file}: the folder ${folder} does not exist.`;
  throw new Failure('invalid_input', `${message} Create the folder first.`);
}

/** What is at a path; undefined if nothing is. Refuses what this user may not look at. */
function look(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const refused = notAllowed(path, error);
    if (refused !== undefined) throw refused;
    return undefined;
  }
}

function notAllowed(path: string, error: unknown): Failure | undefined {
  if (!/^E(?:ACCES|PERM)$/.test(codeOf(error))) return undefined;
  const message = `This user may not open ${path}. Run the command as its owner, or as root.`;
  return new Failure('invalid_input', message);
}

/**
 * The schema version, including an upgrade that is still in the WAL because a newer budgetd was
 * killed. Read through a read-only connection.
 */
export function readVersion(file: string, busyTimeoutMs: number): number {
  if (!existsSync(`${file}-wal`)) return readHeader(file).readUInt32BE(60);
  return withDatabase(file, { readonly: true, timeout: busyTimeoutMs }, (db) => {
    return Number(db.pragma('user_version', { simple: true }));
  });
}

/** Refuses a file whose schema is newer than the one supported. */
export function refuseNewer(file: string, version: number, supported: number): void {
  if (version <= supported) return;
  throw new Failure(
    'invalid_input',
    `${file} was written by a newer budgetd (schema ${version}); this one supports schema ` +
      `${supported}. Install the newer budgetd.`,
  );
}

/**
 * Has SQLite undo what a process was writing when it was killed while it created or upgraded the
 * database: until then the file looks truncated. Another program's file is not opened.
 */
function rollBackJournal(file: string, busyTimeoutMs: number): void {
  if (!existsSync(`${file}-journal`) || !existsSync(file)) return;
  const header = readHeader(file);
  if (header.readUInt32BE(68) !== APPLICATION_ID && header.some((byte) => byte !== 0)) return;
  const Driver = loadDriver();
  const db = new Driver(file, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    db.pragma('user_version', { simple: true });
  } catch (error) {
    throw openFailure(file, error);
  } finally {
    db.close();
  }
}

/** Reads the header without SQLite, so that another program's file is never opened. */
function refuseForeign(
  file: string,
  {
    remedy = 'init',
    supported = SCHEMA_VERSION,
  }: { remedy?: keyof typeof REMEDIES; supported?: number },
): void {
  // By another name SQLite would keep another -wal, and both would overwrite each other's pages.
  if (hasSecondName(file)) {
    const message = `The database ${file} has a second name (a hard link), and could lose data.`;
    throw new Failure('invalid_input', `${message} Remove one of the two names.`);
  }
  const header = readHeader(file, remedy);
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') {
    throw refusal(`The file ${file} is not a database.`, remedy);
  }
  const id = header.readUInt32BE(68);
  if (id === UNRELEASED_ID) {
    const message = `${file} was written by a budgetd older than the first release.`;
    const advice = 'Export it with that budgetd, then import the files into a new database';
    throw new Failure('invalid_input', `${message} ${advice} (docs/operating.md, Upgrade).`);
  }
  if (id !== APPLICATION_ID) {
    throw refusal(`The database ${file} belongs to another program.`, remedy);
  }
  refuseNewer(file, header.readUInt32BE(60), supported);
  const pageSize = header.readUInt16BE(16) === 1 ? 65536 : header.readUInt16BE(16);
  if (!existsSync(`${file}-wal`) && statSync(file).size < pageSize * header.readUInt32BE(28)) {
    throw refusal(`The file ${file} is truncated.`, remedy === 'init' ? 'restore-backup' : remedy);
  }
}

/** A backup that was killed while it named its copy leaves two names, and one is of no use. */
function hasSecondName(file: string): boolean {
  const isShared = () => {
    const found = statSync(file);
    return found.isFile() && found.nlink > 1;
  };
  if (isShared()) removeUnfinished(dirname(file), (name) => name === basename(file));
  return isShared();
}

function readHeader(file: string, remedy: keyof typeof REMEDIES = 'init'): Buffer {
  const header = Buffer.alloc(100);
  const notFile = refusal(`Cannot read the database ${file}: it is a folder or a pipe.`, remedy);
  try {
    // Opening a pipe would wait until someone writes to it.
    if (!statSync(file).isFile()) throw notFile;
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, header, 0, header.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw notAllowed(file, error) ?? error;
  }
  return header;
}

const REMEDIES = {
  backup: 'Pass a file that `budgetd backup` wrote.',
  init: 'Pass another file with --db, or create one with `budgetd init`.',
  'restore-backup': 'Restore a backup with `budgetd restore-backup FILE`.',
} as const;

function refusal(problem: string, remedy: keyof typeof REMEDIES): Failure {
  return new Failure('invalid_input', `${problem} ${REMEDIES[remedy]}`);
}

/** Refuses a file that this user may only read: SQLite opens it, and every write would fail. */
export function refuseReadOnly(file: string): void {
  try {
    accessSync(file, constants.W_OK);
  } catch (error) {
    throw openFailure(file, error);
  }
}

/** The refusal that an error of opening a file becomes; any other error as it is. */
export function openFailure(file: string, error: unknown): unknown {
  if (isDamage(error)) return refusal(`The database ${file} is damaged.`, 'restore-backup');
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM|AUTH)|EACCES|ENOTDIR|EPERM|EROFS)/.test(codeOf(error))) {
    const message = `Cannot open the database ${file} for writing.`;
    const advice = 'Give this user write permission on the file and its folder.';
    return new Failure('invalid_input', `${message} ${advice}`);
  }
  return storageFailure(error) ?? error;
}
