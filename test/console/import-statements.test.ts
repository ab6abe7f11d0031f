import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rowsOf, workbookOf } from '../files/formats/workbooks.ts';
import { follow, openImport } from './importing.ts';
import { markOf } from './office.ts';

/** The messages of banks by what they have. */
const OUTER = { Stmt: 'Stmt', Ntfctn: 'DbtCdtNtfctn' };

describe('importing files other than CSV in the console', () => {
  it('18 reads a statement without a question, and says its accounts', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const payment = (id: string, amount: string) =>
      `<STMTTRN><DTPOSTED>20260105<TRNAMT>${amount}<FITID>${id}<NAME>Shop</STMTTRN>`;
    const file = (currency: string) => `<OFX><STMTRS><CURDEF>${currency}<BANKACCTFROM><ACCTID>77
</BANKACCTFROM>${payment('A', '-5.00')}${payment('A', '-6.00')}</STMTRS></OFX>`;
    const { page, path } = await choose('bank.txt', file('GBP'));
    assert.match(page.text, /Import 2 transactions/);
    assert.match(page.text, /2 payments, out 11\.00, in 0\.00/);
    assert.doesNotMatch(page.text, /Keep these answers/);
    await browser.send(path, { form: markOf(page.text) });
    assert.equal(imported().length, 2);
    const again = await choose('later.csv', file('GBP'));
    assert.match(again.page.text, /all rows are stored already/);
    const more = await choose('more.ofx', file('GBP').replace('-6.00', '-7.00'));
    const done = await follow(
      browser,
      await browser.send(more.path, { form: markOf(more.page.text) }),
    );
    assert.match(done.text, /1 was stored already\./);
    const other = await choose('other.ofx', file('USD'));
    assert.match(other.page.text, /amounts are in USD, but .* uses GBP/s);
  });

  it('18 says before anything is stored that a balance does not hold', async (test) => {
    const { choose } = await openImport(test);
    const text =
      ':20:1\n:25:7\n:60F:C260101GBP9,\n:61:260105D5,NTRF\n:86:Rent\n:62F:C260105GBP5,\n-\n';
    const { page } = await choose('bank.sta', text);
    assert.match(page.text, /class="note"><span><bdi>7 in GBP: .* a difference of 1\.00\./);
    assert.match(page.text, /Import 1 transaction/);
  });

  it('18 asks for the currency that XXX does not tell, and remembers it', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const file = (id: string) => `<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE02</IBAN></Id>
</Acct><Ntry><Amt Ccy="XXX">5.00</Amt><CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-05</Dt>
</BookgDt><AcctSvcrRef>${id}</AcctSvcrRef></Ntry></Stmt></BkToCstmrStmt></Document>`;
    const { page, path } = await choose('bank.xml', file('A'));
    assert.match(page.text, /states the currency XXX, which means none/);
    const [, change = ''] = /href="([^"]+)">choose the currency</.exec(page.text) ?? [];
    const form = await browser.get(change.replaceAll('&amp;', '&'));
    assert.match(form.text, /Currency of the amounts/);
    const chosen = await browser.get(`${path}?currency=GBP`);
    assert.match(chosen.text, /Import 1 transaction/);
    const fields = { form: markOf(chosen.text), currency: 'GBP', keep: 'yes' };
    await browser.send(path, fields);
    assert.equal(imported().length, 1);
    const later = await choose('later.xml', file('B'));
    assert.match(later.page.text, /Read with the settings .*Import 1 transaction/s);
  });

  it('18 says which rows of a workbook and which payments of a message it omits', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const head = ['Date', 'Details', 'Status', 'Paid out'];
    const rows = ['Booked', 'Pending', 'Booked'].map((status, at) => {
      return ['2026-01-05', `Shop ${at}`, status, at + 1];
    });
    const book = await choose(
      'book.xlsx',
      workbookOf({ sheets: { One: rowsOf([head, ...rows]) } }),
    );
    const read = await browser.get(`${book.path}?money-out=positive`);
    assert.match(read.text, /Skipped.*line 3 is not a row: .*Pending/is);
    const camt = (
      kind: keyof typeof OUTER,
      details: string,
    ) => `<Document><BkToCstmr${OUTER[kind]}><${kind}><Acct><Id>
<IBAN>DE02</IBAN></Id><Ccy>GBP</Ccy></Acct><Ntry><Amt Ccy="GBP">5.00</Amt>
<CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2026-01-05</Dt></BookgDt><AcctSvcrRef>A</AcctSvcrRef>
<NtryDtls>${details}</NtryDtls></Ntry></${kind}></BkToCstmr${OUTER[kind]}></Document>`;
    const part = (amount: string) => `<TxDtls><Amt Ccy="GBP">${amount}</Amt></TxDtls>`;
    const sum = await choose('053.xml', camt('Stmt', ''));
    await browser.send(sum.path, { form: markOf(sum.page.text) });
    const parts = await choose('054.xml', camt('Ntfctn', part('2.00') + part('3.00')));
    assert.match(parts.page.text, /2 payments stored already from another message of the bank/);
    assert.match(parts.page.text, /Nothing to import/);
    assert.equal(imported().length, 1);
  });

  it('18 asks which sheet is meant, and remembers how its columns are read', async (test) => {
    const { browser, choose, imported } = await openImport(test);
    const head = ['Date', 'Payee', 'Details', 'Paid out'];
    const sheet = (name: string, ...amounts: number[]) =>
      rowsOf([head, ...amounts.map((each) => ['2026-01-05', `Shop ${each}`, name, each])]);
    const sheets = { One: sheet('one', 1, 2, 3), '2 &amp; more': sheet('two', 4, 5, 6) };
    const { page, path } = await choose('book.csv', workbookOf({ sheets }));
    assert.match(page.text, /Several sheets of the workbook have payments/);
    assert.match(page.text, /2 &amp; more/);
    const address = `${path}?sheet=2+%26+more&money-out=positive`;
    const chosen = await browser.get(address);
    assert.match(chosen.text, /Import 3 transactions/);
    assert.match(chosen.text, /Excel, sheet &quot;2 &amp; more&quot;|Excel, sheet "2 &amp; more"/);
    await browser.send(address, {
      form: markOf(chosen.text),
      sheet: '2 & more',
      'money-out': 'positive',
      keep: 'yes',
    });
    assert.deepEqual(
      imported().map(({ description }) => description),
      ['two', 'two', 'two'],
    );
    const later = await choose(
      'later.xlsx',
      workbookOf({ sheets: { '2 &amp; more': sheets.One } }),
    );
    assert.match(later.page.text, /Read with the settings that you chose/);
  });
});
