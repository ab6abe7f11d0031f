/** The sender for `import`: writes rows to the local database. */

import type { Actor } from '../../core/audit.ts';
import type { Access } from '../../operations/access.ts';
import { pushTransactions } from '../../operations/transactions.ts';
import { localSender } from './local-sender.ts';
import type { Sender } from './runner.ts';

/** Stores each batch atomically and durably before it answers. */
export function importSender(access: Access, actor: () => Actor): Sender {
  return localSender((rows, dryRun) => {
    const batch = { rows, provider: 'csv', dryRun } as const;
    const { results: data, meta } = pushTransactions(access, batch, actor());
    return { data, meta };
  });
}
