/** The files of an inbox: which of them have settled, in which order, and where they end. */

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
import { UsageError } from '../command.ts';
import { formOf } from './row-files.ts';

/** Where files go whose rows were all accepted, and those with rejected rows. */
export const DONE = 'done';
export const REJECTED = 'rejected';

/** A file as it was when it had settled. */
export interface InboxFile {
  readonly name: string;
  readonly size: bigint;
  readonly mtimeNs: bigint;
}

/** The files in an inbox. */
export interface InboxList {
  /** Oldest first. */
  readonly settled: readonly InboxFile[];
  /** Files that are not taken, and why; not those that are hidden or temporary. */
  readonly left: readonly { readonly name: string; readonly why: string }[];
}

/** Looks twice: a file of the same size and time after the wait has settled. */
export async function findSettled(
  folder: string,
  settleMs: number,
  signal: AbortSignal,
): Promise<InboxList> {
  const before = new Map(listFiles(folder).settled.map((file) => [file.name, file]));
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

/** The names under which a file went, from the inbox's folder. */
export interface Place {
  readonly movedTo: string;
  readonly rejectedFile: string | null;
}

/** The file of rejected rows while it is written: a run that is killed may leave half of it. */
export function partPathOf(folder: string): string {
  return join(folder, REJECTED, `${PART_BEGIN}${PART_END}`);
}

/**
 * Makes the folders that files are moved to, and removes what killed runs left half written: their
 * files are still in the inbox. Refuses folders of no use before anything is pushed.
 */
export function prepareFolders(folder: string): void {
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

/** Anyone who may write to the inbox could otherwise choose where its files end up. */
export function refuseLink(path: string): void {
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  const message = `${path} is a symbolic link. Remove it: budgetd follows no links in an inbox.`;
  throw new Failure('invalid_input', message);
}

/**
 * Moves a file that was pushed, with the file of its rejected rows where there is one. Undefined
 * when it is no longer the file that was pushed: then what is there stays.
 */
export function putAway(folder: string, file: InboxFile, partPath?: string): Place | undefined {
  const source = join(folder, file.name);
  if (!isStill(source, file)) return undefined;
  const to = join(folder, partPath === undefined ? DONE : REJECTED);
  refuseLink(to);
  const own = extname(file.name);
  const beside = formOf(file.name) === 'csv' ? '.rejected.csv' : '.rejected.ndjson';
  const names = reserveNames(to, file.name, partPath === undefined ? [own] : [own, beside]);
  const [target = '', rejected = ''] = names.map((name) => join(to, name));
  try {
    // The rejected rows first: killed in between, a run pushes the file again.
    if (partPath !== undefined) renameSync(partPath, rejected);
    renameSync(source, target);
  } catch (error) {
    for (const name of names) rmSync(join(to, name), { force: true });
    throw error;
  }
  const [movedTo = '', rejectedFile = null] = names.map((name) => `${basename(to)}/${name}`);
  if (isStill(target, file)) return { movedTo, rejectedFile };
  // Another file took its name at the last moment, and nobody has pushed that one.
  renameSync(target, join(folder, ...reserveNames(folder, file.name, [own])));
  if (rejectedFile !== null) rmSync(rejected);
  return undefined;
}

const PART_BEGIN = '.budgetd';
const PART_END = '.part';

const UNSETTLED = 'skipped until the next run: it is still changing';
const UNKNOWN = 'skipped: push reads only .csv, .tsv, .tab, .json, .ndjson and .jsonl';
const NO_FILE = 'skipped: it is a link or another special file';
const MISNAMED = 'skipped: its name is not UTF-8. Rename it';

/** What has a name to be seen: `.` and `~` begin those of programs at work. */
function listFiles(folder: string): {
  settled: InboxFile[];
  left: { name: string; why: string }[];
} {
  const settled: InboxFile[] = [];
  const left: { name: string; why: string }[] = [];
  for (const name of readdirSync(folder).filter((each) => !/^[.~]/.test(each))) {
    const found = lstatSync(join(folder, name), { bigint: true, throwIfNoEntry: false });
    if (found === undefined) {
      // What Node cannot spell it cannot open; all else was taken away just now.
      if (name.includes('\ufffd')) left.push({ name, why: MISNAMED });
    } else if (!isKnown(name)) {
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

/** Not by its inode: some file systems make up new ones. */
function isSame(one: Omit<InboxFile, 'name'>, other: Omit<InboxFile, 'name'>): boolean {
  return one.size === other.size && one.mtimeNs === other.mtimeNs;
}

function isKnown(name: string): boolean {
  try {
    return formOf(name) !== undefined;
  } catch (error) {
    if (error instanceof UsageError) return false;
    throw error;
  }
}

/**
 * Creates empty files for the names, to be replaced by those that are moved there: the file's own
 * stem with each ending, or with the time behind the stem where a name is taken.
 */
function reserveNames(folder: string, name: string, endings: readonly string[]): string[] {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  for (let turn = 0; ; turn += 1) {
    const mark = turn === 0 ? '' : `.${time}${turn === 1 ? '' : `-${turn}`}`;
    const names = endings.map((ending) => `${stemOf(name)}${mark}${ending}`);
    const taken = names.findIndex((each) => !isCreated(join(folder, each)));
    if (taken < 0) return names;
    for (const each of names.slice(0, taken)) rmSync(join(folder, each));
  }
}

/** Whether the file could be created; false where anything has the name, a link too. */
function isCreated(path: string): boolean {
  try {
    closeSync(openSync(path, 'wx'));
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function stemOf(name: string): string {
  return name.slice(0, name.length - extname(name).length);
}
