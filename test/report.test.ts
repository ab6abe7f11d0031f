import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { without } from './programs.ts';
import { ROOT } from './repository.ts';

/** Runs Node in the repository, as if outside a test run. */
function runNode(...argv: string[]) {
  return run(process.execPath, ...argv);
}

function run(program: string, ...argv: string[]): { status: number | null; stdout: string } {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  return spawnSync(program, argv, { cwd: ROOT, env, encoding: 'utf8' });
}

describe('the report of a test run', () => {
  it('in a pipe prints a dot for each test that passes, and the totals', () => {
    const { status, stdout } = runNode('test/run.js', 'core/ids.test');
    const [dots = ''] = stdout.split('\n');
    assert.match(dots, /^\.+$/);
    assert.match(stdout, /^ℹ tests \d+$/m);
    assert.match(stdout, /^ℹ fail 0$/m);
    assert.doesNotMatch(stdout, /✔/);
    assert.match(stdout, /\n\d+ passed, 0 failed\n$/);
    assert.equal(status, 0);
  });

  it('ends with the same line at a terminal', {
    skip: without('script'),
  }, () => {
    const command = `${process.execPath} test/run.js core/ids.test`;
    const { status, stdout } = run('script', '-qec', command, '/dev/null');
    assert.match(stdout, /✓ .*\r\n\d+ passed, 0 failed\r\n$/s);
    assert.equal(status, 0);
  });

  it('in a pipe shows failed tests in full, and the output of tests', () => {
    const folder = mkdtempSync(join(tmpdir(), 'budgetd-report-'));
    try {
      const tests = join(folder, 'fails.test.mjs');
      writeFileSync(
        tests,
        `import { describe, it } from 'node:test';
        describe('a suite', () => {
          it('passes', () => {});
          it.skip('is skipped', () => {});
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
      assert.match(stdout, /✖ failing tests:.*✖ fails.*at .*fails\.test\.mjs:5/s);
      assert.match(stdout, /\n1 passed, 2 failed, 1 skipped\n$/);
      assert.equal(status, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
