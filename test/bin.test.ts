import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin', import.meta.url));
const MAIN = 'export const main = async (argv) => (process.stdout.write(argv.join()), 3);';
const FINE = 'export const checkDriver = () => {};';
const WRONG = "export const checkDriver = () => { throw new Error('Use another Node.'); };";

describe('bin/budgetd', () => {
  it('passes its arguments on and exits with what main returns', () => {
    assert.deepEqual(run({ 'store/driver.js': FINE, 'cli/main.js': MAIN }), [3, 'a,b', '']);
  });

  it('says in one line what to run when nothing is built', () => {
    assert.deepEqual(run({}), [1, '', 'budgetd: dist is missing. Run `npm run build` first.\n']);
  });

  it('says in one line why this Node cannot run it, and never loads the rest', () => {
    const files = { 'store/driver.js': WRONG, 'cli/main.js': "throw new Error('loaded');" };
    assert.deepEqual(run(files), [1, '', 'budgetd: Use another Node.\n']);
  });

  it('never shows a stack', () => {
    const main = "export const main = () => { throw new Error('Oops'); };";
    assert.deepEqual(run({ 'store/driver.js': FINE, 'cli/main.js': main }), [
      1,
      '',
      'budgetd: Oops\n',
    ]);
  });
});

/** Exit code, standard output and standard error of bin/budgetd beside these built files. */
function run(built: Record<string, string>): [number | null, string, string] {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-bin-'));
  try {
    cpSync(BIN, join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    for (const [file, source] of Object.entries(built)) {
      const path = join(folder, 'dist/src', file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, source);
    }
    const result = spawnSync(process.execPath, [join(folder, 'bin/budgetd'), 'a', 'b'], {
      encoding: 'utf8',
    });
    return [result.status, result.stdout, result.stderr];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
