/** Exports with several columns of amounts, of which one is what was paid. */

import type { Dialect } from './dialect.ts';

export const AMOUNTS: readonly Dialect[] = [
  {
    name: 'a column of money out with words among its amounts is never left out unseen',
    lines: [
      'IBAN,Date,Details,Outflow,Inflow',
      'GB1,2016-01-28,Rent,800.00,0.00',
      'GB1,2016-01-29,Dues,none yet,90.00',
      'GB1,2016-01-30,Gift,none yet,20.00',
    ],
    asks: [
      ['amount', '--map', 'out=Outflow', '--map', 'in=Inflow'],
      ['rejected', '--row', 'all'],
    ],
    rows: [['2016-01-28', 800, 'Rent']],
    rejected: [3, 4],
  },
  {
    name: 'money out by its name, and money in with an unknown one',
    lines: [
      'IBAN,Date,Details,Paid out,Upside,Branch',
      'GB1,2016-01-28,Rent,800.00,,12',
      'GB1,2016-01-29,Dues,,90.00,12',
      'GB1,2016-01-31,Paper,12.50,,14',
    ],
    rows: [
      ['2016-01-28', 800, 'Rent'],
      ['2016-01-29', -90, 'Dues'],
      ['2016-01-31', 12.5, 'Paper'],
    ],
  },
  {
    name: 'whole numbers beside amounts with cents are codes',
    lines: [
      'IBAN,Date,Details,Laji,Booked,Line',
      'GB1,2016-01-28,Rent,106,-800.00,1',
      'GB1,2016-01-29,Dues,110,90.50,2',
      'GB1,2016-01-31,Paper,106,-12.50,4',
    ],
    rows: [
      ['2016-01-28', 800, 'Rent'],
      ['2016-01-29', -90.5, 'Dues'],
      ['2016-01-31', 12.5, 'Paper'],
    ],
  },
  {
    name: 'whole numbers beside others with cents can be the amounts',
    lines: [
      'IBAN,Date,Details,Contribution,Points',
      'GB1,2016-01-28,Rent,200,3.33',
      'GB1,2016-01-29,Dues,400,6.67',
      'GB1,2016-01-31,Paper,80,1.33',
    ],
    asks: [
      ['amount', '--map', 'amount=Contribution'],
      ['moneyOut', '--money-out', 'positive'],
    ],
    rows: [
      ['2016-01-28', 200, 'Rent'],
      ['2016-01-29', 400, 'Dues'],
      ['2016-01-31', 80, 'Paper'],
    ],
  },
  {
    name: 'whole amounts beside a balance that keeps its cents count as amounts',
    lines: [
      '2016-01-28,Rent,-800,1200.50',
      '2016-01-29,Dues,90,1290.50',
      '2016-01-31,Ink,-5,1285.50',
    ],
    rows: [
      ['2016-01-28', 800, 'Rent'],
      ['2016-01-29', -90, 'Dues'],
      ['2016-01-31', 5, 'Ink'],
    ],
  },
  {
    name: 'an invoice’s value is an amount',
    lines: [
      'Directorate,Supplier Name,Date,Purpose,Invoice Line Value (net of VAT)',
      'Parks,ACME,28/01/2016,Seeds,361.33',
      'Parks,Borg,29/01/2016,Soil,12.50',
    ],
    rows: [
      ['2016-01-28', 361.33, 'Seeds', 'ACME'],
      ['2016-01-29', 12.5, 'Soil', 'Borg'],
    ],
  },
  {
    name: 'a column says that the currency has no decimals: three digits are thousands',
    lines: [
      'IBAN;Dagsetning;Upphæð;Mynt;Skýring',
      'IS1;28.01.2016;-125.000;ISK;Leiga',
      'IS1;29.01.2016;4.500;ISK;Gjald',
      'IS1;31.01.2016;-3.310;ISK;Blek',
    ],
    rows: [
      ['2016-01-28', 125_000, 'Leiga'],
      ['2016-01-29', -4500, 'Gjald'],
      ['2016-01-31', 3310, 'Blek'],
    ],
  },
  {
    name: 'the sign of the yen, as its encoding shows it: three digits are thousands',
    lines: [
      'Date,Details,Withdrawal,Deposit',
      '2016/01/28,Rent,\\7000,',
      '2016/01/31,Dues,,"\\4,600"',
    ],
    rows: [
      ['2016-01-28', 7000, 'Rent'],
      ['2016-01-31', -4600, 'Dues'],
    ],
  },
  {
    name: 'DB after amounts for debit',
    lines: [
      'Date,Details,Branch,Sum,Balance',
      "'28/01/2016,Rent,0,1250.00 DB,1000.00",
      "'29/01/2016,Dues,0,45.00 CR,1045.00",
      "'31/01/2016,Ink,0,5.00 DB,1040.00",
    ],
    rows: [
      ['2016-01-28', 1250, 'Rent'],
      ['2016-01-29', -45, 'Dues'],
      ['2016-01-31', 5, 'Ink'],
    ],
  },
  {
    name: 'Turkish lira as TL, and dates that a spreadsheet marked as text',
    lines: [
      'IBAN;Tarih;Açıklama;Tutar',
      "TR1;'28.01.2016;Kira;-1.250,00 TL",
      "TR1;'29.01.2016;Aidat;45,50 TL",
      "TR1;'31.01.2016;Su;-33,10 TL",
    ],
    rows: [
      ['2016-01-28', 1250, 'Kira'],
      ['2016-01-29', -45.5, 'Aidat'],
      ['2016-01-31', 33.1, 'Su'],
    ],
  },
  {
    name: 'a register with a lone currency where no money went out',
    lines: [
      'Date,Payee,Memo,Outflow,Inflow',
      '28/01/2016,Owner,Rent,€1250,€0.00',
      '29/01/2016,Ann,Dues,€,€45.00',
      '30/01/2016,Bob,Gift,€,€10.00',
    ],
    rows: [
      ['2016-01-28', 1250, 'Rent', 'Owner'],
      ['2016-01-29', -45, 'Dues', 'Ann'],
      ['2016-01-30', -10, 'Gift', 'Bob'],
    ],
  },
  {
    name: 'dashes in the empty half of two columns',
    lines: [
      'Date,Details,Debit,Credit,Balance',
      '28/01/2016,Rent,1250.00,-,3750.00',
      '29/01/2016,Dues, - ,45.00,3795.00',
      '30/01/2016,Gift,n/a,5.00,3800.00',
    ],
    rows: [
      ['2016-01-28', 1250, 'Rent'],
      ['2016-01-29', -45, 'Dues'],
      ['2016-01-30', -5, 'Gift'],
    ],
  },
  {
    name: 'chargebacks: only the local amount is filled, beside invoice numbers',
    lines: [
      'Type,Date,Net Amount (local),Amount (USD),Currency,Transaction Invoice,Description',
      'Chargeback,2016-01-28,5.00,,BRL,310459265.0,Book',
      'Chargeback,2016-01-31,7.50,,BRL,310459266.0,Shirt',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-28', 5, 'Book'],
      ['2016-01-31', 7.5, 'Shirt'],
    ],
  },
  {
    name: 'a Russian card: one payment abroad, with the amount in the account’s currency',
    lines: [
      'Номер карты;Дата операции;Сумма операции;Валюта операции;Сумма в валюте счета;Валюта счета' +
        ';Основание',
      '1234;2016-01-28;-4,50;EUR;-436,15;RUB;Кафе',
    ],
    rows: [['2016-01-28', 436.15, 'Кафе']],
  },
  {
    name: 'a Chinese bank: what was booked, in two columns, and what was charged abroad',
    lines: [
      '交易日期,摘要,交易金额(收入),交易金额(支出),交易币种,记账金额(收入),记账金额(支出),记账币种',
      '2016-01-28,饭店,,10.00,USD,,72.60,CNY',
      '2016-01-31,还款,80.00,,CNY,80.00,,CNY',
    ],
    rows: [
      ['2016-01-28', 72.6, '饭店'],
      ['2016-01-31', -80, '还款'],
    ],
  },
  {
    name: 'a card: two columns Betrag, of which the first is in a foreign currency',
    lines: [
      'Belegdatum;Verwendungszweck;Fremdwährung;Betrag;Kurs;Betrag;Währung',
      '28.01.2016;Hotel;;;;- 12,34;EUR',
      '31.01.2016;Taxi;USD;15,00;1,08;- 13,90;EUR',
    ],
    rows: [
      ['2016-01-28', 12.34, 'Hotel'],
      ['2016-01-31', 13.9, 'Taxi'],
    ],
  },
  {
    name: 'a broker: a quantity, its price and the amount of each row',
    lines: [
      'Date,Description,Quantity,Price,Amount',
      '2016-01-28,Bonds,10,$73.50,-$735.00',
      '2016-01-31,Shares,2,$8.00,-$16.00',
    ],
    rows: [
      ['2016-01-28', 735, 'Bonds'],
      ['2016-01-31', 16, 'Shares'],
    ],
  },
  {
    name: 'totals of the month on every row, in columns for income and expenses',
    lines: [
      'Date,Value date,Income,Expenses,Description,Amount',
      '2016-01-28,2016-01-28,1500.00,500.00,Dues,1500.00',
      '2016-01-31,2016-01-31,1500.00,500.00,Rent,-500.00',
    ],
    rows: [
      ['2016-01-28', -1500, 'Dues'],
      ['2016-01-31', 500, 'Rent'],
    ],
  },
  {
    name: 'the same whole amount on every row, in a column named for it',
    lines: [
      'Date,Description,Gross Transaction Amount,Shipping Amount,Eligibility',
      '2016-01-28,Dues,-1560,0,02',
      '2016-01-31,Dues,-1560,0,01',
    ],
    rows: [
      ['2016-01-28', 1560, 'Dues'],
      ['2016-01-31', 1560, 'Dues'],
    ],
  },
  {
    name: 'yen have no decimals: 40,000 is forty thousand',
    lines: [
      'Date,Details,Paid out (JPY),Paid in (JPY)',
      '2016/01/28,Dues,,"40,000"',
      '2016/01/31,Rent,"35,000",',
    ],
    rows: [
      ['2016-01-28', -40_000, 'Dues'],
      ['2016-01-31', 35_000, 'Rent'],
    ],
  },
  {
    name: 'several currencies, and a row without one: asks',
    lines: [
      'Date,Description,Amount,Currency',
      '2016-01-28,Rent,-500.00,GBP',
      '2016-01-29,Taxi,-80.00,PLN',
      '2016-01-31,Stamps,-2.00,',
    ],
    asks: [['currency', '--currency', 'GBP']],
    rows: [['2016-01-28', 500, 'Rent']],
    rejected: [3, 4],
  },
];
