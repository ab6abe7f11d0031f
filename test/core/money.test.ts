import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AMOUNT_MINOR } from '../../src/core/limits.ts';
import {
  type AmountProblem,
  formatAmount,
  fromMajor,
  readAmountText,
  toMajor,
  toMinor,
} from '../../src/core/money.ts';
import { Random } from './random.ts';

const PLACES = { JPY: 0, GBP: 2, KWD: 3, CLF: 4 } as const;
const CURRENCIES = Object.entries(PLACES);

describe('contract 1: amounts in and out', () => {
  for (const [code, places] of CURRENCIES) {
    it(`1 every value from -20.00 to 20.00 survives the round trip in ${code}`, () => {
      const last = 20 * 10 ** places;
      for (let minor = -last; minor <= last; minor += 1) {
        const shown = toMajor(minor, places);
        assert.equal(toMinor(shown, places), minor === 0 ? 0 : minor);
        assert.equal(toMinor(JSON.parse(JSON.stringify(shown)), places), minor);
        assert.equal(readAmountText(formatAmount(minor, places), places), minor);
      }
    });

    it(`1 reads every literal with two decimals from -20.00 to 20.00 in ${code}`, () => {
      for (let hundredths = -2000; hundredths <= 2000; hundredths += 1) {
        const sign = hundredths < 0 ? '-' : '';
        const digits = String(Math.abs(hundredths)).padStart(3, '0');
        const literal = `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
        const whole = places >= 2 || hundredths % 100 === 0;
        const wanted = whole ? (hundredths * 10 ** places) / 100 : 'amount_precision';
        assert.equal(toMinor(JSON.parse(literal), places), wanted === 0 ? 0 : wanted, literal);
      }
    });
  }

  const cases: [amount: number, places: number, wanted: number | AmountProblem, why: string][] = [
    [12.5, 2, 1250, 'twelve pounds fifty'],
    [-12.5, 2, -1250, 'money in is negative'],
    [0, 2, 0, 'zero is allowed'],
    [-0, 2, 0, 'minus zero is zero'],
    [0.1 + 0.2, 2, 30, '0.1 + 0.2 is 0.30'],
    [1.1 * 3, 2, 330, 'noise from a multiplication'],
    [0.1 + 0.7, 2, 80, 'noise just below the amount'],
    [4.35 * 100, 0, 435, 'noise just below a whole yen'],
    [1.005, 2, 'amount_precision', '1.005 is rejected, not rounded'],
    [-1.005, 2, 'amount_precision', 'the same for money in'],
    [1.005, 3, 1005, 'a dinar has three places'],
    [1.0005, 3, 'amount_precision', 'but not four'],
    [1.0005, 4, 10005, 'a unidad de fomento has four'],
    [1.00005, 4, 'amount_precision', 'but not five'],
    [1.5, 0, 'amount_precision', 'there is no half yen'],
    [1500, 0, 1500, 'yen are whole'],
    [0.01, 2, 1, 'one unit'],
    [-0.01, 2, -1, 'one unit of money in'],
    [0.001, 2, 'amount_precision', 'a tenth of a unit'],
    [0.00000001, 2, 0, 'exactly 1e-6 of a unit above zero'],
    [-0.00000001, 2, 0, 'and below: zero has no sign'],
    [0.000000011, 2, 'amount_precision', 'just above 1e-6 of a unit'],
    [1.00000001, 2, 100, 'exactly 1e-6 of a unit above one'],
    [1.000000011, 2, 'amount_precision', 'just above'],
    [0.99999999, 2, 100, 'exactly 1e-6 of a unit below one'],
    [0.999999989, 2, 'amount_precision', 'just below'],
    [1.000001, 0, 1, 'exactly 1e-6 of a yen above one'],
    [1.0000011, 0, 'amount_precision', 'just above'],
    [0.999999, 0, 1, 'exactly 1e-6 of a yen below one'],
    [0.9999989, 0, 'amount_precision', 'just below'],
    [1e-7, 2, 'amount_precision', '1e-7 has an exponent and is not a whole unit'],
    [1e-9, 2, 0, '1e-9 is noise'],
    [5e-324, 2, 0, 'the smallest double is noise'],
    [1e21, 2, 'amount_out_of_range', '1e21 has an exponent and is out of range'],
    [1e9, 2, 1e11, 'a whole number with many zeros'],
    [1.7976931348623157e308, 4, 'amount_out_of_range', 'the largest double'],
    [JSON.parse('1e400'), 2, 'amount_out_of_range', '1e400 becomes Infinity'],
    [Number.NEGATIVE_INFINITY, 2, 'amount_out_of_range', 'minus Infinity'],
    [Number.NaN, 2, 'amount_out_of_range', 'NaN, which JSON cannot express'],
    [9999999999.99, 2, AMOUNT_MINOR, 'the largest in pounds'],
    [-9999999999.99, 2, -AMOUNT_MINOR, 'the largest money in, in pounds'],
    [10000000000, 2, 'amount_out_of_range', 'one unit more'],
    [-10000000000, 2, 'amount_out_of_range', 'one unit more of money in'],
    [9999999999.995, 2, 'amount_out_of_range', 'only out of range, although half a unit too'],
    [999999999999, 0, AMOUNT_MINOR, 'the largest in yen'],
    [1000000000000, 0, 'amount_out_of_range', 'one yen more'],
    [999999999999.5, 0, 'amount_out_of_range', 'half a yen more: only out of range'],
    [999999998.999, 3, 999999998999, 'large dinars'],
    [999999999.999, 3, AMOUNT_MINOR, 'the largest in dinars'],
    [1000000000, 3, 'amount_out_of_range', 'one fils more'],
    [99999999.9999, 4, AMOUNT_MINOR, 'the largest with four places'],
    [100000000, 4, 'amount_out_of_range', 'one unit more'],
  ];
  for (const [amount, places, wanted, why] of cases) {
    it(`1 ${amount} with ${places} places is ${wanted}: ${why}`, () => {
      assert.ok(Object.is(toMinor(amount, places), wanted), String(toMinor(amount, places)));
    });
  }

  it('6 the largest amounts are accepted, and the next doubles are not', () => {
    for (const [, places] of CURRENCIES) {
      for (let below = 0; below < 200; below += 1) {
        const minor = AMOUNT_MINOR - below;
        const amount = toMajor(minor, places);
        assert.equal(toMinor(amount, places), minor);
        assert.equal(toMinor(-amount, places), -minor);
        const over = below === 0 ? 'amount_out_of_range' : 'amount_precision';
        assert.equal(toMinor(neighbour(amount, 1n), places), over);
        assert.equal(toMinor(neighbour(amount, -1n), places), 'amount_precision');
      }
    }
  });

  it('6 property: any double is read as in exact decimal arithmetic', () => {
    const random = new Random(20260131);
    for (let round = 0; round < 12_000; round += 1) {
      const places = random.pick(Object.values(PLACES));
      const amount = anyAmount(random, places);
      const found = toMinor(amount, places);
      assert.equal(found, exactly(amount, places), `${amount} with ${places} places`);
    }
  });

  it('1 property: a formatted amount of any size is read back as the same amount', () => {
    const random = new Random(7);
    for (let round = 0; round < 5_000; round += 1) {
      const places = random.pick(Object.values(PLACES));
      const magnitude = random.whole(0, 10 ** random.whole(1, 12) - 1);
      const minor = magnitude === 0 || random.once(2) ? magnitude : -magnitude;
      assert.equal(toMinor(toMajor(minor, places), places), minor);
      const sum = 500 * minor;
      assert.equal(fromMajor(toMajor(sum, places), places), sum);
      assert.equal(readAmountText(formatAmount(minor, places), places), minor);
    }
  });
});

describe('contract 1: amounts as text', () => {
  const shown: [minor: number, places: number, text: string, major: number][] = [
    [-123450, 2, '-1234.50', -1234.5],
    [5, 2, '0.05', 0.05],
    [-5, 3, '-0.005', -0.005],
    [0, 2, '0.00', 0],
    [-0, 2, '0.00', 0],
    [7, 0, '7', 7],
    [-7, 0, '-7', -7],
    [1, 4, '0.0001', 0.0001],
    [AMOUNT_MINOR, 2, '9999999999.99', 9999999999.99],
    [Number.MAX_SAFE_INTEGER, 2, '90071992547409.91', 90071992547409.91],
  ];
  for (const [minor, places, text, major] of shown) {
    it(`1 ${minor} units with ${places} places are ${text}`, () => {
      assert.equal(formatAmount(minor, places), text);
      assert.ok(Object.is(toMajor(minor, places), major));
    });
  }

  const read: [text: string, places: number, wanted: number | AmountProblem | undefined][] = [
    ['12.5', 2, 1250],
    ['+12.50', 2, 1250],
    ['-12.500', 2, -1250],
    ['.5', 2, 50],
    ['-.05', 2, -5],
    ['-0', 2, 0],
    ['0000000000000000000000000000000000000012.50', 2, 1250],
    ['0.0000000000000000000000000000000000000000000001', 2, 0],
    ['1.005', 2, 'amount_precision'],
    ['0.01000001', 2, 1],
    ['0.010000011', 2, 'amount_precision'],
    ['9999999999.99', 2, AMOUNT_MINOR],
    ['10000000000.00', 2, 'amount_out_of_range'],
    ['9999999999.991', 2, 'amount_out_of_range'],
    ['1234567890123456789012345678901234567890', 2, 'amount_out_of_range'],
    ['', 2, undefined],
    ['-', 2, undefined],
    ['.', 2, undefined],
    ['1.', 2, undefined],
    ['1,50', 2, undefined],
    ['1 000', 2, undefined],
    ['1e3', 2, undefined],
    ['0x10', 2, undefined],
    ['--1', 2, undefined],
    ['1.2.3', 2, undefined],
    ['£1', 2, undefined],
    ['١', 2, undefined],
    ['Infinity', 2, undefined],
    [' 1', 2, undefined],
    ['1\n', 2, undefined],
  ];
  for (const [text, places, wanted] of read) {
    it(`8 the text ${JSON.stringify(text)} with ${places} places is ${wanted}`, () => {
      assert.ok(Object.is(readAmountText(text, places), wanted));
    });
  }
});

/** The double next to a positive one, above (1n) or below (-1n). */
function neighbour(amount: number, step: 1n | -1n): number {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, amount);
  bytes.setBigInt64(0, bytes.getBigInt64(0) + step);
  return bytes.getFloat64(0);
}

/** Whole units with or without noise, doubles of any size, and the next double to any of these. */
function anyAmount(random: Random, places: number): number {
  const units = random.whole(0, 10 ** random.whole(1, 13)) / 10 ** places;
  const noise = (random.fraction() - 0.5) * 10 ** -(places + random.whole(0, 9));
  const amount = random.pick([
    units,
    units + noise,
    random.fraction() * 10 ** random.whole(-12, 16),
    Number((units + noise).toFixed(places + random.whole(0, 8))),
  ]);
  const near = amount > 0 && random.once(3) ? neighbour(amount, random.pick([1n, -1n])) : amount;
  return random.once(2) ? near : -near;
}

/** Contract 1 and 6 in integers: the shortest decimal of a double as a fraction of units. */
function exactly(amount: number, places: number): number | AmountProblem {
  const [mantissa = '', exponent = '0'] = String(Math.abs(amount)).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = BigInt(Number(exponent) - fraction.length + places);
  const units = BigInt(whole + fraction) * 10n ** (scale > 0n ? scale : 0n);
  const one = 10n ** (scale < 0n ? -scale : 0n);
  const nearest = (2n * units + one) / (2n * one);
  const distance = units > nearest * one ? units - nearest * one : nearest * one - units;
  const isWhole = distance * 1_000_000n <= one;
  const largest = BigInt(AMOUNT_MINOR);
  if (isWhole ? nearest > largest : units > largest * one) return 'amount_out_of_range';
  if (!isWhole) return 'amount_precision';
  return amount < 0 && nearest !== 0n ? -Number(nearest) : Number(nearest);
}
