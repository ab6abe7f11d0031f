import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from './repository.ts';

/** Runs Node in the repository, as if outside a test run. */
function runNode(...argv: string[]): { status: number | null; stdout: string } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(process.execPath, argv, { cwd: ROOT, env, encoding: 'utf8' });
}

describe('the report of a test run, not on a terminal', () => {
  it('prints a dot for each test that passes, and the totals', () => {
    const { status, stdout } = runNode('test/run.js', 'core/ids.test');
    const [dots = ''] = stdout.split('\n');
    assert.match(dots, /^\.+$/);
    assert.match(stdout, /^ℹ tests \d+$/m);
    assert.match(stdout, /^ℹ fail 0$/m);
    assert.doesNotMatch(stdout, /✔/);
    assert.equal(status, 0);
  });

  it('shows failed tests in full, and the output of tests', () => {
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-report-'));
    try {
      const tests = join(folder, 'fails.test.mjs');
      writeFileSync(
        tests,
        `import { describe, it } from 'node:test';
        describe('a suite', () => {
          it('passes', () => {});
          it('fails', () => { console.log('printed'); throw new Error('the reason'); });
        });`,
      );
      const broken = join(folder, 'broken.test.mjs');
      writeFileSync(broken, "throw new Error('does not load');");
      const { status, stdout } = runNode(
        '--test',
        '--test-reporter=./test/report.js',
        tests,
        broken,
      );
      for (const part of ['printed', 'Error: the reason', 'Error: does not load', 'ℹ fail 2']) {
        assert.ok(stdout.includes(part), `${part}\n${stdout}`);
      }
      assert.match(stdout, /✖ failing tests:.*✖ fails.*at .*fails\.test\.mjs:4/s);
      assert.equal(status, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
