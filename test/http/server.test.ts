import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { jsonReply, type Request, type Route } from '../../src/http/message.ts';
import { Listener } from '../../src/http/server.ts';
import { codeOf, head, ROUTES, startService, type WireReply } from './wire.ts';

function assertStandardFields(reply: WireReply): void {
  assert.match(reply.headers['x-request-id'] ?? '', /^\S+$/);
  assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  assert.equal(reply.headers['cache-control'], 'no-store');
  assert.equal(reply.headers['referrer-policy'], 'no-referrer');
  assert.match(reply.headers['content-security-policy'] ?? '', /^default-src 'none'/);
  assert.match(reply.headers['content-length'] ?? '', /^\d+$/);
  assert.equal(reply.headers['server'], undefined);
  assert.equal(reply.headers['transfer-encoding'], undefined);
}

/** A route at /x with this handler. */
function routeX(handler: Route['handler'], method: 'GET' | 'POST' = 'GET'): readonly Route[] {
  return [{ method, path: '/x', handler }];
}

test('contract 1: every answer has the standard fields, even a refusal', async (t) => {
  const service = await startService(t);
  const cases = [
    [head('GET /echo'), 200],
    [head('GET /nothing'), 404],
    [head('GET /nothing', 'Host: a\r\nAccept: text/html'), 404],
    [head('DELETE /echo'), 405],
    [head('GET /echo?%'), 400],
    [head('GET /echo', ''), 400],
    [head('POST /api/v1/both'), 401],
    [head('POST /body'), 415],
    [head('GET /echo', 'Expect: a miracle'), 417],
    ['FOO /echo HTTP/1.1\r\n\r\n', 405],
    ['nonsense\r\n\r\n', 400],
    [head('GET /echo', `Host: a\r\nX: ${'x'.repeat(20_000)}`), 431],
    ['GET /echo HTTP/3.0\r\n\r\n', 505],
    [head('CONNECT a:1'), 404],
  ] as const;
  const seen = new Set<string>();
  for (const [request, status] of cases) {
    const reply = await service.ask(request);
    assert.equal(reply.status, status, request);
    assertStandardFields(reply);
    seen.add(reply.headers['x-request-id'] ?? '');
  }
  assert.equal(seen.size, cases.length);
});

test('contract 3: an error has the request id of its header, not the client’s', async (t) => {
  const service = await startService(t);
  const reply = await service.ask(head('GET /nothing', 'Host: a\r\nX-Request-Id: mine'));
  assert.notEqual(reply.headers['x-request-id'], 'mine');
  assert.deepEqual(JSON.parse(reply.body), {
    code: 'not_found',
    message: 'There is nothing at this path.',
    requestId: reply.headers['x-request-id'],
    details: [],
  });
});

test('contract 2(1): HEAD has the header of GET, including the length, and no body', async (t) => {
  const service = await startService(t);
  for (const [path, fields] of [
    ['/echo?a=b', 'Host: a'],
    ['/things/1', 'Host: a'],
    ['/nothing', 'Host: a'],
    ['/nothing', 'Host: a\r\nAccept: text/html'],
    ['/echo?%', 'Host: a'],
    ['/body', 'Host: a'],
  ] as const) {
    const get = await service.ask(head(`GET ${path}`, fields));
    const wire = service.wire();
    wire.write(head(`HEAD ${path}`, fields));
    const reply = await wire.reply(true);
    const ignored = { 'x-request-id': '', 'content-length': '', date: '' };
    assert.deepEqual({ ...reply.headers, ...ignored }, { ...get.headers, ...ignored }, path);
    // The echo contains the method, which is one letter longer. All ids have the same length.
    const longer = path.startsWith('/echo?a') ? 1 : 0;
    assert.equal(Number(reply.headers['content-length']), get.body.length + longer);
    // A body would arrive before the next answer.
    wire.write(head('GET /echo'));
    assert.equal((await wire.reply()).status, 200);
    assert.equal(reply.body + wire.received, '');
  }
});

test('contract 2(1): an unknown path is 404, another method of a known one 405', async (t) => {
  const service = await startService(t);
  const cases = [
    ['OPTIONS /echo', 405, 'GET, HEAD'],
    ['PUT /api/v1/both', 405, 'GET, HEAD, POST'],
    ['GET /body', 405, 'POST'],
    ['PROPFIND /things/1', 405, 'GET, HEAD'],
    ['OPTIONS /nothing', 404, undefined],
    ['OPTIONS *', 404, undefined],
    ['GET /echo/', 404, undefined],
    ['GET //echo', 404, undefined],
    ['GET /Echo', 404, undefined],
    ['GET /ech%6f', 404, undefined],
    ['GET /./echo', 404, undefined],
    ['GET /things/..', 404, undefined],
    ['GET /things/a;b', 404, undefined],
    ['GET /things\\a', 404, undefined],
    ['GET ftp://host/echo', 404, undefined],
    ['GET http://elsewhere/echo?a=b', 200, undefined],
  ] as const;
  for (const [line, status, allow] of cases) {
    const reply = await service.ask(head(line));
    assert.deepEqual([reply.status, reply.headers['allow']], [status, allow], line);
  }
});

test('contract 2: path, method, query and framing are checked in this order', async (t) => {
  let handled = 0;
  const service = await startService(
    t,
    routeX(() => {
      handled += 1;
      return jsonReply(null);
    }),
  );
  const cases = [
    ['DELETE /y?%', '', 'not_found'],
    ['DELETE /x?%', '', 'method_not_allowed'],
    ['GET /x?%', '', 'invalid_request_target'],
    ['GET /x', '', 'bad_request'],
  ] as const;
  for (const [line, fields, code] of cases) {
    assert.equal(codeOf(await service.ask(head(line, fields))), code);
  }
  assert.equal(handled, 0);
});

test('a handler gets the decoded request and one reading of both clocks', async (t) => {
  const requests: Request[] = [];
  let ticks = 0;
  let dates = 0;
  const service = await startService(
    t,
    [
      {
        method: 'GET',
        path: '/a/{id}',
        handler: (request) => {
          requests.push(request);
          return jsonReply(null);
        },
      },
    ],
    {
      clock: () => new Date(Date.UTC(2026, 0, 31) + dates++),
      monotonicMs: () => ticks++,
      newRequestId: () => `req_${ticks}`,
    },
  );
  await service.ask(head('GET /a/prj_1?q=a+b&q=%C3%A9', 'Host: h\r\nX-A: 1\r\nx-a: 2'));
  await service.ask(head('HEAD /a/prj_2'), true);
  const [first, second] = requests;
  assert.ok(first !== undefined && second !== undefined);
  assert.deepEqual([first.method, first.path, first.params], ['GET', '/a/prj_1', { id: 'prj_1' }]);
  assert.deepEqual(first.query, [
    ['q', 'a b'],
    ['q', 'é'],
  ]);
  assert.deepEqual([first.header('x-a'), first.header('x-b')], ['1, 2', undefined]);
  assert.equal(first.header('set-cookie'), undefined);
  assert.deepEqual(
    [first.nowMs, first.tickMs, first.requestId],
    [Date.UTC(2026, 0, 31), 0, 'req_0'],
  );
  assert.equal(first.nowMs, first.nowMs);
  assert.deepEqual([second.method, second.query, second.tickMs], ['HEAD', [], 1]);
});

test('a header that Node stores as a list is joined', async (t) => {
  const service = await startService(
    t,
    routeX((request) => jsonReply(request.header('set-cookie') ?? null)),
  );
  const reply = await service.ask(head('GET /x', 'Host: a\r\nSet-Cookie: a\r\nSet-Cookie: b'));
  assert.equal(reply.body, '"a, b"\n');
});

test('the fields of a reply take precedence, and its bytes are sent unchanged', async (t) => {
  const service = await startService(
    t,
    routeX(() => ({
      status: 200,
      headers: { 'Content-Security-Policy': "default-src 'self'", 'Cache-Control': 'max-age=9' },
      body: Buffer.from('<é>'),
    })),
  );
  const reply = await service.ask(head('GET /x'));
  assert.equal(reply.headers['content-security-policy'], "default-src 'self'");
  assert.equal(reply.headers['cache-control'], 'max-age=9');
  assert.equal(reply.headers['x-content-type-options'], 'nosniff');
  assert.equal(reply.body, '<é>');
});

test('an empty reply, a redirect and a 204 do not disturb later answers', async (t) => {
  const statuses = [200, 303, 204, 304];
  const service = await startService(
    t,
    routeX(() => ({ status: statuses.shift() ?? 500, headers: {}, body: '' })),
  );
  const wire = service.wire();
  for (const status of [...statuses]) {
    wire.write(head('GET /x'));
    const reply = await wire.reply();
    assert.equal(reply.status, status);
    assert.equal(reply.headers['content-length'], status < 304 && status !== 204 ? '0' : undefined);
  }
});

test('contract 3: a Failure becomes its answer, even from an async handler', async (t) => {
  const failure = new Failure('insufficient_scope', 'The key lacks a scope.', {
    headers: { 'WWW-Authenticate': 'Bearer error="insufficient_scope", scope="a:read"' },
    details: [{ field: null, code: 'scope', message: 'a:read' }],
  });
  const service = await startService(t, [
    {
      method: 'GET',
      path: '/now',
      handler: (request) => {
        request.replyHeaders['X-RateLimit-Limit'] = '120';
        throw failure;
      },
    },
    {
      method: 'GET',
      path: '/later',
      handler: async (request) => {
        request.replyHeaders['X-RateLimit-Limit'] = '120';
        await new Promise(setImmediate);
        throw failure;
      },
    },
  ]);
  for (const path of ['/now', '/later']) {
    const reply = await service.ask(head(`GET ${path}`));
    assert.equal(reply.status, 403);
    assert.equal(reply.headers['x-ratelimit-limit'], '120');
    assert.match(reply.headers['www-authenticate'] ?? '', /scope="a:read"$/);
    const { requestId, ...document } = JSON.parse(reply.body);
    assert.equal(requestId, reply.headers['x-request-id']);
    assert.deepEqual(document, {
      code: 'insufficient_scope',
      message: 'The key lacks a scope.',
      details: failure.details,
    });
  }
  assert.deepEqual(service.events, []);
});

test('contract 3: a bug is logged, and its answer has no details', async (t) => {
  const bug = new Error('SQLITE_ERROR at /srv/secret.db');
  const service = await startService(
    t,
    routeX((request) => {
      request.replyHeaders['X-RateLimit-Limit'] = '120';
      throw bug;
    }),
  );
  const reply = await service.ask(head('GET /x?name=Smith'));
  assert.equal(reply.status, 500);
  assert.equal(codeOf(reply), 'internal_error');
  assert.equal(reply.headers['x-ratelimit-limit'], '120');
  assert.doesNotMatch(reply.body, /SQLITE|secret|at /);
  assert.deepEqual(service.events, [
    {
      kind: 'request_failed',
      code: 'internal_error',
      requestId: reply.headers['x-request-id'],
      method: 'GET',
      path: '/x',
      error: bug,
    },
  ]);
});

test('contract 3: an error that failureOf converts is answered as that, and logged', async (t) => {
  const service = await startService(
    t,
    routeX(() => {
      throw new RangeError('busy');
    }),
    {
      failureOf: (error) =>
        error instanceof RangeError ? new Failure('unavailable', 'Try again.') : undefined,
    },
  );
  const reply = await service.ask(head('GET /x'));
  assert.deepEqual([reply.status, reply.headers['retry-after']], [503, '2']);
  assert.equal(codeOf(reply), 'unavailable');
  assert.deepEqual(
    service.events.map((event) => event.code),
    ['unavailable'],
  );
});

test('a reply that cannot be sent is answered as a bug', async (t) => {
  const replies = [
    { status: 200, headers: { 'X-Bad': 'a\r\nb' }, body: 'x' },
    { status: 20, headers: {}, body: 'x' },
  ];
  const service = await startService(
    t,
    routeX((request) => {
      const reply = replies.shift();
      if (reply === undefined) {
        request.replyHeaders['X-Bad'] = '\u0100';
        throw new Failure('not_found', 'Nothing.');
      }
      return reply;
    }),
  );
  for (let round = 0; round < 3; round += 1) {
    const reply = await service.ask(head('GET /x'));
    assert.deepEqual([reply.status, codeOf(reply)], [500, 'internal_error']);
    assert.equal(reply.headers['x-bad'], undefined);
    assertStandardFields(reply);
  }
  assert.equal(service.events.length, 3);
});

test('one connection answers many requests in order, at any pace', async (t) => {
  const service = await startService(t, [
    ...ROUTES,
    {
      method: 'GET',
      path: '/slow',
      handler: async () => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return jsonReply('slow');
      },
    },
  ]);
  const wire = service.wire();
  wire.write(head('GET /slow') + head('GET /things/1') + head('GET /things/2'));
  assert.equal((await wire.reply()).body, '"slow"\n');
  assert.equal((await wire.reply()).body, '{"id":"1"}\n');
  const last = await wire.reply();
  assert.equal(last.body, '{"id":"2"}\n');
  assert.match(last.headers['keep-alive'] ?? '', /timeout=65/);
});

test('the connection closes if the client asks for it', async (t) => {
  const service = await startService(t);
  for (const request of [
    head('GET /echo', 'Host: a\r\nConnection: close'),
    'GET /echo HTTP/1.0\r\n\r\n',
    `${head('GET /echo', 'Host: a\r\nConnection: close')}and something behind it`,
  ]) {
    const wire = service.wire();
    wire.write(request);
    const reply = await wire.reply();
    assert.deepEqual([reply.status, reply.headers['connection']], [200, 'close']);
    assert.equal(await wire.ending, 'ended');
    assert.equal(wire.received, '');
  }
});

test('listen() rejects if the port is in use', async (t) => {
  const service = await startService(t);
  const second = new Listener({ routes: [], clock: () => new Date(), log: () => {} });
  await assert.rejects(second.listen({ port: service.port }), { code: 'EADDRINUSE' });
  await second.close();
});

test('the URL of a listener works, even with an IPv6 host', async (t) => {
  const service = await startService(t);
  assert.equal(service.url, `http://127.0.0.1:${service.port}`);
  const listener = new Listener({ routes: ROUTES, clock: () => new Date(), log: () => {} });
  t.after(() => listener.close());
  const { url, port } = await listener.listen({ host: '::1', port: 0 });
  assert.equal(url, `http://[::1]:${port}`);
  assert.equal((await fetch(`${url}/echo`)).status, 200);
});
