import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  findMisfit,
  REVIEW_RESOLUTIONS,
  rescaleShares,
  settleWishes,
} from '../../src/core/allocations.ts';
import { AMOUNT_MINOR } from '../../src/core/limits.ts';
import { STATUSES, statusOf } from '../../src/core/transactions.ts';
import { Random } from './random.ts';

const CHANGED_AT_MS = 1;
const GBP = { code: 'GBP', places: 2 };

describe('contract 5: which allocations are allowed', () => {
  const cases: [amount: number, shares: number[], misfit: RegExp | undefined, why: string][] = [
    [100, [], undefined, 'no allocations'],
    [100, [100], undefined, 'the whole amount'],
    [100, [60, 40], undefined, 'the whole amount in parts'],
    [100, [1], undefined, 'a part'],
    [-100, [-60, -40], undefined, 'money in'],
    [
      100,
      [60, 41],
      /^txn_1 is 1\.00 GBP; these allocations add up to 1\.01 GBP, 0\.01 GBP too much\. Lower /,
      'over',
    ],
    [-100, [-101], /add up to -1\.01 GBP, 0\.01 GBP too much/, 'one unit too much of money in'],
    [100, [50, 0], /^An allocation cannot be 0\. Leave that line out\.$/, 'never 0'],
    [100, [120, 0], /add up to 1\.20 GBP, 0\.20 GBP too much/, 'too much is reported before 0'],
    [100, [-0], /cannot be 0/, 'minus 0 neither'],
    [
      100,
      [-1],
      /is 1\.00 GBP, so an allocation of -0\.01 GBP has the wrong sign\./,
      'the opposite sign',
    ],
    [-100, [1], /sign/, 'the opposite sign for money in'],
    [100, [150, -50], /sign/, 'both signs, though the sum fits'],
    [0, [], undefined, 'nothing of 0'],
    [0, [1], /there is nothing to allocate/, 'something of 0'],
    [0, [-1], /there is nothing to allocate/, 'money in of 0'],
    [AMOUNT_MINOR, [AMOUNT_MINOR], undefined, 'the largest'],
    [AMOUNT_MINOR, [AMOUNT_MINOR - 1, 2], /0\.01 GBP too much/, 'one more than the largest'],
  ];
  for (const [amount, shares, misfit, why] of cases) {
    it(`5 [${shares}] of ${amount} is ${misfit ? 'refused' : 'allowed'}: ${why}`, () => {
      const found = findMisfit({ id: 'txn_1', amountMinor: amount, currency: GBP }, shares);
      if (misfit === undefined) assert.equal(found, undefined);
      else assert.match(`${found?.problem} ${found?.advice}`, misfit);
    });
  }
});

describe('contract 5: rescaling in proportion to the new amount', () => {
  const cases: [from: number, shares: number[], to: number, wanted: number[], why: string][] = [
    [100, [60, 40], 150, [90, 60], 'up'],
    [100, [60, 40], 50, [30, 20], 'down'],
    [100, [60, 40], 100, [60, 40], 'back to the old amount'],
    [100, [60, 40], 101, [61, 40], 'the extra unit goes to the largest fraction'],
    [100, [33, 33, 34], 1, [0, 0, 1], 'one unit: the others become 0'],
    [100, [60, 40], 0, [0, 0], 'to zero'],
    [100, [60, 40], -100, [-60, -40], 'the opposite sign'],
    [-100, [-60, -40], 55, [33, 22], 'back to the original sign'],
    [100, [30], 200, [60], 'partly allocated: the unallocated part is scaled too'],
    [100, [30, 20], 50, [15, 10], 'partly allocated, a smaller amount'],
    [300, [100], 100, [33], 'partly allocated: a third of 100 is 33, and two thirds are 67'],
    [3, [1], 1, [0], 'partly allocated: one unit goes to the unallocated part'],
    [1, [1], AMOUNT_MINOR, [AMOUNT_MINOR], 'one unit becomes the largest'],
    [AMOUNT_MINOR, [AMOUNT_MINOR], 1, [1], 'and the reverse'],
  ];
  for (const [from, shares, to, wanted, why] of cases) {
    it(`5 [${shares}] of ${from} become [${wanted}] of ${to}: ${why}`, () => {
      const review = { previousMinor: from, changedAtMs: CHANGED_AT_MS };
      assert.deepEqual(rescaleShares(to, shares, review), wanted);
    });
  }

  it('5 property: a full allocation stays full to the unit, a partial one always fits', () => {
    const random = new Random(31);
    for (let round = 0; round < 4000; round += 1) {
      const sign = random.pick([1, -1]);
      const sizes = Array.from({ length: random.whole(1, 8) }, () => random.whole(1, 10 ** 9));
      const allocated = sum(sizes);
      const left = random.once(2) ? 0 : random.whole(1, 10 ** 9);
      const size = random.whole(0, 10 ** random.whole(0, 11));
      const to = size === 0 || random.once(2) ? size : -size;
      const review = { previousMinor: sign * (allocated + left), changedAtMs: CHANGED_AT_MS };
      const shares = rescaleShares(
        to,
        sizes.map((size) => sign * size),
        review,
      );
      assert.equal(shares.length, sizes.length);
      const kept = shares.filter((share) => share !== 0);
      const changed = { id: 'txn_1', amountMinor: to, currency: GBP };
      assert.equal(findMisfit(changed, kept), undefined);
      if (left === 0) assert.equal(sum(shares), to);
      const exact = (BigInt(to) * BigInt(allocated)) / BigInt(allocated + left);
      const off = BigInt(sum(shares)) - exact;
      assert.ok(off <= BigInt(sizes.length) && off >= -BigInt(sizes.length));
    }
  });

  it('5 three review actions have a name; the fourth is new allocations', () => {
    assert.deepEqual([...REVIEW_RESOLUTIONS], ['keep', 'rescale', 'clear']);
  });
});

describe('contract 8: a line without an amount gets the rest', () => {
  const cases: [amount: number, wishes: (number | undefined)[], wanted: number[]][] = [
    [100, [undefined], [100]],
    [100, [60, undefined], [60, 40]],
    [100, [undefined, 60], [40, 60]],
    [-100, [-30, undefined], [-30, -70]],
    [100, [100, undefined], [100, 0]],
    [100, [120, undefined], [120, 0]],
    [-100, [-120, undefined], [-120, 0]],
    [100, [60, 40], [60, 40]],
    [100, [], []],
  ];
  for (const [amount, wishes, wanted] of cases) {
    it(`8 of ${amount}: ${wishes.map((wish) => wish ?? 'the rest').join(', ')}`, () => {
      const asked = wishes.map((amountMinor) => ({ amountMinor }));
      assert.deepEqual(settleWishes(amount, asked), wanted);
    });
  }

  it('8 a second one is refused', () => {
    const asked = [{}, { amountMinor: 60 }, {}];
    assert.throws(() => settleWishes(100, asked), { code: 'invalid_input' });
  });
});

describe('contract 4: the status of a transaction is the first that applies', () => {
  const review = { previousMinor: 1, changedAtMs: CHANGED_AT_MS };
  const plain: Parameters<typeof statusOf>[0] = {
    excluded: false,
    review: null,
    amountMinor: 100,
    allocatedMinor: 0,
  };
  const cases: [change: Partial<typeof plain>, wanted: string, why: string][] = [
    [{}, 'unallocated', 'nothing yet'],
    [{ allocatedMinor: 40 }, 'partially_allocated', 'a part'],
    [{ allocatedMinor: 100 }, 'allocated', 'all'],
    [{ amountMinor: -100, allocatedMinor: -100 }, 'allocated', 'all of money in'],
    [{ amountMinor: -100, allocatedMinor: -1 }, 'partially_allocated', 'a part of money in'],
    [{ amountMinor: 0 }, 'unallocated', 'an amount of 0 has no allocations, so it is unallocated'],
    [{ review, allocatedMinor: 100 }, 'needs_review', 'under review, though the sum fits'],
    [{ review, allocatedMinor: 200 }, 'needs_review', 'under review'],
    [{ excluded: true }, 'excluded', 'excluded'],
    [{ excluded: true, review }, 'excluded', 'excluded comes first'],
    [{ excluded: true, allocatedMinor: 100 }, 'excluded', 'excluded comes first'],
  ];
  for (const [change, wanted, why] of cases) {
    it(`4 ${JSON.stringify(change)} is ${wanted}: ${why}`, () => {
      assert.equal(statusOf({ ...plain, ...change }), wanted);
    });
  }

  it('4 the statuses are listed in the order in which they apply', () => {
    const wanted = 'excluded needs_review allocated partially_allocated unallocated';
    assert.equal(STATUSES.join(' '), wanted);
  });
});

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
