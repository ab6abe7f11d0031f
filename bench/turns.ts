/** Measures contenders in turns, so that what disturbs the machine disturbs all of them. */

import type { Sample } from './statistics.ts';

/** Measures something once. Called again and again. */
export type Contender = () => Promise<Sample>;

/** Runs A B, B A, A B … and returns a list for each contender. The first turn only warms up. */
export async function takeTurns(
  contenders: readonly Contender[],
  turns: number,
): Promise<Sample[][]> {
  const samples = contenders.map((): Sample[] => []);
  for (let turn = -1; turn < turns; turn += 1) {
    const order = [...contenders.keys()];
    if (turn % 2 === 0) order.reverse();
    for (const index of order) {
      const sample = await contenders[index]?.();
      if (turn >= 0 && sample !== undefined) samples[index]?.push(sample);
    }
  }
  return samples;
}
