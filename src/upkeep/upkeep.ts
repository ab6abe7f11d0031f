/**
 * Looks after the file of a running service: free space, the names of the file, its lock and its
 * nightly backups. What keeps the service from writing refuses every write until it has ended.
 */

import { Failure } from '../core/failures.ts';
import { type Db, guardWrites, shareDatabase } from '../database/database.ts';
import type { DatabaseLock } from '../database/lock.ts';
import { removeUnfinishedOf } from '../database/upgrade.ts';
import { FileWatch, type Problem } from './file-watch.ts';
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
    guardWrites(db, () => {
      const problem = this.problem();
      if (problem !== undefined) throw problem.refusal();
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
      const problem = this.problem();
      // As in `#tick`.
      if (problem !== undefined && problem.code !== 'disk_full') throw problem.refusal();
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
    // What is under the name now may not be this database.
    const isOwnFile = problem === undefined || problem.code === 'disk_full';
    if (isOwnFile && !this.#isUnshared) this.#nightly?.tick();
  }

  #renewLock(): void {
    const { lock, file, notify } = this.#options;
    const path = `${file}-lock`;
    let reason = 'Another budgetd took it';
    try {
      const isNew = lock.renew();
      this.#lockTaken = undefined;
      if (isNew === true) {
        notify({ kind: 'lock_renewed', message: `${path} was removed. It is there again.` });
      }
      if (isNew !== undefined) return;
    } catch (error) {
      reason = `It cannot be made again: ${error instanceof Error ? error.message : error}`;
    }
    const message = `${path} was removed while the service runs. ${reason}. Stop one of the two.`;
    const taken = 'Another service has taken the lock of this database. Nothing is stored here.';
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
    notify({ kind: 'shared_again', message: 'There is room again: commands can use the file.' });
  }

  #sayBackup({ last, failure }: BackupState): void {
    const { notify } = this.#options;
    if (failure === null) notify({ kind: 'backup_made', message: `Copied to ${last?.file}.` });
    else notify({ kind: 'backup_failed', message: `No backup was made: ${failure}` });
  }
}
