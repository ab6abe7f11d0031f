/**
 * Pages of every filter over HTTP, on the large file. They are compared with the small file, and
 * with the query and its JSON in one process plus bare node:http sending the same bytes.
 */

import { readId } from '../../src/core/ids.ts';
import type { Position } from '../children/limit-pages.ts';
import { type Child, type ServerChild, startBare, startLimit, startServer } from '../children.ts';
import { Connection, getBytes, require200 } from '../connection.ts';
import { cursorAfter } from '../deep-cursors.ts';
import type { Finding, Findings } from '../findings.ts';
import { type Lab, SMALL_SIZE } from '../lab.ts';
import { type Scenario, scenariosFor } from '../scenarios.ts';
import type { Seed } from '../seed.ts';
import {
  cpuSecondsOf,
  medianOf,
  ratiosOf,
  type Sample,
  type Spread,
  secondsOf,
  spreadOf,
} from '../statistics.ts';
import { takeTurns } from '../turns.ts';

/** One seeded file, with the service and the limit that use it. */
interface Site {
  readonly seed: Seed;
  readonly server: ServerChild;
  readonly connection: Connection;
  readonly limit: Child;
  readonly project: number;
}

/** The kinds of pages: a size, at the start or deep in the list. */
const PAGES = [
  { name: '100, first', limit: 100, isDeep: false },
  { name: '1,000, first', limit: 1000, isDeep: false },
  { name: '100, deep', limit: 100, isDeep: true },
  { name: '1,000, deep', limit: 1000, isDeep: true },
] as const;
type Page = (typeof PAGES)[number];

/** The figures of one filter for one kind of page. */
interface PageResult {
  readonly scenario: string;
  readonly page: Page;
  /** Items of the page in the small file. */
  readonly items: number;
  /** Whether the filter matches at least 1% of the list. */
  readonly isCommon: boolean;
  /** How long a page of a rare filter blocked the event loop, in ms; not measured for others. */
  readonly held: Spread;
  readonly ms: number;
  readonly smallMs: number;
  readonly limitMs: number;
  readonly bareMs: number;
  readonly growth: Spread;
  readonly ofLimit: Spread;
  readonly cpuOfLimit: Spread;
}

/** A deep page begins nine tenths of the way through the list. */
const DEEP_SHARE = 0.9;
/** A turn repeats its request for about this long. */
const TURN_SECONDS = 0.03;
/** Requests at the start of a turn that do not count. */
const WARM_UP = 5;
/** A slower page gets only two turns. */
const SLOW_SECONDS = 0.25;
const HELD_REPEATS = 3;
/** What matches less of its list is rare. Generated shares of 1% are a little more or less. */
const COMMON_SHARE = 0.009;
const SMALL_TEXT = SMALL_SIZE.toLocaleString('en-GB');

/** Measures every page of every filter. */
export async function measureReading(lab: Lab): Promise<Findings> {
  const large = await openSite(await lab.large());
  const small = await openSite(await lab.small());
  const bare = await startBare();
  const bareConnection = new Connection(bare.url);
  const results: PageResult[] = [];
  try {
    const scenarios = scenariosOf(large);
    const totals = await countLists(large, scenarios);
    for (const scenario of scenarios) {
      const smallScenario = scenariosOf(small).find(({ name }) => name === scenario.name);
      if (smallScenario === undefined) continue;
      const ends = await Promise.all([findDeep(large, scenario), findDeep(small, smallScenario)]);
      for (const page of PAGES) {
        if (page.isDeep && ends.some(({ count }) => count < 20)) continue;
        lab.progress(`${scenario.name}, ${page.name}`);
        const sites = [
          { site: large, scenario, after: page.isDeep ? ends[0].position : null },
          { site: small, scenario: smallScenario, after: page.isDeep ? ends[1].position : null },
        ] as const;
        const isCommon = ends[0].count >= COMMON_SHARE * totals[scenario.list];
        const to = { bare, connection: bareConnection, isCommon };
        results.push(await measurePage(lab, page, sites, to));
      }
    }
  } finally {
    bareConnection.close();
    await Promise.all([closeSite(large), closeSite(small), bare.stop()]);
  }
  return { findings: summarise(results), details: [toDetail(results)] };
}

async function openSite(seed: Seed): Promise<Site> {
  const server = await startServer(seed.file);
  const project = readId('prj', seed.projectId) ?? 0;
  const connection = new Connection(server.url);
  return { seed, server, connection, limit: startLimit(seed.file), project };
}

async function closeSite({ server, connection, limit }: Site): Promise<void> {
  connection.close();
  await Promise.all([server.stop(), limit.stop()]);
}

function scenariosOf({ seed, project }: Site): Scenario[] {
  return scenariosFor(seed, {
    project,
    smallProject: readId('prj', seed.smallProjectId) ?? 0,
    budgetLine: readId('bln', seed.budgetLineId) ?? 0,
  });
}

function findDeep({ limit }: Site, scenario: Scenario) {
  return limit.ask<{ position: Position | null; count: number }>('position', {
    scenario,
    share: DEEP_SHARE,
  });
}

/** The length of each list without a filter. */
async function countLists(site: Site, scenarios: readonly Scenario[]) {
  const all = scenarios.find(({ list, query }) => {
    return list === 'allocations' && Object.keys(query).length === 0;
  });
  if (all === undefined) throw new Error('no scenario lists all allocations');
  return { transactions: site.seed.size, allocations: (await findDeep(site, all)).count };
}

interface Asked {
  readonly site: Site;
  readonly scenario: Scenario;
  readonly after: Position | null;
}

/**
 * The turns of one page: large, small, the query in one process, bare node:http. If the page of the
 * small file is not full, growth compares it with as many items of the large one.
 */
async function measurePage(
  lab: Lab,
  page: Page,
  [large, small]: readonly [Asked, Asked],
  { bare, connection, isCommon }: { bare: ServerChild; connection: Connection; isCommon: boolean },
): Promise<PageResult> {
  const path = pathOf(large, page.limit);
  const smallPath = pathOf(small, page.limit);
  const items = countItems(await ask(lab, small.site, smallPath));
  const fewer = items === 0 || items === page.limit ? undefined : pathOf(large, items);
  const probe = await ask(lab, large.site, path);
  await bare.ask('body', probe.body.toString('utf8'));
  const query = async (repeats: number) => {
    const { scenario, after } = large;
    const request = { scenario, limit: page.limit, after, repeats };
    return each(await large.site.limit.ask<Sample>('page', request), repeats);
  };
  const repeats = repeatsFor(probe.seconds);
  const { seconds: limitSeconds } = await query(1);
  const nothing = getBytes('/', 'none');
  const [ours = [], little = [], queried = [], handed = [], equal = ours] = await takeTurns(
    [
      () => measureServer(large.site.server, repeats, () => ask(lab, large.site, path)),
      () => measureServer(small.site.server, repeats, () => ask(lab, small.site, smallPath)),
      () => query(repeatsFor(limitSeconds)),
      () => measureServer(bare, repeats, () => connection.send(nothing)),
      ...(fewer === undefined
        ? []
        : [() => measureServer(large.site.server, repeats, () => ask(lab, large.site, fewer))]),
    ],
    Math.max(probe.seconds, limitSeconds) > SLOW_SECONDS ? 2 : lab.choose(3, 7),
  );
  const heldMs: number[] = [];
  while (!isCommon && heldMs.length < HELD_REPEATS) {
    heldMs.push(await large.site.server.heldBy(() => ask(lab, large.site, path)));
  }
  const limits = queried.map((sample, turn) => add(sample, handed[turn]));
  const milliseconds = (samples: readonly Sample[]) => medianOf(samples.map(secondsOf)) * 1000;
  return {
    scenario: large.scenario.name,
    page,
    items,
    isCommon,
    held: spreadOf(heldMs),
    ms: milliseconds(ours),
    smallMs: milliseconds(little),
    limitMs: milliseconds(queried),
    bareMs: milliseconds(handed),
    growth: ratiosOf(equal, little, secondsOf),
    ofLimit: ratiosOf(ours, limits, secondsOf),
    cpuOfLimit: ratiosOf(ours, limits, cpuSecondsOf),
  };
}

function pathOf({ site, scenario, after }: Asked, limit: number): string {
  const query = new URLSearchParams({ ...scenario.query, limit: String(limit) });
  if (after !== null) query.set('cursor', cursorAfter(scenario, site.project, after));
  const list =
    scenario.list === 'transactions'
      ? 'transactions'
      : `projects/${site.seed.projectId}/allocations`;
  return `/api/v1/${list}?${query}`;
}

function countItems({ body }: { body: Buffer }): number {
  return (JSON.parse(body.toString('utf8')) as { data: unknown[] }).data.length;
}

async function ask(lab: Lab, { seed, connection }: Site, path: string) {
  return require200(await connection.send(getBytes(path, lab.keysOf(seed).next())), path);
}

async function measureServer(
  server: Child,
  repeats: number,
  request: () => Promise<{ seconds: number }>,
): Promise<Sample> {
  // Other contenders have used the caches of the processor in between: warm them up again.
  for (let count = 0; count < Math.min(WARM_UP, repeats); count += 1) await request();
  const before = await server.usage();
  let seconds = 0;
  for (let count = 0; count < repeats; count += 1) seconds += (await request()).seconds;
  const after = await server.usage();
  return each({ seconds, cpuSeconds: after.cpuSeconds - before.cpuSeconds }, repeats);
}

function repeatsFor(seconds: number): number {
  return Math.max(1, Math.min(40, Math.ceil(TURN_SECONDS / seconds)));
}

/** The time of one repeat. */
function each({ seconds, cpuSeconds }: Sample, repeats: number): Sample {
  return { seconds: seconds / repeats, cpuSeconds: cpuSeconds / repeats };
}

function add(one: Sample, other: Sample | undefined): Sample {
  return {
    seconds: one.seconds + (other?.seconds ?? 0),
    cpuSeconds: one.cpuSeconds + (other?.cpuSeconds ?? 0),
  };
}

/** The worst filter for each kind of page, and the worst of all rare ones. */
function summarise(results: readonly PageResult[]): Finding[] {
  const pages = PAGES.flatMap((page) => {
    const own = results.filter((result) => result.page === page);
    const common = own.filter(({ isCommon }) => isCommon);
    const name = `page of ${page.name}`;
    const ofLimit = worst(own, `${name}: time, ratio to query, JSON and bare node:http`, {
      measure: (result) => result.ofLimit,
      target: 1.7,
    });
    const worstCommon = Math.max(...common.map((result) => result.ofLimit.median));
    return [
      worst(common, `${name}, common filter: time, ratio to ${SMALL_TEXT} transactions`, {
        measure: ({ growth }) => growth,
        target: 1.5,
      }),
      { ...ofLimit, note: `${ofLimit.note}; worst common ${worstCommon.toFixed(2)}` },
      worst(own, `${name}: CPU, ratio to query, JSON and bare node:http`, {
        measure: ({ cpuOfLimit }) => cpuOfLimit,
      }),
    ];
  });
  return [...pages, ...summariseRare(results.filter(({ isCommon }) => !isCommon))];
}

function summariseRare(rare: readonly PageResult[]): Finding[] {
  const [slowest] = [...rare].sort((a, b) => b.ms - a.ms);
  const [longest] = [...rare].sort((a, b) => b.held.median - a.held.median);
  if (slowest === undefined || longest === undefined) return [];
  const nameOf = ({ scenario, page }: PageResult) =>
    `worst of ${rare.length}: ${scenario}, ${page.name}`;
  return [
    {
      line: 'page of a rare filter: time',
      value: slowest.ms,
      unit: 'ms',
      target: 250,
      note: nameOf(slowest),
    },
    {
      line: 'event loop blocked by a page of a rare filter',
      value: longest.held.median,
      unit: 'ms',
      target: 15,
      spread: longest.held,
      note: nameOf(longest),
    },
  ];
}

function worst(
  results: readonly PageResult[],
  line: string,
  { measure, target }: { measure: (result: PageResult) => Spread; target?: number },
): Finding {
  const sorted = [...results].sort((a, b) => measure(b).median - measure(a).median);
  const [first] = sorted;
  const over = sorted.filter((result) => measure(result).median > (target ?? 0)).length;
  const median = medianOf(results.map((result) => measure(result).median));
  return {
    line,
    value: first === undefined ? Number.NaN : measure(first).median,
    unit: '',
    target,
    spread: first && measure(first),
    note:
      `worst of ${results.length}: ${first?.scenario}; median ${median.toFixed(2)}` +
      (target === undefined ? '' : `, ${over} above target`),
  };
}

function toDetail(results: readonly PageResult[]) {
  return {
    title: 'Reading: milliseconds per page',
    columns: [
      'filter',
      'page',
      'HTTP',
      `at ${SMALL_TEXT}`,
      'items there',
      'query+JSON',
      'bare HTTP',
      'growth',
      'to limit',
      'CPU to limit',
      'blocked',
    ],
    rows: results.map((result) => [
      result.scenario,
      result.page.name,
      result.ms,
      result.smallMs,
      String(result.items),
      result.limitMs,
      result.bareMs,
      result.growth.median,
      result.ofLimit.median,
      result.cpuOfLimit.median,
      result.isCommon ? 'common' : result.held.median,
    ]),
  };
}
