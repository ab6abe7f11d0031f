import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { Router } from '../../src/http/router.ts';

function route(method: 'GET' | 'POST', path: string): Route {
  return { method, path, handler: () => jsonReply(`${method} ${path}`) };
}

const ROUTES = [
  route('GET', '/'),
  route('GET', '/healthz'),
  route('GET', '/openapi.json'),
  route('GET', '/api/v1/projects'),
  route('GET', '/api/v1/projects/{id}'),
  route('GET', '/api/v1/projects/{id}/report'),
  route('GET', '/api/v1/transactions'),
  route('POST', '/api/v1/transactions'),
  route('POST', '/console/login'),
  route('GET', '/console/{page}/of/{project}'),
  route('POST', '/console/{page}/of/{project}'),
  route('GET', '/console/users/of/all'),
];
const router = new Router(ROUTES);

function handlerOf(method: 'GET' | 'POST', path: string): unknown {
  return ROUTES.find((one) => one.method === method && one.path === path)?.handler;
}

test('contract 2(1): a route matches its method and path, and GET also matches HEAD', () => {
  for (const { method, path, handler } of ROUTES) {
    const sent = path.replace(/\{\w+\}/g, 'x');
    const match = router.match(method, sent);
    assert.equal(match.refuse === undefined && match.route.handler, handler, `${method} ${sent}`);
    const onHead = router.match('HEAD', sent);
    const expected = handlerOf('GET', path);
    assert.equal(
      onHead.refuse === undefined ? onHead.route.handler : undefined,
      expected,
      `HEAD ${sent}`,
    );
  }
});

test('the handler gets placeholders of the path by name', () => {
  const match = router.match('GET', '/console/lines/of/prj_1.2~x');
  assert.deepEqual(match.refuse === undefined && match.params, {
    page: 'lines',
    project: 'prj_1.2~x',
  });
  const none = router.match('GET', '/healthz');
  assert.deepEqual(none.refuse === undefined && none.params, {});
});

test('a literal path takes precedence over one with a placeholder', () => {
  const match = router.match('GET', '/console/users/of/all');
  assert.equal(
    match.refuse === undefined && match.route.handler,
    handlerOf('GET', '/console/users/of/all'),
  );
});

const ODD_PATHS = [
  ['a trailing slash', '/healthz/'],
  ['a trailing slash after a placeholder', '/api/v1/projects/prj_1/'],
  ['an empty placeholder', '/api/v1/projects/'],
  ['a doubled slash at the start', '//healthz'],
  ['a doubled slash inside', '/api//v1/projects'],
  ['a doubled slash before a placeholder', '/api/v1/projects//report'],
  ['another case', '/Healthz'],
  ['another case of the prefix', '/API/v1/projects'],
  ['a percent-encoded letter', '/health%7a'],
  ['a percent-encoded slash in a placeholder', '/api/v1/projects/a%2Fb'],
  ['a percent sign in a placeholder', '/api/v1/projects/%zz'],
  ['a backslash', '/api/v1\\projects'],
  ['a backslash in a placeholder', '/api/v1/projects/a\\b'],
  ['a parameter of a segment', '/healthz;a=b'],
  ['a parameter of a placeholder', '/api/v1/projects/prj_1;a=b'],
  ['a dot segment', '/./healthz'],
  ['a dot segment in a placeholder', '/api/v1/projects/.'],
  ['a double dot segment', '/api/v1/projects/../projects'],
  ['a double dot in a placeholder', '/api/v1/projects/..'],
  ['a fragment', '/healthz#a'],
  ['a fragment in a placeholder', '/api/v1/projects/a#b'],
  ['a longer path', '/api/v1/projects/prj_1/report/x'],
  ['a shorter path', '/api/v1'],
  ['an empty path', ''],
  ['no leading slash', 'healthz'],
  ['the pattern of another depth', '/console/a/of'],
] as const;

for (const [what, path] of ODD_PATHS) {
  test(`contract 2(1): ${what} is another path`, () => {
    const match = router.match('GET', path);
    assert.deepEqual([match.route, match.refuse?.().code], [undefined, 'not_found']);
    assert.equal(router.refusedAt(path), match);
  });
}

test('contract 2(1): another method of a known path is refused with Allow', () => {
  const cases = [
    ['POST', '/healthz', 'GET, HEAD'],
    ['OPTIONS', '/healthz', 'GET, HEAD'],
    ['get', '/healthz', 'GET, HEAD'],
    ['DELETE', '/api/v1/transactions', 'GET, HEAD, POST'],
    ['OPTIONS', '/api/v1/projects/prj_1', 'GET, HEAD'],
    ['GET', '/console/login', 'POST'],
    ['HEAD', '/console/login', 'POST'],
    ['PUT', '/console/a/of/b', 'GET, HEAD, POST'],
  ] as const;
  for (const [method, path, allow] of cases) {
    const match = router.match(method, path);
    const expected = ROUTES.find((one) => router.match(one.method, path).route === one);
    const { code, headers } = match.refuse?.() ?? {};
    assert.deepEqual(
      [code, headers],
      ['method_not_allowed', { Allow: allow }],
      `${method} ${path}`,
    );
    assert.equal(match.route, expected);
    assert.equal(router.refusedAt(path), match);
  }
});

test('names that every object inherits do not match', () => {
  for (const name of ['constructor', '__proto__', 'toString']) {
    assert.equal(router.match('GET', name).refuse?.().code, 'not_found');
    assert.equal(router.match(name, '/healthz').refuse?.().code, 'method_not_allowed');
  }
});

test('duplicate routes and routes that cannot match throw at once', () => {
  const bad = [
    [route('GET', '/a'), route('GET', '/a')],
    [route('GET', '/a/{id}'), route('GET', '/a/{name}')],
    [route('GET', '/a/{id}'), route('POST', '/a/{name}')],
    [route('GET', '/a/{id}/{id}')],
    [route('GET', '/a/{}')],
    [route('GET', '/a/x{id}')],
    [route('GET', '')],
    [route('GET', 'a')],
    [route('GET', '/a/')],
    [route('GET', '/a//b')],
    [route('GET', '/a%20b')],
    [route('GET', '/a/../b')],
  ];
  for (const routes of bad) {
    assert.throws(() => new Router(routes), Error, JSON.stringify(routes));
  }
});
