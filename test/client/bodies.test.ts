import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { BATCH_BYTES } from '../../src/client/index.ts';
import { clientOf, FastClock, openStandIn, openWorld } from './world.ts';

const MIB = 1024 * 1024;
const ROW = { externalId: 'A', date: '2026-01-31', description: 'Tea', amount: 1 };

test('an answer larger than any of the interface is not read into memory', async (t) => {
  let requests = 0;
  let sent = 0;
  let isGone: Promise<void> = Promise.resolve();
  const url = await openStandIn(t, (_, res) => {
    requests += 1;
    res.writeHead(200, { 'content-type': 'application/json' });
    const send = () => {
      while (!res.destroyed && res.write(Buffer.alloc(MIB, 32))) sent += MIB;
    };
    res.on('drain', send);
    isGone = new Promise((resolve) => res.once('close', resolve));
    send();
  });
  const client = clientOf({ url, key: 'k' }, new FastClock());
  const expected = {
    code: 'unexpected_answer',
    status: 200,
    message: /^http:\/\/127.*\/transactions answered 200 with more than 32 MiB: .* Check the addr/,
  };
  await assert.rejects(client.pushBatch([ROW]), expected);
  await isGone;
  await assert.rejects(client.transactions.list(), expected);
  await isGone;
  assert.equal(requests, 2);
  assert.ok(sent < 2 * 48 * MIB, `${sent / MIB} MiB were sent`);
});

test('a small compressed answer that unpacks to a large one is not read into memory', async (t) => {
  const packed = gzipSync(Buffer.alloc(200 * MIB, 32));
  const url = await openStandIn(t, (_, res) => {
    res.writeHead(502, { 'content-type': 'text/html', 'content-encoding': 'gzip' }).end(packed);
  });
  const client = clientOf({ url, key: 'k' }, new FastClock(), { retries: 0 });
  const before = process.memoryUsage().rss;
  await assert.rejects(client.transactions.list(), {
    code: 'unexpected_answer',
    status: 502,
    message: /answered 502 with more than 32 MiB: .* A proxy probably answered/,
  });
  const grown = (process.memoryUsage().rss - before) / MIB;
  assert.ok(grown < 150, `${grown} MiB`);
});

test('the largest answers to a push are read', async (t) => {
  const world = await openWorld(t);
  const client = clientOf(world, new FastClock());
  const room = Math.floor(BATCH_BYTES / 500) - 200;
  const wrong = { date: 'x', description: '', amount: 'x', contact: 1, accountCode: 1 };
  for (const [rows, characters] of [
    [500, room],
    [1, BATCH_BYTES - 300],
  ] as const) {
    const batch = Array.from({ length: rows }, (_, index) => {
      const externalId = `${index}${'"'.repeat(characters / 2 - 5)}`;
      return { ...wrong, externalId } as unknown as typeof ROW;
    });
    const { data, meta } = await client.pushBatch(batch);
    assert.equal(meta.rejected, rows);
    assert.equal(data.at(-1)?.externalId, batch.at(-1)?.externalId);
  }
});

test('the client works with a fetch without streams', async () => {
  const fetch = async () => {
    const response = Response.json({ data: [], meta: { nextCursor: null } });
    return Object.defineProperty(response, 'body', { value: undefined });
  };
  const url = 'https://budget.test';
  const client = clientOf({ url, key: 'k' }, new FastClock(), { fetch });
  assert.deepEqual((await client.transactions.list()).data, []);
});
