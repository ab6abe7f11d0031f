import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readRows } from '../../../src/files/index.ts';
import { FileError, MappingError } from '../../../src/files/problems.ts';
import { collect } from '../readings.ts';
import { fileOf, opened, pick } from './opened.ts';

const HEAD = 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nCHARSET:1252\n\n';
const ACCOUNT = '<BANKACCTFROM><BANKID>12<ACCTID>00 123<ACCTTYPE>CHECKING</BANKACCTFROM>';

/** A file with these payments, each without end tags. */
function sgml(payments: readonly string[], { account = ACCOUNT, currency = 'EUR' } = {}): string {
  return `${HEAD}<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>${currency}\n${account}<BANKTRANLIST>
${payments.map((each) => `<STMTTRN>${each}</STMTTRN>`).join('\n')}
</BANKTRANLIST><LEDGERBAL><BALAMT>1.00</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
}

const payment = (amount: string, id: string, more = '<NAME>Shop') =>
  `<TRNTYPE>DEBIT<DTPOSTED>20240305<TRNAMT>${amount}<FITID>${id}${more}`;

describe('18 OFX', () => {
  const forms: [what: string, text: string][] = [
    ['without end tags', sgml([payment('-12.50', 'A', '<NAME>Smith & Co<MEMO>Paint')])],
    [
      'with end tags, on several lines',
      `${HEAD}<OFX>\r\n<STMTRS><CURDEF>EUR</CURDEF>
<BANKACCTFROM>\n<ACCTID>00123EUR</ACCTID></BANKACCTFROM><STMTTRN><TRNTYPE>DEBIT</TRNTYPE>
<DTPOSTED>20240305000000[-3:GMT]</DTPOSTED><TRNAMT>
 -12,50</TRNAMT><FITID>
A</FITID><NAME>Smith &amp; Co</NAME><MEMO><![CDATA[Paint]]></MEMO></STMTTRN></STMTRS></OFX>`,
    ],
    [
      'with some end tags, and all on one line',
      `<OFX><STMTRS><CURDEF>EUR<BANKACCTFROM><ACCTID>00123</ACCTID></BANKACCTFROM><STMTTRN><TRNTYPE>
CREDIT<DTPOSTED>20240305<TRNAMT>-0012.5000<FITID>A</FITID><NAME>Smith &#38; Co<MEMO>Paint
</STMTTRN></STMTRS></OFX>`,
    ],
    [
      'in XML',
      `<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="211"?><OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS>
<CURDEF>EUR</CURDEF><CCACCTFROM><ACCTID>00123</ACCTID></CCACCTFROM><BANKTRANLIST><STMTTRN>
<TRNTYPE>PAYMENT</TRNTYPE><DTPOSTED>20240305</DTPOSTED><TRNAMT>-12.5</TRNAMT><FITID>A</FITID>
<PAYEE><NAME>Smith &amp; Co</NAME></PAYEE><MEMO>Paint</MEMO><BANKACCTTO><ACCTID>9</ACCTID>
</BANKACCTTO></STMTTRN></BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`,
    ],
  ];
  for (const [what, text] of forms) {
    it(`is read ${what}`, async () => {
      const { rows, inspection } = await opened(text);
      const names = ['externalId', 'date', 'amount', 'description', 'contact', 'bankAccount'];
      assert.deepEqual(pick(rows, ...names, 'currency'), [
        ['00123/2024-03-05/-12.50/A', '2024-03-05', 12.5, 'Paint', 'Smith & Co', '00123', 'EUR'],
      ]);
      assert.deepEqual([inspection.questions, inspection.table?.format], [[], 'OFX']);
    });
  }

  it('is read in UTF-8 and in Windows-1252, whatever it declares', async () => {
    const text = sgml([payment('-1', 'A', '<NAME>Café')]);
    for (const bytes of [Buffer.from(text), Buffer.from(text, 'latin1')]) {
      assert.deepEqual(pick((await opened(bytes)).rows, 'contact'), ['Café']);
    }
  });

  it('is read with lines in UTF-8 among lines in Windows-1252, also very many', async () => {
    const lines = Array.from({ length: 2_000 }, (_, at) => {
      const encoding = at % 2 === 0 ? 'utf8' : 'latin1';
      return Buffer.from(`${payment('-1', `A${at}`, '<NAME>Café Müller')}\n`, encoding);
    });
    const [head = '', end = ''] = sgml(['|']).split('|');
    const bytes = Buffer.concat([Buffer.from(head), ...lines, Buffer.from(end)]);
    const names = new Set(pick((await opened(bytes)).rows, 'contact'));
    assert.deepEqual([...names], ['Café Müller']);
  });

  it('takes the sign of the amount, and rejects others with their line', async () => {
    const amounts = ['-7,50', '+00000000000007.5000', '.5', '7', '$7', '', '1,234.00', '-0'];
    const { rows } = await opened(sgml(amounts.map((each, at) => payment(each, `A${at}`))));
    const bad = ['invalid_amount'];
    assert.deepEqual(pick(rows, 'amount'), [7.5, -7.5, -0.5, -7, bad, ['required'], bad, 0]);
    assert.equal(rows[4]?.[0], 12);
  });

  it('takes the first eight digits of a day, or the other day', async () => {
    const days = ['20240305235959[-5:EST]', '2024030500000012', '00000000<DTUSER>20240304', '2024'];
    const own = days.map((day, at) => `<DTPOSTED>${day}<TRNAMT>-1<FITID>${at}<NAME>x`);
    const { rows } = await opened(sgml(own));
    const found = pick(rows, 'date');
    assert.deepEqual(found, ['2024-03-05', '2024-03-05', '2024-03-04', ['invalid_date']]);
  });

  it('says which day there is not, without advice about the format of days', async () => {
    const text = sgml(['<DTPOSTED>20240230<TRNAMT>-1<FITID>1<NAME>x']);
    const { mapping = assert.fail() } = (await opened(text)).inspection;
    const [entry] = await collect(await readRows(fileOf(text), 'csv', mapping));
    const [problem] = entry?.problems ?? [];
    assert.match(problem?.message ?? '', /there is no 30 February 2024/);
    assert.equal(problem?.advice, undefined);
  });

  it('gives a payment the same id in every download, whatever ids the bank repeats', async () => {
    const first = [payment('-3', 'X', '<NAME>One'), payment('-3', '', '<NAME>One')];
    const second = [payment('-3', 'X', '<NAME>Two'), payment('-4', 'X', '<NAME>One')];
    const ids = async (...own: string[]) =>
      pick((await opened(sgml(own))).rows, 'externalId', 'contact').sort();
    const all = await ids(...first, ...second, first[1] ?? '');
    assert.equal(new Set(all.map(String)).size, 5);
    assert.deepEqual(await ids(...second, first[1] ?? '', ...first), all);
    // Other days come and go.
    const later = '<TRNTYPE>DEBIT<DTPOSTED>20240306<TRNAMT>-3<FITID>X<NAME>One';
    const more = await ids(later, ...second, ...first, first[1] ?? '');
    assert.deepEqual(
      more.filter((each) => !String(each).includes('2024-03-06')),
      all,
    );
  });

  it('says each account, reads the chosen ones, and asks about currencies', async () => {
    const other = ACCOUNT.replace('00 123', '77');
    const [one] = sgml([payment('-3', 'X')]).split('</OFX>');
    const two = sgml([payment('5', 'Y')], { account: other }).split('<OFX>')[1];
    const both = await opened(`${one}${two}`);
    assert.deepEqual(
      both.inspection.table?.sayings.map(({ value, note }) => [value, note]),
      [
        ['00123 in EUR', '1 payment, out 3.00, in 0.00, closing balance 1.00'],
        ['77 in EUR', '1 payment, out 0.00, in 5.00, closing balance 1.00'],
      ],
    );
    assert.deepEqual(both.totals, [3, -5]);
    const chosen = await opened(`${one}${two}`, { name: 'account', value: '7 7' });
    assert.deepEqual(pick(chosen.rows, 'amount'), [-5]);
    assert.deepEqual(chosen.notes, ['Left out: 00123 in EUR.']);
    await assert.rejects(opened(`${one}${two}`, { name: 'account', value: '8' }), MappingError);
    const pounds = sgml([payment('5', 'Y')], { account: other, currency: 'GBP' });
    const { questions } = (await opened(`${one}${pounds.split('<OFX>')[1]}`)).inspection;
    assert.deepEqual(
      questions[0]?.choices.map(({ answers }) => answers),
      [
        [{ kind: 'bankAccounts', bankAccount: '00123' }],
        [{ kind: 'bankAccounts', bankAccount: '77' }],
      ],
    );
  });

  it('rejects a payment in another currency than that of its account', async () => {
    const own = '<CURRENCY><CURRATE>1.0<CURSYM>AUD</CURRENCY><NAME>x';
    const other = own.replace('AUD', 'NZD');
    const file = [payment('1', 'A', own), payment('2', 'B', other)];
    const { rows, inspection } = await opened(sgml(file, { currency: '' }));
    assert.deepEqual(pick(rows, 'currency'), ['AUD', ['other_currency']]);
    assert.equal(inspection.mapping?.currency?.is, 'AUD');
  });

  it('keeps a payment behind the end of its list, and one without an account', async () => {
    const text = sgml([payment('1', 'A')], { account: '' });
    const more = `</BANKTRANLIST><STMTTRN>${payment('2', 'B')}</STMTTRN></BANKTRANLIST>`;
    const { rows } = await opened(text.replace('</BANKTRANLIST>', more));
    assert.deepEqual(pick(rows, 'externalId'), [
      'account/2024-03-05/1.00/A',
      'account/2024-03-05/2.00/B',
    ]);
  });

  it('notes that it may be cut off, and is not slowed down by open tags', async () => {
    const cut = await opened(sgml([payment('1', 'A')]).replace('</OFX>', ''));
    assert.match(cut.notes.join(), /The end of the file \(<\/OFX>\) is missing/);
    const whole = sgml([payment('1', 'A'), payment('123.45', 'B')]);
    const inside = await opened(whole.slice(0, whole.indexOf('3.45')));
    assert.deepEqual(pick(inside.rows, 'amount'), [-1, ['invalid_amount']]);
    const open = `${'<PAYEE>'.repeat(200_000)}${'</A>'.repeat(200_000)}`;
    const { rows, notes } = await opened(sgml([payment('1', 'A', open)]));
    assert.deepEqual([rows.length, notes], [1, []]);
  });

  it('has at most a thousand accounts', async () => {
    const all = Array.from({ length: 1001 }, (_, at) => {
      return `<STMTRS><BANKACCTFROM><ACCTID>${at}</BANKACCTFROM></STMTRS>`;
    });
    await assert.rejects(opened(`<OFX>${all.join('')}</OFX>`), /more than 1,000 accounts/);
  });

  const refused: [what: string, text: string, message: RegExp][] = [
    ['without payments', sgml([]), /a statement without payments \(OFX, 00123 in EUR\)/],
    [
      'with an error of the bank',
      `${HEAD}<OFX><STMTTRNRS><STATUS><CODE>2000<SEVERITY>ERROR</STATUS></STMTTRNRS></OFX>`,
      /only an error from the bank \(code 2000\)/,
    ],
    [
      'of investments',
      `${HEAD}<OFX><INVSTMTRS><CURDEF>USD<INVTRANLIST><BUYMF><UNITS>1</BUYMF></INVSTMTRS></OFX>`,
      /an investment statement/,
    ],
    [
      'with entities of its own',
      '<?xml version="1.0"?><OFX><!DOCTYPE a [<!ENTITY b "c">]><STMTRS>&b;</STMTRS></OFX>',
      /line 1: it has a document type definition/,
    ],
    ['cut off inside a tag', `${sgml([payment('1', 'A')]).slice(0, -60)}`, /line 9: it is cut off/],
  ];
  for (const [what, text, message] of refused) {
    it(`is refused ${what}`, async () => {
      await assert.rejects(opened(text), (error) => {
        assert.ok(error instanceof FileError);
        assert.match(error.message, message);
        return true;
      });
    });
  }
});
