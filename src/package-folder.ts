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

export function startThread(module: URL, options: WorkerOptions): Worker {
  if (!isSea()) return new Worker(module, options);
  return new Worker(readPackageFile(module).toString(), { ...options, eval: true });
}

/** How to start this program, in words of a shell; `node` is the word for Node. */
export function programWords(node: string): string[] {
  if (isSea()) return [process.execPath];
  return [node, fileURLToPath(new URL('bin/budgetd', PACKAGE_FOLDER))];
}

/** What a program is: its version, the commit of its sources, if they had one, and its schema. */
interface Build {
  readonly version: string;
  readonly commit: string | null;
  readonly schema: number;
}

let build: Build | undefined;

/** What this program is. */
export function readBuild(): Build {
  const read = (path: string) => {
    return JSON.parse(readPackageFile(new URL(path, PACKAGE_FOLDER)).toString());
  };
  build ??= { version: read('package.json').version, ...read('dist/src/build.json') } as Build;
  return build;
}

/** The program and its version in words, such as `0.1.0 (commit 7c27e8203b11, schema 3)`. */
export function buildText(): string {
  const { version, commit, schema } = readBuild();
  return `${version} (${commit === null ? '' : `commit ${commit}, `}schema ${schema})`;
}
