import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { checkDatabase } from '../../src/store/check.ts';
import { openDatabase } from '../../src/store/database.ts';
import { folderFor, row, rows, Workshop } from './workshop.ts';

const FILE = 'the file is whole';
const REFERENCES = 'every reference leads somewhere';
const SUMS = 'each allocated sum is that of the allocations';
const STATUS = 'each status is what the facts say';
const EXCEEDS = 'no allocation exceeds its transaction, but under review';
const FOLLOWS = 'allocations follow their transactions';
const REPORTS = 'the sums behind reports add up';
const REVIEWS = 'what is under review adds up';
const STAMPS = 'no stamp is later than the last write';
const AUDIT = 'the audit log has the last change of each transaction';

/** Two transactions, the first wholly allocated, the second not at all. */
function openShop(): Workshop {
  const shop = new Workshop();
  const [a = 0] = shop.project();
  shop.allocate(shop.pushOne({}), [[a, 10_000]]);
  shop.pushOne({ externalId: 'INV-2' });
  return shop;
}

const broken = (shop: Workshop) => {
  return checkDatabase(shop.db)
    .filter(({ ok }) => !ok)
    .map(({ name }) => name);
};

describe('contract 8: check finds what is wrong', () => {
  it('8 nothing in a database that only budgetd wrote', () => {
    const shop = openShop();
    const results = checkDatabase(shop.db);
    assert.deepEqual(
      results.map(({ name }) => name),
      [FILE, REFERENCES, SUMS, STATUS, EXCEEDS, FOLLOWS, REPORTS, REVIEWS, STAMPS, AUDIT],
    );
    assert.ok(results.every(({ ok, found }) => ok && found === 0));
    shop.push([row({ amount: 50 }), row({ externalId: 'INV-2', amount: 0 })]);
    assert.deepEqual(broken(shop), []);
  });

  const cases: [what: string, text: string, wanted: string[]][] = [
    [
      'a sum that is not that of the allocations',
      'update transactions set allocated_minor = 9000 where id = 1',
      [SUMS, STATUS],
    ],
    [
      'a sum without allocations',
      'update transactions set allocated_minor = 1 where id = 2',
      [SUMS, STATUS],
    ],
    ['a status', `update transactions set status = 'allocated' where id = 2`, [STATUS]],
    [
      'an exclusion without its status',
      'update transactions set excluded_at = 1 where id = 2',
      [STATUS],
    ],
    [
      'more allocated than there is, and no review',
      `update transactions set amount_minor = 9999, status = 'partially_allocated' where id = 1`,
      [EXCEEDS],
    ],
    [
      'the other sign',
      `update transactions set amount_minor = -20000, status = 'partially_allocated' where id = 1`,
      [EXCEEDS],
    ],
    ['the date of an allocation', `update allocations set date = '2026-02-01'`, [FOLLOWS]],
    ['its mark of a review', 'update allocations set under_review = 1', [FOLLOWS]],
    ['a sum of a report', 'update actuals set inside_minor = inside_minor + 1', [REPORTS]],
    ['one outside', 'update actuals set outside_minor = 1', [REPORTS]],
    ['a sum that is missing', 'delete from actuals', [REPORTS]],
    ['a sum of nothing', `insert into actuals values (1, 1, 2, '2026-05', 1, 0)`, [REPORTS]],
    ['a count of reviews', 'insert into reviews values (1, 1, 1, 0)', [REVIEWS]],
    ['an amount under review', 'insert into reviews values (1, 1, 0, 1)', [REVIEWS]],
    ['a last write before a stamp', 'update organisations set last_write_at = 1', [STAMPS]],
    ['a change that is not recorded', 'update transactions set updated_at = 5', [AUDIT]],
    [
      'a stamp of another change',
      'update transactions set updated_at = (select updated_at from transactions where id = 2)',
      [AUDIT],
    ],
    ['a stamp of the future', 'update transactions set updated_at = 9e12', [STAMPS, AUDIT]],
    ['a line that is gone', 'delete from budget_lines where id = 1', [REFERENCES]],
  ];
  for (const [what, text, wanted] of cases) {
    it(`8 ${what}`, () => {
      const shop = openShop();
      shop.db.pragma('foreign_keys = off');
      shop.db.exec(text);
      assert.deepEqual(broken(shop), wanted);
    });
  }

  it('8 the count is of all, the examples are a few', () => {
    const shop = new Workshop();
    shop.push(rows(40));
    shop.db.exec(`update transactions set status = 'allocated'`);
    const result = checkDatabase(shop.db).find(({ name }) => name === STATUS);
    assert.equal(result?.found, 40);
    assert.deepEqual(result?.examples.slice(0, 2), ['transaction 1', 'transaction 2']);
    assert.ok((result?.examples.length ?? 0) < 10);
  });

  it('8 damage inside the file is found, and the other rules are still checked', (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    const shop = new Workshop(file);
    shop.push(rows(200));
    const text = `select rootpage from sqlite_master where name = 'transactions'`;
    const page = Number(shop.db.prepare(text).pluck().get());
    shop.db.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, (page - 1) * 4096, (page - 1) * 4096 + 100);
    writeFileSync(file, bytes);
    const db = openDatabase({ file, create: false, busyTimeoutMs: 20 });
    const results = checkDatabase(db);
    db.close();
    assert.equal(results.length, 10);
    const wrong = results.filter(({ ok }) => !ok).map(({ name }) => name);
    assert.ok(wrong.includes(FILE) && wrong.includes(STATUS), String(wrong));
    assert.ok(
      results.every(({ ok, found, examples }) => ok === (found === 0 && examples.length === 0)),
    );
  });

  it('8 what is no damage is thrown, not reported', () => {
    const shop = openShop();
    shop.db.exec('drop view allocation_weights');
    assert.throws(() => checkDatabase(shop.db), /no such table: main.allocation_weights|no such/);
  });
});
