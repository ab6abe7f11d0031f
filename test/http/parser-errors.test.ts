import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '../../src/http/message.ts';
import { refusalOfParserError } from '../../src/http/parser-errors.ts';
import { Router } from '../../src/http/router.ts';

const router = new Router([
  { method: 'GET', path: '/a', handler: () => jsonReply(null) },
  { method: 'POST', path: '/a', handler: () => jsonReply(null) },
]);

/** `packet` with a caret where the parser stopped. */
function outcomeOf(code: string, packet?: string): string {
  const rawPacket = Buffer.from((packet ?? '').replace('^', ''), 'latin1');
  const bytesParsed = (packet ?? '').indexOf('^');
  const place = packet === undefined ? {} : { rawPacket, bytesParsed };
  const error = Object.assign(new Error('parse'), { code, ...place });
  const { failure } = refusalOfParserError(error, router) ?? {};
  const allow = failure?.headers['Allow'];
  return `${failure?.code}${allow === undefined ? '' : `: ${allow}`}`;
}

const CASES = [
  ['HPE_INVALID_METHOD', 'F^OO /a HTTP/1.1\r\n\r\n', 'method_not_allowed: GET, HEAD, POST'],
  ['HPE_INVALID_METHOD', '^get /a?b=c HTTP/1.1\r\n', 'method_not_allowed: GET, HEAD, POST'],
  ['HPE_INVALID_METHOD', 'F^OO http://x/a HTTP/1.0\r\n', 'method_not_allowed: GET, HEAD, POST'],
  [
    'HPE_INVALID_METHOD',
    'GET /a HTTP/1.1\r\n\r\n^foo /a HTTP/1.1',
    'method_not_allowed: GET, HEAD, POST',
  ],
  ['HPE_INVALID_CONSTANT', 'DESCRIBE /a HTT^P/1.1\r\n', 'method_not_allowed: GET, HEAD, POST'],
  ['HPE_INVALID_METHOD', 'F^OO /b HTTP/1.1\r\n\r\n', 'bad_request'],
  ['HPE_INVALID_METHOD', 'F^OO /a/ HTTP/1.1\r\n\r\n', 'bad_request'],
  ['HPE_INVALID_METHOD', 'F^OO * HTTP/1.1\r\n\r\n', 'bad_request'],
  ['HPE_INVALID_METHOD', '^OO /a HTT', 'bad_request'],
  ['HPE_INVALID_METHOD', '^ GET /a HTTP/1.1\r\n', 'bad_request'],
  ['HPE_INVALID_METHOD', '^\x16\x03\x01\x02', 'bad_request'],
  ['HPE_INVALID_METHOD', undefined, 'bad_request'],
  ['HPE_INVALID_CONSTANT', 'GET /a ^b HTTP/1.1\r\n', 'bad_request'],
  ['HPE_INVALID_VERSION', 'GET /a HTTP/1.2^\r\n\r\n', 'http_version_not_supported'],
  ['HPE_INVALID_VERSION', 'GET /a HTTP/2^\r\n\r\n', 'http_version_not_supported'],
  ['HPE_INVALID_VERSION', 'GET /a HTTP/1.1\n^Host: a\n\n', 'bad_request'],
  ['HPE_PAUSED_H2_UPGRADE', 'PRI * HTTP/2.0\r\n\r\nSM^', 'http_version_not_supported'],
  ['HPE_HEADER_OVERFLOW', undefined, 'headers_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', undefined, 'request_timeout'],
  ['HPE_INVALID_HEADER_TOKEN', undefined, 'bad_request'],
  ['ECONNRESET', undefined, 'undefined'],
  ['', undefined, 'undefined'],
] as const;

for (const [code, packet, expected] of CASES) {
  test(`contract 2(1): ${code} at ${JSON.stringify(packet ?? null)} is ${expected}`, () => {
    assert.equal(outcomeOf(code, packet), expected);
  });
}
