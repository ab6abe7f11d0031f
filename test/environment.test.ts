import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { it } from 'node:test';

/** Variables that change what programs print or do. */
const FOREIGN = {
  ...{ CI: 'true', COLUMNS: '40', FORCE_COLOR: '3', LANG: 'de_DE.UTF-8', LC_ALL: 'tr_TR.UTF-8' },
  ...{ NODE_OPTIONS: '--title=other', NO_COLOR: '1', TERM: 'xterm-256color' },
  ...{ BUDGETD_CONFIG: 'other.conf', http_proxy: 'http://127.0.0.1:9', npm_config_offline: 'true' },
};

it('a test and the processes that it starts get the same environment everywhere', () => {
  const listed = 'console.log(JSON.stringify(process.env))';
  const child = `require('node:child_process').execFileSync(process.execPath, ['-e', '${listed}'])`;
  const { href } = new URL('./environment.js', import.meta.url);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', href, '-p', `${child}.toString()`],
    { env: { ...process.env, ...FOREIGN }, encoding: 'utf8' },
  );
  assert.deepEqual(JSON.parse(stdout), { ...process.env }, stderr);
  assert.equal(process.env['LANG'], 'C.UTF-8');
});
