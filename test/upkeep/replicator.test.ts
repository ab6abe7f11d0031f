/**
 * A program that replicates the file, as Litestream does: another process with two tables of its
 * own in the file, a read transaction that it holds nearly always, and checkpoints that it makes
 * itself.
 */

import assert from 'node:assert/strict';
import { closeSync, copyFileSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Checkpoints, whenCheckpointed } from '../../src/database/checkpoints.ts';
import { type Db, openDatabase } from '../../src/database/database.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { createService } from '../../src/service.ts';
import { backUp, restoreBackup } from '../../src/upkeep/backups.ts';
import { checkDatabase } from '../../src/upkeep/check.ts';
import { folderFor, rows, Workshop } from '../store/workshop.ts';

const TABLES = ['_litestream_lock', '_litestream_seq'];

/** What Litestream does with a file. */
class Replicator {
  readonly db: Db;

  constructor(file: string) {
    const Driver = loadDriver();
    this.db = new Driver(file, { fileMustExist: true, timeout: 1000 });
    this.db.pragma('wal_autocheckpoint = 0');
    this.db.exec(
      `create table if not exists _litestream_seq (id integer primary key, seq integer);
       create table if not exists _litestream_lock (id integer);`,
    );
    this.write();
  }

  /** Begins the transaction that keeps others from starting the WAL again. */
  hold(): void {
    this.db.exec('begin');
    this.db.prepare('select count(1) from _litestream_seq').get();
  }

  release(): void {
    this.db.exec('rollback');
  }

  write(): void {
    this.db.exec(
      `insert into _litestream_seq (id, seq) values (1, 1)
       on conflict (id) do update set seq = seq + 1`,
    );
  }

  /** Copies the WAL into the file, and begins it again. */
  checkpoint(): void {
    assert.equal(this.db.pragma('wal_checkpoint(restart)', { simple: true }), 0);
    this.write();
  }
}

function openReplicator(t: TestContext, file: string): Replicator {
  const replicator = new Replicator(file);
  t.after(() => replicator.db.close());
  return replicator;
}

/** The salts of the WAL: other ones mean that it began again. */
function saltsOf(file: string): string {
  const salts = Buffer.alloc(8);
  const descriptor = openSync(`${file}-wal`, 'r');
  readSync(descriptor, salts, 0, salts.length, 16);
  closeSync(descriptor);
  return salts.toString('hex');
}

function tablesIn(db: Db): unknown[] {
  const text = "select name from sqlite_schema where name like '\\_%' escape '\\' order by name";
  return db.prepare(text).pluck().all();
}

function countIn(db: Db): unknown {
  return db.prepare('select count(*) from transactions').pluck().get();
}

function read<Result>(file: string, work: (db: Db) => Result): Result {
  const db = openDatabase({ file, create: false, busyTimeoutMs: 1000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

describe('a replicator', () => {
  it('keeps its place in the WAL while a thread of budgetd makes checkpoints', async (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    const shop = new Workshop(file);
    // The last write is too short for a checkpoint: a transaction holds what is still to be copied.
    const checkpoints = new Checkpoints(shop.db, file, { pages: 300 });
    const replicator = openReplicator(t, file);
    const pushMany = async (name: string) => {
      for (const batch of 'abcdefgh') {
        shop.push(rows(500, (at) => ({ externalId: `${name} ${batch} ${at}` })));
        await whenCheckpointed(shop.db);
      }
      // A write begins the WAL again, where it may.
      shop.pushOne({ externalId: name });
    };
    let salts = saltsOf(file);
    await pushMany('free');
    assert.notEqual(saltsOf(file), salts);
    for (const name of ['held', 'held again']) {
      replicator.hold();
      salts = saltsOf(file);
      await pushMany(name);
      assert.equal(saltsOf(file), salts);
      replicator.release();
      replicator.checkpoint();
      assert.notEqual(saltsOf(file), salts);
    }
    assert.equal(shop.db.pragma('journal_mode', { simple: true }), 'wal');
    await checkpoints.close();
    shop.db.close();
    assert.equal(countIn(replicator.db), 12_003);
  });

  it('can write at any time, because no one locks the file for long', async (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    const service = await createService({ database: file, create: true, exclusive: true });
    const { id } = service.organisations.create({ name: 'Well', baseCurrency: 'GBP' });
    const replicator = openReplicator(t, file);
    replicator.db.pragma('busy_timeout = 0');
    service.transactions.push(id, rows(5));
    replicator.write();
    service.transactions.push(
      id,
      rows(5, (at) => ({ externalId: `more ${at}` })),
    );
    await service.close();
    assert.deepEqual(tablesIn(replicator.db), TABLES);
  });

  it('leaves its tables in the file, which check, backup and restore-backup let be', (t) => {
    const folder = folderFor(t);
    const file = join(folder, 'budgetd.db');
    const shop = new Workshop(file);
    shop.push(rows(5));
    const replicator = openReplicator(t, file);
    replicator.hold();
    shop.push(rows(9));
    const copy = join(folder, 'copy.db');
    for (const checks of [checkDatabase(shop.db), backUp(file, copy).checks]) {
      assert.ok(checks.every(({ ok }) => ok));
    }
    shop.db.close();
    replicator.release();
    replicator.db.close();
    restoreBackup(copy, file);
    read(file, (db) => {
      assert.deepEqual(tablesIn(db), TABLES);
      assert.equal(countIn(db), 9);
    });
  });

  it('makes a copy that opens on another machine, without the -wal of the first', (t) => {
    const folder = folderFor(t);
    const file = join(folder, 'budgetd.db');
    const shop = new Workshop(file);
    t.after(() => shop.db.close());
    shop.push(rows(5));
    const replicator = openReplicator(t, file);
    replicator.checkpoint();
    const other = join(folder, 'other.db');
    copyFileSync(file, other);
    read(other, (db) => {
      assert.ok(checkDatabase(db).every(({ ok }) => ok));
      assert.equal(countIn(db), 5);
    });
  });
});
