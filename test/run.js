// Runs the compiled tests: all of them, or those whose path contains an argument
// (`npm test -- core/money`). The list comes from the sources, because dist/ can still contain a
// test that has been deleted.

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

// Ends and reports a test that hangs (on Node 20, a file), or a file that outlives its tests. The
// slowest file takes 20 seconds on two quiet cores: no busy machine reaches these limits.
const TEST_TIMEOUT_MINUTES = 10;
const SUITE_TIMEOUT_MINUTES = 90;
const MINUTE_MS = 60_000;

const wanted = process.argv.slice(2);
const files = readdirSync('test', { recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `dist/test/${file.slice(0, -'.ts'.length)}.js`)
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) throw new Error(`No test has ${wanted.join(' or ')} in its path.`);

const options = [
  ...['--import', './dist/test/environment.js'],
  ...['--import', './dist/test/cheap-passwords.js'],
  // Checks every answer in the suite against the OpenAPI document.
  ...['--import', './dist/test/api/hold-answers.js'],
  '--test',
  // Node's default leaves one core idle, which on two of them doubles the time.
  `--test-concurrency=${availableParallelism()}`,
  '--test-reporter=./test/report.js',
  `--test-timeout=${TEST_TIMEOUT_MINUTES * MINUTE_MS}`,
];
const { status, error } = spawnSync(process.execPath, [...options, ...files], {
  stdio: 'inherit',
  timeout: SUITE_TIMEOUT_MINUTES * MINUTE_MS,
});
if (error) {
  throw new Error(`The tests did not end in ${SUITE_TIMEOUT_MINUTES} minutes.`, { cause: error });
}
process.exitCode = status ?? 1;
