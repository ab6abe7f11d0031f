import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeText } from '../../src/rows/encodings.ts';
import { inspectBytes } from './dialects/reading.ts';

describe('8 the encoding of a file', () => {
  const german = 'Datum;Empfänger;Text;Betrag\n31.01.2016;Müller;Bücher – 5 €;-1,50\n';
  const mac = 'Date,Text,Amount\n31/01/2016,Caf\u00e9 K\u00f6ln M\u00fcller,-1.50\n';
  const cases: readonly [name: string, data: Buffer, found: string | undefined][] = [
    ['UTF-8', Buffer.from(german), 'utf-8'],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${german}`), 'utf-8'],
    ['UTF-16 with a mark', encodeText(`\ufeff${german}`, 'utf-16be'), 'utf-16be'],
    ['UTF-16 without', encodeText(german, 'utf-16le'), 'utf-16le'],
    ['Windows-1252 by the header', encodeText(german, 'windows-1252'), 'windows-1252'],
    [
      'Windows-1252 by words that read the same in what else it could be',
      encodeText('Date,Text,Amount\n31/01/2016,Müller’s café – £5,-1.50\n', 'windows-1252'),
      'windows-1252',
    ],
    ['MacRoman, in which words make no sense otherwise', encodeText(mac, 'macintosh'), undefined],
    [
      'UTF-8 with a mark that was converted twice',
      Buffer.from('\u00ef\u00bb\u00bfDate,Text,Amount\n31/01/2016,Rent,-1.50\n'),
      'utf-8',
    ],
    [
      'UTF-8 converted twice, the mark too',
      Buffer.from('\u00ef\u00bb\u00bfDate,Text,Amount\n31/01/2016,B\u00c3\u00bcro,-1.50\n'),
      undefined,
    ],
    [
      'letters that may be Spanish or Polish',
      encodeText('Date,Text,Amount\n31/01/2016,Muñoz,-1.50\n', 'windows-1252'),
      undefined,
    ],
    [
      'Cyrillic by its words',
      encodeText('Date,Text,Amount\n31/01/2016,Аренда Зала VISA,-1.50\n', 'windows-1251'),
      'windows-1251',
    ],
    [
      'Cyrillic in KOI8-R',
      encodeText('Date,Text,Amount\n31/01/2016,Аренда Зала,-1.50\n', 'koi8-r'),
      'koi8-r',
    ],
    [
      'Cyrillic in capitals, which are other letters in KOI8-R',
      encodeText('Date,Text,Amount\n31/01/2016,АРЕНДА,-1.50\n', 'windows-1251'),
      undefined,
    ],
    [
      'Chinese by the header',
      Buffer.concat([
        Buffer.from([0xc8, 0xd5, 0xc6, 0xda]),
        Buffer.from(',Text,Amount\n31/01/2016,Rent,-1.50\n'),
      ]),
      'gb18030',
    ],
    [
      'UTF-8 beside other bytes',
      Buffer.concat([
        Buffer.from('Date,Text,Amount\n31/01/2016,Müller,1\n'),
        encodeText('30/01/2016,Müller,1\n', 'windows-1252'),
      ]),
      undefined,
    ],
  ];

  it('only readings that make sense are offered', async () => {
    const offered = async (data: Buffer) => {
      const [question] = (await inspectBytes(data, [])).questions;
      return question?.choices.flatMap(({ answers }) =>
        answers.flatMap((each) => (each.kind === 'encoding' ? each.encoding : [])),
      );
    };
    const line = (text: Buffer) =>
      Buffer.concat([Buffer.from('Date,Text,Amount\n31/01/2016,'), text, Buffer.from(',-1.50\n')]);
    const capitals = line(encodeText('АРЕНДА', 'windows-1251'));
    assert.deepEqual(await offered(capitals), ['windows-1251', 'koi8-r']);
    // The Chinese word for rent.
    assert.deepEqual(await offered(line(Buffer.from([0xb7, 0xbf, 0xd7, 0xe2]))), ['gb18030']);
  });

  it('a control character that is one of Windows-1252 is read as that, and shown', async () => {
    const data = Buffer.from('Date,Text,Amount\n31/01/2016,Children\u0092s home,-1.50\n');
    const { encoding } = await inspectBytes(data, []);
    const { because } = Object(encoding?.evidence);
    assert.match(because, /line 2 has "Children’s", with a character of Windows-1252/);
  });

  for (const [name, data, found] of cases) {
    it(`${name}: ${found ?? 'asked'}`, async () => {
      const { encoding, questions } = await inspectBytes(data, []);
      assert.equal(encoding?.value, found);
      assert.equal(questions[0]?.kind === 'encoding', found === undefined);
    });
  }
});
