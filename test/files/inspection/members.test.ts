import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RARE } from '../../../src/core/row-members.ts';
import { columnsOf, listFields } from '../../../src/files/mapping/mapping.ts';
import { DIALECTS } from './dialects/all.ts';
import { bytesOf } from './dialects/dialect.ts';
import { documentOf, inspectBytes, readWith } from './dialects/reading.ts';

/** The columns that each sample has for these members; a sample that is not here has none. */
const FOUND: Readonly<Record<string, object>> = {
  'an ERP’s list of a bank account: the same account and state on every row': {
    bankAccount: 'Compte/Code',
  },
  'Sparkasse, CSV-CAMT: Windows-1252, two dates, the bank’s words next to signs': {
    reference: 'Kundenreferenz (End-to-End)',
    bankAccount: 'Auftragskonto',
  },
  'Volksbank, old: S and H in an unnamed column; balances that add up are not rows': {
    reference: 'Kundenreferenz',
  },
  'HypoVereinsbank: UTF-16 with tabs, as Excel writes it; a bank by its account numbers': {
    bankAccount: 'Kontonummer',
  },
  'DATEV Buchungsstapel: dates without a year, S and H, a technical first line': {
    reference: 'Belegfeld 1',
  },
  'Lexware: a journal with Soll and Haben columns, two dates, a line of totals': {
    reference: 'Belegnummer',
  },
  'SAP FBL3N as a list: bars, lines of dashes, a trailing minus, totals with stars': {
    reference: 'DocumentNo',
  },
  'SAP through Excel: UTF-16 with tabs and no mark, a trailing minus': { reference: 'Document No' },
  'Xero account transactions: a title, sections, opening and closing balances, totals': {
    reference: 'Reference',
  },
  'QuickBooks transaction detail: groups, a blank first column, totals, American dates': {
    reference: 'Num',
  },
  'Sage 50 bank activity: types of payments and receipts, amounts without a sign': {
    reference: 'Reference',
  },
  'FEC, the French file of entries: bars, dates as digits, debit and credit': {
    reference: 'PieceRef',
  },
  'Barclays: a number that is mostly blank, a subcategory without a direction': {
    reference: 'Number',
    bankAccount: 'Account',
  },
  'Lloyds: debit and credit whose balance shows that a credit is money in': {
    bankAccount: 'Account Number',
  },
  'NatWest: an apostrophe before texts, spaces before names, a comma after each line': {
    bankAccount: 'Account Number',
  },
  'American Express: positive charges, and nothing that shows it': { bankAccount: 'Account #' },
  'ING: dates as digits, Af and Bij': { bankAccount: 'Rekening' },
  'Rabobank: a plus before money in, a balance, a sequence number, three descriptions': {
    bankAccount: 'IBAN/BBAN',
  },
  'Knab: D and C, a sentence before the header': { bankAccount: 'Rekeningnummer' },
  'UBS cards: sep=; first, debit and credit in English, a line of totals': {
    bankAccount: 'Account number',
  },
  'ZKB: details of a batch that are not rows, a typographic apostrophe': {
    reference: 'ZKB-Referenz',
  },
  'Swedbank: a report title, row numbers that are not ids, three dates': {
    reference: 'Referens',
    bankAccount: 'Kontonummer',
  },
  'Banco do Brasil: balances among the rows, a column without a name at the end': {
    reference: 'Número do documento',
  },
  'Bradesco: credit before debit, a balance, a total': { reference: 'Docto.' },
  'an Indian bank: DR and CR next to the amount, CR also in the balance': { reference: 'Ref No' },
  'a payment platform: gross and net, each with a debit and a credit': { reference: 'Reference' },
  'rows with only a number, and balances that lack what payments have': {
    reference: 'Kundenreferenz',
  },
  'Exact Online: an amount that debit and credit repeat': { reference: 'Boekstuknummer' },
  'a shop named Total, a transfer named Übertrag: nothing is dropped unseen': {
    bankAccount: 'IBAN',
  },
  'a yes and a no beside a constant description: not joined': { bankAccount: 'IBAN' },
  'petty cash: columns that repeat the amount by category are not fees': { reference: 'Voucher' },
  'a council’s net amounts, and VAT that it cannot reclaim': { reference: 'Trans No' },
  'a savings account: only interest and deposits, each of which raises the balance': {
    bankAccount: 'AccountNumber',
  },
  'a supplier’s account: invoices raise what is owed, so the balance shows nothing': {
    reference: 'Invoice',
  },
  'a council: names that run together, credit notes': { reference: 'TransactionNumber' },
  'a bank with debits above zero and credits below: the words decide': { bankAccount: 'IBAN' },
  'a column of money out with words among its amounts is never left out unseen': {
    bankAccount: 'IBAN',
  },
  'money out by its name, and money in with an unknown one': { bankAccount: 'IBAN' },
  'whole numbers beside amounts with cents are codes': { bankAccount: 'IBAN' },
  'whole numbers beside others with cents can be the amounts': { bankAccount: 'IBAN' },
  'a column says that the currency has no decimals: three digits are thousands': {
    bankAccount: 'IBAN',
  },
  'Turkish lira as TL, and dates that a spreadsheet marked as text': { bankAccount: 'IBAN' },
  'grants above 99,999,999.99, and a payment to Total that is the sum of those above': {
    reference: 'Transaction number',
  },
  'a spreadsheet that leaves out empty values at the end of some rows': { reference: 'Reference' },
  'rows that a line end cuts in two are rejected, with what follows them': {
    reference: 'Reference',
  },
  'a large payment to Total without its date is rejected, and the total is not a row': {
    reference: 'Invoice',
  },
  'the last payment to a supplier is as much as all others: an outlier, and no total': {
    reference: 'Reference',
  },
  'GnuCash: the account of the other side is in the lines below, which have no date': {
    bankAccount: 'Account Name',
    reference: 'Number',
  },
  'QuickBooks: a list of transactions with the account of each, bills among them': {
    reference: 'Num',
  },
  'Skrooge: several accounts, some of them without cash': { reference: 'number' },
  'Xero: every line of every account, of which one is the bank’s': { reference: 'Reference' },
};

/** The members that a mapping has a column for. */
function membersOf(fields: object): object {
  const own = Object.entries(fields).filter(([name]) => RARE.some((each) => each === name));
  return Object.fromEntries(own);
}

/** What a file of these lines is read with, and its rows. */
async function inspectLines(lines: readonly string[], ...options: string[]) {
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  const inspection = await inspectBytes(bytes, options);
  assert.deepEqual(inspection.questions, []);
  const { entries } = await readWith(bytes, inspection);
  const { fields } = documentOf(inspection);
  return { fields: Object(fields), rows: entries.map(({ row }) => Object(row)) };
}

describe('17 csv inspect finds reference, bank account and project code by itself', () => {
  it('in every sample that has them, and never the column of another field', async () => {
    const found: Record<string, object> = {};
    for (const dialect of DIALECTS) {
      const options = (dialect.asks ?? []).flatMap(([, ...own]) => own);
      const { mapping } = await inspectBytes(bytesOf(dialect), options);
      if (mapping === undefined) continue;
      const members = membersOf(mapping.fields);
      if (Object.keys(members).length > 0) found[dialect.name] = members;
      const made = Object(mapping.fields.externalId).made !== undefined;
      const read = listFields(mapping).filter((field) => !made || field !== 'externalId');
      const columns = read.flatMap((field) => columnsOf(mapping, field));
      const own = RARE.flatMap((field) => columnsOf(mapping, field));
      for (const column of own) {
        assert.equal(columns.filter((each) => each === column).length, 1, dialect.name);
      }
    }
    assert.deepEqual(found, FOUND);
  });

  it('several accounts in one file: each row has its own', async () => {
    const { fields, rows } = await inspectLines(
      [
        'Account,Date,Details,Amount,Project code,Cheque number',
        '20-00-01 123,28/01/2016,Rent,-400.00,YOU,',
        '20-00-01 123,29/01/2016,Tea,-2.00,ELD,000017',
        '20-00-02 456,30/01/2016,Gift,50.00,YOU,',
        '20-00-01 123,30/01/2016,Coach,-80.00,,000018',
        '20-00-02 456,31/01/2016,Fees,-1.50,ELD,',
        '20-00-02 456,31/01/2016,Milk,-1.20,ELD,',
      ],
      '--money-out',
      'negative',
    );
    assert.deepEqual(membersOf(fields), {
      reference: 'Cheque number',
      bankAccount: 'Account',
      projectCode: 'Project code',
    });
    assert.deepEqual(
      rows.map(({ bankAccount, projectCode, reference }) => [bankAccount, projectCode, reference]),
      [
        ['20-00-01 123', 'YOU', undefined],
        ['20-00-01 123', 'ELD', '000017'],
        ['20-00-02 456', 'YOU', undefined],
        ['20-00-01 123', undefined, '000018'],
        ['20-00-02 456', 'ELD', undefined],
        ['20-00-02 456', 'ELD', undefined],
      ],
    );
  });

  it('an account of the books: its code is the bank account, its name nobody’s', async () => {
    const { fields } = await inspectLines(
      [
        'Date,Number,Description,Party/Name,Account/Code,Account/Name,Debit,Credit',
        '13/01/2016,V7,Rent,,1200,Bank current,0.00,1200.00',
        '15/01/2016,V8,The Lottery,,1200,Bank current,5000.00,0.00',
        '20/01/2016,V9,Office shop,,1200,Bank current,0.00,60.25',
      ],
      '--money-out',
      'Credit',
    );
    assert.deepEqual(membersOf(fields), { reference: 'Number', bankAccount: 'Account/Code' });
    assert.deepEqual([fields.contact, fields.accountCode], [undefined, undefined]);
  });

  it('it takes neither the accounts of others nor amounts nor row numbers', async () => {
    const { fields } = await inspectLines(
      [
        'No,Date,Details,Paid out,Paid in,Account number,Fund,Reference',
        '1,28/01/2016,Rent,400.00,,GB00 1,400.00,R',
        '2,29/01/2016,Tea,2.00,,GB00 2,2.00,R',
        '3,31/01/2016,Gift,,50.00,GB00 3,50.00,R',
      ],
      '--map',
      'description=Details',
    );
    assert.deepEqual(membersOf(fields), {});
  });

  it('an answer decides, also against another field, and an empty one means none', async () => {
    const lines = [
      'IBAN,Transaction ID,Date,Details,Paid out,Paid in',
      'GB00 1,T1,28/01/2016,Rent,400.00,',
      'GB00 1,T2,29/01/2016,Tea,2.00,',
      'GB00 1,T3,31/01/2016,Gift,,50.00',
    ];
    const alone = await inspectLines(lines);
    assert.deepEqual(membersOf(alone.fields), { bankAccount: 'IBAN' });
    assert.equal(alone.fields.externalId, 'Transaction ID');
    const options = ['--map', 'reference=Transaction ID', '--map', 'bankAccount='];
    const said = await inspectLines(lines, ...options);
    assert.deepEqual(membersOf(said.fields), { reference: 'Transaction ID' });
    assert.ok(said.fields.externalId.made);
    assert.deepEqual(said.rows[0]?.reference, 'T1');
  });
});
