import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { amountsOf, readMapped, TEXTS } from './readings.ts';

describe('8 records that are not rows', () => {
  const fields = { ...TEXTS, amount: 'a' };
  const HEAD = 'i,d,t,a\nA,2016-01-30,Tea,1.5\nB,2016-01-31,Milk,2\n';
  const cases: readonly [
    name: string,
    lines: string,
    notRows: readonly unknown[],
    left: readonly number[],
    rejected: readonly number[],
  ][] = [
    [
      'a word, with nothing to be a row',
      ',,Total,3.5\nTotal,,,3.5\n',
      [{ begins: 'Total' }],
      [4, 5],
      [],
    ],
    ['a sum without a label', ',,,3.5\n,,,3.6\n', [{ sum: true }], [4], [5]],
    [
      'a sum of the rows since the last',
      ',,,3.5\nC,2016-01-31,x,4\nD,2016-01-31,x,5\n,,,9\n',
      [{ sum: true }],
      [4, 7],
      [],
    ],
    ['a text alone', 'The end.\n"Page 1 of 1",,,\n2016\n', [{ text: true }], [4, 5], [6]],
    ['a whole value', 'C,2016-01-31,Balance,9\n', [{ column: 't', is: 'balance' }], [4], []],
    [
      'never what has a wrong day, or a longer word',
      'C,31/02/2016,Total,9\nD,,Totals of tea,9\n',
      [{ begins: 'Total' }],
      [],
      [4, 5],
    ],
    ['nothing where nothing is said', ',,Total,3.5\n', [], [], [4]],
  ];
  for (const [name, lines, notRows, left, rejected] of cases) {
    it(name, async () => {
      const { entries, reading } = await readMapped(HEAD + lines, { fields, notRows });
      const told = (reading.remarks ?? []).map((remark) => Number(/^line (\d+)/.exec(remark)?.[1]));
      assert.deepEqual(told, left);
      const wrong = entries.filter(({ problems }) => problems.length > 0);
      assert.deepEqual(
        wrong.map(({ line }) => line),
        rejected,
      );
    });
  }

  it('a row in another currency is rejected with the reason', async () => {
    const text = 'i,d,t,a,c\nA,2016-01-30,Tea,1.5,EUR\nB,2016-01-31,Milk,2,USD\n';
    const { entries } = await readMapped(text, { fields, currency: { column: 'c', is: 'EUR' } });
    assert.deepEqual(amountsOf(entries), [1.5, 'other_currency']);
  });

  it('twenty of them are reported one by one', async () => {
    const { reading } = await readMapped(HEAD + ',,Total,\n'.repeat(30), {
      fields,
      notRows: [{ begins: 'Total' }],
    });
    assert.equal(reading.remarks?.length, 21);
    assert.equal(reading.remarks?.at(-1), '… and 10 more lines that are not rows.');
  });
});
