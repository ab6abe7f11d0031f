/**
 * Pushing over HTTP, compared with a lean loop of prepared upserts in one process, and with the
 * same service written on Fastify in a day. Neither changes when the service does.
 */

import { PUSH_ROWS } from '../../src/core/limits.ts';
import { type BatchRequest, batchOf, countReviewableBatches } from '../batches.ts';
import { type Child, type ServerChild, startLoop, startPeer, startServer } from '../children.ts';
import { Connection, postBytes, require200 } from '../connection.ts';
import type { Finding, Findings } from '../findings.ts';
import type { KeyRing } from '../key-ring.ts';
import type { Lab } from '../lab.ts';
import { cpuSecondsOf, medianOf, ratiosOf, type Sample, secondsOf } from '../statistics.ts';
import { takeTurns } from '../turns.ts';

/** One kind of push, and the most that it should take. */
interface Kind {
  readonly name: string;
  readonly batch: Pick<BatchRequest, 'kind' | 'dates'>;
  /** CPU, as a ratio to the loop. */
  readonly loopCpu?: number;
  /** Time, as a ratio to the loop. */
  readonly loopTime?: number;
  /** Time, as a ratio to Fastify. */
  readonly peerTime?: number;
}

const NEW = { loopCpu: 1.3, peerTime: 0.6 };
const CHANGED = { loopCpu: 1.3 };
const IDENTICAL = { loopTime: 1.1, peerTime: 0.7 };

const KINDS: readonly Kind[] = [
  { name: 'new rows', batch: { kind: 'new', dates: 'recent' }, ...NEW },
  { name: 'changed rows', batch: { kind: 'changed', dates: 'recent' }, ...CHANGED },
  { name: 'identical rows', batch: { kind: 'identical', dates: 'recent' }, ...IDENTICAL },
  { name: 'new rows, scattered dates', batch: { kind: 'new', dates: 'scattered' }, ...NEW },
  {
    name: 'changed rows, scattered dates',
    batch: { kind: 'changed', dates: 'scattered' },
    ...CHANGED,
  },
  {
    name: 'identical rows, scattered dates',
    batch: { kind: 'identical', dates: 'scattered' },
    ...IDENTICAL,
  },
  { name: 'new rows, a tenth rejected', batch: { kind: 'rejected', dates: 'recent' } },
  { name: 'changed rows, allocated', batch: { kind: 'allocated', dates: 'recent' }, ...CHANGED },
  { name: 'single rows', batch: { kind: 'single', dates: 'recent' } },
];

/** Clients that push at the same time, to count what is written. */
const CLIENTS = 4;

/** A server with a file of its own. */
interface Site {
  readonly server: ServerChild;
  readonly keys: KeyRing;
  readonly connections: readonly Connection[];
}

/** The batches of a kind: each turn uses the next ones. */
interface Plan {
  readonly kind: Kind;
  readonly turns: number;
  /** Batches in a turn. */
  readonly count: number;
  batchAt(index: number): BatchRequest;
}

/** What the contenders took in each turn. */
interface Taken {
  readonly ours: readonly Sample[];
  readonly loop: readonly Sample[];
  readonly peer: readonly Sample[];
}

/** Measures every kind on copies of the large file and of the lean one. */
export async function measurePushing(lab: Lab): Promise<Findings> {
  const seed = await lab.copy('pushed');
  const [looped, peered] = [await lab.leanCopy('looped'), await lab.leanCopy('peered')];
  const ours = openSite(await startServer(seed.file), lab.keysOf(seed));
  const peer = openSite(await startPeer(peered.file), lab.keysOf(peered));
  const loop = startLoop(looped.file);
  const findings: Finding[] = [];
  const rows: (string | number)[][] = [];
  try {
    for (const kind of KINDS) {
      lab.progress(`pushing ${kind.name}`);
      const plan = planBatches(lab, kind, seed.size);
      const taken = await measureKind(plan, { ours, peer, loop });
      findings.push(...judge(kind, taken));
      rows.push(describe(plan, taken));
      if (kind.batch.kind !== 'new') continue;
      findings.push(...(await measureWrites(plan, { ours, peer }, lab.choose(40, 200))));
    }
  } finally {
    for (const connection of [...ours.connections, ...peer.connections]) connection.close();
    await Promise.all([ours.server, peer.server, loop].map((child) => child.stop()));
    for (const each of [seed, looped, peered]) lab.remove(each);
  }
  const columns = [
    'ms per batch of 500',
    'HTTP',
    'CPU',
    'loop',
    'CPU',
    'Fastify',
    'CPU',
    'rows/s over HTTP',
  ];
  return { findings, details: [{ title: 'Pushing', columns, rows }] };
}

function openSite(server: ServerChild, keys: KeyRing): Site {
  const connections = Array.from({ length: CLIENTS }, () => new Connection(server.url));
  return { server, keys, connections };
}

function planBatches(lab: Lab, kind: Kind, size: number): Plan {
  const turns = lab.choose(5, 11);
  const wanted = lab.choose(8, 20);
  const count =
    kind.batch.kind === 'allocated'
      ? Math.max(1, Math.min(wanted, Math.floor(countReviewableBatches(size) / (turns + 1))))
      : wanted;
  return { kind, turns, count, batchAt: (index) => ({ ...kind.batch, size, index }) };
}

async function measureKind(
  { turns, count, batchAt }: Plan,
  { ours, peer, loop }: { ours: Site; peer: Site; loop: Child },
): Promise<Taken> {
  const contender = (run: (requests: BatchRequest[]) => Promise<Sample>) => {
    let used = 0;
    return () => {
      const requests = Array.from({ length: count }, (_, at) => batchAt(used + at));
      used += count;
      return run(requests);
    };
  };
  const [pushed = [], looped = [], peered = []] = await takeTurns(
    [
      contender((requests) => push(ours, requests)),
      contender((requests) => loop.ask<Sample>('push', requests)),
      contender((requests) => push(peer, requests)),
    ],
    turns,
  );
  return { ours: pushed, loop: looped, peer: peered };
}

/** One turn of a server: the batches one after the other on one connection. */
async function push(
  { server, keys, connections }: Site,
  requests: readonly BatchRequest[],
): Promise<Sample> {
  const [connection] = connections;
  if (connection === undefined) throw new Error('no connections');
  const bytes = requests.map((request) => bytesOf(keys, request));
  const before = await server.usage();
  let seconds = 0;
  for (const request of bytes) {
    seconds += require200(await connection.send(request), 'a push').seconds;
  }
  const after = await server.usage();
  return { seconds, cpuSeconds: after.cpuSeconds - before.cpuSeconds };
}

function bytesOf(keys: KeyRing, request: BatchRequest): Buffer {
  const body = JSON.stringify({ rows: batchOf(request) });
  return postBytes('/api/v1/transactions', keys.next(), body);
}

/** What the kernel writes for each row of several clients, after the batches of all turns. */
async function measureWrites(
  { kind, turns, count, batchAt }: Plan,
  { ours, peer }: { ours: Site; peer: Site },
  batches: number,
): Promise<Finding[]> {
  const written = async ({ server, keys, connections }: Site): Promise<number | undefined> => {
    let next = (turns + 1) * count;
    const end = next + batches;
    const { writtenBytes: before } = await server.usage();
    await Promise.all(
      connections.map(async (connection) => {
        while (next < end) {
          const request = bytesOf(keys, batchAt(next));
          next += 1;
          require200(await connection.send(request), 'a push');
        }
      }),
    );
    const { writtenBytes: after } = await server.usage();
    if (before === null || after === null) return undefined;
    return (after - before) / (batches * PUSH_ROWS);
  };
  const [own, other] = [await written(ours), await written(peer)];
  if (own === undefined || other === undefined) return [];
  return [
    {
      line: `push of ${kind.name}: written per row, ${CLIENTS} clients`,
      value: own,
      unit: 'bytes',
      note: `Fastify: ${Math.round(other).toLocaleString('en-GB')}`,
    },
  ];
}

function judge({ name, ...targets }: Kind, { ours, loop, peer }: Taken): Finding[] {
  const lines = [
    ['CPU, ratio to the lean loop', ratiosOf(ours, loop, cpuSecondsOf), targets.loopCpu],
    ['time, ratio to the lean loop', ratiosOf(ours, loop, secondsOf), targets.loopTime],
    ['time, ratio to Fastify', ratiosOf(ours, peer, secondsOf), targets.peerTime],
  ] as const;
  return lines.map(([line, spread, target]) => ({
    line: `push of ${name}: ${line}`,
    value: spread.median,
    unit: '',
    target,
    spread,
  }));
}

function describe({ kind, count }: Plan, { ours, loop, peer }: Taken): (string | number)[] {
  const milliseconds = (samples: readonly Sample[], measure: (sample: Sample) => number) =>
    (medianOf(samples.map(measure)) * 1000) / count;
  const rows = kind.batch.kind === 'single' ? 1 : PUSH_ROWS;
  return [
    kind.name,
    ...[ours, loop, peer].flatMap((samples) => [
      milliseconds(samples, secondsOf),
      milliseconds(samples, cpuSecondsOf),
    ]),
    (rows * 1000) / milliseconds(ours, secondsOf),
  ];
}
