import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listAudit, listHistory } from '../../src/store/audit.ts';
import { checkDatabase } from '../../src/store/check.ts';
import { openDatabase } from '../../src/store/database.ts';
import { loadDriver } from '../../src/store/driver.ts';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/store/migrations.ts';
import { listOrganisations } from '../../src/store/organisations.ts';
import { pushTransactions } from '../../src/store/push.ts';
import { buildFixture, schemaOf } from './fixture-file.ts';
import { dump, folderFor, refusal, row } from './workshop.ts';

/** Each older version, with its last stamp and the history of `txn_1` in its first organisation. */
const OLDER = [
  {
    version: 1,
    lastMs: Date.UTC(2026, 0, 31, 12, 0, 4),
    history: ['transaction.allocated', 'transactions.pushed'],
    obstacle: 'create table audit_log_by_subject (taken integer)',
    problem: /audit_log_by_subject/,
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
    obstacle: 'create table transactions_set_aside (taken integer)',
    problem: /transactions_set_aside/,
  },
  {
    version: 3,
    lastMs: Date.UTC(2026, 0, 31, 12, 0, 11),
    history: [
      'transactions.pushed',
      'transaction.allocated',
      'transactions.pushed',
      'transactions.pushed',
    ],
    obstacle: 'alter table transactions add column row_hash integer',
    problem: /duplicate column name: row_hash/,
  },
  {
    version: 4,
    lastMs: Date.UTC(2026, 0, 31, 12, 0, 11),
    history: [
      'transactions.pushed',
      'transaction.allocated',
      'transactions.pushed',
      'transactions.pushed',
    ],
    obstacle: 'create table memberships (taken integer)',
    problem: /memberships/,
  },
  {
    version: 6,
    lastMs: Date.UTC(2026, 0, 31, 12, 0, 12),
    history: [
      'transactions.pushed',
      'transaction.allocated',
      'transactions.pushed',
      'transactions.pushed',
    ],
    obstacle: 'create table invitations (taken integer)',
    problem: /invitations/,
  },
] as const;

const open = (file: string) => openDatabase({ file, create: false, busyTimeoutMs: 20 });

for (const { version, lastMs, history, obstacle, problem } of OLDER) {
  describe(`a database of schema version ${version}`, () => {
    it('gets the schema of a new database when it is opened', (t) => {
      const [db, fresh] = [open(buildFixture(folderFor(t), version)), openDatabase(IN_MEMORY)];
      assert.equal(db.pragma('user_version', { simple: true }), SCHEMA_VERSION);
      assert.deepEqual(schemaOf(db), schemaOf(fresh));
      db.close();
    });

    it('keeps every record, passes the check, and reopens unchanged', (t) => {
      const file = buildFixture(folderFor(t), version);
      const Driver = loadDriver();
      const old = new Driver(file, { readonly: true });
      const before = dump(old);
      old.close();
      const db = open(file);
      const after = dump(db);
      for (const [table, records] of Object.entries(before)) {
        // Version 7 ends links: nobody can say who made them.
        if (table === 'sqlite_sequence' || table === 'one_time_links') continue;
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
      const db = open(buildFixture(folderFor(t), version));
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
      const file = buildFixture(folderFor(t), version);
      const [one, two] = [open(file), open(file)];
      assert.equal(
        listAudit(two, listOrganisations(two)[0]?.id ?? assert.fail(), lastMs + 1).length,
        SCHEMA_VERSION - version,
      );
      one.close();
      two.close();
    });

    it('is unchanged when the upgrade fails', (t) => {
      const file = buildFixture(folderFor(t), version);
      const Driver = loadDriver();
      const other = new Driver(file);
      other.exec(obstacle);
      const before = dump(other);
      assert.throws(() => open(file), problem);
      assert.equal(other.pragma('user_version', { simple: true }), version);
      assert.deepEqual(dump(other), before);
      other.close();
    });

    it('is not upgraded while another process writes to it', (t) => {
      const file = buildFixture(folderFor(t), version);
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
      const file = buildFixture(folder, version);
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

/** Columns that an upgrade changes: the stamp, and what has moved to another table. */
const CHANGED = ['last_write_at', 'last_sign_in_at'];

/** Asserts that a record still has each of its columns, except those that an upgrade changes. */
function assertKept(record: unknown, after: unknown): void {
  const [before, kept] = [Object(record), Object(after)];
  for (const column of Object.keys(before)) {
    if (!CHANGED.includes(column)) assert.deepEqual(kept[column], before[column], column);
  }
}

const IN_MEMORY = { file: ':memory:', create: true, busyTimeoutMs: 20 };

describe('a database of schema version 6', () => {
  it('knows the last sign-in where it led to, and no older link works', (t) => {
    const file = buildFixture(folderFor(t), 6);
    const Driver = loadDriver();
    const old = new Driver(file);
    old.exec(`update users set last_sign_in_at = 77;
      insert into memberships select id, (select id from users), 'member' from organisations
       where id > 1`);
    old.close();
    const db = open(file);
    const text = 'select created_at is not null, last_sign_in_at from memberships order by 1, 2';
    const found = db.prepare<[], unknown[]>(text).raw().all();
    assert.deepEqual(found, [
      [1, null],
      [1, 77],
    ]);
    assert.equal(db.prepare('select count(*) from one_time_links').pluck().get(), 0);
    db.close();
  });
});

describe('migrations', () => {
  it('have a fixture of the current schema, which opens as it is', (t) => {
    const folder = folderFor(t);
    const db = open(buildFixture(folder, SCHEMA_VERSION));
    assert.deepEqual(schemaOf(db), schemaOf(openDatabase(IN_MEMORY)));
    assert.deepEqual(
      checkDatabase(db).filter(({ ok }) => !ok),
      [],
    );
    db.close();
    assert.deepEqual(readdirSync(folder), ['old.db']);
  });

  it('have a fixture for each version, with records in every table', (t) => {
    const Driver = loadDriver();
    for (let version = 1; version <= SCHEMA_VERSION; version += 1) {
      const db = new Driver(buildFixture(folderFor(t), version), { readonly: true });
      const empty = Object.entries(dump(db)).filter(([, records]) => records.length === 0);
      assert.deepEqual(empty, [], `version ${version}`);
      db.close();
    }
  });

  it('have one step for each earlier version', () => {
    assert.equal(SCHEMA_VERSION, MIGRATIONS.length + 1);
    assert.equal(openDatabase(IN_MEMORY).pragma('user_version', { simple: true }), SCHEMA_VERSION);
  });
});
