/**
 * Runs the rules after pushes and imports (contract 15): after their answers, in steps, and when no
 * push has come for a moment, so that none waits. What a crash left is found by the next run.
 */

import { formatId } from '../core/ids.ts';
import type { OrganisationRecord } from '../core/organisations.ts';
import type { Db } from '../database/database.ts';
import { failureOf } from '../database/sqlite-errors.ts';
import type { Access } from '../store/access.ts';
import { lastWriteMs } from '../store/audit.ts';
import { listOrganisations } from '../store/organisations.ts';
import { lastPlanMs, readRules } from '../store/rules.ts';
import { accessTo, type Source } from './access.ts';
import { runRules } from './rule-runs.ts';

/** Who runs the rules when nobody asked for it, for the log. */
const RULES_ACTOR = 'rules';

/** No push for so long: the next step does not make one wait. */
const QUIET_MS = 200;
/** Under pushes without a pause, a step comes at least this often. */
const PATIENCE_MS = 2_000;
/** After a failure, such as a full disk. */
const RETRY_MS = 60_000;

const known = new WeakMap<Db, AutomaticRuns>();

/** The automatic runs of one open database. */
export class AutomaticRuns {
  readonly #source: Source;
  readonly #clock: () => Date;
  readonly #onFailure: (message: string) => void;
  readonly #due = new Map<number, OrganisationRecord>();
  /** Complete runs: what has not changed since, and is under the same plans, has no rule. */
  readonly #done = new Map<number, { readonly beganMs: number; readonly planMs: number }>();
  #pushedMs = 0;
  #running: Promise<void> | undefined;
  #isClosed = false;
  /** Whether someone waits for it. */
  #isHurried = false;
  /** Ends the pause before the next step. */
  #wake: () => void = () => {};

  constructor(source: Source, clock: () => Date, onFailure: (message: string) => void) {
    this.#source = source;
    this.#clock = clock;
    this.#onFailure = onFailure;
    known.set(source.db, this);
  }

  /** Takes note of a push: the rules of its organisation are due, if they are automatic. */
  static note({ db, organisation }: Access): void {
    known.get(db)?.add(organisation);
  }

  /** The rules of an organisation are due. */
  add(organisation: OrganisationRecord): void {
    this.#due.set(organisation.id, organisation);
    this.#pushedMs = performance.now();
    this.#running ??= this.#loop();
  }

  /** The rules of all organisations are due: a process before may have ended within a run. */
  addAll(): void {
    for (const organisation of listOrganisations(this.#source)) this.add(organisation);
  }

  /** Runs what is due without a pause, and resolves when that is done. */
  async finish(): Promise<void> {
    this.#isHurried = true;
    this.#wake();
    await this.#running;
    this.#isHurried = false;
  }

  /** Stops after the step that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#running;
  }

  async #loop(): Promise<void> {
    while (this.#due.size > 0 && !this.#isClosed) {
      await this.#pause();
      try {
        for (const organisation of this.#due.values()) {
          if (!this.#isClosed) await this.#run(organisation);
        }
      } catch (error) {
        if (this.#isClosed) break;
        const reason = failureOf(error)?.message ?? String(error);
        this.#onFailure(`The rules could not run: ${reason}`);
        if (this.#isHurried) break;
        await this.#sleep(RETRY_MS);
      }
    }
    this.#running = undefined;
  }

  async #run(organisation: OrganisationRecord): Promise<void> {
    const { id } = organisation;
    const access = accessTo(this.#source, formatId('org', id));
    this.#due.delete(id);
    if (!readRules(access).automatic) return;
    const [beganMs, planMs] = [lastWriteMs(access) ?? 0, lastPlanMs(access)];
    const done = this.#done.get(id);
    const sinceMs = done?.planMs === planMs ? done.beganMs : undefined;
    const pause = () => this.#pause();
    const actor = { name: RULES_ACTOR, requestId: null, nowMs: this.#clock().getTime() };
    try {
      await runRules(access, actor, { isAutomatic: true, sinceMs, pause });
      this.#done.set(id, { beganMs, planMs });
    } catch (error) {
      this.#due.set(id, organisation);
      throw error;
    }
  }

  async #pause(): Promise<void> {
    const beganMs = performance.now();
    for (;;) {
      const now = performance.now();
      const isQuiet = now - this.#pushedMs >= QUIET_MS || now - beganMs >= PATIENCE_MS;
      if (isQuiet || this.#isHurried || this.#isClosed) return;
      await this.#sleep(QUIET_MS);
    }
  }

  /** Waits, without keeping the process running. */
  async #sleep(ms: number): Promise<void> {
    if (this.#isHurried || this.#isClosed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
