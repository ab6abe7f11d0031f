// `npm run interop`: generates clients from the OpenAPI document with other people's tools,
// compiles and runs them against a service, and loads the package in Express and Jest, as CommonJS.
// All that happens in dist/interop, which keeps what was installed until the lock file changes.

import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = `${ROOT}dist/interop`;
const LOCK = 'package-lock.json';

const isInstalled =
  existsSync(`${FOLDER}/node_modules`) &&
  readFileSync(`${FOLDER}/${LOCK}`, 'utf8') === readFileSync(`${ROOT}interop/${LOCK}`, 'utf8');
for (const name of ['clients', 'generated', 'jest', 'out']) {
  rmSync(`${FOLDER}/${name}`, { recursive: true, force: true });
}
cpSync(`${ROOT}interop`, FOLDER, { recursive: true });
cpSync(`${ROOT}dist/src/docs/openapi.json`, `${FOLDER}/openapi.json`);
if (!isInstalled) install();

// The package as users get it. What it needs is found in the folder of the repository.
const home = `${FOLDER}/node_modules/budgetd`;
rmSync(home, { recursive: true, force: true });
mkdirSync(home);
const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', FOLDER], {
  cwd: ROOT,
  encoding: 'utf8',
  stdio: ['ignore', 'pipe', 'ignore'],
});
run('tar', 'xzf', packed.trim().split('\n').at(-1), '-C', home, '--strip-components', '1');

run(process.execPath, 'generate.js');
run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', '.');
run(process.execPath, 'out/main.js');
run(process.execPath, 'node_modules/jest/bin/jest.js', '--rootDir', 'out/jest');

// A machine without a registry has nothing to try: exit code 75 says that, to `.ci/run`.
function install() {
  try {
    run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund');
  } catch {
    rmSync(`${FOLDER}/node_modules`, { recursive: true, force: true });
    console.error('npm could not install the tools of others, so none of them was tried.');
    process.exit(75);
  }
}

function run(program, ...argv) {
  execFileSync(program, argv, { cwd: FOLDER, stdio: 'inherit' });
}
