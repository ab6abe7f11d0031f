import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MadeIds } from '../../src/files/reading/made-ids.ts';
import { readMapped, TEXTS } from './readings.ts';

describe('8 made externalIds', () => {
  const fields = { ...TEXTS, externalId: { made: ['d', 't', 'a'] }, amount: 'a' };
  const idsOf = async (text: string) =>
    (await readMapped(text, { fields })).entries.map(({ row }) =>
      Reflect.get(Object(row), 'externalId'),
    );

  it('the same row has the same id, whatever the other rows and their order', async () => {
    const january = ['2016-01-30,Tea,1', '2016-01-31,Milk,2', '2016-01-31,Milk,2'];
    const ids = await idsOf(`d,t,a\n${january.join('\n')}\n`);
    assert.equal(new Set(ids).size, 3);
    assert.match(String(ids[1]), /^made-[0-9a-f]{20}-1$/);
    assert.equal(ids[2], String(ids[1]).replace(/1$/, '2'));
    const february = ['2016-02-01,Jam,9', ...january].reverse();
    const later = await idsOf(`note,t,a,d\n${february.map(turn).join('\n')}\n`);
    assert.deepEqual(new Set(later.slice(0, 3)), new Set(ids));
  });

  it('spaces and Unicode forms do not change the id, other values do', () => {
    const ids = new MadeIds();
    const one = ids.make(['2016-01-31', 'Café  au lait ', '1']);
    const two = ids.make(['2016-01-31', 'Cafe\u0301 au\u00a0lait', '1']);
    assert.equal(two, one.replace(/1$/, '2'));
    assert.notEqual(ids.make(['2016-01-31', 'Café au lait1', '']).slice(0, -1), one.slice(0, -1));
  });

  it('correcting the mapping keeps the ids; the date always counts', async () => {
    const text = 'd,t,a\n01/02/2016,Milk,2\n02/02/2016,Milk,2\n';
    const idsWith = async (format: string, made: readonly string[]) => {
      const date = { column: 'd', format };
      const own = { externalId: { made }, date, description: 't', amount: 'a' };
      const { entries } = await readMapped(text, { fields: own });
      return entries.map(({ row }) => String(Reflect.get(Object(row), 'externalId')));
    };
    const named = ['d', 't', 'a'];
    assert.deepEqual(await idsWith('MM/DD/YYYY', named), await idsWith('DD/MM/YYYY', named));
    for (const id of await idsWith('DD/MM/YYYY', ['t'])) assert.match(id, /-1$/);
  });

  it('a limit: equal rows in two files count as one', async () => {
    const [first] = await idsOf('d,t,a\n2016-01-31,Milk,2\n');
    const [second] = await idsOf('d,t,a\n2016-01-31,Milk,2\n');
    assert.equal(first, second);
  });
});

function turn(line: string): string {
  const [date, text, amount] = line.split(',');
  return `x,${text},${amount},${date}`;
}
