/**
 * The files of the package: in its folder or, in the executable (docs/decisions/0012), inside it
 * under the same names.
 */

import { readFileSync } from 'node:fs';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/**
 * The folder of the package as a URL, for {@link readPackageFile}. This file is two folders below
 * it: compiled in `dist/src`, bundled in `dist/bundle`. In the executable it is `file:///`.
 */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url);

/** The bytes of a file of the package. */
export function readPackageFile(file: URL): Buffer {
  return isSea() ? Buffer.from(getAsset(file.pathname.slice(1))) : readFileSync(file);
}

/** Starts a thread with a module of the package, or of a test. */
export function startThread(module: URL, options: WorkerOptions): Worker {
  if (!isSea()) return new Worker(module, options);
  return new Worker(readPackageFile(module).toString(), { ...options, eval: true });
}

/** How to start this program, in words of a shell; `node` is the word for Node. */
export function programWords(node: string): string[] {
  if (isSea()) return [process.execPath];
  return [node, fileURLToPath(new URL('bin/budgetd', PACKAGE_FOLDER))];
}

/** The version of the package. */
export function readVersion(): string {
  return JSON.parse(readPackageFile(new URL('package.json', PACKAGE_FOLDER)).toString()).version;
}
