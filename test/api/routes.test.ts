/** Paths, methods and framing, which are checked before the key (contract 2, steps 1 and 2). */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ErrorBody } from '../../src/api/contract.ts';
import { ENDPOINTS } from '../../src/api/routes.ts';
import { readBuild } from '../../src/package-folder.ts';
import { CONTRACT_ENDPOINTS, pathOf } from './contract-table.ts';
import { only, project, row, startApi } from './harness.ts';
import { PUSH } from './requests.ts';

const api = await startApi();
const { service, pounds } = api;
const id = only(service.projects.import(pounds.id, project('Main'))).projectId;
const PATHS = [...new Set(CONTRACT_ENDPOINTS.map((endpoint) => pathOf(endpoint, id)))];
const KEYS: [name: string, key: string | null][] = [
  ['no key', null],
  ['an invalid key', 'x'],
  ['a key', pounds.key],
];

test('4 the routes match the contract: method, path, scope and parameters', () => {
  const routes = ENDPOINTS.map(({ method, path, scope, parameters }) => {
    return { method, path, scope, parameters: Object.keys(parameters).sort() };
  });
  const expected = CONTRACT_ENDPOINTS.map(({ method, path, scope, parameters }) => {
    return { method, path, scope, parameters: [...parameters].sort() };
  });
  assert.deepEqual(routes, expected);
});

describe('4.7 every path with every method and key', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];
  const unusual = ['PROPFIND', 'PURGE', 'M-SEARCH', 'QUERY', 'FOO', 'get', 'Post', 'CONNECT'];
  for (const target of PATHS) {
    const allow = target === PUSH ? 'GET, HEAD, POST' : 'GET, HEAD';
    for (const method of [...methods, ...unusual]) {
      const known = allow.split(', ').includes(method);
      test(`${method} ${target.replace(id, '{id}')}: ${known ? 'known' : 405}`, async () => {
        for (const [name, key] of KEYS) {
          const body = method === 'POST' ? { rows: [row('R-1')] } : undefined;
          const { status, headers } = await api.ask({ method, target, key, body });
          if (known) assert.equal(status, key === pounds.key ? 200 : 401, name);
          else assert.deepEqual([status, headers.get('allow')], [405, allow], name);
        }
      });
    }
  }
});

describe('2(1) any other path is 404, with any method and key', () => {
  const odd = PATHS.flatMap((path) => [
    `${path}/`,
    `/${path}`,
    `${path}//`,
    path.toUpperCase(),
    path.replace('/api/', '/API/'),
    path.replace('/v1/', '/v2/'),
    path.replace('/v1/', '//v1/'),
    path.replace('/v1/', '/./v1/'),
    path.replace('/v1/', '/x/../v1/'),
    path.replace('/v1/', '\\v1\\'),
    path.replace('/v1/', '/v1;x/'),
    path.replace('/v1/', '/%761/'),
    `${path};v=1`,
    `${path}%20`,
    `${path}%00`,
    `${path}#x`,
    `${path}/x/y`,
  ]);
  const others = [
    ...['/api', '/api/', '/api/v1', '/api/v1/', '/v1/projects', '/project', '//', '/x'],
    ...['/api/v1/projects.json', `${PUSH}&limit=1`, `/api/v1/projects/${id}/report.csv`],
    ...['/api/v1/projects/', '/api/v1/projects//report', '/api/v1/projects/%41'],
    ...['/api/v1/projects/.', '/api/v1/projects/..', '/api/v1/projects/../projects'],
    ...['/api/v1/projects/a%2Fb', '/api/v1/projects/a;b', '/api/v1/projects/a\\b/report'],
    ...['/api/v1/projects/../transactions', `${PUSH}/txn_0000000001`, '/healthz/', '/HEALTHZ'],
    ...['http://budgetd.test/x', 'ftp://budgetd.test/api/v1/projects'],
    ...[`//budgetd.test${PUSH}`, `file://${PUSH}`, `http://${PUSH}`, '*'],
  ];
  for (const target of [...odd, ...others]) {
    test(target.replace(id, '{id}'), async () => {
      for (const [, key] of KEYS) {
        await api.refuse({ target, key }, 404, 'not_found');
        await api.refuse({ target, key, method: 'DELETE' }, 404, 'not_found');
        await api.refuse({ target: `${target}?%zz`, key }, 404, 'not_found');
      }
    });
  }

  test('at a single transaction it says how one is read, changed and deleted', async () => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const ask = { target: `${PUSH}/txn_0000000001`, method };
      const { message } = await api.refuse(ask, 404, 'not_found');
      assert.match(message, /transactions\?id=.*push its row again: docs\/corrections\.md/);
    }
    const slash = await api.refuse({ target: `${PUSH}/`, method: 'POST' }, 404, 'not_found');
    assert.match(slash.message, /Push to \/api\/v1\/transactions, without a slash at the end/);
    const elsewhere = await api.refuse({ target: `${PUSH}x/y` }, 404, 'not_found');
    assert.equal(elsewhere.message, 'There is nothing at this path.');
  });

  test('a 404 is JSON inside /api, and for clients that do not ask for HTML', async () => {
    for (const [target, accept] of [
      ['/x', 'application/json'],
      ['/x', '*/*'],
      ['/api/x', 'text/html'],
      ['/api', 'text/html'],
    ] as const) {
      const { status, headers } = await api.ask({ target, fields: [`Accept: ${accept}`] });
      assert.equal(status, 404);
      assert.match(headers.get('content-type') ?? '', /^application\/json/, target);
    }
  });
});

test('2(1) an absolute-form target is answered by its path', async () => {
  for (const origin of ['http://budgetd.test', 'HTTP://other.test:81', 'https://user@x']) {
    assert.equal((await api.ask({ target: `${origin}/api/v1/projects?limit=1` })).status, 200);
    await api.refuse({ target: `${origin}${PUSH}`, method: 'PUT' }, 405, 'method_not_allowed');
  }
});

describe('2(1) an undecodable query is refused after 405, before the key', () => {
  const queries = ['%', '%z', 'limit=%', 'q=%zz', 'q=%ff', 'q=%C3', 'q=%ED%A0%80', '%ff=1'];
  for (const query of [...queries, 'q=a#b', '#']) {
    test(`?${query}`, async () => {
      for (const [, key] of KEYS) {
        for (const path of PATHS) {
          const ask = { target: `${path}?${query}`, key };
          await api.refuse(ask, 400, 'invalid_request_target');
          await api.refuse({ ...ask, method: 'PUT' }, 405, 'method_not_allowed');
        }
      }
    });
  }
});

describe('/ links to the rest of the service', () => {
  test('as JSON, with any key or without one', async () => {
    for (const [, key] of KEYS) {
      for (const target of ['/', '/?a=1', 'http://budgetd.test', 'http://budgetd.test/']) {
        const { status, headers, document } = await api.ask({ target, key });
        assert.deepEqual([status, headers.get('vary')], [200, 'Accept']);
        assert.deepEqual(document, {
          name: 'budgetd',
          ...readBuild(),
          apiVersion: '1.0.0',
          api: '/api/v1',
          docs: '/docs',
          openapi: '/openapi.json',
          health: '/healthz',
          readiness: '/readyz',
        });
      }
    }
  });

  test('as the way to the console for clients that ask for HTML', async () => {
    const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    const init = { headers, redirect: 'manual' } as const;
    const page = await fetch(`http://127.0.0.1:${api.port}/`, init);
    assert.deepEqual([page.status, page.headers.get('vary')], [303, 'Accept']);
    assert.equal(page.headers.get('location'), '/sign-in');
  });

  test('which all work', async () => {
    for (const link of ['/docs', '/openapi.json', '/healthz', '/readyz', '/sign-in']) {
      assert.equal((await fetch(`http://127.0.0.1:${api.port}${link}`)).status, 200, link);
    }
  });

  test('any other method is 405, an undecodable query 400', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await api.ask({ target: '/', method, key: null });
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD']);
    }
    await api.refuse({ target: '/?%', key: null }, 400, 'invalid_request_target');
  });
});

test('1 HEAD gives the answer of GET, with its length but without its body', async () => {
  await api.push([row('H-1')]);
  const targets = [
    ...PATHS,
    '/',
    '/healthz',
    '/readyz',
    '/x',
    '/api/v1/projects/x',
    `${PUSH}?limit=0`,
  ];
  for (const target of targets) {
    for (const [, key] of KEYS) {
      const got = await api.ask({ target, key });
      const headed = await api.ask({ method: 'HEAD', target, key });
      const fieldsOf = (headers: ReadonlyMap<string, string>) => {
        const unlike = ['x-request-id', 'date', 'x-ratelimit-remaining'];
        return [...headers].filter(([name]) => !unlike.includes(name));
      };
      assert.equal(headed.status, got.status);
      // The lengths of two request ids sometimes differ.
      if (got.status === 200) assert.deepEqual(fieldsOf(headed.headers), fieldsOf(got.headers));
    }
  }
});

test('9 health needs no key and accepts no other method', async () => {
  for (const target of ['/healthz', '/readyz']) {
    for (const [, key] of KEYS) {
      assert.equal((await api.ask({ target, key })).status, 200);
      assert.equal((await api.ask({ target, key, method: 'HEAD' })).status, 200);
      await api.refuse({ target, key, method: 'POST' }, 405, 'method_not_allowed');
    }
  }
});

test('OPTIONS from another origin gets 405 without CORS fields', async () => {
  const fields = ['Origin: https://evil.test', 'Access-Control-Request-Method: POST'];
  const ask = { method: 'OPTIONS', target: PUSH, fields, key: null };
  await api.refuse(ask, 405, 'method_not_allowed');
  await api.refuse({ method: 'OPTIONS', target: '*' }, 404, 'not_found');
});

describe('2(1, 2) a malformed request is refused, and the connection closes', () => {
  const { key } = pounds;
  const host = 'Host: budgetd.test';
  const auth = `Authorization: Bearer ${key}`;
  const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`;
  const get = 'GET /api/v1/projects HTTP/1.1';
  const post = `POST ${PUSH} HTTP/1.1`;
  const json = 'Content-Type: application/json';
  const cases: [name: string, bytes: string, status: number, code: string][] = [
    ['two Hosts', lines(get, host, host, auth), 400, 'bad_request'],
    ['no Host', lines(get, auth), 400, 'bad_request'],
    ['an empty Host', lines(get, 'Host:', auth), 400, 'bad_request'],
    ['a Host with a user', lines(get, 'Host: user@budgetd.test', auth), 400, 'bad_request'],
    ['a list of Hosts', lines(get, 'Host: a, b', auth), 400, 'bad_request'],
    ['a Host with a path', lines(get, 'Host: budgetd.test/api', auth), 400, 'bad_request'],
    ['two Authorizations', lines(get, host, auth, auth), 400, 'bad_request'],
    ['two Content-Types', lines(post, host, auth, json, json), 400, 'bad_request'],
    [
      'two Content-Lengths',
      lines(post, host, auth, json, 'Content-Length: 1', 'Content-Length: 1'),
      400,
      'bad_request',
    ],
    [
      'both lengths',
      lines(post, host, auth, json, 'Content-Length: 5', 'Transfer-Encoding: chunked'),
      400,
      'bad_request',
    ],
    [
      'gzip, chunked',
      lines(post, host, auth, 'Transfer-Encoding: gzip, chunked'),
      400,
      'bad_request',
    ],
    ['Chunked', lines(post, host, auth, 'Transfer-Encoding: Chunked'), 400, 'bad_request'],
    [
      'chunked on HTTP/1.0',
      lines(`POST ${PUSH} HTTP/1.0`, host, auth, 'Transfer-Encoding: chunked'),
      400,
      'bad_request',
    ],
    ['an unknown method on an unknown path', lines('FOO /x HTTP/1.1', host), 400, 'bad_request'],
    ['HTTP/0.9', 'GET /api/v1/projects\r\n\r\n', 400, 'bad_request'],
    ['nonsense', 'nonsense\r\n\r\n', 400, 'bad_request'],
    ['a space in a name', lines(get, host, 'X Y: z'), 400, 'bad_request'],
    ['a negative length', lines(post, host, auth, 'Content-Length: -1'), 400, 'bad_request'],
    ['a folded field', `${get}\r\n${host}\r\nX: a\r\n b\r\n\r\n`, 400, 'bad_request'],
    ['101 fields', lines(get, ...Array(101).fill('X: y')), 431, 'headers_too_large'],
    ['17 KiB of fields', lines(get, host, `X: ${'y'.repeat(17_000)}`), 431, 'headers_too_large'],
    ['HTTP/2.0', lines('GET /api/v1/projects HTTP/2.0', host), 505, 'http_version_not_supported'],
    ['HTTP/3.0', lines('GET /x HTTP/3.0', host), 505, 'http_version_not_supported'],
    ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'http_version_not_supported'],
    ['Expect: a miracle', lines(post, host, 'Expect: a miracle'), 417, 'expectation_failed'],
  ];
  for (const [name, bytes, status, code] of cases) {
    test(`${name}: ${status} ${code}`, async () => {
      const connection = api.connect();
      connection.send(bytes);
      const answer = await api.read(connection, 'GET', PUSH);
      assert.deepEqual([answer.status, (answer.document as ErrorBody).code], [status, code]);
      assert.equal(answer.headers.get('connection'), 'close');
      connection.socket.end();
      await connection.closed;
      assert.equal(connection.leftover, '');
    });
  }

  test('HTTP/1.0 without a Host is answered', async () => {
    const connection = api.connect();
    connection.send(lines('GET /api/v1/projects HTTP/1.0', auth));
    assert.equal((await api.read(connection, 'GET', '/api/v1/projects')).status, 200);
    await connection.closed;
  });

  test('a request after a refused one on the same connection is not answered', async () => {
    const connection = api.connect();
    const push = JSON.stringify({ rows: [row('SMUGGLED')] });
    connection.send(
      lines(post, host, host, auth, json, 'Content-Length: 0'),
      lines(post, host, auth, json, `Content-Length: ${push.length}`),
      push,
    );
    assert.equal((await api.read(connection, 'POST', PUSH)).status, 400);
    await connection.closed;
    assert.equal(connection.leftover, '');
    const { document } = await api.ask({ target: `${PUSH}?externalId=SMUGGLED` });
    assert.deepEqual((document as { data: unknown[] }).data, []);
  });
});

test('pipelined requests are answered one by one, in order', async () => {
  const connection = api.connect();
  const asks = [
    { target: '/api/v1/projects' },
    { target: PUSH, body: { rows: [row('PIPE')] } },
    { target: `${PUSH}?externalId=PIPE` },
    { target: PUSH, key: null },
    { target: '/api/v1/nothing' },
    { target: PUSH, method: 'DELETE' },
    { target: `${PUSH}?externalId=PIPE`, method: 'HEAD' },
    { target: '/healthz' },
  ];
  connection.send(...asks.flatMap((ask) => api.format(ask)));
  const statuses = [];
  for (const ask of asks) {
    const method = ask.method ?? ('body' in ask ? 'POST' : 'GET');
    statuses.push((await api.read(connection, method, ask.target)).status);
  }
  assert.deepEqual(statuses, [200, 200, 200, 401, 404, 405, 200, 200]);
});
