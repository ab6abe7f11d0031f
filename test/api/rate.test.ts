/** 120 requests per key in any 60 seconds, at any pace (contract 2, step 4). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createService } from '../../src/service.ts';
import { CONTRACT_SCOPES } from './contract-table.ts';
import { type Api, startApi } from './harness.ts';
import { type Answer, PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds, clocks } = api;
clocks.tickStepMs = 0;
const TARGET = '/api/v1/projects';
const WINDOW_MS = 60_000;

const numberOf = (answer: Answer, name: string) => Number(answer.headers.get(name));
const newKey = () => api.addKey(pounds.id, CONTRACT_SCOPES).key;

/** The answers that the contract requires for requests of one key at these times. */
class Model {
  readonly #takenMs: number[] = [];

  expect(atMs: number): { status: number; remaining: number; reset: number; retryAfter: number } {
    const inWindow = () => this.#takenMs.filter((each) => each + WINDOW_MS > atMs);
    const allowed = inWindow().length < 120;
    if (allowed) this.#takenMs.push(atMs);
    const taken = inWindow();
    const secondsUntil = (thenMs: number) => Math.ceil((thenMs + WINDOW_MS - atMs) / 1000);
    return {
      status: allowed ? 200 : 429,
      remaining: 120 - taken.length,
      reset: secondsUntil(taken.at(-1) ?? 0),
      retryAfter: allowed ? 0 : secondsUntil(taken[0] ?? 0),
    };
  }
}

/** The readings of a clock, in whole milliseconds from the start. */
function* pace(count: number, gapMs: (index: number) => number): Generator<number> {
  let atMs = 0;
  for (let index = 0; index < count; index += 1) {
    yield atMs;
    atMs += gapMs(index);
  }
}

describe('2(4) the 121st request in any 60 seconds is the first 429:', () => {
  const mixed = (index: number) => [0, 1, 7, 350, 0, 1200, 33][index % 7] ?? 0;
  const late = (at: number) => (at === 0 ? 59_999 : at === 120 ? 1 : 0);
  const paces: [name: string, times: Generator<number>, first429: number | undefined][] = [
    ['all at once', pace(125, () => 0), 121],
    ['one every 100 ms', pace(700, () => 100), 121],
    ['one every 499 ms', pace(370, () => 499), 121],
    ['one every 500 ms: never', pace(370, () => 500), undefined],
    ['one every 501 ms: never', pace(370, () => 501), undefined],
    ['120, then 2 per second', pace(360, (at) => (at < 119 ? 0 : 500)), 121],
    ['one, 119 late in its minute, then more', pace(242, late), 121],
    ['bursts of 60 every 20 s', pace(360, (at) => (at % 60 === 59 ? 20_000 : 0)), 121],
    ['bursts of 60 every 30 s: never', pace(360, (at) => (at % 60 === 59 ? 30_000 : 0)), undefined],
    ['mixed', pace(600, mixed), 121],
  ];
  for (const [name, times, expected] of paces) {
    test(name, async () => {
      const key = newKey();
      const model = new Model();
      const startMs = clocks.tickMs + WINDOW_MS;
      let first429: number | undefined;
      let asked = 0;
      for (const atMs of times) {
        clocks.tickMs = startMs + atMs;
        const answer = await api.ask({ target: TARGET, key });
        const { status, remaining, reset, retryAfter } = model.expect(atMs);
        assert.deepEqual(
          [
            answer.status,
            numberOf(answer, 'x-ratelimit-remaining'),
            numberOf(answer, 'x-ratelimit-reset'),
            status === 429 ? numberOf(answer, 'retry-after') : 0,
          ],
          [status, remaining, reset, retryAfter],
          `request ${asked} at ${atMs} ms`,
        );
        asked += 1;
        if (answer.status === 429) first429 ??= asked;
      }
      assert.equal(first429, expected);
    });
  }

  test('also with the fractions of a millisecond of a real clock', async () => {
    const key = newKey();
    const startMs = clocks.tickMs + WINDOW_MS + 0.123456789;
    clocks.tickMs = startMs;
    for (let asked = 0; asked < 120; asked += 1) {
      clocks.tickMs = startMs + asked * 0.317;
      assert.equal((await api.ask({ target: TARGET, key })).status, 200);
    }
    const refused = await api.ask({ target: TARGET, key });
    assert.equal(refused.status, 429);
    clocks.tickMs = startMs + WINDOW_MS - 0.001;
    assert.equal((await api.ask({ target: TARGET, key })).status, 429);
    clocks.tickMs = startMs + WINDOW_MS;
    assert.equal((await api.ask({ target: TARGET, key })).status, 200);
  });
});

test('1 a request sent after Retry-After succeeds, whenever the 429 was sent', async () => {
  for (const laterMs of [0, 1, 999, 1000, 1001, 30_500.7, 58_999.5, 59_000, 59_999, 59_999.9]) {
    const key = newKey();
    const startMs = clocks.tickMs + WINDOW_MS;
    clocks.tickMs = startMs;
    for (let asked = 0; asked < 120; asked += 1) await api.ask({ target: TARGET, key });
    clocks.tickMs = startMs + laterMs;
    const refused = await api.refuse({ target: TARGET, key }, 429, 'rate_limit_exceeded');
    const answer = await api.ask({ target: TARGET, key });
    const seconds = numberOf(answer, 'retry-after');
    assert.match(refused.message, new RegExp(`\\b${seconds} s`));
    clocks.tickMs = startMs + laterMs + seconds * 1000;
    assert.equal((await api.ask({ target: TARGET, key })).status, 200, `after ${laterMs} ms`);
  }
});

/** How many requests a key has left, found out by a request that takes one. */
async function remainingOf(key: string, on: Api = api): Promise<number> {
  return numberOf(await on.ask({ target: TARGET, key }), 'x-ratelimit-remaining');
}

describe('2(4) what is counted', () => {
  test('every endpoint, HEAD, 4xx and 422', async () => {
    const { key } = api.addKey(pounds.id, ['transactions:write', 'projects:read']);
    clocks.tickMs += WINDOW_MS;
    const asks: [ask: Parameters<Api['ask']>[0], status: number][] = [
      [{ target: TARGET }, 200],
      [{ target: TARGET, method: 'HEAD' }, 200],
      [{ target: `${TARGET}?limit=0` }, 400],
      [{ target: `${TARGET}?cursor=x` }, 400],
      [{ target: `${TARGET}/none` }, 404],
      [{ target: `${TARGET}/none/report` }, 403],
      [{ target: PUSH }, 403],
      [{ target: PUSH, body: '{' }, 400],
      [{ target: PUSH, body: '{}' }, 400],
      [{ target: PUSH, body: { rows: [1] } }, 422],
      [{ target: PUSH, body: '{}', fields: ['Content-Type: text/plain'] }, 415],
    ];
    for (const [index, [ask, status]] of asks.entries()) {
      const answer = await api.ask({ ...ask, key });
      assert.equal(answer.status, status);
      assert.equal(numberOf(answer, 'x-ratelimit-remaining'), 119 - index);
    }
  });

  test('the 403 of the plan', async () => {
    const tenant = api.addTenant('GBP');
    service.organisations.setPlan(tenant.id, 'free');
    clocks.tickMs += WINDOW_MS;
    assert.equal(await remainingOf(tenant.key), 119);
    assert.equal(await remainingOf(tenant.key), 118);
  });

  test('never a 401, an unknown path, another method or a malformed request', async () => {
    const { id, key } = api.addKey(pounds.id, CONTRACT_SCOPES);
    clocks.tickMs += WINDOW_MS;
    assert.equal(await remainingOf(key), 119);
    for (let asked = 0; asked < 130; asked += 1) {
      await api.refuse({ target: TARGET, key: null }, 401, 'missing_api_key');
      await api.refuse({ target: TARGET, key: `${key}0` }, 401, 'invalid_api_key');
      await api.refuse({ target: '/api/v1/none', key }, 404, 'not_found');
      await api.refuse({ target: TARGET, key, method: 'PUT' }, 405, 'method_not_allowed');
      await api.refuse({ target: `${TARGET}?%`, key }, 400, 'invalid_request_target');
    }
    assert.equal(await remainingOf(key), 118);
    service.keys.revoke(pounds.id, id);
    for (let asked = 0; asked < 130; asked += 1) {
      await api.refuse({ target: TARGET, key }, 401, 'revoked_api_key');
    }
  });

  test('a 429 does not count: the first token returns on time', async () => {
    const key = newKey();
    const startMs = clocks.tickMs + WINDOW_MS;
    clocks.tickMs = startMs;
    for (let asked = 0; asked < 200; asked += 1) await api.ask({ target: TARGET, key });
    clocks.tickMs = startMs + 59_999;
    assert.equal((await api.ask({ target: TARGET, key })).status, 429);
    clocks.tickMs = startMs + WINDOW_MS;
    assert.equal(await remainingOf(key), 119);
  });

  test('each key separately', async () => {
    const [first, second] = [newKey(), newKey()];
    clocks.tickMs += WINDOW_MS;
    for (let asked = 0; asked < 121; asked += 1) await api.ask({ target: TARGET, key: first });
    assert.equal((await api.ask({ target: TARGET, key: first })).status, 429);
    assert.equal(await remainingOf(second), 119);
    assert.equal(await remainingOf(api.euros.key), 119);
  });

  test('a push that gets 429 stores nothing', async () => {
    const key = newKey();
    clocks.tickMs += WINDOW_MS;
    for (let asked = 0; asked < 120; asked += 1) await api.ask({ target: TARGET, key });
    const body = { rows: [{ externalId: 'X', date: '2026-01-01', description: 'x', amount: 1 }] };
    await api.refuse({ target: PUSH, key, body }, 429, 'rate_limit_exceeded');
    const { document } = await api.ask({ target: `${PUSH}?externalId=X` });
    assert.deepEqual(document, { data: [], meta: { nextCursor: null } });
  });
});

test('2(4) jumps of the wall clock do not change the limit', async () => {
  const key = newKey();
  clocks.tickMs += WINDOW_MS;
  const { nowMs } = clocks;
  const jumps = [0, 3600_000, -3600_000, 10 * 365 * 86_400_000, -365 * 86_400_000];
  for (let asked = 0; asked < 120; asked += 1) {
    clocks.nowMs = nowMs + (jumps[asked % jumps.length] ?? 0);
    assert.equal((await api.ask({ target: TARGET, key })).status, 200);
  }
  for (const jump of jumps) {
    clocks.nowMs = nowMs + jump;
    assert.equal((await api.ask({ target: TARGET, key })).status, 429);
  }
  clocks.nowMs = nowMs;
  clocks.tickMs += WINDOW_MS;
  assert.equal((await api.ask({ target: TARGET, key })).status, 200);
});

test('2(4) of 150 simultaneous requests on separate connections, 120 are admitted', async () => {
  const key = newKey();
  clocks.tickMs += WINDOW_MS;
  const answers = await Promise.all(
    Array.from({ length: 150 }, async () => {
      const connection = api.connect();
      connection.send(...api.format({ target: TARGET, key }));
      return (await api.read(connection, 'GET', TARGET)).status;
    }),
  );
  assert.equal(answers.filter((status) => status === 200).length, 120);
  assert.equal(answers.filter((status) => status === 429).length, 30);
});

test('10 the embedding program can change the limit or turn it off', async (t) => {
  const small = await startApi({ rateLimit: 3 }, t);
  small.clocks.tickStepMs = 0;
  const found = [];
  for (let asked = 0; asked < 5; asked += 1) {
    found.push((await small.ask({ target: TARGET })).status);
  }
  assert.deepEqual(found, [200, 200, 200, 429, 429]);
  const free = await startApi({ rateLimit: false }, t);
  free.clocks.tickStepMs = 0;
  for (let asked = 0; asked < 200; asked += 1) {
    assert.equal((await free.ask({ target: TARGET })).status, 200);
  }
});

test('2(4) the clock is that of the process, unless the program has another', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const service = await createService({ database: ':memory:', rateLimit: 1 });
  t.after(() => service.close());
  const { keys } = service.seed({ keys: { erp: ['projects:read'] } });
  const { url } = await service.listen({ port: 0 });
  const headers = { Authorization: `Bearer ${keys.erp}` };
  const ask = async (atMs: number) => {
    nowMs = atMs;
    const answer = await fetch(url + TARGET, { headers });
    return [answer.status, answer.headers.get('retry-after')];
  };
  assert.deepEqual(await ask(0), [200, null]);
  assert.deepEqual(await ask(1_500), [429, '59']);
  assert.deepEqual(await ask(60_000), [200, null]);
});
