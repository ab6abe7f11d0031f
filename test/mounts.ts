/** Whether a test can mount a file system, in a namespace that disappears with it. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** False if there are no namespaces, or this user cannot create one. */
export function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'budgetd-mount-'));
  const mount = ['mount', '-t', 'tmpfs', 'none', place];
  const { status } = spawnSync('unshare', ['-rm', ...mount]);
  rmSync(place, { recursive: true });
  return status === 0;
}
