/**
 * Looks after the file of a running service: free space, the names of the file, its lock and its
 * nightly backups. What keeps the service from writing refuses every write until it has ended.
 */

import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { megabytes } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { freeBytesAt } from '../database/copies.ts';
import { type Db, guardWrites, shareDatabase } from '../database/database.ts';
import type { DatabaseLock } from '../database/lock.ts';
import { removeUnfinishedOf } from '../database/upgrade.ts';
import { type BackupPlan, type BackupState, Nightly } from './nightly.ts';

/** Something that the person who runs the service should know. */
export interface Notice {
  readonly kind:
    | Problem['code']
    | 'writing_again'
    | 'lock_renewed'
    | 'shared_again'
    | 'backup_made'
    | 'backup_failed'
    | 'rules_failed';
  readonly message: string;
}

/** How the file of a service is. */
export interface Health {
  /** Why nothing can be written; null if it can. */
  readonly problem: Pick<Problem, 'code' | 'message'> | null;
  /** Null if the system does not tell. */
  readonly freeDiskBytes: number | null;
  /** Null without nightly backups. */
  readonly backups: BackupState | null;
}

/** What to look after. */
interface UpkeepOptions {
  readonly db: Db;
  readonly file: string;
  readonly lock: DatabaseLock;
  /** Below this, nothing is written. */
  readonly minFreeBytes: number;
  readonly backups: BackupPlan | undefined;
  readonly clock: () => Date;
  /** Whether the file was opened for this process alone. */
  readonly isUnshared: boolean;
  /** Called when such a file can be opened by other processes too. */
  readonly onShared: () => void;
  readonly notify: (notice: Notice) => void;
}

const TICK_MS = 1000;
/** Room for the files that processes share. */
const SHARED_BYTES = 1_000_000;

/** Looks after one file. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #watch: FileWatch;
  readonly #nightly: Nightly | undefined;
  readonly #timer: NodeJS.Timeout;
  #isUnshared: boolean;
  /** Set while another service has the lock. */
  #lockTaken: Problem | undefined;
  /** What was last said about writing. */
  #said: Problem['code'] | undefined;

  constructor(options: UpkeepOptions) {
    const { db, file, minFreeBytes, backups: plan, clock } = options;
    this.#options = options;
    removeUnfinishedOf(file);
    this.#isUnshared = options.isUnshared;
    this.#watch = new FileWatch(file, minFreeBytes);
    const onEnd = (state: BackupState) => this.#sayBackup(state);
    const isOn = plan !== undefined && plan.keep > 0;
    this.#nightly = isOn
      ? new Nightly({ database: file, plan, minFreeBytes, clock, onEnd })
      : undefined;
    guardWrites(db, (usesReserve) => {
      const problem = this.problem();
      const found = usesReserve ? ofFile(problem) : problem;
      if (found !== undefined) throw found.refusal();
    });
    this.#timer = setInterval(() => this.#tick(), TICK_MS).unref();
    this.#tick();
  }

  /** How the file is now. */
  health(): Health {
    const found = this.problem();
    return {
      problem: found === undefined ? null : { code: found.code, message: found.message },
      freeDiskBytes: this.#watch.freeBytes() ?? null,
      backups: this.#nightly?.state() ?? null,
    };
  }

  /**
   * The backups, for pages that list and make them; undefined if the service makes none. Making one
   * by hand is refused if the file was replaced.
   */
  backups() {
    const { backups: plan } = this.#options;
    const nightly = this.#nightly;
    if (nightly === undefined || plan === undefined) return undefined;
    const make = async () => {
      const problem = ofFile(this.problem());
      if (problem !== undefined) throw problem.refusal();
      return nightly.make();
    };
    const { isRunning } = nightly;
    return { ...plan, ...nightly.state(), isRunning, list: () => nightly.list(), make };
  }

  /** Why nothing can be written now. */
  problem(): Problem | undefined {
    return this.#watch.look() ?? this.#lockTaken;
  }

  /** Whether something else may take so many bytes of the disk. */
  hasSpace(bytes: number): boolean {
    return this.#watch.hasSpace(bytes);
  }

  /** Ends a backup that is being made. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#nightly?.close();
  }

  #tick(): void {
    this.#renewLock();
    const problem = this.problem();
    this.#sayProblem(problem);
    if (problem === undefined && this.#isUnshared) this.#share();
    if (ofFile(problem) === undefined && !this.#isUnshared) this.#nightly?.tick();
  }

  #renewLock(): void {
    const { lock, file, notify } = this.#options;
    const path = `${file}-lock`;
    let reason = 'Another budgetd has locked the database';
    try {
      const isNew = lock.renew();
      this.#lockTaken = undefined;
      if (isNew === true) {
        notify({ kind: 'lock_renewed', message: `${path} was removed. budgetd created it again.` });
      }
      if (isNew !== undefined) return;
    } catch (error) {
      reason = `It cannot be created again: ${error instanceof Error ? error.message : error}`;
    }
    const message = `${path} was removed while the service runs. ${reason}. Stop one of the two.`;
    const taken = 'Another service has locked this database, so this one stores nothing.';
    const refusal = () => new Failure('unavailable', taken);
    this.#lockTaken = { code: 'lock_taken', message, refusal };
  }

  #sayProblem(problem: Problem | undefined): void {
    if (problem?.code === this.#said) return;
    this.#said = problem?.code;
    const { notify } = this.#options;
    if (problem === undefined) notify({ kind: 'writing_again', message: 'Writing works again.' });
    else notify({ kind: problem.code, message: problem.message });
  }

  #share(): void {
    if ((this.#watch.freeBytes() ?? 0) < SHARED_BYTES) return;
    const { db, onShared, notify } = this.#options;
    try {
      shareDatabase(db);
    } catch {
      // Another process reads it at this moment, or the room has gone: the next turn tries again.
      return;
    }
    this.#isUnshared = false;
    this.#watch.reset();
    onShared();
    notify({
      kind: 'shared_again',
      message: 'The disk has space again: commands can use the file.',
    });
  }

  #sayBackup({ last, failure }: BackupState): void {
    const { notify } = this.#options;
    if (failure === null) notify({ kind: 'backup_made', message: `Copied to ${last?.file}.` });
    else notify({ kind: 'backup_failed', message: `No backup was made: ${failure}` });
  }
}

/** Why nothing can be written at the moment. */
interface Problem {
  readonly code: 'file_replaced' | 'lock_taken' | 'disk_full';
  /** For the person who runs the service: what is wrong, and what to do. */
  readonly message: string;
  /** What a write is refused with, for clients: without a path. */
  readonly refusal: () => Failure;
}

/**
 * What is wrong with the file itself, if anything: what is under its name may not be this database.
 * On a full disk, the file is still the one that is open.
 */
function ofFile(problem: Problem | undefined): Problem | undefined {
  return problem?.code === 'disk_full' ? undefined : problem;
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
    const [free, least] = [megabytes(freeBytes), megabytes(this.#minFreeBytes, Math.ceil)];
    const message =
      `The disk of ${this.#file} has only ${free} free, less than min-free-disk (${least}). ` +
      'Only sign-ins are written until more is free.';
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
