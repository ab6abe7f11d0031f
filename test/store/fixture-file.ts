/** Files of every released schema version, from the texts in `fixtures`, and a step to upgrade. */

import { join } from 'node:path';
import { type Db, loadDriver } from '../../src/database/driver.ts';
import type { Migration } from '../../src/database/migrations.ts';
import { readText } from '../repository.ts';

/** A step that changes a table and needs records, for tests of upgrades. */
export const STEP: Migration = (db, onProgress) => {
  db.exec('alter table transactions add column upgraded integer');
  const all = db.prepare<[], number>('select id from transactions').pluck().all();
  const update = db.prepare<[number]>('update transactions set upgraded = id where id = ?');
  for (const id of all) update.run(id);
  onProgress(`${all.length} transactions`);
};

/** Writes a file of a schema version into a folder, and returns its path. */
export function buildFixture(folder: string, version = 1): string {
  const file = join(folder, 'old.db');
  const Driver = loadDriver();
  const db = new Driver(file);
  db.exec(readText(`test/store/fixtures/version-${version}.sql`));
  db.close();
  return file;
}

/** The schema in lower case, without comments and extra spaces. */
export function schemaOf(db: Db): Record<string, string> {
  const text = `select name, sql from sqlite_schema where sql is not null order by name`;
  const found = db.prepare<[], { name: string; sql: string }>(text).all();
  return Object.fromEntries(
    found.map(({ name, sql }) => {
      const plain = sql.replaceAll(/--[^\n]*/g, ' ').replaceAll(/\s+/g, ' ');
      return [name, plain.replaceAll(/ ?([(),]) ?/g, '$1').toLowerCase()];
    }),
  );
}
