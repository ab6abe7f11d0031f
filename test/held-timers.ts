/** Timers that pass only when a test says so, however busy the machine is. */

import type { TestContext } from 'node:test';

/** Longer than any test may take. */
export const FOREVER_MS = 3_600_000;

/**
 * Holds every timer of FOREVER_MS or more, until the end of the test. Returns what lets some
 * milliseconds pass for them.
 */
export function holdTimers(test: TestContext): (ms: number) => void {
  const { setTimeout: start, clearTimeout: stop } = globalThis;
  const held = new Map<unknown, { readonly dueMs: number; readonly run: () => void }>();
  let nowMs = 0;
  const wait = (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    if (ms < FOREVER_MS) return start(run, ms, ...given);
    const hold = () => held.set(timer, { dueMs: nowMs + ms, run: () => run(...given) });
    const timer = { refresh: () => held.has(timer) && hold(), unref: () => timer };
    hold();
    return timer;
  };
  test.mock.method(globalThis, 'setTimeout', wait);
  test.mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout | undefined) => {
    if (!held.delete(timer)) stop(timer);
  });
  return (ms) => {
    nowMs += ms;
    for (const [timer, { dueMs, run }] of held) {
      if (dueMs <= nowMs && held.delete(timer)) run();
    }
  };
}
