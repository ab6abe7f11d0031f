import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createService, type Service } from '../../src/index.ts';
import type { Notice } from '../../src/upkeep/upkeep.ts';
import { folderFor, rows } from '../store/workshop.ts';

const YEAR = { name: 'Year', startDate: '2026-01-01', endDate: '2026-12-31' };
const LINES = ['A', 'B'].map((code) => ({ code, name: code, accountCodes: [code] }));
const RULES = [
  {
    name: 'Ann',
    conditions: { contact: { is: 'ann' } },
    shares: [
      { line: 'A', percent: 60 },
      { line: 'B', rest: true },
    ],
  },
];

async function open(database = ':memory:') {
  const service = await createService({ database, create: true });
  const { id: org } = service.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
  service.projects.import(org, { ...YEAR, budgetLines: LINES });
  service.rules.import(org, { automatic: true, rules: RULES });
  return { service, org };
}

const some = (count: number, from = 0) => {
  return rows(count, (at) => ({
    externalId: `${from + at}`,
    contact: ['Ann', 'Bob', null][at % 3],
    accountCode: at % 2 === 0 ? 'B' : 'X',
  }));
};

const left = (service: Service, org: string) => {
  return service.transactions.list(org, { status: 'unallocated', limit: 1000 }).data.length;
};
const runsOf = (service: Service, org: string) => {
  return service.audit.list(org).filter(({ action }) => action === 'transactions.allocated');
};

/** Waits until no automatic run is due, as long as one would wait. */
async function waitForRuns(service: Service, isDone: () => boolean): Promise<void> {
  for (let tries = 0; tries < 100 && !isDone(); tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(isDone(), 'no run came');
  await service.finishRules();
}

describe('contract 15: automatic runs', () => {
  it('15 run after a push, never before its answer, and do what a run by hand does', async () => {
    const { service, org } = await open();
    const byHand = await open();
    byHand.service.rules.automatic(byHand.org, false);
    for (const each of [{ service, org }, byHand])
      each.service.transactions.push(each.org, some(300));
    assert.equal(left(service, org), 300);
    await waitForRuns(service, () => left(service, org) < 300);
    await byHand.service.finishRules();
    assert.equal(left(byHand.service, byHand.org), 300);
    await byHand.service.rules.run(byHand.org);
    const lists = [{ service, org }, byHand].map((each) =>
      each.service.transactions.list(each.org, { limit: 1000 }).data.map((transaction) => {
        const { status, allocatedAmount } = transaction;
        return [transaction.externalId, status, allocatedAmount];
      }),
    );
    assert.deepEqual(lists[0], lists[1]);
    assert.deepEqual(service.rules.list(org).rules, byHand.service.rules.list(byHand.org).rules);
    assert.deepEqual([...new Set(runsOf(service, org).map(({ actor }) => actor))], ['rules']);
    assert.ok(service.check().every(({ ok }) => ok));
    await service.close();
    await byHand.service.close();
  });

  it('15 are off at first, and wait for no dry run', async () => {
    const { service, org } = await open();
    service.transactions.push(org, some(10), { dryRun: 'true' });
    service.rules.automatic(org, false);
    service.transactions.push(org, some(10));
    await service.finishRules();
    assert.deepEqual(runsOf(service, org), []);
    await service.close();
  });

  it('15 look at what was pushed since, and at all once rules or a plan change', async () => {
    const { service, org } = await open();
    const settle = async (wanted: number) => {
      await service.finishRules();
      assert.equal(left(service, org), wanted);
    };
    service.transactions.push(org, [
      { ...some(1)[0], externalId: 'x', contact: 'Zed', accountCode: 'Z' },
    ]);
    await settle(1);
    const lines = [...LINES, { code: 'Z', name: 'Z', accountCodes: ['Z'] }];
    service.projects.import(org, { ...YEAR, budgetLines: lines });
    service.transactions.push(org, [{ ...some(1)[0], externalId: 'y' }]);
    await settle(0);
    await service.close();
  });

  it('15 a full disk is told in words', async (t) => {
    const database = join(folderFor(t), 'budgetd.db');
    const told: string[] = [];
    const notify = ({ message }: Notice) => told.push(message);
    const service = await createService({ database, create: true, notify });
    t.after(() => service.close());
    const { id: org } = service.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
    service.projects.import(org, { ...YEAR, budgetLines: LINES });
    service.rules.import(org, { automatic: true, rules: RULES });
    service.transactions.push(org, some(400));
    const { db } = service.source;
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    await service.finishRules();
    assert.match(told.join(), /^The rules could not run: .*The disk is full\. Free some space/);
  });

  it('15 what a crash or a stop left is finished by the next service that listens', async (t) => {
    const database = join(folderFor(t), 'budgetd.db');
    const { service, org } = await open(database);
    service.transactions.push(org, some(500));
    service.transactions.push(org, some(500, 500));
    const taken = () => 1000 - left(service, org);
    await waitForFirst(taken);
    const before = taken();
    await service.close();
    const again = await createService({ database, exclusive: true });
    t.after(() => again.close());
    const kept = 1000 - left(again, org);
    assert.ok(kept >= before && kept < 666, `${before} ${kept}`);
    assert.ok(again.check().every(({ ok }) => ok));
    await again.listen({ port: 0 });
    await again.finishRules();
    assert.equal(left(again, org), 334);
  });
});

/** Waits for the first step of a run, turn by turn. */
async function waitForFirst(taken: () => number): Promise<void> {
  const beganMs = performance.now();
  while (taken() === 0 && performance.now() - beganMs < 5_000) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(taken() > 0);
}
