/**
 * Loaded into the server first (`node --import`): reports its CPU and memory, and how long the
 * event loop was blocked. It uses a loop that never rests, because a timer is too coarse.
 */

import { openSync, readSync } from 'node:fs';
import { answerQuestions } from './answering.ts';

let isWatching = false;
let longestMs = 0;
let lastMs = 0;
let longestCpuMs = 0;
let lastCpuMs = 0;

function turn(): void {
  if (!isWatching) return;
  const [nowMs, nowCpuMs] = [performance.now(), spentMs()];
  longestMs = Math.max(longestMs, nowMs - lastMs);
  longestCpuMs = Math.max(longestCpuMs, nowCpuMs - lastCpuMs);
  [lastMs, lastCpuMs] = [nowMs, nowCpuMs];
  setImmediate(turn);
}

/** What Linux says of this thread; other programs take none of it. */
const spent = Buffer.alloc(64);
const descriptor = openSpent();

function openSpent(): number | undefined {
  try {
    return openSync('/proc/thread-self/schedstat', 'r');
  } catch {
    return undefined;
  }
}

/** Time that the processor had for this thread; NaN without /proc. */
function spentMs(): number {
  if (descriptor === undefined) return Number.NaN;
  const length = readSync(descriptor, spent, 0, spent.length, 0);
  return Number.parseInt(spent.toString('latin1', 0, length), 10) / 1e6;
}

answerQuestions({
  watch: () => {
    isWatching = true;
    [longestMs, longestCpuMs] = [0, 0];
    [lastMs, lastCpuMs] = [performance.now(), spentMs()];
    turn();
  },
  heldMs: () => {
    isWatching = false;
    return longestMs;
  },
  heldCpuMs: () => {
    isWatching = false;
    return longestCpuMs;
  },
});
