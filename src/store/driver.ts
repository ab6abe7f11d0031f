/**
 * Which SQLite driver this Node can run, and loading it. better-sqlite3 13 needs Node-API 10 and
 * ends an older Node without a word, so the pair is checked before anything native is loaded. See
 * docs/decisions/0002-driver-and-node.md.
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
 * An open database: the part of the driver that budgetd uses. It is written out here because the
 * package's own types lead to it, and the driver has none.
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

/** A prepared statement with the types of its parameters and of a result. */
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
  /** From now on a result is a list of its columns. */
  raw(): this;
  /** From now on a result is its first column. */
  pluck(): this;
}

/** Work that runs as one transaction of SQLite, of one of its kinds. */
export interface Transaction<Args extends unknown[], Result> {
  (...args: Args): Result;
  deferred(...args: Args): Result;
  immediate(...args: Args): Result;
}

const require = createRequire(import.meta.url);

let loaded: Driver | undefined;

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
export function loadDriver(): Driver {
  if (loaded !== undefined) return loaded;
  checkDriver();
  const name = driverName(process.versions.node);
  const Driver = require(name) as Driver;
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
