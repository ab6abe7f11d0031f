import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { noCounts } from '../../src/client/push.ts';
import type { PushResult } from '../../src/core/push.ts';
import { pageOfTransactions } from '../../src/store/transactions.ts';
import { excludeTransaction } from './single-changes.ts';
import { row, rows, START_MS, Workshop } from './workshop.ts';

const COUNTS = { ...noCounts(false), received: 1 };

describe('4.6 pushing rows: created, updated, unchanged, rejected', () => {
  it('3 a new externalId is created with provider api', () => {
    const shop = new Workshop();
    const { results, meta } = shop.push([row({ contact: ' Ann ', accountCode: 'D1  ' })]);
    assert.deepEqual(results, [
      {
        index: 0,
        externalId: 'INV-1',
        status: 'created',
        id: 'txn_0000000001',
        needsReview: false,
        changed: [],
        warnings: [],
      },
    ]);
    assert.deepEqual(meta, { ...COUNTS, created: 1 });
    assert.deepEqual(shop.transaction(1), {
      id: 1,
      provider: 'api',
      externalId: 'INV-1',
      date: '2026-01-31',
      description: 'Rent',
      contact: 'Ann',
      accountCode: 'D1',
      reference: null,
      bankAccount: null,
      projectCode: null,
      amountMinor: 10_000,
      status: 'unallocated',
      allocatedMinor: 0,
      review: null,
      recoded: null,
      createdAtMs: START_MS,
      updatedAtMs: START_MS,
    });
  });

  it('4.6(2) a known externalId updates its transaction; changed lists what differs', () => {
    const shop = new Workshop();
    shop.push([row({ contact: 'Ann', accountCode: 'D1' })]);
    shop.nowMs += 1000;
    const { results, meta } = shop.push([row({ date: '2026-02-01', contact: 'Bo', amount: -1 })]);
    const [result] = results;
    assert.deepEqual(result, {
      index: 0,
      externalId: 'INV-1',
      status: 'updated',
      id: 'txn_0000000001',
      needsReview: false,
      changed: ['date', 'contact', 'amount', 'accountCode'],
      warnings: [],
    });
    assert.deepEqual(meta, { ...COUNTS, updated: 1 });
    const { createdAtMs, updatedAtMs, contact, accountCode, amountMinor } = shop.transaction(1);
    assert.deepEqual([createdAtMs, updatedAtMs], [START_MS, START_MS + 1000]);
    assert.deepEqual([contact, accountCode, amountMinor], ['Bo', null, -100]);
  });

  for (const absent of [
    {},
    { contact: null, accountCode: null },
    { contact: ' ', accountCode: '' },
  ]) {
    it(`6 a push replaces everything: ${JSON.stringify(absent)} clears contact and code`, () => {
      const shop = new Workshop();
      shop.push([row({ contact: 'Ann', accountCode: 'D1' })]);
      const [result] = shop.push([row(absent)]).results;
      assert.deepEqual(changedOf(result), ['contact', 'accountCode']);
      const { contact, accountCode } = shop.transaction(1);
      assert.deepEqual([contact, accountCode], [null, null]);
    });
  }

  it('6 an identical row is updated with changed empty, and keeps updatedAt', () => {
    const shop = new Workshop();
    shop.push([row({ contact: 'Ann' })]);
    const before = shop.transaction(1);
    shop.nowMs += 60_000;
    const again = row({
      contact: 'Ann  ',
      description: ' Rent',
      amount: 99.99 + 0.01,
      memo: 'new',
    });
    const [result] = shop.push([again]).results;
    assert.equal(result?.status, 'updated');
    assert.deepEqual(changedOf(result), []);
    assert.deepEqual(shop.transaction(1), before);
  });

  it('4.6(1) valid rows are written even if others are rejected; data[i] is for rows[i]', () => {
    const shop = new Workshop();
    const { results, meta } = shop.push([
      row({ externalId: 'A' }),
      row({ externalId: 'B', date: '2026-02-30', amount: '1' }),
      7,
      row({ externalId: 'C', memo: 1 }),
      row({ externalId: 5 }),
    ]);
    assert.deepEqual(
      results.map(({ index, externalId, status }) => [index, externalId, status]),
      [
        [0, 'A', 'created'],
        [1, 'B', 'rejected'],
        [2, null, 'rejected'],
        [3, 'C', 'created'],
        [4, null, 'rejected'],
      ],
    );
    assert.deepEqual(meta, { ...COUNTS, received: 5, created: 2, rejected: 3, warnings: 1 });
    assert.deepEqual(Object.keys(results[1] ?? {}), ['index', 'externalId', 'status', 'errors']);
    const stored = pageOfTransactions(shop, {
      filters: {},
      order: 'date',
      limit: 9,
    }).items;
    assert.deepEqual(
      stored.map(({ externalId }) => externalId),
      ['A', 'C'],
    );
  });

  it('6 a rejected row does not change the transaction with its externalId', () => {
    const shop = new Workshop();
    shop.push([row()]);
    const before = [shop.transaction(1), shop.hidden(1)];
    const { meta } = shop.push([row({ amount: 1.005, memo: 'x' })]);
    assert.deepEqual(meta, { ...COUNTS, rejected: 1 });
    assert.deepEqual([shop.transaction(1), shop.hidden(1)], before);
  });

  it('6 externalIds compare byte for byte: similar ones are never merged', () => {
    const shop = new Workshop();
    const ids = [
      'inv',
      'INV',
      ' inv',
      'inv ',
      'é',
      'e\u0301',
      '1',
      '1.0',
      '01',
      '😀',
      'x'.repeat(255),
    ];
    const { meta } = shop.push(ids.map((externalId) => row({ externalId })));
    assert.deepEqual(meta, { ...COUNTS, received: ids.length, created: ids.length });
    const again = shop.push(ids.map((externalId) => row({ externalId })));
    assert.equal(again.meta.updated, ids.length);
    assert.deepEqual(
      again.results.map(({ externalId }) => externalId),
      ids,
    );
  });

  it('6 the same externalId from another provider is another transaction', () => {
    const shop = new Workshop();
    assert.equal(shop.push([row()], { provider: 'csv' }).meta.created, 1);
    assert.equal(shop.push([row()]).meta.created, 1);
    assert.equal(shop.push([row()], { provider: 'csv' }).meta.updated, 1);
    assert.deepEqual([shop.transaction(1).provider, shop.transaction(2).provider], ['csv', 'api']);
  });

  it('4.6 500 rows in one batch, twice', () => {
    const shop = new Workshop();
    assert.equal(shop.push(rows(500)).meta.created, 500);
    const { results, meta } = shop.push(rows(500));
    assert.equal(meta.updated, 500);
    assert.ok(results.every((result) => changedOf(result)?.length === 0));
    shop.check();
  });
});

describe('contract 6: the same externalId twice in one batch', () => {
  it('6 rows apply in order; the later one is updated, with duplicate_in_batch first', () => {
    const shop = new Workshop();
    const { results, meta } = shop.push([
      row({ description: 'one' }),
      row({ description: 'two', memo: 1 }),
      row({ description: 'two' }),
    ]);
    assert.deepEqual(
      results.map((result) => [result.status, changedOf(result), warningsOf(result)]),
      [
        ['created', [], []],
        ['updated', ['description'], ['duplicate_in_batch', 'unknown_field']],
        ['updated', [], ['duplicate_in_batch']],
      ],
    );
    assert.equal(new Set(results.map((result) => 'id' in result && result.id)).size, 1);
    const counts = { received: 3, created: 1, updated: 2, unchanged: 1, warnings: 2 };
    assert.deepEqual(meta, { ...COUNTS, ...counts });
    assert.equal(shop.transaction(1).description, 'two');
  });

  it('6 the same for a transaction stored before', () => {
    const shop = new Workshop();
    shop.push([row()]);
    const { results } = shop.push([row({ amount: 2 }), row({ amount: 3 })]);
    assert.deepEqual(results.map(warningsOf), [[], ['duplicate_in_batch']]);
    assert.equal(shop.transaction(1).amountMinor, 300);
  });

  it('6 a rejected row does not count as a duplicate', () => {
    const shop = new Workshop();
    const { results } = shop.push([row({ amount: null }), row()]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'created'],
    );
    assert.deepEqual(warningsOf(results[1]), []);
  });

  it('6 at most 20 warnings per row, including the duplicate', () => {
    const shop = new Workshop();
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`m${index}`, 1]));
    const { results } = shop.push([row(), row(many)]);
    const warnings = warningsOf(results[1]);
    assert.equal(warnings.length, 20);
    assert.equal(warnings[0], 'duplicate_in_batch');
  });

  it('6 a transaction created and changed in one batch', () => {
    const shop = new Workshop();
    shop.push([row(), row({ amount: 5 }), row({ amount: 5 }), row({ date: '2026-02-02' })]);
    const { status, amountMinor, createdAtMs } = shop.transaction(1);
    assert.deepEqual([status, amountMinor, createdAtMs], ['unallocated', 10_000, START_MS]);
    shop.check();
  });

  it('6 the last row of a new transaction is stored, also if it keeps its date', () => {
    const shop = new Workshop();
    shop.push([row(), row({ amount: 5, description: 'Other' })]);
    const { amountMinor, description } = shop.transaction(1);
    assert.deepEqual([amountMinor, description], [500, 'Other']);
    shop.check();
  });

  it('6 updatedAt changes if any of the rows changes something', () => {
    const shop = new Workshop();
    shop.pushOne({});
    shop.push([row(), row(), row({ amount: 5 })]);
    assert.equal(shop.transaction(1).updatedAtMs, START_MS + 1);
  });

  it('4.6(3) the second row can cause a review', () => {
    const shop = new Workshop();
    const [line = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[line, 10_000]]);
    const { results } = shop.push([
      row({ description: 'Other' }),
      row({ description: 'Other', amount: 120 }),
    ]);
    assert.deepEqual(
      results.map((each) => 'needsReview' in each && each.needsReview),
      [false, true],
    );
    assert.equal(shop.transaction(1).status, 'needs_review');
    shop.check();
  });

  it('6 an amount that changes and changes back in one batch still needs review', () => {
    const shop = new Workshop();
    const [line = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[line, 10_000]]);
    const { results, meta } = shop.push([row({ amount: 120 }), row({ amount: 100 })]);
    assert.deepEqual(
      results.map((each) => 'needsReview' in each && each.needsReview),
      [true, true],
    );
    assert.equal(meta.needsReview, 2);
    assert.equal(shop.transaction(1).review?.previousMinor, 10_000);
  });
});

describe('5 what a push changes and keeps', () => {
  it('5 a push updates an excluded transaction but leaves it excluded', () => {
    const shop = new Workshop();
    const transactionId = shop.pushOne({});
    const request = { transactionId, reason: 'Own transfer' };
    excludeTransaction(shop, request, shop.actor());
    const before = shop.hidden(1);
    shop.nowMs += 1000;
    const [result] = shop.push([row({ amount: 7, date: '2026-02-02' })]).results;
    assert.deepEqual(changedOf(result), ['date', 'amount']);
    const { status, amountMinor, review } = shop.transaction(1);
    assert.deepEqual([status, amountMinor, review], ['excluded', 700, null]);
    assert.deepEqual({ ...shop.hidden(1), raw_data: 0 }, { ...before, raw_data: 0 });
  });

  it('4.6(3) a changed amount on an allocated transaction needs review', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [
      [a, 6000],
      [b, 1000],
    ]);
    shop.nowMs += 1000;
    const { results, meta } = shop.push([row({ amount: 120 })]);
    assert.deepEqual(results[0], {
      index: 0,
      externalId: 'INV-1',
      status: 'updated',
      id: 'txn_0000000001',
      needsReview: true,
      changed: ['amount'],
      warnings: [],
    });
    assert.deepEqual(meta, { ...COUNTS, updated: 1, needsReview: 1 });
    const { status, review, updatedAtMs } = shop.transaction(1);
    assert.deepEqual(review, { previousMinor: 10_000, changedAtMs: START_MS + 1000 });
    assert.deepEqual([status, updatedAtMs], ['needs_review', START_MS + 1000]);
    assert.deepEqual(shop.shares(), [
      [a, 6000],
      [b, 1000],
    ]);
    shop.check();
  });

  it('4.6(3) several reviews begin in one batch, whatever else changes', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    const changes = [
      { amount: 120 },
      { amount: 130, date: '2026-03-01' },
      { amount: 140, contact: 'Ann' },
      { date: '2026-03-02' },
    ];
    for (const at of changes.keys()) {
      const id = shop.pushOne({ externalId: `INV-${at}` });
      shop.allocate(id, [
        [a, 6000],
        [b, 1000],
      ]);
    }
    shop.push(rows(changes.length, (at) => changes[at] ?? {}));
    const stored = changes.map((_, at) => shop.transaction(at + 1));
    assert.deepEqual(
      stored.map(({ amountMinor, date, status, review }) => {
        return [amountMinor, date, status, review?.previousMinor];
      }),
      [
        [12_000, '2026-01-31', 'needs_review', 10_000],
        [13_000, '2026-03-01', 'needs_review', 10_000],
        [14_000, '2026-01-31', 'needs_review', 10_000],
        [10_000, '2026-03-02', 'partially_allocated', undefined],
      ],
    );
    shop.check();
  });

  it('5 a review keeps its first amount and time, and no push ends it', () => {
    const shop = new Workshop();
    const [line = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[line, 10_000]]);
    shop.nowMs += 1000;
    shop.push([row({ amount: 120 })]);
    const { review } = shop.transaction(1);
    for (const amount of [130, 100, 100, 0, -100]) {
      shop.nowMs += 1000;
      const [result] = shop.push([row({ amount })]).results;
      assert.equal(result && 'needsReview' in result && result.needsReview, true);
      assert.deepEqual(shop.transaction(1).review, review);
      assert.equal(shop.transaction(1).status, 'needs_review');
      shop.check();
    }
  });

  it('4.6(3) a changed date changes the allocation too, without a review', () => {
    const shop = new Workshop();
    const [line = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[line, 4000]]);
    const [result] = shop.push([row({ date: '2027-06-01', description: 'Other' })]).results;
    assert.deepEqual(changedOf(result), ['date', 'description']);
    assert.equal(shop.transaction(1).status, 'partially_allocated');
    shop.check();
  });
});

function changedOf(result: PushResult | undefined): readonly string[] | undefined {
  return result !== undefined && 'changed' in result ? result.changed : undefined;
}

function warningsOf(result: PushResult | undefined): string[] {
  return result !== undefined && 'warnings' in result
    ? result.warnings.map(({ code }) => code)
    : [];
}
