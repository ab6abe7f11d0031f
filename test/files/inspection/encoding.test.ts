import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeText } from '../../../src/files/text/encodings.ts';
import { inspectBytes } from './dialects/reading.ts';

describe('8 the encoding of a file', () => {
  const german = 'Datum;Empfänger;Text;Betrag\n31.01.2016;Müller;Bücher – 5 €;-1,50\n';
  const mac = 'Date,Text,Amount\n31/01/2016,Caf\u00e9 K\u00f6ln M\u00fcller,-1.50\n';
  const plain = 'Date,Text,Amount\n31/01/2016,';
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
    ['MacRoman, of which three letters are too few', encodeText(mac, 'macintosh'), undefined],
    [
      'MacRoman by its words',
      encodeText('Date,Text,Amount\n31/1/2016,Köln Müller Straße Geschäft,-1\n', 'macintosh'),
      'macintosh',
    ],
    [
      'Czech by its words',
      encodeText(
        'Položka,Datum,Částka\nVýplata,31/01/2016,1.50\nÚřad,31/01/2016,-1\n',
        'windows-1250',
      ),
      'windows-1250',
    ],
    [
      'Lithuanian by its words',
      encodeText('Data,Gavėjas,Suma\n31/01/2016,Už šį mėnesį,-1.50\n', 'windows-1257'),
      'windows-1257',
    ],
    [
      'Turkish by its words',
      encodeText('Tarih,Açıklama,Tutar\n31/01/2016,Kira ödemesi şubat,-1.50\n', 'windows-1254'),
      'windows-1254',
    ],
    [
      'Greek by its words',
      encodeText('Ημερομηνία,Ποσό,Κείμενο\n31/01/2016,-1.50,Ενοίκιο\n', 'windows-1253'),
      'windows-1253',
    ],
    [
      'pounds in DOS, by the digit after the sign',
      encodeText('Date,Text,Amount\n31/01/2016,Grant over £5k,-1.50\n', 'ibm850'),
      'ibm850',
    ],
    [
      'one letter, which no other encoding makes sense of, is too little',
      encodeText('Date,Text,Amount\n31/01/2016,Opłata,-1.50\n', 'windows-1250'),
      undefined,
    ],
    [
      'an accent as an apostrophe',
      encodeText('Date,Text,Amount\n31/01/2016,FARRAH´S MID´TON,-1.50\n', 'windows-1252'),
      'windows-1252',
    ],
    [
      'Turkish letters that Windows-1252 and Windows-1250 read alike',
      encodeText('Date,Text,Amount\n31/01/2016,Kazakça doları,-1.50\n', 'windows-1254'),
      undefined,
    ],
    [
      'names in several languages that are one language in another encoding',
      encodeText('Date,Text,Amount\n1/1/2016,Søren Øystein García Jesús,-1\n', 'windows-1252'),
      undefined,
    ],
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
      'Polish in ISO-8859-2',
      encodeText('Data,Opis,Kwota\n31/01/2016,Za śniadanie źródło łąka,-1.50\n', 'iso-8859-2'),
      'iso-8859-2',
    ],
    [
      'Cyrillic in DOS',
      encodeText('Date,Text,Amount\n31/01/2016,Аренда Зала,-1.50\n', 'ibm866'),
      'ibm866',
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
      'Hebrew by the header',
      encodeText('תאריך,סכום,Text\n31/01/2016,-1.50,שכירות\n', 'windows-1255'),
      'windows-1255',
    ],
    [
      'Hebrew by its words, which could be Cyrillic',
      encodeText('Date,Text,Amount\n31/01/2016,שכירות מרץ,-1.50\n', 'windows-1255'),
      undefined,
    ],
    [
      'Arabic by its words',
      encodeText(`${plain}إيجار مارس فاتورة المياه رسوم العضوية,-1.50\n`, 'windows-1256'),
      'windows-1256',
    ],
    [
      'Thai by the header',
      encodeText('วันที่,จำนวนเงิน,Text\n31/01/2016,-1.50,ค่าน้ำ\n', 'windows-874'),
      'windows-874',
    ],
    [
      'Japanese in EUC by the header',
      Buffer.concat([
        Buffer.from([0xc6, 0xfc, 0xc9, 0xd5]),
        Buffer.from(',Text,Amount\n31/01/2016,Rent,-1.50\n'),
      ]),
      'euc-jp',
    ],
    [
      'Hungarian by a name of a column, with a letter of Windows-1250',
      encodeText('Nap,Szöveg,Összeg\n31/01/2016,Szűcs,-1.50\n', 'windows-1250'),
      'windows-1250',
    ],
    [
      'Icelandic by a name of a column',
      encodeText('Dagsetning,Text,Amount\n31/01/2016,Þrif Leiga Staða,-1.50\n', 'windows-1252'),
      'windows-1252',
    ],
    [
      'a known name, and a sign in a word that is a letter in another encoding',
      encodeText('Date,Libellé,Montant\n31/01/2016,Fournitures œuvre 5€,-1.50\n', 'iso-8859-15'),
      undefined,
    ],
    [
      'Czech in ISO-8859-2, with the same names of columns in Windows-1250',
      encodeText('Datum,Částka,Zůstatek\n31/1/2016,-1,Šťastný Nájem Příspěvek\n', 'iso-8859-2'),
      'iso-8859-2',
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
      'lines in UTF-8 beside lines in Windows-1252',
      Buffer.concat([
        Buffer.from('Date,Text,Amount\n31/01/2016,Müller,1\n'),
        encodeText('30/01/2016,Müller,1\n', 'windows-1252'),
      ]),
      'windows-1252',
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
    const hebrew = line(encodeText('מענק ניקיון', 'windows-1255'));
    assert.deepEqual(await offered(hebrew), ['windows-1251', 'koi8-r', 'windows-1255']);
    // The Chinese word for rent.
    const chinese = line(Buffer.from([0xb7, 0xbf, 0xd7, 0xe2]));
    assert.deepEqual(await offered(chinese), ['gb18030', 'big5', 'euc-jp']);
    // The Korean one for a salary.
    const korean = line(Buffer.from([0xb1, 0xde, 0xbf, 0xa9]));
    assert.ok((await offered(korean))?.includes('euc-kr'));
    // Windows-1254 does not have the first byte.
    const capital = line(Buffer.from([0x8e, 0x9f, 0x9c, 0x9b]));
    assert.ok(!(await offered(capital))?.includes('windows-1254'));
  });

  it('each choice shows two words that differ between the choices', async () => {
    const text = 'Date,Text,Amount\n31/01/2016,Café Muñoz,-1.50\n31/01/2016,Peña,-1.50\n';
    const [question] = (await inspectBytes(encodeText(text, 'windows-1252'), [])).questions;
    assert.deepEqual(
      question?.choices.map(({ examples }) => examples),
      [
        ['line 2: "Muñoz"', 'line 3: "Peña"'],
        ['line 2: "Muńoz"', 'line 3: "Peńa"'],
      ],
    );
  });

  it('of words without end no more is decoded than their begin', async (t) => {
    const sizes: number[] = [];
    const { decode } = TextDecoder.prototype;
    t.mock.method(TextDecoder.prototype, 'decode', function (this: unknown, bytes: Buffer) {
      sizes.push(bytes.length);
      return decode.call(this, bytes);
    });
    const word = `${'€'.repeat(20_000)}\n`;
    const header = Buffer.from('Date,Text,Amount\n31/01/2016,Rent,-1.50\n');
    const data = Buffer.concat([header, Buffer.from(word.repeat(20)).subarray(0, -2)]);
    const { questions } = await inspectBytes(data, []);
    assert.equal(questions[0]?.kind, 'encoding');
    assert.ok(sizes.length > 0 && Math.max(...sizes) < 10_000, `${Math.max(...sizes)} bytes`);
    assert.ok(sizes.reduce((all, size) => all + size) < data.length);
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
