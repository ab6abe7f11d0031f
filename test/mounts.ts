/** Whether a test may mount a file system of its own, in a namespace that ends with it. */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** False where there are no namespaces, or this user may make none. */
export function canMount(): boolean {
  const place = mkdtempSync(join(tmpdir(), 'budgetd-mount-'));
  const mount = ['mount', '-t', 'tmpfs', 'none', place];
  const { status } = spawnSync('unshare', ['-rm', ...mount]);
  rmSync(place, { recursive: true });
  return status === 0;
}
