/** How long the event loop is blocked by 500 valid rows, the worst bodies and the worst reads. */

import { type BatchRequest, batchOf, countReviewableBatches } from '../batches.ts';
import { WORST_BODIES, WORST_ROWS } from '../bodies.ts';
import { type ServerChild, startServer } from '../children.ts';
import { Connection, getBytes, postBytes } from '../connection.ts';
import type { Finding, Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import type { Seed } from '../seed.ts';
import { quantile, type Spread, spreadOf } from '../statistics.ts';

/** How long one kind of request blocked the loop. */
interface Held {
  readonly name: string;
  readonly spread: Spread;
  /** The 95th percentile. */
  readonly slowMs: number;
  readonly status: number;
}

/** A server and a connection to it. */
interface Site {
  readonly lab: Lab;
  readonly seed: Seed;
  readonly server: ServerChild;
  readonly connection: Connection;
}

/** Measures rows, bodies and reads on one server. */
export async function measureHolding(lab: Lab): Promise<Findings> {
  const seed = await lab.copy('held');
  const server = await startServer(seed.file);
  const connection = new Connection(server.url);
  const site: Site = { lab, seed, server, connection };
  try {
    const valid = await holdByRows(site);
    const bodies = await holdByBodies(site);
    const reads = await holdByReads(site);
    return {
      findings: [
        longest('event loop blocked by 500 valid rows', valid, 15),
        worstOfAll('the same, 95th percentile', valid, ({ slowMs }) => slowMs),
        longest('event loop blocked by the worst body within 4 MiB', bodies, 50),
        longest('event loop blocked by the worst read', reads, undefined),
      ],
      details: [
        toDetail('500 valid rows', valid),
        toDetail('bodies within 4 MiB', bodies),
        toDetail('reads', reads),
      ],
    };
  } finally {
    connection.close();
    await server.stop();
    lab.remove(seed);
  }
}

/** Ordinary rows, batch after batch, including checkpoints. */
async function holdByRows(site: Site): Promise<Held[]> {
  const { lab, seed } = site;
  const batches = lab.choose(30, 100);
  const kinds: Pick<BatchRequest, 'kind' | 'dates'>[] = [
    { kind: 'new', dates: 'recent' },
    { kind: 'new', dates: 'scattered' },
    { kind: 'changed', dates: 'recent' },
    { kind: 'changed', dates: 'scattered' },
    { kind: 'identical', dates: 'scattered' },
    { kind: 'rejected', dates: 'recent' },
    { kind: 'allocated', dates: 'recent' },
  ];
  const held: Held[] = [];
  for (const batch of kinds) {
    const most = batch.kind === 'allocated' ? countReviewableBatches(seed.size) : batches;
    const count = Math.min(batches, most);
    const name = `${batch.kind}${batch.dates === 'scattered' ? ', scattered dates' : ''}`;
    const bodyOf = (index: number) =>
      JSON.stringify({ rows: batchOf({ ...batch, size: seed.size, index }) });
    held.push(await hold(site, name, count, (index) => post(site, bodyOf(index))));
  }
  return held;
}

async function holdByBodies(site: Site): Promise<Held[]> {
  const held: Held[] = [];
  for (const [name, make] of Object.entries({ ...WORST_BODIES, ...WORST_ROWS })) {
    const body = Buffer.from(make());
    held.push(await hold(site, name, site.lab.choose(3, 7), () => post(site, body)));
  }
  return held;
}

async function holdByReads(site: Site): Promise<Held[]> {
  const { projectId, smallProjectId } = site.seed;
  const lists = {
    'q, no match': 'q=zebra+crossing',
    'q, no match, by updatedAt': 'q=zebra+crossing&order=updatedAt',
    'provider 1 %': 'provider=manual&limit=1000',
    'provider and status': 'provider=manual&status=excluded&limit=1000',
    'updatedSince, no match': 'updatedSince=2100-01-01T00:00:00Z',
    'all statuses': 'status=unallocated,allocated,partially_allocated,needs_review,excluded',
    'projectId, half': `projectId=${projectId}&limit=1000`,
    'projectId, 1 in 1,000': `projectId=${smallProjectId}&limit=1000`,
    'projectId, no match': 'projectId=prj_none',
    'contact by updatedAt': 'contact=Supplier+0077+Ltd&order=updatedAt&limit=1000',
  };
  const held: Held[] = [];
  for (const [name, query] of Object.entries(lists)) {
    held.push(await hold(site, name, 3, () => get(site, `/api/v1/transactions?${query}`)));
  }
  const project = `/api/v1/projects/${projectId}`;
  held.push(await hold(site, 'report', 5, () => get(site, `${project}/report`)));
  const path = `${project}/allocations?limit=1000`;
  held.push(await hold(site, 'allocations', 5, () => get(site, path)));
  return held;
}

async function hold(
  { lab, server }: Site,
  name: string,
  count: number,
  request: (index: number) => Promise<number>,
): Promise<Held> {
  lab.progress(`blocked by: ${name}`);
  const times: number[] = [];
  let status = 0;
  for (let index = -1; index < count; index += 1) {
    await server.ask('watch');
    status = await request(Math.max(index, 0));
    const heldMs = await server.ask<number>('heldMs');
    if (index >= 0) times.push(heldMs);
  }
  const sorted = [...times].sort((a, b) => a - b);
  return { name, status, spread: spreadOf(times), slowMs: quantile(sorted, 0.95) };
}

async function post({ lab, seed, connection }: Site, body: string | Uint8Array): Promise<number> {
  const key = lab.keysOf(seed).next();
  return (await connection.send(postBytes('/api/v1/transactions', key, body))).status;
}

async function get({ lab, seed, connection }: Site, path: string): Promise<number> {
  return (await connection.send(getBytes(path, lab.keysOf(seed).next()))).status;
}

function longest(line: string, held: readonly Held[], target: number | undefined): Finding {
  const finding = worstOfAll(line, held, ({ spread }) => spread.median);
  return { ...finding, target };
}

function worstOfAll(line: string, held: readonly Held[], of: (each: Held) => number): Finding {
  const [worst, second] = [...held].sort((a, b) => of(b) - of(a));
  const next = second === undefined ? '' : `; next: ${second.name}, ${of(second).toFixed(1)}`;
  return {
    line,
    value: worst === undefined ? Number.NaN : of(worst),
    unit: 'ms',
    spread: worst?.spread,
    note: `${worst?.name}; longest ${worst?.spread.most.toFixed(1)}${next}`,
  };
}

function toDetail(title: string, held: readonly Held[]) {
  const sorted = [...held].sort((a, b) => b.spread.median - a.spread.median);
  return {
    title: `Event loop blocked, in ms: ${title}`,
    columns: ['', 'status', 'median', 'least', 'p95', 'longest'],
    rows: sorted.map(({ name, status, spread, slowMs }) => [
      name,
      String(status),
      spread.median,
      spread.least,
      slowMs,
      spread.most,
    ]),
  };
}
