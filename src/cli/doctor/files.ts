/** Looks at the files of the database and at who has them open. Changes nothing. */

import { readdirSync, readlinkSync, realpathSync, statfsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quote } from '../listing.ts';
import { type Finding, finding } from './finding.ts';

/** Below this, the next pushes may fail. */
const FULL_BYTES = 100e6;
/** Below this, or less than two copies of the database, it is time to make room. */
const LOW_BYTES = 1e9;
/** SQLite shrinks the file to 64 MiB whenever nobody reads from it. */
const LARGE_WAL_BYTES = 256 * 1024 * 1024;

/** Looks at an existing database before it is opened: opening restricts its files. */
export function examineFiles(database: string, folders: readonly string[]): Finding[] {
  const file = realpathSync.native(database);
  return [
    ...findServices(`${file}-lock`),
    ...findDisk(file),
    ...['', '-wal', '-shm', '-lock'].flatMap((end) => findReadable(file + end)),
    ...listKeyFiles([dirname(file), ...folders]).flatMap(findReadable),
    ...findLargeWal(file),
  ];
}

/** What others than its owner may do with a file does not exist on Windows. */
function findReadable(file: string): Finding[] {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32' || (found.mode & 0o077) === 0) return [];
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  const message = `Other users of this machine may open ${file} (mode ${mode}).`;
  return [finding('readable_by_others', message, `chmod 600 ${quote(file)}`)];
}

/** The files that `keys create --out` may have written. */
function listKeyFiles(folders: readonly string[]): string[] {
  return [...new Set(folders)].flatMap((folder) => {
    const names = readdirSync(folder).filter((name) => name.endsWith('.key'));
    return names.map((name) => join(folder, name));
  });
}

function findLargeWal(file: string): Finding[] {
  const bytes = sizeOf(`${file}-wal`);
  if (bytes <= LARGE_WAL_BYTES) return [];
  const message = `${file}-wal has ${megabytes(bytes)}: some program has been reading for long.`;
  const fix = `End the program that has the database open: fuser -v ${quote(file)}`;
  return [finding('wal_large', message, fix)];
}

function findDisk(file: string): Finding[] {
  const { bavail, bsize } = statfsSync(file);
  const free = bavail * bsize;
  const needed = Math.max(LOW_BYTES, 2 * (sizeOf(file) + sizeOf(`${file}-wal`)));
  if (free >= needed) return [];
  const message = `The disk of ${file} has ${megabytes(free)} free.`;
  const fix = `Free some space: df -h ${quote(dirname(file))}`;
  return [finding(free < FULL_BYTES ? 'disk_full' : 'disk_low', message, fix)];
}

/** A lock prevents a second service, unless somebody removes its file while one runs. */
function findServices(lock: string): Finding[] {
  const holders = listProcesses().filter((id) => hasOpen(id, lock));
  if (holders.length < 2) return [];
  const shown = holders.join(' and ');
  const message = `Several services run on this database, the processes ${shown}.`;
  return [finding('two_services', message, `End all but one: kill ${holders.slice(1).join(' ')}`)];
}

/** The running processes; none where there is no /proc. */
function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function hasOpen(processId: string, file: string): boolean {
  const folder = `/proc/${processId}/fd`;
  try {
    return readdirSync(folder).some((name) => {
      const target = readlinkSync(join(folder, name));
      return target === file || target === `${file} (deleted)`;
    });
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e6)} MB`;
}
