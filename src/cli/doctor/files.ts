/** Looks at the files of the database and at who has them open. Changes nothing. */

import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  readdirSync,
  realpathSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { megabytes } from '../../core/counts.ts';
import { explainSystemCode } from '../../core/system.ts';
import { listUnfinished } from '../../database/copies.ts';
import { listHolders } from '../../database/holders.ts';
import { BackupFolder } from '../../upkeep/nightly.ts';
import { showDay } from '../instants.ts';
import { quoted } from '../quoted.ts';
import { type DoctorFinding, finding } from './finding.ts';

/** Below this, or less than two copies of the database, it is time to make room. */
const LOW_BYTES = 1e9;
/** SQLite shrinks the file to 64 MiB whenever nobody reads from it. */
const LARGE_WAL_BYTES = 256 * 1024 * 1024;
/** How `restore-backup` names what was there. */
const KEPT = '.before-restore';
const WEEK_MS = 7 * 24 * 60 * 60_000;

/** Where to look, by the settings of `serve`. */
interface Places {
  readonly database: string;
  /** Folders that may have key files, besides that of the database. */
  readonly folders: readonly string[];
  /** The folder of nightly backups; undefined if there are none. */
  readonly backups: string | undefined;
  readonly secrets: readonly string[];
  /** The settings file; undefined if there is none. */
  readonly settings: string | undefined;
  /** Below this many free bytes, nothing is written. */
  readonly minFreeDisk: number;
  /** The options that a fix needs, such as ` --db FILE`. */
  readonly options: string;
}

/** Looks at an existing database before it is opened: opening restricts its files. */
export function examineFiles(places: Places, nowMs: number): DoctorFinding[] {
  const { database, folders, backups, secrets, settings, minFreeDisk, options } = places;
  const file = realpathSync.native(database);
  const look = (path: string | undefined, work: (path: string) => DoctorFinding[]) => {
    return path === undefined ? [] : lookAt(path, work);
  };
  const findings = [
    ...findServices(`${file}-lock`),
    ...findDisk(file, minFreeDisk),
    ...look(backups, findUnmakable),
    ...look(backups, (folder) => findBackups(new BackupFolder(folder, database), nowMs, options)),
    ...['', '-wal', '-shm', '-lock', '-key', KEPT].flatMap((end) => findReadable(file + end)),
    ...[dirname(file), ...folders].flatMap((folder) => look(folder, findKeyFiles)),
    ...secrets.flatMap((secret) => look(secret, findSecret)),
    ...look(settings, findWritable),
    ...findKept(file + KEPT),
    ...findUnfinished(file),
    ...findLargeWal(file),
  ];
  const messages = findings.map(({ message }) => message);
  return findings.filter(({ message }, at) => messages.indexOf(message) === at);
}

/** What cannot be looked at is a finding too. */
function lookAt(path: string, work: (path: string) => DoctorFinding[]): DoctorFinding[] {
  try {
    return work(path);
  } catch (error) {
    const why = explainSystemCode(error);
    if (why === undefined) throw error;
    const fix = `Check the path: ls -ld ${quoted(firstThere(path))}`;
    return [finding('unreadable', `${path}: ${why}.`, fix)];
  }
}

/** A path if something is there, if only a link to nothing, or else the first folder above it. */
function firstThere(path: string): string {
  try {
    lstatSync(path);
    return path;
  } catch {
    return firstThere(dirname(path));
  }
}

/** Files that others than their owner may open. */
const findReadable = (file: string) => findOpen(file, 0o077, 'open');

/** The settings are nobody's secret, but decide what the service does. */
const findWritable = (file: string) => findOpen(file, 0o022, 'change');

/** What others than its owner may do with a file; Windows has no such modes. */
function findOpen(file: string, bits: number, verb: 'open' | 'change'): DoctorFinding[] {
  const { mode } = statSync(file, { throwIfNoEntry: false }) ?? { mode: 0 };
  if (process.platform === 'win32' || (mode & bits) === 0) return [];
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  const message = `Other users of this machine can ${verb} ${file} (mode ${shown}).`;
  return verb === 'open'
    ? [finding('readable_by_others', message, `chmod 600 ${quoted(file)}`)]
    : [finding('writable_by_others', message, `chmod go-w ${quoted(file)}`)];
}

/** Throws what the system says of a folder that the service cannot make or write to. */
function findUnmakable(folder: string): [] {
  const there = firstThere(folder);
  if (!statSync(there).isDirectory()) throw Object.assign(new Error(), { code: 'ENOTDIR' });
  accessSync(there, constants.W_OK);
  return [];
}

function findBackups(folder: BackupFolder, nowMs: number, options: string): DoctorFinding[] {
  const newest = folder.newest(nowMs);
  const readable = folder.list(nowMs).flatMap(({ file }) => findReadable(file));
  if (newest !== undefined && nowMs - newest.atMs < WEEK_MS) return readable;
  if (!existsSync(folder.folder)) {
    // The folder must belong to the user of the service, so the service creates it.
    const start =
      'start `budgetd serve` again: after five minutes, it creates the folder and makes a backup';
    const fix = `If its disk is not mounted, mount it. Then ${start}.`;
    return [finding('no_backup', `The folder ${folder.folder} is missing.`, fix)];
  }
  const last =
    newest === undefined ? 'has no backup' : `has no backup since ${showDay(newest.atMs)}`;
  const fix = `budgetd backup ${quoted(folder.fileFor(nowMs))}${options}`;
  return [finding('no_backup', `The folder ${folder.folder} ${last}.`, fix), ...readable];
}

/** What `restore-backup` kept: it is as large as the database, and the next one needs its name. */
function findKept(file: string): DoctorFinding[] {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return [];
  const since = `kept by restore-backup on ${showDay(found.ctimeMs)}`;
  const message = `${file} is still there, ${since}.`;
  const fix = `Look at the later changes, then delete the file: budgetd audit --db ${quoted(file)}`;
  return [finding('before_restore', message, fix)];
}

/** Findings about files that `keys create --out` may have written. */
function findKeyFiles(folder: string): DoctorFinding[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.key'));
  return names.flatMap((name) => findReadable(join(folder, name)));
}

/** A file with a secret, which a variable names. Throws what the system says if it is missing. */
function findSecret(file: string): DoctorFinding[] {
  statSync(file);
  return findReadable(file);
}

/** Copies that a process left when it was killed, which the next one removes. */
function findUnfinished(file: string): DoctorFinding[] {
  const left = listUnfinished(dirname(file), (name) => name.startsWith(basename(file)));
  return left.map((path) => {
    const message = `${path} is an unfinished copy: the process that wrote it was killed.`;
    return finding('unfinished_copy', message, `rm ${quoted(path)}`);
  });
}

function findLargeWal(file: string): DoctorFinding[] {
  const bytes = sizeOf(`${file}-wal`);
  if (bytes <= LARGE_WAL_BYTES) return [];
  const why = 'a program has been reading for a long time';
  const message = `${file}-wal has ${megabytes(bytes)}: ${why}.`;
  const fix = `End the program that has the database open: fuser -v ${quoted(file)}`;
  return [finding('wal_large', message, fix)];
}

function findDisk(file: string, minFreeDisk: number): DoctorFinding[] {
  const { bavail, bsize } = statfsSync(file);
  const free = bavail * bsize;
  const needed = Math.max(LOW_BYTES, minFreeDisk, 2 * (sizeOf(file) + sizeOf(`${file}-wal`)));
  if (free >= needed) return [];
  const message = `The disk of ${file} has ${megabytes(free)} free.`;
  const fix = `Free some space: df -h ${quoted(dirname(file))}`;
  return [finding(free < minFreeDisk ? 'disk_full' : 'disk_low', message, fix)];
}

/** A lock prevents a second service, unless someone removes its file while one runs. */
function findServices(lock: string): DoctorFinding[] {
  const holders = listHolders(lock);
  if (holders.length < 2) return [];
  const shown = holders.join(' and ');
  const message = `Several services run on this database: processes ${shown}.`;
  return [finding('two_services', message, `End all but one: kill ${holders.slice(1).join(' ')}`)];
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
