import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readWrittenAmount, splitAmount } from '../../src/rows/amount-writing.ts';
import { readDateFormat } from '../../src/rows/date-formats.ts';
import { decodeBytes, ENCODINGS, encodeText } from '../../src/rows/encodings.ts';
import { FileError } from '../../src/rows/problems.ts';
import { readMapped } from './readings.ts';

describe('1 the characters around the digits of an amount', () => {
  const cells: readonly [text: string, parts: readonly (string | undefined)[]][] = [
    ['-£1,234.50', ['-1,234.50', undefined, '£', undefined]],
    ['EUR -12,50', ['-12,50', undefined, 'EUR', undefined]],
    ['12,50- €', ['12,50', 'trailing minus', '€', undefined]],
    ['1.234,50+', ['1.234,50', undefined, undefined, undefined]],
    ['(CHF 34.50)', ['34.50', 'brackets', 'CHF', undefined]],
    ['R$ 1.500,00', ['1.500,00', undefined, 'R$', undefined]],
    ['-R$ 250,00', ['-250,00', undefined, 'R$', undefined]],
    ['1 000,00 kr', ['1 000,00', undefined, 'kr', undefined]],
    ['\u2212 5', ['-5', undefined, undefined, undefined]],
    ['5.00 Dr.', ['5.00', undefined, undefined, 'Dr']],
    ['US$5 CR', ['5', undefined, 'US$', 'CR']],
    ['￥1,500', ['1,500', undefined, '￥', undefined]],
  ];
  for (const [text, parts] of cells) {
    it(text, () => {
      const found = splitAmount(text);
      const own = [found?.number, found?.form, found?.currency, found?.mark];
      assert.deepEqual(own, parts);
    });
  }

  for (const text of ['', 'ABC 5', '5 ABC', '(-5)', '-5-', '--5', '5 CR DR', '£', 'CR', '5%']) {
    it(`"${text}" is not an amount`, () => assert.equal(splitAmount(text), undefined));
  }

  it('a thousands separator in the mapping is the only one accepted', () => {
    const stated = { decimal: '.', thousands: "'" } as const;
    assert.deepEqual(readWrittenAmount("1'234.50", stated), { value: 1234.5 });
    const other = readWrittenAmount('1,234.50', stated);
    assert.match('problem' in other ? other.problem.message : '', /separates thousands with "'"/);
  });
});

describe('1 days in other writings', () => {
  const days: readonly [format: string, text: string, day: string | undefined][] = [
    ['D MMM YYYY', '1 févr. 2016', '2016-02-01'],
    ['DD-MMM-YY', '31-DIC-15', '2015-12-31'],
    ['D. MMM YYYY', '31. März 2016', '2016-03-31'],
    ['DD MMM YYYY', '05 paź 2016', '2016-10-05'],
    ['MMM D, YYYY', 'Sept 9, 2016', '2016-09-09'],
    ['DD MMM YYYY', '31 Foo 2016', undefined],
    ['YYYY年M月D日', '2016年1月31日', '2016-01-31'],
    ['DDMM@2016', '2902', '2016-02-29'],
    ['D. MMM YYYY@hr', '5. listopada 2016', '2016-10-05'],
    ['D. MMM YYYY@pl', '5. listopada 2016', '2016-11-05'],
    ['DDMM@2015', '2902', undefined],
    ['YYYY-MM-DDTHH:mm:ssZ', '2016-01-31T23:30:00Z', '2016-01-31'],
    ['YYYY-MM-DDTHH:mm:ss.SSSZ', '2016-01-31T23:30:00.123+02:00', '2016-01-31'],
    ['M/D/YYYY H:mm A', '1/31/2016 9:05 PM', '2016-01-31'],
    ['D MMM YYYY', '1\u00a0mars 2016', '2016-03-01'],
    ['ddd DD.MM.YYYY', 'Mo 01.02.2016', '2016-02-01'],
    ['ddd MMM D, YYYY', 'Sun, Jan 31, 2016', '2016-01-31'],
  ];
  for (const [format, text, day] of days) {
    it(`${format}: "${text}" is ${day ?? 'not a date'}`, () => {
      assert.equal(readDateFormat(format)?.read(text), day);
    });
  }
});

describe('8 encodings, read and written', () => {
  const samples: Readonly<Record<(typeof ENCODINGS)[number], string>> = {
    'utf-8': 'Ü€😀',
    'utf-16le': 'Ü€😀\n',
    'utf-16be': 'Ü€😀\n',
    'windows-1252': 'Äö“€”–™ŠšŽžŒœŸ',
    'windows-1250': 'Zażółć gęślą jaźń €',
    'iso-8859-15': 'Äö€ŠšŽžŒœŸ',
    macintosh: 'Äöüß–é',
    ibm850: 'Äöüß£é│',
    shift_jis: '日付ｱ摘要',
  };
  for (const encoding of ENCODINGS) {
    it(`${encoding} survives decoding and encoding`, () => {
      const text = samples[encoding];
      assert.equal(decodeBytes(encodeText(text, encoding), encoding), text);
    });
  }

  it('missing characters become question marks, and invalid bytes are refused', () => {
    assert.equal(encodeText('日€', 'windows-1252').toString('latin1'), '?\x80');
    assert.equal(decodeBytes(Buffer.from([0x41, 0x81]), 'windows-1252'), undefined);
  });

  const fields = { externalId: 'Nr', date: 'Tag', description: 'Für', amount: 'Betrag' };
  const text = 'Nr;Tag;Für;Betrag\na;2016-01-31;Bücher;1\n';

  it('the encoding in the mapping is used, unless there is a byte order mark', async () => {
    const stated = { encoding: 'windows-1252', fields };
    for (const bytes of [
      encodeText(text, 'windows-1252'),
      Buffer.from(`\ufeff${text}`),
      encodeText(`\ufeff${text}`, 'utf-16be'),
    ]) {
      const { entries } = await readMapped(bytes, stated);
      assert.equal(Reflect.get(Object(entries[0]?.row), 'description'), 'Bücher');
    }
  });

  it('UTF-8 is never read as something else', async () => {
    await assert.rejects(readMapped(text, { encoding: 'windows-1252', fields }), (error) => {
      assert.ok(error instanceof FileError);
      assert.match(
        error.message,
        /line 1 and the lines below are UTF-8, but the mapping says windows-1252/,
      );
      return true;
    });
  });

  it('bytes that are invalid in the stated encoding are an error with the line', async () => {
    const bytes = Buffer.from('Nr;Tag;F;Betrag\na;2016-01-31;\x81;1\n', 'latin1');
    const own = { ...fields, description: 'F' };
    const reading = readMapped(bytes, { encoding: 'windows-1252', fields: own });
    await assert.rejects(reading, /line 2 is not windows-1252/);
  });
});
