import { readFileSync } from 'node:fs';

/**
 * The folder of the package as a URL, for the files that are read from it. This file is two folders
 * below it: compiled in `dist/src`, bundled in `dist/bundle`.
 */
export const PACKAGE_FOLDER = new URL('../../', import.meta.url);

/** The version of the package. */
export function readVersion(): string {
  return JSON.parse(readFileSync(new URL('package.json', PACKAGE_FOLDER), 'utf8')).version;
}
