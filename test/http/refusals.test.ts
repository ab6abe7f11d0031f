/** Failures as their routes render them. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { html } from '../../src/http/html.ts';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { pageReply } from '../../src/http/pages.ts';
import type { RecordedRequest } from '../../src/http/request-log.ts';
import { STATUS } from '../../src/http/status.ts';
import { arrival, codeOf, head, startService } from './wire.ts';

/** A page that says which renderer built it, and everything it knows. */
function renderer(name: string): NonNullable<Route['renderFailure']> {
  return (failure, request) => {
    const { path, requestId } = request;
    const agent = request.header('user-agent');
    const page = html`${name} ${failure.code} ${path} ${requestId} ${agent ?? 'no agent'}`;
    return pageReply(page, STATUS[failure.code]);
  };
}

const renderFailure = renderer('route');
const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/api/v1/data', handler: () => jsonReply({}) },
  { method: 'GET', path: '/page', handler: () => jsonReply({}), renderFailure },
  {
    method: 'POST',
    path: '/page',
    handler: async (request) => jsonReply((await request.readForm()).fields),
    renderFailure,
  },
  {
    method: 'GET',
    path: '/page/{id}',
    handler: () => {
      throw new Failure('conflict', 'Changed.', { headers: { 'X-Extra': 'yes' } });
    },
    renderFailure,
  },
  {
    method: 'GET',
    path: '/bug',
    handler: () => {
      throw new Error('secret');
    },
    renderFailure,
  },
  {
    method: 'GET',
    path: '/broken',
    handler: () => {
      throw new Failure('conflict', 'Changed.');
    },
    renderFailure: () => {
      throw new Error('a bug in a page');
    },
  },
];
const failurePages = [
  { prefix: '/', renderFailure: renderer('all') },
  { prefix: '/app', renderFailure: renderer('app') },
];
const AGENT = 'Host: a\r\nUser-Agent: me';
const LONG = `Host: a\r\nCookie: ${'x'.repeat(20_000)}`;

test('the failures of a route are rendered by it', async (t) => {
  const service = await startService(t, ROUTES, { failurePages });
  const cases = [
    [head('GET /page/1', AGENT), 409, 'route conflict /page/1 ID me'],
    [head('GET /bug', AGENT), 500, 'route internal_error /bug ID me'],
    [head('GET /page?%', AGENT), 400, 'route invalid_request_target /page ID me'],
    [head('POST /page', AGENT), 415, 'route unsupported_media_type /page ID me'],
    [head('DELETE /page', AGENT), 405, 'route method_not_allowed /page ID me'],
    [head('GET /page', `${AGENT}\r\nHost: b`), 400, 'route bad_request /page ID me'],
    [head('GET /page', `${AGENT}\r\nExpect: x`), 417, 'route expectation_failed /page ID me'],
    ['FOO /page HTTP/1.1\r\n\r\n', 405, 'route method_not_allowed /page ID no agent'],
    [head('GET /page', LONG), 431, 'route headers_too_large /page ID no agent'],
    [head('GET /page', 'Host: a\r\nX y: z'), 400, 'route bad_request /page ID no agent'],
    ['GET /page HTTP/3.0\r\n\r\n', 505, 'route http_version_not_supported /page ID no agent'],
  ] as const;
  for (const [request, status, text] of cases) {
    const reply = await service.ask(request);
    const expected = text.replace('ID', reply.headers['x-request-id'] ?? '');
    assert.deepEqual([reply.status, reply.body], [status, expected]);
  }
  assert.deepEqual(
    service.events.map(({ code, path }) => [code, path]),
    [['internal_error', '/bug']],
  );
});

test('a body that does not arrive in time is refused by its route', async (t) => {
  const service = await startService(t, ROUTES);
  const type = `${AGENT}\r\nContent-Type: application/x-www-form-urlencoded`;
  const wire = service.wire();
  wire.write(head('POST /page', `${type}\r\nContent-Length: 9`));
  await arrival();
  await service.hurry();
  const reply = await wire.reply();
  assert.equal(reply.status, 408);
  assert.match(reply.body, /^route request_timeout \/page .* me$/);
});

test('a rendered failure keeps the header fields of its refusal', async (t) => {
  const service = await startService(t, ROUTES);
  const wrongMethod = await service.ask(head('DELETE /page'));
  assert.equal(wrongMethod.headers['allow'], 'GET, HEAD, POST');
  assert.equal(wrongMethod.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(
    (await service.ask('FOO /page HTTP/1.1\r\n\r\n')).headers['allow'],
    'GET, HEAD, POST',
  );
  assert.equal((await service.ask(head('GET /page/1'))).headers['x-extra'], 'yes');
  const onHead = await service.ask(head('HEAD /page/1'), true);
  const onGet = await service.ask(head('GET /page/1'));
  assert.equal(onHead.status, 409);
  // The request id may have one more digit.
  assert.ok(Number(onGet.headers['content-length']) - Number(onHead.headers['content-length']) < 2);
});

test('the longest prefix of an unknown path renders its failures', async (t) => {
  const service = await startService(t, ROUTES, { failurePages });
  for (const [path, name] of [
    ['/nothing', 'all'],
    ['/', 'all'],
    ['/app', 'app'],
    ['/app/x', 'app'],
    ['/apple', 'all'],
    ['/page/', 'all'],
  ] as const) {
    assert.match((await service.ask(head(`GET ${path}`))).body, new RegExp(`^${name} not_found`));
  }
  assert.match((await service.ask(head('GET /app', LONG))).body, /^app headers_too_large \/app /);
});

test('everything else stays JSON', async (t) => {
  const service = await startService(t, ROUTES, { failurePages });
  const html = `${AGENT}\r\nAccept: text/html`;
  for (const [request, code] of [
    [head('GET /api/v1/nothing', html), 'not_found'],
    [head('GET /api', html), 'not_found'],
    [head('POST /api/v1/data', html), 'method_not_allowed'],
    ['FOO /api/v1/data HTTP/1.1\r\n\r\n', 'method_not_allowed'],
    [head('GET /api/v1/data', LONG), 'headers_too_large'],
    [head('GET /api/v1/nothing', LONG), 'headers_too_large'],
    ['nonsense\r\n\r\n', 'bad_request'],
    [head('CONNECT a:1'), 'not_found'],
  ] as const) {
    const reply = await service.ask(request);
    assert.equal(codeOf(reply), code, request);
  }
});

test('a page that fails itself becomes JSON, and is logged', async (t) => {
  const service = await startService(t, ROUTES);
  const reply = await service.ask(head('GET /broken'));
  assert.deepEqual([reply.status, codeOf(reply)], [500, 'internal_error']);
  assert.deepEqual(
    service.events.map(({ path, error }) => [path, String(error)]),
    [['/broken', 'Error: a bug in a page']],
  );
});

test('each answered request has the pattern of its route', async (t) => {
  const answered: RecordedRequest[] = [];
  const service = await startService(t, ROUTES, { onAnswer: (request) => answered.push(request) });
  for (const line of ['GET /page/1', 'HEAD /page', 'DELETE /page/2', 'GET /nothing', 'GET *']) {
    await service.ask(head(line), line.startsWith('HEAD'));
  }
  assert.deepEqual(
    answered.map(({ path, route, status }) => [path, route, status]),
    [
      ['/page/1', '/page/{id}', 409],
      ['/page', '/page', 200],
      ['/page/2', '/page/{id}', 405],
      ['/nothing', null, 404],
      ['', null, 404],
    ],
  );
});
