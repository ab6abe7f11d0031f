import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRow, withWarning } from '../../src/core/push.ts';
import { VOID_MARKS } from '../../src/core/transactions.ts';

const POUND = { code: 'GBP', places: 2 };
const RIGHT = { externalId: 'INV-1', date: '2026-01-31', description: 'Rent', amount: 12.5 };

/** `field code` of each error, or of each warning, of a valid row with a change. */
function codesOf(change: object, currency: { code?: string; places: number } = POUND): string[] {
  const reading = readRow({ ...RIGHT, ...change }, currency);
  const found = reading.row === undefined ? reading.errors : reading.warnings;
  return found.map(({ field, code }) => `${field} ${code}`);
}

describe('17 the currency of a row', () => {
  it('is the own one, in any case, or none', () => {
    for (const currency of [null, undefined, '', ' ', 'GBP', 'gbp', ' Gbp ']) {
      assert.deepEqual(codesOf({ currency }), [], `${currency}`);
    }
  });

  it('is refused if it is another one', () => {
    for (const currency of ['EUR', 'eur', 'GB', 'GBPS', '£', 'GBP EUR', 'x'.repeat(5000)]) {
      assert.deepEqual(codesOf({ currency }), ['currency currency_mismatch'], currency);
    }
    const reading = readRow({ ...RIGHT, currency: 'x'.repeat(5000) }, POUND);
    const [error] = reading.row === undefined ? reading.errors : [];
    const message = /^currency is x{19}…, but .* are in GBP\. Push .{20,80}\.$/;
    assert.match(error?.message ?? '', message);
  });

  it('is a text', () => {
    for (const currency of [826, true, {}, ['GBP']]) {
      assert.deepEqual(codesOf({ currency }), ['currency invalid_type']);
    }
  });

  it('can be any one while the own one is not known', () => {
    assert.deepEqual(codesOf({ currency: 'EUR' }, { places: 2 }), []);
  });
});

describe('17 a row that says that its payment is no more', () => {
  it('is refused with an amount, for each member that says so', () => {
    for (const mark of VOID_MARKS) {
      assert.deepEqual(codesOf({ [mark]: true }), [`${mark} voided_row`]);
    }
    const both = { isDeleted: true, voided: true, amount: -0.01 };
    assert.deepEqual(codesOf(both), ['isDeleted voided_row', 'voided voided_row']);
    const text = { isVoid: true, amount: '0' };
    assert.deepEqual(codesOf(text), ['amount invalid_type', 'isVoid voided_row']);
  });

  it('is accepted with the amount 0, without a warning', () => {
    for (const mark of VOID_MARKS) {
      for (const amount of [0, -0]) assert.deepEqual(codesOf({ [mark]: true, amount }), []);
    }
  });

  it('says nothing with another value, another case of the name or a status', () => {
    const marks = { deleted: false, void: null, isVoid: 'true', voided: 1, Deleted: true };
    const unknown = [...Object.keys(marks), 'status'].map((field) => `${field} unknown_field`);
    assert.deepEqual(codesOf({ ...marks, status: 'void' }), unknown);
  });
});

describe('17 what says that a payment has changed leads to the page about that', () => {
  it('if it is split, voided or recoded', () => {
    const changes = { lines: [], void: true };
    const reading = readRow({ ...RIGHT, ...changes }, POUND);
    const errors = reading.row === undefined ? reading.errors : [];
    const told = [...errors, ...withWarning('recoded', [], 'accountCode')];
    assert.equal(told.length, 3);
    for (const { message } of told) assert.match(message, /: see docs\/corrections\.md\.$/);
  });
});
