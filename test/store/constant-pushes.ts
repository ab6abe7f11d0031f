/**
 * A process that pushes ten rows again and again until its parent ends it, and writes the number of
 * stored rows after each batch.
 */

import { openDatabase } from '../../src/store/database.ts';
import { listOrganisations } from '../../src/store/organisations.ts';
import { pushTransactions } from '../../src/store/push.ts';
import { rows } from './workshop.ts';

const [file = ''] = process.argv.slice(2);
const db = openDatabase({ file, create: false, busyTimeoutMs: 10_000 });
const [org] = listOrganisations(db);
if (org === undefined) throw new Error('no organisation');

let stored = 0;
function pushBatch(): void {
  const batch = rows(10).map((row, at) => ({ ...Object(row), externalId: `P-${stored + at}` }));
  const actor = { name: 'test', requestId: null, nowMs: Date.now() };
  if (org === undefined) return;
  pushTransactions(db, org, { rows: batch, provider: 'api', dryRun: false }, actor);
  stored += 10;
  process.stdout.write(`${stored}\n`);
  setTimeout(pushBatch, 5);
}
process.on('disconnect', () => process.exit(0));
pushBatch();
