import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FileError } from '../../../src/files/problems.ts';
import { opened, pick } from './opened.ts';

const message = (entries: string, { opening = 'C230101EUR100,00', closing = '' } = {}) =>
  `:20:STARTUMS\r\n:25:12345678/0123456789EUR\r\n:28C:1/1\r\n:60F:${opening}\r\n${entries}${
    closing && `:62F:${closing}\r\n:86:about the statement\r\n`
  }-\r\n`;
const entry = (text: string, narrative = 'Text') => `:61:${text}\r\n:86:${narrative}\r\n`;

describe('18 MT940', () => {
  it('is read with the side of each mark, and the balances prove it', async () => {
    const marks = ['C5,', 'CR5,', 'D7,5', 'DR000007,50', 'RC2', 'RCR2,', 'RD3,', 'RDR3,', 'D9,50 '];
    const text = message(marks.map((mark) => entry(`2301020102${mark}NTRFNONREF`)).join(''), {
      closing: 'C230102EUR87,50',
    });
    const { rows, notes, inspection } = await opened(`{1:F01BANKXX}{2:I940X}{4:\r\n${text}`);
    assert.deepEqual(pick(rows, 'amount'), [-5, -5, 7.5, 7.5, 2, 2, -3, -3, 9.5]);
    assert.deepEqual([notes, inspection.questions, inspection.table?.format], [[], [], 'MT940']);
    assert.deepEqual(pick(rows, 'bankAccount', 'currency')[0], ['12345678/0123456789', 'EUR']);
  });

  it('takes the day of entry in the nearest year, else the value day', async () => {
    const days = ['2301021230', '2212310102', '230102', '2302300301', '2301020230', '2302310230'];
    const { rows } = await opened(message(days.map((day) => entry(`${day}D1,NTRF`)).join('')));
    assert.deepEqual(pick(rows, 'date'), [
      ...['2022-12-30', '2023-01-02', '2023-01-02', '2023-03-01', '2023-01-02', ['invalid_date']],
    ]);
  });

  const narratives: [what: string, text: string, found: unknown[]][] = [
    [
      'numbered, cut anywhere',
      '166?00GUTSCHRIFT?20EREF+RF 1?21SVWZ+The rent for March 202?223 and Ap\r\nril?\r\n32Ann?33 B',
      ['The rent for March 2023 and April', 'Ann B', 'RF 1'],
    ],
    ['numbered with another mark', '051>00X>20Rent>21May>32Ann', ['Rent May', 'Ann', 'OWN']],
    [
      'named',
      '/TRTP/SEPA OVERBOEKING/IBAN/NL01/BIC/ABNANL2A/NAME/Ann/REMI/Rent May/EREF/NOTPROVIDED',
      ['Rent May', 'Ann', 'OWN'],
    ],
    [
      'named, with the other party',
      '/EREF/E1//CNTP/NL01/INGBNL2A/Ann///REMI/USTD//Rent May/',
      ['Rent May', 'Ann', 'E1'],
    ],
    [
      'prose',
      'REK: 12/NAAM: Ann\r\n-5 percent\r\n:08 is not a tag',
      ['REK: 12/NAAM: Ann -5 percent :08 is not a tag', undefined, 'OWN'],
    ],
  ];
  for (const [what, text, found] of narratives) {
    it(`has its texts ${what}`, async () => {
      const { rows } = await opened(message(entry('230102D1,NTRFOWN//BANK1', text)));
      assert.deepEqual(pick(rows, 'description', 'contact', 'reference'), [found]);
      assert.deepEqual(pick(rows, 'externalId'), ['12345678/0123456789/2023-01-02/-1.00/BANK1']);
    });
  }

  it('keeps equal payments of pages that follow each other, and not those of a copy', async () => {
    const one = entry('230102D1,NTRF');
    const first = message(one, { closing: 'C230102EUR99,00' });
    const second = message(one, { opening: 'C230102EUR99,00', closing: 'C230103EUR98,00' });
    assert.equal((await opened(first + second)).rows.length, 2);
    const copy = await opened(first + first);
    assert.equal(copy.rows.length, 1);
    assert.match(copy.notes.join(), /1 payment that the file has in another statement too/);
  });

  it('rejects a payment that it cannot read, and says a balance that does not hold', async () => {
    const text = message(`${entry('2301XXD1,NTRF')}${entry('230102D1,NTRF')}`, {
      closing: 'C230102EUR90,00',
    });
    const { rows, notes } = await opened(text);
    assert.deepEqual(rows[0], [5, ['required', 'invalid_amount']]);
    assert.match(notes.join(), /make 99\.00, but the closing balance is 90\.00, .* of -9\.00/);
  });

  it('is read in the code page 852 where its letters show it, else in Windows-1252', async () => {
    const text = message(entry('230102D1,NTRF', 'Zap\u0088ata za us\u0088ug\u0098'), {
      closing: 'C230102EUR99,00',
    });
    const { rows } = await opened(Buffer.from(text, 'latin1'));
    assert.deepEqual(pick(rows, 'description'), ['Zapłata za usługś']);
    const other = message(entry('230102D1,NTRF', 'L\u0092\u00e9cole, Gr\u00f6\u00dfe, na\u00efve'));
    const plain = await opened(Buffer.from(other, 'latin1'));
    assert.deepEqual(pick(plain.rows, 'description'), ['L’école, Größe, naïve']);
  });

  it('says that it may be cut off where only the opening balance is known', async () => {
    const cut = await opened(message(entry('230102D1,NTRF')));
    assert.match(cut.notes.join(), /lacks its closing balance/);
    const inside = await opened(message(entry('230102D1,NTRF'), { closing: 'C2301' }));
    assert.match(inside.notes.join(), /lacks its closing balance/);
  });

  it('rejects a payment without the end of its line, whose amount may be cut off', async () => {
    const { rows } = await opened(
      message(entry('230102D1,NTRF')).replace('-\r\n', ':61:230102D12'),
    );
    assert.deepEqual(pick(rows, 'amount'), [1, ['invalid_amount']]);
  });

  it('rejects a payment whose text may be cut off, because the text can be in its id', async () => {
    const entries = entry('230102D1,NTRF') + entry('230103D2,NTRF', 'Rent of May');
    const whole = message(entries, { closing: 'C230103EUR97,00' });
    const cut = await opened(whole.slice(0, whole.indexOf(' of May')));
    assert.deepEqual(pick(cut.rows, 'amount'), [1, ['invalid_amount']]);
    assert.match(cut.notes.join(), /lacks its closing balance/);
    const end = await opened(whole.slice(0, whole.indexOf('2301', whole.indexOf(':62F:')) + 4));
    assert.deepEqual(pick(end.rows, 'amount'), [1, 2]);
  });

  it('names a few of very many balances that do not hold', async () => {
    const wrong = Array.from({ length: 8 }, (_, at) => {
      return message(entry(`230102D${at + 1},NTRF`), { closing: 'C230102EUR500,00' });
    });
    const { notes } = await opened(wrong.join(''));
    assert.equal(notes.filter((each) => each.includes('a difference of')).length, 5);
    assert.match(notes.join(), /EUR: the balances of 3 more do not hold either/);
  });

  it('warns of interim reports, and refuses a message without payments', async () => {
    const interim = ':20:1\n:25:1\n:28C:1\n:34F:EUR0,\n:61:230102D1,NTRF\n:86:x\n:90D:1EUR1,\n-';
    assert.match((await opened(interim)).notes.join(), /interim report \(MT942\)/);
    const long = message(entry('230102D1,NTRF', 'x'.repeat(99_999)));
    for (const [text, words] of [
      [message(''), /a statement without payments/],
      [long, /a line without an end/],
    ] as const) {
      await assert.rejects(opened(text), (error) => {
        return error instanceof FileError && words.test(error.message);
      });
    }
  });
});
