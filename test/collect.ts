/** The memory that is in use, once what nothing needs any more is collected. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Another thread may free what was collected, later on a busy machine: ask until it has. */
export function usedMemory(): NodeJS.MemoryUsage {
  collect();
  return process.memoryUsage();
}
