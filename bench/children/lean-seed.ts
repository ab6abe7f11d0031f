/**
 * Creates a lean file with the transactions of a seeded one: `lean-seed.js FILE SIZE`. Its keys are
 * those of the seed, which are read from standard input as JSON.
 */

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Db, loadDriver } from '../../src/database/driver.ts';
import { LEAN_INDEXES, LEAN_SCHEMA } from '../lean.ts';
import { removeDatabase } from '../seed.ts';
import { STORED_COLUMNS, storedValuesOf } from '../stored.ts';

const [, , file = '', sizeText = ''] = process.argv;

function fill(db: Db, size: number): void {
  const insert = db.prepare(
    `insert into transactions (${STORED_COLUMNS}, raw_data) values (${'?, '.repeat(15)}?)`,
  );
  for (let n = 1; n <= size; n += 1) {
    const { row, values } = storedValuesOf(n, size);
    insert.run(...values, JSON.stringify(row));
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
