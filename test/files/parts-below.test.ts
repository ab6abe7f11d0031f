import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeRejected } from '../../src/files/reading/rejected-rows.ts';
import { readMapped, summary } from './readings.ts';

const MAPPING = {
  fields: {
    externalId: 'No',
    date: 'Day',
    description: 'Text',
    amount: 'Sum',
    accountCode: { column: 'Account', below: true },
  },
};

const FILE = `No,Day,Text,Account,Sum
1,2026-01-02,Rent,Bank,850
,,,7100,-850
2,2026-01-03,Paper and stamps,Bank,45
,,paper,7200,-30
,,stamps,7300,-15
3,2026-02-30,Paper,Bank,20
,,paper,7200,-10
,,more,7200,-10
4,2026-01-05,No parts,Bank,5
`;

type Sent = readonly [externalId: string, date: string, description: string, amount: number];

const row = ([externalId, date, description, amount]: Sent, more = {}) => {
  return { externalId, date, description, amount, ...more };
};

describe('8 records without a date are parts of the row above if the account code is below', () => {
  it('the code of all parts is that of the row; of parts with different ones none is', async () => {
    const { entries, reading } = await readMapped(FILE, MAPPING);
    assert.deepEqual(entries.map(summary), [
      [2, row(['1', '2026-01-02', 'Rent', 850], { accountCode: '7100' })],
      [4, row(['2', '2026-01-03', 'Paper and stamps', 45])],
      [7, ['invalid_date']],
      [10, row(['4', '2026-01-05', 'No parts', 5])],
    ]);
    assert.deepEqual(reading.remarks, []);
  });

  it('a rejected row is written with its parts, and gets its code when corrected', async () => {
    const { entries, reading } = await readMapped(FILE, MAPPING);
    const rejected = entries.filter(({ problems }) => problems.length > 0);
    const written = String(encodeRejected(rejected, reading, true));
    const corrected = written.replace('2026-02-30', '2026-01-30');
    const [again, other] = (await readMapped(corrected, MAPPING)).entries;
    const paper = row(['3', '2026-01-30', 'Paper', 20], { accountCode: '7200' });
    assert.deepEqual(again?.row, paper);
    assert.equal(other, undefined);
  });
});
