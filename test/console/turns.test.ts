import assert from 'node:assert/strict';
import { it } from 'node:test';
import { UNMEASURED, watchTurns } from './turns.ts';

it('a turn is measured in which the work ends', { skip: UNMEASURED ?? false }, async () => {
  const { longestMs } = await watchTurns(async () => {
    await new Promise(setImmediate);
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 30_000);
  });
  assert.ok(longestMs > 20, `${longestMs} ms`);
});
