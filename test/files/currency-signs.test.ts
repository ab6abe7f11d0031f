import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findEncoding } from '../../src/files/text/encodings.ts';
import { readWrittenAmount } from '../../src/files/values/amount-writing.ts';
import { codesOf, currencyOfName } from '../../src/files/values/currency-signs.ts';

const NAMES: readonly [name: string, currency: string | undefined][] = [
  ['Betrag (EUR)', 'EUR'],
  ['Amount GBP', 'GBP'],
  ['Débit en CHF', 'CHF'],
  ['Betrag in EUR', 'EUR'],
  ['AMOUNT_USD', 'USD'],
  ['USD Amount', 'USD'],
  ['Montant(EUROS)', 'EUR'],
  ['Crédit euros', 'EUR'],
  ['Amount (£)', '£'],
  ['Paid out €', 'EUR'],
  ['Débito (R$)', 'BRL'],
  ['取引後金額(円)', 'JPY'],
  ['Beløb i DKK', 'DKK'],
  ['EUR', 'EUR'],
  ['Amount (TRY)', 'TRY'],
  ['TOTAL ALL', undefined],
  ['TOP AMOUNT', undefined],
  ['Amount', undefined],
  ['Amount (NET)', undefined],
  ['Debit', undefined],
  ['Paid In', undefined],
  ['Amount in words', undefined],
  ['Betrag eur', undefined],
  ['Amount (constructor)', undefined],
];

describe('the currency in the name of a column', () => {
  for (const [name, currency] of NAMES) {
    it(name, () => assert.equal(currencyOfName(name), currency));
  }
});

it('a code in the mapping allows only the signs that can mean it', () => {
  assert.deepEqual(readWrittenAmount('£1.50', { decimal: '.', currency: 'GBP' }), { value: 1.5 });
  assert.deepEqual(readWrittenAmount('GBP 1.50', { decimal: '.', currency: '£' }), { value: 1.5 });
  for (const text of ['€1.50', 'EUR 1.50', '$1.50']) {
    assert.ok('problem' in readWrittenAmount(text, { decimal: '.', currency: 'GBP' }), text);
  }
});

it('a word that every object has is neither a currency nor an encoding', () => {
  for (const word of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    assert.deepEqual(codesOf(word), []);
    assert.equal(findEncoding(word), undefined);
  }
});
