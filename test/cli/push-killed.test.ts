import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { createWriteStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { type TestContext, test } from 'node:test';
import { BATCH_ROWS } from '../../src/client/index.ts';
import { createService } from '../../src/index.ts';
import { HEADER } from '../client/desk.ts';
import { IS_HEAVY } from '../repetitions.ts';
import { startProgram } from './program.ts';

/** A minute takes three seconds, for the service and for push. */
const CLOCK_FACTOR = 20;
const FAST_CLOCK = new URL('./fast-clock.js', import.meta.url).href;
const NOW = new Date('2026-01-31T12:00:00Z');

/** Transactions that are already stored and allocated, and whose amounts the file changes. */
const STORED = Array.from({ length: 20 }, (_, index) => {
  return { externalId: `INV-${index * 7}`, date: '2026-01-01', description: 'x', amount: 9 };
});

/** The number of rows, and when the program is killed. */
const SMALL = [15_000, [0.9, 0.8]] as const;
const LARGE = [250_000, [0.3, 0.6]] as const;

for (const [rows, kills] of IS_HEAVY ? [SMALL, LARGE] : [SMALL]) {
  test(`8 a push of ${rows} rows, killed twice, ends as one clean run does`, async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-killed-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const ids = await writeFile(join(folder, 'a.csv'), rows);
    const clean = await openLedger(t, folder);
    const killed = await openLedger(t, folder);
    const whole = await push(t, clean, 'clean.csv').ended;

    for (const share of kills) {
      const answered = killed.afterBatches(Math.ceil((rows * share) / BATCH_ROWS));
      const { process: child, ended } = push(t, killed, 'killed.csv');
      await answered;
      child.kill('SIGKILL');
      const { signal, stderr } = await ended;
      assert.equal(signal, 'SIGKILL', stderr);
      assert.doesNotMatch(stderr, /^Done/m);
    }
    const last = await push(t, killed, 'killed.csv').ended;

    assert.deepEqual([whole.exitCode, last.exitCode], [3, 3], last.stderr);
    // On a slow machine the limit may never be reached.
    const waits = last.stderr.match(/^Waiting .* for the rate limit\.$/gm) ?? [];
    t.diagnostic(`the last run waited ${waits.length} times for the rate limit`);
    const [wholeMeta, lastMeta] = [JSON.parse(whole.stdout), JSON.parse(last.stdout)];
    assert.equal(lastMeta.received, rows);
    assert.equal(lastMeta.rejected, wholeMeta.rejected);
    assert.equal(lastMeta.created + lastMeta.updated, wholeMeta.created + wholeMeta.updated);
    assert.equal(lastMeta.needsReview, wholeMeta.needsReview);
    // The killed runs left the rows rejected so far; the last run has a new file.
    const [wholeRejected, lastRejected] = ['clean.csv', 'killed-3.csv'].map((name) => {
      return readFileSync(join(folder, name), 'utf8');
    });
    assert.equal(lastRejected, wholeRejected);
    const [expected, found] = [listAll(clean), listAll(killed)];
    // Not what was created: on a slow machine an answer may come too late, and its batch again.
    assert.equal(expected.size, ids.size);
    assert.equal(found.size, expected.size);
    // One by one: the difference of two such maps is not a readable message.
    for (const [externalId, one] of expected) assert.deepEqual(found.get(externalId), one);
    const problems = killed.service.check().filter(({ ok }) => !ok);
    assert.deepEqual(problems, []);
  });
}

/**
 * Every 50th row is an earlier one with another amount; every 70th is rejected here, every 90th by
 * the service. Returns the ids of the transactions that are stored in the end.
 */
async function writeFile(path: string, rows: number): Promise<Set<string>> {
  const ids = new Set(STORED.map(({ externalId }) => externalId));
  const file = createWriteStream(path);
  file.write(HEADER);
  for (let index = 0; index < rows; index += 1) {
    const isAgain = index % 50 === 49;
    const id = isAgain ? index - 25 : index;
    const [isNoDay, isBlank] = [index % 70 === 69, index % 90 === 89];
    const day = isNoDay ? '2026-02-30' : `2026-01-${String(1 + (index % 28)).padStart(2, '0')}`;
    const text = isBlank ? ' ' : `Invoice ${index}`;
    if (!isNoDay && !isBlank) ids.add(`INV-${id}`);
    file.write(`INV-${id},${day},${text},${index % 1000}.${isAgain ? 75 : 25}\n`);
  }
  file.end();
  await finished(file);
  return ids;
}

type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** A service with the real rate limit, and some transactions that are allocated already. */
async function openLedger(t: TestContext, cwd: string) {
  const answers = new EventEmitter();
  const service = await createService({
    onRequest: ({ status }) => status === 200 && answers.emit('batch'),
    database: ':memory:',
    clock: () => NOW,
    monotonicMs: () => performance.now() * CLOCK_FACTOR,
  });
  t.after(() => service.close());
  const { id: organisationId } = service.organisations.create({ name: 'T', baseCurrency: 'GBP' });
  const { key } = service.keys.create(organisationId, {
    name: 'erp',
    scopes: ['transactions:write'],
  });
  const [project] = service.projects.import(organisationId, {
    name: 'P',
    startDate: '2026-01-01',
    endDate: '2026-12-31',
    budgetMode: 'total',
    budgetLines: [{ code: 'A', name: 'A', budget: 1 }],
  });
  const budgetLineId = project?.budgetLines[0]?.budgetLineId ?? '';
  for (const result of service.transactions.push(organisationId, STORED).data) {
    if (result.status === 'rejected') throw new Error('a row of the test is wrong');
    service.transactions.allocate(organisationId, result.id ?? '', [{ budgetLineId }]);
  }
  const { url } = await service.listen({ port: 0 });
  /** Resolves once that many more batches are answered. */
  const afterBatches = async (count: number) => {
    for (let left = count; left > 0; left -= 1) await once(answers, 'batch');
  };
  return { service, organisationId, url, key, cwd, afterBatches };
}

/** The program itself, on the fast clock. */
function push(t: TestContext, { url, key, cwd }: Ledger, rejected: string) {
  return startProgram(t, ['push', 'a.csv', '--url', url, '--json', '--rejected', rejected], {
    cwd,
    env: { BUDGETD_KEY: key, FAST_CLOCK: String(CLOCK_FACTOR) },
    nodeOptions: `--import=${FAST_CLOCK}`,
  });
}

/**
 * All transactions by externalId, with all their fields and ids, except the times of
 * their changes: repeated rows were updated to their first version again.
 */
function listAll({ service, organisationId }: Ledger): Map<string | null, unknown> {
  const all = new Map<string | null, unknown>();
  for (let cursor: string | undefined; ; ) {
    const page = service.transactions.list(organisationId, { limit: 1000, cursor });
    for (const { createdAt: _, updatedAt: __, review, ...shown } of page.data) {
      const previousAmount = review?.previousAmount ?? null;
      assert.ok(!all.has(shown.externalId), `${shown.externalId} is there twice`);
      all.set(shown.externalId, { ...shown, previousAmount });
    }
    if (page.meta.nextCursor === null) return all;
    cursor = page.meta.nextCursor;
  }
}
