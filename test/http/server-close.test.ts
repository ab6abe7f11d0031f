/** Shutdown: requests in progress are answered, others are refused, everything is released. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { Listener } from '../../src/http/server.ts';
import { FOREVER_MS, holdTimers } from '../held-timers.ts';
import { until } from '../upkeep/until.ts';
import { arrival, codeOf, head, ROUTES, startService } from './wire.ts';

const POST = 'POST /body HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';
const LARGE = 'x'.repeat(30 * 1024 * 1024);

const SLOW_ROUTES: readonly Route[] = [
  ...ROUTES,
  {
    method: 'GET',
    path: '/slow',
    handler: async () => {
      await arrival();
      return jsonReply('slow');
    },
  },
  {
    method: 'GET',
    path: '/large',
    handler: () => ({ status: 200, headers: {}, body: LARGE }),
  },
];

test('idle and silent connections are closed at once', async (t) => {
  const service = await startService(t, ROUTES);
  const used = service.wire();
  used.write(head('GET /echo'));
  await used.reply();
  const read = service.wire();
  read.write(`${POST}Content-Length: 2\r\n\r\n{}`);
  await read.reply();
  const silent = service.wire();
  await arrival();
  await service.close();
  await Promise.all([used.ending, read.ending, silent.ending]);
  assert.equal(used.received + read.received + silent.received, '');
});

test('a running request is answered, and its connection closes', async (t) => {
  const service = await startService(t, SLOW_ROUTES);
  const wire = service.wire();
  wire.write(head('GET /slow'));
  await arrival();
  const closing = service.close();
  const reply = await wire.reply();
  assert.deepEqual([reply.body, reply.headers['connection']], ['"slow"\n', 'close']);
  await closing;
});

test('requests queued behind a running one are answered too', async (t) => {
  const service = await startService(t, SLOW_ROUTES);
  const wire = service.wire();
  wire.write(head('GET /slow') + head('GET /things/1'));
  const unparsed = service.wire();
  unparsed.write(`${head('GET /slow')}FOO /nothing HTTP/1.1\r\n\r\n`);
  await arrival();
  const closing = service.close();
  assert.equal((await wire.reply()).body, '"slow"\n');
  assert.equal((await wire.reply()).body, '{"id":"1"}\n');
  assert.equal(await wire.ending, 'ended');
  assert.equal((await unparsed.reply()).body, '"slow"\n');
  assert.equal(await unparsed.ending, 'ended');
  await closing;
});

test('new connections are refused while the last answers are sent', async (t) => {
  const service = await startService(t, SLOW_ROUTES);
  const wire = service.wire();
  wire.write(head('GET /slow'));
  await arrival();
  const closing = service.close();
  const late = service.wire();
  late.write(head('GET /echo'));
  assert.equal(await late.ending, 'reset');
  assert.equal((await wire.reply()).status, 200);
  await closing;
});

test('contract 3: a request during shutdown is refused with Retry-After', async (t) => {
  const service = await startService(t, SLOW_ROUTES);
  const first = service.wire();
  first.write('GET /ec');
  const kept = service.wire();
  kept.write(head('GET /echo'));
  await kept.reply();
  kept.write('GET /ec');
  await arrival();
  const closing = service.close();
  for (const wire of [first, kept]) {
    wire.write('ho HTTP/1.1\r\nHost: a\r\n\r\n');
    const reply = await wire.reply();
    assert.deepEqual([reply.status, codeOf(reply)], [503, 'unavailable']);
    assert.equal(reply.headers['retry-after'], '2');
    assert.equal(reply.headers['connection'], 'close');
  }
  await closing;
});

test('an incomplete request gets a moment, then its connection is closed', async (t) => {
  const pass = holdTimers(t);
  const service = await startService(t, ROUTES);
  const wires = ['GET /ec', `${POST}Content-Length: 9\r\n\r\n{`].map((part) => {
    const wire = service.wire();
    wire.write(part);
    return wire;
  });
  const refused = service.wire();
  refused.write(`${POST.replace('/body', '/nothing')}Content-Length: 9000000\r\n\r\n`);
  const spared = service.wire();
  spared.write(`${POST.replace('/body', '/nothing')}Content-Length: 9\r\n\r\n`);
  assert.equal((await refused.reply()).status, 404);
  assert.equal((await spared.reply()).status, 404);
  const closing = service.close();
  pass(FOREVER_MS - 1);
  for (const wire of wires) assert.equal((await service.accepted(wire)).destroyed, false);
  pass(1);
  await closing;
  await Promise.all([...wires, refused, spared].map((wire) => wire.ending));
});

test('an answer that is being sent is completed', async (t) => {
  const pass = holdTimers(t);
  const times = { halfSentMs: FOREVER_MS, closingMs: 3 * FOREVER_MS, unreadMs: 3 * FOREVER_MS };
  const service = await startService(t, SLOW_ROUTES, { times });
  const wire = service.wire();
  wire.socket.pause();
  wire.write(head('GET /large'));
  await arrival();
  const closing = service.close();
  pass(2 * FOREVER_MS);
  wire.socket.resume();
  assert.equal((await wire.reply()).body.length, LARGE.length);
  assert.equal(await wire.ending, 'ended');
  await closing;
});

test('a client that never reads does not keep the service from closing', async (t) => {
  const pass = holdTimers(t);
  const times = { unreadMs: 2 * FOREVER_MS };
  const service = await startService(t, SLOW_ROUTES, { times });
  const wire = service.wire();
  wire.socket.pause();
  wire.write(head('GET /large'));
  await arrival();
  const closing = service.close();
  pass(FOREVER_MS - 1);
  assert.equal((await service.accepted(wire)).destroyed, false);
  pass(1);
  await closing;
});

test('closing twice, or without listening, is fine', async () => {
  const listener = new Listener({ routes: [], clock: () => new Date(), log: () => {} });
  assert.equal(listener.close(), listener.close());
  await listener.close();
});

test('closing leaves no timers or sockets', async (t) => {
  await arrival();
  const count = (): number =>
    process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length;
  const before = count();
  const ports: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const service = await startService(t, SLOW_ROUTES, { times: { halfSentMs: 20 } });
    ports.push(service.port);
    const wires = ['FOO /echo HTTP/1.1\r\n\r\n', head('GET /echo'), head('GET /slow'), 'GET'].map(
      (text) => {
        const wire = service.wire();
        wire.write(text);
        return wire;
      },
    );
    await arrival();
    await service.close();
    for (const wire of wires) {
      wire.socket.destroy();
    }
  }
  await until(() => count() <= before);
  const again = new Listener({ routes: ROUTES, clock: () => new Date(), log: () => {} });
  await again.listen({ port: ports[0] ?? 0 });
  await again.close();
});
