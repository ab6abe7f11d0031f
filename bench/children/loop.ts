/**
 * The lean loop that pushes are compared with, in one process without HTTP: `loop.js FILE`. It
 * upserts the rows of a lean file and commits each batch.
 */

import { type BatchRequest, batchOf } from '../batches.ts';
import { openLean } from '../lean.ts';
import { answerUntilStopped, measureWork } from './answering.ts';

const [, , file = ''] = process.argv;
const db = openLean(file);
const upsert = db.prepare(
  `insert into transactions
     (organisation_id, provider, external_id, date, description, contact, account_code,
      amount_minor, status, allocated_minor, created_at, updated_at, raw_data)
   values (1, 'api', ?, ?, ?, ?, ?, ?, 'unallocated', 0, ?, ?, ?)
   on conflict (organisation_id, provider, external_id) do update
     set date = excluded.date, description = excluded.description, contact = excluded.contact,
         account_code = excluded.account_code, amount_minor = excluded.amount_minor,
         updated_at = excluded.updated_at, raw_data = excluded.raw_data,
         status = iif(allocated_minor = 0, status, 'needs_review'),
         review_previous_minor = iif(allocated_minor = 0, null, amount_minor),
         review_changed_at = iif(allocated_minor = 0, null, excluded.updated_at)`,
);
const upsertAll = db.transaction((batch: readonly (readonly (string | number)[])[]) => {
  for (const values of batch) upsert.run(values);
});

/** The values of a batch, with amounts in minor units. Skips rejected rows. */
function valuesOf(request: BatchRequest): (string | number)[][] {
  const nowMs = Date.now();
  return batchOf(request)
    .map((row) => ({ row, minor: Math.round(row.amount * 1000) / 10 }))
    .filter(({ minor }) => Number.isInteger(minor))
    .map(({ row, minor }) => [
      row.externalId,
      row.date,
      row.description,
      row.contact,
      row.accountCode,
      minor,
      nowMs,
      nowMs,
      JSON.stringify(row),
    ]);
}

answerUntilStopped(
  {
    /** Upserts batches, each in one transaction. Building the values is not measured. */
    push: (requests: readonly BatchRequest[]) => {
      const batches = requests.map(valuesOf);
      return measureWork(() => {
        for (const batch of batches) upsertAll.immediate(batch);
      });
    },
  },
  () => db.close(),
);
