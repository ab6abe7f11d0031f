import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until something is so; a busy machine has five minutes. */
export async function until(condition: () => boolean): Promise<void> {
  for (let waits = 0; !condition(); waits += 1) {
    assert.ok(waits < 30_000, 'it does not happen');
    await sleep(10);
  }
}
