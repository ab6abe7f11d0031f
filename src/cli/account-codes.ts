/** What `allocate --by-account-code` and `demo` share. */

import type { Actor } from '../core/audit.ts';
import { count } from '../core/counts.ts';
import type { Access } from '../operations/access.ts';
import * as operations from '../operations/account-codes.ts';
import type { Io } from './command.ts';
import { createProgress } from './output.ts';

/** Allocates by account code, with a progress line. */
export async function allocateByAccountCode(
  io: Io,
  access: Access,
  actor: Actor,
): Promise<operations.AccountCodeOutcome> {
  const progress = createProgress(io);
  const outcome = await operations.allocateByAccountCode(access, actor, ({ allocated }) => {
    progress.show(`${count(allocated, 'transaction')} allocated`);
  });
  progress.end();
  return outcome;
}
