/** The files of an inbox: which ones have settled, their order, and where they are moved. */

import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../core/failures.ts';
import { takeLock } from '../../database/lock.ts';
import { isTaken } from '../../database/private-files.ts';
import { findForm } from './row-files.ts';

/** Folders for files whose rows were all accepted, and for files with rejected rows. */
const DONE = 'done';
const REJECTED = 'rejected';

/** A settled file. */
export interface InboxFile {
  readonly name: string;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

interface InboxList {
  /** Oldest first. */
  readonly settled: readonly InboxFile[];
  /** Files that are not pushed, and why; without hidden and temporary files. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

/**
 * Looks twice: a file has settled if its size and time are the same after the wait. `onWait` is
 * told before it for how many files.
 */
export async function findSettled(
  folder: string,
  settleMs: number,
  signal: AbortSignal,
  onWait: (files: number) => void,
): Promise<InboxList> {
  const before = new Map(listFiles(folder).settled.map((file) => [file.name, file]));
  if (before.size > 0 && settleMs > 0) onWait(before.size);
  if (before.size > 0) await sleep(settleMs, undefined, { signal });
  const { settled: found, left } = listFiles(folder);
  const isSettled = (file: InboxFile) => {
    const first = before.get(file.name);
    return first !== undefined && isSame(file, first);
  };
  const unsettled = found.filter((file) => !isSettled(file));
  const settled = found.filter(isSettled).sort((one, other) => {
    if (one.mtimeNs !== other.mtimeNs) return one.mtimeNs < other.mtimeNs ? -1 : 1;
    return one.name < other.name ? -1 : 1;
  });
  return { settled, left: [...left, ...unsettled.map(({ name }) => ({ name, why: UNSETTLED }))] };
}

const LOCK = '.budgetd-lock';

/**
 * Locks an inbox against other runs and prepares it. `partPath` is the file of rejected rows while
 * it is written, which a killed run may leave incomplete. Throws Failure if another run works on
 * it, and for unusable folders, before anything is pushed.
 */
export function openInbox(folder: string): { partPath: string; unlock: () => void } {
  refuseLink(join(folder, LOCK));
  const unlock = takeLock(join(folder, LOCK));
  if (unlock === undefined) {
    const message = `Another push is running in ${folder}: this one did nothing.`;
    throw new Failure('conflict', message);
  }
  try {
    prepareFolders(folder);
    return { partPath: join(folder, REJECTED, `${PART_BEGIN}${PART_END}`), unlock };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Creates the folders that files are moved to, and removes incomplete files of killed runs. */
function prepareFolders(folder: string): void {
  for (const path of [DONE, REJECTED].map((name) => join(folder, name))) {
    refuseLink(path);
    mkdirSync(path, { recursive: true });
    accessSync(path, constants.W_OK);
    if (statSync(path).dev === statSync(folder).dev) continue;
    const message = `${path} is on another disk than the inbox, so files cannot be moved there.`;
    throw new Failure('invalid_input', message);
  }
  for (const name of readdirSync(join(folder, REJECTED))) {
    if (name.startsWith(PART_BEGIN) && name.endsWith(PART_END)) {
      rmSync(join(folder, REJECTED, name), { force: true });
    }
  }
}

/** Otherwise anyone who can write to the inbox could choose where its files are moved. */
function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  const message = `${path} is a symbolic link. Remove it: budgetd follows no links in an inbox.`;
  throw new Failure('invalid_input', message);
}

/**
 * Moves a file that was pushed, with the file of its rejected rows, if any. Returns where they are
 * now, relative to the inbox. If another file has taken the place of the one that was pushed, moves
 * nothing and returns undefined.
 */
export function putAway(folder: string, file: InboxFile, partPath?: string) {
  const source = join(folder, file.name);
  if (!isStill(source, file)) return undefined;
  const to = join(folder, partPath === undefined ? DONE : REJECTED);
  refuseLink(to);
  const own = extname(file.name);
  const beside = findForm(source) === 'csv' ? '.rejected.csv' : '.rejected.ndjson';
  const names = reserveNames(to, file.name, partPath === undefined ? [own] : [own, beside]);
  const [target = '', rejected = ''] = names.map((name) => join(to, name));
  try {
    // Rejected rows first: if the run is killed in between, the next one pushes the file again.
    if (partPath !== undefined) renameSync(partPath, rejected);
    renameSync(source, target);
  } catch (error) {
    for (const name of names) rmSync(join(to, name), { force: true });
    throw error;
  }
  const [movedTo = '', rejectedFile = null] = names.map((name) => `${basename(to)}/${name}`);
  if (isStill(target, file)) return { movedTo, rejectedFile };
  // Another file replaced it at the last moment, and that one was not pushed.
  renameSync(target, join(folder, ...reserveNames(folder, file.name, [own])));
  if (rejectedFile !== null) rmSync(rejected);
  return undefined;
}

const PART_BEGIN = '.budgetd';
const PART_END = '.part';

const UNSETTLED = 'skipped until the next run: it is still changing';
const UNKNOWN =
  'skipped: push reads only .csv, .tsv, .tab, statements, workbooks, .json, .ndjson and .jsonl';
const NO_FILE = 'skipped: it is a link or another special file';
const MISNAMED = 'skipped: its name is not UTF-8. Rename it';

/** Lists the files, without those that begin with `.` or `~`: programs still write them. */
function listFiles(folder: string): InboxList {
  const settled: InboxFile[] = [];
  const left: { name: string; why: string }[] = [];
  for (const name of readdirSync(folder).filter((each) => !/^[.~]/.test(each))) {
    const found = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    if (found === undefined) {
      // Node cannot open a name that is not valid; any other file was just removed.
      if (name.includes('\ufffd')) left.push({ name, why: MISNAMED });
    } else if (findForm(join(folder, name)) === undefined) {
      if (found.isFile()) left.push({ name, why: UNKNOWN });
    } else if (found.isFile()) {
      settled.push({ name, size: found.size, mtimeNs: found.mtimeNs });
    } else if (!found.isDirectory()) left.push({ name, why: NO_FILE });
  }
  return { settled, left };
}

function isStill(path: string, file: InboxFile): boolean {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found !== undefined && isSame(found, file);
}

/** Does not compare inodes: some file systems change them. */
function isSame(one: Omit<InboxFile, 'name'>, other: Omit<InboxFile, 'name'>): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs;
}

/**
 * Reserves names by creating empty files, which the moved files then replace: the stem of the file
 * with each ending, and with the time after the stem if a name is taken.
 */
function reserveNames(folder: string, name: string, endings: readonly string[]): string[] {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  for (let turn = 0; ; turn += 1) {
    const mark = turn === 0 ? '' : `.${time}${turn === 1 ? '' : `-${turn}`}`;
    const names = endings.map((ending) => basename(name, extname(name)) + mark + ending);
    const taken = names.findIndex((each) => !isCreated(join(folder, each)));
    if (taken < 0) return names;
    for (const each of names.slice(0, taken)) rmSync(join(folder, each));
  }
}

/** Whether the file could be created; false if the name is taken, even by a link. */
function isCreated(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}
