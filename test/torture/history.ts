/**
 * Histories: random acts through every door, after each of which everything is as a model of the
 * rules says. A history that differs is made as short as it can be, and is repeated from its seed.
 */

import { Random } from '../core/random.ts';
import { ACTS } from './history/acts.ts';
import { Difference, World } from './history/world.ts';
import { Trial } from './trial.ts';

const ACTS_EACH = 200;
const ACTS_EACH_SHORT = 60;
const CHECK_EVERY = 50;
/** A new database, and one of each older schema. */
const VERSIONS = [undefined, 1, 2];

/** A history: the seeds of its acts, and the schema from which it begins. */
interface History {
  readonly version: number | undefined;
  readonly seeds: readonly number[];
}

const BAG = ACTS.flatMap(([name, weight, act]) => {
  return Array.from({ length: weight }, () => ({ name, act }));
});

export async function history(trial: Trial): Promise<void> {
  const each = trial.size === 'short' ? ACTS_EACH_SHORT : ACTS_EACH;
  const histories = trial.times(6, 100, 10_000);
  for (let number = 0; number < histories; number += 1) {
    const seeds = Array.from({ length: each }, () => trial.random.whole(1, 1e9));
    const told = { version: VERSIONS[number % VERSIONS.length], seeds };
    const difference = await tell(told, trial);
    trial.count('histories');
    if (difference === undefined) continue;
    const short = await shorten(told);
    const names = short.seeds.map((seed) => nameOf(seed));
    const again = (await tell(short)) ?? difference;
    trial.problem(`${again}\n    after: ${names.join(', ')} (seeds ${short.seeds.join(' ')})`);
  }
}

function pick(seed: number) {
  const random = new Random(seed);
  return { ...random.pick(BAG), random };
}

function nameOf(seed: number): string {
  return pick(seed).name;
}

/** Runs a history. Returns what differs from the model; undefined if nothing does. */
async function tell({ version, seeds }: History, told?: Trial): Promise<string | undefined> {
  const own = new Trial(0, 'short');
  try {
    const world = await World.open(own, version);
    for (const [at, seed] of seeds.entries()) {
      const { name, act, random } = pick(seed);
      await act(world, random);
      world.compare();
      told?.count(`acts: ${name}`);
      if (at % CHECK_EVERY === CHECK_EVERY - 1) world.check();
    }
    world.check();
    return undefined;
  } catch (error) {
    if (error instanceof Difference) return error.message;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  } finally {
    await own.end();
  }
}

/** The shortest history that differs: without every part that it does not need for that. */
async function shorten(from: History): Promise<History> {
  let { seeds } = from;
  for (let size = Math.ceil(seeds.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < seeds.length; ) {
      const less = [...seeds.slice(0, at), ...seeds.slice(at + size)];
      if ((await tell({ ...from, seeds: less })) === undefined) at += size;
      else seeds = less;
    }
  }
  return { ...from, seeds };
}
