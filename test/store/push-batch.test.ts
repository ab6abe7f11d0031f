import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PushResult } from '../../src/core/push.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { readText } from '../repository.ts';
import { row, rows, Workshop } from './workshop.ts';

describe('6 a list of rows from a program', () => {
  it('6 a hole in it is rejected, and the other rows are written', () => {
    const shop = new Workshop();
    const { results } = shop.push(new Array(1).concat(row()));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'created'],
    );
  });
});

describe('6 a dry run', () => {
  it('6 returns the same answer, with id null for created rows, and writes nothing', () => {
    const shop = new Workshop();
    const [line = 0] = shop.project();
    shop.allocate(shop.pushOne({ externalId: 'old' }), [[line, 10_000]]);
    shop.pushOne({ externalId: 'same' });
    const batch = [
      row({ externalId: 'new' }),
      row({ externalId: 'new', amount: 5, memo: 1 }),
      row({ externalId: 'old', amount: 5 }),
      row({ externalId: 'old', amount: 6 }),
      row({ externalId: 'same' }),
      row({ externalId: '', date: 'x' }),
      row({ externalId: 'newer' }),
    ];
    shop.nowMs += 1000;
    const before = shop.everything();
    const dry = shop.push(batch, { dryRun: true });
    assert.equal(shop.everything(), before);
    const wet = shop.push(batch);
    assert.deepEqual(dry.meta, { ...wet.meta, dryRun: true });
    const isNew = (result: PushResult) => result.externalId?.startsWith('new') === true;
    assert.deepEqual(
      dry.results,
      wet.results.map((result) => (isNew(result) ? { ...result, id: null } : result)),
    );
  });

  it('6 is not logged, even if every row is rejected', () => {
    const shop = new Workshop();
    const before = shop.everything();
    shop.push([7], { dryRun: true });
    assert.equal(shop.everything(), before);
  });
});

describe('5 every push is logged', () => {
  it('5 with its counts, key and request id, even if every row is rejected', () => {
    const shop = new Workshop();
    shop.nowMs += 1000;
    shop.push([row(), row({ externalId: 'B', date: '' })]);
    shop.push([7, 8]);
    shop.push([row()]);
    const entries = listAuditEntries(shop, shop.nowMs);
    const wanted = [
      { received: 2, created: 1, updated: 0, unchanged: 0, rejected: 1 },
      { received: 2, created: 0, updated: 0, unchanged: 0, rejected: 2 },
      { received: 1, created: 0, updated: 1, unchanged: 1, rejected: 0 },
    ].map((counts) => ({ ...counts, needsReview: 0, warnings: 0 }));
    const created = [[['txn_0000000001', 'txn_0000000001']], [], []];
    assert.deepEqual(
      entries,
      wanted.map((counts, index) => ({
        atMs: shop.nowMs + index,
        actor: 'key_0000000001',
        action: 'transactions.pushed',
        subject: null,
        requestId: 'req-1',
        details: { provider: 'api', ...counts, createdIds: created[index], changes: [] },
      })),
    );
  });

  it('6 unless it cannot be stored: then neither rows nor an entry are written', () => {
    const shop = new Workshop();
    shop.db.exec(`create temp trigger full before insert on transactions
      when new.external_id = 'INV-400' begin select raise(abort, 'as if the disk failed'); end`);
    const before = shop.everything();
    assert.throws(() => shop.push(rows(500)), /as if the disk failed/);
    assert.equal(shop.everything(), before);
    shop.db.exec('drop trigger temp.full');
    assert.equal(shop.push(rows(500)).meta.created, 500);
  });
});

describe('a row that is pushed again', () => {
  /** The columns that are named in the update, each on its own list; none if nothing is written. */
  function listNamed(change: object, isAllocated = false): string[][] {
    const shop = new Workshop();
    const [line = 0] = shop.project();
    const id = shop.pushOne({});
    if (isAllocated) shop.allocate(id, [[line, 10_000]]);
    const { prepare } = shop.db;
    const texts: string[] = [];
    shop.db.prepare = ((text: string) => {
      texts.push(text);
      return prepare.call(shop.db, text);
    }) as typeof prepare;
    shop.pushOne(change);
    return texts
      .filter((text) => text.startsWith('update transactions'))
      .map((text) => Array.from(text.matchAll(/(\w+) = \?[, \n]/g), ([, column = '']) => column));
  }

  const details = ['raw_data', 'updated_at', 'key_id', 'description', 'amount_minor'];
  const codes = ['account_code', 'reference', 'bank_account', 'project_code'];
  const listed = [...details.slice(0, -1), 'contact', 'amount_minor', ...codes];
  const dated = ['raw_data', 'updated_at', 'key_id', 'date', ...listed.slice(3)];
  const cases: [change: object, named: string[][]][] = [
    [{}, []],
    [{ memo: 1 }, [['raw_data']]],
    [{ contact: null }, [['raw_data']]],
    [{ amount: 2 }, [details]],
    [{ description: 'New', memo: 1 }, [details]],
    [{ date: '2026-02-01' }, [dated]],
    [{ contact: 'Ann' }, [listed]],
    [{ accountCode: '4000', amount: 2 }, [listed]],
  ];
  for (const [change, named] of cases) {
    it(`names no index of the list in vain: ${JSON.stringify(change)}`, () => {
      assert.deepEqual(listNamed(change), named);
    });
  }

  it('begins all reviews of a batch at once, and names their columns in no other statement', () => {
    assert.deepEqual(listNamed({ amount: 2 }, true), [['review_changed_at'], details]);
    assert.deepEqual(listNamed({ amount: 2, contact: 'Ann' }, true), [
      ['review_changed_at'],
      listed,
    ]);
    assert.deepEqual(listNamed({ contact: 'Ann' }, true), [listed]);
  });
});

describe('reviews in a file of an earlier state of schema 3', () => {
  it('are in the sums once: its triggers add them too', () => {
    const shop = new Workshop();
    const [line = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[line, 6_000]]);
    shop.db.exec(EARLIER_TRIGGERS);
    shop.pushOne({ amount: 120 });
    shop.check();
  });
});

/** The sums of reviews were added by a trigger, as in version 1. */
const [REVIEWS_BEGUN = ''] =
  /CREATE TRIGGER reviews_begun[\s\S]*?\nend;/.exec(
    readText('test/store/fixtures/version-1.sql'),
  ) ?? [];
const EARLIER_TRIGGERS = `${REVIEWS_BEGUN}
  create trigger transactions_under_review after update of review_changed_at on transactions
    when new.review_changed_at is not null begin
    update allocations set under_review = 1 where transaction_id = new.id;
  end;`;
