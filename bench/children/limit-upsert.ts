/** The loop that pushes are compared with: it upserts each row and commits each batch. */

import type { Db } from '../../src/store/database.ts';
import type { Row } from '../rows.ts';

/** The values of a batch. */
type BoundBatch = readonly (readonly (string | number)[])[];

/** The loop in two parts: only `run` is measured. */
export interface Upsert {
  /** Turns rows into values: amounts in minor units, raw data as text. Skips rejected rows. */
  prepare(rows: readonly Row[]): BoundBatch;
  run(batch: BoundBatch): void;
}

export function prepareUpsert(db: Db): Upsert {
  const statement = db.prepare(
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
  const runBatch = db.transaction((batch: BoundBatch) => {
    for (const values of batch) statement.run(values);
  });
  return {
    prepare: (rows) => {
      const nowMs = Date.now();
      return rows
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
    },
    run: (batch) => runBatch.immediate(batch),
  };
}
