/** Files as banks and finance systems write them, of about so many bytes; each row is another. */

import { zipOf } from '../test/files/formats/zips.ts';

const DAY_MS = 86_400_000;

/** A payment: the same for the same number of all. */
interface Payment {
  readonly number: number;
  /** Of three years, oldest first. */
  readonly day: string;
  readonly cents: number;
  readonly text: string;
  readonly contact: string;
  readonly id: string;
}

export function paymentOf(number: number, all: number): Payment {
  const ms = Date.UTC(2015, 0, 1) + Math.floor((number * 1095) / all) * DAY_MS;
  const size = ((number * 7919) % 100_000) + 1;
  return {
    number,
    day: new Date(ms).toISOString().slice(0, 10),
    cents: number % 7 === 0 ? size * 6 : -size,
    text: `Payment ${number} for materials, workshop ${number % 97}`,
    contact: `Supplier ${number % 500} Ltd`,
    id: `TX${String(number).padStart(9, '0')}`,
  };
}

const amountOf = ({ cents }: Payment) => (cents / 100).toFixed(2);

/** How a file is written: so many payments, its head and end, and each payment. */
interface Format {
  readonly payments: number;
  readonly head: string;
  readonly write: (payment: Payment) => string;
  readonly end: string;
}

const OFX: Format = {
  payments: 132_000,
  head:
    'OFXHEADER:100\nDATA:OFXSGML\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>GBP\n' +
    '<BANKACCTFROM><ACCTID>12345678</BANKACCTFROM><BANKTRANLIST>\n',
  write: (payment) =>
    `<STMTTRN><TRNTYPE>OTHER<DTPOSTED>${payment.day.replaceAll('-', '')}<TRNAMT>` +
    `${amountOf(payment)}\n<FITID>${payment.id}<NAME>${payment.contact}<MEMO>${payment.text}\n` +
    '</STMTTRN>\n',
  end: '</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>\n',
};

const CAMT: Format = {
  payments: 59_000,
  head:
    '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08">' +
    '<BkToCstmrStmt><Stmt><Acct><Id><IBAN>GB33BUKB20201555555555</IBAN></Id><Ccy>GBP</Ccy>' +
    '</Acct>\n',
  write: (payment) =>
    `<Ntry><Amt Ccy="GBP">${(Math.abs(payment.cents) / 100).toFixed(2)}</Amt><CdtDbtInd>` +
    `${payment.cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>\n<BookgDt><Dt>` +
    `${payment.day}</Dt></BookgDt><AcctSvcrRef>${payment.id}</AcctSvcrRef>\n<NtryDtls><TxDtls>` +
    `<RltdPties><Cdtr><Pty><Nm>${payment.contact}</Nm></Pty></Cdtr></RltdPties><RmtInf><Ustrd>` +
    `${payment.text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>\n`,
  end: '</Stmt></BkToCstmrStmt></Document>\n',
};

const MT940: Format = {
  payments: 205_000,
  head: ':20:STMT\n:25:GB33BUKB20201555555555\n:28C:1/1\n:60F:C150101GBP0,00\n',
  write: (payment) =>
    `:61:${payment.day.slice(2).replaceAll('-', '')}${payment.cents < 0 ? 'D' : 'C'}` +
    `${(Math.abs(payment.cents) / 100).toFixed(2).replace('.', ',')}NTRF${payment.id}\n` +
    `:86:?20${payment.text}?32${payment.contact}\n`,
  end: '-\n',
};

function write({ payments, head, write: one, end }: Format): Buffer {
  const pieces = [head];
  for (let number = 0; number < payments; number += 1)
    pieces.push(one(paymentOf(number, payments)));
  return Buffer.from(`${pieces.join('')}${end}`);
}

/** A workbook as Excel writes it: days are numbers, and cells with one text share it. */
function writeWorkbook(rows: number): Buffer {
  const places = new Map<string, number>();
  const shared = (text: string) => {
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return `t="s"><v>${place}</v></c>`;
  };
  const names = ['Date', 'Description', 'Counterparty', 'Amount', 'Transaction ID'];
  const cell = (row: number, at: number, rest: string) =>
    `<c r="${String.fromCharCode(65 + at)}${row}" ${rest}`;
  const head = names.map((name, at) => cell(1, at, shared(name))).join('');
  const lines = [`<row r="1">${head}</row>`];
  for (let number = 0; number < rows; number += 1) {
    const payment = paymentOf(number, rows);
    const { day, text, contact, id } = payment;
    const serial = Date.parse(day) / DAY_MS + 25_569;
    const cells = [
      `s="1"><v>${serial}</v></c>`,
      shared(text),
      shared(contact),
      `><v>${amountOf(payment)}</v></c>`,
      shared(id),
    ];
    const row = number + 2;
    lines.push(`<row r="${row}">${cells.map((rest, at) => cell(row, at, rest)).join('')}</row>`);
  }
  const texts = [...places.keys()].map((text) => `<si><t>${text}</t></si>`);
  return zipOf({
    'xl/workbook.xml': '<workbook><sheets><sheet name="Payments" r:id="r"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="r" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/styles.xml':
      '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst>${texts.join('')}</sst>`,
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${lines.join('\n')}</sheetData></worksheet>`,
  });
}

/** The contents of a file in each format, and how many payments it has. */
export const BANK_FILES = {
  XLSX: { payments: 595_000, make: () => writeWorkbook(595_000) },
  OFX: { payments: OFX.payments, make: () => write(OFX) },
  CAMT: { payments: CAMT.payments, make: () => write(CAMT) },
  MT940: { payments: MT940.payments, make: () => write(MT940) },
} as const;
