import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin', import.meta.url));
const MAIN = 'exports.main = async (argv) => (process.stdout.write(argv.join()), 3);';
const FINE = 'exports.check = () => {};';
const WRONG = "exports.check = () => { throw new Error('Use another Node.'); };";

describe('bin/budgetd', () => {
  it('passes on its arguments and exits with the code that main returns', () => {
    assert.deepEqual(run({ 'main.js': MAIN }), [3, 'a,b', '']);
  });

  it('prints one line with the command to run if nothing is built', () => {
    assert.deepEqual(run({}), [
      1,
      '',
      'budgetd: This clone is not built yet. Run `npm run build`.\n',
    ]);
  });

  it('prints one line if this Node cannot run it, and does not load the rest', () => {
    const files = { 'main.js': "throw new Error('loaded');" };
    assert.deepEqual(run(files, WRONG), [1, '', 'budgetd: Use another Node.\n']);
  });

  it('never prints a stack', () => {
    const main = "exports.main = () => { throw new Error('Oops'); };";
    assert.deepEqual(run({ 'main.js': main }), [1, '', 'budgetd: Oops\n']);
  });
});

it('the build says what it does before it does it', () => {
  // In a folder without the programs of the steps.
  const cwd = mkdtempSync(join(tmpdir(), 'budgetd-build-'));
  const build = join(dirname(BIN), 'build.js');
  const { status, stdout } = spawnSync(process.execPath, [build], { cwd, encoding: 'utf8' });
  rmSync(cwd, { recursive: true });
  assert.deepEqual([status, stdout], [1, '[1/5] Writing the types of the client …\n']);
});

/** Exit code, standard output and standard error of bin/budgetd with these built files. */
function run(built: Record<string, string>, check = FINE): [number | null, string, string] {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-bin-'));
  try {
    cpSync(BIN, join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }');
    writeFileSync(join(folder, 'bin/check-node.js'), check);
    mkdirSync(join(folder, 'dist/bundle'), { recursive: true });
    for (const [file, source] of Object.entries(built)) {
      writeFileSync(join(folder, 'dist/bundle', file), source);
    }
    const result = spawnSync(process.execPath, [join(folder, 'bin/budgetd'), 'a', 'b'], {
      encoding: 'utf8',
    });
    return [result.status, result.stdout, result.stderr];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
