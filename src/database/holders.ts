/** Which processes have a file open, where the system tells. */

import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** The processes that have a file open, or one of this name that was removed. */
export function listHolders(file: string): string[] {
  return listProcesses().filter((id) => hasOpen(id, file));
}

/** The running processes; none where there is no /proc. */
function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}

function hasOpen(processId: string, file: string): boolean {
  const folder = `/proc/${processId}/fd`;
  try {
    return readdirSync(folder).some((name) => {
      const target = readlinkSync(join(folder, name));
      return target === file || target === `${file} (deleted)`;
    });
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}
