/**
 * Chooses and loads the SQLite driver for this version of Node. better-sqlite3 13 needs Node-API 10
 * and crashes an older Node without a message, so both versions are checked before the native part
 * is loaded. See docs/decisions/0002-driver-and-node.md.
 */

import { createRequire } from 'node:module';
import { Failure } from '../core/failures.ts';

/** The `Database` class of the driver. */
export type Driver = new (
  file: string | Uint8Array,
  options?: {
    readonly readonly?: boolean;
    readonly fileMustExist?: boolean;
    readonly timeout?: number;
  },
) => Db;

/**
 * An open database: the part of the driver that budgetd uses. Declared here because the package's
 * types refer to it and the driver has no types.
 */
export interface Db {
  readonly open: boolean;
  readonly inTransaction: boolean;
  prepare<Params extends unknown[] = unknown[], Result = unknown>(
    text: string,
  ): Statement<Params, Result>;
  transaction<Args extends unknown[], Result>(
    work: (...args: Args) => Result,
  ): Transaction<Args, Result>;
  exec(text: string): this;
  pragma(text: string, options?: { readonly simple?: boolean }): unknown;
  function(
    name: string,
    options: { readonly varargs?: boolean; readonly deterministic?: boolean },
    work: (...args: unknown[]) => unknown,
  ): this;
  serialize(): Uint8Array;
  close(): this;
}

/** A prepared statement, with the types of its parameters and results. */
export interface Statement<Params extends unknown[], Result> {
  /** Whether it returns results. */
  readonly reader: boolean;
  run(...params: Params): {
    readonly changes: number;
    readonly lastInsertRowid: number | bigint;
  };
  get(...params: Params): Result | undefined;
  all(...params: Params): Result[];
  iterate(...params: Params): IterableIterator<Result>;
  /** Makes every result an array of its columns. */
  raw(): this;
  /** Makes every result the value of its first column. */
  pluck(): this;
}

/** Work that runs as one SQLite transaction. */
export interface Transaction<Args extends unknown[], Result> {
  (...args: Args): Result;
  deferred(...args: Args): Result;
  immediate(...args: Args): Result;
}

const require = createRequire(import.meta.url);

let loaded: Driver | undefined;

/** Loads the driver in another way than from its package: see `src/executable/driver.ts`. */
let load: (() => Driver) | undefined;

/** Makes {@link loadDriver} call `from`, once. */
export function loadDriverFrom(from: () => Driver): void {
  load = from;
}

/** Why budgetd cannot run on this Node and driver, and what to do; undefined if it can. */
export function driverProblem(nodeVersion: string, driverVersion?: string): string | undefined {
  if (!isSupported(nodeVersion)) {
    const needed = 'budgetd needs Node 20.19 or a later 20, or Node 22.14 or later.';
    return `${needed} This is Node ${nodeVersion}.`;
  }
  if (driverVersion === undefined) {
    const missing = `The SQLite driver for Node ${nodeVersion} is not installed.`;
    if (hasNodeApi10(nodeVersion)) return `${missing} Run \`npm ci\`.`;
    // npm silently skips an optional dependency whose install script fails.
    return (
      `${missing} Install a C++ compiler, make and Python 3 (on Debian: \`apt install ` +
      'build-essential python3`) and run `npm ci`, or use Node 22.14 or later, which needs none ' +
      'of them.'
    );
  }
  if (!hasNodeApi10(nodeVersion) && !isBefore(driverVersion, 13, 0)) {
    const needed = `better-sqlite3 ${driverVersion} needs Node 22.14 or later`;
    return `${needed}, but this is Node ${nodeVersion}. Run \`npm ci\`.`;
  }
  return undefined;
}

/** Throws `invalid_input` when this Node or its driver cannot run budgetd. */
export function checkDriver(): void {
  const problem = driverProblem(process.versions.node, installedVersion());
  if (problem !== undefined) throw new Failure('invalid_input', problem);
}

/**
 * The `Database` class. Throws like {@link checkDriver}, and when the driver was built for another
 * Node.
 */
export function loadDriver(): Driver {
  if (loaded !== undefined) return loaded;
  if (load !== undefined) {
    loaded = load();
    return loaded;
  }
  checkDriver();
  const name = driverName(process.versions.node);
  const Driver = require(name) as Driver;
  try {
    // Opening the first database loads the native part; require() does not.
    new Driver(':memory:').close();
  } catch {
    const problem = `The SQLite driver is not built for Node ${process.versions.node}.`;
    throw new Failure('invalid_input', `${problem} Run \`npm rebuild ${name}\`.`);
  }
  loaded = Driver;
  return Driver;
}

/** Opens a file that exists for some work, whatever is in it. */
export function withDatabase<Result>(
  file: string,
  options: { readonly readonly?: boolean; readonly timeout?: number },
  work: (db: Db) => Result,
): Result {
  const Driver = loadDriver();
  const db = new Driver(file, { ...options, fileMustExist: true });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/**
 * Loads the driver when the package is imported, so that the first service does not wait for it.
 * Problems are reported when a database is opened.
 */
export function preloadDriver(): void {
  try {
    loadDriver();
  } catch {
    // Opening a database throws the same error.
  }
}

/** package.json installs better-sqlite3 13, and 12.9.0 under another name for Node 20. */
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

/** Matches `engines` in package.json. */
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
