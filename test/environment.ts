/**
 * Preloaded into every test file (`node --import`): a test, and so every process that it starts,
 * gets the same environment on every machine. Without this, a child would also see what a terminal,
 * a shell, npm, a CI or the test runner sets: colours, a proxy, options of Node or of budgetd.
 */

const KEPT = [
  // Where programs, homes and temporary files are. The names in the second line are for Windows.
  ...['PATH', 'HOME', 'TMPDIR'],
  ...['APPDATA', 'COMSPEC', 'LOCALAPPDATA', 'PATHEXT', 'SYSTEMROOT', 'TEMP', 'TMP', 'USERPROFILE'],
  // The certificates with which tests reach npm.
  'NODE_EXTRA_CA_CERTS',
  // Dates must not depend on the time zone, so the suite runs in several.
  'TZ',
  // Set by the test runner. NODE_V8_COVERAGE is not kept: the coverage of this process is on by
  // now, and programs that tests start run the bundle, which does not count.
  'NODE_TEST_CONTEXT',
  // Options of this suite.
  ...[
    'BUDGETD_HEAVY_TESTS',
    'BUDGETD_SLOW_TESTS',
    'BUDGETD_TESTED_BEFORE',
    'BUDGETD_WRITE_README',
    'CHROMIUM',
    'TESTED_PROGRAM',
  ],
];

// The runner itself, which also loads this, needs the terminal.
if (process.env['NODE_TEST_CONTEXT'] !== undefined) {
  for (const name of Object.keys(process.env)) {
    if (!KEPT.includes(name.toUpperCase())) delete process.env[name];
  }
  process.env['LANG'] = 'C.UTF-8';
}
