// `npm run build`, after bin/check-node.js: runs each step in a process of its own, and says what
// it does while it does it.

import { spawnSync } from 'node:child_process';

const STEPS = [
  ['Writing the types of the client', 'client-types.js'],
  ['Compiling TypeScript', 'node_modules/typescript/bin/tsc', '-b'],
  ['Compiling schemas', 'dist/build/checks/build.js'],
  ['Writing the reference and the manual', 'dist/build/reference/build.js'],
  ['Bundling', 'bundle.js'],
];

for (const [at, [what, ...words]] of STEPS.entries()) {
  process.stdout.write(`[${at + 1}/${STEPS.length}] ${what} …\n`);
  const { status } = spawnSync(process.execPath, words, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
