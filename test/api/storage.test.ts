/** A database that another process has locked, and a full disk (contract 3, 6). */

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { TransactionList } from '../../src/api/contract.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { canMount } from '../mounts.ts';
import { row, startApi } from './harness.ts';
import { PUSH, Requests } from './requests.ts';

const folder = mkdtempSync(join(tmpdir(), 'budgetd-storage-'));
const Driver = loadDriver();
const lockedFile = join(folder, 'locked.db');
const api = await startApi({ database: lockedFile, create: true, busyTimeoutMs: 20 });

describe('3 a database that another process writes to', () => {
  const other = new Driver(lockedFile);
  after(() => other.close());
  const batch = (name: string) => Array.from({ length: 500 }, (_, at) => row(`${name}-${at}`));
  const countOf = async (q: string) => {
    return (await api.get<TransactionList>(`${PUSH}?limit=1000&q=${q}`)).data.length;
  };

  for (const lock of ['immediate', 'exclusive']) {
    test(`begin ${lock}: 503 unavailable, nothing is stored, reads work`, async () => {
      other.exec(`begin ${lock}`);
      const audited = api.service.audit.list(api.pounds.id).length;
      for (const target of [PUSH, `${PUSH}?dryRun=true`]) {
        const answer = await api.ask({ target, body: { rows: batch(lock) } });
        assert.equal(answer.status, 503);
        assert.equal((answer.document as { code: string }).code, 'unavailable');
        assert.ok(answer.headers.has('retry-after') && answer.headers.has('x-ratelimit-limit'));
      }
      assert.deepEqual(
        api.takeEvents().map(({ code }) => code),
        ['unavailable', 'unavailable'],
      );
      assert.equal(await countOf(lock), 0);
      for (const target of ['/api/v1/projects', '/readyz']) {
        assert.equal((await api.ask({ target })).status, 200);
      }
      assert.equal(api.service.audit.list(api.pounds.id).length, audited);
      other.exec('rollback');
      assert.equal((await api.push(batch(lock))).meta.created, 500);
      assert.equal(await countOf(lock), 500);
    });
  }

  test('another process that only reads blocks nothing', async () => {
    other.exec('begin');
    other.prepare('select count(*) from transactions').get();
    assert.equal((await api.push([row('READ')])).meta.created, 1);
    other.exec('commit');
  });
});

/** A way to limit the writes of a process, and to give it more space. */
interface Limited {
  readonly name: string;
  /** Why this machine cannot run it; undefined if it can. */
  readonly missing: string | undefined;
  /** The shell command that starts the server, with the folder as $1. */
  readonly shell: string;
  readonly spareBytes: number;
  makeRoom(server: FullServer): Promise<void>;
}

const TMPFS = 'mount -t tmpfs -o size=4m none "$1"';
const LIMITED: readonly Limited[] = [
  {
    name: 'a full file system (a separate tmpfs)',
    missing: canMount() ? undefined : 'this user cannot mount: limited files are tested instead',
    shell: `exec unshare -rm sh -c '${TMPFS} && shift && exec "$@"' sh "$@"`,
    spareBytes: 2 * 1024 * 1024,
    makeRoom: async (server) => assert.equal(await server.tell('spare'), 'spared'),
  },
  {
    name: 'files that cannot grow (ulimit -f)',
    missing: process.platform === 'win32' ? 'Windows has no ulimit' : undefined,
    shell: 'ulimit -f 4096 && shift && exec "$@"',
    spareBytes: 0,
    // The write-ahead log reached the limit: a checkpoint empties it.
    makeRoom: async (server) => {
      const other = new Driver(join(server.folder, 'full.db'));
      other.pragma('wal_checkpoint(truncate)');
      other.close();
    },
  },
];

for (const limited of LIMITED) {
  const skip = limited.missing ?? false;
  test(`3 ${limited.name}: 503 storage_full, no partial batch, reads work`, { skip }, async () => {
    const server = await FullServer.start(limited);
    const stored: string[] = [];
    let refusedAt = '';
    // Twice, because a checkpoint that still runs at the first refusal can make room.
    for (let refusals = 0; refusals < 2; ) {
      refusedAt = `b${stored.length}-`;
      assert.ok(stored.length < 100, 'the disk never fills');
      const { status, document } = await server.push(refusedAt);
      if (status === 200) {
        stored.push(refusedAt);
        refusals = 0;
      } else {
        assert.deepEqual([status, (document as { code: string }).code], [503, 'storage_full']);
        refusals += 1;
      }
    }
    assert.ok(stored.length > 0);
    assert.equal(await server.countOf(refusedAt), 0);
    for (const prefix of stored) assert.equal(await server.countOf(prefix), 500);
    for (const target of ['/api/v1/projects', '/readyz', '/healthz']) {
      assert.equal((await server.requests.ask({ target })).status, 200);
    }
    await limited.makeRoom(server);
    assert.equal((await server.push(refusedAt)).status, 200);
    for (const prefix of [...stored, refusedAt]) assert.equal(await server.countOf(prefix), 500);
    assert.equal(await server.tell('check'), true);
    await server.stop();
  });
}

after(() => rmSync(folder, { recursive: true, force: true }));

/** The server process. */
class FullServer {
  readonly folder: string;
  readonly requests = new Requests(false);
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(child: ChildProcess, place: string) {
    this.#child = child;
    this.folder = place;
    assert.ok(child.stdout);
    this.#lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  }

  static async start({ shell, spareBytes }: Limited): Promise<FullServer> {
    const place = mkdtempSync(join(folder, 'full-'));
    const script = fileURLToPath(new URL('./storage-server.js', import.meta.url));
    const command = [process.execPath, script, place, String(spareBytes)];
    // The limit would also stop the process from writing its coverage.
    const { NODE_V8_COVERAGE: _, ...env } = process.env;
    const child = spawn('sh', ['-c', shell, 'sh', place, ...command], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    });
    const server = new FullServer(child, place);
    after(() => child.kill('SIGKILL'));
    const { port, key } = (await server.#hear()) as { port: number; key: string };
    server.requests.port = port;
    server.requests.key = key;
    return server;
  }

  /** Pushes 500 rows that take 1 MB: the second batch does not fit. */
  push(prefix: string) {
    const change = { description: 'x'.repeat(500), memo: 'x'.repeat(650) };
    const rows = Array.from({ length: 500 }, (_, at) => row(`${prefix}${at}`, change));
    return this.requests.ask({ target: PUSH, body: { rows } });
  }

  async countOf(prefix: string): Promise<number> {
    const target = `${PUSH}?limit=1000&q=${prefix}`;
    return (await this.requests.get<TransactionList>(target)).data.length;
  }

  async tell(command: string): Promise<unknown> {
    this.#child.stdin?.write(`${command}\n`);
    return this.#hear();
  }

  async stop(): Promise<void> {
    this.requests.disconnect();
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    assert.equal(await ended, 0);
  }

  async #hear(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    assert.ok(done !== true, 'the server ended');
    return JSON.parse(value);
  }
}

/** Whether this user can mount in a separate namespace. */
