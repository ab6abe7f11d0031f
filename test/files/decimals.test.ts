import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { explain } from '../../src/cli/advice.ts';
import { type DecimalSign, readDecimal } from '../../src/files/values/decimals.ts';

type Stated = DecimalSign | undefined;

describe('1 an amount in a file becomes the number that it says, or a rejection', () => {
  const numbers: readonly [text: string, stated: Stated, value: number][] = [
    ['12.5', undefined, 12.5],
    ['1234.50', undefined, 1234.5],
    ['-0.01', undefined, -0.01],
    ['+7', undefined, 7],
    ['\u22127.25', undefined, -7.25],
    ['0', undefined, 0],
    ['-0.00', undefined, 0],
    ['.5', undefined, 0.5],
    ['5.', undefined, 5],
    ['007', undefined, 7],
    ['1,234.50', undefined, 1234.5],
    ['1,234,567', undefined, 1_234_567],
    ['0.500', undefined, 0.5],
    ['1234.567', undefined, 1234.567],
    ["1'234.50", undefined, 1234.5],
    ['1\u2019234\u2019567.8', undefined, 1_234_567.8],
    ['1 234.5', undefined, 1234.5],
    ['0.30000000000000004', undefined, 0.1 + 0.2],
    ['9999999999.99', undefined, 9_999_999_999.99],
    ['1,234', '.', 1234],
    ['1.234', '.', 1.234],
    ['1,234', ',', 1.234],
    ['1.234', ',', 1234],
    ['1234,5', ',', 1234.5],
    ['1.234.567,89', ',', 1_234_567.89],
    ['1 234 567,89', ',', 1_234_567.89],
    ['1\u00a0234,5', ',', 1234.5],
    ['1\u202f234,5', ',', 1234.5],
    ["1'234,5", ',', 1234.5],
    ['-,5', ',', -0.5],
  ];
  for (const [text, stated, value] of numbers) {
    it(`"${text}" with ${stated ?? 'nothing'} stated is ${value}`, () => {
      const read = readDecimal(text, { decimal: stated });
      assert.deepEqual(read, { value });
      assert.ok('value' in read && !Object.is(read.value, -0));
    });
  }

  const refused: readonly [text: string, stated: Stated, code: string, says: RegExp][] = [
    ['1,234', undefined, 'ambiguous_amount', /can be 1\.234 or 1234\. Set .*--decimal ,$/],
    ['-1.000', undefined, 'ambiguous_amount', /can be 1\.000 or 1000/],
    [
      '12,50',
      undefined,
      'invalid_amount',
      /separator\. If all amounts are written like this, pass --decimal ,$/,
    ],
    ['1.234,50', undefined, 'invalid_amount', /pass --decimal ,/],
    ['1.234.567', undefined, 'invalid_amount', /pass --decimal ,/],
    ['12,50', '.', 'invalid_amount', /pass --decimal ,/],
    ['12.50', ',', 'invalid_amount', /pass --decimal \./],
    ['1,23,456.00', undefined, 'invalid_amount', /groups of three/],
    ['1,2345', '.', 'invalid_amount', /pass --decimal ,/],
    ["1'234,567.00", '.', 'invalid_amount', /groups of three/],
    [',234', '.', 'invalid_amount', /./],
    ['1..5', undefined, 'invalid_amount', /./],
    ['-', undefined, 'invalid_amount', /is not a number/],
    ['.', undefined, 'invalid_amount', /is not a number/],
    ['--5', undefined, 'invalid_amount', /is not a number/],
    ['5-', undefined, 'invalid_amount', /is not a number/],
    ['(5.00)', undefined, 'invalid_amount', /is not a number/],
    ['£5.00', undefined, 'invalid_amount', /is not a number/],
    ['5.00 CR', undefined, 'invalid_amount', /is not a number/],
    ['1e3', undefined, 'invalid_amount', /is not a number/],
    ['0x10', undefined, 'invalid_amount', /is not a number/],
    ['NaN', undefined, 'invalid_amount', /is not a number/],
    ['\u0661\u0662', undefined, 'invalid_amount', /is not a number/],
    ['12345678901234567.89', undefined, 'amount_precision', /more digits/],
    ['0.12345678901234567890', undefined, 'amount_precision', /more digits/],
    ['9007199254740993', undefined, 'amount_precision', /more digits/],
    ['9'.repeat(400), undefined, 'amount_out_of_range', /^"9{59}…" is too large/],
  ];
  for (const [text, stated, code, says] of refused) {
    it(`"${text.slice(0, 24)}" with ${stated ?? 'nothing'} stated is ${code}`, () => {
      const read = readDecimal(text, { decimal: stated });
      assert.ok('problem' in read, JSON.stringify(read));
      assert.equal(read.problem.code, code);
      assert.equal(read.problem.field, 'amount');
      assert.match(explain(read.problem), says);
    });
  }

  it('every two-decimal value from -20.00 to 20.00 is the nearest double, in both writings', () => {
    for (let cents = -2000; cents <= 2000; cents += 1) {
      const digits = String(Math.abs(cents)).padStart(3, '0');
      const text = `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
      const value = Number(text) || 0;
      assert.deepEqual(readDecimal(text, {}), { value });
      assert.deepEqual(readDecimal(text.replace('.', ','), { decimal: ',' }), { value });
    }
  });

  it('a long text that is not a number is read only once', () => {
    // Going back for each character would take hours.
    for (const end of ['', 'x'])
      assert.ok('problem' in readDecimal(`${'1,'.repeat(2_000_000)}${end}`, {}));
  });
});
