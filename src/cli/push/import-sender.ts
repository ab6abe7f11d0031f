/** The sender for `import`: writes rows to the local database. */

import type { Service } from '../../service.ts';
import { localSender } from './local-sender.ts';
import type { Sender } from './runner.ts';

/** Stores each batch atomically and durably before it answers. */
export function importSender(service: Service, organisationId: string): Sender {
  return localSender((rows, dryRun) =>
    service.transactions.import(organisationId, rows, { dryRun }),
  );
}
