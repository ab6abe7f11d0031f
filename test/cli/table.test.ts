import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatTable, type Grid, isFitting } from '../../src/cli/table.ts';
import { cleanText, cutText, widthOf, wrapText } from '../../src/core/text-width.ts';

describe('8: the width of a text', () => {
  const texts: [text: string, width: number][] = [
    ['', 0],
    ['plain', 5],
    ['Müller', 6],
    ['Mu\u0308ller', 6],
    ['東京不動産', 10],
    ['ｆｕｌｌ', 8],
    ['한국어', 6],
    ['\u1112\u1161\u11ab', 2],
    ['👍', 2],
    ['👩‍👩‍👧', 2],
    ['🇬🇧', 2],
    ['☎️', 2],
    ['☎', 1],
    ['zero\u200bwidth', 9],
    ['soft\u00adhyphen', 11],
    ['नमस्ते', 4],
    ['…─', 2],
  ];
  for (const [text, width] of texts) {
    it(`${JSON.stringify(text)} has ${width} columns`, () => assert.equal(widthOf(text), width));
  }

  it('cutting never splits a character or exceeds the width', () => {
    const cut: [text: string, width: number, result: string][] = [
      ['short', 5, 'short'],
      ['longer', 5, 'long…'],
      ['two words', 5, 'two…'],
      ['東京不動産', 10, '東京不動産'],
      ['東京不動産', 6, '東京…'],
      ['東京不動産', 5, '東京…'],
      ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
      ['👩‍👩‍👧👍', 3, '👩‍👩‍👧…'],
      ['any', 1, '…'],
      ['any', 0, ''],
    ];
    for (const [text, width, result] of cut) {
      assert.equal(cutText(text, width), result);
      assert.ok(widthOf(cutText(text, width)) <= width);
    }
  });

  it('wrapping breaks at spaces', () => {
    assert.deepEqual(wrapText('one two three', 8), ['one two', 'three']);
    assert.deepEqual(wrapText('unbreakable', 5), ['unbreakable']);
  });
});

describe('8: control characters are replaced before they reach the terminal', () => {
  const texts: [text: string, clean: string][] = [
    ['\u001b[31mred', '␛[31mred'],
    ['bell\u0007', 'bell␇'],
    ['a\tb\nc\r', 'a b c '],
    ['del\u007f', 'del␡'],
    ['c1\u009b31m', 'c1\ufffd31m'],
    ['\u202egnp.exe', '\ufffdgnp.exe'],
    ['a\u2028b', 'a\ufffdb'],
    ['half\ud800', 'half\ufffd'],
    ['👩‍👧 é', '👩‍👧 é'],
  ];
  for (const [text, clean] of texts) {
    it(JSON.stringify(text), () => assert.equal(cleanText(text), clean));
  }

  it('replaces them in every cell, banner and footer of a table', () => {
    const table: Grid = {
      columns: [{ title: 'Name' }, { title: 'Sum', align: 'right' }],
      entries: [['a\u001b[2J', '1'], { banner: 'all\u0007 of it' }],
      footer: [['\u009b', '1']],
    };
    assert.deepEqual(formatTable(table, 80), [
      'Name   Sum',
      '─────  ───',
      'a␛[2J    1',
      'all␇ of it',
      '─────  ───',
      '\ufffd        1',
    ]);
  });
});

describe('8: a table', () => {
  const table: Grid = {
    columns: [
      { title: 'Id' },
      { title: 'Name', min: 6 },
      { title: 'Note', min: 6, rank: 1 },
      { title: 'More', rank: 2 },
      { title: 'Nothing', rank: 3 },
      { title: 'Amount', align: 'right' },
    ],
    entries: [
      ['a1', 'A rather long name', 'first note', 'and so on', '', '1,234.50'],
      ['a2', '東京', '', '', '', '-0.05'],
    ],
  };

  it('shows every column with content if there is room', () => {
    assert.deepEqual(formatTable(table, 80), [
      'Id  Name                Note        More         Amount',
      '──  ──────────────────  ──────────  ─────────  ────────',
      'a1  A rather long name  first note  and so on  1,234.50',
      'a2  東京                                          -0.05',
    ]);
  });

  it('cuts texts, and drops the least important columns', () => {
    assert.deepEqual(formatTable(table, 45), [
      'Id  Name       Note       More         Amount',
      '──  ─────────  ─────────  ─────────  ────────',
      'a1  A rather…  first no…  and so on  1,234.50',
      'a2  東京                                -0.05',
    ]);
    assert.deepEqual(formatTable(table, 40), [
      'Id  Name    Note     More         Amount',
      '──  ──────  ───────  ─────────  ────────',
      'a1  A rat…  first…   and so on  1,234.50',
      'a2  東京                           -0.05',
    ]);
    const narrow: Grid = { ...table, columns: table.columns.slice(0, 4) };
    assert.deepEqual(
      formatTable({ ...narrow, entries: [['a1', 'x'.repeat(40), 'n', 'm'.repeat(34)]] }, 40),
      [
        'Id  Name                            Note',
        '──  ──────────────────────────────  ────',
        `a1  ${'x'.repeat(29)}…  n`,
      ],
    );
  });

  it('shows a column that has room although a more important one has none', () => {
    const entries = [['a1', 'Tea', 'note', 'm'.repeat(34), 'here', '1.00']];
    assert.deepEqual(formatTable({ ...table, entries }, 40), [
      'Id  Name  Note  Nothing  Amount',
      '──  ────  ────  ───────  ──────',
      'a1  Tea   note  here       1.00',
    ]);
  });

  it('is never laid out for less than 40 columns', () => {
    assert.deepEqual(formatTable(table, 10), formatTable(table, 40));
  });

  it('colours text, but not padding', () => {
    const paint = (text: string) => `<${text}>`;
    const painted: Grid = {
      columns: [{ title: 'A' }, { title: 'B', align: 'right' }],
      entries: [
        [
          { text: 'x', paint },
          { text: '1', paint },
        ],
        ['long', { text: '', paint }],
      ],
    };
    assert.deepEqual(
      formatTable(painted, 80, (text) => text.toUpperCase()),
      ['A     B', '────  ─', '<x>     <1>', 'long'],
    );
  });

  it('centres titles over their columns', () => {
    const columns = [{ title: 'Line' }, { title: 'Budget' }, { title: 'Actual' }];
    const bands = [
      { title: '', columns: 1 },
      { title: 'Total', columns: 2 },
    ];
    assert.deepEqual(formatTable({ columns, bands, entries: [] }, 80)[0], '           Total');
  });

  it('fits if no column is cut below its minimum width', () => {
    assert.equal(isFitting(table, 48), true);
    assert.equal(isFitting(table, 47), false);
  });
});
