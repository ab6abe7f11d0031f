import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MappingError } from '../../src/files/problems.ts';
import { amountsOf, readMapped, TEXTS } from './readings.ts';

describe('8 the header is where its columns are', () => {
  const fields = { ...TEXTS, amount: 'a' };

  it('after a preamble, in another order, with other columns', async () => {
    const text = 'Bank\nvon;bis\n;;\na;x;t;d;i\n1.5;;Tea;2016-01-31;A\n';
    const { entries, reading } = await readMapped(text, { delimiter: ';', fields });
    assert.deepEqual(amountsOf(entries), [1.5]);
    assert.deepEqual(
      [entries[0]?.line, reading.notes],
      [5, ['Skipped lines 1–2, before the first row.']],
    );
  });

  it('sep= sets the delimiter, and a repeated header is not a row', async () => {
    const text = 'sep=|\ni|d|t|a\nA|2016-01-31|x;y,z|1.5\ni|d|t|a\nB|2016-01-31|Tea|2\n';
    const { entries, reading } = await readMapped(text, { fields });
    assert.deepEqual(amountsOf(entries), [1.5, 2]);
    assert.match(reading.remarks?.[0] ?? '', /^line 4 is not a row: it repeats the header \(i\|d/);
  });

  it('a missing column is named, for the record with the most columns', async () => {
    const text = 'Bank;from;to\ni;d;text;a\nA;2016-01-31;Tea;1.5\n';
    await assert.rejects(readMapped(text, { delimiter: ';', fields }), (error) => {
      assert.ok(error instanceof MappingError);
      const says = 'The file has no column "t". Its columns are: "i", "d", "text", "a".';
      assert.equal(error.message, says);
      return true;
    });
  });

  it('#4 is the fourth column only while it has no name', async () => {
    const named = { ...TEXTS, amount: '#4' };
    assert.deepEqual(
      amountsOf((await readMapped('i;d;t;\nA;2016-01-31;x;1.5\n', { fields: named })).entries),
      [1.5],
    );
    const twice = 'i;d;t;a;a\nA;2016-01-31;x;1.5;7\n';
    assert.deepEqual(amountsOf((await readMapped(twice, { fields: named })).entries), [1.5]);
    await assert.rejects(
      readMapped('i;d;t;tax\nA;2016-01-31;x;1.5\n', { fields: named }),
      /no column "#4"/,
    );
  });

  it('without a header the columns are numbered, and rows in skipped lines are read', async () => {
    const headerless = { columns: 3, skipLines: 1 };
    const own = { date: '#1', description: '#2', amount: '#3', externalId: { made: ['#1', '#2'] } };
    const document = { delimiter: ',', headerless, fields: own };
    const { entries } = await readMapped('Export\n2016-01-30,Tea,1\n2016-01-31,Milk\n', document);
    assert.deepEqual(amountsOf(entries), [1, 'field_count']);
    const early = await readMapped('2016-01-29,Jam,3\n2016-01-30,Tea,1\n', document);
    assert.deepEqual(amountsOf(early.entries), [3, 1]);
  });
});
