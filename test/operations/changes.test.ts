import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { guardWrites } from '../../src/database/database.ts';
import { failureOf } from '../../src/database/sqlite-errors.ts';
import { allocate, allocations } from '../../src/operations/allocations.ts';
import { changeAll, changeMany, inSteps } from '../../src/operations/changes.ts';
import {
  exclude,
  exclusions,
  restorations,
  restore,
  reviewEndings,
} from '../../src/operations/workflow.ts';
import type { Access } from '../../src/store/access.ts';
import { previewChange } from '../../src/store/acts.ts';
import { undoing } from '../../src/store/undo.ts';
import { refusal, rows, Workshop } from '../store/workshop.ts';

const [ONE, TWO] = [formatId('txn', 1), formatId('txn', 2)];
const A = formatId('bln', 1);

/** A workshop with a project and two transactions. */
function open() {
  const shop = new Workshop();
  shop.project();
  shop.push(rows(2));
  const access: Access = { db: shop.db, organisation: shop.organisation };
  const theirs: Access = { db: shop.db, organisation: shop.addOrganisation() };
  return { shop, access, theirs, actor: shop.actor() };
}

const both = <Rest extends object>(rest: Rest) => {
  return [ONE, TWO].map((transactionId) => ({ transactionId, ...rest }));
};

describe('changing several transactions by public identifiers', () => {
  it('allocates them, previews and settles their reviews, and undoes it', () => {
    const { shop, access, actor } = open();
    const wanted = both({ allocations: [{ budgetLineId: A, note: ' Half ', amountMinor: 5000 }] });
    const preview = previewChange(access, allocations(access, wanted));
    assert.deepEqual(
      preview.planned.map(({ after, status }) => [after[0]?.note, status]),
      [
        ['Half', 'partially_allocated'],
        ['Half', 'partially_allocated'],
      ],
    );
    const done = changeAll(access, allocations(access, wanted), actor);
    assert.deepEqual(
      done.map(({ allocatedMinor }) => allocatedMinor),
      [5000, 5000],
    );
    shop.push(rows(2, () => ({ amount: 20 })));
    const reviews = both({ resolution: 'rescale' as const });
    const shown = previewChange(access, reviewEndings(access, reviews)).planned;
    const seen = reviews.map((review, at) => {
      return { ...review, seenUpdatedAtMs: shown[at]?.transaction.updatedAtMs };
    });
    const [settled] = changeAll(access, reviewEndings(access, seen), actor);
    assert.deepEqual([settled?.allocatedMinor, shown[0]?.allocatedMinor], [1000, 1000]);
    const undone = changeAll(access, undoing(access, settled?.updatedAtMs ?? 0), actor);
    assert.deepEqual(
      undone.map(({ status }) => status),
      ['needs_review', 'needs_review'],
    );
    shop.check();
  });

  it('excludes and restores them, with a preview of what is refused', () => {
    const { shop, access, actor } = open();
    const out = both({ reason: ' Own transfer ' });
    changeAll(access, exclusions(access, out), actor);
    assert.equal(shop.hidden(2)['excluded_reason'], 'Own transfer');
    assert.equal(previewChange(access, exclusions(access, out)).refusals.length, 2);
    changeAll(access, restorations(both({})), actor);
    assert.equal(previewChange(access, exclusions(access, out)).planned.length, 2);
  });

  it('refuses what it cannot read', () => {
    const { shop, access, actor } = open();
    const before = shop.everything();
    const cases: [act: () => unknown, message: RegExp][] = [
      [
        () => changeAll(access, exclusions(access, both({ reason: ' ' })), actor),
        /reason cannot be blank/,
      ],
      [
        () =>
          changeAll(access, reviewEndings(access, both({ resolution: 'drop' as 'keep' })), actor),
        /must be one of keep, rescale, clear/,
      ],
      [() => changeAll(access, restorations([]), actor), /Choose 1 to 500/],
    ];
    for (const [act, message] of cases) assert.throws(act, refusal('invalid_input', message));
    const nonsense = [{ transactionId: 'INV-1' }];
    assert.throws(() => changeAll(access, restorations(nonsense), actor), refusal('not_found'));
    assert.equal(shop.everything(), before);
  });

  it('refuses an amount that is not a whole number of minor units', () => {
    const { shop, access, actor } = open();
    const before = shop.everything();
    for (const amountMinor of [0.5, 100.5, Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null]) {
      const wrong = both({
        allocations: [{ budgetLineId: A, amountMinor: amountMinor as number }],
      });
      const message = /^An amount in minor units must be a whole number, not /;
      assert.throws(
        () => changeAll(access, allocations(access, wrong), actor),
        refusal('invalid_input', message),
      );
    }
    assert.equal(shop.everything(), before);
  });

  it('finds nothing of another organisation', () => {
    const { shop, access, theirs, actor } = open();
    const [first] = changeAll(
      access,
      allocations(access, both({ allocations: [{ budgetLineId: A }] })),
      actor,
    );
    const before = shop.everything();
    const gone = refusal('not_found');
    const acts: ((of: Access) => unknown)[] = [
      (of) => changeAll(of, allocations(of, both({ allocations: [] })), actor),
      (of) => changeAll(of, exclusions(of, both({ reason: 'x' })), actor),
      (of) => changeAll(of, restorations(both({})), actor),
      (of) => changeAll(of, reviewEndings(of, both({ resolution: 'clear' as const })), actor),
      (of) => changeAll(of, undoing(of, first?.updatedAtMs ?? 0), actor),
    ];
    for (const act of acts) assert.throws(() => act(theirs), gone);
    assert.equal(
      previewChange(theirs, allocations(theirs, both({ allocations: [] }))).refusals.length,
      2,
    );
    assert.equal(shop.everything(), before);
  });

  it('one transaction is refused in the same way when it has changed since it was seen', () => {
    const { shop, access, actor } = open();
    const seenUpdatedAtMs = shop.transaction(1).updatedAtMs;
    exclude(access, { transactionId: ONE, reason: 'x', seenUpdatedAtMs }, actor);
    const stale = { transactionId: ONE, seenUpdatedAtMs };
    const changed = refusal('conflict', /has changed since you looked at it/);
    assert.throws(() => restore(access, stale, actor), changed);
    assert.throws(() => exclude(access, { ...stale, reason: 'x' }, actor), changed);
    assert.throws(() => allocate(access, { ...stale, allocations: [] }, actor), changed);
  });

  it('says what was done before it was stopped, and throws if that was nothing', async () => {
    const shop = new Workshop();
    shop.project();
    shop.push(rows(401));
    const access: Access = { db: shop.db, organisation: shop.organisation };
    const requests = Array.from({ length: 401 }, (_, at) => ({
      transactionId: formatId('txn', at + 1),
      allocations: [{ budgetLineId: A }],
    }));
    const allocateAll = () =>
      changeMany(
        access,
        inSteps(requests, (step) => allocations(access, step)),
        shop.actor(),
      );
    let writes = 0;
    guardWrites(shop.db, () => {
      // The second step finds the disk full.
      const pages = Number(shop.db.pragma('page_count', { simple: true }));
      if (++writes > 1) shop.db.pragma(`max_page_count = ${pages}`);
    });
    const { count, sumMinor, actsMs, stopped } = await allocateAll();
    assert.deepEqual([count, actsMs.length, stopped?.code], [200, 1, 'storage_full']);
    assert.equal(sumMinor, 200 * 10_000);
    await assert.rejects(allocateAll(), (error) => failureOf(error)?.code === 'storage_full');
  });
});
