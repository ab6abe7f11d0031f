import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ReviewResolution } from '../../src/core/allocations.ts';
import { formatInstant } from '../../src/core/calendar.ts';
import { pageOfAllocations } from '../../src/store/allocations.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from './single-changes.ts';
import { refusal, row, START_MS, Workshop } from './workshop.ts';

function exclude(shop: Workshop, transactionId = 1) {
  const request = { transactionId, reason: 'Own transfer' };
  return excludeTransaction(shop, request, shop.actor());
}

function restore(shop: Workshop, transactionId = 1) {
  return restoreTransaction(shop, { transactionId }, shop.actor());
}

function resolve(shop: Workshop, resolution: ReviewResolution, transactionId = 1) {
  return resolveReview(shop, { transactionId, resolution }, shop.actor());
}

/** A transaction of 100.00 with 60.00 and 40.00 allocated, under review as it became `amount`. */
function underReview(amount: number, parts: readonly number[] = [6000, 4000]) {
  const shop = new Workshop();
  const lines = shop.project(['A', 'B', 'C']);
  const id = shop.pushOne({});
  shop.allocate(
    id,
    parts.map((part, index) => [lines[index] ?? 0, part] as const),
  );
  shop.nowMs += 1000;
  shop.push([row({ amount })]);
  shop.nowMs += 1000;
  return { shop, amounts: () => shop.shares().map(([, minor]) => minor) };
}

describe('contract 5: excluding and restoring', () => {
  it('5 a transaction stays excluded until it is restored', () => {
    const shop = new Workshop();
    shop.pushOne({});
    shop.nowMs += 1000;
    const excluded = exclude(shop);
    assert.deepEqual([excluded.status, excluded.updatedAtMs], ['excluded', START_MS + 1000]);
    assert.deepEqual(
      { ...shop.hidden(1), raw_data: 0 },
      {
        raw_data: 0,
        excluded_at: START_MS + 1000,
        excluded_by: 'key_0000000001',
        excluded_reason: 'Own transfer',
      },
    );
    shop.check();
    shop.nowMs += 1000;
    const restored = restore(shop);
    assert.deepEqual([restored.status, restored.updatedAtMs], ['unallocated', START_MS + 2000]);
    const { excluded_at: at, excluded_by: by, excluded_reason: reason } = shop.hidden(1);
    assert.deepEqual([at, by, reason], [null, null, null]);
    shop.check();
  });

  it('5 the audit log records both, with the reason', () => {
    const shop = new Workshop();
    shop.pushOne({});
    shop.nowMs += 1000;
    exclude(shop);
    restore(shop);
    const subject = 'txn_0000000001';
    const active = { status: 'unallocated', excluded: null };
    const out = { status: 'excluded', excluded: { reason: 'Own transfer' } };
    const first = { subject, previousAt: '2026-01-31T12:00:00.000Z' };
    const second = { subject, previousAt: '2026-01-31T12:00:01.000Z' };
    assert.deepEqual(
      listAuditEntries(shop, shop.nowMs).map(({ action, subject, details }) => {
        return [action, subject, details];
      }),
      [
        ['transaction.excluded', subject, { changes: [{ ...first, before: active, after: out }] }],
        ['transaction.restored', subject, { changes: [{ ...second, before: out, after: active }] }],
      ],
    );
  });

  it('5 a transaction with allocations cannot be excluded, even under review', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.allocate(shop.pushOne({}), [[a, 1]]);
    assert.throws(
      () => exclude(shop),
      refusal('conflict', /has .* GBP allocated\. Run `budgetd allocate txn_\w+ --none` first/),
    );
    shop.push([row({ amount: 5 })]);
    const before = shop.everything();
    assert.throws(
      () => exclude(shop),
      refusal('conflict', /has .* GBP allocated\. Run `budgetd allocate txn_\w+ --none` first/),
    );
    assert.equal(shop.everything(), before);
    shop.allocate(1, []);
    assert.equal(exclude(shop).status, 'excluded');
  });

  it('5 excluding twice, or restoring one that is not excluded, changes nothing', () => {
    const shop = new Workshop();
    shop.pushOne({});
    assert.throws(() => restore(shop), refusal('conflict', /not excluded/));
    exclude(shop);
    const before = shop.everything();
    assert.throws(() => exclude(shop), refusal('conflict', /already excluded/));
    assert.throws(() => exclude(shop, 99), refusal('not_found'));
    assert.throws(() => restore(shop, 99), refusal('not_found'));
    assert.equal(shop.everything(), before);
  });

  it('4 an amount of zero can be excluded like any other', () => {
    const shop = new Workshop();
    shop.pushOne({ amount: 0 });
    assert.equal(exclude(shop).status, 'excluded');
    shop.check();
  });
});

describe('contract 5: resolving a review', () => {
  it('5 keep: the allocations are unchanged if they fit', () => {
    const { shop, amounts } = underReview(150);
    const kept = resolve(shop, 'keep');
    assert.deepEqual(
      [kept.status, kept.review, kept.allocatedMinor, kept.updatedAtMs],
      ['partially_allocated', null, 10_000, shop.nowMs],
    );
    assert.deepEqual(amounts(), [6000, 4000]);
    shop.check();
  });

  it('5 keep: fully allocated again if the old amount returns', () => {
    const { shop } = underReview(150);
    shop.push([row({ amount: 100 })]);
    assert.equal(resolve(shop, 'keep').status, 'allocated');
    shop.check();
  });

  for (const amount of [99.99, 0, -100]) {
    it(`5 keep is refused when the allocations no longer fit: ${amount}`, () => {
      const { shop } = underReview(amount);
      const before = shop.everything();
      assert.throws(
        () => resolve(shop, 'keep'),
        refusal(
          'conflict',
          /^txn_\w+ is .*\. Rescale, replace or clear the allocations instead\.$/,
        ),
      );
      assert.equal(shop.everything(), before);
    });
  }

  const rescaled: [amount: number, parts: number[], wanted: number[], status: string][] = [
    [150, [6000, 4000], [9000, 6000], 'allocated'],
    [0.01, [6000, 4000], [1], 'allocated'],
    [100.01, [3333, 3333, 3334], [3333, 3333, 3335], 'allocated'],
    [-100, [6000, 4000], [-6000, -4000], 'allocated'],
    [0, [6000, 4000], [], 'unallocated'],
    [200, [3000], [6000], 'partially_allocated'],
    [0.01, [3000], [], 'unallocated'],
    [0.01, [7000], [1], 'allocated'],
  ];
  for (const [amount, parts, wanted, status] of rescaled) {
    it(`5 rescale: [${parts}] of 100.00 become [${wanted}] of ${amount}`, () => {
      const { shop, amounts } = underReview(amount, parts);
      const { review, ...record } = resolve(shop, 'rescale');
      assert.deepEqual([record.status, review], [status, null]);
      assert.deepEqual(amounts(), wanted);
      assert.equal(
        record.allocatedMinor,
        wanted.reduce((all, each) => all + each, 0),
      );
      shop.check();
    });
  }

  it('5 rescale keeps the identifier, note and creation time of each allocation', () => {
    const { shop } = underReview(150);
    const list = () => pageOfAllocations(shop, { projectId: 1, limit: 9 }).items;
    const before = list();
    resolve(shop, 'rescale');
    assert.deepEqual(
      list(),
      before.map((each) => {
        return { ...each, amountMinor: each.amountMinor * 1.5, updatedAtMs: shop.nowMs };
      }),
    );
  });

  it('5 clear removes them', () => {
    const { shop, amounts } = underReview(150);
    const cleared = resolve(shop, 'clear');
    assert.deepEqual([cleared.status, cleared.review], ['unallocated', null]);
    assert.deepEqual(amounts(), []);
    shop.check();
  });

  it('5 replace: new allocations end it', () => {
    const { shop, amounts } = underReview(50);
    const [a = 0] = shop.shares().map(([line]) => line);
    const replaced = shop.allocate(1, [[a, 5000]]);
    assert.deepEqual([replaced.status, replaced.review], ['allocated', null]);
    assert.deepEqual(amounts(), [5000]);
    shop.check();
  });

  it('5 replace accepts at most the new amount; a refusal leaves the review open', () => {
    const { shop } = underReview(50);
    const [a = 0] = shop.shares().map(([line]) => line);
    const before = shop.everything();
    assert.throws(() => shop.allocate(1, [[a, 5001]]), refusal('invalid_input'));
    assert.equal(shop.everything(), before);
  });

  it('4 the next review starts from the confirmed amount', () => {
    const { shop } = underReview(150);
    shop.push([row({ amount: 200 })]);
    assert.equal(shop.transaction(1).review?.previousMinor, 10_000);
    resolve(shop, 'keep');
    shop.nowMs += 1000;
    shop.push([row({ amount: 300 })]);
    const review = { previousMinor: 20_000, changedAtMs: shop.nowMs };
    assert.deepEqual(shop.transaction(1).review, review);
    resolve(shop, 'rescale');
    assert.deepEqual(
      shop.shares().map(([, minor]) => minor),
      [9000, 6000],
    );
    shop.check();
  });

  for (const resolution of ['keep', 'rescale', 'clear'] as const) {
    it(`5 ${resolution} is refused without a review`, () => {
      const shop = new Workshop();
      const [a = 0] = shop.project();
      shop.allocate(shop.pushOne({}), [[a, 1]]);
      const before = shop.everything();
      assert.throws(() => resolve(shop, resolution), refusal('conflict', /not under review/));
      assert.throws(() => resolve(shop, resolution, 99), refusal('not_found'));
      assert.equal(shop.everything(), before);
    });
  }

  it('5 the audit log records each resolution under its own name, with its result', () => {
    const names: Record<ReviewResolution, string> = {
      keep: 'review.kept',
      rescale: 'review.rescaled',
      clear: 'review.cleared',
    };
    for (const [resolution, action] of Object.entries(names) as [ReviewResolution, string][]) {
      const { shop } = underReview(150);
      const { changedAtMs } = shop.transaction(1).review ?? {};
      resolve(shop, resolution);
      const [entry] = listAuditEntries(shop, shop.nowMs);
      assert.deepEqual([entry?.action, entry?.subject], [action, 'txn_0000000001']);
      const [change] = entry?.details.changes ?? [];
      const { review, allocations = null } = change?.after ?? {};
      assert.equal(review, null);
      assert.deepEqual(change?.before?.['review'], {
        previousAmountMinor: 10_000,
        changedAt: formatInstant(changedAtMs ?? 0),
      });
      const wanted = { keep: -1, rescale: 2, clear: 0 }[resolution];
      assert.equal(Array.isArray(allocations) ? allocations.length : -1, wanted);
    }
    const { shop } = underReview(150);
    shop.allocate(1, []);
    assert.equal(listAuditEntries(shop, shop.nowMs)[0]?.action, 'review.replaced');
  });
});
