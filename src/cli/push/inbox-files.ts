/** The files of an inbox: which of them have settled, in which order, and where they end. */

import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** What an inbox holds. */
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

/** The file of rejected rows while it is written: what a killed run leaves of it is no result. */
export function partPathOf(folder: string, name: string): string {
  return join(folder, REJECTED, `${PART_BEGIN}${name}${PART_END}`);
}

/** Takes away what killed runs left half written. Their files are still in the inbox. */
export function removeParts(folder: string): void {
  for (const name of readdirSync(join(folder, REJECTED))) {
    if (name.startsWith(PART_BEGIN) && name.endsWith(PART_END)) {
      rmSync(join(folder, REJECTED, name), { force: true });
    }
  }
}

/**
 * Moves a file that was pushed, with the file of its rejected rows where there is one. Undefined
 * when it is no longer the file that was pushed: then what is there stays.
 */
export function putAway(folder: string, file: InboxFile, partPath?: string): Place | undefined {
  const to = partPath === undefined ? DONE : REJECTED;
  const ending = formOf(file.name) === 'csv' ? '.csv' : '.ndjson';
  const beside = partPath === undefined ? undefined : `.rejected${ending}`;
  const name = findFreeName(join(folder, to), file.name, beside);
  const rejectedFile = beside === undefined ? null : `${REJECTED}/${stemOf(name)}${beside}`;
  if (!isStill(join(folder, file.name), file)) return undefined;
  // The rejected rows first: killed in between, a run pushes the file again.
  if (partPath !== undefined) renameSync(partPath, join(folder, `${rejectedFile}`));
  const target = join(folder, to, name);
  renameSync(join(folder, file.name), target);
  if (isStill(target, file)) return { movedTo: `${to}/${name}`, rejectedFile };
  // Another file took its name at the last moment, and nobody has pushed that one.
  renameSync(target, join(folder, findFreeName(folder, file.name)));
  if (rejectedFile !== null) rmSync(join(folder, rejectedFile));
  return undefined;
}

const PART_BEGIN = '.budgetd-';
const PART_END = '.part';

const UNSETTLED = 'still being written: left for the next run';
const UNKNOWN = 'left alone: its ending is none that push reads';
const NO_FILE = 'left alone: it is a link or something else that is no file';
const MISNAMED = 'left alone: its name is not UTF-8. Rename it';

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
 * The name itself, or with the time in it, so that nothing there is written over; nor what has the
 * other ending, where one is given.
 */
function findFreeName(folder: string, name: string, beside?: string): string {
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const ending = extname(name);
  const isFree = (each: string) =>
    lstatSync(join(folder, each), { throwIfNoEntry: false }) === undefined;
  for (let turn = 0; ; turn += 1) {
    const mark = turn === 0 ? '' : `.${time}${turn === 1 ? '' : `-${turn}`}`;
    const stem = `${stemOf(name)}${mark}`;
    const isOther = beside !== undefined && !isFree(`${stem}${beside}`);
    if (!isOther && isFree(`${stem}${ending}`)) return `${stem}${ending}`;
  }
}

function stemOf(name: string): string {
  return name.slice(0, name.length - extname(name).length);
}
