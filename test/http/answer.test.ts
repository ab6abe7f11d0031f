import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headFields, rawAnswer } from '../../src/http/answer.ts';
import type { Reply } from '../../src/http/message.ts';

function fieldsOf(reply: Reply, extra: Record<string, string> = {}): Record<string, string> {
  const list = headFields(reply, 'req_1', extra);
  const fields: Record<string, string> = {};
  for (let at = 0; at < list.length; at += 2) {
    const name = list[at] ?? '';
    assert.equal(name in fields, false, `${name} appears twice`);
    fields[name] = list[at + 1] ?? '';
  }
  return fields;
}

const STANDARD = {
  'X-Request-Id': 'req_1',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

test('contract 1: every answer has the standard fields and its length in bytes', () => {
  const text = { status: 200, headers: { 'Content-Type': 'text/plain' }, body: 'é€' };
  assert.deepEqual(fieldsOf(text), {
    ...STANDARD,
    'Content-Type': 'text/plain',
    'Content-Length': '5',
  });
  const bytes = { status: 200, headers: {}, body: new Uint8Array(7) };
  assert.deepEqual(fieldsOf(bytes), { ...STANDARD, 'Content-Length': '7' });
});

test('a reply can override a standard field, in any case', () => {
  const headers = {
    'content-security-policy': "default-src 'self'",
    'CACHE-CONTROL': 'max-age=60',
    'Referrer-Policy': 'same-origin',
    'x-content-type-options': 'none',
  };
  assert.deepEqual(fieldsOf({ status: 200, headers, body: '' }), {
    'X-Request-Id': 'req_1',
    'Content-Length': '0',
    ...headers,
  });
});

test('only the server sets framing and the request id', () => {
  const headers = {
    'X-REQUEST-ID': 'mine',
    'content-length': '99',
    'Transfer-Encoding': 'chunked',
    Connection: 'keep-alive',
    'Retry-After-It': 'a length like another',
    'X-Application-Wide-Key': '23 letters too',
  };
  assert.deepEqual(fieldsOf({ status: 200, headers, body: '' }), {
    ...STANDARD,
    'Content-Length': '0',
    'Retry-After-It': 'a length like another',
    'X-Application-Wide-Key': '23 letters too',
  });
});

test('the request’s fields are added unless the reply sets them', () => {
  const reply = { status: 200, headers: { 'X-RateLimit-Limit': '1' }, body: '' };
  const extra = { 'X-RateLimit-Limit': '2', 'X-RateLimit-Remaining': '3', 'Cache-Control': 'x' };
  assert.deepEqual(fieldsOf(reply, extra), {
    ...STANDARD,
    'Content-Length': '0',
    'X-RateLimit-Limit': '1',
    'X-RateLimit-Remaining': '3',
    'Cache-Control': 'x',
  });
});

test('an answer that cannot have a body has no Content-Length', () => {
  for (const status of [204, 304]) {
    assert.equal('Content-Length' in fieldsOf({ status, headers: {}, body: '' }), false);
  }
});

test('a raw answer has the same fields and closes the connection', () => {
  const now = new Date('2026-01-31T12:00:00Z');
  const reply = { status: 431, headers: { 'Content-Type': 'application/json' }, body: '{}' };
  const [head = '', body] = rawAnswer(reply, 'req_1', now).split('\r\n\r\n');
  assert.deepEqual(head.split('\r\n').sort(), [
    'Cache-Control: no-store',
    'Connection: close',
    'Content-Length: 2',
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'",
    'Content-Type: application/json',
    'Date: Sat, 31 Jan 2026 12:00:00 GMT',
    'HTTP/1.1 431 Request Header Fields Too Large',
    'Referrer-Policy: no-referrer',
    'X-Content-Type-Options: nosniff',
    'X-Request-Id: req_1',
  ]);
  assert.equal(body, '{}');
});
