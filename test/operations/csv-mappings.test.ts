import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saveCsvMapping } from '../../src/operations/csv-mappings.ts';
import { findCsvMapping } from '../../src/store/csv-mappings.ts';
import { openTwo } from './users.ts';

const NAMES = ['Paid Date', 'Amount', 'Naïve "Name"'];
const MAPPING = { fields: { date: 'Paid Date', amount: 'Amount' }, decimal: ',' };

describe('contract 12: how CSV files were read is remembered', () => {
  it('12 for files with the same columns in the same order, and no others', () => {
    const { shop, ours } = openTwo();
    assert.equal(findCsvMapping(ours, NAMES), undefined);
    saveCsvMapping(ours, NAMES, MAPPING, shop.actor());
    const saved = { mapping: MAPPING, savedAtMs: findCsvMapping(ours, NAMES)?.savedAtMs };
    assert.equal(typeof saved.savedAtMs, 'number');
    for (const same of [NAMES, [...NAMES, '', ' '], NAMES.map((name) => ` ${name} `)]) {
      assert.deepEqual(findCsvMapping(ours, same), saved, JSON.stringify(same));
    }
    const [date = '', amount = '', name = ''] = NAMES;
    const others = [[amount, date, name], [date, amount], [...NAMES, 'Type'], [NAMES.join()], []];
    for (const other of [...others, ['', ...NAMES], [date.toLowerCase(), amount, name]]) {
      assert.equal(findCsvMapping(ours, other), undefined, JSON.stringify(other));
    }
  });

  it('12 in the organisation that read them', () => {
    const { shop, ours, theirs } = openTwo();
    saveCsvMapping(ours, NAMES, MAPPING, shop.actor());
    assert.equal(findCsvMapping(theirs, NAMES), undefined);
    saveCsvMapping(theirs, NAMES, { fields: {} }, shop.actor());
    assert.deepEqual(findCsvMapping(ours, NAMES)?.mapping, MAPPING);
  });

  it('12 as the last one was', () => {
    const { shop, ours } = openTwo();
    saveCsvMapping(ours, NAMES, MAPPING, { ...shop.actor(), nowMs: 1 });
    saveCsvMapping(ours, NAMES, { fields: {} }, { ...shop.actor(), nowMs: 2 });
    assert.deepEqual(findCsvMapping(ours, NAMES), { mapping: { fields: {} }, savedAtMs: 2 });
  });
});
