// Runs the compiled tests: all of them, or those whose path contains an argument
// (`npm test -- core/money`), and with `--name=TEXT` those of them that have it in their names. The
// list comes from the sources, because dist/ can still contain a test that has been deleted.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { roomyFolder } from '../dist/test/roomy.js';

// Ends and reports a test that hangs (on Node 20, a process), or a process that outlives its tests.
// The slowest takes a minute on two quiet cores: no busy machine reaches these limits.
const TEST_TIMEOUT_MINUTES = 10;
const SUITE_TIMEOUT_MINUTES = 90;
const MINUTE_MS = 60_000;

// What does not depend on Node, the output or the time zone: these tests read or compile sources,
// run commands of documents in a shell or programs of others, or ask for pages that other tests ask
// for, too. `.ci/run` runs the suite again for another Node and for coverage, without these:
// `node test/run.js --again`. Other files leave out parts, such as those in Chromium
// (test/repetitions.ts).
const ONCE = [
  ...['docs', 'docs-asvs', 'english', 'package-types', 'tidy'],
  ...['checks/declarations', 'console/naughty', 'examples/ledger', 'files/inspection/perturbed'],
  ...['operating', 'release'],
].map((name) => `dist/test/${name}.test.js`);

const NAME = '--name=';
const isAgain = process.argv[2] === '--again';
const argv = process.argv.slice(isAgain ? 3 : 2);
const wanted = argv.filter((word) => !word.startsWith(NAME));
const [name] = argv.filter((word) => word.startsWith(NAME)).map((word) => word.slice(NAME.length));
const files = readdirSync('test', { recursive: true })
  .filter((file) => file.endsWith('.test.ts'))
  .map((file) => `dist/test/${file.slice(0, -'.ts'.length)}.js`)
  .filter((file) => !(isAgain && ONCE.includes(file)))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) throw new Error(`No test has ${wanted.join(' or ')} in its path.`);

// Starting Node and loading budgetd takes longer than most files of tests, so files of one folder
// share a process. These are apart: they look at their process or set it up, share a browser, or
// take so long that the others must not wait for them. They begin first, the longest before the
// others: else one core would wait at the end for the other.
const APART = [
  ['console/browser'],
  ['ending', 'looks', 'path', 'print', 'typing', 'widths'].map((name) => `console/${name}`),
  ['torture/torture'],
  ['long-counts', 'monday', 'rows', 'same-again', 'same-lines', 'statement-print'].map(
    (name) => `console/${name}`,
  ),
  ...['managers', 'upkeep/file-watch'],
  ...['console/naughty', 'examples/transactions', 'examples/ledger', 'package-types'],
  ...['api/docs-samples', 'database/checkpoints', 'docs', 'cli/demo', 'http/server-limits'],
  ...['files/inspection/perturbed', 'cli/push-killed', 'operating', 'cli/csv-inspect'],
  ...['cli/full-disk', 'proxies/proxies', 'api/openapi', 'cli/log', 'cli/serve-killed'],
  ...['database/upgrade', 'environment', 'http/server-close', 'operations/passwords'],
  ...['service/embedded'],
].map((names) => [names].flat().map((name) => `dist/test/${name}.test.js`));
const FILES_PER_PROCESS = 16;

/** What each process runs: those apart first, because they take longest, then the other files. */
function listGroups() {
  const apart = APART.map((group) => group.filter((file) => files.includes(file)));
  const groups = [];
  for (const file of files.filter((each) => !apart.flat().includes(each))) {
    const last = groups.at(-1);
    const isNext = last?.length < FILES_PER_PROCESS && dirname(last[0]) === dirname(file);
    if (isNext) last.push(file);
    else groups.push([file]);
  }
  return [...apart.filter(({ length }) => length > 0), ...groups];
}

/** Writes the file that runs a group: its name begins with its place, because Node sorts files. */
function fileOf(group, at, folder) {
  const [first] = group;
  const place = String(at).padStart(3, '0');
  const name = `${folder}/${place}-${first.slice('dist/test/'.length).replaceAll('/', '-')}`;
  const imports = group.map((file) => `import '${file.replace('dist/test', '..')}';\n`);
  writeFileSync(name, imports.join(''));
  return name;
}

const options = [
  ...['--import', './dist/test/environment.js'],
  ...['--import', './dist/test/cheap-passwords.js'],
  // Checks every answer in the suite against the OpenAPI document, which is the same on every Node.
  ...(isAgain ? [] : ['--import', './dist/test/api/hold-answers.js']),
  '--test',
  // One more than the cores, because some tests wait. Node's default leaves one core idle.
  `--test-concurrency=${availableParallelism() + 1}`,
  '--test-reporter=./test/report.js',
  ...(name === undefined ? [] : [`--test-name-pattern=${name.replace(/[^\w\s]/g, '\\$&')}`]),
  `--test-timeout=${TEST_TIMEOUT_MINUTES * MINUTE_MS}`,
];
const folder = mkdtempSync('dist/test/groups-');
const TMPDIR = mkdtempSync(join(roomyFolder(), 'budgetd-tests-'));
// Ctrl-C ends the tests; this process then removes what they left.
process.on('SIGINT', () => {});
try {
  const groups = listGroups().map((group, at) => fileOf(group, at, folder));
  const { status, error } = spawnSync(process.execPath, [...options, ...groups], {
    env: { ...process.env, TMPDIR, ...(isAgain && { BUDGETD_TESTED_BEFORE: '1' }) },
    stdio: 'inherit',
    timeout: SUITE_TIMEOUT_MINUTES * MINUTE_MS,
  });
  if (error) {
    throw new Error(`The tests did not end in ${SUITE_TIMEOUT_MINUTES} minutes.`, { cause: error });
  }
  process.exitCode = status ?? 1;
} finally {
  for (const each of [folder, TMPDIR]) rmSync(each, { recursive: true, force: true });
}
