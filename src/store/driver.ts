/**
 * Which SQLite driver this Node can run, and loading it. better-sqlite3 13 needs Node-API 10 and
 * ends an older Node without a word, so the pair is checked before anything native is loaded. See
 * docs/decisions/0002-driver-and-node.md.
 */

import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';
import { Failure } from '../core/failures.ts';

const require = createRequire(import.meta.url);

let loaded: typeof BetterSqlite3 | undefined;

/** What keeps this Node and this driver from running budgetd, in one line that says what to do. */
export function driverProblem(nodeVersion: string, driverVersion?: string): string | undefined {
  if (!isSupported(nodeVersion)) {
    return `This is Node ${nodeVersion}: 20.19 or a later 20, or 22.14 or later, is needed.`;
  }
  if (driverVersion === undefined) {
    const missing = `The SQLite driver for Node ${nodeVersion} is not installed.`;
    if (hasNodeApi10(nodeVersion)) return `${missing} Run \`npm ci\`.`;
    // npm silently skips an optional dependency whose install script fails.
    return (
      `${missing} Install a C++ compiler, make and Python 3 (on Debian: \`apt install ` +
      'build-essential python3`) and run `npm ci`, or use Node 22.14 or later, which needs none.'
    );
  }
  if (!hasNodeApi10(nodeVersion) && !isBefore(driverVersion, 13, 0)) {
    return `better-sqlite3 ${driverVersion} needs Node 22.14; this is Node ${nodeVersion}.`;
  }
  return undefined;
}

/** Refuses with `invalid_input` when this Node, or its driver, cannot run budgetd. */
export function checkDriver(): void {
  const problem = driverProblem(process.versions.node, installedVersion());
  if (problem !== undefined) throw new Failure('invalid_input', problem);
}

/** The `Database` class; refuses like {@link checkDriver}, and when built for another Node. */
export function loadDriver(): typeof BetterSqlite3 {
  if (loaded !== undefined) return loaded;
  checkDriver();
  const name = driverName(process.versions.node);
  const Driver = require(name) as typeof BetterSqlite3;
  try {
    // The native part is loaded by the first database that is opened, not by require().
    new Driver(':memory:').close();
  } catch {
    const built = `The SQLite driver is not built for Node ${process.versions.node}`;
    throw new Failure('invalid_input', `${built}: run \`npm rebuild ${name}\`.`);
  }
  loaded = Driver;
  return Driver;
}

/**
 * Loads the driver with the package, as an import would, so that no first service waits for it.
 * What keeps it from loading is said when a database is opened.
 */
export function preloadDriver(): void {
  try {
    loadDriver();
  } catch {
    // loadDriver refuses again.
  }
}

/** package.json installs better-sqlite3 13, and 12.9.0 under a name of its own for Node 20. */
function driverName(nodeVersion: string): string {
  return hasNodeApi10(nodeVersion) ? 'better-sqlite3' : 'better-sqlite3-node20';
}

function installedVersion(): string | undefined {
  try {
    const manifest = require(`${driverName(process.versions.node)}/package.json`) as {
      version: string;
    };
    return manifest.version;
  } catch {
    return undefined;
  }
}

/** What `engines` in package.json says. */
function isSupported(nodeVersion: string): boolean {
  if (nodeVersion.startsWith('20.')) return !isBefore(nodeVersion, 20, 19);
  return hasNodeApi10(nodeVersion);
}

function hasNodeApi10(nodeVersion: string): boolean {
  if (nodeVersion.startsWith('23.')) return !isBefore(nodeVersion, 23, 6);
  return !isBefore(nodeVersion, 22, 14);
}

function isBefore(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}
