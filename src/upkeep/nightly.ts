/**
 * Backups, every night and by hand: `budgetd backup` in a process of its own, so that the service
 * keeps answering requests. A backup that was missed in the night, because the machine was off or
 * the backup failed, is made up.
 */

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, megabytes } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import { HAND_BACKUPS } from '../core/limits.ts';
import { describeSystemError } from '../core/system.ts';
import { freeBytesAt, removeUnfinished } from '../database/copies.ts';
import { codeOf } from '../database/sqlite-errors.ts';
import { programWords } from '../package-folder.ts';

export interface BackupPlan {
  /** Created if it is missing. */
  readonly folder: string;
  /** A time of the day such as `02:00`, in the time zone of the process. */
  readonly at: string;
  /** How many to keep; with 0 a service makes none. */
  readonly keep: number;
  /** How long after the start a missed backup is made; five minutes by default. */
  readonly catchUpMs?: number | undefined;
}

/** How nightly backups are doing. */
export interface BackupState {
  /** The newest finished backup of both kinds; null if there is none. */
  readonly last: Kept | null;
  /** Why the last try failed; null if it did not. */
  readonly failure: string | null;
}

/** What nightly backups need to know. */
interface NightlyOptions {
  readonly database: string;
  readonly plan: BackupPlan;
  /** A backup that would leave less on its disk is not made. */
  readonly minFreeBytes: number;
  readonly clock: () => Date;
  readonly onEnd: (state: BackupState) => void;
}

/** Not at once: the machine may have just been started, and a service that cannot run restarts. */
const CATCH_UP_MS = 5 * 60_000;
/** After a backup that failed. */
const RETRY_MS = 60 * 60_000;
/** How long the end of the service waits for a killed process: a broken disk can hold it. */
const KILL_MS = 1000;
const MESSAGE_CHARACTERS = 4000;

export class Nightly {
  readonly #options: NightlyOptions;
  readonly #folder: BackupFolder;
  #notBeforeMs: number;
  #failure: string | null = null;
  /** When one was tried by hand that did not succeed. */
  #failedMs: number | undefined;
  /** The moment for which there is a backup. */
  #doneMs: number | undefined;
  #child: ChildProcess | undefined;
  #running: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: NightlyOptions) {
    const { plan, database } = options;
    this.#options = options;
    this.#folder = new BackupFolder(plan.folder, database);
    this.#notBeforeMs = performance.now() + (plan.catchUpMs ?? CATCH_UP_MS);
  }

  /** The newest backup, and what failed since. */
  state(): BackupState {
    const nowMs = this.#options.clock().getTime();
    try {
      return { last: this.#folder.newest(nowMs) ?? null, failure: this.#failure };
    } catch (error) {
      return { last: null, failure: this.#failure ?? messageOf(error) };
    }
  }

  /**
   * The finished backups, newest first, each with its size. None if the folder cannot be read:
   * `state` says why.
   */
  list(): (Kept & { readonly bytes: number })[] {
    try {
      return this.#folder.list(this.#options.clock().getTime()).flatMap((kept) => {
        const found = statSync(kept.file, { throwIfNoEntry: false });
        return found === undefined ? [] : [{ ...kept, bytes: found.size }];
      });
    } catch {
      return [];
    }
  }

  /** Whether a backup is being made. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Starts a backup if one is due. Call it again and again. */
  tick(): void {
    const { clock, plan } = this.#options;
    if (performance.now() < this.#notBeforeMs) return;
    const nowMs = clock().getTime();
    const dueMs = lastMoment(plan.at, nowMs);
    if (dueMs === this.#doneMs) return;
    this.#start(() => this.#makeUp(dueMs, nowMs));
  }

  /**
   * Makes a backup by hand, of which HAND_BACKUPS.kept are kept, and removes no other. Returns its
   * name. Rejects with `conflict`, `rate_limit_exceeded` soon after another, or `unavailable`.
   */
  async make(): Promise<string> {
    const nowMs = this.#options.clock().getTime();
    if (this.#running !== undefined || this.#isClosed) {
      const message = 'A backup is being made. Reload this page when it is finished.';
      throw new Failure('conflict', message);
    }
    const [newest] = this.list().filter((each) => each.isByHand && each.atMs <= nowMs);
    const { pauseMinutes, failedPauseMinutes } = HAND_BACKUPS;
    requirePause(newest?.atMs, pauseMinutes, nowMs, 'The latest backup was made');
    requirePause(this.#failedMs, failedPauseMinutes, nowMs, 'The latest attempt failed');
    this.#failedMs = nowMs;
    let made = '';
    await this.#start(async () => {
      made = await this.#backUp(nowMs, true);
    });
    if (made === '') throw new Failure('unavailable', this.#failure ?? 'The service stops.');
    this.#failedMs = undefined;
    return basename(made);
  }

  #start(work: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#running ??= this.#attempt(work).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Ends a backup that is being made; nothing is left of it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#child?.kill('SIGKILL');
    await Promise.race([this.#running, sleep(KILL_MS, undefined, { ref: false })]);
  }

  async #makeUp(dueMs: number, nowMs: number): Promise<void> {
    try {
      const newest = this.#folder.newest(nowMs, false);
      if (newest === undefined || newest.atMs < dueMs) await this.#backUp(nowMs, false);
      else this.#failure = null;
      this.#doneMs = dueMs;
    } catch (error) {
      this.#notBeforeMs = performance.now() + RETRY_MS;
      throw error;
    }
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (this.#isClosed) return;
      this.#failure = messageOf(error);
      this.#options.onEnd(this.state());
    }
  }

  async #backUp(nowMs: number, isByHand: boolean): Promise<string> {
    const folder = this.#folder;
    folder.create();
    folder.clean();
    this.#requireRoom();
    const file = folder.fileFor(nowMs, isByHand);
    try {
      await this.#copy(file);
    } finally {
      folder.clean();
    }
    folder.prune(isByHand ? HAND_BACKUPS.kept : this.#options.plan.keep, nowMs, isByHand);
    this.#failure = null;
    this.#options.onEnd(this.state());
    return file;
  }

  /** A full disk would stop the pushes. */
  #requireRoom(): void {
    const { database, minFreeBytes } = this.#options;
    const sizes = [database, `${database}-wal`].map((file) => {
      return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    });
    const needed = sizes.reduce((sum, size) => sum + size, minFreeBytes);
    const { folder } = this.#folder;
    const free = freeBytesAt(folder) ?? Number.POSITIVE_INFINITY;
    if (free >= needed) return;
    const room = `${folder} has ${megabytes(free)} free; the copy and min-free-disk need`;
    const size = megabytes(needed, Math.ceil);
    throw new Error(`${room} ${size}. Free some space, or set another backup-dir.`);
  }

  async #copy(file: string): Promise<void> {
    const [program = '', ...words] = programWords(process.execPath);
    const args = [...words, 'backup', file, '--db', this.#options.database, '--json'];
    const child = spawn(program, args, {
      // The service has read the settings file.
      env: { ...process.env, BUDGETD_CONFIG: '' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    this.#child = child;
    let written = '';
    child.stderr.on('data', (chunk: Buffer) => {
      written = (written + chunk.toString()).slice(-MESSAGE_CHARACTERS);
    });
    const closed = once(child, 'close');
    if (child.pid !== undefined) giveWay(child.pid);
    const [exitCode, signal] = await closed;
    this.#child = undefined;
    if (exitCode === 0) return;
    const said = written
      .trim()
      .split('\n')
      .at(-1)
      ?.replace(/^budgetd: /, '');
    throw new Error(said || `The backup was ended by ${signal ?? `exit code ${exitCode}`}.`);
  }
}

/** Refuses what comes too soon after another try. A clock that was put back refuses nothing. */
function requirePause(sinceMs: number | undefined, minutes: number, nowMs: number, what: string) {
  if (sinceMs === undefined || sinceMs > nowMs) return;
  const leftMs = sinceMs + minutes * 60_000 - nowMs;
  if (leftMs <= 0) return;
  const message = `${what} less than ${count(minutes, 'minute')} ago. Wait, then try again.`;
  const headers = { 'Retry-After': String(Math.ceil(leftMs / 1000)) };
  throw new Failure('rate_limit_exceeded', message, { headers });
}

/** Lets the service have the processor first. */
function giveWay(processId: number): void {
  try {
    setPriority(processId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // It may have ended.
  }
}

function messageOf(error: unknown): string {
  return describeSystemError(error) ?? (error instanceof Error ? error.message : String(error));
}

/**
 * The last moment, up to now, at which clocks showed a time such as `02:00`. Where the clock jumps
 * over that time it is an hour later; of two such times in one night it is the first.
 */
export function lastMoment(time: string, nowMs: number): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const now = new Date(nowMs);
  const on = (day: number) => {
    return new Date(now.getFullYear(), now.getMonth(), day, hours, minutes).getTime();
  };
  const today = on(now.getDate());
  return today <= nowMs ? today : on(now.getDate() - 1);
}

/** A backup in the folder, and when it was begun. */
export interface Kept {
  readonly file: string;
  readonly atMs: number;
  readonly isByHand: boolean;
}

/** What follows the name of a database in those of its backups. */
const STAMP = /^-(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\dZ)(-by-hand)?\.db$/;

export class BackupFolder {
  readonly folder: string;
  readonly #name: string;

  /** Backups of databases with the same name belong in different folders. */
  constructor(folder: string, database: string) {
    this.folder = folder;
    this.#name = basename(database).replace(/\.db$/, '');
  }

  /** Creates the folder if it is missing, readable by its owner alone. */
  create(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
  }

  /** The file for a backup that begins now, such as `budgetd-2026-11-22T02-00-00Z.db`. */
  fileFor(nowMs: number, isByHand = false): string {
    const stamp = new Date(nowMs).toISOString().slice(0, 19).replaceAll(':', '-');
    return join(this.folder, `${this.#name}-${stamp}Z${isByHand ? '-by-hand' : ''}.db`);
  }

  /**
   * The finished backups, newest first. Those from the future come last: a clock that was wrong
   * must not make them outlive the others.
   */
  list(nowMs: number): Kept[] {
    const kept = this.#names().flatMap((name) => this.#readName(name) ?? []);
    const rank = ({ atMs }: Kept) => (atMs > nowMs ? Number.NEGATIVE_INFINITY : atMs);
    return kept.sort((one, other) => rank(other) - rank(one) || other.atMs - one.atMs);
  }

  /**
   * The newest, or the newest of a kind. Those from the future do not count: the clock was wrong
   * when they were made.
   */
  newest(nowMs: number, kind?: boolean): Kept | undefined {
    return this.list(nowMs).find(({ atMs, isByHand }) => {
      return atMs <= nowMs && (kind ?? isByHand) === isByHand;
    });
  }

  /** Removes all but the newest backups of a kind, of which there is at least one. */
  prune(keep: number, nowMs: number, kind: boolean): void {
    const ofKind = this.list(nowMs).filter(({ isByHand }) => isByHand === kind);
    for (const { file } of ofKind.slice(Math.max(keep, 1))) rmSync(file, { force: true });
  }

  /** Removes what processes that have ended left unfinished. */
  clean(): void {
    removeUnfinished(this.folder, (name) => this.#readName(name) !== undefined);
  }

  #names(): string[] {
    try {
      const entries = readdirSync(this.folder, { withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    } catch (error) {
      // It is created with the first backup.
      if (codeOf(error) === 'ENOENT') return [];
      throw error;
    }
  }

  /** The backup of a name; undefined for other names. */
  #readName(name: string): Kept | undefined {
    if (!name.startsWith(this.#name)) return undefined;
    const [, day, hour, minute, second, byHand] = STAMP.exec(name.slice(this.#name.length)) ?? [];
    const atMs = Date.parse(`${day}${hour}:${minute}:${second}`);
    if (Number.isNaN(atMs)) return undefined;
    return { file: join(this.folder, name), atMs, isByHand: byHand !== undefined };
  }
}
