/** Requests that Node's parser refuses or misreads, as bytes (contract 2, steps 1 and 2). */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { FOREVER_MS } from '../held-timers.ts';
import { arrival, codeOf, head, ROUTES, startService, type Wire } from './wire.ts';

const HOST = 'Host: a\r\n';
const POST = `POST /body HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n`;

const REFUSED = [
  // An unknown method for a known path.
  ['FOO /echo HTTP/1.1\r\n\r\n', 405, 'method_not_allowed', 'GET, HEAD'],
  ['get /echo?a=b HTTP/1.1\r\n\r\n', 405, 'method_not_allowed', 'GET, HEAD'],
  ['GETS /things/1 HTTP/1.1\r\n\r\n', 405, 'method_not_allowed', 'GET, HEAD'],
  ['DESCRIBE /api/v1/both HTTP/1.1\r\n\r\n', 405, 'method_not_allowed', 'GET, HEAD, POST'],
  [`CONNECT /echo HTTP/1.1\r\n${HOST}\r\n`, 405, 'method_not_allowed', 'GET, HEAD'],
  [`CONNECT evil:443 HTTP/1.1\r\n${HOST}\r\n`, 404, 'not_found', undefined],
  ['FOO /nothing HTTP/1.1\r\n\r\n', 400, 'bad_request', undefined],
  // Not HTTP/1.1.
  ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'bad_request', undefined],
  ['GET /echo HTTP/1.1\nHost: a\n\n', 400, 'bad_request', undefined],
  ['GET /echo x HTTP/1.1\r\n\r\n', 400, 'bad_request', undefined],
  ['GET echo HTTP/1.1\r\n\r\n', 400, 'bad_request', undefined],
  ['GET /echo?q=\xc3\xa9 HTTP/1.1\r\n\r\n', 400, 'bad_request', undefined],
  [`GET /echo HTTP/1.1\r\n${HOST}X : y\r\n\r\n`, 400, 'bad_request', undefined],
  [`GET /echo HTTP/1.1\r\n${HOST}X: y\r\n z\r\n\r\n`, 400, 'bad_request', undefined],
  [`GET /echo HTTP/1.1\r\n${HOST}X: a\x00b\r\n\r\n`, 400, 'bad_request', undefined],
  ['GET /echo\r\n\r\n', 400, 'bad_request', undefined],
  ['GET /echo HTTP/0.9\r\n\r\n', 400, 'bad_request', undefined],
  // Another version.
  [`GET /echo HTTP/2.0\r\n${HOST}\r\n`, 505, 'http_version_not_supported', undefined],
  [`GET /nothing HTTP/1.2\r\n${HOST}\r\n`, 505, 'http_version_not_supported', undefined],
  ['GET /echo HTTP/3\r\n\r\n', 505, 'http_version_not_supported', undefined],
  ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'http_version_not_supported', undefined],
  // Too many header fields, or too long.
  [head('GET /echo', `${HOST}${'X: y\r\n'.repeat(99)}X: y`), 431, 'headers_too_large', undefined],
  [head('GET /echo', `${HOST}${'X: y\r\n'.repeat(1499)}X: y`), 431, 'headers_too_large', undefined],
  [head('GET /echo', `${HOST}X: ${'y'.repeat(17_000)}`), 431, 'headers_too_large', undefined],
  [head(`GET /echo?q=${'y'.repeat(17_000)}`), 431, 'headers_too_large', undefined],
  // Framing that readers interpret differently.
  ['GET /echo HTTP/1.1\r\n\r\n', 400, 'bad_request', undefined],
  [`GET /echo HTTP/1.1\r\n${HOST}${HOST}\r\n`, 400, 'bad_request', undefined],
  [head('GET /echo', `${HOST}Authorization: a\r\nAuthorization: b`), 400, 'bad_request', undefined],
  [`${POST}content-type: text/csv\r\nContent-Length: 2\r\n\r\n{}`, 400, 'bad_request', undefined],
  [`${POST}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, 400, 'bad_request', undefined],
  [`${POST}Content-Length: 2, 2\r\n\r\n{}`, 400, 'bad_request', undefined],
  [`${POST}Content-Length: +2\r\n\r\n{}`, 400, 'bad_request', undefined],
  [`${POST}Content-Length: \r\n\r\n{}`, 400, 'bad_request', undefined],
  [`${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400, 'bad_request', undefined],
  [`${POST}Transfer-Encoding: gzip\r\n\r\n0\r\n\r\n`, 400, 'bad_request', undefined],
  [`${POST}Transfer-Encoding: Chunked\r\n\r\n0\r\n\r\n`, 400, 'bad_request', undefined],
  [`${POST}Transfer-Encoding:\r\n\r\n`, 400, 'bad_request', undefined],
  [
    `${POST}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'bad_request',
    undefined,
  ],
  [
    `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'bad_request',
    undefined,
  ],
  [
    `${POST.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'bad_request',
    undefined,
  ],
  // A body that is found to be malformed while it is read.
  [`${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'bad_request', undefined],
  [
    `${POST}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(17_000)}`,
    400,
    'bad_request',
    undefined,
  ],
  // An unknown expectation.
  [head('GET /nothing', `${HOST}Expect: x`), 417, 'expectation_failed', undefined],
  [head('GET /echo', `${HOST}Expect: 100-continue, x`), 417, 'expectation_failed', undefined],
  [`${POST}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`, 417, 'expectation_failed', undefined],
] as const;

test('contract 2(1, 2): a request that cannot be parsed gets one JSON answer', async (t) => {
  const service = await startService(t);
  await Promise.all(
    REFUSED.map(async ([request, status, code, allow]) => {
      const wire = service.wire();
      wire.write(request);
      const reply = await wire.reply();
      const said = [reply.status, codeOf(reply), reply.headers['allow']];
      assert.deepEqual(said, [status, code, allow], request);
      assert.equal(reply.headers['content-type'], 'application/json; charset=utf-8');
      assert.equal(reply.headers['connection'], 'close', request);
      assert.equal(await wire.ending, 'ended', request);
      assert.equal(wire.received, '', request);
    }),
  );
  assert.deepEqual(service.events, []);
});

test('an unusual but valid request is answered', async (t) => {
  const service = await startService(t);
  const served = [
    `\r\n\r\n${head('GET /echo')}`,
    head('GET /echo', `${HOST}${'X: y\r\n'.repeat(98)}X: y`),
    head('GET /echo', `${HOST}Upgrade: websocket\r\nConnection: Upgrade`),
    head('GET /echo', 'hOsT: a'),
    'GET /echo HTTP/1.0\r\nExpect: x\r\n\r\n',
    head('GET /echo', `${HOST}Expect: 100-continue`),
    `${POST}Transfer-Encoding: chunked\r\n\r\n2;a=b\r\n{}\r\n0\r\nTrailer: x\r\n\r\n`,
  ];
  for (const request of served) {
    assert.equal((await service.ask(request)).status, 200, request);
  }
});

test('a request for another protocol is the last one on its connection', async (t) => {
  const service = await startService(t);
  const other = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';
  for (const [first, body] of [
    [head('GET /things/1', `${HOST}${other.trimEnd()}`), '{"id":"1"}\n'],
    [`${POST}${other}Content-Length: 5\r\n\r\n"one"`, '"one"\n'],
  ] as const) {
    const wire = service.wire();
    wire.write(first + head('GET /things/2'));
    const reply = await wire.reply();
    assert.deepEqual([reply.body, reply.headers['connection']], [body, 'close']);
    wire.write(head('GET /things/3'));
    assert.equal(await wire.ending, 'ended');
    assert.equal(wire.received, '');
  }
});

const SLOW: Route = {
  method: 'POST',
  path: '/slow',
  handler: async (request) => {
    const value = await request.readJson();
    await new Promise((resolve) => setTimeout(resolve, 30));
    return jsonReply(value);
  },
};
const SLOW_REQUEST = `${POST.replace('/body', '/slow')}Content-Length: 5\r\n\r\n"one"`;

test('a refusal is sent after the answers before it', async (t) => {
  const service = await startService(t, [...ROUTES, SLOW]);
  for (const [bad, code] of [
    ['FOO /echo HTTP/1.1\r\n\r\n', 'method_not_allowed'],
    [`CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`, 'not_found'],
  ] as const) {
    const wire = service.wire();
    wire.write(`${head('GET /things/1')}${SLOW_REQUEST}${head('GET /things/2')}${bad}and more`);
    assert.equal((await wire.reply()).body, '{"id":"1"}\n');
    wire.write('and more');
    assert.equal((await wire.reply()).body, '"one"\n');
    assert.equal((await wire.reply()).body, '{"id":"2"}\n');
    assert.equal(codeOf(await wire.reply()), code);
    assert.equal(await wire.ending, 'ended');
    assert.equal(wire.received, '');
  }
});

test('requests after a refusal are ignored', async (t) => {
  let handled = 0;
  const service = await startService(t, [
    {
      method: 'GET',
      path: '/count',
      handler: () => {
        handled += 1;
        return jsonReply(null);
      },
    },
  ]);
  for (const bad of [
    head('GET /count', ''),
    head('GET /count', `${HOST}Expect: x`),
    head('GET /count', `${HOST}${'X: y\r\n'.repeat(100)}X: y`),
  ]) {
    const wire = service.wire();
    wire.write(bad + head('GET /count') + head('CONNECT a:1'));
    assert.ok((await wire.reply()).status >= 400);
    assert.equal(await wire.ending, 'ended');
    assert.equal(wire.received, '');
  }
  assert.equal(handled, 0);
});

test('a handler gets an error if the body breaks off', async (t) => {
  let begun: () => void = () => {};
  const outcomes: Promise<string>[] = [];
  const service = await startService(t, [
    {
      method: 'POST',
      path: '/body',
      handler: async (request) => {
        const value = request.readJson();
        outcomes.push(value.then(String, (error: Error) => error.name));
        begun();
        return jsonReply(await value);
      },
    },
  ]);
  async function begin(): Promise<Wire> {
    const wire = service.wire();
    const handling = new Promise<void>((resolve) => {
      begun = resolve;
    });
    wire.write(`${POST}Content-Length: 100\r\n\r\n{"rows":`);
    await handling;
    return wire;
  }
  const halfClosed = await begin();
  halfClosed.socket.end();
  // Its client can still read.
  assert.equal(codeOf(await halfClosed.reply()), 'bad_request');
  const gone = await begin();
  gone.socket.resetAndDestroy();
  assert.deepEqual(await Promise.all(outcomes), ['BodyAborted', 'BodyAborted']);
  assert.deepEqual(service.events, []);
});

test('a client that half-closes still gets its answer', async (t) => {
  const service = await startService(t);
  const wire = service.wire();
  wire.socket.end(head('GET /echo'));
  assert.equal((await wire.reply()).status, 200);
  const half = service.wire();
  half.socket.end('GET /echo HT');
  assert.equal(codeOf(await half.reply()), 'bad_request');
  assert.equal(await half.ending, 'ended');
});

test('contract 3: a request that does not arrive in time is answered 408', async (t) => {
  for (const part of ['', 'GET /ec', `${POST}Content-Length: 9\r\n\r\n{`]) {
    const service = await startService(t, ROUTES);
    const wire = service.wire();
    wire.write(part);
    await service.accepted(wire);
    await service.hurry();
    const reply = await wire.reply();
    assert.deepEqual([reply.status, codeOf(reply)], [408, 'request_timeout'], part);
    assert.equal(await wire.ending, 'ended');
  }
});

test('a client that stops in the middle of its body is answered 408', async (t) => {
  const service = await startService(t, ROUTES, { times: { socketMs: FOREVER_MS + 1 } });
  const wire = service.wire();
  wire.write(`${POST}Content-Length: 9\r\n\r\n{`);
  const accepted = await service.accepted(wire);
  await arrival();
  assert.equal(accepted.timeout, FOREVER_MS + 1);
  accepted.emit('timeout');
  assert.equal(codeOf(await wire.reply()), 'request_timeout');
});

test('a client that waits for its answer is not disconnected', async (t) => {
  let wait = (): void => {};
  const waiting: Route = {
    method: 'POST',
    path: '/slow',
    handler: async (request) => {
      const value = await request.readJson();
      wait();
      await arrival();
      return jsonReply(value);
    },
  };
  const service = await startService(t, [waiting]);
  const wire = service.wire();
  const accepted = await service.accepted(wire);
  wait = () => accepted.emit('timeout');
  wire.write(SLOW_REQUEST);
  assert.equal((await wire.reply()).body, '"one"\n');
});

test('an idle connection is closed without an answer', async (t) => {
  const service = await startService(t, ROUTES, { times: { keepAliveMs: 60 } });
  const wire = service.wire();
  wire.write(head('GET /echo'));
  assert.equal((await wire.reply()).status, 200);
  assert.equal(await wire.ending, 'ended');
  assert.equal(wire.received, '');
});

test('a client that never reads is disconnected', async (t) => {
  const large = 'x'.repeat(30 * 1024 * 1024);
  const handler = () => ({ status: 200, headers: {}, body: large });
  const service = await startService(t, [{ method: 'GET', path: '/large', handler }]);
  const wire = service.wire();
  wire.socket.pause();
  wire.write(head('GET /large'));
  const accepted = await service.accepted(wire);
  await arrival();
  accepted.emit('timeout');
  await service.untilClosed(wire);
  wire.socket.resume();
  await wire.ending;
  assert.ok(wire.received.length < large.length);
});

test('what follows a CONNECT reaches no request of the next connection', async (t) => {
  const service = await startService(t, ROUTES, { times: { lingerMs: FOREVER_MS } });
  const first = service.wire();
  first.write(`CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n`);
  assert.equal(codeOf(await first.reply()), 'not_found');
  // It gets the parser that Node has taken from the first.
  const second = service.wire();
  second.write('GET /things/');
  await arrival();
  first.write('of-the-first');
  await arrival();
  second.write(`2 HTTP/1.1\r\n${HOST}\r\n`);
  assert.equal((await second.reply()).body, '{"id":"2"}\n');
});
