import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { STRETCH } from '../../src/core/limits.ts';
import type { TransactionOrder } from '../../src/core/transactions.ts';
import type { Position } from '../../src/store/pages.ts';
import type { TransactionFilters } from '../../src/store/transaction-walks.ts';
import { pageOfTransactions } from '../../src/store/transactions.ts';
import { rows, Workshop } from './workshop.ts';

/** The numbers of all matches, and of the last transaction that each stretch looked at. */
function readAll(
  shop: Workshop,
  filters: TransactionFilters,
  order: TransactionOrder = 'date',
  work?: number,
): { found: number[]; ends: number[] } {
  const found: number[] = [];
  const ends: number[] = [];
  let after: Position | undefined;
  do {
    const page = { filters, order, after, limit: 10, work };
    const { items, next } = pageOfTransactions(shop, page);
    found.push(...items.map(({ id }) => id));
    if (next !== undefined) ends.push(next.id);
    after = next;
  } while (after !== undefined);
  return { found, ends };
}

/** A database with that many equal transactions, and as the last in both orders one of Nora. */
function withNora(count: number, { description = 'Rent', contact = 'Ann' } = {}): Workshop {
  const shop = new Workshop();
  shop.db
    .prepare<unknown[]>(
      `insert into transactions (organisation_id, provider, external_id, date, description, contact,
         amount_minor, status, allocated_minor, created_at, updated_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       select ?, 'api', i, '2026-01-31', ?, ?, 100, 'unallocated', 0, ?, ? from n`,
    )
    .run(count, shop.organisation.id, description, contact, shop.nowMs, shop.nowMs);
  shop.nowMs += 1000;
  shop.push(rows(1, () => ({ ...NORA })));
  return shop;
}

const NORA = { date: '2025-01-01', description: 'the needle', contact: 'Nora', accountCode: 'N' };
const COUNT = STRETCH.work + 5000;

describe('4 a stretch of a list does a limited amount of work', () => {
  const shop = withNora(COUNT);
  const records = STRETCH.work / STRETCH.recordWork;
  const cases: [filters: TransactionFilters, order: TransactionOrder, entries: number][] = [
    [{ contact: 'Nora' }, 'date', STRETCH.work],
    [{ accountCode: 'N', provider: 'api', statuses: ['unallocated'] }, 'date', STRETCH.work],
    [{ contact: 'Nora', updatedSinceMs: 0 }, 'date', records],
    [{ contact: 'Nora' }, 'updatedAt', records],
    [{ to: '2025-12-31' }, 'updatedAt', records],
  ];
  for (const [filters, order, entries] of cases) {
    it(`${JSON.stringify(filters)} by ${order} ends after ${entries} entries`, () => {
      const { found, ends } = readAll(shop, filters, order);
      assert.deepEqual(found, [COUNT + 1]);
      const wanted = Array.from({ length: Math.floor(COUNT / entries) }, (_, at) => {
        return (at + 1) * entries;
      });
      assert.deepEqual(ends, wanted);
    });
  }

  it('the work can be less than usual, and the stretches still find all', () => {
    const { found, ends } = readAll(shop, { contact: 'Nora' }, 'date', 700);
    assert.deepEqual(found, [COUNT + 1]);
    assert.deepEqual(ends.slice(0, 3), [700, 1400, 2100]);
    const work = 1000 * STRETCH.recordWork;
    const byUpdate = readAll(shop, { contact: 'Nora' }, 'updatedAt', work).ends;
    assert.deepEqual(byUpdate.slice(0, 2), [1000, 2000]);
  });

  it('a search is also limited by the length of what it compares', () => {
    const short = withNora(3000, { description: 'ΐ', contact: '漢' });
    assert.deepEqual(readAll(short, { search: 'NEEDLE' }), { found: [3001], ends: [] });
    const long = withNora(3000, { description: 'ΐ'.repeat(1000), contact: '漢' });
    const longest =
      STRETCH.work / (STRETCH.recordWork + 1000 / STRETCH.searchedUnits) + STRETCH.searchedRecords;
    for (const order of ['date', 'updatedAt'] as const) {
      const { found, ends } = readAll(long, { search: 'NEEDLE' }, order);
      assert.deepEqual(found, [3001]);
      const lengths = ends.map((end, at) => end - (ends[at - 1] ?? 0));
      assert.ok(Math.max(...lengths) <= longest, String(lengths));
      assert.ok(lengths.length <= 3000 / (longest - 2 * STRETCH.searchedRecords), String(lengths));
    }
  });

  const sought: TransactionFilters[] = [
    { statuses: ['needs_review', 'excluded'] },
    { statuses: ['excluded'], contact: 'Nora' },
    { statuses: [] },
    { to: '2025-12-31' },
    { externalId: 'INV-0' },
    { ids: [COUNT + 1] },
    { updatedSinceMs: shop.nowMs, search: 'needle' },
  ];
  for (const filters of sought) {
    it(`${JSON.stringify(filters)} is found at once`, () => {
      const { found, ends } = readAll(shop, filters, 'date', 1);
      assert.deepEqual(found, 'statuses' in filters ? [] : [COUNT + 1]);
      assert.deepEqual(ends, []);
    });
  }

  it('a stretch ends where its page is full', () => {
    const page = { filters: { provider: 'api' }, order: 'date', limit: 3 } as const;
    assert.equal(pageOfTransactions(shop, page).next?.id, 3);
  });
});
