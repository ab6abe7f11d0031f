/** Load before a program with `--import`: its timers and its clock run FAST_CLOCK times faster. */

import { performance } from 'node:perf_hooks';

const factor = Number(process.env['FAST_CLOCK']);
const now = performance.now.bind(performance);
const wait = globalThis.setTimeout;

performance.now = () => now() * factor;
globalThis.setTimeout = Object.assign(
  (work: (...values: unknown[]) => void, waitMs = 0, ...values: unknown[]) => {
    return wait(work, waitMs / factor, ...values);
  },
  wait,
) as typeof wait;
