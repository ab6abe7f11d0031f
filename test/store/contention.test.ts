import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { atomically, consistently, openDatabase } from '../../src/database/database.ts';
import { storageFailure } from '../../src/database/sqlite-errors.ts';
import { pageOfTransactions } from '../../src/store/transactions.ts';
import { folderFor, row, rows, Workshop } from './workshop.ts';

/** A workshop with a file, and a second connection to that file. */
function openTwice(test: TestContext) {
  const file = join(folderFor(test), 'budgetd.db');
  const shop = new Workshop(file);
  const other = openDatabase({ file, create: false, busyTimeoutMs: 20 });
  test.after(() => {
    shop.db.close();
    other.close();
  });
  return { shop, other };
}

function listAll(shop: Workshop) {
  return pageOfTransactions(shop, { filters: {}, order: 'date', limit: 2000 }).items;
}

/** The result of storageFailure for the error that `work` throws. */
function failureOf(work: () => unknown): Failure | undefined {
  try {
    work();
  } catch (error) {
    return storageFailure(error);
  }
  assert.fail('nothing was thrown');
}

describe('contract 3: a database locked by another process', () => {
  it('3 writing fails with Retry-After and stores nothing; reading works', (t) => {
    const { shop, other } = openTwice(t);
    shop.push([row()]);
    other.exec('begin immediate');
    const before = shop.everything();
    const failure = failureOf(() => shop.push(rows(500)));
    assert.equal(failure?.code, 'unavailable');
    assert.match(failure?.headers['Retry-After'] ?? '', /^[1-9]\d?$/);
    assert.doesNotMatch(failure?.message ?? '', /SQLITE|sqlite/);
    assert.equal(shop.everything(), before);
    assert.equal(listAll(shop).length, 1);
    other.exec('rollback');
    assert.equal(shop.push(rows(500)).meta.created, 499);
  });

  it('6 a batch becomes visible all at once, at its commit', (t) => {
    const { shop, other } = openTwice(t);
    const count = () => other.prepare('select count(*) from transactions').pluck().get();
    atomically(shop, () => {
      shop.push(rows(10));
      assert.equal(count(), 0);
    });
    assert.equal(count(), 10);
  });

  it('4 several consistent reads see one snapshot', (t) => {
    const { shop, other } = openTwice(t);
    shop.push([row()]);
    consistently(shop, () => {
      assert.equal(listAll(shop).length, 1);
      other.exec('update transactions set description = description');
      other.exec(`insert into organisations (name, currency, plan, created_at)
        values ('late', 'GBP', 'free', 0)`);
      const count = shop.db.prepare('select count(*) from organisations').pluck().get();
      assert.equal(count, 1);
    });
  });
});

describe('contract 3: a full disk', () => {
  it('3 writing fails with storage_full and stores nothing; it works again with space', (t) => {
    const { shop } = openTwice(t);
    const [a = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[a, 10_000]]);
    const pages = Number(shop.db.pragma('page_count', { simple: true }));
    shop.db.pragma(`max_page_count = ${pages + 3}`);
    const before = shop.everything();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const failure = failureOf(() =>
        shop.push(rows(500, () => ({ description: 'x'.repeat(900) }))),
      );
      assert.equal(failure?.code, 'storage_full');
      assert.doesNotMatch(failure?.message ?? '', /SQLITE|sqlite/);
      assert.equal(shop.db.inTransaction, false);
      assert.equal(shop.everything(), before);
    }
    assert.equal(listAll(shop).length, 1);
    shop.check();
    shop.db.pragma(`max_page_count = ${pages + 10_000}`);
    assert.equal(shop.push(rows(500)).meta.created, 499);
    shop.check();
  });

  it('3 allocations made before the disk was full are kept', (t) => {
    const { shop } = openTwice(t);
    const [a = 0] = shop.project();
    shop.push(rows(500, () => ({ accountCode: 'A' })));
    const pages = Number(shop.db.pragma('page_count', { simple: true }));
    shop.db.pragma(`max_page_count = ${pages}`);
    const failure = failureOf(() => {
      for (let id = 1; id <= 500; id += 1) shop.allocate(id, [[a, 10_000]]);
    });
    assert.equal(failure?.code, 'storage_full');
    shop.check();
  });
});

describe('contract 3: SQLite errors and their codes', () => {
  const cases: [code: string, wanted: string | undefined][] = [
    ['SQLITE_FULL', 'storage_full'],
    ['SQLITE_IOERR_WRITE', 'storage_full'],
    ['SQLITE_IOERR_FSYNC', 'storage_full'],
    ['SQLITE_IOERR_TRUNCATE', 'storage_full'],
    ['SQLITE_IOERR_SHMSIZE', 'storage_full'],
    ['SQLITE_BUSY', 'unavailable'],
    ['SQLITE_BUSY_SNAPSHOT', 'unavailable'],
    ['SQLITE_BUSY_RECOVERY', 'unavailable'],
    ['SQLITE_LOCKED', 'unavailable'],
    ['SQLITE_READONLY', 'unavailable'],
    ['SQLITE_CORRUPT', undefined],
    ['SQLITE_IOERR_READ', undefined],
    ['SQLITE_CONSTRAINT_UNIQUE', undefined],
    ['ENOSPC', undefined],
    ['unavailable', undefined],
  ];
  for (const [code, wanted] of cases) {
    it(`3 ${code} is ${wanted ?? 'a bug or a broken disk'}`, () => {
      const error = Object.assign(new Error('driver text'), { code });
      const failure = storageFailure(error);
      assert.equal(failure?.code, wanted);
      assert.doesNotMatch(failure?.message ?? '', /driver text/);
    });
  }

  it('3 any other error is not converted', () => {
    for (const thrown of [
      new Error('x'),
      'SQLITE_BUSY',
      null,
      undefined,
      { code: 'SQLITE_BUSY' },
    ]) {
      assert.equal(storageFailure(thrown), undefined);
    }
    assert.equal(storageFailure(Object.assign(new Error('x'), { code: 5 })), undefined);
    assert.equal(storageFailure(new Failure('not_found', 'x')), undefined);
  });
});
