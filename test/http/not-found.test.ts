import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderFailure } from '../../src/console/pages/failures.ts';
import type { Reply } from '../../src/http/message.ts';
import { asksForHtml, Refusals } from '../../src/http/refusals.ts';
import { notFound } from '../../src/http/router.ts';

/** The 404 for a path, by the Accept header of its request. */
function refuse(path: string, accept: string): Reply {
  const request = { path, requestId: 'req_1', route: undefined, header: () => accept };
  const options = { log: () => assert.fail(), failurePages: [{ prefix: '/', renderFailure }] };
  return new Refusals(options).answer(notFound(), request).reply;
}

test('contract 2(1): a client gets HTML if it prefers it to JSON, or both equally', () => {
  const cases = [
    [undefined, false],
    ['', false],
    ['*/*', false],
    ['text/*', false],
    ['text/html', true],
    ['TEXT/HTML; charset=utf-8', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['application/json, text/plain, */*', false],
    ['application/json, text/html', false],
    ['text/html, application/json', true],
    ['application/json;q=0.5, text/html;q=0.6', true],
    ['application/json, text/html; q=0.9', false],
    ['text/html;q=0', false],
    ['text/html;q=x', false],
    ['application/xhtml+html', false],
  ] as const;
  for (const [accept, expected] of cases) {
    assert.equal(asksForHtml(accept), expected, accept);
  }
});

test('contract 2(1): inside /api a 404 is always JSON', () => {
  const typeOf = (path: string) => refuse(path, 'text/html').headers['Content-Type'];
  for (const path of ['/api', '/api/', '/api/v1/nothing', '/api//v1']) {
    assert.equal(typeOf(path), 'application/json; charset=utf-8', path);
  }
  for (const path of ['/', '/nothing', '/apis', '/API/v1']) {
    assert.equal(typeOf(path), 'text/html; charset=utf-8', path);
  }
});

test('a 404 does not contain the path', () => {
  for (const accept of ['text/html', 'application/json']) {
    const reply = refuse('/<b>alert(1)</b>', accept);
    assert.equal(reply.status, 404);
    assert.equal(String(reply.body).includes('alert'), false);
    assert.equal(String(reply.body).includes('req_1'), true);
  }
});
