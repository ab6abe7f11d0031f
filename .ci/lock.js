// Restores what `npm install` drops from package-lock.json (docs/decisions/0002), and takes the
// addresses of downloads out of both lock files.

import { readFileSync, writeFileSync } from 'node:fs';

edit('../package-lock.json', (packages) => {
  // Without this, npm runs node-gyp for a package that includes its binaries.
  packages['node_modules/better-sqlite3'].gypfile = false;
  // With the package's own range, npm would also compile it on Node 22 to 25, which do not use it.
  packages['node_modules/better-sqlite3-node20'].engines.node = '20.x';
});
edit('../interop/package-lock.json', () => {});

function edit(path, restore) {
  const file = new URL(path, import.meta.url);
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  restore(lock.packages);
  for (const entry of Object.values(lock.packages)) delete entry.resolved;
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
