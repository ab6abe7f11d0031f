import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { decodeQuery, splitTarget } from '../../src/http/target.ts';

test('contract 2(1): a target is split as sent; an absolute one counts by its path', () => {
  const cases = [
    ['/', '/', ''],
    ['/a/b', '/a/b', ''],
    ['/a?', '/a', ''],
    ['/a?b=c?d', '/a', 'b=c?d'],
    ['//evil/healthz', '//evil/healthz', ''],
    ['//', '//', ''],
    ['/a#b', '/a#b', ''],
    ['http://host/healthz', '/healthz', ''],
    ['HTTPS://user@host:8080/healthz?a=b', '/healthz', 'a=b'],
    ['http://host', '/', ''],
    ['http://host?a=b', '/', 'a=b'],
    ['http://[::1]:80/x', '/x', ''],
    ['http://host//x', '//x', ''],
    ['http://host#x', '#x', ''],
  ] as const;
  for (const [target, path, query] of cases) {
    assert.deepEqual(splitTarget(target), { path, query }, target);
  }
});

test('contract 2(1): any other form of target has no path', () => {
  for (const target of ['', '*', 'host:443', 'http:///a', 'http://', 'ftp://host/a', 'a', '?a']) {
    assert.equal(splitTarget(target), undefined, target);
  }
});

test('a query is decoded in the order sent, including repeated names', () => {
  const cases = [
    ['', []],
    ['&&', []],
    [
      'a=1&b=2&a=3',
      [
        ['a', '1'],
        ['b', '2'],
        ['a', '3'],
      ],
    ],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=a', [['', 'a']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a=b?c/d', [['a', 'b?c/d']]],
    ['q=a+b%20c%2Bd', [['q', 'a b c+d']]],
    ['a%3Db=%26', [['a=b', '&']]],
    ['q=%C3%A9%E2%82%AC%F0%9F%92%B6', [['q', 'é€💶']]],
    ['q=%00', [['q', '\0']]],
    ['updatedSince=2026-01-31T12:00:00%2B01:00', [['updatedSince', '2026-01-31T12:00:00+01:00']]],
    ['q=%EF%BB%BF', [['q', '\ufeff']]],
    ['__proto__=x', [['__proto__', 'x']]],
  ] as const;
  for (const [query, expected] of cases) {
    assert.deepEqual(decodeQuery(query), expected, query);
  }
});

const UNDECODABLE = [
  ['a single percent sign', 'a=%'],
  ['half an escape', 'a=%4'],
  ['an escape that is not hexadecimal', 'a=%zz'],
  ['a bad escape in a name', '%=a'],
  ['a lone continuation byte', 'a=%80'],
  ['an incomplete character', 'a=%C3'],
  ['an overlong form', 'a=%C0%AF'],
  ['an encoded surrogate', 'a=%ED%A0%80'],
  ['a code point beyond Unicode', 'a=%F4%90%80%80'],
  ['Latin-1', 'a=%E9'],
  ['a fragment', 'a=INV#1'],
  ['a space', 'a=b c'],
  ['a character that is not ASCII', 'a=é'],
] as const;

for (const [what, query] of UNDECODABLE) {
  test(`contract 2(1): a query with ${what} cannot be decoded`, () => {
    assert.throws(
      () => decodeQuery(query),
      (error) => error instanceof Failure && error.code === 'invalid_request_target',
    );
  });
}
