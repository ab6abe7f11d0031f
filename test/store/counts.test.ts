import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { COUNTED_TRANSACTIONS, PUSH_ROWS } from '../../src/core/limits.ts';
import { finish } from '../../src/operations/turns.ts';
import type { TransactionFilters } from '../../src/store/transaction-walks.ts';
import { countTransactions, listTransactions } from '../../src/store/transactions.ts';
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
    { updatedSinceMs: shop.transaction(6).updatedAtMs },
    { provider: 'csv' },
    { externalId: 'INV-3' },
    { statuses: ['unallocated'], isAllocatable: true },
  ];
  for (const each of filters) {
    it(`${JSON.stringify(each)}: the same as the list`, () => {
      const page = { filters: each, order: 'date', limit: 100 } as const;
      const { items } = listTransactions(shop, page);
      const sum = (of: (item: (typeof items)[number]) => number) => {
        return items.reduce((total, item) => total + of(item), 0);
      };
      const byStatus = (status: string) => items.filter((item) => item.status === status).length;
      assert.deepEqual(finish(countTransactions(shop, each)), {
        count: items.length,
        outMinor: sum(({ amountMinor }) => Math.max(amountMinor, 0)),
        inMinor: sum(({ amountMinor }) => Math.min(amountMinor, 0)),
        allocatedMinor: sum(({ allocatedMinor }) => allocatedMinor),
        byStatus: {
          excluded: byStatus('excluded'),
          needs_review: byStatus('needs_review'),
          allocated: byStatus('allocated'),
          partially_allocated: byStatus('partially_allocated'),
          unallocated: byStatus('unallocated'),
        },
        zeroes: items.filter((item) => item.amountMinor === 0 && item.status === 'unallocated')
          .length,
        isCapped: false,
      });
    });
  }

  it('stops after a limited number of transactions, and says so', () => {
    const many = new Workshop();
    for (let batch = 0; batch <= COUNTED_TRANSACTIONS / PUSH_ROWS; batch += 1) {
      many.push(rows(PUSH_ROWS, (index) => ({ externalId: `${batch}/${index}` })));
    }
    const count = (each: TransactionFilters) => {
      const { count: found, isCapped } = finish(countTransactions(many, each));
      return [found, isCapped];
    };
    assert.deepEqual(count({}), [COUNTED_TRANSACTIONS, true]);
    assert.deepEqual(count({ provider: 'csv' }), [0, false]);
    assert.deepEqual(count({ search: 'nothing' }), [0, true]);
    assert.deepEqual(count({ statuses: ['unallocated', 'excluded'] }), [
      COUNTED_TRANSACTIONS,
      true,
    ]);
    assert.deepEqual(count({ statuses: ['excluded'] }), [0, false]);
  });
});
