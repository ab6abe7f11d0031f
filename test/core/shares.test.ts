import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AMOUNT_MINOR } from '../../src/core/limits.ts';
import { shareByWeight, shareEqually } from '../../src/core/money.ts';
import { Random } from './random.ts';

describe('contract 4: equal shares, with the remainder in the first months', () => {
  const cases: [total: number, count: number, wanted: number[]][] = [
    [12, 3, [4, 4, 4]],
    [10, 3, [4, 3, 3]],
    [11, 3, [4, 4, 3]],
    [-10, 3, [-4, -3, -3]],
    [-11, 3, [-4, -4, -3]],
    [2, 5, [1, 1, 0, 0, 0]],
    [-2, 5, [-1, -1, 0, 0, 0]],
    [0, 3, [0, 0, 0]],
    [7, 1, [7]],
    [AMOUNT_MINOR, 2, [500_000_000_000, 499_999_999_999]],
    [5, 0, []],
  ];
  for (const [total, count, wanted] of cases) {
    it(`4 ${total} over ${count} months is ${wanted.join(', ') || 'nothing'}`, () => {
      const shares = shareEqually(total, count);
      assert.deepEqual(shares, wanted);
      assert.ok(!shares.some((share) => Object.is(share, -0)));
    });
  }

  it('4 property: shares are exact, differ by one at most, larger first, with one sign', () => {
    const random = new Random(21);
    for (let round = 0; round < 3000; round += 1) {
      const total = anyAmount(random);
      const shares = shareEqually(total, random.whole(1, 400));
      assert.equal(sum(shares), total);
      const sizes = shares.map(Math.abs);
      assert.deepEqual(
        sizes,
        [...sizes].sort((a, b) => b - a),
      );
      assert.ok((sizes[0] ?? 0) - (sizes.at(-1) ?? 0) <= 1);
      assert.ok(shares.every((share) => share === 0 || share > 0 === total > 0));
    }
  });
});

describe('contract 5: shares by weight, by largest remainder', () => {
  const cases: [total: number, weights: number[], wanted: number[], why: string][] = [
    [150, [60, 40], [90, 60], 'nothing is left over'],
    [100, [1, 1, 1], [34, 33, 33], 'equal weights: the earlier first'],
    [101, [1, 1, 1], [34, 34, 33], 'two units left over'],
    [100, [1, 2, 4], [14, 29, 57], 'the largest fraction wins: .29, .57, .14'],
    [10, [999, 1], [10, 0], 'a small share can be 0'],
    [1, [1, 1], [1, 0], 'one unit'],
    [1, [1, 2], [0, 1], 'one unit goes to the larger weight'],
    [0, [3, 4], [0, 0], 'none'],
    [-50, [30, 70], [-15, -35], 'the sign of the total counts'],
    [50, [-30, -70], [15, 35], 'whatever the sign of the weights'],
    [10, [0, 5, 0], [0, 10, 0], 'no weight, no share'],
    [7, [5], [7], 'one'],
    [
      AMOUNT_MINOR,
      [AMOUNT_MINOR, AMOUNT_MINOR - 1],
      [500_000_000_000, 499_999_999_999],
      'products too large for a double',
    ],
  ];
  for (const [total, weights, wanted, why] of cases) {
    it(`5 ${total} by ${weights.join(' : ')} is ${wanted.join(', ')}: ${why}`, () => {
      const shares = shareByWeight(total, weights);
      assert.deepEqual(shares, wanted);
      assert.ok(!shares.some((share) => Object.is(share, -0)));
    });
  }

  it('5 property: shares are exact, within one unit of the true share, and 0 for weight 0', () => {
    const random = new Random(22);
    for (let round = 0; round < 3000; round += 1) {
      const total = anyAmount(random);
      const size = 10 ** random.whole(1, 12);
      const weights = Array.from({ length: random.whole(1, 12) }, () => random.whole(0, size));
      const whole = weights.reduce((all, weight) => all + BigInt(weight), 0n);
      if (whole === 0n) continue;
      const shares = shareByWeight(total, weights);
      assert.equal(sum(shares), total);
      for (const [index, share] of shares.entries()) {
        const weight = BigInt(weights[index] ?? 0);
        const off = BigInt(share) * whole - BigInt(total) * weight;
        assert.ok((off < 0n ? -off : off) < whole, `${total} by ${weights}: ${shares}`);
        if (weight === 0n) assert.equal(share, 0);
      }
    }
  });

  it('5 property: neither a smaller fraction nor a later equal one gets more', () => {
    const random = new Random(23);
    for (let round = 0; round < 2000; round += 1) {
      const weights = Array.from({ length: random.whole(2, 6) }, () => random.whole(1, 30));
      const total = random.whole(0, 200);
      const whole = sum(weights);
      const shares = shareByWeight(total, weights);
      const parts = weights.map((weight, index) => {
        const extra = (shares[index] ?? 0) - Math.floor((total * weight) / whole);
        return { index, fraction: (total * weight) % whole, extra };
      });
      for (const one of parts) {
        for (const two of parts) {
          const before = one.fraction > two.fraction;
          const tie = one.fraction === two.fraction && one.index < two.index;
          if (before || tie) assert.ok(one.extra >= two.extra, `${total} by ${weights}: ${shares}`);
        }
      }
    }
  });
});

function anyAmount(random: Random): number {
  const magnitude = random.whole(0, 10 ** random.whole(0, 12) - 1);
  return magnitude === 0 || random.once(2) ? magnitude : -magnitude;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
