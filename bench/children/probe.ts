/**
 * Loaded into the server first (`node --import`): reports its CPU and memory, and how long the
 * event loop was blocked. It uses a loop that never rests, because a timer is too coarse.
 */

import { answerQuestions } from './answering.ts';

let isWatching = false;
let longestMs = 0;
let lastMs = 0;

function turn(): void {
  if (!isWatching) return;
  const nowMs = performance.now();
  if (nowMs - lastMs > longestMs) longestMs = nowMs - lastMs;
  lastMs = nowMs;
  setImmediate(turn);
}

answerQuestions({
  watch: () => {
    isWatching = true;
    longestMs = 0;
    lastMs = performance.now();
    turn();
  },
  heldMs: () => {
    isWatching = false;
    return longestMs;
  },
});
