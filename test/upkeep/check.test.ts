import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import { checkDatabase } from '../../src/upkeep/check.ts';
import { UNCHANGED } from '../../src/upkeep/rules.ts';
import { compareSchema } from '../../src/upkeep/schema-rules.ts';
import { folderFor, row, rows, Workshop } from '../store/workshop.ts';
import { flipBits } from './flipped-bits.ts';

const FILE = 'the file is intact';
const REFERENCES = 'every reference points to a record';
const SCHEMA = 'the file has the tables of this version';
const KEPT = 'kept totals equal the sums of transactions';
const RULED = 'the transactions of each rule are counted';
const SUMS = 'each allocated total equals the sum of its allocations';
const STATUS = 'each status matches its transaction';
const EXCEEDS = 'no allocation exceeds its transaction, except under review';
const FOLLOWS = 'allocations match their transactions';
const REPORTS = 'report totals equal the sums of allocations';
const REVIEWS = 'review totals equal the sums of allocations under review';
const UNALLOCATED = 'what is not allocated is the sum of the transactions of each day';
const FIGURES = 'the figures of each statement are the sums of its items';
const ISSUED = 'each issued statement is as it was issued';
const STAMPS = 'the last write is the latest change';
const ROLE = 'each user has a role in an organisation';
const AUDIT = 'the audit log records the last change of each transaction';
const READABLE = 'each entry of the audit log can be read';
const RAW = 'raw data is JSON, or a layout that fits its transaction';

/** An owner. */
const USER = `insert into users (email, email_folded, password, created_at)
    values ('a@b.org', 'a@b.org', '', 1);
  insert into memberships values (1, 1, 'owner', 1, null, 0);`;

/** Two transactions: the first fully allocated, the second unallocated. */
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

describe('contract 8: check finds', () => {
  it('8 nothing in a database that only budgetd wrote', () => {
    const shop = openShop();
    const results = checkDatabase(shop.db);
    assert.deepEqual(
      results.map(({ name }) => name),
      [
        FILE,
        REFERENCES,
        SCHEMA,
        UNCHANGED,
        KEPT,
        RULED,
        SUMS,
        STATUS,
        EXCEEDS,
        FOLLOWS,
        REPORTS,
        REVIEWS,
        UNALLOCATED,
        FIGURES,
        ISSUED,
        STAMPS,
        ROLE,
        AUDIT,
        READABLE,
        RAW,
      ],
    );
    assert.ok(results.every(({ ok, found }) => ok && found === 0));
    shop.push([row({ amount: 50 }), row({ externalId: 'INV-2', amount: 0 })]);
    assert.deepEqual(broken(shop), []);
  });

  const cases: [what: string, text: string, wanted: string[]][] = [
    ['an allocation of a rule that is not counted', `update allocations set rule = 'x'`, [RULED]],
    ['a sum of rules without allocations', 'insert into ruled values (1, 2, 1, 5)', [RULED]],
    [
      'a total that differs from the allocations',
      'update transactions set allocated_minor = 9000 where id = 1',
      [KEPT, SUMS, STATUS],
    ],
    [
      'another sum of what is not allocated on a day',
      'update unallocated set in_minor = 1',
      [UNALLOCATED],
    ],
    [
      'a sum of what is not allocated on a day without transactions',
      "insert into unallocated values (1, '2026-05-05', 'X', 1, 1, 0)",
      [UNALLOCATED],
    ],
    [
      'a total without allocations',
      'update transactions set allocated_minor = 1 where id = 2',
      [KEPT, SUMS, STATUS, UNALLOCATED],
    ],
    [
      'a wrong status',
      `update transactions set status = 'allocated' where id = 2`,
      [KEPT, STATUS, UNALLOCATED],
    ],
    [
      'an exclusion without the status',
      'update transactions set excluded_at = 1 where id = 2',
      [STATUS],
    ],
    [
      'more allocated than the amount, and no review',
      `update transactions set amount_minor = 9999, status = 'partially_allocated' where id = 1`,
      [KEPT, EXCEEDS, UNALLOCATED],
    ],
    [
      'an allocation with the wrong sign',
      `update transactions set amount_minor = -20000, status = 'partially_allocated' where id = 1`,
      [KEPT, EXCEEDS, UNALLOCATED],
    ],
    ['a wrong date of an allocation', `update allocations set date = '2026-02-01'`, [FOLLOWS]],
    [
      'an allocation under review without its transaction',
      'update allocations set under_review = 1',
      [FOLLOWS, REVIEWS],
    ],
    ['a wrong kept total', 'update transaction_totals set zeroes = zeroes + 1', [KEPT]],
    [
      'a kept total too many',
      `insert into transaction_totals values (1, 'x', 1, 0, 1, 0, 0)`,
      [KEPT],
    ],
    ['a missing kept total', 'delete from transaction_totals', [KEPT]],
    ['a wrong total of a report', 'update actuals set inside_minor = inside_minor + 1', [REPORTS]],
    ['a wrong total outside the project', 'update actuals set outside_minor = 1', [REPORTS]],
    ['a missing total', 'delete from actuals', [REPORTS]],
    [
      'a total of a report without allocations',
      `insert into actuals values (1, 1, 2, '2026-05', 1, 0)`,
      [REPORTS],
    ],
    ['a wrong count of reviews', 'insert into reviews values (1, 1, 1, 0)', [REVIEWS]],
    ['a wrong amount under review', 'insert into reviews values (1, 1, 0, 1)', [REVIEWS]],
    ['a last write earlier than a stamp', 'update organisations set last_write_at = 1', [STAMPS]],
    [
      'a change that is not in the audit log',
      'update transactions set updated_at = 5',
      [FOLLOWS, AUDIT],
    ],
    [
      'the stamp of another change',
      'update transactions set updated_at = (select updated_at from transactions where id = 2)',
      [AUDIT],
    ],
    ['a stamp in the future', 'update transactions set updated_at = 9e12', [STAMPS, AUDIT]],
    ['raw data that is not a layout', `update transactions set raw_data = 'idtmx'`, [RAW]],
    ['empty raw data', `update transactions set raw_data = ''`, [RAW]],
    ['a layout with a member twice', `update transactions set raw_data = 'idtmi'`, [RAW]],
    ['a layout without a member', `update transactions set raw_data = 'idt'`, [RAW]],
    ['a layout without the contact', `update transactions set contact = 'Ann' where id = 1`, [RAW]],
    ['a user without an organisation', `${USER} delete from memberships`, [ROLE]],
    ['a role that is missing', `${USER} update memberships set role = 'ownes'`, [ROLE]],
    ['a membership without its user', `${USER} delete from users`, [REFERENCES]],
    ['a missing budget line', 'delete from budget_lines where id = 1', [REFERENCES]],
  ];
  for (const [what, text, wanted] of cases) {
    it(`8 ${what}`, () => {
      const shop = openShop();
      shop.db.pragma('foreign_keys = off');
      shop.db.exec(text);
      // What the text writes into a transaction does not fit its hash either.
      const unchanged = /^update transactions/.test(text) ? [UNCHANGED] : [];
      assert.deepEqual(broken(shop), [...unchanged, ...wanted]);
    });
  }

  it('8 all records counted, with a few examples', () => {
    const shop = new Workshop();
    shop.push(rows(40));
    shop.db.exec(`update transactions set status = 'allocated'`);
    const result = checkDatabase(shop.db).find(({ name }) => name === STATUS);
    assert.equal(result?.found, 40);
    assert.deepEqual(result?.examples.slice(0, 2), ['transaction 1', 'transaction 2']);
    assert.ok((result?.examples.length ?? 0) < 10);
  });

  it('8 transactions that changed on the disk, by their ids', () => {
    const shop = openShop();
    const theirs = shop.addOrganisation('JPY', 'Theirs');
    shop.pushOne({}, theirs);
    shop.db.exec(`update transactions set description = 'Rant' where id in (2, 3)`);
    const result = checkDatabase(shop.db).find(({ name }) => name === UNCHANGED);
    assert.deepEqual(result?.examples, [
      'txn_0000000002 of org_0000000001',
      'txn_0000000003 of org_0000000002',
    ]);
    // Writing other values of the transaction does not cover it up.
    shop.pushOne({ externalId: 'INV-2', amount: 70, description: 'Rant' });
    assert.deepEqual(broken(shop), [UNCHANGED]);
  });

  it('8 any flipped bit in a stored transaction', (t) => {
    const { flips, check, sqlite } = flipBits(folderFor(t), 60, 12);
    assert.equal(check, flips);
    assert.ok(sqlite < flips, 'SQLite finds them without the hashes');
  });

  it('9 nothing wrong with the tables of a replicator', () => {
    const shop = openShop();
    shop.db.exec(`create table _litestream_seq (id integer primary key, seq integer);
      create table _litestream_lock (id integer);
      insert into _litestream_seq values (1, 7)`);
    assert.deepEqual(broken(shop), []);
  });

  it('8 a record whose number leaves a gap of billions', () => {
    const shop = openShop();
    shop.db.pragma('foreign_keys = off');
    shop.db.exec('update transactions set id = 9000000000000 where id = 2');
    assert.ok(broken(shop).includes(UNCHANGED));
  });

  it('8 damage in the file, and still checks the other rules', (t) => {
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
    assert.equal(results.length, 20);
    const wrong = results.filter(({ ok }) => !ok).map(({ name }) => name);
    assert.ok(wrong.includes(FILE) && wrong.includes(STATUS), String(wrong));
    assert.ok(
      results.every(({ ok, found, examples }) => ok === (found === 0 && examples.length === 0)),
    );
  });

  it('8 what someone removed from the schema, and still checks the other rules', () => {
    for (const [text, name] of [
      ['drop view allocation_weights', 'view allocation_weights'],
      ['drop index transactions_by_update', 'index transactions_by_update'],
      ['drop trigger reviews_ended', 'trigger reviews_ended'],
      ['drop table left_alone', 'table left_alone'],
      ['alter table projects drop column description', 'column description of projects'],
    ] as const) {
      const shop = openShop();
      shop.db.exec(text);
      const wrong = checkDatabase(shop.db).filter(({ ok }) => !ok);
      assert.deepEqual([wrong[0]?.name, wrong[0]?.examples], [SCHEMA, [name]]);
    }
  });

  it('8 nothing wrong with what other programs added', () => {
    const shop = openShop();
    shop.db.exec(`create table notes (text); create view v as select 1;
      alter table projects add column colour text;
      create trigger t after insert on notes begin select 1; end`);
    assert.deepEqual(broken(shop), []);
    const { strangers } = compareSchema(shop.db);
    const names = ['table notes', 'column colour of projects', 'trigger t', 'view v'];
    assert.deepEqual([...strangers].sort(), names.sort());
  });

  for (const details of ['nonsense', 'null', '7', '{"received":3}', '{"changes":5}']) {
    it(`8 an entry of the log with the details ${details}, which does no harm`, () => {
      const shop = openShop();
      shop.db.exec(`insert into audit_log (organisation_id, at, actor, action, details)
        select id, last_write_at, 'x', 'keys.lost', '${details}' from organisations`);
      const [found, ...others] = checkDatabase(shop.db).filter((each) => each.found > 0);
      assert.deepEqual([found?.name, found?.ok, others], [READABLE, true, []]);
      assert.match(String(found?.examples), /^entry \d+, keys\.lost$/);
    });
  }

  it('8 only damage: other errors are thrown', () => {
    const shop = openShop();
    shop.db.close();
    assert.throws(() => checkDatabase(shop.db), /not open/);
  });
});
