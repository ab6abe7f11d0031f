/** Loaded before a program (`--import`), makes its time run faster: waits and clock alike. */

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
