import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AUDIT_ACTIONS, explainNoUndo } from '../../src/core/audit.ts';
import { ChangeRefused } from '../../src/core/refusals.ts';
import { changeAll } from '../../src/store/acts.ts';
import { pageOfAllocations } from '../../src/store/allocations.ts';
import { listAuditEntries, listHistory, recordAudit } from '../../src/store/audit.ts';
import { storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import { storeOrganisationChange } from '../../src/store/organisations.ts';
import { KnownRules, takeRulings } from '../../src/store/rule-runs.ts';
import { undoing } from '../../src/store/undo.ts';
import {
  allocationChange,
  excludeTransaction,
  type ReviewRequest,
  resolveReview,
  restoreTransaction,
  reviewChange,
} from './single-changes.ts';
import { refusal, row, rows, Workshop, YEAR } from './workshop.ts';

const entries = (shop: Workshop) => listAuditEntries(shop, 0);
const lastMs = (shop: Workshop) => entries(shop).at(-1)?.atMs ?? 0;
const undo = (shop: Workshop, atMs = lastMs(shop)) => {
  return changeAll(shop, undoing(shop, atMs), shop.actor());
};

/** What can be seen of a transaction, apart from when it last changed. */
function facesOf(shop: Workshop, ids: readonly number[]) {
  return ids.map((transactionId) => {
    const { updatedAtMs: _, ...transaction } = shop.transaction(transactionId);
    const { items } = pageOfAllocations(shop, { transactionId, limit: 100 });
    const shares = items.map(({ budgetLineId, amountMinor, note }) => {
      return { budgetLineId, amountMinor, note };
    });
    return { transaction, shares, reason: shop.hidden(transactionId)['excluded_reason'] };
  });
}

/** A workshop with three transactions under review, allocated to two lines. */
function underReview(): { shop: Workshop; ids: number[] } {
  const shop = new Workshop();
  const [a = 0, b = 0] = shop.project();
  shop.push(rows(3));
  const ids = [1, 2, 3];
  for (const id of ids) {
    shop.allocate(id, [
      [a, 4000],
      [b, 5000],
    ]);
  }
  shop.push(rows(3, () => ({ amount: 200 })));
  return { shop, ids };
}

describe('undoing an act', () => {
  const acts: [name: string, act: (shop: Workshop) => unknown][] = [
    ['review.kept', (shop) => resolve(shop, 'keep')],
    ['review.rescaled', (shop) => resolve(shop, 'rescale')],
    ['review.cleared', (shop) => resolve(shop, 'clear')],
    ['review.replaced', (shop) => shop.allocate(1, [[2, 700]])],
  ];
  const actor = { name: 'library', requestId: null, nowMs: 0 };
  const resolve = (shop: Workshop, resolution: ReviewRequest['resolution']) => {
    return resolveReview(shop, { transactionId: 1, resolution }, actor);
  };
  for (const [name, act] of acts) {
    it(`${name}: the review and its allocations are back, and again after two more`, () => {
      const { shop } = underReview();
      const before = facesOf(shop, [1]);
      act(shop);
      const after = facesOf(shop, [1]);
      assert.equal(entries(shop).at(-1)?.action, name);
      assert.deepEqual(
        undo(shop).map(({ id }) => id),
        [1],
      );
      assert.deepEqual(facesOf(shop, [1]), before);
      shop.check();
      undo(shop);
      assert.deepEqual(facesOf(shop, [1]), after);
      undo(shop);
      assert.deepEqual(facesOf(shop, [1]), before);
      shop.check();
    });
  }

  it('of several reviews, as one act of its own', () => {
    const { shop, ids } = underReview();
    const before = facesOf(shop, ids);
    const requests = ids.map((transactionId): ReviewRequest => {
      return { transactionId, resolution: 'rescale' };
    });
    changeAll(shop, reviewChange(shop, requests), shop.actor());
    const atMs = lastMs(shop);
    undo(shop);
    assert.deepEqual(facesOf(shop, ids), before);
    const entry = entries(shop).at(-1);
    const { changes, ...facts } = entry?.details ?? assert.fail();
    assert.deepEqual(
      [entry?.action, entry?.subject, changes.length, facts],
      [
        'changes.undone',
        null,
        3,
        { undone: 'reviews.settled', undoneAt: new Date(atMs).toISOString() },
      ],
    );
    assert.deepEqual(
      listHistory(shop, 'txn_0000000002')
        .map(({ action }) => action)
        .slice(-3),
      ['transactions.pushed', 'reviews.settled', 'changes.undone'],
    );
    shop.check();
  });

  it('exclusions and restores come back with their reason', () => {
    const shop = new Workshop();
    shop.push(rows(1));
    const free = facesOf(shop, [1]);
    excludeTransaction(shop, { transactionId: 1, reason: 'A copy' }, shop.actor());
    const excluded = facesOf(shop, [1]);
    undo(shop);
    assert.deepEqual(facesOf(shop, [1]), free);
    excludeTransaction(shop, { transactionId: 1, reason: 'A copy' }, shop.actor());
    restoreTransaction(shop, { transactionId: 1 }, shop.actor());
    undo(shop);
    assert.deepEqual(facesOf(shop, [1]), excluded);
    shop.check();
  });

  it('a step of allocating by account code', () => {
    const shop = new Workshop();
    shop.project();
    shop.push(rows(4, (index) => ({ accountCode: index < 3 ? 'A' : 'none' })));
    const before = facesOf(shop, [1, 2, 3, 4]);
    const { atMs } = takeRulings(shop, { limit: 10, known: new KnownRules() }, shop.actor());
    assert.equal(atMs, lastMs(shop));
    assert.equal(undo(shop, atMs).length, 3);
    assert.deepEqual(facesOf(shop, [1, 2, 3, 4]), before);
    shop.check();
  });

  it('an allocation that is still there keeps its identity', () => {
    const { shop } = underReview();

    const numbers = () => {
      return pageOfAllocations(shop, { transactionId: 1, limit: 9 }).items.map(({ id }) => id);
    };
    const before = numbers();
    resolve(shop, 'rescale');
    undo(shop);
    assert.deepEqual(numbers(), before);
  });
});

describe('undoing is refused', () => {
  it('for transactions that have changed since: none is undone, and each is named', () => {
    const shop = new Workshop();
    const [a = 0, b = 0] = shop.project();
    shop.push(rows(3));
    const requests = [1, 2, 3].map((transactionId) => {
      return { transactionId, drafts: [{ budgetLineId: a, note: null }] };
    });
    changeAll(shop, allocationChange(shop, requests), shop.actor());
    const atMs = lastMs(shop);
    shop.allocate(1, [[b, 100]]);
    shop.push([row({ externalId: 'INV-2', amount: 7 })]);
    const before = shop.everything();
    assert.throws(
      () => undo(shop, atMs),
      (error: unknown) => {
        assert.ok(error instanceof ChangeRefused);
        assert.equal(error.code, 'conflict');
        assert.match(error.message, /txn_0000000001 has changed since the change to undo\./);
        assert.deepEqual(
          error.refusals.map(({ subject, now }) => [subject, now]),
          [
            ['txn_0000000001', shop.transaction(1)],
            ['txn_0000000003', shop.transaction(3)],
          ],
        );
        return true;
      },
    );
    assert.equal(shop.everything(), before);
  });

  it('a second time', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.pushOne({});
    shop.allocate(1, [[a, 1]]);
    const atMs = lastMs(shop);
    undo(shop, atMs);
    assert.throws(() => undo(shop, atMs), refusal('conflict', /has changed since/));
  });

  it('when a line to which it was allocated has been removed', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.pushOne({});
    shop.allocate(1, [[a, 1]]);
    shop.allocate(1, []);
    const atMs = lastMs(shop);
    shop.import({ ...YEAR, budgetLines: [{ code: 'B', name: 'Line B' }] });
    const before = shop.everything();
    assert.throws(() => undo(shop, atMs), refusal('conflict', /line to which .* was removed/));
    assert.equal(shop.everything(), before);
  });

  it('for every other kind, with the way to get the same', () => {
    const shop = new Workshop();
    const cases: [act: () => unknown, message: RegExp][] = [
      [() => {}, /Creating an organisation cannot be undone/],
      [
        () => storeOrganisationChange(shop, { member: 'plan', value: 'free' }, shop.actor()),
        /Set the earlier plan again/,
      ],
      [() => shop.project(), /Creating a project cannot be undone/],
      [
        () => shop.import({ ...YEAR, budgetLines: [] }),
        /A change that added or removed budget lines cannot be undone/,
      ],
      [() => shop.pushOne({}), /A push cannot be undone/],
      [
        () =>
          storeNewKey(
            shop,
            { name: 'erp', scopes: ['projects:read'], expiresAtMs: null },
            shop.actor(),
          ),
        /Creating a key cannot be undone/,
      ],
      [() => storeRevocation(shop, 1, shop.actor()), /Revoking a key cannot be undone/],
    ];
    for (const [act, message] of cases) {
      act();
      assert.throws(() => undo(shop), refusal('invalid_input', message));
    }
  });

  it('for what is not about transactions, which restore-backup does not count either', () => {
    const undone = AUDIT_ACTIONS.filter((action) => explainNoUndo(action) === undefined);
    assert.deepEqual(
      undone.filter((action) => !/^(?:transactions?|reviews?|changes)\./.test(action)),
      [],
    );
  });

  it('for an act that schema version 1 recorded, without changes', () => {
    const shop = new Workshop();
    const act = { ...shop.actor(), stampMs: shop.nowMs };
    const details = { changes: [], budgetLines: 1 };
    const subject = 'txn_0000000001';
    recordAudit(shop, act, { action: 'transaction.allocated', subject, details });
    assert.throws(() => undo(shop), refusal('invalid_input', /an older budgetd made it/));
  });

  it('for a stamp without an act, and for the act of another organisation', () => {
    const shop = new Workshop();
    const [a = 0] = shop.project();
    shop.pushOne({});
    shop.allocate(1, [[a, 1]]);
    const theirs = shop.addOrganisation();
    const request = { atMs: lastMs(shop) };
    const before = shop.everything();
    assert.throws(
      () =>
        changeAll(
          { db: shop.db, organisation: theirs },
          undoing({ db: shop.db, organisation: theirs }, request.atMs),
          shop.actor(),
        ),
      refusal('not_found', /This change was not found/),
    );
    assert.throws(() => undo(shop, 7), refusal('not_found'));
    assert.equal(shop.everything(), before);
  });
});
