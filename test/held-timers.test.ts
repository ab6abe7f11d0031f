import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FOREVER_MS, holdTimers } from './held-timers.ts';

test('timers get what they were given, whether they are held or not', async (t) => {
  const pass = holdTimers(t);
  const given = await new Promise((resolve) => setTimeout(resolve, 0, 'short'));
  assert.equal(given, 'short');
  const later = new Promise((resolve) => setTimeout(resolve, FOREVER_MS, 'long'));
  pass(FOREVER_MS);
  assert.equal(await later, 'long');
});
