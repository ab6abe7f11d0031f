/** How long the turns of the event loop are, in time of the processor. */

import { existsSync, readFileSync } from 'node:fs';

/** Time that this thread had, where Linux says it: other programs take none of it. */
const SPENT = '/proc/thread-self/schedstat';

/** Why turns cannot be measured here; undefined if they can. */
export const UNMEASURED = existsSync(SPENT) ? undefined : `there is no ${SPENT}`;

function spentMs(): number {
  return Number(readFileSync(SPENT, 'latin1').split(' ', 1)[0]) / 1e6;
}

/** The result of some work, and the milliseconds of the longest turn while it went on. */
export async function watchTurns<Result>(
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly longestMs: number }> {
  let longestMs = 0;
  let isOver = false;
  let beganMs = spentMs();
  const turn = () => {
    const nowMs = spentMs();
    longestMs = Math.max(longestMs, nowMs - beganMs);
    beganMs = nowMs;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  try {
    const result = await work();
    // The turn in which the work ends is not over yet.
    turn();
    return { result, longestMs };
  } finally {
    isOver = true;
  }
}

/** Coding it as UTF-8 and back takes REFERENCE_MS on a quiet machine. */
const REFERENCE = '\u0301'.repeat(1024 * 1024);
const REFERENCE_MS = 13;

/**
 * How much slower the processor is at the moment, at least 1: other programs share its caches and
 * the memory.
 */
export async function slowness(): Promise<number> {
  const { longestMs } = await watchTurns(async () => {
    await new Promise(setImmediate);
    return Buffer.from(REFERENCE).toString().length;
  });
  return Math.max(1, longestMs / REFERENCE_MS);
}
