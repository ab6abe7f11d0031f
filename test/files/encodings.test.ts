import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FileError } from '../../src/files/problems.ts';
import { encodeRejected } from '../../src/files/reading/rejected-rows.ts';
import { decodeBytes, encodeText, type WrittenEncoding } from '../../src/files/text/encodings.ts';
import { readMapped } from './readings.ts';

describe('8 encodings, read and written', () => {
  const samples: Readonly<Record<WrittenEncoding, string>> = {
    'utf-8': 'Ü€😀',
    'utf-16le': 'Ü€😀\n',
    'utf-16be': 'Ü€😀\n',
    'windows-1252': 'Äö“€”–™ŠšŽžŒœŸ',
    'windows-1250': 'Zażółć gęślą jaźń €',
    'windows-1253': 'Ημερομηνία Ποσό €',
    'windows-1254': 'Açıklama Şubesi İş ğ €',
    'windows-1257': 'Gavėjas mokėjimų ąčęįšųūž €',
    'iso-8859-2': 'Zażółć gęślą jaźń',
    'iso-8859-15': 'Äö€ŠšŽžŒœŸ',
    macintosh: 'Äöüß–é',
    ibm850: 'Äöüß£é│',
    'windows-1251': 'Счёт № 5 – Їжак “€”',
    'koi8-r': 'Счёт ©',
    ibm866: 'Счёт №',
    'windows-1255': 'תאריך ₪ €',
    'windows-1256': 'التاريخ € گ',
    'windows-874': 'วันที่ ๕ ฿',
    shift_jis: '日付ｱ摘要',
  };
  for (const [encoding, text] of Object.entries(samples) as [WrittenEncoding, string][]) {
    it(`${encoding} survives decoding and encoding`, () => {
      assert.equal(decodeBytes(encodeText(text, encoding), encoding), text);
    });
  }

  it('gb18030 is only read: rejected rows are written in UTF-8 with a mark', async () => {
    const yuan = Buffer.from([0xbd, 0xf0, 0xb6, 0xee, 0x80, 0x81, 0x30, 0x84, 0x36]);
    assert.equal(decodeBytes(yuan, 'gb18030'), '金额€¥');
    const head = Buffer.from('Nr,Tag,Text,');
    const bytes = Buffer.concat([head, yuan.subarray(0, 4), Buffer.from('\na,2016-01-31,x,1\n')]);
    const fields = { externalId: 'Nr', date: 'Tag', description: 'Text', amount: '金额' };
    const { reading } = await readMapped(bytes, { encoding: 'gbk', fields });
    const { encoding, byteOrderMark } = Object(reading.rejectedForm);
    assert.deepEqual([encoding, byteOrderMark], ['utf-8', true]);
  });

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
      // The mark as another program converts it once more.
      Buffer.from(`\u00ef\u00bb\u00bf${text}`),
      encodeText(`\ufeff${text}`, 'utf-16be'),
    ]) {
      const { entries } = await readMapped(bytes, stated);
      assert.equal(Reflect.get(Object(entries[0]?.row), 'description'), 'Bücher');
    }
  });

  it('control characters are read as Windows-1252, where it has one', () => {
    const read = (text: string) => decodeBytes(Buffer.from(text), 'utf-8');
    assert.equal(read('Children\u0092s \u0096 \u00a35'), 'Children’s – £5');
    // A letter that was converted twice, of which the control is only a part.
    assert.equal(read('PR\u00c3\u0089 It\u00e2\u0080\u0099s'), 'PRÉ It’s');
    assert.equal(read('\u0081'), '\u0081');
  });

  it('UTF-8 is never read as something else', async () => {
    await assert.rejects(readMapped(text, { encoding: 'windows-1250', fields }), (error) => {
      assert.ok(error instanceof FileError);
      assert.match(
        error.message,
        /line 1 and the lines below are UTF-8, but the mapping says windows-1250/,
      );
      return true;
    });
  });

  it('beside Windows-1252, lines in UTF-8 are read as what they are, and written so', async () => {
    const mixed = [
      encodeText('Nr;Tag;F\u00fcr;Betrag\na;2016-01-31;B\u00fccher;1\n', 'windows-1252'),
      Buffer.from('b;2016-01-31;Książki;x\nc;2016-01-31;Á;1\n'),
      encodeText('d;2016-01-31;CAFÉ»;1\n', 'windows-1252'),
    ];
    const stated = { encoding: 'windows-1252', fields };
    const { entries, reading } = await readMapped(Buffer.concat(mixed), stated);
    const told = entries.map(({ row }) => Reflect.get(Object(row), 'description'));
    assert.deepEqual(told, ['Bücher', undefined, 'Á', 'CAFÉ»']);
    const refused = entries.filter(({ problems }) => problems.length > 0);
    const again = await readMapped(encodeRejected(refused, reading, true), stated);
    assert.deepEqual(
      again.entries.map(({ original }) => 'fields' in original && original.fields[2]),
      ['Książki'],
    );
  });

  it('bytes that are invalid in the stated encoding are an error with the line', async () => {
    const bytes = Buffer.from('Nr;Tag;F;Betrag\na;2016-01-31;\x81;1\n', 'latin1');
    const own = { ...fields, description: 'F' };
    const reading = readMapped(bytes, { encoding: 'windows-1252', fields: own });
    await assert.rejects(reading, /line 2 is not windows-1252/);
  });
});
