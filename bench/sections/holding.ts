/**
 * How long the event loop is blocked by 500 valid rows, the worst bodies, pages and a report.
 */

import { PUSH_ROWS } from '../../src/core/limits.ts';
import { type BatchRequest, batchOf, countReviewableBatches } from '../batches.ts';
import { longRows, WORST_BODIES, WORST_ROWS } from '../bodies.ts';
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

type Rows = Pick<BatchRequest, 'kind' | 'dates'>;

const NEAR: readonly Rows[] = [
  { kind: 'new', dates: 'recent' },
  { kind: 'changed', dates: 'recent' },
  { kind: 'identical', dates: 'recent' },
  { kind: 'rejected', dates: 'recent' },
  { kind: 'allocated', dates: 'recent' },
];
const SCATTERED: readonly Rows[] = [
  { kind: 'new', dates: 'scattered' },
  { kind: 'changed', dates: 'scattered' },
  { kind: 'identical', dates: 'scattered' },
];

/** Batches of long rows, among which searches find nothing. */
const LONG_BATCHES = 40;

/** Measures rows, bodies and reads on one server. */
export async function measureHolding(lab: Lab): Promise<Findings> {
  const seed = await lab.copy('held');
  const server = await startServer(seed.file);
  const connection = new Connection(server.url);
  const site: Site = { lab, seed, server, connection };
  try {
    const near = await holdByRows(site, NEAR);
    const scattered = await holdByRows(site, SCATTERED);
    const bodies = await holdByBodies(site);
    const path = `/api/v1/projects/${seed.projectId}/report`;
    const report = await hold(site, 'report', 5, () => get(site, path));
    const pages = await holdByPages(site);
    const slowOf = ({ slowMs }: Held) => slowMs;
    return {
      findings: [
        longest('event loop blocked by 500 valid rows', near, 15),
        worstOfAll('the same, 95th percentile', near, slowOf),
        longest('event loop blocked by 500 valid rows, scattered dates', scattered, 25),
        worstOfAll('the same, 95th percentile', scattered, slowOf),
        longest('event loop blocked by the worst body within 4 MiB', bodies, 50),
        longest('event loop blocked by the worst page', pages, 15),
        worstOfAll('event loop blocked by a report', [report], ({ spread }) => spread.median),
      ],
      details: [
        toDetail('500 valid rows', [...near, ...scattered]),
        toDetail('bodies within 4 MiB', bodies),
        toDetail('reads', [report, ...pages]),
      ],
    };
  } finally {
    connection.close();
    await server.stop();
    lab.remove(seed);
  }
}

/** Ordinary rows, batch after batch, including checkpoints. */
async function holdByRows(site: Site, kinds: readonly Rows[]): Promise<Held[]> {
  const { lab, seed } = site;
  const batches = lab.choose(30, 100);
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

async function holdByPages(site: Site): Promise<Held[]> {
  const { projectId, smallProjectId } = site.seed;
  const lists = {
    'q, no match': 'q=zebra+crossing',
    'q, no match, by updatedAt': 'q=zebra+crossing&order=updatedAt',
    'provider 1%': 'provider=manual&limit=1000',
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
  const path = `/api/v1/projects/${projectId}/allocations?limit=1000`;
  held.push(await hold(site, 'allocations', 5, () => get(site, path)));
  for (let index = 0; index < LONG_BATCHES; index += 1) {
    const status = await post(site, longRows(index * PUSH_ROWS));
    if (status !== 200) throw new Error(`long rows: ${status} instead of 200`);
  }
  const search = '/api/v1/transactions?q=zebra+crossing';
  held.push(await hold(site, 'q, no match, long texts', 3, () => get(site, search)));
  return held;
}

/** Each step of allocation by account code, on a file of its own. */

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
    const heldMs = await server.heldBy(async () => {
      status = await request(Math.max(index, 0));
    });
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

function longest(line: string, held: readonly Held[], target: number): Finding {
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
