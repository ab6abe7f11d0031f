import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readWrittenAmount, splitAmount } from '../../src/files/values/amount-writing.ts';

describe('1 the characters around the digits of an amount', () => {
  const cells: readonly [text: string, parts: readonly (string | undefined)[]][] = [
    ['-£1,234.50', ['-1,234.50', undefined, '£', undefined]],
    ['EUR -12,50', ['-12,50', undefined, 'EUR', undefined]],
    ['12,50- €', ['12,50', 'trailing minus', '€', undefined]],
    ['1.234,50+', ['1.234,50', undefined, undefined, undefined]],
    ['(CHF 34.50)', ['34.50', 'brackets', 'CHF', undefined]],
    ['R$ 1.500,00', ['1.500,00', undefined, 'R$', undefined]],
    ['-R$ 250,00', ['-250,00', undefined, 'R$', undefined]],
    ['1 000,00 kr', ['1 000,00', undefined, 'kr', undefined]],
    ['\u2212 5', ['-5', undefined, undefined, undefined]],
    ['5.00 Dr.', ['5.00', undefined, undefined, 'Dr']],
    ['US$5 CR', ['5', undefined, 'US$', 'CR']],
    ["'-1,234.50", ['-1,234.50', undefined, undefined, undefined]],
    ["'£5.00'", ['5.00', undefined, '£', undefined]],
    ['￥1,500', ['1,500', undefined, '￥', undefined]],
  ];
  for (const [text, parts] of cells) {
    it(text, () => {
      const found = splitAmount(text);
      const own = [found?.number, found?.form, found?.currency, found?.mark];
      assert.deepEqual(own, parts);
    });
  }

  for (const text of ['', 'ABC 5', '5 ABC', '(-5)', '-5-', '--5', '5 CR DR', '£', 'CR', '5%']) {
    it(`"${text}" is not an amount`, () => assert.equal(splitAmount(text), undefined));
  }

  it('a thousands separator in the mapping is the only one accepted', () => {
    const stated = { decimal: '.', thousands: "'" } as const;
    assert.deepEqual(readWrittenAmount("1'234.50", stated), { value: 1234.5 });
    const other = readWrittenAmount('1,234.50', stated);
    assert.match('problem' in other ? other.problem.message : '', /separates thousands with "'"/);
  });
});
