import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  PUSH_ROWS,
  SCANNED_RECORDS,
  SEARCHED_RECORDS,
  SEARCHED_UNITS,
} from '../../src/core/limits.ts';
import type { TransactionOrder } from '../../src/core/transactions.ts';
import type { Position } from '../../src/store/pages.ts';
import type { TransactionFilters } from '../../src/store/transaction-walks.ts';
import { listTransactions } from '../../src/store/transactions.ts';
import { rows, Workshop } from './workshop.ts';

const BATCHES = SCANNED_RECORDS / PUSH_ROWS;
/** The last in both orders: pushed last, with the earliest date. */
const NEEDLE = { description: 'the needle', contact: 'Nora', date: '2025-01-01' };

describe('4 a page reads a limited number of records', () => {
  const shop = new Workshop();
  for (let batch = 0; batch < BATCHES; batch += 1) {
    shop.push(
      rows(PUSH_ROWS, (index) => ({
        externalId: `${batch}/${index}`,
        date: `2026-01-${10 + (index % 20)}`,
      })),
    );
  }
  shop.nowMs += 1000;
  shop.push(rows(2, (index) => ({ externalId: `needle ${index}`, ...NEEDLE })));

  const cases: [filters: TransactionFilters, order: TransactionOrder][] = [
    [{ search: 'NEEDLE' }, 'date'],
    [{ search: 'NEEDLE' }, 'updatedAt'],
    [{ contact: 'Nora' }, 'updatedAt'],
    [{ to: '2025-12-31' }, 'updatedAt'],
    [{ search: 'needle', statuses: ['unallocated', 'allocated'] }, 'date'],
    [{ search: 'needle', updatedSinceMs: 0 }, 'date'],
  ];
  for (const [filters, order] of cases) {
    it(`${JSON.stringify(filters)} by ${order}: short pages still find all matches`, () => {
      const lengths: number[] = [];
      let after: Position | undefined;
      do {
        const page = { filters, order, after, limit: 10 };
        const { items, next } = listTransactions(shop.db, shop.org.id, page);
        lengths.push(items.length);
        after = next;
      } while (after !== undefined);
      assert.deepEqual(lengths, [0, 2]);
    });
  }

  it('a search in long texts ends a page earlier, in any range of an index', () => {
    const long = new Workshop();
    const texts = { description: 'ΐ'.repeat(1000), contact: '漢'.repeat(255) };
    for (let batch = 0; batch < 4; batch += 1) {
      long.push(rows(PUSH_ROWS, (at) => ({ externalId: `ŉ${batch}/${at}`, ...texts })));
    }
    long.pushOne({ externalId: 'last', date: '2025-01-01', description: 'the needle' });
    const longest = SEARCHED_UNITS / 1255 + SEARCHED_RECORDS;
    const both = ['unallocated', 'excluded'] as const;
    for (const [filters, order] of [
      [{ search: 'needle' }, 'date'],
      [{ search: 'needle' }, 'updatedAt'],
      [{ search: 'needle', statuses: both }, 'date'],
      [{ search: 'needle', updatedSinceMs: 0 }, 'date'],
    ] as [TransactionFilters, TransactionOrder][]) {
      const found: (string | null)[] = [];
      let pages = 0;
      let after: Position | undefined;
      do {
        const page = { filters, order, after, limit: 1000 };
        const { items, next } = listTransactions(long.db, long.org.id, page);
        found.push(...items.map(({ externalId }) => externalId));
        after = next;
        pages += 1;
      } while (after !== undefined);
      assert.deepEqual(found, ['last']);
      assert.ok(pages >= 2001 / longest && pages <= 6, `${pages} pages`);
    }
  });

  const sought: TransactionFilters[] = [
    { to: '2025-12-31' },
    { externalId: 'needle 1' },
    { updatedSinceMs: shop.nowMs },
  ];
  for (const filters of sought) {
    it(`${JSON.stringify(filters)} uses an index: one page is enough`, () => {
      const page = { filters, order: 'date', limit: 10 } as const;
      const { items, next } = listTransactions(shop.db, shop.org.id, page);
      assert.equal(items.length, 'externalId' in filters ? 1 : 2);
      assert.equal(next, undefined);
    });
  }
});
