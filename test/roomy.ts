/** Where tests write: in memory, if it has room enough and may hold programs. */

import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

/** The folder in which to make folders for tests. */
export function roomyFolder(): string {
  return isRoomy(MEMORY) ? MEMORY : tmpdir();
}

function isRoomy(folder: string): boolean {
  const [mounts] = ['/proc/mounts'].filter(existsSync).map((file) => readFileSync(file, 'utf8'));
  const flags = mounts?.match(new RegExp(`^\\S+ ${folder} tmpfs (\\S+)`, 'm'))?.[1];
  if (flags === undefined || flags.split(',').includes('noexec')) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOM_BYTES;
}
