import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BudgetdError } from '../../src/client/index.ts';
import { Pacer } from '../../src/client/pacer.ts';
import { clientOf, FastClock, openProxy, openStandIn, openWorld, rowsOf } from './world.ts';

test('8 a push of 400 requests is paced by the headers: no refusal, no lost time', async (t) => {
  const clock = new FastClock();
  const world = await openWorld(t, { rateLimit: 120, clock });
  const proxy = await openProxy(t, world.url, []);
  const client = clientOf({ ...world, url: proxy.url }, clock);
  const begunMs = clock.nowMs;
  const counts = await client.push(rowsOf(400), { batchRows: 1 });
  assert.equal(counts.created, 400);
  assert.deepEqual([...new Set(proxy.statuses)], [200]);
  assert.equal(proxy.requests, 400);
  // 120 at once, then 120 per minute: requests 361 to 400 wait for the third minute.
  assert.ok(clock.nowMs - begunMs <= 180_010, `${clock.nowMs - begunMs} ms`);
});

test('8 tokens that were taken one by one return one by one', async (t) => {
  const clock = new FastClock();
  const world = await openWorld(t, { rateLimit: 10, clock });
  const proxy = await openProxy(t, world.url, []);
  const client = clientOf({ ...world, url: proxy.url }, clock, {
    fetch: async (input, init) => {
      clock.nowMs += 250;
      const answer = await fetch(input, init);
      clock.nowMs += 250;
      return answer;
    },
  });
  await client.push(rowsOf(35), { batchRows: 1 });
  assert.deepEqual([...new Set(proxy.statuses)], [200]);
});

test('8 two clients that share a key both finish, in spite of refusals', async (t) => {
  const clock = new FastClock();
  const world = await openWorld(t, { rateLimit: 20, clock });
  const counts = await Promise.all(
    ['A', 'B', 'C'].map((prefix) => {
      return clientOf(world, clock).push(rowsOf(30, prefix), { batchRows: 1 });
    }),
  );
  assert.deepEqual(
    counts.map(({ created }) => created),
    [30, 30, 30],
  );
});

test('8 simultaneous requests of one client stay within the limit', async (t) => {
  const clock = new FastClock();
  const world = await openWorld(t, { rateLimit: 5, clock });
  const proxy = await openProxy(t, world.url, []);
  const client = clientOf({ ...world, url: proxy.url }, clock);
  await client.projects.list();
  await Promise.all(Array.from({ length: 12 }, () => client.projects.list()));
  assert.equal(proxy.statuses.filter((status) => status === 200).length, 13);
  assert.ok(proxy.statuses.filter((status) => status === 429).length <= 8);
});

function limited(headers: Record<string, string>) {
  const body = { code: 'rate_limit_exceeded', message: 'Wait.', requestId: 'r', details: [] };
  return {
    status: 429,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

test('8 the wait of each request for the rate limit has a maximum', async (t) => {
  for (const [headers, waits] of [
    [{ 'retry-after': '60' }, 5],
    [{ 'retry-after': '301' }, 0],
    [{}, 12],
  ] as const) {
    const { status, headers: all, body } = limited(headers);
    const url = await openStandIn(t, (_, res) => void res.writeHead(status, all).end(body));
    const clock = new FastClock();
    await assert.rejects(clientOf({ url, key: 'k' }, clock).push(rowsOf(1)), (error) => {
      assert.ok(error instanceof BudgetdError);
      assert.deepEqual([error.code, error.status], ['rate_limit_wait_exceeded', 429]);
      assert.match(error.message, /Gave up waiting .* another program/);
      assert.equal(error.counts?.received, 0);
      return true;
    });
    assert.ok(clock.waitedMs('rate_limit') <= 300_000);
    assert.ok(clock.waits.length >= waits, `${clock.waits.length} waits`);
  }
});

test('the client also waits after a 429 from a proxy', async (t) => {
  const world = await openWorld(t);
  const html = { status: 429, headers: { 'content-type': 'text/html' }, body: '<p>Slow down' };
  const proxy = await openProxy(t, world.url, [html, html]);
  const clock = new FastClock();
  assert.equal((await clientOf({ ...world, url: proxy.url }, clock).push(rowsOf(1))).created, 1);
  assert.equal(clock.waits.length, 2);
});

test('a pacer does not wait at first, nor when the bucket is full again', () => {
  const pacer = new Pacer();
  assert.equal(pacer.waitMs(0), 0);
  pacer.end(pacer.begin(0), 10, { remaining: 0, resetSeconds: 60 });
  assert.equal(pacer.waitMs(10), 60_000);
  assert.equal(pacer.waitMs(50_010.5), 10_000);
  assert.equal(pacer.waitMs(60_010), 0);
});

test('a pacer waits for the first of its own tokens, not of others', () => {
  const pacer = new Pacer();
  for (const ms of [0, 1000, 2000]) {
    pacer.end(pacer.begin(ms), ms + 5, { remaining: 0, resetSeconds: 60 });
  }
  assert.equal(pacer.waitMs(3000), 57_005);
  assert.equal(pacer.waitMs(60_005), 0);
  const turn = pacer.begin(60_005);
  assert.equal(pacer.waitMs(60_006), 999);
  pacer.end(turn, 60_010, { remaining: 0, resetSeconds: 60 });
  assert.equal(pacer.waitMs(60_010), 995);
});

test('a pacer ignores answers without rate headers', () => {
  const pacer = new Pacer();
  pacer.end(pacer.begin(0), 5, undefined);
  assert.equal(pacer.waitMs(10), 0);
  const turn = pacer.begin(10);
  pacer.end(turn, 15, { remaining: 1, resetSeconds: 60 });
  pacer.end(pacer.begin(20), 25, undefined);
  assert.ok(pacer.waitMs(30) > 0);
});
