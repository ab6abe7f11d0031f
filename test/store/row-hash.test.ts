import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import {
  addHash,
  HASHED_COLUMNS,
  hashChange,
  rowHash,
  valueHash,
} from '../../src/store/row-hashes.ts';
import { Random } from '../core/random.ts';

type HashedValue = Parameters<typeof valueHash>[1];

const VALUES: HashedValue[] = [
  ...[7, 1, 'api', 'allocated', -1999, null, null, 1769860800000, 1769860806000, null, null],
  ...[null, 'idtam', null, null, 'INV-1', '2026-01-31', 'Rent für März 🏠', null, -1999, '4000'],
];

/** The values with another one at a place. */
const change = (at: number, value: HashedValue) => {
  return VALUES.map((each, place) => (place === at ? value : each));
};

describe('the hash of a transaction', () => {
  it('covers every stored column', () => {
    const db = openDatabase({ file: ':memory:', create: true, busyTimeoutMs: 20 });
    const columns = db.prepare<[], string>(`select name from pragma_table_info('transactions')`);
    assert.deepEqual(columns.pluck().all().sort(), [...HASHED_COLUMNS, 'row_hash'].sort());
  });

  it('never changes between versions and machines', () => {
    assert.equal(rowHash(VALUES), 3_123_935_990_238_340);
    assert.equal(rowHash([]), 0);
  });

  it('is the sum of the hashes of its values', () => {
    const sum = HASHED_COLUMNS.map((column, at) => valueHash(column, VALUES[at])).reduce(addHash);
    assert.equal(sum, rowHash(VALUES));
    assert.ok(Number.isSafeInteger(sum) && sum >= 0 && sum < 2 ** 52);
  });

  it('follows any series of changes', () => {
    const random = new Random(12);
    const values = [...VALUES];
    let hash = rowHash(values);
    for (let turn = 0; turn < 1000; turn += 1) {
      const at = random.whole(0, values.length - 1);
      const column = HASHED_COLUMNS[at] ?? assert.fail();
      const text = 'x'.repeat(random.whole(0, 9));
      const after = random.pick<HashedValue>([null, text, random.whole(-9, 2 ** 40)]);
      hash = addHash(hash, hashChange(column, values[at], after));
      values[at] = after;
      assert.equal(hash, rowHash(values));
    }
  });

  it('differs for one bit in a value, for null, and for exchanged values', () => {
    const changed = new Set<number>([rowHash(VALUES)]);
    let tries = 1;
    const add = (at: number, value: HashedValue) => {
      changed.add(rowHash(change(at, value)));
      tries += 1;
    };
    for (const [at, value] of VALUES.entries()) {
      if (typeof value === 'number') {
        for (let bit = 0; bit < 50; bit += 1) add(at, Number(BigInt(value) ^ (1n << BigInt(bit))));
        add(at, null);
      } else if (typeof value === 'string') {
        for (let place = 0; place < value.length; place += 1) {
          for (let bit = 0; bit < 16; bit += 1) {
            const unit = String.fromCharCode(value.charCodeAt(place) ^ (1 << bit));
            add(at, value.slice(0, place) + unit + value.slice(place + 1));
          }
        }
        for (const other of ['', null, `${value} `, value.slice(1)]) add(at, other);
      } else for (const other of ['', 0]) add(at, other);
    }
    // The amount as the previous amount under review.
    const exchanged = VALUES.map((value, at) => (at === 8 ? null : at === 11 ? VALUES[8] : value));
    changed.add(rowHash(exchanged));
    assert.equal(changed.size, tries + 1);
  });
});
