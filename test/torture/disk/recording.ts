/**
 * What a process did to its files, as `shim.c` recorded it, and the files that a power cut leaves
 * after a number of calls: what was synchronised, and of the rest whatever a disk may have kept.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Random } from '../../core/random.ts';

/** A line of the record. */
export interface Call {
  readonly what: string;
  readonly path: string;
  readonly at: number;
  readonly bytes: Buffer;
}

/** Reads a record; its paths are relative to the folder. */
export function readRecording(file: string, folder: string): Call[] {
  const record = readFileSync(file);
  const calls: Call[] = [];
  for (let from = 0; from < record.length; ) {
    const end = record.indexOf(10, from);
    const [what = '', path = '', at, count] = record.toString('utf8', from, end).split('\t');
    const next = end + 1 + Number(count);
    const bytes = record.subarray(end + 1, next);
    from = next;
    const own = what === 'say' ? path : relative(folder, path);
    calls.push({ what, path: own, at: Number(at), bytes });
  }
  return calls;
}

/** What a disk does with what was not synchronised. */
export const FATES = ['dropped', 'in part', 'torn', 'kept'] as const;
export type Fate = (typeof FATES)[number];

/** Disks write whole sectors. */
const SECTOR = 512;

/** The content of a file, whatever its names are. */
class Content {
  durable: Buffer;
  /** Writes since it was last synchronised, or what it was cut to. */
  pending: Call[] = [];

  constructor(durable: Buffer = Buffer.alloc(0)) {
    this.durable = durable;
  }

  settle(): void {
    this.durable = this.after('kept');
    this.pending = [];
  }

  after(fate: Fate, random?: Random): Buffer {
    const kept = this.pending.filter(() => {
      return fate === 'kept' || (fate !== 'dropped' && !random?.once(2));
    });
    const ends = kept.map(({ what, at, bytes }) => (what === 'write' ? at + bytes.length : at));
    const room = Buffer.alloc(Math.max(this.durable.length, ...ends));
    this.durable.copy(room);
    let size = this.durable.length;
    for (const { what, at, bytes } of kept) {
      if (what === 'truncate') {
        room.fill(0, at);
        size = at;
      } else {
        size = Math.max(size, at + bytes.length);
        write(room, { at, bytes }, fate === 'torn' ? random : undefined);
      }
    }
    return room.subarray(0, size);
  }
}

/** Copies the sectors of a write; with `random` only some of them. */
function write(room: Buffer, { at, bytes }: Pick<Call, 'at' | 'bytes'>, random?: Random): void {
  if (random === undefined) bytes.copy(room, at);
  for (let from = 0; random !== undefined && from < bytes.length; from += SECTOR) {
    if (!random.once(2)) bytes.copy(room, at + from, from, from + SECTOR);
  }
}

type Names = Map<string, Content>;

/** The files of a folder, as calls change them. */
export class Disk {
  #names: Names;
  #durable: Names;
  /** What was done to names since the folder was last synchronised. */
  #pending: ((names: Names) => void)[] = [];

  /** The folder has these files, and they are on the disk. */
  constructor(files: ReadonlyMap<string, Buffer>) {
    this.#names = new Map([...files].map(([name, bytes]) => [name, new Content(bytes)]));
    this.#durable = new Map(this.#names);
  }

  take(call: Call): void {
    const { what, path, bytes } = call;
    const content = this.#names.get(path);
    if (what === 'write' || what === 'truncate') content?.pending.push(call);
    if (what === 'sync' && content !== undefined) content.settle();
    // All files are in one folder.
    if (what === 'sync' && content === undefined) {
      this.#durable = new Map(this.#names);
      this.#pending = [];
    }
    if (what === 'create') {
      const made = new Content();
      this.#rename((names) => names.set(path, made));
    }
    if (what === 'unlink') this.#rename((names) => names.delete(path));
    if (content === undefined || (what !== 'link' && what !== 'rename')) return;
    const name = basename(bytes.toString());
    this.#rename((names) => {
      if (what === 'rename') names.delete(path);
      names.set(name, content);
    });
  }

  #rename(change: (names: Names) => void): void {
    change(this.#names);
    this.#pending.push(change);
  }

  /** Writes what a power cut leaves into a folder. */
  leave(folder: string, fate: Fate, random: Random): void {
    const names = new Map(this.#durable);
    const most = this.#pending.length;
    const kept = { dropped: 0, kept: most }[String(fate)] ?? random.whole(0, most);
    for (const change of this.#pending.slice(0, kept)) change(names);
    for (const [name, content] of names) {
      writeFileSync(join(folder, name), content.after(fate, random), { mode: 0o600 });
    }
  }
}
