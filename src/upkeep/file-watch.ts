/** Whether the file of a running service is still there, and how much room its disk has. */

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { megabytes } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { freeBytesAt } from '../database/copies.ts';

/** Why nothing can be written at the moment. */
export interface Problem {
  readonly code: 'file_replaced' | 'lock_taken' | 'disk_full';
  /** For the person who runs the service: what is wrong, and what to do. */
  readonly message: string;
  /** What a write is refused with, for clients: without a path. */
  readonly refusal: () => Failure;
}

/** Watches the names of an open database, and its disk. */
export class FileWatch {
  readonly #file: string;
  readonly #minFreeBytes: number;
  readonly #beside: readonly string[];
  /** The inodes of the database and, once they were seen, of its -wal and -shm. */
  readonly #inodes = new Map<string, string>();

  constructor(file: string, minFreeBytes: number) {
    this.#file = resolve(file);
    // SQLite puts them next to the file that a link leads to.
    this.#beside = ['-wal', '-shm'].map((end) => realpathSync.native(file) + end);
    this.#minFreeBytes = minFreeBytes;
    this.reset();
  }

  /** Takes the files that are there now for those of the database. */
  reset(): void {
    this.#inodes.clear();
    this.#inodes.set(this.#file, inodeOf(this.#file));
  }

  /** What is wrong now. It takes 10 µs. */
  look(): Problem | undefined {
    return this.#findReplaced() ?? this.#findFull();
  }

  /** The free bytes on the disk of the database; undefined if the system does not tell. */
  freeBytes(): number | undefined {
    return freeBytesAt(this.#file);
  }

  /** Whether enough is left when so many bytes are taken. True if the system does not tell. */
  hasSpace(bytes: number): boolean {
    return (this.freeBytes() ?? Number.POSITIVE_INFINITY) - bytes >= this.#minFreeBytes;
  }

  #findReplaced(): Problem | undefined {
    for (const path of [this.#file, ...this.#beside]) {
      const inode = inodeOf(path);
      const known = this.#inodes.get(path);
      if (known === undefined && inode !== NONE) this.#inodes.set(path, inode);
      if (known !== undefined && known !== inode) return replaced(path);
    }
    return undefined;
  }

  #findFull(): Problem | undefined {
    const freeBytes = this.freeBytes() ?? Number.POSITIVE_INFINITY;
    if (freeBytes >= this.#minFreeBytes) return undefined;
    const message =
      `The disk of ${this.#file} has only ${megabytes(freeBytes)} free, less than min-free-disk ` +
      `(${megabytes(this.#minFreeBytes)}). Nothing is written until there is room; reading works.`;
    const advice = 'Free some space; reading still works.';
    const refusal = () => new Failure('storage_full', `The disk is almost full. ${advice}`);
    return { code: 'disk_full', message, refusal };
  }
}

function replaced(path: string): Problem {
  const message =
    `${path} was moved, removed or replaced while the service runs. Nothing is written until it ` +
    'is back. Put it back under its name, or stop the service and restore a backup.';
  const reason = 'The database file was moved, removed or replaced.';
  return {
    code: 'file_replaced',
    message,
    refusal: () => new Failure('unavailable', `${reason} Nothing is stored until it is back.`),
  };
}

const NONE = '';

function inodeOf(path: string): string {
  try {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false });
    return found === undefined ? NONE : `${found.dev}:${found.ino}`;
  } catch {
    // Its folder may have gone, or its disk.
    return NONE;
  }
}
