import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentOf, inspectBytes } from './dialects/reading.ts';

const ROWS = [
  ['Datum', 'Text', 'Name', 'Ort', 'Betrag'],
  ['13.01.2016', 'Lager Miete', 'Meier GmbH', 'Bad Ems', '-1.234,50'],
  ['14.01.2016', 'Saal im Mai', 'Kunst e. V.', 'Neustadt', '7,00'],
];

test('8 the mapping is written as a person would write it', async () => {
  const bytes = Buffer.from(ROWS.map((fields) => fields.join('\t')).join('\n'));
  const named = ['description=Text', 'description=Ort', 'contact=Name', 'externalId=made'];
  const options = [...named.flatMap((pair) => ['--map', pair]), '--money-out', 'negative'];
  assert.deepEqual(documentOf(await inspectBytes(bytes, options)), {
    delimiter: 'tab',
    decimal: ',',
    thousands: '.',
    fields: {
      externalId: { made: ['Datum', 'Betrag', 'Text', 'Ort', 'Name'] },
      date: { column: 'Datum', format: 'DD.MM.YYYY' },
      description: { columns: ['Text', 'Ort'] },
      contact: 'Name',
      amount: { column: 'Betrag', negate: true },
    },
    header: ['Datum', 'Text', 'Name', 'Ort', 'Betrag'],
    rests: ['dates', 'decimal'],
  });
});

test('8 the ids stay when another of two columns becomes money out', async () => {
  const bytes = Buffer.from(
    'Date,Text,Debit,Credit\n2016-01-13,Tea,5.00,\n2016-01-14,Gift,,7.00\n',
  );
  for (const out of ['Debit', 'Credit']) {
    const { mapping } = await inspectBytes(bytes, ['--money-out', out]);
    const { amount, externalId } = Object(mapping?.fields);
    assert.equal(amount.out, out);
    assert.deepEqual(externalId, { made: ['Date', 'Debit', 'Credit', 'Text'] });
  }
});
