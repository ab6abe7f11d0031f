/** The declarations written by hand, which `skipLibCheck` would leave unchecked with all others. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';
import { listFiles, ROOT } from '../repository.ts';

const OPTIONS =
  '--ignoreConfig --noEmit --strict --target es2022 --lib es2024,dom --types node ' +
  '--module nodenext --allowImportingTsExtensions --skipDefaultLibCheck';

it('the types of the compiled checks are correct', () => {
  const files = listFiles('src').filter((file) => file.endsWith('.d.ts'));
  assert.ok(files.length > 4);
  const compiler = [`${ROOT}node_modules/typescript/bin/tsc`, ...OPTIONS.split(' '), ...files];
  const { stdout } = spawnSync(process.execPath, compiler, { cwd: ROOT, encoding: 'utf8' });
  assert.equal(stdout, '');
});
