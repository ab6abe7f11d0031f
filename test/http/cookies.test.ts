import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCookie, writeCookie } from '../../src/http/cookies.ts';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { head, startService } from './wire.ts';

test('a cookie is found by its exact name among others', () => {
  const field = 'theme=dark; __Host-session=abc.DEF-123; lang=en';
  assert.equal(readCookie(field, '__Host-session'), 'abc.DEF-123');
  assert.equal(readCookie(field, 'theme'), 'dark');
  assert.equal(readCookie('a=1;b=2', 'b'), '2');
  assert.equal(readCookie('a=', 'a'), '');
  assert.equal(readCookie('a=b=c', 'a'), 'b=c');
  for (const name of ['session', '__host-session', 'Theme', 'dark', '', 'toString']) {
    assert.equal(readCookie(field, name), undefined, name);
  }
  assert.equal(readCookie(undefined, 'a'), undefined);
});

test('a cookie that was sent twice or is malformed does not count', () => {
  const fields = [
    ...['a=1; a=2', 'a=1; b=3; a=1', 'a', '=a', 'a =1=; a=2', 'a="1"', 'a=1 2', 'a=1,2'],
    ...['a=\\', 'a=é', 'a=\u0000', 'a=1\t2', ';;;', '', 'aa=1', 'A=1', 'b=1; ;=; a'],
  ];
  for (const field of fields) assert.equal(readCookie(field, 'a'), undefined, field);
  assert.equal(readCookie(`${'a;'.repeat(8_000)}b=1`, 'b'), '1');
});

test('a cookie is HttpOnly, SameSite=Lax, and for all paths', () => {
  assert.equal(
    writeCookie('__Host-session', 'abc', { secure: true, maxAgeSeconds: 60 }),
    '__Host-session=abc; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  );
  const options = { secure: false, maxAgeSeconds: 0 };
  assert.equal(writeCookie('a', '', options), 'a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
});

test('what a cookie cannot contain is never written', () => {
  const bad = [
    ['', 'b', {}],
    ['a b', 'b', {}],
    ['a=', 'b', {}],
    ['a', 'b;c', {}],
    ['a', 'b\r\nSet-Cookie: c=d', {}],
    ['a', '"b"', {}],
    ['a', 'é', {}],
    ['a', 'b', { maxAgeSeconds: 1.5 }],
  ] as const;
  for (const [name, value, options] of bad) {
    assert.throws(
      () => writeCookie(name, value, { secure: true, maxAgeSeconds: 1, ...options }),
      /cannot be written/,
    );
  }
});

test('one answer can set several cookies, also beside those of its request', async (t) => {
  const routes: readonly Route[] = [
    {
      method: 'GET',
      path: '/x',
      handler: (request) => {
        request.replyHeaders['Set-Cookie'] = ['c=3'];
        const reply = jsonReply({ session: readCookie(request.header('cookie'), 's') ?? null });
        return { ...reply, headers: { ...reply.headers, 'Set-Cookie': ['a=1', 'b=2'] } };
      },
    },
  ];
  const service = await startService(t, routes);
  const reply = await service.ask(head('GET /x', 'Host: a\r\nCookie: s=1; t=2'));
  assert.equal(reply.headers['set-cookie'], 'a=1 & b=2 & c=3');
  assert.equal(reply.body, '{"session":"1"}\n');
  // Node joins several Cookie fields.
  const twice = await service.ask(head('GET /x', 'Host: a\r\nCookie: s=1\r\nCookie: s=2'));
  assert.equal(twice.body, '{"session":null}\n');
});
