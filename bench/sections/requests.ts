/** The cheapest authenticated GET: CPU and requests per second, compared with bare node:http. */

import { REQUESTS_PER_MINUTE } from '../../src/core/limits.ts';
import type { Load, LoadResult } from '../children/generator.ts';
import { Child, type ServerChild, scriptArgs, startBare, startServer } from '../children.ts';
import { Connection, getBytes, require200 } from '../connection.ts';
import type { Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import { cpuSecondsOf, medianOf, ratiosOf, type Sample, secondsOf } from '../statistics.ts';
import { takeTurns } from '../turns.ts';

const CONNECTIONS = 32;
/** More than any server here can answer. */
const REQUESTS_PER_SECOND = 40_000;

/** Measures one project, read again and again. */
export async function measureRequests(lab: Lab): Promise<Findings> {
  const seed = await lab.large();
  const [server, bare] = [await startServer(seed.file), await startBare()];
  const generator = new Child(scriptArgs('generator'));
  const path = `/api/v1/projects/${seed.projectId}`;
  const keys = lab.keysOf(seed);
  const seconds = lab.choose(0.5, 1);
  const shares: number[] = [];
  const tails: number[][] = [[], []];
  try {
    const connection = new Connection(server.url);
    const { body } = require200(await connection.send(getBytes(path, keys.next())), path);
    connection.close();
    await bare.ask('body', body.toString('utf8'));
    lab.progress(path);
    const measure = async (child: ServerChild, at: number, own: readonly string[]) => {
      const port = Number(new URL(child.url).port);
      const load: Load = {
        port,
        connections: CONNECTIONS,
        seconds,
        path,
        keys: own,
        perKey: REQUESTS_PER_MINUTE - 5,
      };
      const before = await child.usage();
      const result = await generator.ask<LoadResult>('run', load);
      const after = await child.usage();
      if (result.refused > 0) throw new Error(`${result.refused} requests were refused`);
      shares.push(result.ownShare);
      tails[at]?.push(result.slowMs);
      // Per answer, because the number of answers differs between turns.
      return {
        seconds: result.seconds / result.answers,
        cpuSeconds: (after.cpuSeconds - before.cpuSeconds) / result.answers,
      };
    };
    const few = Array.from({ length: 1000 }, () => 'none');
    const [ours = [], theirs = []] = await takeTurns(
      [
        () => measure(server, 0, keys.reserve(REQUESTS_PER_SECOND * seconds)),
        () => measure(bare, 1, few),
      ],
      lab.choose(5, 9),
    );
    return summarise(ours, theirs, { shares, tails });
  } finally {
    await Promise.all([server, bare, generator].map((child) => child.stop()));
  }
}

function summarise(
  ours: readonly Sample[],
  theirs: readonly Sample[],
  { shares, tails }: { shares: readonly number[]; tails: readonly (readonly number[])[] },
): Findings {
  const speed = ratiosOf(theirs, ours, secondsOf);
  const cpu = ratiosOf(ours, theirs, cpuSecondsOf);
  const row = (name: string, samples: readonly Sample[], at: number) => [
    name,
    1 / medianOf(samples.map(secondsOf)),
    medianOf(samples.map(cpuSecondsOf)) * 1e6,
    medianOf(tails[at] ?? []),
  ];
  const own = Math.round(medianOf(shares) * 100);
  return {
    findings: [
      {
        line: 'cheapest authenticated GET: requests per second, ratio to bare node:http',
        value: speed.median,
        unit: '',
        spread: speed,
        note: `the load generator used ${own}% of its core`,
      },
      {
        line: 'cheapest authenticated GET: CPU, ratio to bare node:http',
        value: cpu.median,
        unit: '',
        target: 1.6,
        spread: cpu,
      },
    ],
    details: [
      {
        title: `Requests: GET of one project, ${CONNECTIONS} connections`,
        columns: ['', 'requests/s', 'CPU, µs each', 'p99, ms'],
        rows: [row('budgetd', ours, 0), row('bare node:http', theirs, 1)],
      },
    ],
  };
}
