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

// What does not depend on Node, the output or the time zone: these tests read or compile sources,
// or look in Chromium at pages that other tests ask for, too. `.ci/run` runs the suite again for
// another Node and for coverage, without these: `node test/run.js --again`.
const ONCE = [
  ...['english', 'package-types', 'tidy'].map((name) => `dist/test/${name}.test.js`),
  ...['browser', 'leaks', 'path', 'print'].map((name) => `dist/test/console/${name}.test.js`),
  'dist/test/files/inspection/perturbed.test.js',
];

const isAgain = process.argv[2] === '--again';
const wanted = process.argv.slice(isAgain ? 3 : 2);
const files = readdirSync('test', { recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `dist/test/${file.slice(0, -'.ts'.length)}.js`)
  .filter((file) => !(isAgain && ONCE.includes(file)))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) throw new Error(`No test has ${wanted.join(' or ')} in its path.`);

const options = [
  ...['--import', './dist/test/environment.js'],
  ...['--import', './dist/test/cheap-passwords.js'],
  // Checks every answer in the suite against the OpenAPI document.
  ...['--import', './dist/test/api/hold-answers.js'],
  '--test',
  // One more than the cores, because some tests wait. Node's default leaves one core idle.
  `--test-concurrency=${availableParallelism() + 1}`,
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
