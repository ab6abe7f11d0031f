import { PACKAGE_FOLDER, readPackageFile } from '../package-folder.ts';

/** The version of this budgetd. */
export function readVersion(): string {
  const manifest = new URL('package.json', PACKAGE_FOLDER);
  return JSON.parse(readPackageFile(manifest).toString()).version;
}
