import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { after, before, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { createService, type ReportDocument, type Service } from '../../src/index.ts';
import { counts } from '../client/desk.ts';
import { OXFORD_PAYMENTS, OXFORD_PROJECT } from '../oxford.ts';

/** The year of data/oxford-2015-16: 15,280 rows, of which two repeat a transaction number. */
const ROWS = [3993, 3461, 3918, 3908];
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

test('8: budgetd push stores every row of the four files, exact to the penny', async () => {
  const pushed = await pushYear(listMaps);
  // Two numbers of the third quarter are there twice.
  const twice = [0, 2, 0, 0];
  assert.deepEqual(
    pushed.map(({ meta, stderr }) => [meta, /is in line/.test(stderr)]),
    ROWS.map((rows, at) => {
      const again = twice[at] ?? 0;
      const same = { unchanged: again, warnings: again };
      return [{ ...counts(rows, rows - again, again, 0), ...same }, again > 0];
    }),
  );
  const stored = listAll();
  assert.equal(stored.length, TRANSACTIONS);
  assert.equal(pence(stored.map(({ amount }) => amount)), pence([TOTAL]));
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
  const pushed = await pushYear((mappingPath) => ['--map', mappingPath, '--quiet']);
  assert.deepEqual(
    pushed.map(({ meta }) => ({ ...meta, warnings: 0 })),
    ROWS.map((rows) => ({ ...counts(rows, 0, rows, 0), unchanged: rows })),
  );
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

/** Pushes the four files, each with the arguments for its mapping file. */
async function pushYear(argumentsFor: (mappingPath: string) => string[]) {
  const pushed: { meta: Record<string, unknown>; stderr: string }[] = [];
  for (const [path, mappingPath] of OXFORD_PAYMENTS) {
    const [stdout, stderr] = [new Collector(), new Collector()];
    const args = ['push', path, '--url', url, '--json', ...argumentsFor(mappingPath)];
    const exitCode = await main(args, { env, stdout, stderr, cwd: folder });
    assert.equal(exitCode, 0, stderr.text);
    pushed.push({ meta: JSON.parse(stdout.text), stderr: stderr.text });
  }
  return pushed;
}

/** The columns of a mapping file, as arguments. */
function listMaps(mappingPath: string): string[] {
  const { fields } = JSON.parse(readFileSync(mappingPath, 'utf8'));
  return Object.entries<string | { column: string; format: string }>(fields).flatMap(
    ([field, from]) => {
      const column = typeof from === 'string' ? from : `${from.column}:${from.format}`;
      return ['--map', `${field}=${column}`];
    },
  );
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

function listAll(): { externalId: string | null; amount: number; updatedAt: string }[] {
  const all: ReturnType<typeof listAll> = [];
  let cursor: string | undefined;
  do {
    const page = service.transactions.list(organisationId, { limit: 1000, cursor });
    for (const { externalId, amount, updatedAt } of page.data) {
      all.push({ externalId, amount, updatedAt });
    }
    cursor = page.meta.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return all;
}

function pence(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + Math.round(amount * 100), 0);
}
