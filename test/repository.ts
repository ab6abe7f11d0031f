/** The repository's own files, for the tests that hold rules and documentation to the code. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The repository's folder; compiled tests run from dist/test. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

const NOT_OURS = new Set(['.git', 'node_modules', 'dist', 'coverage']);

/** Every file under `folder`, as paths from the repository's folder, sorted. */
export function listFiles(folder = ''): string[] {
  const files = readdirSync(ROOT + folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (NOT_OURS.has(entry.name)) return [];
    return entry.isDirectory() ? listFiles(path) : [path];
  });
  return files.filter((file) => !/\.db(-\w+)?$/.test(file)).sort();
}

/** The text of a file of the repository. */
export function readText(file: string): string {
  return readFileSync(ROOT + file, 'utf8');
}
