import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so, for 20 seconds at most. */
export async function until(condition: () => boolean): Promise<void> {
  for (let waits = 0; !condition(); waits += 1) {
    assert.ok(waits < 2000, 'it does not happen');
    await sleep(10);
  }
}
