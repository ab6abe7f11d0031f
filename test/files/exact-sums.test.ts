import assert from 'node:assert/strict';
import { test } from 'node:test';
import { millionthsOf, plus, showSum } from '../../src/files/values/exact-sums.ts';

test('1 a number of any size is read in millionths, also an account number', () => {
  assert.equal(millionthsOf(-98_765_432_109.12), -98_765_432_109_120_000n);
  assert.equal(millionthsOf(123_456_789_012.25), 123_456_789_012_250_000n);
  assert.equal(millionthsOf(1e-7), 0);
  assert.equal(millionthsOf(-(2 ** 90)), -(2n ** 90n) * 1_000_000n);
  assert.equal(showSum(millionthsOf(9_007_199_254_740_991)), '9,007,199,254,740,991.00');
});

test('2 sums are exact, and equal ones are identical, whatever is added up', () => {
  const most = Number.MAX_SAFE_INTEGER;
  assert.equal(plus(most, 1), 2n ** 53n);
  assert.equal(plus(plus(most, 2), -3), most - 1);
  assert.equal(plus(plus(-most, -2), 3), 1 - most);
  assert.equal(plus(2n ** 60n, -(2n ** 60n)), 0);
  assert.equal(showSum(plus(most, most)), '18,014,398,509.481982');
});
