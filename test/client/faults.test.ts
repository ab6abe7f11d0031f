import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BudgetdError, createClient, type PushedBatch } from '../../src/client/index.ts';
import { createService } from '../../src/index.ts';
import { FOREVER_MS, holdTimers } from '../held-timers.ts';
import {
  clientOf,
  closedUrl,
  FastClock,
  type Fault,
  openProxy,
  openStandIn,
  openWorld,
  rowsOf,
} from './world.ts';

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

function refusal(code: string): string {
  return JSON.stringify({ code, message: `It is ${code}.`, requestId: 'req_x', details: [] });
}

const HTML: Fault = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html><h1>502 Bad Gateway</h1></html>',
};

/** Refusals of requests that were not processed. */
const LATER = { ...JSON_TYPE, 'retry-after': '7' };
const BUSY: Fault = { status: 503, headers: LATER, body: refusal('unavailable') };
const LIMITED: Fault = { status: 429, headers: LATER, body: refusal('rate_limit_exceeded') };

const PASSING: readonly [name: string, faults: readonly Fault[], answerLost: boolean][] = [
  ['cut before the request arrives', ['cut before'], true],
  ['cut after it was processed', ['cut after'], true],
  ['cut in the middle of the answer', ['half an answer'], true],
  ['garbled', ['garbled answer'], true],
  ["a proxy's 502", [HTML], true],
  ["a proxy's 504", [{ ...HTML, status: 504 }], true],
  ['408', [{ status: 408, headers: JSON_TYPE, body: refusal('request_timeout') }], true],
  ['500', [{ status: 500, headers: JSON_TYPE, body: refusal('internal_error') }], true],
  ['503 with Retry-After', [BUSY], false],
  ['429 with Retry-After', [LIMITED], false],
  ['three of them in a row', ['cut after', HTML, 'cut before'], true],
  ['cut after it was processed, then 429', ['cut after', LIMITED], true],
  ['429, then 503', [LIMITED, BUSY], false],
  ['never answered', ['no answer'], true],
  ['answered too late, after it was processed', ['late answer'], true],
];

for (const [name, faults, answerLost] of PASSING) {
  test(`4.6 a push continues after: ${name}; every row is stored once`, async (t) => {
    const world = await openWorld(t);
    const proxy = await openProxy(t, world.url, ['pass', ...faults]);
    const pass = holdTimers(t);
    proxy.onSilence = () => pass(FOREVER_MS);
    const clock = new FastClock();
    const options = { timeoutMs: FOREVER_MS };
    const client = clientOf({ ...world, url: proxy.url }, clock, options);
    const lost: boolean[] = [];
    const onBatch = (batch: PushedBatch) => void lost.push(batch.answerLost);
    const counts = await client.push(rowsOf(30), { batchRows: 10, onBatch });
    assert.equal(counts.received, 30);
    assert.equal(counts.created + counts.updated, 30);
    assert.deepEqual(lost, [false, answerLost, false]);
    assert.equal(clock.waits.length, faults.length);
    const stored = await clientOf(world, clock).transactions.list({ limit: 1000 });
    assert.equal(new Set(stored.data.map(({ externalId }) => externalId)).size, 30);
    assert.equal(stored.data.length, 30);
  });
}

test('the client waits for an answer that is slow but in time', async (t) => {
  const world = await openWorld(t);
  const proxy = await openProxy(t, world.url, ['slow answer', 'late answer']);
  const clock = new FastClock();
  const client = clientOf({ ...world, url: proxy.url }, clock);
  const counts = await client.push(rowsOf(30), { batchRows: 10 });
  assert.equal(counts.created, 30);
  assert.deepEqual([proxy.requests, clock.waits], [3, []]);
});

test('a push continues after a restart of the service', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-again-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const database = join(folder, 'budgetd.db');
  let service = await createService({ database, create: true });
  t.after(() => service.close());
  const { id } = service.organisations.create({ name: 'T', baseCurrency: 'GBP' });
  const { key } = service.keys.create(id, { name: 'erp', scopes: ['transactions:write'] });
  const { url, port } = await service.listen({ port: 0 });
  const startAnew = async () => {
    service = await createService({ database });
    await service.listen({ port });
  };
  let waits = 0;
  const sleep = async () => {
    waits += 1;
    if (waits === 2) await startAnew();
  };
  const client = createClient({ url, key, sleep });
  const counts = await client.push(rowsOf(50), {
    batchRows: 10,
    onBatch: async ({ firstIndex }) => {
      if (firstIndex === 20) await service.close();
    },
  });
  assert.equal(waits, 2);
  assert.deepEqual([counts.received, counts.created + counts.updated], [50, 50]);
  const ids = service.transactions.list(id).data.map(({ externalId }) => externalId);
  assert.equal(ids.length, 50);
  assert.equal(new Set(ids).size, 50);
});

test('6 rows created before a lost answer are updated, with nothing changed', async (t) => {
  const world = await openWorld(t);
  const proxy = await openProxy(t, world.url, ['cut after']);
  const client = clientOf({ ...world, url: proxy.url }, new FastClock());
  const { data, meta } = await client.pushBatch(rowsOf(3));
  assert.deepEqual([meta.created, meta.updated], [0, 3]);
  assert.ok(data.every((item) => item.status === 'updated' && item.changed.length === 0));
});

test('a longer Retry-After is followed, in seconds or as a date', async (t) => {
  const world = await openWorld(t);
  const inAMinute = new Date(Date.now() + 60_000).toUTCString();
  for (const [value, least, most] of [
    ['7', 7000, 7000],
    [inAMinute, 1000, 60_000],
    ['0', 250, 500],
    ['soon', 250, 500],
  ] as const) {
    const busy = {
      status: 503,
      headers: { ...JSON_TYPE, 'retry-after': value },
      body: refusal('unavailable'),
    };
    const proxy = await openProxy(t, world.url, [busy]);
    const clock = new FastClock();
    await clientOf({ ...world, url: proxy.url }, clock).projects.list();
    const waited = clock.waitedMs('retry');
    assert.ok(waited >= least && waited <= most, `${value}: ${waited} ms`);
  }
});

test('the number of retries is limited, and the waits double up to a maximum', async (t) => {
  const url = await openStandIn(t, (_, res) => {
    res.writeHead(503, JSON_TYPE).end(refusal('storage_full'));
  });
  const clock = new FastClock();
  const client = clientOf({ url, key: 'k' }, clock, { retries: 8, maxRetryDelayMs: 8000 });
  await assert.rejects(client.pushBatch(rowsOf(1)), { code: 'storage_full', status: 503 });
  const longest = [500, 1000, 2000, 4000, 8000, 8000, 8000, 8000];
  assert.equal(clock.waits.length, longest.length);
  for (const [index, most] of longest.entries()) {
    const { waitMs = 0, error } = clock.waits[index] ?? {};
    assert.ok(waitMs >= most / 2 && waitMs <= most, `${waitMs} of ${most}`);
    assert.equal(error?.code, 'storage_full');
  }
});

const FINAL: readonly [status: number, code: string][] = [
  [400, 'invalid_envelope'],
  [401, 'invalid_api_key'],
  [403, 'insufficient_scope'],
  [404, 'not_found'],
  [413, 'payload_too_large'],
];

for (const [status, code] of FINAL) {
  test(`3 ${status} ${code} is thrown at once, with all its details`, async (t) => {
    let requests = 0;
    const details = [{ field: 'rows', code: 'x', message: 'y' }];
    const url = await openStandIn(t, (_, res) => {
      requests += 1;
      const body = { code, message: 'No.', requestId: 'in the body', details };
      const headers = { ...JSON_TYPE, 'x-request-id': 'req_1' };
      res.writeHead(status, headers).end(JSON.stringify(body));
    });
    const client = clientOf({ url, key: 'k' }, new FastClock());
    await assert.rejects(client.pushBatch(rowsOf(1)), (error) => {
      assert.ok(error instanceof BudgetdError);
      const { message, requestId } = error;
      assert.deepEqual({ code: error.code, status: error.status }, { code, status });
      assert.deepEqual({ message, requestId }, { message: 'No.', requestId: 'req_1' });
      assert.deepEqual(error.details, details);
      return true;
    });
    assert.equal(requests, 1);
  });
}

type Foreign = { status: number; headers: Record<string, string>; body: string };

const FOREIGN: readonly [name: string, answer: Foreign, message: RegExp][] = [
  [
    'a web page',
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>\n<p>Hello' },
    /answered 200 as text\/html, with a body that begins "<!doctype html> <p>Hello".*Check/,
  ],
  [
    'nothing',
    { status: 204, headers: {}, body: '' },
    /answered 204 as no content type, with an empty body/,
  ],
  [
    'a redirect',
    { status: 301, headers: { location: 'https://other.example/' }, body: '' },
    /redirect to https:\/\/other\.example\/\. Use the final address/,
  ],
  [
    "another service's JSON",
    { status: 200, headers: JSON_TYPE, body: '{"ok":true}' },
    /with JSON that is not /,
  ],
  [
    "another service's error",
    { status: 404, headers: JSON_TYPE, body: '{"error":"no"}' },
    /with JSON that is not /,
  ],
  ['JSON null', { status: 200, headers: JSON_TYPE, body: 'null' }, /with JSON that is not /],
  [
    'results for other rows',
    { status: 200, headers: JSON_TYPE, body: '{"data":[],"meta":{}}' },
    /with JSON that is not /,
  ],
  [
    'a created nothing',
    { status: 201, headers: JSON_TYPE, body: '{"data":[{}],"meta":{}}' },
    /with JSON that is not /,
  ],
  [
    "a proxy's log-in",
    { status: 401, headers: { 'content-type': 'text/html' }, body: '<p>' },
    /answered 401/,
  ],
];

for (const [name, answer, message] of FOREIGN) {
  test(`an answer that is not from budgetd is recognised: ${name}`, async (t) => {
    let requests = 0;
    const url = await openStandIn(t, (_, res) => {
      requests += 1;
      res.writeHead(answer.status, answer.headers).end(answer.body);
    });
    const client = clientOf({ url, key: 'k' }, new FastClock());
    const expected = { code: 'unexpected_answer', status: answer.status, message };
    await assert.rejects(client.pushBatch(rowsOf(1)), expected);
    assert.equal(requests, 1);
  });
}

test('the error about the page of a proxy mentions the proxy', async (t) => {
  const world = await openWorld(t);
  const proxy = await openProxy(
    t,
    world.url,
    Array.from({ length: 3 }, () => HTML),
  );
  const client = clientOf({ ...world, url: proxy.url }, new FastClock(), { retries: 2 });
  const message = /answered 502 as text\/html.*502 Bad Gateway.*A proxy probably answered/;
  await assert.rejects(client.projects.list(), { code: 'unexpected_answer', status: 502, message });
});

test('the client gives up sooner if the address has never answered', async (t) => {
  const nowhere = await closedUrl();
  const clock = new FastClock();
  await assert.rejects(clientOf({ url: nowhere, key: 'k' }, clock).projects.list(), {
    code: 'network_error',
    status: null,
    message: /No answer from http.*\/api\/v1\/projects \(ECONNREFUSED\): is the service running/,
  });
  assert.equal(clock.waits.length, 3);
  const world = await openWorld(t);
  const cuts = Array.from({ length: 20 }, (): Fault => 'cut before');
  const proxy = await openProxy(t, world.url, ['pass', ...cuts]);
  const later = new FastClock();
  const client = clientOf({ ...world, url: proxy.url }, later);
  await client.projects.list();
  await assert.rejects(client.projects.list(), { code: 'network_error' });
  assert.equal(later.waits.length, 6);
});

test('a request that times out is retried, and then fails', async (t) => {
  let requests = 0;
  const pass = holdTimers(t);
  const url = await openStandIn(t, () => {
    requests += 1;
    pass(FOREVER_MS);
  });
  const options = { timeoutMs: FOREVER_MS, retries: 1 };
  const client = clientOf({ url, key: 'k' }, new FastClock(), options);
  await assert.rejects(client.projects.list(), { code: 'timeout', message: /within 3600 s/ });
  assert.equal(requests, 2);
});

test('no message contains the key', async (t) => {
  const key = 'bdg_live_secret';
  const url = await openStandIn(t, (_, res) => res.writeHead(200).end('not budgetd'));
  for (const client of [
    createClient({ url, key }),
    createClient({ url: await closedUrl(), key, retries: 0 }),
  ]) {
    await assert.rejects(client.projects.list(), (error) => {
      assert.ok(error instanceof BudgetdError);
      assert.ok(!`${error.message}${error.stack}${JSON.stringify(error)}`.includes('secret'));
      return true;
    });
  }
});

test('the error about a missing answer asks a question that fits the reason', async (t) => {
  const http = await openStandIn(t, (_, res) => res.end());
  const silent = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  t.after(() => silent.close());
  const cases: [url: string, question: RegExp][] = [
    [http.replace('http:', 'https:'), /ERR_SSL.*\): does it use https\?$/],
    [
      `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      /(HPE_|HTTP).*\): does it use http\?$/,
    ],
    [await closedUrl(), /\(ECONNREFUSED\): is the service running there\?$/],
  ];
  for (const [url, message] of cases) {
    const client = clientOf({ url, key: 'k' }, new FastClock(), { retries: 0 });
    await assert.rejects(client.projects.list(), { code: 'network_error', message });
  }
  for (const [code, message] of [
    ['ENOTFOUND', /\(ENOTFOUND\): is the name right\?$/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /: this machine does not trust .* NODE_EXTRA_CA_CERTS=FILE, /],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /NODE_EXTRA_CA_CERTS/],
    ['CERT_HAS_EXPIRED', /: is its certificate out of date, or the clock of this machine\?$/],
    ['ERR_TLS_CERT_ALTNAME_INVALID', /: its certificate is for another name\./],
  ] as const) {
    let tries = 0;
    const failing = async () => {
      tries += 1;
      throw new TypeError('fetch failed', { cause: Object.assign(new Error('No.'), { code }) });
    };
    const client = clientOf({ url: 'https://budget.test', key: 'k' }, new FastClock(), {
      fetch: failing,
    });
    await assert.rejects(client.projects.list(), { code: 'network_error', message });
    // Trying again cannot change a certificate.
    assert.equal(tries, code === 'ENOTFOUND' ? 4 : 1, code);
  }
});
