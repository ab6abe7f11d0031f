import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { opened } from './opened.ts';
import { describeTraps, type Trap } from './traps.ts';

const ofx = (
  statements: string,
  head = 'OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\nCHARSET:1252\n\n',
) =>
  `${head}<OFX>\n<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS>
<DTSERVER>00000000000000<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1>\n${statements}\n</OFX>`;
const bank = (payments: string, more = '') =>
  ofx(`<BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS>
<CURDEF>GBP<BANKACCTFROM><BANKID>20-00-00<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20240301<DTEND>20240331\n${payments}\n</BANKTRANLIST>${more}</STMTRS>
</STMTTRNRS></BANKMSGSRSV1>`);
const paid = (values: string) => `<STMTTRN>${values}</STMTTRN>\n`;

const camt = (entries: string, head = '<Ccy>EUR</Ccy>') => `<?xml version="1.0" encoding="utf-16"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M1
</MsgId></GrpHdr><Stmt><Id>S1</Id><Acct><Id><IBAN>CH93 0076 2011 6238 5295 7</IBAN></Id>${head}
</Acct>
${entries}</Stmt></BkToCstmrStmt></Document>`;
const entry = (amount: string, side: string, more = '') =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><BookgDt><Dt>2024-03-05</Dt>
</BookgDt>${more}</Ntry>`;

const mt940 = (account: string, body: string, head = '') =>
  `${head}:20:STARTUMS\n:25:${account}\n${body}-\n`;

const TRAPS: Readonly<Record<string, readonly Trap[]>> = {
  'all of them': [
    {
      what: '2 three accounts in one file, one of them without payments, and a transfer',
      file:
        mt940(
          'NL01',
          ':28C:1\n:60F:C240304EUR100,\n:61:240305D40,NTRF\n:86:To savings\n:62F:C240305EUR60,\n',
        ) +
        mt940(
          'NL02',
          ':28C:1\n:60F:C240304EUR0,\n:61:240305C40,NTRF\n:86:From current\n:62F:C240305EUR40,\n',
        ) +
        mt940('NL03', ':28C:1\n:60F:C240304EUR7,\n:62F:C240305EUR7,\n'),
      rows: { amount: [40, -40], bankAccount: ['NL01', 'NL02'] },
      says: /NL01 in EUR: 1 payment.*NL02 in EUR: 1 payment.*NL03 in EUR: 0 payments/,
    },
    {
      what: '2 28 a card with a statement for each month, each with the balance of today',
      file: ofx(
        `<CREDITCARDMSGSRSV1>${[1, 2, 3]
          .map(
            (month) => `<CCSTMTTRNRS><CCSTMTRS><CURDEF>GBP<CCACCTFROM><ACCTID>4111</CCACCTFROM>
<BANKTRANLIST>${paid(`<DTPOSTED>2024030${month}<TRNAMT>-5.00<FITID>${month}<NAME>Tea`)}
</BANKTRANLIST><LEDGERBAL><BALAMT>-90.00<DTASOF>20240401</LEDGERBAL></CCSTMTRS></CCSTMTTRNRS>`,
          )
          .join('')}</CREDITCARDMSGSRSV1>`,
      ),
      rows: { amount: [5, 5, 5] },
      says: /4111 in GBP: 3 payments, out 15\.00, in 0\.00, closing balance -90\.00/,
    },
    {
      what: '3 an entry in another currency than its account',
      file: camt(entry('5', 'DBIT') + entry('7', 'DBIT'), '<Ccy>CHF</Ccy>').replace(
        '"EUR">5',
        '"CHF">5',
      ),
      rows: { amount: [5, ['other_currency']] },
    },
    {
      what: '4 XML that declares UTF-16 in bytes of ASCII, and OFX that declares 1252 in UTF-8',
      file: bank(paid('<DTPOSTED>20240305<TRNAMT>-1<FITID>1<NAME>Crème brûlée')),
      rows: { description: ['Crème brûlée'] },
    },
    {
      what: '6 fillers do not count as balances, and a closing day of 31 November counts',
      file: mt940(
        'NL01',
        ':28C:1\n:60F:C000000EUR0,00\n:61:231130D5,NTRF\n:86:Tea\n:62F:C231131EUR60,00\n',
      ),
      rows: { amount: [5] },
      says: /^(?!.*difference)/,
    },
    {
      what: '7 five equal payments of one day',
      file: bank(Array(5).fill(paid('<DTPOSTED>20240305<TRNAMT>300.00<FITID><NAME>Ann')).join('')),
      rows: { amount: [-300, -300, -300, -300, -300] },
    },
  ],
  OFX: [
    {
      what: '18 the head on one line, behind a mark, and a body that begins at once',
      file: `\ufeffOFXHEADER:100DATA:OFXSGMLVERSION:102CHARSET:1252${bank(
        paid('<DTPOSTED>20240305<TRNAMT>-1<FITID>1<NAME>Tea'),
      ).slice(56)}`,
      rows: { amount: [1] },
    },
    {
      what: '18 19 end tags beside none, a value on the next line, breaks inside of an id',
      file: bank(
        paid(
          `<TRNTYPE>DEBIT
<DTPOSTED>20240305</DTPOSTED>
<TRNAMT>
-5.00</TRNAMT>
<FITID>
 12
 34</FITID><NAME>Tea`,
        ),
      ).replace('<BANKID>20-00-00', '<BANKID>1</BANKID>'),
      rows: { amount: [5], externalId: ['12345678/2024-03-05/-5.00/12 34'] },
    },
    {
      what: '19 entities twice over',
      file: bank(paid('<DTPOSTED>20240305<TRNAMT>-1<FITID>1<NAME>A &amp;lt;B&amp;gt; &amp;amp; C')),
      rows: { description: ['A <B> & C'] },
    },
    {
      what: '20 a point in amounts and a comma in the balance, blanks, faults',
      file: bank(
        ['            -7,50', '-7.5', '.', '$7']
          .map((each, at) => paid(`<DTPOSTED>20240305<TRNAMT>${each}<FITID>${at}<NAME>Tea`))
          .join(''),
        '<LEDGERBAL><BALAMT>1204,50<DTASOF>20240331</LEDGERBAL>',
      ),
      rows: { amount: [7.5, 7.5, ['required'], ['invalid_amount']] },
      says: /closing balance 1,204\.50/,
    },
    {
      what: '21 the sign, whatever the type',
      file: bank(
        paid('<TRNTYPE>DIRECTDEP<DTPOSTED>20240305<TRNAMT>-1<FITID>1<NAME>A') +
          paid('<TRNTYPE>CREDIT<DTPOSTED>20240305<TRNAMT>-2<FITID>2<NAME>B') +
          paid('<TRNTYPE>PAYMENT<DTPOSTED>20240305<TRNAMT>3<FITID>3<NAME>C'),
      ),
      rows: { amount: [1, 2, -3] },
    },
    {
      what: '24 an account with blanks and bars, and that of the other party in a payment',
      file: bank(
        paid('<DTPOSTED>20240305<TRNAMT>-1<FITID>1<BANKACCTTO><ACCTID>999</BANKACCTTO><MEMO>M'),
      ).replace('<ACCTID>12345678', '<ACCTID>12 34|XXXX5678'),
      rows: { bankAccount: ['1234|XXXX5678'], description: ['M'] },
    },
    {
      what: '25 only a memo, and only a name',
      file: bank(
        paid('<DTPOSTED>20240305<TRNAMT>-1<FITID>1<MEMO>Only a memo') +
          paid('<DTPOSTED>20240306<TRNAMT>-1<FITID>2<NAME>Only a name'),
      ),
      rows: { description: ['Only a memo', 'Only a name'], contact: [undefined, 'Only a name'] },
    },
    {
      what: '26 a balance without an amount',
      file: bank(
        paid('<DTPOSTED>20240305<TRNAMT>-1<FITID>1<NAME>A'),
        '</BANKTRANLIST><LEDGERBAL><BALAMT><DTASOF>20240331</LEDGERBAL>',
      ),
      rows: { amount: [1] },
    },
    {
      what: '27 the bank payments of an investment account',
      file: ofx(`<INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><CURDEF>USD<INVACCTFROM><BROKERID>b
<ACCTID>77</INVACCTFROM><INVTRANLIST><BUYMF><INVBUY><UNITS>1</INVBUY></BUYMF><INVBANKTRAN>
${paid('<TRNTYPE>CREDIT<DTPOSTED>20240305<TRNAMT>50<FITID>1<NAME>Deposit')}<SUBACCTFUND>CASH
</INVBANKTRAN></INVTRANLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1>`),
      rows: { amount: [-50], bankAccount: ['77'] },
    },
  ],
  CAMT: [
    {
      what: '30 31 a detail in TxAmt, with what was instructed in another currency, and charges',
      file: camt(
        entry(
          '900',
          'CRDT',
          `<Chrgs><Rcrd><Amt Ccy="EUR">5</Amt><ChrgInclInd>false</ChrgInclInd></Rcrd></Chrgs>
<NtryDtls>${['400', '500']
            .map(
              (each) => `<TxDtls><AmtDtls><InstdAmt><Amt Ccy="USD">1</Amt></InstdAmt><TxAmt><Amt
Ccy="EUR">${each}</Amt></TxAmt></AmtDtls><Chrgs><Amt Ccy="EUR">5</Amt></Chrgs></TxDtls>`,
            )
            .join('')}</NtryDtls>`,
        ),
      ),
      rows: { amount: [-400, -500] },
    },
    {
      what: '33 the status in three forms, and what is for information',
      file: camt(
        [
          '<Sts>BOOK</Sts>',
          '<Sts><Cd>BOOK</Cd></Sts>',
          '',
          '<Sts>INFO</Sts>',
          '<Sts><Cd>PDNG</Cd></Sts>',
        ]
          .map((each, at) => entry(`${at + 1}`, 'DBIT', each))
          .join(''),
      ),
      rows: { amount: [1, 2, 3] },
      says: /1 entry not booked \(INFO\).*1 entry not booked \(PDNG\)/,
    },
    {
      what: '34 days with zones, with times, and at 24:00',
      file: camt(
        [
          '<Dt>2024-03-05+02:00</Dt>',
          '<Dt>2024-03-05T00:00:00.000+01:00</Dt>',
          '<DtTm>2024-03-05T10:11:12.123456+00:00</DtTm>',
          '<DtTm>2024-03-05T24:00:00</DtTm>',
        ]
          .map((each) => entry('1', 'DBIT').replace(/<Dt>.*<\/Dt>/, each))
          .join(''),
      ),
      rows: { date: Array(4).fill('2024-03-05') },
    },
    {
      what: '35 one NtryRef for many entries identifies none of them',
      file: camt(
        entry('1', 'DBIT', '<NtryRef>C</NtryRef>') + entry('2', 'DBIT', '<NtryRef>C</NtryRef>'),
      ),
      rows: { amount: [1, 2] },
    },
    {
      what: '35 a reference with the sign that separates the parts of a sum',
      file: camt(entry('1', 'DBIT', '<AcctSvcrRef>R#1</AcctSvcrRef>')),
      rows: { externalId: ['CH9300762011623852957/2024-03-05/-1.00/R%231'] },
    },
    {
      what: '37 an account of another kind than IBAN, and without a currency',
      file: camt(entry('1', 'DBIT'), '').replace(/<IBAN>.*<\/IBAN>/, '<Othr><Id>12 34</Id></Othr>'),
      rows: { bankAccount: ['1234'], currency: ['EUR'] },
    },
    {
      what: '38 PRCD, balances of other kinds, without a side and below zero',
      file: camt(
        `${[
          ['PRCD', '10', '<CdtDbtInd>DBIT</CdtDbtInd>'],
          ['ITBD', '99', ''],
          ['FWAV', '99', ''],
          ['CLBD', '2', ''],
        ]
          .map(
            ([code, amount, side]) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>
<Amt Ccy="EUR">${amount}</Amt>${side}<Dt><Dt>2024-03-31</Dt></Dt></Bal>`,
          )
          .join('')}${entry('12', 'CRDT')}`,
      ),
      rows: { amount: [-12] },
      says: /opening balance -10\.00, closing balance 2\.00$/,
    },
    {
      what: '39 a root in lower case, white space around amounts, odd decimals',
      file: camt(
        entry('\n  8.850 ', 'DBIT') + entry('.5', 'DBIT') + entry('80', 'DBIT'),
      ).replaceAll('Document', 'document'),
      rows: { amount: [8.85, 0.5, 80] },
    },
  ],
  MT940: [
    ...[
      '{1:F01BANKXX2AAXXX0000000000}{2:I940BANKXX2AXXXXN}{4:\n',
      'BANKXX2A\n940\nBANKXX2A\n',
      ':940:\n',
      '0000 01BANKXX2AXXXX00001\n',
      '\x01',
      '-\n',
      'Your statement of March\n..........\n',
    ].map((head) => ({
      what: `40 before the first tag: ${JSON.stringify(head)}`,
      file: mt940(
        'NL01',
        ':28C:1\n:60F:C240304EUR9,\n:61:240305D5,NTRF\n:86:Tea\n:62F:C240305EUR4,\n',
        head,
      ),
      rows: { amount: [5], description: ['Tea'] },
      says: /^(?!.*difference)/,
    })),
    ...[' -', '-}', '-}{5:{CHK:1}}', '-XXX', '\x03'].map((end) => ({
      what: `40 behind the last tag: ${JSON.stringify(end)}`,
      file: `:20:1\r\n:25:NL01\r\n:28C:1\r\n:61:240305D5,NTRF\r\n:86:Tea\r\n${end}`,
      rows: { amount: [5], description: ['Tea'] },
    })),
    {
      what: '42 the third letter of the currency is a part of the mark',
      file: mt940(
        'PL01',
        ['CR5,', 'RCR5,', 'RDR5,', 'CN5,', 'DF5,', 'DK5,']
          .map((each) => `:61:240305${each}NTRF\n`)
          .join(''),
      ),
      rows: { amount: [-5, 5, -5, -5, 5, 5] },
    },
    {
      what: '43 amounts and codes as they are written',
      file: mt940(
        'NL01',
        `:28C:1\n${['500,NTRF', '0,7N051', '000000000012,00S051', '500FTRF', '9,50 NRTI', '1,NOV X']
          .map((each) => `:61:2403050305D${each}\n:86:x\n`)
          .join('')}`,
      ),
      rows: { amount: [500, 0.7, 12, 500, 9.5, 1] },
    },
    {
      what: '44 lines that continue a payment are in no sum',
      file: mt940(
        'NL01',
        `:28C:1
:60F:C240304EUR9,
:61:240305D5,NTRF
/OCMT/USD10,00//CHGS/EUR0,50/
:62F:C240305EUR4,
`,
      ),
      rows: { amount: [5] },
      says: /^(?!.*difference)/,
    },
    {
      what: '45 several texts of one payment, one of the statement, and numbered lines',
      file: mt940(
        'HU01',
        `:28C:1
:61:240305D5,NTRF
:86:One
:86:Two
:61:240305D6,NTRF
:NS:01Kávé
02Tea
:62F:C240305EUR4,
:86:D000002C000001D7,50C9,00
`,
      ),
      rows: { description: ['One Two', 'Kávé Tea'] },
    },
    {
      what: '46 a text with lines that begin with a dash or look like tags',
      file: mt940('NL01', ':28C:1\n:61:240305D5,NTRF\n:86:Rent\n-5 percent\n-\n:08 to 12\n'),
      rows: { description: ['Rent -5 percent - :08 to 12'] },
    },
    {
      what: '48 the account as it is written, without blanks and its currency',
      file: ['12345678/0123456789', 'NL91ABNA0417164300 EUR', 'DE89 3704 0044', '1234.56.789EUR']
        .map((each) => mt940(each, ':28C:1\n:60F:C240304EUR9,\n:61:240305D5,NTRF\n:86:x\n'))
        .join(''),
      rows: {
        bankAccount: ['12345678/0123456789', 'NL91ABNA0417164300', 'DE8937040044', '1234.56.789'],
      },
    },
    {
      what: '49 balances between the pages of one statement, and :28: as well',
      file:
        mt940('NL01', ':28:5/1\n:60F:C240304EUR9,\n:61:240305D5,NTRF\n:86:x\n:62M:C240305EUR4,\n') +
        mt940('NL01', ':28:5/2\n:60M:C240305EUR4,\n:61:240305D5,NTRF\n:86:x\n:62F:D240305EUR1,\n'),
      rows: { amount: [5, 5] },
      says: /opening balance 9\.00, closing balance -1\.00$/,
    },
  ],
};

for (const [format, traps] of Object.entries(TRAPS)) describeTraps(format, traps);

describe('18 a day of MT940', () => {
  it('50 in German marks is of no organisation, and says so', async () => {
    const file = mt940('DE01', ':28C:1\n:60F:C990304DEM9,\n:61:990305D5,NTRF\n:86:x\n');
    const { inspection } = await opened(file);
    assert.equal(inspection.mapping?.currency?.is, 'DEM');
  });
});
