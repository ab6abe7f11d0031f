import assert from 'node:assert/strict';
import { it } from 'node:test';
import { megabytes } from '../../src/core/counts.ts';

it('8: what is needed never looks like less or the same as what is free', () => {
  for (const [needed, free] of [
    [1_200_000, 1_100_000],
    [3_000_001, 3_000_000],
    [400_000, 300_000],
  ] as const) {
    assert.notEqual(megabytes(needed, Math.ceil), megabytes(free));
  }
  assert.equal(megabytes(1_200_000, Math.ceil), '2 MB');
  assert.equal(megabytes(1_900_000), '1 MB');
});
