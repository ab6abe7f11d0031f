import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TARGET_CHARACTERS } from '../../src/core/limits.ts';
import { html } from '../../src/http/html.ts';
import { baseOf, isSameOrigin, type Place } from '../../src/http/origin.ts';
import {
  fileReply,
  pageReply,
  readWayBack,
  redirectReply,
  shortTarget,
} from '../../src/http/pages.ts';
import { head, startService } from './wire.ts';

test('a page has a policy for its own script and forms, and is not stored', async (t) => {
  const service = await startService(t, [
    {
      method: 'GET',
      path: '/x',
      handler: () => pageReply(html`<p>${'é<'}</p>`, 422, { 'Content-Language': 'en' }),
    },
  ]);
  const reply = await service.ask(head('GET /x'));
  assert.equal(reply.status, 422);
  assert.equal(reply.body, '<p>é&lt;</p>');
  assert.equal(reply.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(reply.headers['cache-control'], 'no-store');
  assert.equal(reply.headers['referrer-policy'], 'same-origin');
  assert.equal(reply.headers['content-language'], 'en');
  const policy = reply.headers['content-security-policy'] ?? '';
  assert.match(policy, /default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe|connect-src (?!'self';)/);
});

test('a file has a name that file systems take, and one for old programs', () => {
  const name = (file: string) => {
    const { headers } = fileReply(file, 'text/csv', '');
    return String(headers?.['Content-Disposition']).replace('attachment; filename=', '');
  };
  assert.equal(name('rejected.csv'), '"rejected.csv"');
  assert.equal(name('2026 "a/b\\c" 50%.csv'), '"2026 _a_b_c_ 50_.csv"');
  assert.equal(name('Ausflüge.csv'), `"Ausfluge.csv"; filename*=UTF-8''Ausfl%C3%BCge.csv`);
  const marked = `"__ (a's).csv"; filename*=UTF-8''%E7%8F%AD_%20%28a%27s%29.csv`;
  assert.equal(name("班\r\n\u202e\ud800 (a's).csv"), marked);
});

test('a redirect is a 303 to a path of this service', async (t) => {
  const service = await startService(t, [
    {
      method: 'POST',
      path: '/x',
      handler: () => redirectReply('/y?a=1&b=%C3%A9#c', { 'Set-Cookie': ['a=1', 'b=2'] }),
    },
  ]);
  const reply = await service.ask(head('POST /x'));
  assert.deepEqual([reply.status, reply.headers['location']], [303, '/y?a=1&b=%C3%A9#c']);
  assert.deepEqual([reply.headers['set-cookie'], reply.body], ['a=1 & b=2', '']);
});

test('a target that no browser can ask for is not followed', () => {
  const longest = `/a?b=${'c'.repeat(TARGET_CHARACTERS - 5)}`;
  for (const target of [longest, '/a?b#c']) {
    assert.equal(readWayBack(target), target);
    assert.equal(shortTarget(target), target);
  }
  assert.equal(readWayBack(`${longest}d`), undefined);
  assert.equal(shortTarget(`${longest}d`), '/a');
});

test('a redirect never leads to another service', () => {
  for (const target of ['/', '/a', '/a?b=//c', '/a/../b', '/sign-in?back=%2F%2Fevil']) {
    assert.equal(readWayBack(target), target);
  }
  for (const target of [
    ...['', 'a', '//evil', '/\\evil', '\\/evil', 'https://evil', 'javascript:alert(1)', ' /a'],
    ...['/\t/evil', '/a\r\nSet-Cookie: a=b', '/é', '/\u0000'],
  ]) {
    assert.equal(readWayBack(target), undefined, target);
    assert.throws(() => redirectReply(target), /Not a path/);
  }
});

/** Whether a request with these header fields comes from the same origin. */
function check(fields: Record<string, string>, isHttps = false, place: Place = {}): boolean {
  return isSameOrigin(asking(fields, isHttps), place);
}

function asking(fields: Record<string, string>, isHttps = false) {
  const header = (name: string): string | undefined => fields[name];
  return { header, client: { address: '192.0.2.1', isHttps } };
}

test('contract 12: Sec-Fetch-Site proves the same origin, or disproves it', () => {
  const here = { host: 'b.test', origin: 'http://b.test' };
  assert.equal(check({ 'sec-fetch-site': 'same-origin' }), true);
  for (const site of ['same-site', 'cross-site', 'none', '', 'Same-Origin', 'same-origin, none']) {
    assert.equal(check({ ...here, 'sec-fetch-site': site }), false, site);
  }
});

test('contract 12: otherwise the Origin must be the address of this service', () => {
  const host = 'b.test:8080';
  assert.equal(check({ host, origin: 'http://b.test:8080' }), true);
  assert.equal(check({ host, origin: 'https://b.test:8080' }), false);
  assert.equal(check({ host, origin: 'https://b.test:8080' }, true), true);
  assert.equal(check({ host: 'b.test:443', origin: 'https://b.test' }, true), true);
  assert.equal(check({ host: 'B.test', origin: 'http://b.test' }), true);
  for (const origin of ['null', '', 'http://evil', 'http://b.test:80801', 'http://b.test']) {
    assert.equal(check({ host, origin }), false, origin);
  }
  assert.equal(check({ host }), false);
  assert.equal(check({ host: 'user@b.test', origin: 'http://b.test' }), false);
  assert.equal(check({ origin: 'null' }, false, { publicUrl: 'not an address' }), false);
});

test('a name that another site lets lead here is not of the same origin', () => {
  const publicUrl = 'https://budget.test/';
  const listening = 'http://127.0.0.1:8080';
  const isOwn = (host: string, place: Place) => {
    return check({ host, 'sec-fetch-site': 'same-origin' }, false, place);
  };
  for (const host of [
    '127.0.0.1:8080',
    'LOCALHOST:8080',
    '[::1]:8080',
    'budgetd:8080',
    '10.0.0.1',
  ]) {
    for (const place of [{ publicUrl, listening }, { publicUrl }, {}])
      assert.ok(isOwn(host, place), host);
  }
  for (const host of ['evil.test', 'evil.test.:8080', '127.0.0.1.evil.test', 'a.localhost.test']) {
    for (const place of [{ publicUrl }, { publicUrl, listening }]) {
      assert.equal(isOwn(host, place), false, host);
    }
    for (const place of [{}, { listening }]) assert.ok(isOwn(host, place));
  }
  assert.ok(isOwn('BUDGET.test.', { publicUrl, listening }));
});

test('contract 12: with public-url, that is it and where the service listens, not the Host', () => {
  const publicUrl = 'https://budget.test/';
  const listening = 'http://127.0.0.1:8080';
  const host = 'evil.test';
  for (const place of [{ publicUrl }, { publicUrl, listening }]) {
    assert.equal(check({ host: '127.0.0.1:9', origin: 'https://budget.test' }, false, place), true);
  }
  assert.equal(check({ host: 'x', origin: listening }, false, { publicUrl, listening }), true);
  assert.equal(check({ host, origin: 'http://evil.test' }, false, { publicUrl, listening }), false);
  assert.equal(check({ host, origin: 'http://evil.test' }, false, { listening }), true);
});

test('a link begins with what the operator has set, and with the Host only if nothing is', () => {
  const request = asking({ host: 'evil.test' });
  const listening = 'http://127.0.0.1:8080';
  assert.equal(baseOf({ publicUrl: 'https://b.test/', listening }, request), 'https://b.test');
  assert.equal(baseOf({ publicUrl: '', listening }, request), listening);
  assert.equal(baseOf({}, request), 'http://evil.test');
  assert.equal(baseOf({}, asking({ host: 'user@evil.test' })), 'http://localhost');
});
