/** Exports of British banks, and of American ones. */

import type { Dialect } from './dialect.ts';

export const BRITISH: readonly Dialect[] = [
  {
    name: 'Barclays: a number that is mostly blank, a subcategory without a direction',
    lines: [
      'Number,Date,Account,Amount,Subcategory,Memo',
      ' ,29/01/2016,20-00-00 12345678,-400.00,FT,LANDLORD RENT JAN',
      '123,28/01/2016,20-00-00 12345678,250.00,DIRECTDEP,DONOR GIFT',
      ' ,27/01/2016,20-00-00 12345678,-12.34,PAYMENT,PAPER SHOP',
    ],
    rows: [
      ['2016-01-29', 400, 'LANDLORD RENT JAN'],
      ['2016-01-28', -250, 'DONOR GIFT'],
      ['2016-01-27', 12.34, 'PAPER SHOP'],
    ],
  },
  {
    name: 'Lloyds: debit and credit whose balance shows that a credit is money in',
    lines: [
      'Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,' +
        'Debit Amount,Credit Amount,Balance',
      "29/01/2016,DD,'30-00-00,12345678,LANDLORD,400.00,,837.66",
      "28/01/2016,FPI,'30-00-00,12345678,DONOR,,250.00,1237.66",
      "27/01/2016,DEB,'30-00-00,12345678,PAPER SHOP,12.34,,987.66",
    ],
    rows: [
      ['2016-01-29', 400, 'LANDLORD'],
      ['2016-01-28', -250, 'DONOR'],
      ['2016-01-27', 12.34, 'PAPER SHOP'],
    ],
  },
  {
    name: 'HSBC: negative paid out, an opening balance without an amount',
    lines: [
      'Date,Type,Description,Paid out,Paid in,Balance',
      '01/01/2016,,BALANCE BROUGHT FORWARD,,,"5,000.00"',
      '15/01/2016,DD,BRITISH GAS,-125.50,,"4,874.50"',
      '17/01/2016,CR,CLIENT,,"2,800.00","7,674.50"',
    ],
    rows: [
      ['2016-01-15', 125.5, 'BRITISH GAS'],
      ['2016-01-17', -2800, 'CLIENT'],
    ],
    notRows: [2],
  },
  {
    name: 'NatWest: an apostrophe before texts, spaces before names, a comma after each line',
    lines: [
      'Date, Type, Description, Value, Balance, Account Name, Account Number',
      '',
      '29/01/2016,D/D,"\'LANDLORD , RENT",-400.00,600.00,"\'WE","\'600000-12345678",',
      '30/01/2016,BAC,"\'DONOR",250.00,850.00,"\'WE","\'600000-12345678",',
    ],
    rows: [
      ['2016-01-29', 400, "'LANDLORD , RENT"],
      ['2016-01-30', -250, "'DONOR"],
    ],
  },
  {
    name: 'Nationwide: Windows-1252 pounds in the cells, months by name, a preamble, new lines',
    encoding: 'windows-1252',
    lines: [
      '"Account Name:","FlexAccount ****45678"',
      '"Account Balance:","£1,252.70"',
      '"Available Balance:","£1,252.70"',
      '',
      '"Date","Transaction type","Description","Paid out","Paid in","Balance"',
      '"02 Jan 2016","Payment to","Page and',
      'Spine Books","£12.40","","£987.60"',
      '"04 Jan 2016","Bank credit","Donor","","£1,265.10","£2,252.70"',
    ],
    rows: [
      ['2016-01-02', 12.4, 'Page and\nSpine Books'],
      ['2016-01-04', -1265.1, 'Donor'],
    ],
  },
  {
    name: 'Starling: a counterparty, a reference as description, dates that could be American',
    lines: [
      'Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category',
      '02/01/2016,Landlord,RENT JAN,FASTER PAYMENT,-400.00,600.00,PROPERTY',
      '05/01/2016,Paper Shop,INV 7,CHIP & PIN,-12.34,587.66,OFFICE',
    ],
    asks: [['dateFormat', '--date-format', 'DD/MM/YYYY']],
    rows: [
      ['2016-01-02', 400, 'RENT JAN', 'Landlord'],
      ['2016-01-05', 12.34, 'INV 7', 'Paper Shop'],
    ],
  },
  {
    name: 'Monzo: an id, a time, two currencies of which one is the account’s',
    lines: [
      'Transaction ID,Date,Time,Type,Name,Emoji,Category,Amount,Currency,Local amount,' +
        'Local currency,Notes and #tags,Address,Receipt,Description',
      'tx_00001,13/01/2016,09:00:00,Card payment,Pret,☕,Eating out,-4.50,GBP,-4.50,GBP,,,,' +
        'PRET A MANGER',
      'tx_00002,13/01/2016,10:00:00,Card payment,Bistro,🍴,Eating out,-15.20,GBP,-19.90,EUR,,,,' +
        'BISTRO PARIS',
      'tx_00003,14/01/2016,11:00:00,Faster payment,Donor,,Income,"2,000.00",GBP,"2,000.00",GBP,,' +
        ',,DONOR REF',
    ],
    ids: ['tx_00001', 'tx_00002', 'tx_00003'],
    rows: [
      ['2016-01-13', 4.5, 'PRET A MANGER', 'Pret'],
      ['2016-01-13', 15.2, 'BISTRO PARIS', 'Bistro'],
      ['2016-01-14', -2000, 'DONOR REF', 'Donor'],
    ],
  },
  {
    name: 'a card statement with CR after money in, and nothing after the rest',
    lines: [
      'Transaction Date,Details,Amount',
      '29 January 2016,HOTEL,£120.00',
      '30 January 2016,REFUND HOTEL,£20.00 CR',
      '31 January 2016,TRAIN,"£1,045.60"',
    ],
    rows: [
      ['2016-01-29', 120, 'HOTEL'],
      ['2016-01-30', -20, 'REFUND HOTEL'],
      ['2016-01-31', 1045.6, 'TRAIN'],
    ],
  },
  {
    name: 'columns at the end that are empty, or missing; a row that is cut off',
    lines: [
      'Date,Paid out,Details,Note,Tag',
      '2016-01-28,150.00,Hire of a hall,,',
      '2016-01-29,25.00,Printing',
      '2016-01-30,12.00',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-28', 150, 'Hire of a hall'],
      ['2016-01-29', 25, 'Printing'],
    ],
    rejected: [4],
  },
];

export const AMERICAN: readonly Dialect[] = [
  {
    name: 'Chase: DEBIT and CREDIT next to signed amounts, a balance, American dates',
    lines: [
      'Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #',
      'DEBIT,01/29/2016,"LANDLORD RENT",-400.00,ACH_DEBIT,600.00,,',
      'CREDIT,01/28/2016,"DONOR",250.00,ACH_CREDIT,1000.00,,',
      'CHECK,01/27/2016,"CHECK 101",-12.34,CHECK_PAID,750.00,101,',
    ],
    rows: [
      ['2016-01-29', 400, 'LANDLORD RENT'],
      ['2016-01-28', -250, 'DONOR'],
      ['2016-01-27', 12.34, 'CHECK 101'],
    ],
  },
  {
    name: 'Bank of America: a summary first, a balance with a date but no amount',
    lines: [
      'Description,,Summary Amt.',
      'Beginning balance as of 01/01/2016,,"1,000.00"',
      'Total credits,,"250.00"',
      'Total debits,,"-412.34"',
      'Ending balance as of 01/31/2016,,"837.66"',
      '',
      'Date,Description,Amount,Running Bal.',
      '01/01/2016,Beginning balance as of 01/01/2016,,"1,000.00"',
      '01/15/2016,"LANDLORD","-400.00","600.00"',
      '01/28/2016,"DONOR","250.00","850.00"',
      '01/29/2016,"PAPER","-12.34","837.66"',
    ],
    rows: [
      ['2016-01-15', 400, 'LANDLORD'],
      ['2016-01-28', -250, 'DONOR'],
      ['2016-01-29', 12.34, 'PAPER'],
    ],
    notRows: [8],
  },
  {
    name: 'Wells Fargo: no header at all',
    lines: [
      '"01/29/2016","-400.00","*","","LANDLORD RENT"',
      '"01/28/2016","250.00","*","","DONOR"',
      '"01/27/2016","-12.34","*","101","CHECK"',
    ],
    rows: [
      ['2016-01-29', 400, 'LANDLORD RENT'],
      ['2016-01-28', -250, 'DONOR'],
      ['2016-01-27', 12.34, 'CHECK'],
    ],
  },
  {
    name: 'Citibank: debit and negative credit, dates without zeros',
    lines: [
      'Status,Date,Description,Debit,Credit',
      'Cleared,1/9/2016,HOTEL,"1,120.00",',
      'Cleared,1/15/2016,PAYMENT THANK YOU,,-500.00',
    ],
    asks: [['moneyOut', '--money-out', 'Debit']],
    rows: [
      ['2016-01-09', 1120, 'HOTEL'],
      ['2016-01-15', -500, 'PAYMENT THANK YOU'],
    ],
  },
  {
    name: 'American Express: positive charges, and nothing that shows it',
    lines: [
      'Date,Description,Card Member,Account #,Amount',
      '01/29/2016,HOTEL,A PERSON,-12345,120.00',
      '01/30/2016,AUTOPAY PAYMENT,A PERSON,-12345,-1500.00',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-29', 120, 'HOTEL'],
      ['2016-01-30', -1500, 'AUTOPAY PAYMENT'],
    ],
  },
  {
    name: 'PayPal: gross, fee and net, a time with a zone, several currencies',
    hasMark: true,
    lines: [
      '"Date","Time","TimeZone","Name","Type","Status","Currency","Gross","Fee","Net",' +
        '"Transaction ID","Subject"',
      '"01/29/2016","10:00:00","PST","Donor","Donation Payment","Completed","USD","100.00",' +
        '"-3.20","96.80","1AB","Gift"',
      '"01/30/2016","11:00:00","PST","Shop","Express Checkout","Completed","USD","-1,250.00",' +
        '"0.00","-1,250.00","2CD","Camera"',
      '"01/31/2016","12:00:00","PST","Donateur","Donation Payment","Completed","EUR","50.00",' +
        '"-1.20","48.80","3EF","Don"',
    ],
    asks: [
      ['amount', '--map', 'amount=Net'],
      ['currency', '--currency', 'USD'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    ids: ['1AB', '2CD'],
    rows: [
      ['2016-01-29', -96.8, 'Gift', 'Donor'],
      ['2016-01-30', 1250, 'Camera', 'Shop'],
    ],
    rejected: [4],
  },
];
