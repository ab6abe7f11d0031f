// The archive for npm of a release, and archives that npm has.

import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';

/** Writes the archive of a package of npm, or of this one, to a folder, and returns its path. */
export function pack(folder, ...wanted) {
  const argv = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, ...wanted];
  return `${folder}/${execFileSync('npm', argv, { encoding: 'utf8' }).trim()}`;
}

/**
 * Writes the archive of this package, with the same bytes whatever the umask was when the files
 * came: npm takes their modes as they are, so all may read them first.
 */
export function packPublic(folder) {
  const listed = execFileSync('tar', ['tzf', pack(folder)], { encoding: 'utf8' });
  for (const [, file] of listed.matchAll(/^package\/(.+)$/gm)) {
    const isProgram = (fs.statSync(file).mode & 0o100) !== 0;
    fs.chmodSync(file, isProgram ? 0o755 : 0o644);
  }
  return pack(folder);
}
