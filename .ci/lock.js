// Restores what `npm install` drops from package-lock.json: see docs/decisions/0002.

import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const { packages } = lock;

// Without this, npm runs node-gyp for a package that includes its binaries.
packages['node_modules/better-sqlite3'].gypfile = false;
// With the package's own range, npm would also compile it on Node 22 to 25, where nothing uses it.
packages['node_modules/better-sqlite3-node20'].engines.node = '20.x';
for (const entry of Object.values(packages)) delete entry.resolved;

writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
