import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listAuditEntries } from '../../src/store/audit.ts';
import { excludeTransaction } from './single-changes.ts';
import { row, Workshop, YEAR } from './workshop.ts';

const allocate = (shop: Workshop) => shop.allocateByCode();

describe('contract 5: allocating by account code', () => {
  it('5 allocates the whole transaction to the only line that claims its code', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    shop.push([
      row({ externalId: '1', accountCode: 'A' }),
      row({ externalId: '2', accountCode: 'B  ', amount: -7 }),
    ]);
    assert.deepEqual(allocate(shop), { claimed: 2, ambiguous: 0, unmatched: 0 });
    assert.deepEqual(shop.shares(), [
      [a, 10_000],
      [b, -700],
    ]);
    assert.equal(shop.transaction(1).status, 'allocated');
    shop.check();
    assert.deepEqual(allocate(shop), { claimed: 0, ambiguous: 0, unmatched: 0 });
  });

  const dates: [date: string, allocated: number][] = [
    ['2025-12-31', 0],
    ['2026-01-01', 1],
    ['2026-12-31', 1],
    ['2027-01-01', 0],
  ];
  for (const [date, allocated] of dates) {
    it(`5 ${date} is ${allocated ? 'within' : 'outside'} a project of 2026`, () => {
      const shop = new Workshop();
      shop.project();
      shop.push([row({ accountCode: 'A', date })]);
      const wanted = { claimed: allocated, ambiguous: 0, unmatched: 1 - allocated };
      assert.deepEqual(allocate(shop), wanted);
    });
  }

  it('5 counts a code that two lines of a project claim as ambiguous, and skips it', () => {
    const shop = new Workshop();
    const budgetLines = ['X', 'Y', 'Z'].map((name) => ({ name, accountCodes: ['A'] }));
    shop.import({ ...YEAR, budgetLines });
    shop.push([row({ accountCode: 'A' })]);
    assert.deepEqual(allocate(shop), { claimed: 0, ambiguous: 1, unmatched: 0 });
    assert.equal(shop.transaction(1).status, 'unallocated');
  });

  it('5 a code that two projects claim is ambiguous only if both contain the date', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const budgetLines = [{ code: 'A', name: 'Other', accountCodes: ['A'] }];
    const dates = { startDate: '2026-06-01', endDate: '2027-05-31' };
    shop.import({ name: 'Other', ...dates, budgetLines });
    shop.push([
      row({ externalId: '1', accountCode: 'A', date: '2026-05-31' }),
      row({ externalId: '2', accountCode: 'A', date: '2026-06-01' }),
      row({ externalId: '3', accountCode: 'A', date: '2027-01-01' }),
    ]);
    assert.deepEqual(allocate(shop), { claimed: 2, ambiguous: 1, unmatched: 0 });
    assert.deepEqual(shop.shares(1), [[a, 10_000]]);
    assert.equal(shop.shares(2).length, 1);
    assert.equal(shop.transaction(2).status, 'unallocated');
    shop.check();
  });

  it('5 compares codes byte for byte; a transaction without a code is unmatched', () => {
    const shop = new Workshop();
    shop.project();
    const codes = ['a', 'A1', 'Á', null, undefined, ' '];
    shop.push(codes.map((accountCode, index) => row({ externalId: `${index}`, accountCode })));
    assert.deepEqual(allocate(shop), { claimed: 0, ambiguous: 0, unmatched: 6 });
  });

  it('5 ignores transactions of amount 0', () => {
    const shop = new Workshop();
    shop.project();
    shop.push([row({ accountCode: 'A', amount: 0 })]);
    assert.equal(allocate(shop).claimed, 0);
    assert.equal(shop.transaction(1).status, 'unallocated');
    shop.check();
  });

  it('5 ignores excluded and partly allocated transactions, and those under review', () => {
    const shop = new Workshop();
    const [, b = 0] = shop.project();
    const rowsOfA = ['out', 'part', 'review', 'free'].map((externalId) => {
      return row({ externalId, accountCode: 'A' });
    });
    shop.push(rowsOfA);
    const request = { transactionId: 1, reason: 'Own transfer' };
    excludeTransaction(shop, request, shop.actor());
    shop.allocate(2, [[b, 1]]);
    shop.allocate(3, [[b, 10_000]]);
    shop.push([row({ externalId: 'review', accountCode: 'A', amount: 50 })]);
    const before = [1, 2, 3].map((id) => shop.transaction(id));
    assert.deepEqual(allocate(shop), { claimed: 1, ambiguous: 0, unmatched: 0 });
    assert.deepEqual(
      [1, 2, 3].map((id) => shop.transaction(id)),
      before,
    );
    shop.check();
  });

  it('5 writes one audit entry per step', () => {
    const shop = new Workshop();
    shop.project();
    shop.push([row({ accountCode: 'A' }), row({ externalId: 'B', accountCode: 'B', amount: 5 })]);
    shop.nowMs += 1000;
    allocate(shop);
    const entries = listAuditEntries(shop, shop.nowMs);
    assert.deepEqual(
      entries.map(({ action, subject }) => [action, subject]),
      [['transactions.allocated', null]],
    );
    assert.deepEqual(
      entries[0]?.details.changes.map(({ subject, after }) => [subject, after?.['allocatedMinor']]),
      [
        ['txn_0000000001', 10_000],
        ['txn_0000000002', 500],
      ],
    );
    allocate(shop);
    assert.equal(listAuditEntries(shop, shop.nowMs).length, 1);
  });
});
