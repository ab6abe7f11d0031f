/** Bodies on a socket: read up to the limit, or refused so that the client gets the answer. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '../../src/http/message.ts';
import { FOREVER_MS } from '../held-timers.ts';
import { arrival, codeOf, head, ROUTES, startService, type Wire } from './wire.ts';

const MEBIBYTE = 1024 * 1024;
const JSON_TYPE = 'Host: a\r\nContent-Type: application/json';

function post(fields: string, body = '', path = '/body'): string {
  return `POST ${path} HTTP/1.1\r\n${fields}\r\n\r\n${body}`;
}

function chunk(bytes: number): Buffer {
  return Buffer.concat([
    Buffer.from(`${bytes.toString(16)}\r\n`),
    Buffer.alloc(bytes, ' '),
    Buffer.from('\r\n'),
  ]);
}

/** Writes like a client that does not read until it has written everything. */
async function writeAll(wire: Wire, piece: Buffer, times: number): Promise<void> {
  for (let written = 0; written < times && wire.socket.writable; written += 1) {
    await new Promise((resolve) => wire.socket.write(piece, resolve));
  }
}

test('contract 2(8): a body can arrive in any pieces', async (t) => {
  const service = await startService(t);
  const body = JSON.stringify({ rows: ['é€💶'] });
  const bytes = Buffer.from(body);
  const fields = `${JSON_TYPE}\r\nContent-Length: ${bytes.length}`;
  const wire = service.wire();
  wire.write(post(fields));
  for (const byte of bytes) {
    wire.write(Uint8Array.of(byte));
    await new Promise(setImmediate);
  }
  assert.equal((await wire.reply()).body, `${body}\n`);
  wire.write(`${post(`${JSON_TYPE}\r\nTransfer-Encoding: chunked`)}2\r\n[1\r\n1\r\n]\r\n0\r\n\r\n`);
  assert.equal((await wire.reply()).body, '[1]\n');
});

test('contract 2(8): the checks of a body, in order', async (t) => {
  const service = await startService(t);
  const large = 'Content-Length: 9999999';
  const cases = [
    [post('Host: a\r\nContent-Length: 2', '{}'), 415, 'unsupported_media_type'],
    [post(`Host: a\r\nContent-Type: text/csv\r\n${large}`), 415, 'unsupported_media_type'],
    [post(`${JSON_TYPE}\r\nContent-Encoding: gzip\r\n${large}`), 415, 'unsupported_media_type'],
    [post(`${JSON_TYPE}\r\n${large}`), 413, 'payload_too_large'],
    [post(`${JSON_TYPE}\r\nContent-Length: 3`, '[\xe9]'), 400, 'invalid_encoding'],
    [post(`${JSON_TYPE}\r\nContent-Length: 2`, '[}'), 400, 'invalid_json'],
    [post(JSON_TYPE), 400, 'invalid_json'],
  ] as const;
  for (const [request, status, code] of cases) {
    const reply = await service.ask(request);
    assert.deepEqual([reply.status, codeOf(reply)], [status, code], request);
  }
});

test('a handler can read the body twice, and after other work', async (t) => {
  const service = await startService(t, [
    {
      method: 'POST',
      path: '/body',
      handler: async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return jsonReply([await request.readJson(), await request.readJson()]);
      },
    },
  ]);
  const reply = await service.ask(post(`${JSON_TYPE}\r\nContent-Length: 3`, '"a"'));
  assert.equal(reply.body, '["a","a"]\n');
});

/** Options for clients that send more after they are refused. */
const STILL_SENDING = { times: { lingerMs: FOREVER_MS } };

test('contract 2(8): a Content-Length above 4 MiB is refused before the body', async (t) => {
  const service = await startService(t);
  const wire = service.wire();
  wire.write(post(`${JSON_TYPE}\r\nContent-Length: ${4 * MEBIBYTE + 1}`));
  const reply = await wire.reply();
  assert.deepEqual([reply.status, reply.headers['connection']], [413, 'close']);
  assert.equal(await wire.ending, 'ended');
});

test('contract 2(8): more than 4 MiB in chunks is refused, and the rest discarded', async (t) => {
  const service = await startService(t, ROUTES, STILL_SENDING);
  const wire = service.wire();
  wire.write(post(`${JSON_TYPE}\r\nTransfer-Encoding: chunked`));
  await writeAll(wire, chunk(MEBIBYTE), 16);
  wire.write('0\r\n\r\n');
  assert.equal(codeOf(await wire.reply()), 'payload_too_large');
  assert.equal(await wire.ending, 'ended');
});

test('contract 2(8): exactly 4 MiB is read', async (t) => {
  const service = await startService(t);
  const wire = service.wire();
  wire.write(post(`${JSON_TYPE}\r\nContent-Length: ${4 * MEBIBYTE}`, '[]'));
  wire.write(Buffer.alloc(4 * MEBIBYTE - 2, ' '));
  assert.equal((await wire.reply()).body, '[]\n');
});

test('contract 2(8): a client that writes 16 MiB before it reads gets its answer', async (t) => {
  const service = await startService(t, ROUTES, STILL_SENDING);
  const declared = `Content-Length: ${16 * MEBIBYTE}`;
  for (const [path, type, status] of [
    ['/body', JSON_TYPE, 413],
    ['/body', 'Host: a', 415],
    ['/api/v1/both', JSON_TYPE, 401],
    ['/nothing', JSON_TYPE, 404],
    ['/echo', JSON_TYPE, 405],
    ['/body?%', JSON_TYPE, 400],
    ['/body', `${JSON_TYPE}\r\nHost: b`, 400],
    ['/body', `${JSON_TYPE}\r\nConnection: close`, 413],
  ] as const) {
    const wire = service.wire();
    wire.socket.pause();
    wire.write(post(`${type}\r\n${declared}`, '', path));
    await writeAll(wire, Buffer.alloc(MEBIBYTE, ' '), 16);
    wire.socket.resume();
    assert.equal((await wire.reply()).status, status, path);
    assert.equal(await wire.ending, 'ended');
  }
});

test('contract 2(8): at most 16 MiB are read', async (t) => {
  const service = await startService(t, ROUTES, STILL_SENDING);
  const wire = service.wire();
  const length = 200 * MEBIBYTE;
  wire.write(post(`${JSON_TYPE}\r\nContent-Length: ${length}`));
  assert.equal((await wire.reply()).status, 413);
  await writeAll(wire, Buffer.alloc(MEBIBYTE, ' '), 200);
  await wire.ending;
  assert.ok(wire.socket.bytesWritten < length);
});

test('a small unread body does not close the connection', async (t) => {
  const service = await startService(t);
  const wire = service.wire();
  const unread = post(`${JSON_TYPE}\r\nContent-Length: 30000`, '', '/api/v1/both');
  wire.write(unread);
  assert.equal((await wire.reply()).status, 401);
  wire.write(' '.repeat(30_000) + head('GET /echo'));
  assert.equal((await wire.reply()).status, 200);
  // The rest of the body is malformed, then missing, then the connection closes.
  wire.write(unread);
  assert.equal((await wire.reply()).status, 401);
  wire.socket.end(' '.repeat(100));
  assert.equal(await wire.ending, 'ended');
  assert.equal(wire.received, '');
});

test('a client that stops in the middle of a refused body is disconnected', async (t) => {
  const service = await startService(t, ROUTES);
  const wire = service.wire();
  wire.write(post(`${JSON_TYPE}\r\nContent-Length: ${10 * MEBIBYTE}`));
  assert.equal((await wire.reply()).status, 413);
  assert.equal(await wire.ending, 'ended');
});

test('a client that sends a refused body slowly has the time of a request', async (t) => {
  const service = await startService(t, ROUTES, STILL_SENDING);
  const wire = service.wire();
  wire.write(post(`${JSON_TYPE}\r\nContent-Length: ${10 * MEBIBYTE}`));
  assert.equal((await wire.reply()).status, 413);
  for (let sent = 0; sent < 20; sent += 1) {
    wire.write(' ');
    await arrival();
  }
  assert.equal((await service.accepted(wire)).destroyed, false);
  await service.hurry();
  await wire.ending;
});

test('a refused HEAD or an empty answer does not wait for the body', async (t) => {
  const service = await startService(t, [
    ...ROUTES,
    { method: 'POST', path: '/empty', handler: () => ({ status: 303, headers: {}, body: '' }) },
  ]);
  const fields = `${JSON_TYPE}\r\nContent-Length: ${10 * MEBIBYTE}`;
  const onHead = service.wire();
  onHead.write(`HEAD /nothing HTTP/1.1\r\n${fields}\r\n\r\n`);
  assert.equal((await onHead.reply(true)).status, 404);
  assert.equal((await service.ask(post(fields, '', '/empty'))).status, 303);
});

test('a client that waits for a 100 gets it only if its body will be read', async (t) => {
  const service = await startService(t);
  const fields = `${JSON_TYPE}\r\nContent-Length: 4\r\nExpect: 100-Continue`;
  const wanted = service.wire();
  wanted.write(post(fields));
  await wanted.expect('HTTP/1.1 100 Continue\r\n\r\n');
  wanted.write('true');
  const reply = await wanted.reply();
  assert.deepEqual(
    [reply.status, reply.body, reply.headers['connection']],
    [200, 'true\n', 'keep-alive'],
  );
  for (const [path, type, status] of [
    ['/api/v1/both', JSON_TYPE, 401],
    ['/nothing', JSON_TYPE, 404],
    ['/body', 'Host: a', 415],
  ] as const) {
    const wire = service.wire();
    wire.write(post(`${type}\r\nContent-Length: 4\r\nExpect: 100-continue`, '', path));
    const refusal = await wire.reply();
    assert.deepEqual([refusal.status, refusal.headers['connection']], [status, 'close']);
    assert.equal(await wire.ending, 'ended');
  }
});

test('a handler can answer after its client has disconnected', async (t) => {
  let begun: () => void = () => {};
  let answer: () => void = () => {};
  const handling = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const gone = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const service = await startService(t, [
    {
      method: 'POST',
      path: '/body',
      handler: async () => {
        begun();
        await gone;
        return jsonReply(null);
      },
    },
  ]);
  const wire = service.wire();
  wire.write(post(`${JSON_TYPE}\r\nContent-Length: ${10 * MEBIBYTE}`));
  await handling;
  wire.socket.resetAndDestroy();
  // Resolves because the server has noticed that the client disconnected.
  await service.close();
  answer();
  await new Promise(setImmediate);
  assert.deepEqual(service.events, []);
});
