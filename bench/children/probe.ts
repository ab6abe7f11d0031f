/**
 * Loaded into the server before anything else (`node --import`): answers what it has used, and how
 * long the event loop was held. That takes a loop that never rests, as a timer is too coarse.
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
