/** Clients that send too many requests, or do not read their answers. */

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { SIZES } from '../../src/http/settings.ts';
import { FOREVER_MS, holdTimers } from '../held-timers.ts';
import { arrival, codeOf, head, type Service, startService, type Wire } from './wire.ts';

/** More than the kernel buffers for a client that does not read. */
const LARGE = Buffer.alloc(24 * 1024 * 1024, 'x');

/** Routes that count their requests. */
function countingRoutes(): { routes: readonly Route[]; asked: () => number } {
  let asked = 0;
  const counted = (body: string | Uint8Array) => () => {
    asked += 1;
    return { status: 200, headers: {}, body };
  };
  const routes: Route[] = [
    { method: 'GET', path: '/small', handler: counted('small') },
    { method: 'GET', path: '/large', handler: counted(LARGE) },
    {
      method: 'GET',
      path: '/key',
      handler: (request) => {
        request.admit({ organisationId: 'org_1', keyId: 'key_1' });
        return jsonReply('welcome');
      },
    },
    {
      method: 'GET',
      path: '/key/large',
      handler: (request) => {
        request.admit({ organisationId: 'org_1', keyId: 'key_1' });
        return { status: 200, headers: {}, body: LARGE };
      },
    },
    {
      method: 'POST',
      path: '/body',
      handler: async (request) => {
        asked += 1;
        return jsonReply(await request.readJson());
      },
    },
  ];
  return { routes, asked: () => asked };
}

/** Sends requests and never reads. */
function askUnread(service: Service, text: string): Wire {
  const wire = service.wire();
  wire.socket.pause();
  wire.write(text);
  return wire;
}

/** Waits until the service has disconnected a client, which reads only then. */
async function untilGone(service: Service, wire: Wire): Promise<void> {
  await service.untilClosed(wire);
  wire.socket.resume();
  await wire.ending;
}

test('a client that does not read has one answer built at a time', async (t) => {
  const { routes, asked } = countingRoutes();
  const service = await startService(t, routes);
  const wire = askUnread(service, head('GET /large').repeat(500));
  await arrival();
  assert.equal(asked(), 1);
  wire.socket.resume();
  assert.equal((await wire.reply()).body.length, LARGE.length);
  assert.equal((await wire.reply()).body.length, LARGE.length);
});

test('while requests wait, no more are read', async (t) => {
  const { routes } = countingRoutes();
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const slow: Route = {
    method: 'GET',
    path: '/slow',
    handler: () => finished.then(() => jsonReply('slow')),
  };
  const service = await startService(t, [...routes, slow], { limits: { waitingRequests: 2 } });
  t.after(() => finish());
  const wire = askUnread(service, head('GET /slow'));
  await arrival();
  for (let part = 0; part < 40; part += 1) wire.write(head('GET /small').repeat(20_000));
  let unsent = wire.socket.writableLength;
  for (let before = 0; before !== unsent; unsent = wire.socket.writableLength) {
    before = unsent;
    await arrival();
  }
  assert.ok(unsent > 10_000_000, `${unsent} bytes are waiting at the client`);
  finish();
  wire.socket.resume();
  assert.equal((await wire.reply()).body, '"slow"\n');
  for (let at = 0; at < 100; at += 1) assert.equal((await wire.reply()).body, 'small');
});

test('of what arrives at once, only some requests are taken while one waits', async (t) => {
  const { routes } = countingRoutes();
  let finish = (): void => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const handler = () => finished.then(() => jsonReply('slow'));
  const slow: Route = { method: 'GET', path: '/slow', handler };
  // Above it the connection is closed: 150 requests.
  const limits = { heldBytes: 150 * SIZES.requestBytes };
  const service = await startService(t, [...routes, slow], { limits });
  t.after(() => finish());
  const wire = service.wire();
  wire.write(head('GET /slow') + head('GET /small').repeat(2_000));
  await arrival();
  finish();
  assert.equal((await wire.reply()).body, '"slow"\n');
  for (let at = 0; at < 2_000; at += 1) assert.equal((await wire.reply()).body, 'small');
});

test('a client that reads gets every answer in order, even with bodies in between', async (t) => {
  const { routes, asked } = countingRoutes();
  const service = await startService(t, routes, { limits: { waitingRequests: 3 } });
  const wire = service.wire();
  const count = 1500;
  for (let at = 0; at < count; at += 1) {
    wire.write(head('GET /small'));
    const body = JSON.stringify({ at, padding: ' '.repeat(at) });
    const fields = `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    wire.write(`${head('POST /body', fields)}${body}`);
  }
  for (let at = 0; at < count; at += 1) {
    assert.equal((await wire.reply()).body, 'small');
    assert.equal(JSON.parse((await wire.reply()).body).at, at);
  }
  assert.equal(asked(), 2 * count);
  assert.equal(wire.received, '');
});

test('other clients are answered while one has thousands of queued requests', async (t) => {
  const { routes } = countingRoutes();
  const service = await startService(t, routes);
  const greedy = service.wire();
  greedy.write(head('GET /small').repeat(2000));
  let greedyAnswers = 0;
  const all = (async () => {
    for (; greedyAnswers < 2000; greedyAnswers += 1) await greedy.reply();
  })();
  assert.equal((await service.ask(head('GET /small'))).body, 'small');
  assert.ok(greedyAnswers < 2000, 'the other client waited for all of them');
  await all;
});

test('a client that does not read is disconnected, even if it keeps sending', async (t) => {
  const pass = holdTimers(t);
  const { routes } = countingRoutes();
  const service = await startService(t, routes);
  const quiet = askUnread(service, head('GET /large'));
  const sending = askUnread(service, head('GET /large'));
  const refused = askUnread(
    service,
    `${head('GET /large', 'Host: a\r\nContent-Length: 9999999')}{`,
  );
  await arrival();
  pass(FOREVER_MS - 1);
  sending.write(head('GET /small'));
  await arrival();
  assert.equal((await service.accepted(sending)).destroyed, false);
  pass(1);
  await Promise.all([quiet, sending, refused].map((wire) => untilGone(service, wire)));
});

test('a client that reads slowly is not disconnected', async (t) => {
  const pass = holdTimers(t);
  const { routes } = countingRoutes();
  const service = await startService(t, routes);
  const wire = askUnread(service, head('GET /large'));
  const accepted = await service.accepted(wire);
  await arrival();
  // Reads several pieces, and pauses. In total it takes longer than it has for one piece.
  for (let pauses = 0; pauses < 4; pauses += 1) {
    const before = accepted.bytesWritten;
    wire.socket.resume();
    while (accepted.bytesWritten < before + 2 * SIZES.pieceBytes) await nextTurn();
    wire.socket.pause();
    await arrival();
    pass(FOREVER_MS * 0.9);
  }
  wire.socket.resume();
  assert.equal((await wire.reply()).body.length, LARGE.length);
});

test('the client without a key that holds the most unsent bytes is dropped first', async (t) => {
  const { routes } = countingRoutes();
  const limits = { heldBytes: 2.5 * LARGE.length };
  const service = await startService(t, routes, { limits });
  const trusted = askUnread(service, head('GET /key/large') + head('GET /small').repeat(300));
  const waiting = askUnread(service, head('GET /large') + head('GET /small').repeat(100));
  await arrival();
  const plain = askUnread(service, head('GET /large'));
  await arrival();
  assert.equal((await service.ask(head('GET /small'))).body, 'small');
  await untilGone(service, waiting);
  for (const wire of [trusted, plain]) {
    wire.socket.resume();
    assert.equal((await wire.reply()).body.length, LARGE.length);
  }
});

test('half-sent bodies are refused before they fill the memory; others get through', async (t) => {
  const routes: readonly Route[] = ['org_1', 'org_2'].map((organisationId) => ({
    method: 'POST',
    path: `/${organisationId}`,
    handler: async (request) => {
      request.admit({ organisationId, keyId: 'key' });
      await request.readJson();
      return jsonReply('read');
    },
  }));
  const MiB = 1024 * 1024;
  const service = await startService(t, routes, { limits: { bodyBytes: 10 * MiB } });
  const post = (path: string, bytes: number) =>
    head(`POST ${path}`, `Host: a\r\nContent-Type: application/json\r\nContent-Length: ${bytes}`);
  const refused: unknown[] = [];
  for (let at = 0; at < 20; at += 1) {
    const wire = service.wire();
    wire.write(post('/org_1', 2 * MiB) + ' '.repeat(MiB));
    void wire.reply().then(
      (reply) => refused.push([reply.status, codeOf(reply), reply.headers['retry-after']]),
      () => {},
    );
  }
  while (refused.length < 10) await nextTurn();
  assert.deepEqual(refused[0], [503, 'unavailable', '2']);
  for (let at = 0; at < 3; at += 1) {
    const body = `"${'x'.repeat(4 * MiB - 2)}"`;
    assert.equal((await service.ask(post('/org_2', 4 * MiB) + body)).status, 200);
  }
});

test('queued requests of many connections count too', async (t) => {
  const { routes } = countingRoutes();
  const limits = { heldBytes: LARGE.length + 4 * 1024 * 1024 };
  const service = await startService(t, routes, { limits });
  const trusted = service.wire();
  trusted.write(head('GET /key'));
  await trusted.reply();
  const others = Array.from({ length: 20 }, () =>
    askUnread(service, head('GET /large') + head('GET /small').repeat(1000)),
  );
  await arrival();
  trusted.write(head('GET /key'));
  assert.equal((await trusted.reply()).status, 200);
  let gone = 0;
  for (const wire of others) void untilGone(service, wire).then(() => (gone += 1));
  while (gone < 19) await nextTurn();
});

test('a flood from many connections does not end the process', async (t) => {
  const child = fork(new URL('./flooded-server.js', import.meta.url), {
    execArgv: ['--max-old-space-size=64'],
    silent: true,
  });
  t.after(() => child.kill());
  const [port] = await once(child, 'message');
  const sockets = Array.from({ length: 60 }, () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
    socket.pause();
    socket.write(head('GET /').repeat(2000));
    return socket;
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let round = 0; round < 5; round += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/`);
    assert.equal(response.status, 200);
    assert.equal((await response.arrayBuffer()).byteLength, 1024 * 1024);
    await arrival();
  }
  assert.equal(child.exitCode ?? child.signalCode, null);
});

test('at the limit, a new connection replaces the one idle longest', async (t) => {
  const { routes } = countingRoutes();
  const service = await startService(t, routes, { limits: { connections: 4 } });
  const trusted = service.wire();
  trusted.write(head('GET /key'));
  await trusted.reply();
  const [first, second, third] = [service.wire(), service.wire(), service.wire()];
  await arrival();
  first.write(head('GET /small'));
  await first.reply();
  assert.equal((await service.ask(head('GET /small'))).status, 200);
  assert.equal(await second.ending, 'ended');
  for (let round = 0; round < 50; round += 1) service.wire().write('GET /sma');
  await Promise.all([first.ending, third.ending]);
  trusted.write(head('GET /key'));
  assert.equal((await trusted.reply()).status, 200);
  assert.equal((await service.ask(head('GET /small'))).status, 200);
});

test('clients that keep reconnecting do not lock others out', async (t) => {
  const { routes } = countingRoutes();
  const service = await startService(t, routes, { limits: { connections: 20 } });
  let isOver = false;
  let opened = 0;
  const open = (text: string): void => {
    if (isOver) return;
    opened += 1;
    const wire = service.wire();
    wire.write(text);
    void wire.ending.then(() => {
      wire.socket.destroy();
      setTimeout(open, 5, text);
    });
  };
  for (let at = 0; at < 30; at += 1) {
    open(['', 'GET /sma', head('GET /small').repeat(9)][at % 3] ?? '');
  }
  const steady = service.wire();
  for (let round = 0; round < 30 || opened <= 60; round += 1) {
    steady.write(head('GET /key'));
    assert.equal((await steady.reply()).status, 200);
    assert.equal((await service.ask(head('GET /small'))).status, 200);
    await arrival();
  }
  isOver = true;
});

test('if all have sent a valid key, idle connections are closed before busy ones', async (t) => {
  const { routes } = countingRoutes();
  const service = await startService(t, routes, { limits: { connections: 2 } });
  const [busy, idle] = [service.wire(), service.wire()];
  idle.write(head('GET /key'));
  await idle.reply();
  busy.socket.pause();
  busy.write(head('GET /key/large'));
  await arrival();
  const next = service.wire();
  next.write(head('GET /key'));
  assert.equal((await next.reply()).status, 200);
  assert.equal(await idle.ending, 'ended');
  next.socket.pause();
  next.write(head('GET /key/large'));
  await arrival();
  const last = service.wire();
  assert.match(await last.ending, /ended|reset/);
  for (const wire of [busy, next]) {
    wire.socket.resume();
    assert.equal((await wire.reply()).body.length, LARGE.length);
  }
});
