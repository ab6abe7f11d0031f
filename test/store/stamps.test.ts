import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import { storeOrganisationChange } from '../../src/store/organisations.ts';
import { findProject, pageOfProjects } from '../../src/store/projects.ts';
import { storeBatch } from '../../src/store/push.ts';
import { pageOfTransactions } from '../../src/store/transactions.ts';
import { Random } from '../core/random.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from './single-changes.ts';
import { folderFor, row, rows, START_MS, Workshop, YEAR } from './workshop.ts';

const HOUR_MS = 3_600_000;

function lastWrite({ db, organisation }: Workshop): number {
  const text = 'select last_write_at from organisations where id = ?';
  return db.prepare<[number], number>(text).pluck().get(organisation.id) ?? 0;
}

/** One write of each kind, in an order in which all of them work. */
function writesOf(shop: Workshop): (() => unknown)[] {
  const one = { transactionId: 1 };
  const key = { name: 'erp', scopes: ['projects:read'], expiresAtMs: null } as const;
  const line = { code: 'A', name: 'A', accountCodes: ['A'] };
  return [
    () => shop.import({ ...YEAR, budgetLines: [line, { code: 'B', name: 'B' }] }),
    () => shop.import({ ...YEAR, budgetLines: [line] }),
    () => shop.push([row({ accountCode: 'A' }), row({ externalId: 'B' })]),
    () => shop.push([row({ accountCode: 'A', amount: 2 })]),
    () => shop.allocateByCode(),
    () => shop.push([row({ accountCode: 'A', amount: 3 })]),
    () => resolveReview(shop, { ...one, resolution: 'rescale' }, shop.actor()),
    () => shop.allocate(1, []),
    () => excludeTransaction(shop, { ...one, reason: 'x' }, shop.actor()),
    () => restoreTransaction(shop, { transactionId: 1 }, shop.actor()),
    () => storeNewKey(shop, key, shop.actor()),
    () => storeRevocation(shop, 1, shop.actor()),
    () => storeOrganisationChange(shop, { member: 'plan', value: 'free' }, shop.actor()),
  ];
}

describe('contract 4: every write has a later stamp than all earlier ones', () => {
  const clocks: [what: string, move: (shop: Workshop) => void][] = [
    ['advances', (shop) => (shop.nowMs += 1000)],
    ['stands still', () => {}],
    ['goes back', (shop) => (shop.nowMs -= HOUR_MS)],
  ];
  for (const [what, move] of clocks) {
    it(`4 while the clock ${what}: each kind of write takes one stamp`, () => {
      const shop = new Workshop();
      for (const write of writesOf(shop)) {
        const before = lastWrite(shop);
        move(shop);
        write();
        const stampMs = lastWrite(shop);
        assert.equal(stampMs, Math.max(shop.nowMs, before + 1), String(write));
        const entries = listAuditEntries(shop, before + 1);
        assert.deepEqual([...new Set(entries.map(({ atMs }) => atMs))], [stampMs]);
      }
      shop.check();
    });
  }

  it('4 reviews, allocations and projects have the stamp of the write', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[a, 100]]);
    shop.nowMs -= HOUR_MS;
    shop.pushOne({ amount: 50 });
    const { review, updatedAtMs } = shop.transaction(1);
    assert.deepEqual([review?.changedAtMs, updatedAtMs], [lastWrite(shop), lastWrite(shop)]);
    shop.import(
      [
        { ...YEAR, description: 'new' },
        { ...YEAR, name: 'Second' },
      ].slice(1),
    );
    assert.equal(findProject(shop, 2)?.createdAtMs, lastWrite(shop));
    const updatedSinceMs = lastWrite(shop);
    const page = { limit: 9, updatedSinceMs };
    assert.equal(pageOfProjects(shop, page).items.length, 1);
  });

  it('4 with two processes whose clocks differ by an hour', (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    const shop = new Workshop(file);
    const other = openDatabase({ file, create: false, busyTimeoutMs: 20 });
    let last = 0;
    for (let amount = 1; amount < 20; amount += 1) {
      if (amount % 2 === 0) shop.pushOne({ amount });
      else {
        const late = { ...shop.actor(), nowMs: START_MS - HOUR_MS };
        const batch = { rows: [row({ amount })], provider: 'api', dryRun: false } as const;
        storeBatch({ db: other, organisation: shop.organisation }, batch, late);
      }
      const { updatedAtMs } = shop.transaction(1);
      assert.ok(updatedAtMs > last);
      last = updatedAtMs;
    }
    other.close();
    shop.db.close();
  });

  it('4 a write that changes nothing keeps updatedAt, and a dry run writes nothing', () => {
    const shop = new Workshop();
    shop.project();
    shop.push([row()]);
    const before = shop.everything();
    shop.nowMs += 1000;
    shop.project();
    storeOrganisationChange(shop, { member: 'plan', value: 'professional' }, shop.actor());
    shop.push([row({ amount: 7 }), row({ externalId: 'new' })], { dryRun: true });
    assert.equal(shop.everything(), before);
    const { updatedAtMs } = shop.transaction(1);
    shop.push([row()]);
    assert.equal(shop.transaction(1).updatedAtMs, updatedAtMs);
  });

  it('4 organisations have independent stamps', () => {
    const shop = new Workshop();
    const theirs = shop.addOrganisation('GBP', 'Theirs');
    shop.nowMs += HOUR_MS;
    shop.push([row()]);
    shop.nowMs -= HOUR_MS;
    assert.equal(shop.transaction(shop.pushOne({}, theirs), theirs).updatedAtMs, START_MS + 1);
  });
});

describe('contract 4: a follower of changes', () => {
  const random = new Random(8);
  for (let round = 0; round < 20; round += 1) {
    it(`4 misses nothing after the largest updatedAt seen, round ${round}`, () => {
      const shop = new Workshop();
      const seen = new Map<number, number>();
      let largest = 0;
      const read = () => {
        const filters = { updatedSinceMs: largest + 1 };
        const page = { filters, order: 'updatedAt', limit: 1000 } as const;
        const { items } = pageOfTransactions(shop, page);
        for (const { id, amountMinor, updatedAtMs } of items) {
          seen.set(id, amountMinor);
          largest = Math.max(largest, updatedAtMs);
        }
      };
      for (let step = 0; step < 30; step += 1) {
        shop.nowMs += random.whole(0, 2) * 1000 - 1000;
        const first = random.whole(0, 4);
        const amount = step + 1;
        shop.push(rows(3, (index) => ({ externalId: `INV-${first + index}`, amount })));
        if (random.whole(0, 2) === 0) read();
      }
      read();
      const { items } = pageOfTransactions(shop, {
        filters: {},
        order: 'date',
        limit: 1000,
      });
      assert.deepEqual(
        items.map(({ id }) => [id, seen.get(id)]),
        items.map(({ id, amountMinor }) => [id, amountMinor]),
      );
    });
  }

  it('4 sees a change in the same millisecond, made between two pages', () => {
    const shop = new Workshop();
    shop.push(rows(4));
    const page = { filters: {}, order: 'updatedAt', limit: 2 } as const;
    const first = pageOfTransactions(shop, page);
    shop.push(rows(4, () => ({ amount: 5 })).slice(0, 1));
    const second = pageOfTransactions(shop, { ...page, after: first.next });
    const third = pageOfTransactions(shop, { ...page, after: second.next });
    assert.deepEqual(
      [first, second, third].map(({ items }) => items.map(({ id }) => id)),
      [[1, 2], [3, 4], [1]],
    );
    assert.equal(third.items[0]?.amountMinor, 500);
  });
});
