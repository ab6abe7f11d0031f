import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createClient } from '../../src/client/index.ts';
import { createService, type ServiceOptions } from '../../src/index.ts';

const ROWS = [{ externalId: 'INV-1', date: '2026-01-30', description: 'Rent', amount: 12.5 }];

describe('faults on demand', () => {
  const refusals = [
    [429, 'rate_limit_exceeded', '1'],
    [503, 'unavailable', '2'],
    [500, 'internal_error', null],
  ] as const;
  for (const [status, code, retryAfter] of refusals) {
    it(`the next request is answered ${status}, changing nothing; a later one works`, async (t) => {
      const { service, push, list } = await openDesk(t);
      service.faults.next({ status });
      const refused = await push();
      assert.equal(refused.status, status);
      assert.equal(refused.headers.get('retry-after'), retryAfter);
      assert.equal(((await refused.json()) as { code: string }).code, code);
      assert.equal(service.faults.pending, 0);
      assert.deepEqual(list(), []);
      assert.equal((await push()).status, 200);
    });
  }

  it('a 429 has Retry-After and the headers of the rate limit', async (t) => {
    const { service, push } = await openDesk(t);
    service.faults.next({ status: 429, retryAfterSeconds: 7 });
    const { headers } = await push();
    const names = ['retry-after', 'x-ratelimit-limit', 'x-ratelimit-remaining'];
    assert.deepEqual(
      names.map((name) => headers.get(name)),
      ['7', '120', '0'],
    );
  });

  it('refuses what is not a fault', async (t) => {
    const { service } = await openDesk(t);
    const wrongs = [
      {},
      { status: 404 },
      { status: '500' },
      { status: 503, retryAfterSeconds: 0.5 },
      { cutOff: 'x' },
      { cutOff: 'after', delayMs: 10 },
      { delayMs: -1 },
    ];
    for (const wrong of wrongs) {
      assert.throws(() => service.faults.next(wrong as never), /is not a fault\. Use \{ status/);
    }
    assert.equal(service.faults.pending, 0);
  });

  it('a connection can be cut off before the request is handled', async (t) => {
    const { service, push, list } = await openDesk(t);
    service.faults.next({ cutOff: 'before' });
    await assert.rejects(push());
    assert.deepEqual(list(), []);
  });

  it('a connection can be cut off after the request is handled, as a retry shows', async (t) => {
    const { service, push, list } = await openDesk(t);
    service.faults.next({ cutOff: 'after' });
    await assert.rejects(push());
    assert.deepEqual(list(), ['INV-1']);
    const answer = (await (await push()).json()) as { data: { status: string }[] };
    assert.equal(answer.data[0]?.status, 'updated');
  });

  it('an answer can be delayed', async (t) => {
    const { service, push } = await openDesk(t);
    service.faults.next({ delayMs: 60 });
    const startMs = performance.now();
    assert.equal((await push()).status, 200);
    assert.ok(performance.now() - startMs >= 50);
  });

  it('close() does not wait for a delayed answer', async (t) => {
    const { service, push } = await openDesk(t);
    service.faults.next({ delayMs: Number.POSITIVE_INFINITY });
    const answer = push();
    while (service.faults.pending > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await service.close();
    assert.equal((await answer).status, 503);
  });

  it('only the given number of matching requests meet a fault', async (t) => {
    const { service, push, get } = await openDesk(t);
    const target = { method: 'POST', path: '/api/v1/transactions', times: 2 } as const;
    service.faults.next({ status: 500 }, { times: 0 });
    service.faults.next({ status: 503 }, target);
    const statuses = [];
    for (const send of [get, push, get, push, push]) statuses.push((await send()).status);
    assert.deepEqual(statuses, [200, 503, 200, 503, 200]);
  });

  it('faults are met in the order they were added, and can be cleared', async (t) => {
    const { service, get } = await openDesk(t);
    service.faults.next({ status: 500 });
    service.faults.next({ status: 429 });
    service.faults.next({ status: 503 }, { times: Number.POSITIVE_INFINITY });
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await get()).status);
    assert.deepEqual(statuses, [500, 429, 503, 503]);
    service.faults.clear();
    assert.equal((await get()).status, 200);
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
  });

  it('budgetd/client recovers from all of them', async (t) => {
    const { service, key, list } = await openDesk(t);
    service.faults.next({ status: 429 });
    service.faults.next({ status: 503, retryAfterSeconds: 1 });
    service.faults.next({ cutOff: 'after' });
    const { created, updated } = await createClient({ url: service.url, key }).push(ROWS);
    assert.deepEqual([created, updated, list()], [0, 1, ['INV-1']]);
    assert.equal(service.faults.pending, 0);
  });
});

describe('recorded requests', () => {
  it('have the key, the request and the status', async (t) => {
    const { service, push, get, keyId } = await openDesk(t, { recordRequests: true });
    await push();
    await get('?limit=2');
    await fetch(`${service.url}/api/v1/projects`);
    const seen = service.requests
      .list()
      .map(({ requestId, durationMs, receivedBytes, sentBytes, ...rest }) => {
        assert.ok(requestId !== '' && durationMs >= 0);
        const isPush = rest.method === 'POST';
        assert.ok(receivedBytes === (isPush ? JSON.stringify({ rows: ROWS }).length : 0));
        assert.ok(sentBytes > 0);
        return rest;
      });
    const at = '2026-01-31T12:00:00.000Z';
    const path = '/api/v1/transactions';
    const body = { rows: ROWS };
    const query = [['limit', '2']];
    const who = {
      clientAddress: '127.0.0.1',
      userId: null,
      emailHash: null,
      refusal: null,
    };
    assert.deepEqual(seen, [
      { at, method: 'POST', path, route: path, query: [], keyId, ...who, body, status: 200 },
      { at, method: 'GET', path, route: path, query, keyId, ...who, body: undefined, status: 200 },
      {
        at,
        method: 'GET',
        path: '/api/v1/projects',
        route: '/api/v1/projects',
        query: [],
        keyId: null,
        ...who,
        body: undefined,
        status: 401,
      },
    ]);
  });

  it('can be filtered and cleared; a fault is recorded with its status', async (t) => {
    const { service, push, get } = await openDesk(t, { recordRequests: true });
    service.faults.next({ status: 429 });
    await push();
    await get();
    const { requests } = service;
    assert.deepEqual(
      requests.list({ method: 'POST' }).map(({ status }) => status),
      [429],
    );
    assert.equal(requests.list({ path: '/api/v1/projects' }).length, 0);
    service.faults.next({ cutOff: 'after' });
    await assert.rejects(push());
    const [, , cut] = requests.list();
    assert.deepEqual([cut?.status, cut?.body], [null, { rows: ROWS }]);
    requests.clear();
    assert.deepEqual(requests.list(), []);
  });

  it('are the last 1,000', async (t) => {
    const { service } = await openDesk(t, { recordRequests: true });
    for (let count = 0; count < 1001; count += 1) {
      await (await fetch(`${service.url}/healthz`, { headers: { 'x-count': `${count}` } })).text();
    }
    assert.equal(service.requests.list().length, 1000);
  });

  it('are off by default', async (t) => {
    const { service, get } = await openDesk(t);
    await get();
    assert.throws(() => service.requests.list(), /recordRequests: true/);
  });
});

async function openDesk(t: TestContext, options: Partial<ServiceOptions> = {}) {
  const service = await createService({
    database: ':memory:',
    clock: () => new Date('2026-01-31T12:00:00Z'),
    ...options,
  });
  t.after(() => service.close());
  const { organisationId, keys } = service.seed({
    keys: { erp: ['transactions:write', 'transactions:read'] },
  });
  const { url } = await service.listen({ port: 0 });
  const path = `${url}/api/v1/transactions`;
  const headers = { Authorization: `Bearer ${keys.erp}`, 'Content-Type': 'application/json' };
  return {
    service: Object.assign(service, { url }),
    key: keys.erp,
    keyId: service.keys.list(organisationId)[0]?.id ?? '',
    push: () => fetch(path, { method: 'POST', headers, body: JSON.stringify({ rows: ROWS }) }),
    get: (query = '') => fetch(path + query, { headers }),
    list: () => service.transactions.list(organisationId).data.map((each) => each.externalId),
  };
}
