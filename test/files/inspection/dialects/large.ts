/** Very large payments, amounts that cannot be read in a row, and dates with more beside them. */

import type { Dialect } from './dialect.ts';

export const LARGE: readonly Dialect[] = [
  {
    name: 'grants above 99,999,999.99, and a payment to Total that is the sum of those above',
    lines: [
      'Department,Entity,Date,Expense type,Supplier,Transaction number,Amount',
      'Ministry,Ministry,05/01/2016,Grants,School trust,1001,"236,756,000.00"',
      'Ministry,Ministry,06/01/2016,Grants,Road trust,1002,"9,000,000,000.49"',
      'Ministry,Ministry,28/01/2016,Fuel,Total Gas & Power,1003,"9,236,756,000.49"',
      'Ministry,Ministry,29/01/2016,Rent,Landlord,1004,"26,000.50"',
    ],
    rows: [
      ['2016-01-05', 236_756_000, 'Grants', 'School trust'],
      ['2016-01-06', 9_000_000_000.49, 'Grants', 'Road trust'],
      ['2016-01-28', 9_236_756_000.49, 'Fuel', 'Total Gas & Power'],
      ['2016-01-29', 26_000.5, 'Rent', 'Landlord'],
    ],
  },
  {
    name: 'a cell of the amount that a spreadsheet could not work out, beside other amounts: asks',
    lines: [
      'Date,Supplier,Invoice value,Amount',
      '05/01/2016,Printer,110.00,120.00',
      '16/01/2016,Landlord,100.00,#VALUE!',
      '28/01/2016,Bakery,50.00,60.00',
    ],
    asks: [['amount', '--map', 'amount=Amount']],
    rows: [
      ['2016-01-05', 120, 'Printer', 'Printer'],
      ['2016-01-28', 60, 'Bakery', 'Bakery'],
    ],
    rejected: [3],
  },
  {
    name: 'the same without names that are known: asks',
    lines: [
      'Date,Supplier,Wert,Somme',
      '05/01/2016,Printer,110.00,1.2E+08',
      '16/01/2016,Landlord,100.00,90.00',
      '28/01/2016,Bakery,50.00,60.00',
    ],
    asks: [['amount', '--map', 'amount=Somme']],
    rows: [
      ['2016-01-16', 90, 'Landlord', 'Landlord'],
      ['2016-01-28', 60, 'Bakery', 'Bakery'],
    ],
    rejected: [2],
  },
  {
    name: 'money in that cannot be read in one row, beside an amount: asks',
    lines: [
      'Date,Details,Paid out,Paid in,Amount',
      '05/01/2016,Printer,110.00,,110.00',
      '16/01/2016,Landlord,100.00,,100.00',
      '28/01/2016,Gift,,#REF!,60.00',
    ],
    asks: [['amount', '--map', 'out=Paid out', '--map', 'in=Paid in']],
    rows: [
      ['2016-01-05', 110, 'Printer'],
      ['2016-01-16', 100, 'Landlord'],
    ],
    rejected: [4],
  },
  {
    name: 'a wallet with the name of a time zone behind each date, and a refund',
    lines: [
      'Transaction ID,Date,Notes,Amount,Currency',
      'a1,2016-01-05 10:15:32 EST,Lunch,-$25,USD',
      'a2,2016-06-15 09:15:32 EDT,Share,$40.50,USD',
      'a3,2016-06-25 09:15:32 EDT,Books,-$12.50,USD',
    ],
    rows: [
      ['2016-01-05', 25, 'Lunch'],
      ['2016-06-15', -40.5, 'Share'],
      ['2016-06-25', 12.5, 'Books'],
    ],
    ids: ['a1', 'a2', 'a3'],
  },
  {
    name: 'dates between apostrophes, as a program writes texts for a spreadsheet',
    lines: [
      'Date,Description,Amount',
      "'2016-01-05',Rent,-100.00",
      "'2016-01-16',Gift,50.00",
      "'2016-01-25',Shop,-20.00",
    ],
    rows: [
      ['2016-01-05', 100, 'Rent'],
      ['2016-01-16', -50, 'Gift'],
      ['2016-01-25', 20, 'Shop'],
    ],
  },
  {
    name: 'a spreadsheet that leaves out empty values at the end of some rows',
    lines: [
      'Date,Description,Amount,Reference,Note,Tag',
      '2016-01-05,Rent,-100.00',
      '2016-01-16,Gift,50.00,R1',
      '2016-01-26,Shop,-50.00,,late,x',
      '2016-01-28,Paper,-10.00,R2,,',
      '2016-01-29,Paper,-11.00',
      '2016-01-30,Pap',
    ],
    rows: [
      ['2016-01-05', 100, 'Rent'],
      ['2016-01-16', -50, 'Gift'],
      ['2016-01-26', 50, 'Shop'],
      ['2016-01-28', 10, 'Paper'],
      ['2016-01-29', 11, 'Paper'],
    ],
    rejected: [7],
  },
  {
    name: 'rows that a line end cuts in two are rejected, with what follows them',
    lines: [
      'Date,Amount,Description,Reference',
      '2016-01-05,-100.00,Rent of,R1',
      '2016-01-16,50.00,Gift of',
      'Ann,R2',
      '2016-01-26,-50.00,Shop in',
      'Street,R3',
      '2016-01-28,-10.00,Paper,R4',
    ],
    asks: [['rejected', '--row', 'all']],
    rows: [
      ['2016-01-05', 100, 'Rent of'],
      ['2016-01-28', 10, 'Paper'],
    ],
    rejected: [3, 4, 5, 6],
  },
  {
    name: 'a large payment to Total without its date is rejected, and the total is not a row',
    lines: [
      'Date,Supplier,Invoice,Category,Amount',
      '05/01/2016,School,1,Grant,100.00',
      '16/01/2016,Printer,2,Grant,150.00',
      ',Total Gas & Power,3,Fuel,120000.00',
      '28/01/2016,Landlord,4,Rent,50.00',
      ',Total,,,300.00',
    ],
    rows: [
      ['2016-01-05', 100, 'School', 'School'],
      ['2016-01-16', 150, 'Printer', 'Printer'],
      ['2016-01-28', 50, 'Landlord', 'Landlord'],
    ],
    rejected: [4],
    notRows: [6],
  },
  {
    name: 'an amount without a date that is the same as the one above it is rejected',
    lines: [
      'Date,Supplier,Amount',
      '05/01/2016,School,0.00',
      '16/01/2016,Printer,150.00',
      ',Bakery,150.00',
      '28/01/2016,Landlord,50.00',
    ],
    rows: [
      ['2016-01-05', 0, 'School', 'School'],
      ['2016-01-16', 150, 'Printer', 'Printer'],
      ['2016-01-28', 50, 'Landlord', 'Landlord'],
    ],
    rejected: [4],
  },
];
