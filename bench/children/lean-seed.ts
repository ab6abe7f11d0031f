/**
 * Creates a lean file with the transactions of a seeded one: `lean-seed.js FILE SIZE`. Its keys are
 * those of the seed, which are read from standard input as JSON.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Db, loadDriver } from '../../src/store/driver.ts';
import { LEAN_INDEXES, LEAN_SCHEMA } from '../lean.ts';
import { amountMinorOf, rowOf, seededDateOf } from '../rows.ts';
import { removeDatabase } from '../seed.ts';
import { allocatedMinorOf, providerOf, STATUS_OF, stampsOf, stateOf } from '../stored.ts';

const [, , file = '', sizeText = ''] = process.argv;

function fill(db: Db, size: number): void {
  const insert = db.prepare(
    `insert into transactions
       (id, organisation_id, provider, external_id, date, description, contact, account_code,
        amount_minor, status, allocated_minor, review_previous_minor, review_changed_at,
        created_at, updated_at, raw_data)
     values (?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  for (let n = 1; n <= size; n += 1) {
    const row = rowOf(n, seededDateOf(n, size));
    const [amount, provider, state] = [amountMinorOf(n, 0), providerOf(n), stateOf(n)];
    const { created, updated } = stampsOf(n, size);
    const isReview = state === 'review';
    insert.run(
      n,
      provider,
      provider === 'manual' ? null : row.externalId,
      row.date,
      row.description,
      row.contact,
      row.accountCode,
      amount,
      STATUS_OF[state],
      allocatedMinorOf(n),
      isReview ? amount + 7 : null,
      isReview ? updated : null,
      created,
      updated,
      JSON.stringify(row),
    );
  }
}

function insertKeys(db: Db, keys: readonly string[]): void {
  const insert = db.prepare('insert into api_keys values (?, 1)');
  for (const key of keys) insert.run(createHash('sha256').update(key).digest());
}

removeDatabase(file);
const Driver = loadDriver();
const db = new Driver(file);
db.pragma('synchronous = off');
db.exec(LEAN_SCHEMA);
// Only the service on Fastify has keys.
db.exec(
  `create table api_keys (hash blob primary key, organisation_id integer not null)
     strict, without rowid`,
);
db.transaction(() => {
  insertKeys(db, JSON.parse(readFileSync(0, 'utf8')) as string[]);
  fill(db, Number(sizeText));
  db.exec(LEAN_INDEXES);
})();
db.pragma('journal_mode = wal');
db.close();
