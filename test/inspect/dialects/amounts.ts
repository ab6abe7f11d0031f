/** Exports with several columns of amounts, of which one is what was paid. */

import type { Dialect } from './dialect.ts';

export const AMOUNTS: readonly Dialect[] = [
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
