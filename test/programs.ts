/** What other programs a test needs, and why it is skipped without them. */

import { spawnSync } from 'node:child_process';

/** False if a program is installed, else why a test that needs it is skipped. */
export function without(program: string): string | false {
  return spawnSync(program, ['--version']).status === 0 ? false : `${program} is not installed`;
}
