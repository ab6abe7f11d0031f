/**
 * The driver of the executable. Its JavaScript is in the bundle; its binary is inside the
 * executable, and the system loads binaries only from files.
 */

import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { Failure } from '../core/failures.ts';
import { type Driver, loadDriverFrom } from '../database/driver.ts';
import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';

type Options = ConstructorParameters<Driver>[1] & { readonly nativeBinding?: unknown };
type PackagedDriver = new (file: string | Uint8Array, options?: Options) => InstanceType<Driver>;

const require = createRequire(import.meta.url);

/** Where threads find the path of the binary. */
const PATH = 'budgetd: path of the driver';

loadDriverFrom(() => {
  const Packaged = require('better-sqlite3') as PackagedDriver;
  const nativeBinding = loadBinary();
  return class extends Packaged {
    constructor(file: string | Uint8Array, options?: Options) {
      super(file, { ...options, nativeBinding });
    }
  };
});

/** Threads load the same file: with two copies of SQLite, one would undo the locks of the other. */
function loadBinary(): unknown {
  const known = getEnvironmentData(PATH);
  if (typeof known === 'string') return load(known);
  const problems: string[] = [];
  for (const folder of new Set([tmpdir(), '/var/tmp', '/dev/shm'])) {
    let file: number | undefined;
    try {
      file = openNameless(folder);
      writeFileSync(file, readPackageFile(new URL('driver.node', PACKAGE_FOLDER)));
      const path = `/proc/self/fd/${file}`;
      const binary = load(path);
      setEnvironmentData(PATH, path);
      return binary;
    } catch (error) {
      if (file !== undefined) closeSync(file);
      problems.push(`${folder}: ${error instanceof Error ? error.message : error}`);
    }
  }
  const advice = 'Set TMPDIR to a folder where this user may write files and run programs.';
  throw new Failure('invalid_input', `Cannot load SQLite. ${advice} ${problems.join('. ')}.`);
}

/**
 * A file without a name: no other user can change it, and it is gone when this process ends, even
 * if it is killed.
 */
function openNameless(folder: string): number {
  const own = mkdtempSync(join(folder, 'budgetd-'));
  try {
    return openSync(join(own, 'driver'), 'wx', 0o600);
  } finally {
    rmSync(own, { recursive: true });
  }
}

function load(path: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}
