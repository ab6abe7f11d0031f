/** What takes long at its first use is loaded in turns, so that a service does other work too. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { UNMEASURED } from '../console/turns.ts';

const SCRIPT = fileURLToPath(new URL('first-use.js', import.meta.url));

it('what reads files, and the locales of pages', { skip: UNMEASURED ?? false }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [SCRIPT]);
  const { files, locales, page } = JSON.parse(stdout);
  // All at once it would be two thirds of the time.
  assert.ok(files.longestMs < files.allMs * 0.5, stdout);
  assert.ok(page.allMs < locales.allMs * 0.5, stdout);
});
