/**
 * The SQLite driver as budgetd uses it. `bin/check-node.js` chooses and loads the one for this
 * version of Node. See docs/decisions/0002-driver-and-node.md.
 */

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Failure } from '../core/failures.ts';
import { PACKAGE_FOLDER } from '../package-folder.ts';

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
  ): DriverStatement<Params, Result>;
  transaction<Args extends unknown[], Result>(
    work: (...args: Args) => Result,
  ): DriverTransaction<Args, Result>;
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
export interface DriverStatement<Params extends unknown[], Result> {
  /** Whether it returns results. */
  readonly reader: boolean;
  run(...params: Params): { readonly changes: number; readonly lastInsertRowid: number | bigint };
  get(...params: Params): Result | undefined;
  all(...params: Params): Result[];
  iterate(...params: Params): IterableIterator<Result>;
  /** Makes every result an array of its columns. */
  raw(): this;
  /** Makes every result the value of its first column. */
  pluck(): this;
}

/** Work that runs as one SQLite transaction. */
export interface DriverTransaction<Args extends unknown[], Result> {
  (...args: Args): Result;
  deferred(...args: Args): Result;
  immediate(...args: Args): Result;
}

const require = createRequire(import.meta.url);

let loaded: Driver | undefined;

/** Loads the driver in another way than from its package: see `src/executable/driver.ts`. */
let load = loadPackaged;

/** Makes {@link loadDriver} call `from`, once. */
export function loadDriverFrom(from: () => Driver): void {
  load = from;
}

/** The `Database` class. Throws `invalid_input` when this Node or its driver cannot run budgetd. */
export function loadDriver(): Driver {
  loaded ??= load();
  return loaded;
}

function loadPackaged(): Driver {
  const path = fileURLToPath(new URL('bin/check-node.js', PACKAGE_FOLDER));
  const { loadDriver } = require(path) as { readonly loadDriver: () => Driver };
  try {
    return loadDriver();
  } catch (error) {
    const failure = new Failure('invalid_input', error instanceof Error ? error.message : '');
    // Where it was found says nothing.
    failure.stack = `${failure.name}: ${failure.message}`;
    throw failure;
  }
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
