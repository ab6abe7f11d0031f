/** The short form of every part of `npm run torture`, from a seed that is always the same. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText } from '../repository.ts';
import { FAULTS } from './faults.ts';
import { PARTS } from './parts.ts';
import { describeResult, runPart } from './trial.ts';

const SEED = 1;

for (const entry of PARTS) {
  test(`${entry[0]}: the short form finds nothing`, async (t) => {
    const result = await runPart(entry, { seed: SEED, size: 'short' });
    t.diagnostic(describeResult(result));
    assert.deepEqual(result.problems, [], describeResult(result));
  });
}

test('every part has a fault that can be put in, and finds it (planted.js)', () => {
  for (const { what, file, text } of FAULTS) {
    assert.equal(readText(`dist/src/${file}`).split(text).length, 2, what);
  }
  assert.deepEqual([...new Set(FAULTS.map(({ part }) => part))], [...PARTS.keys()]);
});
