/**
 * Long work in steps, so that everything else that waits can run in between: requests, timers, and
 * other long work, which takes turns with it.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { whenCheckpointed } from '../database/checkpoints.ts';
import { consistently, withoutWaiting } from '../database/database.ts';
import { isBusy } from '../database/sqlite-errors.ts';
import type { Access } from '../store/access.ts';
import { lastWriteMs } from '../store/audit.ts';

/** Work that is done step by step; each step reads or writes for itself. */
export type Steps<Result> = Generator<undefined, Result, undefined>;

/** Takes all steps at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/**
 * Steps that only read: all of one moment of the organisation. They are taken again so often while
 * others write; then in one.
 */
export function* steadily<Result>(
  access: Access,
  read: () => Steps<Result>,
  tries = 1,
): Steps<Result> {
  for (let left = tries; left > 0; left -= 1) {
    const beganMs = lastWriteMs(access);
    const result = yield* read();
    if (lastWriteMs(access) === beganMs) return result;
  }
  return consistently(access, () => finish(read()));
}

/** Takes steps until `mostMs` of processor time have passed; then the result is undefined. */
export function* within<Result>(steps: Steps<Result>, mostMs: number): Steps<Result | undefined> {
  for (let leftMs = mostMs; leftMs > 0; ) {
    const before = process.cpuUsage();
    const step = steps.next();
    if (step.done) return step.value;
    leftMs -= cpuMsSince(before);
    yield;
  }
  return undefined;
}

/** The time of the processor that this process took since then: others do not change it. */
export function cpuMsSince(before: { user: number; system: number }): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Takes the first step at once and each further one in its own turn. Then it first calls `onTurn`,
 * which can throw to stop the work.
 */
export function takeTurns<Result>(
  steps: Steps<Result>,
  onTurn: () => void,
): Result | Promise<Result> {
  const first = steps.next();
  return first.done ? first.value : takeMoreTurns(steps, onTurn);
}

async function takeMoreTurns<Result>(steps: Steps<Result>, onTurn: () => void): Promise<Result> {
  for (;;) {
    await nextTurn();
    onTurn();
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The last turn that was given away. */
let last: Promise<void> = Promise.resolve();

/**
 * Waits until everything else that waits has run. Each turn of the event loop is given to one
 * caller, in order, so however many there are, a request waits for one step only.
 */
export function nextTurn(): Promise<void> {
  last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
  return last;
}

/** Waits between two writes, also for the disk to catch up: a commit would block for longer. */
export async function nextWrite({ db }: Access): Promise<void> {
  await nextTurn();
  await whenCheckpointed(db);
}

/** How long a step waits for another process: a page that sends nothing for 30 s is cut off. */
const BUSY_MS = 20_000;
const POLL_MS = 10;

/**
 * Takes one step of long work, which is one write, when its turn comes. While another process
 * writes, such as an import by command, it tries again: nobody else waits for that.
 */
export async function writeInTurn<Result>(access: Access, write: () => Result): Promise<Result> {
  for (const endMs = performance.now() + BUSY_MS; ; await delay(POLL_MS)) {
    // Reads `access.db` each time: the service can be closed between two tries.
    await nextWrite(access);
    try {
      return withoutWaiting(access.db, write);
    } catch (error) {
      if (!isBusy(error) || performance.now() > endMs) throw error;
    }
  }
}

/** Gives the turn away whenever so much work, in units of its own, has been done in it. */
export class Pace {
  readonly #most: number;
  #done = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Await this after some work. */
  async spend(work: number): Promise<void> {
    this.#done += work;
    if (this.#done < this.#most) return;
    this.#done = 0;
    await nextTurn();
  }
}
