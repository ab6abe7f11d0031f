/**
 * Inspecting a large file must not hold up a service in the same process, so work is done in short
 * turns. Between two turns everything else in the process can run.
 */

import { setImmediate } from 'node:timers/promises';

/** How long one turn lasts; a piece of work that began in it may take as long again. */
const TURN_MS = 5;

/** When this turn began: one for the whole process, so that several inspections share it. */
let beganMs = 0;

/** Whether this turn is over. */
export function isTurnOver(): boolean {
  return performance.now() - beganMs >= TURN_MS;
}

/** Lets everything else in the process run. */
export async function nextTurn(): Promise<void> {
  await setImmediate();
  beganMs = performance.now();
}

/** The same items, with a new turn before an item whenever one is over. */
export async function* paced<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    if (isTurnOver()) await nextTurn();
    yield item;
  }
}
