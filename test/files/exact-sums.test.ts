import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDigitsOf, showSum } from '../../src/files/values/exact-sums.ts';

test('1 a number of any size is read in millionths, also an account number', () => {
  assert.equal(readDigitsOf(-98_765_432_109.12), -98_765_432_109_120_000n);
  assert.equal(readDigitsOf(123_456_789_012.25), 123_456_789_012_250_000n);
  assert.equal(readDigitsOf(1e-7), 0n);
  assert.equal(readDigitsOf(-(2 ** 90)), -(2n ** 90n) * 1_000_000n);
  assert.equal(showSum(readDigitsOf(9_007_199_254_740_991)), '9,007,199,254,740,991.00');
});
