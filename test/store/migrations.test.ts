import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listAudit, listHistory } from '../../src/store/audit.ts';
import { checkDatabase } from '../../src/store/check.ts';
import { type Db, openDatabase } from '../../src/store/database.ts';
import { loadDriver } from '../../src/store/driver.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/store/migrations.ts';
import { listOrganisations } from '../../src/store/organisations.ts';
import { pushTransactions } from '../../src/store/push.ts';
import { readText } from '../repository.ts';
import { dump, folderFor, refusal, row } from './workshop.ts';

/** Each older version, with its last stamp and the history of `txn_1` in its first organisation. */
const OLDER = [
  {
    version: 1,
    lastMs: Date.UTC(2026, 0, 31, 12, 0, 4),
    history: ['transaction.allocated', 'transactions.pushed'],
    taken: 'audit_log_by_subject',
  },
  {
    version: 2,
    lastMs: Date.UTC(2026, 0, 31, 12, 0, 6),
    history: [
      'transactions.pushed',
      'transaction.allocated',
      'transactions.pushed',
      'transactions.pushed',
    ],
    taken: 'transactions_set_aside',
  },
  {
    version: 3,
    lastMs: Date.UTC(2026, 0, 31, 12, 0, 10) + 1,
    history: [
      'transactions.pushed',
      'transaction.allocated',
      'transactions.pushed',
      'transactions.pushed',
    ],
    taken: 'memberships',
  },
] as const;

/** A closed file of an older schema version. */
function buildOld(folder: string, version = 1): string {
  const file = join(folder, 'old.db');
  const Driver = loadDriver();
  const db = new Driver(file);
  db.exec(readText(`test/store/fixtures/version-${version}.sql`));
  db.close();
  return file;
}

const open = (file: string) => openDatabase({ file, create: false, busyTimeoutMs: 20 });

/** The schema in lower case, without comments and extra spaces. */
function schemaOf(db: Db): Record<string, string> {
  const text = `select name, sql from sqlite_schema where sql is not null order by name`;
  const found = db.prepare<[], { name: string; sql: string }>(text).all();
  return Object.fromEntries(
    found.map(({ name, sql }) => {
      const plain = sql.replaceAll(/--[^\n]*/g, ' ').replaceAll(/\s+/g, ' ');
      return [name, plain.replaceAll(/ ?([(),]) ?/g, '$1').toLowerCase()];
    }),
  );
}

for (const { version, lastMs, history, taken } of OLDER) {
  describe(`a database of schema version ${version}`, () => {
    it('gets the schema of a new database when it is opened', (t) => {
      const [db, fresh] = [open(buildOld(folderFor(t), version)), openDatabase(IN_MEMORY)];
      assert.equal(db.pragma('user_version', { simple: true }), SCHEMA_VERSION);
      assert.deepEqual(schemaOf(db), schemaOf(fresh));
      db.close();
    });

    it('keeps every record, passes the check, and reopens unchanged', (t) => {
      const file = buildOld(folderFor(t), version);
      const Driver = loadDriver();
      const old = new Driver(file, { readonly: true });
      const before = dump(old);
      old.close();
      const db = open(file);
      const after = dump(db);
      for (const [table, records] of Object.entries(before)) {
        if (table === 'sqlite_sequence') continue;
        for (const [at, record] of records.entries()) assertKept(record, after[table]?.[at]);
      }
      assert.deepEqual(
        checkDatabase(db).filter(({ ok }) => !ok),
        [],
      );
      db.close();
      const again = open(file);
      assert.deepEqual(dump(again), after);
      again.close();
    });

    it('logs the upgrade, with a stamp later than any other', (t) => {
      const db = open(buildOld(folderFor(t), version));
      const [org, theirs] = listOrganisations(db);
      assert.ok(org && theirs);
      const upgraded = listAudit(db, org.id, lastMs + 1);
      assert.deepEqual(
        upgraded.map(({ action, actor, details }) => [action, actor, details]),
        Array.from({ length: SCHEMA_VERSION - version }, (_, step) => {
          const from = version + step;
          return ['database.upgraded', 'budgetd', { from, to: from + 1, changes: [] }];
        }),
      );
      const actor = { name: 'test', requestId: null, nowMs: 0 };
      const batch = { rows: [row({ amount: 7 })], provider: 'api', dryRun: false } as const;
      pushTransactions(db, org, batch, actor);
      const [entry] = listAudit(db, org.id, (upgraded.at(-1)?.atMs ?? 0) + 1);
      assert.equal(entry?.details.changes[0]?.before?.['amountMinor'], 12_000);
      assert.deepEqual(
        listHistory(db, org.id, 'txn_0000000001').map(({ action }) => action),
        history,
      );
      assert.deepEqual(
        checkDatabase(db).filter(({ ok }) => !ok),
        [],
      );
      db.close();
    });

    it('is upgraded only once when two processes open it', (t) => {
      const file = buildOld(folderFor(t), version);
      const [one, two] = [open(file), open(file)];
      assert.equal(
        listAudit(two, listOrganisations(two)[0]?.id ?? assert.fail(), lastMs + 1).length,
        SCHEMA_VERSION - version,
      );
      one.close();
      two.close();
    });

    it('is unchanged when the upgrade fails', (t) => {
      const file = buildOld(folderFor(t), version);
      const Driver = loadDriver();
      const other = new Driver(file);
      other.exec(`create table ${taken} (taken integer)`);
      const before = dump(other);
      assert.throws(() => open(file), new RegExp(taken));
      assert.equal(other.pragma('user_version', { simple: true }), version);
      assert.deepEqual(dump(other), before);
      other.close();
    });

    it('is not upgraded while another process writes to it', (t) => {
      const file = buildOld(folderFor(t), version);
      const Driver = loadDriver();
      const other = new Driver(file);
      other.exec('begin immediate');
      assert.throws(() => open(file), refusal('unavailable'));
      other.exec('rollback');
      other.close();
      open(file).close();
    });

    it('is upgraded when its records are still in a WAL', (t) => {
      const folder = folderFor(t);
      const file = buildOld(folder, version);
      const Driver = loadDriver();
      const killed = new Driver(file);
      killed.pragma('journal_mode = wal');
      killed.exec(`update transactions set description = 'Late' where id = 1`);
      for (const suffix of ['', '-wal']) {
        writeFileSync(join(folder, `left.db${suffix}`), readFileSync(file + suffix));
      }
      killed.close();
      const db = open(join(folder, 'left.db'));
      const text = 'select description from transactions where id = 1';
      assert.equal(db.prepare(text).pluck().get(), 'Late');
      assert.equal(db.pragma('user_version', { simple: true }), SCHEMA_VERSION);
      db.close();
    });
  });
}

/** Asserts that a record still has each of its columns, except the stamp of the upgrade. */
function assertKept(record: unknown, after: unknown): void {
  const [before, kept] = [Object(record), Object(after)];
  for (const column of Object.keys(before)) {
    if (column !== 'last_write_at') assert.deepEqual(kept[column], before[column], column);
  }
}

const IN_MEMORY = { file: ':memory:', create: true, busyTimeoutMs: 20 };

describe('migrations', () => {
  it('have one step for each earlier version', () => {
    assert.equal(SCHEMA_VERSION, MIGRATIONS.length + 1);
    assert.equal(openDatabase(IN_MEMORY).pragma('user_version', { simple: true }), SCHEMA_VERSION);
  });
});
