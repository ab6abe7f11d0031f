/** A run of 200 rules, compared with a plain loop, and pushes after which the rules run. */

import { createService } from '../../src/index.ts';
import { batchOf } from '../batches.ts';
import type { RunTaken } from '../children/allocating.ts';
import { runScript, startServer } from '../children.ts';
import { Connection, postBytes, require200 } from '../connection.ts';
import type { Finding, Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import { RULES, rulesProject } from '../rules.ts';
import { copySeed, type Seed } from '../seed.ts';
import { ratiosOf, secondsOf, spreadOf } from '../statistics.ts';
import { type Contender, takeTurns } from '../turns.ts';

const PUSH = '/api/v1/transactions';

/** Measures the run on copies of the large files, and pushes to copies of the small one. */
export async function measureRules(lab: Lab): Promise<Findings> {
  const run = await measureRun(lab);
  return { findings: [...run, await measurePushes(lab)], details: [] };
}

async function measureRun(lab: Lab): Promise<Finding[]> {
  const seed = await lab.copy('ruled');
  const copies = [seed, await lab.leanCopy('looped'), await lab.copy('watched')] as const;
  const [, lean, watched] = copies;
  lab.progress(`a run of ${RULES.length} rules`);
  try {
    const script = ['allocating', seed.file, seed.organisationId, lean.file, watched.file] as const;
    const taken = await runScript<RunTaken>(...script);
    if (taken.allocated !== taken.loopAllocated) {
      throw new Error(`${taken.allocated} allocated, and ${taken.loopAllocated} by the loop`);
    }
    const { median, most } = spreadOf(taken.heldMs);
    const micros = Math.round((taken.cpuSeconds / taken.allocated) * 1e6);
    const all = taken.allocated.toLocaleString('en-GB');
    return [
      {
        line: `a run of ${RULES.length} rules: CPU, ratio to a plain loop`,
        value: taken.cpuSeconds / taken.loopCpuSeconds,
        unit: '',
        target: 3,
        note: `${micros} µs for each of ${all} allocated`,
      },
      {
        line: 'event loop blocked by the longest step of it',
        value: most,
        unit: 'ms',
        target: 15,
        note: `${taken.heldMs.length} steps, median ${median.toFixed(1)}`,
      },
    ];
  } finally {
    for (const each of copies) lab.remove(each);
  }
}

/** Pushes of new rows, with automatic rules and without, in turns. */
async function measurePushes(lab: Lab): Promise<Finding> {
  lab.progress('pushes before automatic rules');
  const seeds = [await copyWith(lab, true), await copyWith(lab, false)];
  const servers = await Promise.all(seeds.map(({ file }) => startServer(file)));
  const connections = servers.map(({ url }) => new Connection(url));
  try {
    const contenders = seeds.map((seed, at): Contender => {
      let index = 0;
      return async () => {
        const startMs = performance.now();
        for (let batch = 0; batch < 10; batch += 1) {
          const rows = batchOf({ kind: 'new', dates: 'recent', size: seed.size, index });
          index += 1;
          const bytes = postBytes(PUSH, lab.keysOf(seed).next(), JSON.stringify({ rows }));
          const answer = await connections[at]?.send(bytes);
          if (answer !== undefined) require200(answer, 'a push');
        }
        return { seconds: (performance.now() - startMs) / 1000, cpuSeconds: 0 };
      };
    });
    const [ours = [], theirs = []] = await takeTurns(contenders, lab.choose(15, 41));
    const spread = ratiosOf(ours, theirs, secondsOf);
    const line = 'push of new rows with automatic rules: time, ratio to without';
    return { line, value: spread.median, unit: '', target: 1.1, spread };
  } finally {
    for (const connection of connections) connection.close();
    await Promise.all(servers.map((server) => server.stop()));
    for (const seed of seeds) lab.remove(seed);
  }
}

async function copyWith(lab: Lab, automatic: boolean): Promise<Seed> {
  const seed = copySeed(await lab.small(), automatic ? 'automatic' : 'waiting');
  const service = await createService({ database: seed.file });
  service.projects.import(seed.organisationId, [rulesProject()]);
  service.rules.import(seed.organisationId, { automatic, byAccountCode: false, rules: RULES });
  await service.rules.run(seed.organisationId);
  await service.close();
  return seed;
}
