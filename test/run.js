// Runs the compiled tests: all of them, or those whose path contains an argument
// (`npm test -- core/money`). The list comes from the sources, because dist/ can still contain a
// test that has been deleted.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

// Ends and reports a test that hangs (on Node 20, a file), or a file that outlives its tests.
const TEST_TIMEOUT_MS = 180_000;
const SUITE_TIMEOUT_MS = 1_800_000;

const wanted = process.argv.slice(2);
const files = readdirSync('test', { recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `dist/test/${file.slice(0, -'.ts'.length)}.js`)
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) throw new Error(`No test has ${wanted.join(' or ')} in its path.`);

const reporter = process.stdout.isTTY ? 'node-test-reporter' : './test/report.js';

// Checks every answer in the suite against the OpenAPI document.
const options = [
  '--import',
  './dist/test/api/hold-answers.js',
  '--test',
  // Node's default leaves one core idle, which on two of them doubles the time.
  `--test-concurrency=${availableParallelism()}`,
  `--test-reporter=${reporter}`,
  `--test-timeout=${TEST_TIMEOUT_MS}`,
];
const { status } = spawnSync(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  timeout: SUITE_TIMEOUT_MS,
});
process.exitCode = status ?? 1;
