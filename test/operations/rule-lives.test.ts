/** Whatever people and pushes do: rules touch nothing of a person, and all runs are alike. */

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Failure } from '../../src/core/failures.ts';
import { runRules } from '../../src/operations/rule-runs.ts';
import { mapShares } from '../../src/store/shares.ts';
import { Random } from '../core/random.ts';
import { repetitions } from '../repetitions.ts';
import { excludeTransaction, resolveReview, restoreTransaction } from '../store/single-changes.ts';
import { row, Workshop } from '../store/workshop.ts';
import { by, to, write } from './rule-lists.ts';

const TRANSACTIONS = 12;
const IDS = Array.from({ length: TRANSACTIONS }, (_, at) => 1 + at);

/** A workshop with rules, of which the first that fits decides. */
function open(): Workshop {
  const shop = new Workshop();
  shop.project(['A', 'B', 'C']);
  write(
    shop,
    ['Hall', by('hall'), to('A', 33.33), to('B', 33.33), to('C')],
    ['Ann', { ...by('ann'), direction: 'out' }, to('B')],
    ['Any', { provider: 'api', amount: { from: 50 } }, to('C', 10), to('A')],
  );
  return shop;
}

/** What each transaction is, and what it is allocated to by whom. */
function stateOf(shop: Workshop) {
  const shares = mapShares(
    shop,
    IDS.map((id) => ({ id })),
  );
  return IDS.map((id) => {
    const { status, amountMinor } = shop.transaction(id);
    const own = (shares.get(id) ?? []).map(({ budgetLineId, amountMinor: minor, rule }) => {
      return { budgetLineId, minor, rule };
    });
    return { status, amountMinor, shares: own };
  });
}

/** Something that a person or a push does, the same in both workshops. */
function act(shops: readonly Workshop[], random: Random): number | undefined {
  const id = random.pick(IDS);
  const kind = random.pick(['push', 'push', 'hand', 'clear', 'exclude', 'restore', 'review']);
  const amount = random.whole(-9_000, 9_000) / 100;
  const change = { amount, contact: random.pick(['Ann', 'The Hall', null, 'Zed']) };
  const line = random.whole(1, 3);
  for (const shop of shops) {
    shop.nowMs += 1_000;
    try {
      if (kind === 'push') shop.push([row({ externalId: `T-${id}`, accountCode: 'B', ...change })]);
      else if (kind === 'hand') shop.allocate(id, [[line, shop.transaction(id).amountMinor]]);
      else if (kind === 'clear') shop.allocate(id, []);
      else if (kind === 'restore') restoreTransaction(shop, { transactionId: id }, shop.actor());
      else if (kind === 'exclude') {
        excludeTransaction(shop, { transactionId: id, reason: 'Twice' }, shop.actor());
      } else resolveReview(shop, { transactionId: id, resolution: 'keep' }, shop.actor());
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  return kind === 'clear' ? id : undefined;
}

it('15 a property: runs touch nothing of a person, automatic ones as by hand', async () => {
  let taken = 0;
  for (let seed = 1; seed <= repetitions(6, 15, 200); seed += 1) {
    const random = new Random(seed);
    const [byHand, automatic] = [open(), open()];
    const shops = [byHand, automatic];
    for (const shop of shops) shop.push(IDS.map((id) => row({ externalId: `T-${id}` })));
    for (let round = 0; round < 25; round += 1) {
      const cleared = act(shops, random);
      const before = stateOf(byHand);
      const { allocated } = await runRules(byHand, byHand.actor());
      await runRules(automatic, automatic.actor(), { isAutomatic: true });
      taken += allocated;
      const after = stateOf(byHand);
      assert.deepEqual(stateOf(automatic), after);
      for (const [at, was] of before.entries()) {
        const isOpen = was.status === 'unallocated' && IDS[at] !== cleared;
        if (!isOpen) assert.deepEqual(after[at], was);
        const now = after[at]?.shares ?? [];
        const isWhole = now.reduce((sum, { minor }) => sum + minor, 0) === was.amountMinor;
        assert.ok(!isOpen || now.length === 0 || isWhole, `transaction ${IDS[at]}`);
      }
      assert.equal((await runRules(byHand, byHand.actor())).allocated, 0);
    }
    for (const shop of shops) shop.check();
  }
  assert.ok(taken > 50, `${taken} were allocated`);
});
