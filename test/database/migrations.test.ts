import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/database/migrations.ts';
import { checkDatabase } from '../../src/upkeep/check.ts';
import { buildFixture, schemaOf } from '../store/fixture-file.ts';
import { dump, folderFor } from '../store/workshop.ts';

const open = (file: string) => openDatabase({ file, create: false, busyTimeoutMs: 20 });
const IN_MEMORY = { file: ':memory:', create: true, busyTimeoutMs: 20 };

/** Every schema version of a release, up to the one of today. */
const VERSIONS = Array.from({ length: SCHEMA_VERSION }, (_, at) => at + 1);

describe('migrations', () => {
  it('are one step for each version before the schema of today', () => {
    assert.equal(SCHEMA_VERSION, MIGRATIONS.length + 1);
    assert.equal(openDatabase(IN_MEMORY).pragma('user_version', { simple: true }), SCHEMA_VERSION);
  });

  for (const version of VERSIONS) {
    it(`have a fixture of version ${version}, with records in every table`, (t) => {
      const Driver = loadDriver();
      const db = new Driver(buildFixture(folderFor(t), version), { readonly: true });
      const empty = Object.entries(dump(db)).filter(([, records]) => records.length === 0);
      assert.deepEqual(empty, []);
      db.close();
    });

    it(`give version ${version} the schema of today, keep its records, and pass the check`, (t) => {
      const folder = folderFor(t);
      const file = buildFixture(folder, version);
      const Driver = loadDriver();
      const old = new Driver(file, { readonly: true });
      const before = dump(old);
      old.close();
      const db = open(file);
      assert.deepEqual(schemaOf(db), schemaOf(openDatabase(IN_MEMORY)));
      const after = dump(db);
      for (const [table, records] of Object.entries(before)) {
        assert.ok((after[table]?.length ?? 0) >= records.length, table);
      }
      assert.deepEqual(
        checkDatabase(db).filter(({ ok }) => !ok),
        [],
      );
      db.close();
      const again = open(file);
      assert.deepEqual(dump(again), after);
      again.close();
      if (version === SCHEMA_VERSION) assert.deepEqual(readdirSync(folder), ['old.db']);
    });
  }
});
