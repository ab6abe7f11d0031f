/** Pushing over HTTP, compared with a loop of prepared upserts in one process. */

import { PUSH_ROWS } from '../../src/core/limits.ts';
import { type BatchRequest, batchOf, countReviewableBatches } from '../batches.ts';
import { type ServerChild, startLimit, startServer } from '../children.ts';
import { Connection, postBytes, require200 } from '../connection.ts';
import { atLeast, atMost, type Finding, type Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import type { Seed } from '../seed.ts';
import { cpuSecondsOf, medianOf, ratiosOf, type Sample, secondsOf } from '../statistics.ts';
import { takeTurns } from '../turns.ts';

/** One kind of push, and its targets. */
interface Kind {
  readonly name: string;
  readonly batch: Pick<BatchRequest, 'kind' | 'dates'>;
  /** Rows per second, as a ratio to the loop. */
  readonly speed?: ReturnType<typeof atLeast>;
  /** CPU seconds, as a ratio to the loop. */
  readonly cpu?: ReturnType<typeof atMost>;
}

const KINDS: readonly Kind[] = [
  {
    name: 'new rows',
    batch: { kind: 'new', dates: 'recent' },
    speed: atLeast(0.75),
    cpu: atMost(1.3),
  },
  { name: 'changed rows', batch: { kind: 'changed', dates: 'recent' }, cpu: atMost(1) },
  { name: 'identical rows', batch: { kind: 'identical', dates: 'recent' }, speed: atLeast(1.2) },
  {
    name: 'new rows, scattered dates',
    batch: { kind: 'new', dates: 'scattered' },
    speed: atLeast(0.75),
    cpu: atMost(1.3),
  },
  {
    name: 'changed rows, scattered dates',
    batch: { kind: 'changed', dates: 'scattered' },
    cpu: atMost(1),
  },
  {
    name: 'identical rows, scattered dates',
    batch: { kind: 'identical', dates: 'scattered' },
    speed: atLeast(1.2),
  },
  { name: 'new rows, a tenth rejected', batch: { kind: 'rejected', dates: 'recent' } },
  { name: 'changed rows, allocated', batch: { kind: 'allocated', dates: 'recent' } },
  { name: 'single rows', batch: { kind: 'single', dates: 'recent' } },
];

/** Measures every kind on two copies of the large file. */
export async function measurePushing(lab: Lab): Promise<Findings> {
  const [ours, theirs] = [await lab.copy('pushed'), await lab.copy('looped')];
  const server = await startServer(ours.file);
  const limit = startLimit(theirs.file);
  const connection = new Connection(server.url);
  const findings: Finding[] = [];
  const rows: (string | number)[][] = [];
  try {
    for (const kind of KINDS) {
      lab.progress(`pushing ${kind.name}`);
      const requestsOf = planBatches(lab, kind, ours);
      const turns = lab.choose(5, 11);
      const counts = [-1, -1];
      const nextRequests = (contender: number) => {
        counts[contender] = (counts[contender] ?? -1) + 1;
        return requestsOf(counts[contender] ?? 0);
      };
      const [pushed = [], looped = []] = await takeTurns(
        [
          () => push({ lab, seed: ours, server, connection }, nextRequests(0)),
          () => limit.ask<Sample>('push', nextRequests(1)),
        ],
        turns,
      );
      findings.push(...judge(kind, pushed, looped));
      rows.push(describe(kind, requestsOf(0).length, pushed, looped));
    }
  } finally {
    connection.close();
    await Promise.all([server.stop(), limit.stop()]);
    lab.remove(ours);
    lab.remove(theirs);
  }
  const columns = ['ms per batch of 500', 'HTTP', 'CPU', 'loop', 'CPU', 'rows/s over HTTP'];
  return { findings, details: [{ title: 'Pushing', columns, rows }] };
}

/** The batches of each turn: every turn uses the next ones. */
function planBatches(lab: Lab, { batch }: Kind, { size }: Seed): (turn: number) => BatchRequest[] {
  const turns = lab.choose(5, 11) + 1;
  const wanted = lab.choose(8, 20);
  const count =
    batch.kind === 'allocated'
      ? Math.max(1, Math.min(wanted, Math.floor(countReviewableBatches(size) / turns)))
      : wanted;
  return (turn) =>
    Array.from({ length: count }, (_, at) => ({ ...batch, size, index: turn * count + at }));
}

/** One turn of the service: the batches one after the other on one connection. */
async function push(
  to: { lab: Lab; seed: Seed; server: ServerChild; connection: Connection },
  requests: readonly BatchRequest[],
): Promise<Sample> {
  const keys = to.lab.keysOf(to.seed);
  const bytes = requests.map((request) => {
    const body = JSON.stringify({ rows: batchOf(request) });
    return postBytes('/api/v1/transactions', keys.next(), body);
  });
  const before = await to.server.usage();
  let seconds = 0;
  for (const request of bytes) {
    const answer = require200(await to.connection.send(request), 'a push');
    seconds += answer.seconds;
  }
  const after = await to.server.usage();
  return { seconds, cpuSeconds: after.cpuSeconds - before.cpuSeconds };
}

function judge(kind: Kind, pushed: readonly Sample[], looped: readonly Sample[]): Finding[] {
  const speed = ratiosOf(looped, pushed, secondsOf);
  const cpu = ratiosOf(pushed, looped, cpuSecondsOf);
  return [
    {
      line: `push of ${kind.name}: rows per second, ratio to the loop`,
      value: speed.median,
      unit: '',
      target: kind.speed,
      spread: speed,
    },
    {
      line: `push of ${kind.name}: CPU, ratio to the loop`,
      value: cpu.median,
      unit: '',
      target: kind.cpu,
      spread: cpu,
    },
  ];
}

function describe(
  kind: Kind,
  batches: number,
  pushed: readonly Sample[],
  looped: readonly Sample[],
): (string | number)[] {
  const milliseconds = (samples: readonly Sample[], measure: (sample: Sample) => number) =>
    (medianOf(samples.map(measure)) * 1000) / batches;
  const rows = kind.batch.kind === 'single' ? 1 : PUSH_ROWS;
  const time = milliseconds(pushed, secondsOf);
  return [
    kind.name,
    time,
    milliseconds(pushed, cpuSecondsOf),
    milliseconds(looped, secondsOf),
    milliseconds(looped, cpuSecondsOf),
    (rows * 1000) / time,
  ];
}
