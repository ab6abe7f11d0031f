import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { without } from './programs.ts';
import { ROOT, readText } from './repository.ts';

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
      writeFileSync(tests, FAILING);
      const broken = join(folder, 'broken.test.mjs');
      writeFileSync(broken, "throw new Error('does not load');");
      const argv = ['--test', '--test-reporter=./test/report.js', tests, broken];
      const { status, stdout } = runNode(...argv);
      for (const part of ['printed', 'Error: the reason', 'Error: does not load', 'ℹ fail 2']) {
        assert.ok(stdout.includes(part), `${part}\n${stdout}`);
      }
      assert.match(stdout, /✖ failing tests:.*✖ fails.*at .*fails\.test\.mjs:5/s);
      assert.match(stdout, /\nSkipped:\n {2}no such program: 1 in .*fails\.test\.mjs\n/);
      assert.match(stdout, /\n1 passed, 2 failed, 1 skipped\n$/);
      assert.equal(status, 1);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const compiled = `dist/test/report-sample-${process.pid}.test.js`;
  const again = `npm test -- report-sample-${process.pid}.test --name='fails (it'\\''s 5 > 3)'`;
  const command = [process.execPath, '--test', '--test-reporter=./test/report.js', compiled];
  // A compiled test whose source says that its line 5 was line 40 of another file.
  const sample = (work: () => void) => {
    writeFileSync(join(ROOT, compiled), FAILING);
    try {
      work();
    } finally {
      rmSync(join(ROOT, compiled));
    }
  };

  it('says how each failed test is run again', () => {
    sample(() => {
      const { stdout } = run(...(command as [string, ...string[]]));
      assert.ok(stdout.includes(`\nrun it again: ${again}\n✖ fails`), stdout);
    });
  });

  it('says so at a terminal, too, and why tests were skipped', { skip: without('script') }, () => {
    sample(() => {
      const { stdout } = run('script', '-qec', command.join(' '), '/dev/null');
      assert.ok(stdout.includes(`\r\nrun it again: ${again}\r\n`), stdout);
      assert.match(stdout, /\r\nSkipped:\r\n {2}no such program: 1 in /);
    });
  });

  it('names files and lines of the source', async () => {
    const { default: report } = await import(new URL('../../test/report.js', import.meta.url).href);
    const place = { line: 1, column: 1 };
    const error = new Error('the reason');
    const data = { name: 'a test', nesting: 0, file: import.meta.filename, details: { error } };
    async function* events() {
      yield { type: 'test:start', data: { ...data, ...place } };
      yield { type: 'test:fail', data: { ...data, ...place, details: { error, duration_ms: 1 } } };
    }
    let text = '';
    for await (const part of report(events())) text += part;
    const [line] = readText('test/report.test.ts').split(/new Error\('the reason'\)/, 1);
    assert.ok(text.includes(`test/report.test.ts:${line?.split('\n').length}:`), text);
    assert.doesNotMatch(text, /dist\/test\/report\.test\.js/);
  });

  it('npm test runs the tests with a name', () => {
    const { status, stdout } = runNode(
      'test/run.js',
      'core/ids.test',
      String.raw`--name=4 "txn_0000000001\n" is not a transaction id: a newline after`,
    );
    assert.equal(status, 0);
    assert.match(stdout, /\n1 passed, 0 failed/);
  });
});

const FAILING = `import { describe, it } from 'node:test';
describe('a suite', () => {
  it('passes', () => {});
  it('is skipped', { skip: 'no such program' }, () => {});
  it("fails (it's 5 > 3)", () => { console.log('printed'); throw new Error('the reason'); });
});`;
