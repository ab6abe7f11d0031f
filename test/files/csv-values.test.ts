import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { amountsOf, readMapped, TEXTS } from './readings.ts';

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
