import { readFileSync } from 'node:fs';
import { PACKAGE_FOLDER } from '../package-folder.ts';

/** The version of this budgetd. */
export function readVersion(): string {
  const manifest = new URL('package.json', PACKAGE_FOLDER);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}
