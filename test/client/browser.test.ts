import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { noCounts } from '../../src/client/push.ts';
import { openWorld } from './world.ts';

test('the client pushes, lists and throws without anything from Node', async (t) => {
  const { url, key } = await openWorld(t);
  const page = fileURLToPath(new URL('browser-page.js', import.meta.url));
  const args = ['--experimental-vm-modules', '--no-warnings', page, url, key];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { failure, ...found } = JSON.parse(stdout);
  const counts = { received: 1203, created: 1202, updated: 0, rejected: 1 };
  assert.deepEqual(found, {
    counts: { ...noCounts(false), ...counts },
    batches: [0, 500, 1000],
    listed: 1202,
    aborted: 'aborted',
    globals: [],
  });
  const { requestId, ...error } = failure;
  assert.deepEqual(error, { isOne: true, name: 'BudgetdError', code: 'not_found', status: 404 });
  assert.match(requestId, /^req_/);
});
