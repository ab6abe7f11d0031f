/**
 * Puts each fault of `faults.ts` into a copy of the program, and runs the short form of its part
 * there: `planted.js [PART …]`. Exit code 1 if a part did not find one.
 */

import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../repository.ts';
import { roomyFolder } from '../roomy.ts';
import { FAULTS, type Fault } from './faults.ts';
import type { Result } from './trial.ts';

const COPIED = ['bin', 'build', 'data', 'dist', 'src', 'test', 'schema.sql', 'package.json'];
COPIED.push('bundle.js', 'bundling.js', 'client-types.js', 'docs', 'packaging');
/** A fault is found sooner or later by chance: so many seeds are tried. */
const SEEDS = [1, 2, 3];

const folder = mkdtempSync(join(roomyFolder(), 'budgetd-planted-'));
try {
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const wanted = process.argv.slice(2);
  for (const fault of FAULTS) {
    if (wanted.length > 0 && !wanted.includes(fault.part)) continue;
    const found = plant(fault);
    const how = found === undefined ? 'NOT FOUND' : `found with seed ${found.seed}`;
    process.stdout.write(`${fault.part}: ${fault.what}: ${how}\n`);
    if (found === undefined) process.exitCode = 1;
    else process.stdout.write(`  ${found.problems[0]?.split('\n')[0]?.slice(0, 160)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Runs the part with the fault. Returns the first result with a problem. */
function plant({ part, file, text, instead }: Fault): Result | undefined {
  const path = join(folder, 'dist/src', file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(text, () => instead),
  );
  try {
    // The program that is killed is the bundle.
    if (part === 'kill') run('bundle.js');
    for (const seed of SEEDS) {
      const args = [part, '--short', '--json', '--seed', String(seed)];
      const { stdout, stderr } = run('dist/test/torture/main.js', ...args);
      if (stdout === '') throw new Error(stderr);
      const result = JSON.parse(stdout) as Result;
      if (result.problems.length > 0) return result;
    }
    return undefined;
  } finally {
    writeFileSync(path, sound);
  }
}

function run(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
}
