import assert from 'node:assert/strict';
import { it } from 'node:test';
import { newestFirst } from '../../src/core/calendar.ts';
import {
  findBeside,
  listTransactions,
  sortByAmount,
  type TransactionFilter,
} from '../../src/operations/transactions.ts';
import { finish } from '../../src/operations/turns.ts';
import type { TransactionRecord } from '../../src/store/transactions.ts';
import { Random } from '../core/random.ts';
import { row, Workshop } from '../store/workshop.ts';

/** All transactions of the workshop. */
function listOf(shop: Workshop, filter: TransactionFilter): TransactionRecord[] {
  const items: TransactionRecord[] = [];
  let cursor: string | undefined;
  do {
    const page = finish(listTransactions(shop, { ...filter, limit: 1000, cursor }));
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}

/** Two thousand, of few amounts and days. */
function fill(random: Random): Workshop {
  const shop = new Workshop();
  for (let part = 0; part < 4; part += 1) {
    const rows = Array.from({ length: 500 }, (_, at) => {
      const amount = random.pick([0, 1, -1, 2, -2, 1000, random.whole(1, 60)]);
      const date = `2026-0${random.whole(1, 9)}-1${random.whole(0, 9)}`;
      const contact = random.pick(['Ann', 'Zoë', null]);
      return row({ externalId: `${part}-${at}`, amount, date, contact });
    });
    shop.push(rows);
  }
  return shop;
}

for (const [how, filter] of [
  ['the table as it is stored', { search: 'a' }],
  ['an index', { contact: 'Zoë' }],
] as const) {
  it(`lists by amount read ${how}: any part, and the neighbours of each`, () => {
    const random = new Random(7);
    const shop = fill(random);
    const all = listOf(shop, filter);
    assert.ok(all.length > 500);
    for (const byAmount of ['largest', 'smallest'] as const) {
      const sign = byAmount === 'largest' ? -1 : 1;
      const sorted = [...all].sort(
        (one, other) =>
          sign * (Math.abs(one.amountMinor) - Math.abs(other.amountMinor)) ||
          newestFirst(one.date) - newestFirst(other.date) ||
          one.id - other.id,
      );
      const ids = sorted.map(({ id }) => id);
      for (const [skip, limit] of [
        ...[[0, 1] as const, [0, 41] as const, [40, 41] as const, [0, all.length + 1] as const],
        ...[[all.length - 3, 41] as const, [all.length + 5, 41] as const],
      ]) {
        const part = finish(sortByAmount(shop, { ...filter, byAmount }, { skip, limit }));
        assert.deepEqual(part, ids.slice(skip, skip + limit), `${byAmount}, ${skip}`);
      }
      for (let turn = 0; turn < 40; turn += 1) {
        const at = random.pick([0, ids.length - 1, random.whole(0, ids.length - 1)]);
        const record = sorted[at];
        assert.ok(record !== undefined);
        const beside = (isBefore: boolean) =>
          finish(findBeside(shop, { ...filter, byAmount }, record, isBefore));
        assert.deepEqual([beside(true), beside(false)], [ids[at - 1], ids[at + 1]]);
      }
    }
  });
}
