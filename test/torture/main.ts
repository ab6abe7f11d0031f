/**
 * `npm run torture [PART …] [--seed N] [--short|--usual|--long] [--json]`: tries to break budgetd,
 * and says what it tried and what it found. What it has tried so far is a line on standard error
 * every ten seconds. Exit code 1 if anything was found.
 */

import '../cheap-passwords.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { roomyFolder } from '../roomy.ts';
import { PARTS } from './parts.ts';
import { describeResult, runPart, SIZES } from './trial.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: String((Date.now() % 1e9) + 1) },
    short: { type: 'boolean', default: false },
    usual: { type: 'boolean', default: false },
    long: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});
const unknown = positionals.filter((name) => !PARTS.has(name));
if (unknown.length > 0) {
  const known = [...PARTS.keys()].join(', ');
  process.stderr.write(`torture: No part is named ${unknown.join(', ')}. Parts: ${known}\n`);
  process.exit(2);
}
process.env['TMPDIR'] = mkdtempSync(join(roomyFolder(), 'budgetd-torture-'));
const size = SIZES.find((each) => values[each]) ?? 'usual';
const seed = Number(values.seed);
for (const [name, part] of PARTS) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const result = await runPart([name, part], { seed, size }, (progress) => {
    process.stderr.write(`${name}: ${progress}\n`);
  });
  process.stdout.write(`${values.json ? JSON.stringify(result) : describeResult(result)}\n`);
  if (result.problems.length > 0) process.exitCode = 1;
}
rmSync(process.env['TMPDIR'], { recursive: true, force: true });
process.exit();
