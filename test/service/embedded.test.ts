import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createService, Failure } from '../../src/index.ts';
import { until } from '../upkeep/until.ts';

const CLOCK = () => new Date('2026-01-31T12:00:00Z');

test('10: a service in memory answers over HTTP and uses the given clock', async () => {
  const service = await createService({ database: ':memory:', clock: CLOCK });
  const org = service.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
  const { key } = service.keys.create(org.id, {
    name: 'erp',
    scopes: ['transactions:write', 'transactions:read'],
  });
  const { url } = await service.listen({ port: 0 });
  const row = { externalId: 'INV-1', date: '2026-01-30', description: 'Rent', amount: 12.5 };
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  const pushed = await fetch(`${url}/api/v1/transactions`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ rows: [row] }),
  });
  assert.equal(pushed.status, 200);
  const listed = await fetch(`${url}/api/v1/transactions`, { headers });
  const { data } = (await listed.json()) as { data: { amount: number; createdAt: string }[] };
  assert.deepEqual(
    data.map(({ amount, createdAt }) => ({ amount, createdAt })),
    // The third write at the same time of this clock.
    [{ amount: 12.5, createdAt: '2026-01-31T12:00:00.002Z' }],
  );
  await service.close();
});

test('10: one process can have several services, each with its own port and data', async () => {
  const services = await Promise.all(
    ['one', 'two', 'three'].map(async (name) => {
      const service = await createService({ database: ':memory:' });
      const org = service.organisations.create({ name, baseCurrency: 'JPY' });
      const { key } = service.keys.create(org.id, { name, scopes: ['projects:read'] });
      service.projects.import(org.id, { name, startDate: '2026-01-01', endDate: '2026-12-31' });
      return { name, key, service, url: (await service.listen({ port: 0 })).url };
    }),
  );
  assert.equal(new Set(services.map(({ url }) => url)).size, 3);
  for (const { name, key, url } of services) {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/api/v1/projects`, { headers });
    const { data } = (await response.json()) as { data: { name: string }[] };
    assert.deepEqual(
      data.map((project) => project.name),
      [name],
    );
    const [other] = services.filter((each) => each.url !== url);
    assert.equal((await fetch(`${other?.url}/api/v1/projects`, { headers })).status, 401);
  }
  await Promise.all(services.map(({ service }) => service.close()));
});

test('10: close leaves no timers and no sockets', async () => {
  const count = () => process.getActiveResourcesInfo().filter((name) => name !== 'TTYWrap').length;
  const before = count();
  const service = await createService({ database: ':memory:' });
  const { url } = await service.listen({ port: 0 });
  const response = await fetch(`${url}/healthz`, { headers: { Connection: 'close' } });
  assert.equal(response.status, 200);
  await response.arrayBuffer();
  await Promise.all([service.close(), service.close()]);
  await assert.rejects(fetch(`${url}/healthz`));
  await until(() => count() <= before);
});

test('10: a closed or listening service refuses to listen again', async () => {
  const service = await createService({ database: ':memory:' });
  await service.listen({ port: 0 });
  await assert.rejects(service.listen({ port: 0 }), Failure);
  await service.close();
  await assert.rejects(service.listen({ port: 0 }), Failure);
});

test('9: readyz is 200 while the service can serve', async () => {
  const service = await createService({ database: ':memory:' });
  const { url } = await service.listen({ port: 0 });
  const response = await fetch(`${url}/readyz`);
  assert.equal(response.status, 200);
  assert.deepEqual(await response.json(), { status: 'ok' });
  await service.close();
});

test('2(4): rateLimit false turns the limit off, a number changes it', async () => {
  for (const [rateLimit, expected] of [
    [false, [200, 200, 200]],
    [2, [200, 200, 429]],
  ] as const) {
    const service = await createService({ database: ':memory:', rateLimit });
    const org = service.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
    const { key } = service.keys.create(org.id, { name: 'erp', scopes: ['projects:read'] });
    const { url } = await service.listen({ port: 0 });
    const statuses: number[] = [];
    for (let request = 0; request < 3; request += 1) {
      const headers = { Authorization: `Bearer ${key}` };
      statuses.push((await fetch(`${url}/api/v1/projects`, { headers })).status);
    }
    assert.deepEqual(statuses, expected);
    await service.close();
  }
});

test('a service checks its file in steps, between which other work runs', async () => {
  const service = await createService({ database: ':memory:' });
  const { id } = service.organisations.create({ name: 'Test', baseCurrency: 'GBP' });
  const rows = Array.from({ length: 500 }, (_, at) => {
    return { externalId: `INV-${at}`, date: '2026-01-30', description: 'Rent', amount: 12.5 };
  });
  service.transactions.push(id, rows);
  let turns = 0;
  const timer = setInterval(() => {
    service.transactions.push(id, [{ ...rows[turns], amount: turns }]);
    turns += 1;
  }, 0);
  const results = await service.checkInTurns();
  clearInterval(timer);
  const whole = service.check();
  assert.deepEqual(
    results.map(({ name }) => name),
    // SQLite answers the first two, and those of the kept totals, at once.
    whole
      .slice(2)
      .map(({ name }) => name)
      .filter((name) => !/^(?:kept totals|the transactions of each rule)/.test(name)),
  );
  assert.ok(results.every(({ ok }) => ok));
  assert.ok(turns > 0, 'no other work ran');
  await service.close();
  await assert.rejects(service.checkInTurns(), /closed/);
});
