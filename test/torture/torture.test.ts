/** The short form of every part of `npm run torture`, from a seed that is always the same. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
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
