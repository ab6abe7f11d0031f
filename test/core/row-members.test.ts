import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  CHANGEABLE_FIELDS,
  changedFields,
  isSameRow,
  RARE,
  rowName,
  STORED_MEMBERS,
  type ValidRow,
  valuesOf,
} from '../../src/core/row-members.ts';

const COMMON = {
  externalId: 'INV-1',
  date: '2026-01-31',
  description: 'Rent',
  contact: 'Ann',
  amountMinor: 5,
  accountCode: '4000',
};
const ROW: ValidRow = { ...COMMON, reference: 'R-1', bankAccount: 'Bank', projectCode: 'P' };
const NOTHING = { reference: null, bankAccount: null, projectCode: null };

describe('what is written out for each member of a row', () => {
  it('the values, in the order of the members', () => {
    const all = STORED_MEMBERS.map(({ name }) => ROW[name]);
    assert.deepEqual(valuesOf(ROW), all);
    assert.equal(new Set(all).size, all.length);
    assert.ok(!all.includes(null), 'a member is missing here');
    assert.deepEqual(valuesOf({ ...COMMON, ...NOTHING }), Object.values(COMMON));
    for (const field of RARE) {
      const values = valuesOf({ ...COMMON, ...NOTHING, [field]: 'only' });
      assert.equal(values.length, all.length, field);
    }
  });

  for (const field of CHANGEABLE_FIELDS) {
    it(`a change of ${field}`, () => {
      const other: ValidRow = { ...ROW, [rowName(field)]: 'other' };
      assert.equal(isSameRow(ROW, other), false);
      assert.deepEqual(changedFields(ROW, other), [field]);
    });
  }

  it('every change, in the order of the members', () => {
    const other = Object.fromEntries(STORED_MEMBERS.map(({ name }) => [name, 'other']));
    assert.deepEqual(changedFields(ROW, other as unknown as ValidRow), CHANGEABLE_FIELDS);
    assert.equal(isSameRow(ROW, { ...ROW }), true);
    assert.deepEqual(changedFields(ROW, { ...ROW }), []);
  });
});
