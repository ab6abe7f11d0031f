import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COUNTED, PUSH_ROWS } from '../../src/core/limits.ts';
import { STATUSES } from '../../src/core/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import { addUpTransactions } from '../../src/store/totals.ts';
import type { TransactionFilters } from '../../src/store/transaction-walks.ts';
import { pageOfTransactions, type TransactionRecord } from '../../src/store/transactions.ts';
import { excludeTransaction } from './single-changes.ts';
import { rows, Workshop } from './workshop.ts';

describe('4 what the transactions of a filter add up to', () => {
  const shop = new Workshop();
  const [a = 0, b = 0] = shop.project();
  shop.push(
    rows(12, (index) => ({
      amount: index % 3 === 0 ? -10 : index,
      accountCode: index < 6 ? 'A' : 'B',
      contact: index % 2 === 0 ? 'Ann' : null,
      date: `2026-01-${10 + index}`,
    })),
  );
  shop.push([{ externalId: 'VOID', date: '2026-01-15', description: 'Void', amount: 0 }]);
  shop.allocate(2, [[a, 100]]);
  shop.allocate(3, [
    [a, 50],
    [b, 20],
  ]);
  shop.allocate(6, [[b, 500]]);
  shop.push([{ externalId: 'INV-5', date: '2026-01-15', description: 'Changed', amount: 9 }]);
  excludeTransaction(shop, { transactionId: 1, reason: 'x' }, shop.actor());
  shop.push(rows(2), { org: shop.addOrganisation() });

  const filters: TransactionFilters[] = [
    {},
    { ids: [1, 2, 3] },
    { statuses: ['needs_review'] },
    { statuses: ['unallocated', 'excluded'] },
    { accountCode: 'A' },
    { contact: 'Ann', from: '2026-01-13' },
    { projectId: 1 },
    { to: '2026-01-15' },
    { search: 'CHANGED' },
    { search: 'INV' },
    { isIn: true },
    { updatedSinceMs: shop.transaction(6).updatedAtMs },
    { provider: 'csv' },
    { externalId: 'INV-3' },
    { statuses: ['unallocated'], isAllocatable: true },
  ];
  for (const each of filters) {
    it(`${JSON.stringify(each)}: the same as the list`, () => {
      const page = { filters: each, order: 'date', limit: 100 } as const;
      const { items } = pageOfTransactions(shop, page);
      const { byStatus, isCapped, found, ...sum } = finish(addUpTransactions(shop, each));
      assert.deepEqual(sum, totalsOf(items, each.isAllocatable));
      const isSearch = each.search !== undefined || each.isIn !== undefined;
      const ids = isSearch ? new Set(items.map(({ id }) => id)) : undefined;
      assert.deepEqual(found && new Set(found), ids);
      for (const status of STATUSES) {
        const own = items.filter((item) => item.status === status);
        // Those of amount 0 can be left out of the sum alone.
        if (!each.isAllocatable) assert.deepEqual(byStatus[status], totalsOf(own));
      }
      assert.equal(isCapped, false);
    });
  }

  it('stops after the work of a page, and says so, unless all of it is asked for', () => {
    const many = new Workshop();
    for (let batch = 0; batch <= COUNTED.work / PUSH_ROWS; batch += 1) {
      many.push(rows(PUSH_ROWS, (index) => ({ externalId: `${batch}/${index}` })));
    }
    const all = COUNTED.work + PUSH_ROWS;
    const count = (each: TransactionFilters, most?: number) => {
      const { count: found, isCapped } = finish(addUpTransactions(many, each, most));
      return [found, isCapped];
    };
    assert.deepEqual(count({}), [all, false]);
    assert.deepEqual(count({ statuses: ['excluded'] }), [0, false]);
    assert.deepEqual(count({ provider: 'csv' }), [0, true]);
    assert.deepEqual(count({ search: 'nothing' }), [0, false]);
    assert.deepEqual(count({ search: 'nothing', from: '2000-01-01' }), [0, true]);
    assert.equal(count({ search: 'x', contact: 'Ann' })[1], true);
    assert.deepEqual(count({ provider: 'api' }, Infinity), [all, false]);
    assert.deepEqual(count({ search: 'nothing' }, Infinity), [0, false]);
    // An organisation with less than half of the table.
    const org = many.addOrganisation();
    many.push(rows(3), { org });
    const theirs = finish(addUpTransactions({ ...many, organisation: org }, { search: 'inv' }));
    assert.deepEqual([theirs.count, theirs.isCapped, theirs.found], [3, false, undefined]);
  });

  it('counts a transaction once that has several allocations in a project', () => {
    const { count, allocatedMinor } = finish(addUpTransactions(shop, { projectId: 1 }));
    assert.deepEqual([count, allocatedMinor], [3, 670]);
  });

  it('keeps the totals of the organisation whatever is done', () => {
    const { db, organisation } = shop;
    const kept = () => {
      const sums = db.prepare('select * from counted_transactions order by 1, 2').all();
      const select = 'select * from transaction_totals where transactions <> 0 order by 1, 2';
      assert.deepEqual(db.prepare(select).all(), sums);
    };
    kept();
    const twice = { externalId: 'TWICE', date: '2026-01-15', description: 'Twice' };
    shop.push([
      { ...twice, amount: 5 },
      { ...twice, amount: -6 },
      { ...twice, amount: 0 },
    ]);
    kept();
    shop.push([{ ...twice, amount: 7 }, { externalId: 'BAD' }]);
    kept();
    const dry = { org: organisation, dryRun: true };
    shop.push([{ ...twice, amount: 70 }], dry);
    kept();
  });
});

function totalsOf(items: readonly TransactionRecord[], isAllocatable?: true) {
  const sum = (of: (item: TransactionRecord) => number) => {
    return items.reduce((total, item) => total + of(item), 0);
  };
  return {
    count: items.length,
    zeroes: isAllocatable ? 1 : sum(({ amountMinor }) => (amountMinor === 0 ? 1 : 0)),
    outMinor: sum(({ amountMinor }) => Math.max(amountMinor, 0)),
    inMinor: sum(({ amountMinor }) => Math.min(amountMinor, 0)),
    allocatedMinor: sum(({ allocatedMinor }) => allocatedMinor),
  };
}
