/** The cost of a key at its limit, 120 pushes of 500 rows per minute, and how many fit. */

import { availableParallelism } from 'node:os';
import { PUSH_ROWS, REQUESTS_PER_MINUTE } from '../../src/core/limits.ts';
import { batchOf } from '../batches.ts';
import { type ServerChild, startServer } from '../children.ts';
import { Connection, postBytes, require200 } from '../connection.ts';
import type { Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import type { Seed } from '../seed.ts';
import { quantile, spreadOf } from '../statistics.ts';

/** Pushes per second with one key. */
const PACE = REQUESTS_PER_MINUTE / 60;
/** Rows per minute of a key at its limit. */
const KEY_ROWS = PUSH_ROWS * REQUESTS_PER_MINUTE;
const CONNECTIONS = 4;

/** Measures one key at its pace, then as many pushes as the server can handle. */
export async function measureLimits(lab: Lab): Promise<Findings> {
  const seed = await lab.copy('limited');
  const server = await startServer(seed.file);
  try {
    lab.progress('one key at its pace');
    const paced = await pushAtPace(lab, seed, server);
    lab.progress('as many pushes as possible');
    const full = await pushWithoutPause(lab, seed, server);
    const keys = full.pushesASecond / PACE;
    return {
      findings: [
        {
          line: `one key at its limit, ${KEY_ROWS} rows per minute: share of a core`,
          value: paced.share * 100,
          unit: '%',
          note: `a push takes ${paced.medianMs.toFixed(1)} ms, at most ${paced.mostMs.toFixed(1)}`,
        },
        {
          line: `keys at their limit that ${availableParallelism()} cores can serve`,
          value: keys,
          unit: 'keys',
          note: describeFull(full),
        },
      ],
      details: [],
    };
  } finally {
    await server.stop();
    lab.remove(seed);
  }
}

function describeFull(full: { pushesASecond: number; share: number; slowMs: number }): string {
  const rows = Math.round(full.pushesASecond * PUSH_ROWS);
  const share = (full.share * 100).toFixed(0);
  const slow = full.slowMs.toFixed(0);
  return `${rows} rows/s on ${CONNECTIONS} connections, ${share}% of a core, p99 ${slow} ms`;
}

async function pushAtPace(lab: Lab, seed: Seed, server: ServerChild) {
  const connection = new Connection(server.url);
  const key = lab.keysOf(seed).reserve(1)[0] ?? '';
  const pushes = lab.choose(20, 60);
  const bodies = Array.from({ length: pushes }, (_, index) => bodyOf(seed, index));
  const times: number[] = [];
  const before = await server.usage();
  const startMs = performance.now();
  for (const [index, body] of bodies.entries()) {
    const dueMs = startMs + (index * 1000) / PACE;
    await new Promise((resolve) => setTimeout(resolve, dueMs - performance.now()));
    const request = postBytes('/api/v1/transactions', key, body);
    times.push(require200(await connection.send(request), 'a push').seconds * 1000);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000 / PACE));
  const seconds = (performance.now() - startMs) / 1000;
  const after = await server.usage();
  connection.close();
  const { median, most } = spreadOf(times);
  const share = (after.cpuSeconds - before.cpuSeconds) / seconds;
  return { share, medianMs: median, mostMs: most };
}

async function pushWithoutPause(lab: Lab, seed: Seed, server: ServerChild) {
  const keys = lab.keysOf(seed);
  const count = lab.choose(120, 600);
  const requests = Array.from({ length: count }, (_, index) => {
    return postBytes('/api/v1/transactions', keys.next(), bodyOf(seed, 1000 + index));
  });
  const times: number[] = [];
  const before = await server.usage();
  const startMs = performance.now();
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = new Connection(server.url);
      for (let next = requests.pop(); next !== undefined; next = requests.pop()) {
        times.push(require200(await connection.send(next), 'a push').seconds * 1000);
      }
      connection.close();
    }),
  );
  const seconds = (performance.now() - startMs) / 1000;
  const after = await server.usage();
  times.sort((a, b) => a - b);
  return {
    pushesASecond: count / seconds,
    share: (after.cpuSeconds - before.cpuSeconds) / seconds,
    slowMs: quantile(times, 0.99),
  };
}

function bodyOf({ size }: Seed, index: number): string {
  return JSON.stringify({ rows: batchOf({ kind: 'new', dates: 'recent', size, index }) });
}
