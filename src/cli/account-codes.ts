/** What `allocate --by-account-code` and `demo` share. */

import type { Actor } from '../core/audit.ts';
import { count } from '../core/counts.ts';
import type { Access } from '../operations/access.ts';
import * as operations from '../operations/allocations.ts';
import type { Io } from './command.ts';
import { createProgress } from './output.ts';

/** Allocates by account code, with a progress line. */
export function allocateByAccountCode(
  io: Io,
  access: Access,
  actor: Actor,
): operations.AccountCodeOutcome {
  const progress = createProgress(io);
  const outcome = operations.allocateByAccountCode(access, actor, ({ allocated }) => {
    progress.show(`${count(allocated, 'transaction')} allocated`);
  });
  progress.end();
  return outcome;
}
