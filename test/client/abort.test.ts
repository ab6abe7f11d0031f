import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BudgetdError,
  type CallOptions,
  type Client,
  createClient,
} from '../../src/client/index.ts';
import { clientOf, FastClock, openStandIn, openWorld, rowsOf } from './world.ts';

const KEY = 'bdg_live_secret';

/** Every method of the client, called with a signal. */
const CALLS: readonly [name: string, call: (client: Client, options: CallOptions) => unknown][] = [
  ['projects.list', (client, options) => client.projects.list({}, options)],
  ['projects.iterate', (client, options) => client.projects.iterate({}, options).next()],
  ['projects.get', (client, options) => client.projects.get('prj_1', options)],
  ['report', (client, options) => client.report('prj_1', {}, options)],
  ['allocations.list', (client, options) => client.allocations.list('prj_1', {}, options)],
  [
    'allocations.iterate',
    (client, options) => client.allocations.iterate('prj_1', {}, options).next(),
  ],
  ['transactions.list', (client, options) => client.transactions.list({}, options)],
  ['transactions.iterate', (client, options) => client.transactions.iterate({}, options).next()],
  ['pushBatch', (client, options) => client.pushBatch(rowsOf(1), options)],
  ['push', (client, options) => client.push(rowsOf(1), options)],
];

function refusal(code: string): string {
  return JSON.stringify({ code, message: 'Wait.', requestId: 'r', details: [] });
}

for (const [name, call] of CALLS) {
  test(`${name} ends at once when its signal aborts, during a request or a wait`, async (t) => {
    let requests = 0;
    let leave = () => {};
    const silent = await openStandIn(t, () => {
      requests += 1;
      leave();
    });
    const answering = (status: number, code: string) =>
      openStandIn(t, (_, res) => {
        const headers = { 'content-type': 'application/json', 'retry-after': '60' };
        res.writeHead(status, headers).end(refusal(code));
      });
    const limited = await answering(429, 'rate_limit_exceeded');
    const busy = await answering(503, 'unavailable');
    for (const url of [silent, limited, busy]) {
      const ending = new AbortController();
      const reason = new Error('The user left.');
      leave = () => ending.abort(reason);
      const client = createClient({ url, key: KEY, onWait: () => setImmediate(leave) });
      const failing = call(client, { signal: ending.signal }) as Promise<unknown>;
      await assert.rejects(failing, { name: 'BudgetdError', code: 'aborted', cause: reason });
      requests = 0;
      const again = call(client, { signal: ending.signal }) as Promise<unknown>;
      await assert.rejects(again, { code: 'aborted' });
      assert.equal(requests, 0);
    }
  });
}

test('a signal ends only its own call', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  const ending = new AbortController();
  ending.abort();
  await assert.rejects(client.projects.list({}, { signal: ending.signal }), { code: 'aborted' });
  assert.deepEqual((await client.projects.list()).data, []);
});

test('a client can wait for an answer for ever', async (t) => {
  const { url, key } = await openWorld(t);
  const client = createClient({ url, key, timeoutMs: Number.POSITIVE_INFINITY, retries: 0 });
  assert.deepEqual((await client.projects.list()).data, []);
});

test('the timeout also works with a signal', async (t) => {
  const url = await openStandIn(t, () => {});
  const client = createClient({ url, key: KEY, timeoutMs: 50, retries: 0 });
  const { signal } = new AbortController();
  await assert.rejects(client.projects.list({}, { signal }), { code: 'timeout' });
});

test('the error of an aborted push has the counts of the answered batches', async (t) => {
  const world = await openWorld(t);
  const ending = new AbortController();
  const client = clientOf(world, new FastClock());
  const onBatch = ({ firstIndex }: { firstIndex: number }) => {
    if (firstIndex === 20) ending.abort();
  };
  const pushing = client.push(rowsOf(100), { batchRows: 10, onBatch, signal: ending.signal });
  await assert.rejects(pushing, (error) => {
    assert.ok(error instanceof BudgetdError);
    assert.deepEqual([error.code, error.counts?.created], ['aborted', 30]);
    return true;
  });
});

test('iterating ends in the middle of a page', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  await client.push(rowsOf(9));
  const ending = new AbortController();
  let seen = 0;
  await assert.rejects(
    async () => {
      for await (const _ of client.transactions.iterate({}, { signal: ending.signal })) {
        seen += 1;
        if (seen === 3) ending.abort();
      }
    },
    { code: 'aborted' },
  );
  assert.equal(seen, 3);
});

test('one signal serves many calls at once, and keeps no listeners', async (t) => {
  const url = await openStandIn(t, (_, res) => {
    const page = { data: [], meta: { nextCursor: null } };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
  });
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => void warnings.push(warning);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  const { signal } = new AbortController();
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...words: Parameters<typeof addEventListener>) => {
    listeners += 1;
    addEventListener.apply(signal, words);
  };
  signal.removeEventListener = (...words: Parameters<typeof removeEventListener>) => {
    listeners -= 1;
    removeEventListener.apply(signal, words);
  };
  const client = createClient({ url, key: KEY });
  await Promise.all(Array.from({ length: 30 }, () => client.projects.list({}, { signal })));
  await new Promise(setImmediate);
  assert.deepEqual([warnings, listeners], [[], 0]);
});

test('BudgetdError survives JSON.stringify, without the key', async (t) => {
  const details = [{ field: 'limit', code: 'invalid_parameter', message: 'Too large.' }];
  const url = await openStandIn(t, (_, res) => {
    const headers = { 'content-type': 'application/json', 'x-request-id': 'req_1' };
    const body = { code: 'invalid_parameter', message: 'Wrong.', requestId: 'req_1', details };
    res.writeHead(400, headers).end(JSON.stringify(body));
  });
  const failing = createClient({ url, key: KEY }).push(rowsOf(1));
  const error = await failing.then(
    () => assert.fail(),
    (thrown: unknown) => thrown,
  );
  const text = JSON.stringify({ error });
  const { counts, ...facts } = JSON.parse(text).error;
  assert.deepEqual(facts, {
    name: 'BudgetdError',
    code: 'invalid_parameter',
    message: 'Wrong.',
    status: 400,
    requestId: 'req_1',
    details,
  });
  assert.deepEqual([counts.received, text.includes('secret')], [0, false]);
});
