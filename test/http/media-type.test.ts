import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { checkBodyHeaders } from '../../src/http/media-type.ts';

/** Whether a body with these header fields is taken for JSON. */
function isJson(type: string | undefined, encoding?: string): boolean {
  try {
    checkBodyHeaders('json', 1, { 'content-type': type, 'content-encoding': encoding });
    return true;
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'unsupported_media_type');
    return false;
  }
}

const JSON_TYPES = [
  'application/json',
  'Application/JSON',
  'application/json;',
  'application/json ; ',
  'application/json; charset=utf-8',
  'application/json;charset=UTF-8',
  'application/json ;\tCharset="utf-8"',
  'application/json; charset="\\u\\tf-8"',
  'application/json; charset=utf-8; charset=UTF-8',
  'application/json; profile="a;b=\\"c"; charset=utf-8',
  'application/json; odata.metadata=minimal',
  'application/json;;;charset=utf-8',
];

const OTHER_TYPES = [
  undefined,
  '',
  'json',
  'text/plain',
  'text/json',
  'application/jsonp',
  'application/json-seq',
  'application/problem+json',
  'application/x-www-form-urlencoded',
  'application/json, application/json',
  'application/json charset=utf-8',
  'application/json; charset',
  'application/json; charset=',
  'application/json; charset = utf-8',
  'application/json; charset=latin1',
  'application/json; charset=utf8',
  'application/json; charset=utf-16',
  "application/json; charset='utf-8'",
  'application/json; charset="utf-8',
  'application/json; charset=utf-8; charset=latin1',
  'application/json; charset=utf-8 x',
  ' text/plain; application/json',
];

test('contract 2(8): application/json with charset utf-8 or none is JSON, in any notation', () => {
  for (const type of JSON_TYPES) {
    assert.equal(isJson(type), true, type);
  }
});

test('contract 2(8): any other or malformed media type is not JSON', () => {
  for (const type of OTHER_TYPES) {
    assert.equal(isJson(type), false, type);
  }
});

/** So long that going back for each character would take hours. */
const LONG = 2_000_000;

test('a media type built to be slow is read only once', () => {
  assert.equal(isJson(`application/json${' '.repeat(LONG)}x`), false);
  assert.equal(isJson(`application/json;a="${'\\"'.repeat(LONG)}`), false);
  assert.equal(isJson(`application/json${'; '.repeat(LONG)}x`), false);
});

test('contract 2(8): the only Content-Encoding is identity', () => {
  for (const encoding of [undefined, '', 'identity', 'IDENTITY', 'identity, identity', ' , ']) {
    assert.equal(isJson('application/json', encoding), true, encoding);
  }
  for (const encoding of ['gzip', 'br', 'identity, gzip', 'identity;q=1', 'x-identity', 'none']) {
    assert.equal(isJson('application/json', encoding), false, encoding);
  }
});
