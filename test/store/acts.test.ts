import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { CHANGED_TRANSACTIONS } from '../../src/core/limits.ts';
import { ChangeRefused } from '../../src/core/refusals.ts';
import { type Change, changeAll, previewChange } from '../../src/store/acts.ts';
import { listAuditEntries } from '../../src/store/audit.ts';
import { undoing } from '../../src/store/undo.ts';
import {
  allocationChange,
  exclusionChange,
  type ReviewRequest,
  restoreChange,
  reviewChange,
  saveAllocations,
} from './single-changes.ts';
import { folderFor, refusal, row, rows, Workshop } from './workshop.ts';

/** Requests to allocate transactions in full to a line, as if they had just been seen. */
function requestsFor(shop: Workshop, budgetLineId: number, ids: readonly number[]) {
  return ids.map((transactionId) => ({
    transactionId,
    seenUpdatedAtMs: shop.transaction(transactionId).updatedAtMs,
    drafts: [{ budgetLineId, note: null }],
  }));
}

/** The refusal of a change. */
function refusalOf(change: () => unknown): ChangeRefused {
  try {
    change();
  } catch (error) {
    if (error instanceof ChangeRefused) return error;
    throw error;
  }
  return assert.fail('not refused');
}

const last = (shop: Workshop) => listAuditEntries(shop, 0).at(-1);

describe('changing several transactions in one act', () => {
  it('allocates, excludes and restores all of them, each with one audit entry', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.push(rows(4));
    const allocation = allocationChange(shop, requestsFor(shop, a, [1, 2]));
    const changed = changeAll(shop, allocation, shop.actor());
    assert.deepEqual(
      changed.map(({ id, status, updatedAtMs }) => [id, status, updatedAtMs]),
      [1, 2].map((id) => [id, 'allocated', last(shop)?.atMs]),
    );
    assert.deepEqual(
      [last(shop)?.action, last(shop)?.subject, last(shop)?.details.changes.length],
      ['transactions.allocated', null, 2],
    );
    const out = [3, 4].map((transactionId) => ({ transactionId, reason: 'Own transfer' }));
    changeAll(shop, exclusionChange(shop, out), shop.actor());
    assert.deepEqual(
      [last(shop)?.action, shop.transaction(3).status],
      ['transactions.excluded', 'excluded'],
    );
    changeAll(shop, restoreChange(out), shop.actor());
    assert.deepEqual(
      [last(shop)?.action, shop.transaction(4).status],
      ['transactions.restored', 'unallocated'],
    );
    shop.check();
  });

  it('returns the transactions as they are then stored', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const stored = () => [1, 2].map((id) => shop.transaction(id));
    const undoLast = () => changeAll(shop, undoing(shop, last(shop)?.atMs ?? 0), shop.actor());
    const act = (change: Change) => changeAll(shop, change, shop.actor());
    const targets = [1, 2].map((transactionId) => ({ transactionId }));
    shop.push(rows(2));
    const allocation = allocationChange(shop, requestsFor(shop, a, [1, 2]));
    assert.deepEqual(changeAll(shop, allocation, shop.actor()), stored());
    shop.push(rows(2, (index) => ({ amount: 80 - index })));
    assert.equal(shop.transaction(1).status, 'needs_review');
    const reviews = targets.map((each) => ({ ...each, resolution: 'clear' }) as const);
    assert.deepEqual(changeAll(shop, reviewChange(shop, reviews), shop.actor()), stored());
    assert.deepEqual(undoLast(), stored());
    assert.equal(shop.transaction(1).status, 'needs_review');
    assert.deepEqual(undoLast(), stored());
    const out = targets.map((each) => ({ ...each, reason: 'Own transfer' }));
    const exclusion = exclusionChange(shop, out);
    assert.deepEqual(changeAll(shop, exclusion, shop.actor()), stored());
    assert.deepEqual(act(restoreChange(targets)), stored());
    assert.deepEqual(undoLast(), stored());
    assert.equal(shop.transaction(1).status, 'excluded');
    shop.check();
  });

  it('refuses an allocation to a line that is not there, with nothing written', () => {
    const shop = new Workshop();
    shop.project();
    const other = shop.addOrganisation();
    const [theirs = 0] = shop.project(['A'], other);
    shop.push(rows(2));
    const before = shop.everything();
    for (const budgetLineId of [theirs, 99]) {
      const change: Change = {
        requests: [{ transactionId: 1 }, { transactionId: 2 }],
        together: 'transactions.allocated',
        decide: ({ amountMinor }) => ({
          action: 'transaction.allocated',
          shares: [{ budgetLineId, amountMinor, note: null }],
        }),
      };
      assert.throws(() => changeAll(shop, change, shop.actor()), /NOT NULL/);
    }
    assert.equal(shop.everything(), before);
  });

  it('settles reviews, each in its own way', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.push(rows(3));
    for (const id of [1, 2, 3]) shop.allocate(id, [[a, 5000]]);
    shop.push(rows(3, () => ({ amount: 200 })));
    const resolutions = ['keep', 'rescale', 'clear'] as const;
    const requests = resolutions.map((resolution, index): ReviewRequest => {
      return { transactionId: index + 1, resolution };
    });
    changeAll(shop, reviewChange(shop, requests), shop.actor());
    assert.deepEqual(
      [1, 2, 3].map((id) => shop.transaction(id).allocatedMinor),
      [5000, 10_000, 0],
    );
    assert.equal(last(shop)?.action, 'reviews.settled');
    shop.check();
  });

  it('changes none if one is refused, and names each one with its reason', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.push(rows(4));
    shop.allocate(2, [[a, 1]]);
    const requests = [1, 2, 3, 99].map((transactionId) => ({ transactionId, reason: 'Copy' }));
    changeAll(shop, exclusionChange(shop, requests.slice(2, 3)), shop.actor());
    const before = shop.everything();
    const change = exclusionChange(shop, requests);
    const refused = refusalOf(() => changeAll(shop, change, shop.actor()));
    assert.equal(refused.code, 'conflict');
    assert.match(refused.message, /^3 of 4 changes cannot be made, so nothing was changed\. /);
    assert.deepEqual(
      refused.refusals.map(({ subject, code }) => [subject, code]),
      [
        ['txn_0000000002', 'conflict'],
        ['txn_0000000003', 'conflict'],
        ['txn_0000000033', 'not_found'],
      ],
    );
    assert.deepEqual(
      refused.details.map(({ field, message }) => [field, message]),
      refused.refusals.map(({ subject, message }) => [subject, message]),
    );
    assert.equal(shop.everything(), before);
  });

  it('has the code that all refusals share', () => {
    const shop = new Workshop();
    const theirs = shop.addOrganisation();
    shop.push(rows(2), { org: theirs });
    const requests = [1, 2].map((transactionId) => ({ transactionId }));
    const refused = refusalOf(() => changeAll(shop, restoreChange(requests), shop.actor()));
    assert.equal(refused.code, 'not_found');
  });

  it('refuses the budget line of another organisation before it writes', () => {
    const shop = new Workshop();
    const theirs = shop.addOrganisation();
    const [line = 0] = shop.project(['A'], theirs);
    shop.push(rows(2));
    const before = shop.everything();
    const change = allocationChange(shop, requestsFor(shop, line, [1, 2]));
    const refused = refusalOf(() => changeAll(shop, change, shop.actor()));
    assert.deepEqual([refused.code, refused.refusals.length], ['not_found', 2]);
    assert.equal(shop.everything(), before);
  });

  it('refuses none, too many, and the same one twice', () => {
    const shop = new Workshop();
    shop.pushOne({});
    const many = Array.from({ length: CHANGED_TRANSACTIONS + 1 }, (_, index) => index + 1);
    for (const [ids, message] of [
      [[], /1 to 500 transactions/],
      [many, /not 501/],
      [[1, 1], /twice/],
    ] as const) {
      const change = restoreChange(ids.map((transactionId) => ({ transactionId })));
      const act = () => changeAll(shop, change, shop.actor());
      assert.throws(act, refusal('invalid_input', message));
    }
  });
});

describe('a change of what has been seen', () => {
  it('is refused when the transaction has changed since, with what it is now', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    const id = shop.pushOne({});
    const [request] = requestsFor(shop, a, [id]);
    assert.ok(request);
    shop.pushOne({ amount: 120 });
    const before = shop.everything();
    const refused = refusalOf(() => saveAllocations(shop, request, shop.actor()));
    assert.deepEqual(
      [refused.code, refused.message, refused.refusals[0]?.now],
      [
        'conflict',
        'txn_0000000001 has changed since you looked at it. Look at it again first.',
        shop.transaction(id),
      ],
    );
    assert.equal(shop.everything(), before);
    const [again] = requestsFor(shop, a, [id]);
    assert.ok(again);
    assert.equal(saveAllocations(shop, again, shop.actor()).allocatedMinor, 12_000);
  });

  it('is refused for each of several that has changed, also by another process', (t) => {
    const file = join(folderFor(t), 'shared.db');
    const one = new Workshop(file);
    const two = new Workshop(file);
    const { db, organisation: org } = one;
    const [a = 0] = one.project();
    one.push(rows(3));
    const change = allocationChange(one, requestsFor(one, a, [1, 2, 3]));
    two.allocate(2, [[a, 1]], org);
    const refused = refusalOf(() => changeAll(one, change, one.actor()));
    assert.deepEqual(
      refused.refusals.map(({ subject }) => subject),
      ['txn_0000000002'],
    );
    assert.equal(one.transaction(1).status, 'unallocated');
    assert.equal(
      changeAll(one, allocationChange(one, requestsFor(one, a, [1, 2, 3])), one.actor()).length,
      3,
    );
    two.db.close();
    one.check();
    db.close();
  });
});

describe('a preview', () => {
  it('shows what a change would do and refuse, and writes nothing', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    shop.push(rows(3));
    shop.allocate(1, [
      [a, 4000],
      [b, 6000],
    ]);
    shop.allocate(2, [[a, 10_000]]);
    shop.push(rows(2, (index) => ({ amount: index === 0 ? 50 : 0 })));
    const before = shop.everything();
    const requests = [1, 2, 3].map((transactionId): ReviewRequest => {
      return { transactionId, resolution: 'rescale' };
    });
    const { planned, refusals } = previewChange(shop, reviewChange(shop, requests));
    assert.deepEqual(
      planned.map(({ transaction, before: was, after, allocatedMinor, status }) => [
        transaction.id,
        was.map(({ amountMinor }) => amountMinor),
        after.map(({ amountMinor }) => amountMinor),
        allocatedMinor,
        status,
      ]),
      [
        [1, [4000, 6000], [2000, 3000], 5000, 'allocated'],
        [2, [10_000], [], 0, 'unallocated'],
      ],
    );
    assert.deepEqual(
      refusals.map(({ subject, code }) => [subject, code]),
      [['txn_0000000003', 'conflict']],
    );
    assert.equal(shop.everything(), before);
  });

  it('is applied exactly as shown, or refused', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.push(rows(2));
    for (const id of [1, 2]) shop.allocate(id, [[a, 5000]]);
    shop.push(rows(2, () => ({ amount: 50 })));
    const requests = [1, 2].map((transactionId): ReviewRequest => {
      return { transactionId, resolution: 'rescale' };
    });
    const preview = () => previewChange(shop, reviewChange(shop, requests)).planned;
    const shown = preview();
    const seen = (planned: typeof shown) =>
      requests.map((request, at) => {
        return { ...request, seenUpdatedAtMs: planned[at]?.transaction.updatedAtMs };
      });
    shop.push([row({ externalId: 'INV-1', amount: 60 })]);
    const stale = reviewChange(shop, seen(shown));
    const refused = refusalOf(() => changeAll(shop, stale, shop.actor()));
    assert.deepEqual(
      refused.refusals.map(({ subject }) => subject),
      ['txn_0000000002'],
    );
    const fresh = preview();
    const changed = changeAll(shop, reviewChange(shop, seen(fresh)), shop.actor());
    assert.deepEqual(
      changed.map(({ allocatedMinor, status }) => [allocatedMinor, status]),
      fresh.map(({ allocatedMinor, status }) => [allocatedMinor, status]),
    );
    shop.check();
  });
});
