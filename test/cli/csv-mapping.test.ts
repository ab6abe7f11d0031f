import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { MadeIds } from '../../src/rows/made-ids.ts';
import { MappingError } from '../../src/rows/problems.ts';
import type { Entry } from '../../src/rows/rows.ts';
import { mappingOf, readMapped } from './readings.ts';

/** Amounts, or codes of what is wrong with a row. */
function amountsOf(entries: readonly Entry[]): unknown[] {
  return entries.map(({ row, problems }) =>
    problems.length > 0
      ? problems.map(({ code }) => code).join()
      : Reflect.get(Object(row), 'amount'),
  );
}

const TEXTS = { externalId: 'i', date: 'd', description: 't' };

describe('8 a mapping file says which sign an amount has', () => {
  const shapes: readonly [
    name: string,
    header: string,
    cells: readonly string[],
    amount: unknown,
    found: readonly unknown[],
  ][] = [
    ['turned', 'a', ['1.5', '-2', '0'], { column: 'a', negate: true }, [-1.5, 2, 0]],
    [
      'a column each for out and in',
      'o;n',
      ['1.5;', ';2', '0.00;3', '4;0', ';', '1;1', '-5;', '0;0'],
      { out: 'o', in: 'n' },
      [1.5, -2, -3, 4, 'required', 'invalid_amount', -5, 0],
    ],
    [
      'a column for out that is below zero throughout',
      'o;n',
      ['-1.5;', ';2'],
      { out: { column: 'o', negate: true }, in: 'n' },
      [1.5, -2],
    ],
    [
      'an indicator, in any case; other words and signs are refused',
      'a;k',
      ['1.5;S', '2;h', '3;X', '4;', '-5;S'],
      { column: 'a', indicator: { column: 'k', out: 'S', in: ['H'] } },
      [1.5, -2, 'invalid_amount', 'invalid_amount', 'invalid_amount'],
    ],
    [
      'marks in the cells, and none',
      'a',
      ['1.5', '2 CR', '3.00CR', '4 DR'],
      { column: 'a', indicator: { out: [''], in: ['CR'] } },
      [1.5, -2, -3, 'invalid_amount'],
    ],
    [
      'brackets and a minus behind, where that is said',
      'a',
      ['(1.5)', '2-', '-3', '4'],
      { column: 'a', negative: ['brackets', 'trailing minus'] },
      [-1.5, -2, -3, 4],
    ],
    [
      'brackets where it is not',
      'a',
      ['(1.5)', '2-', '1 CR'],
      'a',
      Array(3).fill('invalid_amount'),
    ],
    [
      'a currency in the cells, and another',
      'a',
      ['£1.50', '-£2', '£-3', '(£4)', '$5', '6', '7 EUR'],
      { column: 'a', currency: '£', negative: ['brackets'] },
      [1.5, -2, -3, -4, 'invalid_amount', 6, 'invalid_amount'],
    ],
  ];
  for (const [name, header, cells, amount, found] of shapes) {
    it(name, async () => {
      const lines = cells.map((cell) => `x;2016-01-31;Tea;${cell}\n`);
      const text = `i;d;t;${header}\n${lines.join('')}`;
      const { entries } = await readMapped(text, { delimiter: ';', fields: { ...TEXTS, amount } });
      assert.deepEqual(amountsOf(entries), found);
    });
  }
});

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

const WRONG: readonly [name: string, document: unknown, says: RegExp][] = [
  [
    'no column at all',
    { fields: { ...TEXTS, amount: {} } },
    /must name its column, or one for "out"/,
  ],
  ['out alone', { fields: { amount: { out: 'a' } } }, /one for "out" and one for "in"/],
  ['a column and two', { fields: { amount: { column: 'a', out: 'b', in: 'c' } } }, /must name its/],
  [
    'an indicator and negate',
    { fields: { amount: { column: 'a', negate: true, indicator: { out: 'S', in: 'H' } } } },
    /use either indicator or negate/,
  ],
  [
    'half an indicator',
    { fields: { amount: { column: 'a', indicator: { out: 'S' } } } },
    /indicator\.in/,
  ],
  [
    'another form',
    { fields: { amount: { column: 'a', negative: 'red' } } },
    /list some of: trailing minus, brack/,
  ],
  ['made of nothing', { fields: { externalId: { made: [] } } }, /must not be empty/],
  ['made elsewhere', { fields: { contact: { made: ['a'] } } }, /only externalId has made/],
  [
    'a rule of two kinds',
    { fields: {}, notRows: [{ begins: 'a', sum: true }] },
    /each must be \{"begins"/,
  ],
  ['no thousands sign', { fields: {}, thousands: '_' }, /thousands must be \. or ,/],
  ['no columns', { fields: {}, headerless: { columns: 0 } }, /columns must be a whole number/],
  ['a currency without a column', { fields: {}, currency: { is: 'EUR' } }, /currency\.column/],
];

for (const [name, document, says] of WRONG) {
  test(`8 a mapping file is refused: ${name}`, () => {
    assert.throws(
      () => mappingOf(document),
      (error) => error instanceof MappingError && says.test(error.message),
    );
  });
}
