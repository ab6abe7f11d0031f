import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureJson } from '../../src/core/json-size.ts';

test('contract 2(8): brackets and commas in strings do not count', () => {
  const cases = [
    ['"[[["', 0],
    ['["[", "{"]', 1],
    ['["\\"[["]', 1],
    ['["\\\\", ["x"]]', 2],
    ['["\\\\\\"[["]', 1],
    ['["é[", "[💶"]', 1],
    ['[["unclosed [[[', 2],
    ['["ends in a backslash\\', 1],
    ['[]][[', 1],
  ] as const;
  for (const [text, depth] of cases) {
    assert.equal(measureJson(Buffer.from(text)).depth, depth, text);
  }
  assert.equal(measureJson(Buffer.from('["a,b[{", {"c": [1, 2]}]')).values, 6);
});
