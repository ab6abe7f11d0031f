import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readRow } from '../../../src/core/push.ts';
import { OPTIONAL_FIELDS } from '../../../src/core/row-members.ts';
import { Check } from '../../../src/files/inspection/check.ts';
import { Random } from '../../core/random.ts';

const TEXTS: readonly unknown[] = [
  ...['a', 'A b', 'x'.repeat(64), 'x'.repeat(65), 'x'.repeat(256), 'x'.repeat(1001), ' a', 'a '],
  ...['', ' ', 'Zoë', 'e\u0301', '\u0000', 'a\tb', 'a\nb', '~', '\u007f', '\ud800', null, 7],
];
const AMOUNTS: readonly unknown[] = [
  ...[0, 1, -1, 12.34, -0.01, 0.001, 12.3456, 1e11, 9_999_999_999.99, 1e15],
  ...['1', null],
];

it('a check refuses the rows that a push would reject, with the same problems', () => {
  const random = new Random(31);
  const mapping = {
    fields: { externalId: 'id', date: 'date', amount: 'sum', description: 'text' },
  };
  let refused = 0;
  for (let turn = 0; turn < 20_000; turn += 1) {
    const [is, places] = random.pick([
      ['GBP', 2] as const,
      ['JPY', 0] as const,
      ['KWD', 3] as const,
    ]);
    const stated = { ...mapping, currency: { column: 'currency', is } };
    const check = new Check({ remarks: [], isOfRejected: false }, stated);
    const row: Record<string, unknown> = { externalId: 'a', date: '2026-01-31', amount: 1 };
    row['description'] = 'Rent';
    for (const name of ['externalId', 'description', ...OPTIONAL_FIELDS]) {
      if (random.once(4)) row[name] = random.pick(TEXTS);
    }
    if (random.once(3)) row['amount'] = random.pick(AMOUNTS);
    if (random.once(9)) row['currency'] = random.pick(['GBP', 'XXX', '']);
    check.add({ line: 2, original: { fields: [] }, row, problems: [] });
    const read = readRow(row, { places });
    const errors = read.row === undefined ? read.errors : [];
    assert.equal(check.refusedCount, errors.length > 0 ? 1 : 0, JSON.stringify([row, errors]));
    assert.deepEqual(check.refused[0]?.problems ?? [], errors);
    refused += check.refusedCount;
  }
  assert.ok(refused > 2_000 && refused < 18_000, String(refused));
});
