import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  BATCH_BYTES,
  BATCH_ROWS,
  BudgetdError,
  createClient,
  type PushedBatch,
  type PushRow,
} from '../../src/client/index.ts';
import { noCounts } from '../../src/client/push.ts';
import { BODY_BYTES, PUSH_ROWS } from '../../src/core/limits.ts';
import { clientOf, FastClock, openProxy, openStandIn, openWorld, rowsOf } from './world.ts';

test('4.6 any number of rows is sent in order, in batches of up to 500', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  const batches: PushedBatch[] = [];
  const counts = await client.push(rowsOf(1203), { onBatch: (batch) => void batches.push(batch) });
  assert.deepEqual(counts, { ...NONE, received: 1203, created: 1203 });
  assert.deepEqual(
    batches.map(({ firstIndex, meta, total }) => [firstIndex, meta.received, total.received]),
    [
      [0, 500, 500],
      [500, 500, 1000],
      [1000, 203, 1203],
    ],
  );
  const ids = batches.flatMap(({ results }) => results.map(({ externalId }) => externalId));
  assert.deepEqual(
    ids,
    rowsOf(1203).map(({ externalId }) => externalId),
  );
});

test('6 unchanged rows and rows with warnings are added up over the batches', async (t) => {
  const client = clientOf(await openWorld(t), new FastClock());
  await client.push(rowsOf(600));
  const odd = rowsOf(600).map((row, index) => (index % 2 === 0 ? { ...row, colour: 'red' } : row));
  const counts = await client.push(odd);
  const all = { received: 600, updated: 600, unchanged: 600, warnings: 300 };
  assert.deepEqual(counts, { ...NONE, ...all });
});

test('4.6 rows come from a stream or a list; without rows nothing is sent', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  async function* stream() {
    for (const row of rowsOf(7)) yield row;
  }
  const batches: number[] = [];
  const onBatch = ({ meta }: PushedBatch) => void batches.push(meta.received);
  const counts = await client.push(stream(), { batchRows: 3, onBatch });
  assert.equal(counts.created, 7);
  assert.deepEqual(batches, [3, 3, 1]);
  assert.equal((await client.push([])).received, 0);
});

test('4.6 rejected rows are results, even when all rows are rejected (422)', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  const bad = { ...rowsOf(1)[0], date: '2026-02-30' } as PushRow;
  const { data, meta } = await client.pushBatch([bad, bad]);
  assert.deepEqual([meta.received, meta.rejected], [2, 2]);
  assert.ok(data.every((item) => item.status === 'rejected'));
  const counts = await client.push([bad, ...rowsOf(2)], { batchRows: 1 });
  assert.deepEqual([counts.received, counts.created, counts.rejected], [3, 2, 1]);
});

test('6 a dry run gives the answer of a push and stores nothing', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  assert.equal((await client.pushBatch(rowsOf(2), { dryRun: true })).meta.dryRun, true);
  const counts = await client.push(rowsOf(2), { dryRun: true });
  assert.deepEqual([counts.created, counts.dryRun], [2, true]);
  assert.equal((await client.transactions.list()).data.length, 0);
});

test('2 a batch stays under the body limit, counted in bytes', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  const rows = rowsOf(300).map((row) => ({ ...row, memo: 'ä'.repeat(15_000) }));
  const batches: number[] = [];
  const onBatch = ({ meta }: PushedBatch) => void batches.push(meta.received);
  const counts = await client.push(rows, { onBatch });
  assert.equal(counts.created, 300);
  assert.ok(batches.length >= 3 && batches.every((size) => size * 30_000 < BATCH_BYTES));
});

test('2 a row too large for a request ends the push, after the rows before it', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  const huge = { ...rowsOf(1, 'HUGE')[0], memo: 'x'.repeat(BATCH_BYTES) } as PushRow;
  await assert.rejects(client.push([...rowsOf(3), huge, ...rowsOf(3, 'LATER')]), (error) => {
    assert.ok(error instanceof BudgetdError);
    assert.equal(error.code, 'row_too_large');
    assert.match(error.message, /Row 3 /);
    assert.equal(error.counts?.created, 3);
    return true;
  });
});

test('8 the client knows the limits of the service', () => {
  assert.equal(BATCH_ROWS, PUSH_ROWS);
  assert.equal(BATCH_BYTES, BODY_BYTES);
});

test('wrong arguments are refused before anything is sent', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  for (const work of [
    () => client.pushBatch([]),
    () => client.pushBatch(rowsOf(501)),
    () => client.push(rowsOf(1), { batchRows: 0 }),
    () => client.push(rowsOf(1), { batchRows: 501 }),
    () => client.push(rowsOf(1), { batchRows: 1.5 }),
    () => client.push(rowsOf(1), { dryRun: 'true' as never }),
    () => client.pushBatch(rowsOf(1), { dryRun: null as never }),
  ]) {
    await assert.rejects(work, { name: 'BudgetdError', code: 'invalid_option', status: null });
  }
});

test('an error has the counts of the answered batches, which onBatch received', async (t) => {
  const world = await openWorld(t);
  const refusal = { code: 'revoked_api_key', message: 'Revoked.', requestId: 'r1', details: [] };
  const proxy = await openProxy(t, world.url, [
    'pass',
    'pass',
    {
      status: 401,
      headers: { 'content-type': 'application/json', 'x-request-id': 'r1' },
      body: JSON.stringify(refusal),
    },
  ]);
  const client = clientOf({ url: proxy.url, key: world.key }, new FastClock());
  const batches: number[] = [];
  const onBatch = ({ total }: PushedBatch) => void batches.push(total.created);
  await assert.rejects(client.push(rowsOf(30), { batchRows: 10, onBatch }), (error) => {
    assert.ok(error instanceof BudgetdError);
    assert.deepEqual([error.code, error.status, error.requestId], ['revoked_api_key', 401, 'r1']);
    assert.equal(error.counts?.created, 20);
    return true;
  });
  assert.deepEqual(batches, [10, 20]);
  assert.equal(proxy.requests, 3);
});

test('an error from the rows or from onBatch is thrown unchanged', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  let closed = false;
  function* broken() {
    try {
      yield* rowsOf(600);
      throw new TypeError('cannot read on');
    } finally {
      closed = true;
    }
  }
  await assert.rejects(client.push(broken()), new TypeError('cannot read on'));
  assert.ok(closed);
  closed = false;
  const onBatch = () => {
    throw new RangeError('disk full');
  };
  await assert.rejects(client.push(broken(), { onBatch }), new RangeError('disk full'));
  assert.ok(closed, 'the iterator of the rows is closed');
});

test('8 stop lets the current batch finish and sends no other', async (t) => {
  const world = await openWorld(t);
  const stopping = new AbortController();
  const client = clientOf(world, new FastClock(), {
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      stopping.abort();
      return answer;
    },
  });
  let answered = 0;
  const onBatch = ({ meta }: PushedBatch) => {
    answered += meta.created;
  };
  await assert.rejects(client.push(rowsOf(900), { onBatch, stop: stopping.signal }), (error) => {
    assert.ok(error instanceof BudgetdError);
    assert.equal(error.code, 'aborted');
    assert.equal(error.counts?.created, 500);
    return true;
  });
  assert.equal(answered, 500);
});

test('stop ends a wait, and a signal also ends the current request', async (t) => {
  const busy = { code: 'rate_limit_exceeded', message: 'Wait.', requestId: 'r', details: [] };
  const limited = await openStandIn(t, (_, res) => {
    const headers = { 'content-type': 'application/json', 'retry-after': '60' };
    res.writeHead(429, headers).end(JSON.stringify(busy));
  });
  let leave = () => {};
  const silent = await openStandIn(t, () => leave());
  const key = 'k';
  for (const url of [limited, silent]) {
    for (const kind of ['stop', 'signal'] as const) {
      if (url === silent && kind === 'stop') continue;
      const ending = new AbortController();
      leave = () => ending.abort();
      const own = { url, key, onWait: () => setImmediate(leave) };
      const client = createClient(kind === 'signal' ? { ...own, signal: ending.signal } : own);
      const options = kind === 'stop' ? { stop: ending.signal } : {};
      await assert.rejects(client.push(rowsOf(1), options), { code: 'aborted' }, `${url} ${kind}`);
    }
  }
});

const REFUSED_WHOLE: readonly [name: string, status: number, type: string, body: string][] = [
  ['a proxy with a lower limit', 413, 'text/html', '<h1>413 Request Entity Too Large</h1>'],
  ['a service with a lower limit', 413, 'application/json', refusalOf('payload_too_large')],
];

function refusalOf(code: string): string {
  return JSON.stringify({ code, message: `It is ${code}.`, requestId: 'r', details: [] });
}

for (const [name, status, type, body] of REFUSED_WHOLE) {
  test(`2 ${name}: batches become small enough and stay small`, async (t) => {
    const world = await openWorld(t);
    const sizes: number[] = [];
    const send: typeof fetch = async (input, init) => {
      const size = String(init?.body).length;
      sizes.push(size);
      if (size <= 30_000) return fetch(input, init);
      return new Response(body, { status, headers: { 'content-type': type } });
    };
    const client = clientOf(world, new FastClock(), { fetch: send });
    const firsts: number[] = [];
    const onBatch = ({ firstIndex }: PushedBatch) => void firsts.push(firstIndex);
    const counts = await client.push(rowsOf(2000), { onBatch });
    assert.deepEqual([counts.received, counts.created], [2000, 2000]);
    assert.ok(sizes.filter((size) => size > 30_000).length <= 3, `${sizes}`);
    assert.deepEqual(
      firsts,
      [...firsts].sort((one, other) => one - other),
    );
    assert.equal((await client.transactions.list({ limit: 1000 })).data.length, 1000);
  });
}

test('2 a row that is refused on its own ends the push, after the rows before it', async (t) => {
  const world = await openWorld(t);
  const clock = new FastClock();
  const client = clientOf(world, clock);
  const deep = { ...rowsOf(1, 'DEEP')[0], memo: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) };
  const rows = [...rowsOf(321), deep as PushRow, ...rowsOf(700, 'LATER')];
  await assert.rejects(client.push(rows), (error) => {
    assert.ok(error instanceof BudgetdError);
    assert.deepEqual([error.code, error.counts?.created], ['invalid_json', 321]);
    return true;
  });
  const counts = { ...NONE, received: 1, updated: 1, unchanged: 1 };
  const one = client.push([rowsOf(1)[0] as PushRow, deep as PushRow]);
  await assert.rejects(one, { code: 'invalid_json', counts });
});

const NONE = noCounts(false);
