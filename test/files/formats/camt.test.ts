import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FileError } from '../../../src/files/problems.ts';
import { opened, pick } from './opened.ts';
import { zipOf } from './zips.ts';

type Kind =
  | 'BkToCstmrStmt/Stmt/053'
  | 'BkToCstmrAcctRpt/Rpt/052'
  | 'BkToCstmrDbtCdtNtfctn/Ntfctn/054';
const STATEMENT: Kind = 'BkToCstmrStmt/Stmt/053';

const balance = (code: string, amount: string, side = 'CRDT') =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>
<CdtDbtInd>${side}</CdtDbtInd><Dt><Dt>2024-03-31</Dt></Dt></Bal>`;

/** A file with one statement of these parts. */
function camt(parts: string, { kind = STATEMENT, version = '02', prefix = '' } = {}): string {
  const [outer = '', inner = '', number] = kind.split('/');
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns${prefix && ':p'}="urn:iso:std:iso:20022:tech:xsd:camt.${number}.001.${version}">
<${outer}><GrpHdr><MsgId>1</MsgId></GrpHdr><${inner}><Id>1</Id>
<Acct><Id><IBAN>DE02 1203</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Us</Nm></Ownr></Acct>
${parts}</${inner}></${outer}></Document>`;
  return prefix === '' ? text : text.replace(/<(\/?)(?=[A-Z])/g, `<$1${prefix}`);
}

const entry = (amount: string, more = '', side = 'DBIT') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts>BOOK</Sts>
<BookgDt><Dt>2024-03-05</Dt></BookgDt><ValDt><Dt>2024-04-01</Dt></ValDt>${more}</Ntry>`;
const detail = (amount: string, text: string, more = '') =>
  `<TxDtls><Refs><EndToEndId>E${text}</EndToEndId></Refs>${
    amount && `<AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls>`
  }${more}<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls>`;
const details = (...all: string[]) => `<NtryDtls>${all.join('')}</NtryDtls>`;

describe('18 CAMT', () => {
  for (const version of ['02', '04', '08', '13']) {
    it(`is read in version ${version}`, async () => {
      const party = version < '08' ? '<Nm>Ann</Nm>' : '<Pty><Nm>Ann</Nm></Pty>';
      const status = version < '08' ? 'BOOK' : '<Cd>BOOK</Cd>';
      const own = `<AcctSvcrRef>R1</AcctSvcrRef>${details(
        detail('', 'Rent', `<RltdPties><Dbtr><Nm>Us</Nm></Dbtr><Cdtr>${party}</Cdtr></RltdPties>`),
      )}`;
      const text = camt(entry('12.5', own).replace('<Sts>BOOK', `<Sts>${status}`), {
        version,
        prefix: version === '13' ? 'p:' : '',
      });
      const { rows, inspection } = await opened(text);
      const names = ['externalId', 'date', 'amount', 'description', 'contact', 'reference'];
      assert.deepEqual(pick(rows, ...names, 'bankAccount', 'currency'), [
        [
          ...['DE021203/2024-03-05/-12.50/R1', '2024-03-05', 12.5, 'Rent', 'Ann', 'ERent'],
          ...['DE021203', 'EUR'],
        ],
      ]);
      assert.deepEqual([inspection.questions, inspection.table?.format], [[], 'camt.053']);
    });
  }

  it('has a row for each detail that adds up to its entry, and one row for any other', async () => {
    const cases: [details: string, amounts: number[]][] = [
      [details(detail('400', 'a'), detail('500.00', 'b')), [400, 500]],
      [details(detail('0.09', 'a')), [900]],
      [details(detail('400', 'a'), detail('400', 'b')), [900]],
      [details(detail('400', 'a'), detail('500', 'b', '<CdtDbtInd>CRDT</CdtDbtInd>')), [900]],
      [details(detail('400', 'a'), detail('', 'b')), [900]],
      [details(detail('400', 'a'), detail('500', 'b').replace('EUR', 'USD')), [900]],
      ['<NtryDtls><Btch><NbOfTxs>8</NbOfTxs></Btch></NtryDtls>', [900]],
      [
        details(detail('900', 'a', '<Chrgs><Amt Ccy="EUR">5</Amt></Chrgs>')) +
          '<Chrgs><Rcrd><Amt Ccy="EUR">5</Amt><ChrgInclInd>false</ChrgInclInd></Rcrd></Chrgs>',
        [900],
      ],
    ];
    for (const [own, amounts] of cases) {
      const text = camt(balance('OPBD', '1000') + balance('CLBD', '100') + entry('900', own));
      const { rows, notes } = await opened(text);
      assert.deepEqual([pick(rows, 'amount'), notes], [amounts, []], own);
    }
  });

  it('takes the direction alone, also of a reversal, and proves it by the balances', async () => {
    const reversal = '<RvslInd>true</RvslInd>';
    const text = camt(
      balance('PRCD', '10', 'DBIT') +
        balance('CLBD', '13.00') +
        balance('CLAV', '99') +
        entry('2', reversal) +
        entry('25', reversal, 'CRDT'),
    );
    const { rows, notes } = await opened(text);
    assert.deepEqual([pick(rows, 'amount'), notes], [[2, -25], []]);
    const wrong = await opened(text.replace('13.00', '13.01'));
    assert.match(wrong.notes.join(), /DE021203 in EUR: .* make 13\.00, .* 13\.01, .* of 0\.01/);
    assert.equal(wrong.rows.length, 2);
  });

  it('omits what is not booked, and says how much', async () => {
    const pending = entry('1').replace('BOOK', 'PDNG');
    const { rows, notes } = await opened(camt(pending + pending + entry('2')));
    assert.equal(rows.length, 1);
    assert.deepEqual(notes, ['Left out: 2 entries not booked (PDNG).']);
  });

  it('takes the day of booking, or the value day, and rejects an entry without', async () => {
    const none = '<BookgDt><Dt>2024-03-05</Dt></BookgDt>';
    const days = [
      '<BookgDt><DtTm>2024-03-06T23:59:59.9+05:00</DtTm></BookgDt>',
      '<BookgDt><Dt>2024-03-07+02:00</Dt></BookgDt>',
      '<BookgDt><Dt>2024-02-30</Dt></BookgDt>',
      '',
    ];
    const all = days.map((day) => entry('1').replace(none, day));
    all.push(entry('1').replace(/<BookgDt>.*<\/ValDt>/, ''));
    const { rows } = await opened(camt(all.join('')));
    const found = ['2024-03-06', '2024-03-07', '2024-04-01', '2024-04-01', ['required']];
    assert.deepEqual(pick(rows, 'date'), found);
  });

  it('rejects an entry without an amount as one without, not as a wrong number', async () => {
    const { rows } = await opened(camt(entry('') + entry('', '', 'CRDT')));
    assert.deepEqual(pick(rows, 'amount'), [['required'], ['required']]);
  });

  it('describes a payment by its text, else its reference and name, else the entry', async () => {
    const strd = '<RmtInf><Strd><CdtrRefInf><Ref>RF1</Ref></CdtrRefInf></Strd></RmtInf>';
    const all = [
      details('<TxDtls><RmtInf><Ustrd>one</Ustrd><Ustrd>two</Ustrd></RmtInf></TxDtls>'),
      details(`<TxDtls><RltdPties><Cdtr><Nm>Ann</Nm></Cdtr></RltdPties>${strd}</TxDtls>`),
      '<AddtlNtryInf>Fee &amp; more</AddtlNtryInf>',
    ];
    const { rows } = await opened(camt(all.map((each) => entry('1', each)).join('')));
    assert.deepEqual(pick(rows, 'description'), ['one two', 'RF1 Ann', 'Fee & more']);
  });

  it('in a ZIP archive has each payment once, whichever files tell of it', async () => {
    const own = entry('60', '<AcctSvcrRef>R</AcctSvcrRef>');
    const again = camt(own, { kind: 'BkToCstmrDbtCdtNtfctn/Ntfctn/054' });
    const text = camt(own + entry('1', '<AcctSvcrRef>NONREF</AcctSvcrRef>') + entry('1'));
    const zip = zipOf({ 'a/statement': text, 'b.txt': again, 'readme.txt': 'x' });
    const { rows, notes, inspection } = await opened(zip);
    assert.deepEqual(pick(rows, 'amount'), [60, 1, 1]);
    assert.equal(inspection.table?.format, 'camt.053, camt.054');
    assert.deepEqual(notes, [
      'Left out: readme.txt.',
      'Left out: 1 payment that the file has in another statement too.',
    ]);
  });

  it('in a ZIP archive counts a sum and its parts once, whichever comes first', async () => {
    const sum = camt(entry('60', '<AcctSvcrRef>R</AcctSvcrRef>'));
    const six = Array.from({ length: 6 }, (_, at) => detail('10', `${at}`));
    const own = `<AcctSvcrRef>R</AcctSvcrRef>${details(...six)}`;
    const parts = camt(entry('60', own), { kind: 'BkToCstmrDbtCdtNtfctn/Ntfctn/054' });
    const first = await opened(zipOf({ a: sum, b: parts }));
    assert.deepEqual(pick(first.rows, 'amount'), [60]);
    assert.match(first.notes.join(), /Left out: 6 payments/);
    const other = await opened(zipOf({ a: parts, b: sum }));
    assert.deepEqual(pick(other.rows, 'amount'), [10, 10, 10, 10, 10, 10]);
    assert.match(other.notes.join(), /Left out: 1 payment /);
    assert.deepEqual(
      [pick(first.rows, 'externalId')[0], pick(other.rows, 'externalId')[1]],
      ['DE021203/2024-03-05/-60.00/R', 'DE021203/2024-03-05/-60.00/R#-10.00/E1'],
    );
  });

  it('asks for the currency that XXX does not tell', async () => {
    const text = camt(entry('5') + entry('7')).replaceAll('EUR', 'XXX');
    const { rows, inspection } = await opened(text);
    assert.deepEqual(rows, []);
    assert.match(inspection.questions.map((each) => each.text).join(), /currency XXX, which means/);
    const said = await opened(text, { name: 'currency', value: 'EUR' });
    const { fields, currency } = said.inspection.mapping ?? assert.fail();
    assert.deepEqual(fields.amount, { column: 'amount', currency: 'EUR' });
    assert.deepEqual(
      [pick(said.rows, 'amount', 'currency'), currency],
      [
        [
          [5, undefined],
          [7, undefined],
        ],
        undefined,
      ],
    );
    await assert.rejects(opened(text, { name: 'currency', value: 'EURO2' }), /not a currency code/);
    const euros = camt(entry('5'));
    await assert.rejects(opened(euros, { name: 'currency', value: 'EUR' }), /not for this file/);
    const some = await opened(euros.replace('<Amt Ccy="EUR">5', '<Amt Ccy="XXX">5'));
    assert.deepEqual(pick(some.rows, 'currency'), ['EUR']);
  });

  it('warns of an interim report', async () => {
    const report = await opened(camt(entry('1'), { kind: 'BkToCstmrAcctRpt/Rpt/052' }));
    assert.match(report.notes.join(), /interim report/);
  });

  it('is read in UTF-16, with a mark and without', async () => {
    const text = camt(entry('1', '<AddtlNtryInf>Café 1 €</AddtlNtryInf>'));
    const little = Buffer.from(text, 'utf16le');
    for (const bytes of [
      little,
      Buffer.concat([Buffer.from([0xff, 0xfe]), little]),
      Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
    ]) {
      assert.deepEqual(pick((await opened(bytes)).rows, 'description'), ['Café 1 €']);
    }
  });

  const laugh = '<!DOCTYPE lolz [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>';
  const refused: [what: string, bytes: string | Buffer, message: RegExp][] = [
    ['without entries', camt(''), /a statement without payments \(camt\.053, DE021203 in EUR\)/],
    ['with entities', camt(entry('1')).replace('<Document', `${laugh}<Document`), /document type/],
    [
      'with an external entity',
      camt(entry('1')).replace('<Document', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><Document'),
      /document type/,
    ],
    ['too deep', camt(`<Ntry>${'<a>'.repeat(1000)}`), /its tags are nested too deep/],
    ['inside of two archives', zipOf({ 'a.zip': zipOf({ a: 'x' }) }), /with another one inside/],
    ...['../a.xml', '/etc/passwd', 'C:\\a.xml', 'a/..\\..\\b.xml'].map(
      (path): (typeof refused)[number] => [
        `with the path ${path}`,
        zipOf({ [path]: camt(entry('1')) }),
        /a path outside the archive/,
      ],
    ),
    ['cut off', zipOf({ a: camt(entry('1')) }).subarray(0, 300), /is cut off/],
    [
      'with what every object has for a statement',
      camt(entry('1')).replace(/(<\/?)Stmt>/g, '$1constructor>'),
      /without a statement/,
    ],
    ['cut off between two tags', camt(entry('1')).split('</Ntry>')[0] ?? '', /it is cut off/],
    [
      'with more details than can be held',
      camt(entry('1', details('<TxDtls/>'.repeat(20_001)))),
      /the entry has more than 20,000 payments/,
    ],
  ];
  for (const [what, bytes, message] of refused) {
    it(`is refused ${what}`, async () => {
      await assert.rejects(opened(bytes), (error) => {
        assert.ok(error instanceof FileError);
        assert.match(error.message, message);
        return true;
      });
    });
  }
});
