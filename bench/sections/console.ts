/**
 * The console on the large file: the CPU of each page, how long it blocks the event loop, and what
 * pushes lose beside someone who clicks from page to page.
 */

import { createService } from '../../src/index.ts';
import { createUser } from '../../src/operations/users.ts';
import { batchOf } from '../batches.ts';
import { type ServerChild, startServer } from '../children.ts';
import { Connection, postBytes, require200 } from '../connection.ts';
import type { Findings } from '../findings.ts';
import type { Lab } from '../lab.ts';
import type { Seed } from '../seed.ts';
import { medianOf, ratiosOf, type Sample, secondsOf, spreadOf } from '../statistics.ts';
import { takeTurns } from '../turns.ts';

/** The user of the bench. */
export const USER = {
  email: 'bench@example.org',
  role: 'owner',
  password: 'three words to bench',
} as const;
/** Answers in one measurement of CPU, whose clock is coarse. */
const REPEATS = 5;
/** Between two clicks. */
const CLICK_MS = 1_000;
const BATCHES = 60;

/** What one page costs. */
interface Cost {
  readonly path: string;
  readonly status: number;
  readonly cpuMs: number;
  readonly heldMs: number;
  readonly longestMs: number;
  readonly bytes: number;
}

/** Measures every page that shows records, and pushes beside them. */
export async function measureConsole(lab: Lab): Promise<Findings> {
  const seed = await lab.copy('console');
  await addUser(seed);
  await addRules(seed);
  const server = await startServer(seed.file);
  const connection = new Connection(server.url);
  try {
    const cookie = await signIn(server.url);
    const costs: Cost[] = [];
    for (const path of pagesOf(seed)) {
      lab.progress(`page: ${path}`);
      costs.push(await measurePage(lab, server, { path, cookie }));
    }
    const beside = await measurePushes(lab, { seed, server, connection, cookie });
    const worst = (of: (cost: Cost) => number) =>
      costs.reduce((most, each) => (of(each) > of(most) ? each : most));
    const [dear, blocking] = [worst(({ cpuMs }) => cpuMs), worst(({ heldMs }) => heldMs)];
    return {
      findings: [
        {
          line: 'CPU of the dearest page of the console',
          value: dear.cpuMs,
          unit: 'ms',
          target: 100,
          note: dear.path,
        },
        {
          line: 'event loop blocked by the worst page of the console',
          value: blocking.heldMs,
          unit: 'ms',
          target: 15,
          note: `${blocking.path}; longest ${blocking.longestMs.toFixed(1)}`,
        },
        { line: 'pushes beside a user, against alone', value: beside, unit: '', target: 1.1 },
      ],
      details: [
        {
          title: 'Pages of the console: CPU and event loop blocked, in ms',
          columns: ['', 'status', 'CPU', 'blocked', 'longest', 'kB'],
          rows: costs.map(({ path, status, cpuMs, heldMs, longestMs, bytes }) => {
            return [path, String(status), cpuMs, heldMs, longestMs, bytes / 1000];
          }),
        },
      ],
    };
  } finally {
    connection.close();
    await server.stop();
    lab.remove(seed);
  }
}

function pagesOf({ projectId }: Seed): string[] {
  return [
    '/',
    '/transactions',
    '/transactions?q=zebra',
    '/transactions?tab=open',
    '/transactions?tab=excluded',
    `/transactions?project=${projectId}`,
    '/rules/run?only=code',
    ...['1', '2'].map((number) => `/rules/rul_${number.padStart(10, '0')}`),
    '/review',
    '/projects',
    `/projects/${projectId}`,
    `/projects/${projectId}?by=quarters`,
    `/projects/${projectId}/edit`,
    '/activity',
    '/settings/keys',
    '/settings/users',
    '/import',
  ];
}

/** Adds the user of the bench. */
export async function addUser({ file, organisationId }: Seed): Promise<void> {
  const service = await createService({ database: file });
  await createUser(service.access(organisationId), USER, service.actor());
  await service.close();
}

/** Adds rules whose pages say what they take: of a contact, and with a text that nobody has. */
async function addRules({ file, organisationId, projectId }: Seed): Promise<void> {
  const service = await createService({ database: file });
  const conditions = [{ contact: { is: 'Supplier 0077 Ltd' } }, { description: { is: 'zebra' } }];
  const rules = conditions.map((each, at) => {
    const shares = [{ project: projectId, line: 'L0', rest: true }];
    return { name: `Rule ${at}`, conditions: each, shares };
  });
  service.rules.import(organisationId, rules);
  await service.close();
}

/** The cookie of a new session. */
export async function signIn(url: string): Promise<string> {
  const { email, password } = USER;
  const answer = await fetch(`${url}/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: url },
    body: new URLSearchParams({ email, password }),
  });
  const [cookie = ''] = answer.headers.getSetCookie();
  if (cookie === '') throw new Error(`not signed in: ${answer.status}`);
  return cookie.split(';', 1)[0] ?? '';
}

interface Click {
  readonly path: string;
  readonly cookie: string;
}

async function click(url: string, { path, cookie }: Click) {
  const answer = await fetch(url + path, { headers: { cookie, accept: 'text/html' } });
  return { status: answer.status, bytes: (await answer.arrayBuffer()).byteLength };
}

async function measurePage(lab: Lab, server: ServerChild, page: Click): Promise<Cost> {
  const { status, bytes } = await click(server.url, page);
  const cpu: number[] = [];
  const held: number[] = [];
  for (let turn = 0; turn < lab.choose(3, 9); turn += 1) {
    const before = await server.usage();
    for (let count = 0; count < REPEATS; count += 1) await click(server.url, page);
    const after = await server.usage();
    cpu.push(((after.cpuSeconds - before.cpuSeconds) * 1000) / REPEATS);
    held.push(await server.heldBy(() => click(server.url, page)));
  }
  const { median, most } = spreadOf(held);
  const { path } = page;
  return { path, status, bytes, cpuMs: medianOf(cpu), heldMs: median, longestMs: most };
}

interface Site {
  readonly seed: Seed;
  readonly server: ServerChild;
  readonly connection: Connection;
  readonly cookie: string;
}

/** How much longer pushes of 500 new rows take while someone clicks. */
async function measurePushes(lab: Lab, site: Site): Promise<number> {
  const { seed, server, connection, cookie } = site;
  let index = 0;
  const push = async (): Promise<Sample> => {
    let seconds = 0;
    for (let count = 0; count < BATCHES; count += 1) {
      const rows = batchOf({ kind: 'new', dates: 'recent', size: seed.size, index });
      index += 1;
      const key = lab.keysOf(seed).next();
      const bytes = postBytes('/api/v1/transactions', key, JSON.stringify({ rows }));
      seconds += require200(await connection.send(bytes), 'a push').seconds;
    }
    return { seconds, cpuSeconds: 0 };
  };
  const paths = pagesOf(seed);
  const besideClicks = async (): Promise<Sample> => {
    let at = 0;
    const timer = setInterval(() => {
      const path = paths[at % paths.length] ?? '/';
      at += 1;
      click(server.url, { path, cookie }).catch(() => {});
    }, CLICK_MS);
    try {
      return await push();
    } finally {
      clearInterval(timer);
    }
  };
  lab.progress('pushes beside a user');
  const [alone = [], beside = []] = await takeTurns([push, besideClicks], lab.choose(7, 21));
  return ratiosOf(beside, alone, secondsOf).median;
}
