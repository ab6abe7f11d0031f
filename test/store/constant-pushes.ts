/**
 * A process that pushes ten rows again and again until its parent ends it, and writes the number of
 * each batch when it is stored. The rows are the same again after a hundred batches, so that the
 * database stays small; their description is the number of the batch.
 */

import { openDatabase } from '../../src/database/database.ts';
import { listOrganisations } from '../../src/store/organisations.ts';
import { storeBatch } from '../../src/store/push.ts';
import { rows } from './workshop.ts';

const [file = ''] = process.argv.slice(2);
const db = openDatabase({ file, create: false, busyTimeoutMs: 10_000 });
const [org] = listOrganisations({ db });
if (org === undefined) throw new Error('no organisation');

const BATCHES = 100;

let number = 0;
function pushBatch(): void {
  number += 1;
  const batch = rows(10, (index) => ({
    externalId: `P-${number % BATCHES}-${index}`,
    description: String(number),
  }));
  const actor = { name: 'test', requestId: null, nowMs: Date.now() };
  if (org === undefined) return;
  storeBatch({ db, organisation: org }, { rows: batch, provider: 'api', dryRun: false }, actor);
  process.stdout.write(`${number}\n`);
  setTimeout(pushBatch, 5);
}
process.on('disconnect', () => process.exit(0));
pushBatch();
