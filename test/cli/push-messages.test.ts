/** Messages about a file or a value that cannot be read: what is wrong, then what to do. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { explain } from '../../src/cli/advice.ts';
import { readDateFormat } from '../../src/files/values/date-formats.ts';
import { readMapped } from '../files/readings.ts';
import { Terminal } from './terminal.ts';

const FIELDS = { externalId: 'i', date: 'd', description: 't', amount: 'a' };

/** The message about a row with this date and this amount. */
async function messageOf(date: string, amount: string, more: object = {}): Promise<string> {
  const row = `A,"${date}",Tea,"${amount}"`;
  const { entries } = await readMapped(`i,d,t,a\n${row}\n`, { fields: FIELDS, ...more });
  return entries[0]?.problems.map(explain).join(' ') ?? '';
}

const INSPECT = 'use a mapping from `budgetd csv inspect`, which allows it.';

describe('8: an amount that is not a number', () => {
  const cases: [text: string, message: string][] = [
    ['£45.50', `"£45.50" contains the currency "£". Remove it in the file, or ${INSPECT}`],
    ['45.50 EUR', `"45.50 EUR" contains the currency "EUR". Remove it in the file, or ${INSPECT}`],
    ['(45.50)', `"(45.50)" is in brackets. Write -45.50, or ${INSPECT}`],
    ['45.50-', `"45.50-" has its minus at the end. Write -45.50, or ${INSPECT}`],
    ['45.50 CR', `"45.50 CR" ends in "CR". Remove it in the file, or ${INSPECT}`],
    ['45.5O', '"45.5O" is not a number: it contains "O". Write an amount such as 1234.50.'],
    ['abc', '"abc" is not a number. Write an amount such as 1234.50.'],
    ['n/a', '"n/a" is not an amount. Write one, or leave out the row.'],
    ['--', '"--" is not an amount. Write one, or leave out the row.'],
  ];
  for (const [text, message] of cases) {
    it(text, async () => assert.equal(await messageOf('2026-01-31', text), message));
  }

  it('a very long one is cut', async () => {
    const message = await messageOf('2026-01-31', 'x'.repeat(1_000_000));
    assert.ok(message.length < 300, String(message.length));
  });
});

describe('8: a date that does not exist', () => {
  const cases: [format: string, text: string, message: string][] = [
    ['YYYY-MM-DD', '2026-02-29', '"2026-02-29": there is no 29 February 2026.'],
    ['YYYY-MM-DD', '2026-13-01', '"2026-13-01": there is no month 13.'],
    ['YYYY-MM-DD', '2026-01-00', '"2026-01-00": there is no 0 January 2026.'],
    ['YYYY-MM-DD', '1899-01-01', '"1899-01-01": the year must be from 1900 to 2199.'],
    ['DD/MM/YYYY', '31/04/2026', '"31/04/2026": there is no 31 April 2026.'],
    ['DD/MM/YYYY', '04/21/2026', '"04/21/2026": there is no month 21.'],
    ['D MMM YY', '30 Feb 26', '"30 Feb 26": there is no 30 February 2026.'],
    ['DD/MM/YYYY', '2026-01-31', '"2026-01-31" is not a date written DD/MM/YYYY.'],
  ];
  for (const [format, text, message] of cases) {
    it(`${text} as ${format}`, async () => {
      const fields = { ...FIELDS, date: { column: 'd', format } };
      assert.equal(await messageOf(text, '1.5', { fields }), message);
    });
  }

  it('names the option for the format only if the format is wrong', async () => {
    assert.equal(
      await messageOf('31/01/2026', '1.5'),
      '"31/01/2026" is not a date written YYYY-MM-DD. Set the format, such as ' +
        '--map "date=d:DD/MM/YYYY".',
    );
    assert.equal(
      await messageOf('2026-02-29', '1.5'),
      '"2026-02-29": there is no 29 February 2026.',
    );
  });

  it('a real date needs no explanation', () => {
    assert.equal(readDateFormat('DD/MM/YYYY')?.explain('31/01/2026'), undefined);
  });
});

describe('8, 18: the contents of a file, not its name,', () => {
  it('is CSV whatever its name', async (context) => {
    const terminal = new Terminal(context);
    const text = 'externalId,date,description,amount\n1,2026-01-31,Rent,5\n';
    writeFileSync(join(terminal.folder, 'book.xlsx'), text);
    const pushed = await terminal.run(['push', 'book.xlsx', '--dry-run', '--currency', 'GBP']);
    assert.deepEqual([pushed.exitCode, /1 created/.test(pushed.stderr)], [0, true]);
  });

  const byBytes: [what: string, begin: string, message: RegExp][] = [
    ['an .xlsx', 'PK\x03\x04\x14\0', /the Excel file or ZIP archive is cut off/],
    ['an .xls', '\xd0\xcf\x11\xe0\xa1', /an older Excel file, or one with a password.*\.xlsx/],
    [
      'XML of Excel 2003',
      '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?>',
      /it is Excel 2003 XML/,
    ],
    ['a PDF', '%PDF-1.7\n', /it is a PDF, not CSV\. Download/],
    [
      'a .gz',
      '\x1f\x8b\x08\0',
      /compressed with gzip, like the files of GnuCash .* unpack it first/,
    ],
    ['a QIF', '!Type:Bank\nD01/31/2026\nT-5.00\n^\n', /it is a QIF file, not CSV\./],
    ['a BAI2', '01,BANK,CLUB,260228,0100,1,,,2/\n02,CLUB,BANK,1/\n', /it is a BAI2 file.*as CSV/],
    ['a CODA', '0000005022672505        00123456  CLUB', /it is a statement in CODA, CFONB 120/],
    ['a CFONB 120', '0130004    00123EUR2 01234567890  010226', /a statement in CODA, CFONB 120/],
    ['a Norma 43', `11${'021'.repeat(10)}2${'0'.repeat(14)}978`, /CODA, CFONB 120 or Norma 43/],
    ['an IIF', '!TRNS\tTRNSID\tTRNSTYPE\n', /it is an IIF file of QuickBooks/],
    [
      'a journal of hledger',
      '2026-01-02 * (V1) Rent, office\n    Expenses:Rent   850.00 GBP\n    Assets:Bank\n',
      /it is a journal in plain text.* -O csv/,
    ],
    [
      'a journal with comments',
      '; Skrooge\n2026/01/05 (V1) Rent\n  ; ID: 1\n  Account:Bank  -850.00  GBP\n',
      /it is a journal in plain text/,
    ],
    ['an OFX', '\xef\xbb\xbfOFXHEADER:100\n', /it is OFX without a statement/],
    ['an MT940', '\r\n:20:STARTUMS\r\n:25:1\r\n', /a statement without payments \(MT940/],
    [
      'a CAMT',
      '<?xml version="1.0"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"/>',
      /is CAMT without a statement/,
    ],
    ['a text of a word processor', '{\\rtf1\\ansi', /it is an RTF document, .* as CSV, or in/],
    ["GnuCash's own file", '<?xml version="1.0"?>\n<gnc-v2\n', /GnuCash's own file.*Export Tr/],
    [
      'XML of another program',
      '<!DOCTYPE SKGML>\n<skrooge>\n',
      /it is XML, not CSV\. Export the t/,
    ],
    ['a database', 'SQLite format 3\0', /a program's own file, a database/],
    ["Skrooge's own file", 'SKROOGE_DECRYPTED', /a program's own file, a database/],
    ["KMyMoney's own file", '<!DOCTYPE KMYMONEY-FILE>\n<KMYMONEY-FILE>', /File > Export > CSV/],
    ['a web page', '\n<HTML><table>', /it is a web page \(HTML\)/],
  ];
  for (const [what, begin, message] of byBytes) {
    it(`${what} with another ending`, async (context) => {
      const terminal = new Terminal(context);
      for (const name of ['a.csv', 'a.json']) {
        writeFileSync(join(terminal.folder, name), Buffer.from(`${begin}\xff\n`, 'latin1'));
        const pushed = await terminal.run(['push', name, '--dry-run', '--currency', 'GBP']);
        assert.deepEqual([pushed.exitCode, message.test(pushed.stderr)], [1, true], pushed.stderr);
        assert.match(pushed.stderr, /^budgetd push: a\..* Nothing was sent\.$/m);
      }
      const inspected = await terminal.run(['csv', 'inspect', 'a.csv']);
      assert.equal(inspected.exitCode, 1);
      assert.match(inspected.stderr, message);
    });
  }
});
