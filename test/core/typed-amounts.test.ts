import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainAmount, readTypedAmount } from '../../src/core/typed-amounts.ts';

const POUNDS = { decimal: '.', places: 2 };
const EUROS = { decimal: ',', places: 2 };

describe('amounts that people type', () => {
  it('have one meaning, two, or none', () => {
    assert.equal(readTypedAmount('1,234.50', POUNDS), 123450);
    assert.equal(readTypedAmount('12,50', POUNDS), 1250);
    assert.deepEqual(readTypedAmount('1.000', POUNDS), [100, 100_000]);
    assert.equal(readTypedAmount('1.005', POUNDS), 'amount_precision');
    assert.equal(readTypedAmount('one', POUNDS), undefined);
  });
});

describe('amounts that a spreadsheet copied', () => {
  const copied = (text: string, habit = POUNDS, signs = ['GBP', '£']) => {
    return plainAmount(text, habit, signs);
  };

  it('become plain where that is certain', () => {
    for (const [text, plain] of [
      ['£1,000.50', '1000.50'],
      [' £1,000.50 ', '1000.50'],
      ['GBP 12', '12.00'],
      ['12.5 GBP', '12.50'],
      ['(500.00)', '-500.00'],
      ['(£1,500.00)', '-1500.00'],
      ['£(1,500.00)', '-1500.00'],
      ['-£5', '-5.00'],
      ['£-5', '-5.00'],
      ['\u2212£5', '-5.00'],
      ['-', '0.00'],
      ['£ -   ', '0.00'],
      ['-   £', '0.00'],
      ['(0.00)', '0.00'],
    ] as const) {
      assert.equal(copied(text), plain, text);
    }
    assert.equal(copied('-1.234,50 €', EUROS, ['EUR', '€']), '-1234,50');
    assert.equal(copied('1,5 €', EUROS, ['EUR', '€']), '1,50');
    const signs = ['USD', '$', 'US$'];
    assert.equal(copied('US$1,000', POUNDS, signs), '1000.00');
  });

  it('stay as they are otherwise', () => {
    for (const text of [
      '',
      '1,000.50',
      '12,50',
      '-3',
      '€5',
      '£1.000',
      '£5 GBP',
      '(-5)',
      '--5',
      '()',
      '£',
      'n/a',
      'Rent (500)',
    ]) {
      assert.equal(copied(text), text);
    }
  });
});
