/** Work that may take longer than a page, which then shows its progress. */

import { setTimeout as delay } from 'node:timers/promises';

/** How long a page waits for work before it shows how far it is. */
const PATIENCE_MS = 2_000;

/** Thrown in work that nobody waits for any more. */
export class Stopped extends Error {}

/** Work that has begun. */
export class Task<Result> {
  /** What it works on; other work has another one. */
  readonly key: string;
  /** The rows so far. */
  done = 0;
  #isStopped = false;
  #outcome: { readonly result: Result } | { readonly error: unknown } | undefined;
  /** Resolves once the work has ended, with a result or not. */
  readonly ended: Promise<void>;

  constructor(key: string, work: (task: Task<Result>) => Promise<Result>) {
    this.key = key;
    this.ended = work(this).then(
      (result) => {
        this.#outcome = { result };
      },
      (error: unknown) => {
        // What it reads may have been deleted when it was stopped.
        this.#outcome = { error: this.#isStopped ? new Stopped() : error };
      },
    );
  }

  /** Counts rows. Throws if the work is to end. */
  advance(rows: number): void {
    if (this.#isStopped) throw new Stopped();
    this.done += rows;
  }

  /** Ends the work at its next step. */
  stop(): void {
    this.#isStopped = true;
  }

  get hasFailed(): boolean {
    return this.#outcome !== undefined && 'error' in this.#outcome;
  }

  /** Waits until the work is done, but no longer than a page waits. */
  async wait(ms = PATIENCE_MS): Promise<void> {
    const timer = new AbortController();
    const late = delay(ms, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([this.ended, late]);
    timer.abort();
  }

  /** The result; undefined until it is done. Throws what the work threw. */
  get result(): Result | undefined {
    if (this.#outcome === undefined) return undefined;
    if ('error' in this.#outcome) throw this.#outcome.error;
    return this.#outcome.result;
  }
}
