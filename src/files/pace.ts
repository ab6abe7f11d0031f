/**
 * Inspecting a large file must not hold up a service in the same process, so work is done in short
 * turns. Between two turns everything else in the process can run.
 */

/** How long one turn lasts; the piece of work that began in it may take as long again. */
const TURN_MS = 3;

/** When this turn began: one for the whole process, so that several inspections share it. */
let beganMs = 0;

/** Whether this turn is over. */
export function isPauseDue(): boolean {
  return performance.now() - beganMs >= TURN_MS;
}

/** Lets everything else in the process run. */
export async function pause(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  beganMs = performance.now();
}

/** Passes items on, with a new turn before an item whenever a turn is over. */
export async function* paced<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
): AsyncGenerator<Item> {
  for await (const item of items) {
    if (isPauseDue()) await pause();
    yield item;
  }
}

/** Calls a function for each item of each piece, with a new turn whenever one is over. */
export async function forEachOf<Item>(
  pieces: AsyncIterable<Iterable<Item>> | readonly (readonly Item[])[],
  call: (item: Item) => Promise<unknown> | undefined,
): Promise<void> {
  let left = 0;
  for await (const items of pieces) {
    for (const item of items) {
      if (left === 0 && isPauseDue()) await pause();
      left = left === 0 ? AT_ONCE : left - 1;
      const more = call(item);
      if (more !== undefined) await more;
    }
  }
}

/** Calls a function for each item, such as a column: at once, or over several turns if many. */
export function forEach<Item>(
  items: readonly Item[],
  call: (item: Item, at: number) => unknown,
): Promise<void> | undefined {
  if (items.length > TOGETHER) return callInTurns(items, call);
  items.forEach(call);
  return undefined;
}

async function callInTurns<Item>(
  items: readonly Item[],
  call: (item: Item, at: number) => unknown,
): Promise<void> {
  for (let start = 0; start < items.length; start += TOGETHER) {
    if (start > 0 && isPauseDue()) await pause();
    const end = Math.min(start + TOGETHER, items.length);
    for (let at = start; at < end; at += 1) call(items[at] as Item, at);
  }
}

/** How many items there are between two looks at the clock: columns, and rows. */
const TOGETHER = 64;
const AT_ONCE = 15;
