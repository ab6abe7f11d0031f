import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { createService, type ReportDocument, type Service } from '../../src/index.ts';
import { OXFORD_PAYMENTS, OXFORD_PROJECT } from '../oxford.ts';

/** The year of data/oxford-2015-16: 15,280 rows, of which two repeat a transaction number. */
const TRANSACTIONS = 15_278;
const TOTAL = 49_913_948.23;
/** Computed from the files independently. */
const QUARTERS = [14_057_679.06, 11_226_903.99, 11_923_874.03, 12_705_491.15];

const folder = mkdtempSync(join(tmpdir(), 'budgetd-year-'));
let nowMs = Date.parse('2026-01-31T12:00:00Z');
let service: Service;
let organisationId = '';
let projectId = '';
let env: Record<string, string> = {};
let url = '';

before(async () => {
  service = await createService({
    database: join(folder, 'year.db'),
    create: true,
    clock: () => new Date(nowMs),
  });
  organisationId = service.organisations.create({ name: 'Oxford', baseCurrency: 'GBP' }).id;
  const document: unknown = JSON.parse(readFileSync(OXFORD_PROJECT, 'utf8'));
  const [project] = service.projects.import(organisationId, document);
  assert.equal(project?.budgetLines.length, 186);
  projectId = project?.projectId ?? '';
  const scopes = ['transactions:write'] as const;
  env = { BUDGETD_KEY: service.keys.create(organisationId, { name: 'erp', scopes }).key };
  ({ url } = await service.listen({ port: 0 }));
});

after(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

test('8: budgetd push stores every row of the four files', async () => {
  const counts = await pushYear();
  assert.equal(sum(counts, 'received'), 15_280);
  assert.equal(sum(counts, 'created'), TRANSACTIONS);
  assert.equal(sum(counts, 'updated'), 2);
  assert.equal(sum(counts, 'rejected'), 0);
});

test('5: every transaction is allocated by its account code', async () => {
  const {
    lines,
    ambiguousCodes: _,
    ...counts
  } = await service.transactions.allocateByAccountCode(organisationId);
  assert.notEqual(lines.length, 0);
  assert.deepEqual(counts, { allocated: TRANSACTIONS, ambiguous: 0, unmatched: 0 });
});

test('4: the report adds up to the penny, by month and by quarter', () => {
  for (const granularity of ['monthly', 'quarterly'] as const) {
    const { data } = report(granularity);
    assert.equal(data.totals.total.actual, TOTAL);
    assert.equal(data.totals.outsideActual, 0);
    assert.equal(pence(data.totals.cells.map((cell) => cell.actual)), pence([TOTAL]));
    assert.equal(pence(data.rows.map((row) => row.total.actual)), pence([TOTAL]));
    for (const row of data.rows) {
      const actuals = row.cells.map((cell) => cell.actual);
      assert.equal(pence([...actuals, row.outsideActual]), pence([row.total.actual]));
    }
  }
  const quarters = report('quarterly').data.totals.cells.map((cell) => cell.actual);
  assert.deepEqual(quarters, QUARTERS);
});

test('6: pushing the four files again creates nothing and changes no updatedAt', async () => {
  const before = listAll();
  nowMs += 60_000;
  const counts = await pushYear();
  assert.equal(sum(counts, 'created'), 0);
  assert.equal(sum(counts, 'updated'), 15_280);
  assert.deepEqual(listAll(), before);
});

test('4.6(3): a changed amount needs review, and rescaling resolves it', () => {
  const { data } = service.transactions.list(organisationId, { externalId: '46285340_1' });
  const [before] = data;
  assert.equal(before?.amount, 1054.11);
  const { externalId, date, description, contact, accountCode } = before;
  const row = { externalId, date, description, contact, accountCode, amount: 1000 };
  const { data: results } = service.transactions.push(organisationId, [row]);
  assert.deepEqual(
    results.map((result) => result.status === 'updated' && [result.needsReview, result.changed]),
    [[true, ['amount']]],
  );
  const flagged = service.transactions.get(organisationId, before.id).data;
  assert.equal(flagged.status, 'needs_review');
  assert.equal(flagged.allocatedAmount, 1054.11, 'its allocation is unchanged');
  assert.deepEqual(report('monthly').data.needsReview, { count: 1, amount: 1054.11 });
  assert.equal(report('monthly').data.totals.total.actual, TOTAL);

  const mended = service.transactions.review(organisationId, before.id, 'rescale').data;
  assert.deepEqual([mended.status, mended.allocatedAmount], ['allocated', 1000]);
  assert.deepEqual(report('monthly').data.needsReview, { count: 0, amount: 0 });
  assert.equal(report('monthly').data.totals.total.actual, 49_913_894.12);
  assert.deepEqual(
    service.check().filter(({ ok }) => !ok),
    [],
  );
});

interface Counts {
  readonly received: number;
  readonly created: number;
  readonly updated: number;
  readonly rejected: number;
}

async function pushYear(): Promise<Counts[]> {
  const counts: Counts[] = [];
  for (const [path, mappingPath] of OXFORD_PAYMENTS) {
    const stdout = new Collector();
    const args = ['push', path, '--url', url, '--map', mappingPath, '--json', '--quiet'];
    const exitCode = await main(args, { env, stdout, stderr: new Collector(), cwd: folder });
    assert.equal(exitCode, 0);
    counts.push(JSON.parse(stdout.text));
  }
  return counts;
}

class Collector extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString();
    done();
  }
}

function report(granularity: 'monthly' | 'quarterly'): ReportDocument {
  return service.projects.report(organisationId, projectId, { granularity });
}

function listAll(): { externalId: string | null; updatedAt: string }[] {
  const all: { externalId: string | null; updatedAt: string }[] = [];
  let cursor: string | undefined;
  do {
    const page = service.transactions.list(organisationId, { limit: 1000, cursor });
    all.push(...page.data.map(({ externalId, updatedAt }) => ({ externalId, updatedAt })));
    cursor = page.meta.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

function sum(counts: readonly Counts[], name: keyof Counts): number {
  return counts.reduce((total, each) => total + each[name], 0);
}

function pence(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + Math.round(amount * 100), 0);
}
