/**
 * The least that can store what the interface shows. Pushes are compared with programs on this
 * schema. It never follows `schema.sql`: a limit that grows with the program limits nothing.
 */

import { type Db, loadDriver } from '../src/database/driver.ts';

/**
 * The members of a transaction on the wire and the row as it was sent, which the contract keeps
 * (contract 6). The indexes are for externalId, date and updatedSince.
 */
export const LEAN_SCHEMA = `
create table transactions (
  id                    integer primary key,
  organisation_id       integer not null,
  provider              text    not null,
  external_id           text,
  date                  text    not null,
  description           text    not null,
  contact               text,
  account_code          text,
  amount_minor          integer not null,
  status                text    not null,
  allocated_minor       integer not null,
  review_previous_minor integer,
  review_changed_at     integer,
  created_at            integer not null,
  updated_at            integer not null,
  raw_data              text
) strict`;

/** Separate, because a file is filled faster without them. */
export const LEAN_INDEXES = `
create unique index transactions_by_external_id
  on transactions (organisation_id, provider, external_id);
create index transactions_by_date on transactions (organisation_id, date desc);
create index transactions_by_update on transactions (organisation_id, updated_at)`;

/** As durable as the service, with its checkpoints. */
const PRAGMAS = [
  'journal_mode = wal',
  'synchronous = full',
  'foreign_keys = on',
  'trusted_schema = off',
  'cell_size_check = on',
  'temp_store = memory',
  'wal_autocheckpoint = 4000',
  'journal_size_limit = 67108864',
];

/** Opens a lean file that exists. */
export function openLean(file: string): Db {
  const Driver = loadDriver();
  const db = new Driver(file, { fileMustExist: true, timeout: 10_000 });
  for (const pragma of PRAGMAS) db.pragma(pragma);
  return db;
}
