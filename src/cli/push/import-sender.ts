/** The sender of `import`: rows go into the database of this machine. */

import type { Service } from '../../service.ts';
import { localSender } from './local-sender.ts';
import type { Sender } from './runner.ts';

/** Stores each batch in one step, durably, before it is answered. */
export function importSender(service: Service, organisationId: string): Sender {
  return localSender((rows, dryRun) =>
    service.transactions.import(organisationId, rows, { dryRun }),
  );
}
