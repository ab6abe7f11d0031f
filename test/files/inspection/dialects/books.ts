/** Hand-kept books: journals, petty cash, lists of invoices, dates and units in words. */

import type { Dialect } from './dialect.ts';

export const BOOKS: readonly Dialect[] = [
  {
    name: 'a journal with both sides of each entry, which cancel each other out',
    lines: [
      'Date,Journal,Account Code,Description,Debit,Credit',
      '13/01/2016,J1,5000,Rent,500.00,',
      '13/01/2016,J1,1200,Rent,,500.00',
      '15/01/2016,J2,1200,Grant,1000.00,',
      '15/01/2016,J2,4000,Grant,,1000.00',
    ],
    asks: [
      ['moneyOut', '--money-out', 'Credit'],
      ['doubleEntry', '--row', 'all'],
    ],
    rows: [
      ['2016-01-13', -500, 'Rent', undefined, '5000'],
      ['2016-01-13', 500, 'Rent', undefined, '1200'],
      ['2016-01-15', -1000, 'Grant', undefined, '1200'],
      ['2016-01-15', 1000, 'Grant', undefined, '4000'],
    ],
  },
  {
    name: 'the same journal with S and H',
    lines: [
      'Belegdatum;Sachkonto;Buchungstext;Betrag;S/H',
      '13.01.2016;6310;Miete;500,00;S',
      '13.01.2016;1800;Miete;500,00;H',
      '31.01.2016;1800;Spende;100,00;S',
      '31.01.2016;4000;Spende;100,00;H',
    ],
    asks: [
      ['moneyOut', '--money-out', 'H'],
      ['doubleEntry', '--row', 'all'],
    ],
    rows: [
      ['2016-01-13', -500, 'Miete', undefined, '6310'],
      ['2016-01-13', 500, 'Miete', undefined, '1800'],
      ['2016-01-31', -100, 'Spende', undefined, '1800'],
      ['2016-01-31', 100, 'Spende', undefined, '4000'],
    ],
  },
  {
    name: 'petty cash: columns that repeat the amount by category are not fees',
    lines: [
      'Date,Voucher,Details,Money In,Money Out,Balance,Travel,Postage',
      '01/01/2016,,Balance b/f,,,50.00,,',
      '13/01/2016,1,Bus fares,,4.50,45.50,4.50,',
      '14/01/2016,2,Stamps,,6.00,39.50,,6.00',
      '31/01/2016,,Top up,10.50,,50.00,,',
    ],
    rows: [
      ['2016-01-13', 4.5, 'Bus fares'],
      ['2016-01-14', 6, 'Stamps'],
      ['2016-01-31', -10.5, 'Top up'],
    ],
    notRows: [2],
  },
  {
    name: 'an abbreviated balance that is a complete row; a shop called Balance',
    lines: [
      'Date,Details,Amount',
      '01/01/2016,Bal b/fwd,150.00',
      '13/01/2016,Total Gas & Power,-50.00',
      '14/01/2016,Balance Bikes Ltd,-20.00',
      '31/01/2016,TOTAL FOR MONTH,80.00',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-13', 50, 'Total Gas & Power'],
      ['2016-01-14', 20, 'Balance Bikes Ltd'],
    ],
    notRows: [2, 5],
  },
  {
    name: 'a void cheque, marked in a separate column',
    lines: [
      'Date,Payee,Description,Amount,Void',
      '31/01/2016,Printer,Leaflets,12.00,',
      '30/01/2016,Hall,Hire,50.00,Y',
      '29/01/2016,Hall,Refund,-5.00,N',
    ],
    asks: [
      ['moneyOut', '--money-out', 'positive'],
      ['notRow', '--not-row', 'Y'],
    ],
    rows: [
      ['2016-01-31', 12, 'Leaflets', 'Printer'],
      ['2016-01-29', -5, 'Refund', 'Hall'],
    ],
    notRows: [3],
  },
  {
    name: 'invoices, some of them unpaid',
    lines: [
      'Invoice date,Supplier,Description,Amount,Paid',
      '31/01/2016,Printer,Leaflets,12.00,Yes',
      '30/01/2016,Hall,Hire,50.00,No',
      '29/01/2016,Hall,Refund,-5.00,Yes',
    ],
    asks: [
      ['moneyOut', '--money-out', 'positive'],
      ['notRow', '--not-row', 'No'],
    ],
    rows: [
      ['2016-01-31', 12, 'Leaflets', 'Printer'],
      ['2016-01-29', -5, 'Refund', 'Hall'],
    ],
    notRows: [3],
  },
  {
    name: 'a council’s net amounts, and VAT that it cannot reclaim',
    lines: [
      'Paid Date,Trans No,Supplier Name,Narrative,Net Amount,Irrecoverable VAT',
      '13/01/2016,510001,Books Ltd,Books,100.00,0.00',
      '14/01/2016,510002,Taxi Ltd,Taxis,-50.00,0.00',
      '14/01/2016,510003,Taxi Ltd,Taxis,70.00,14.00',
    ],
    asks: [
      ['amount', '--map', 'amount=Net Amount'],
      ['moneyOut', '--money-out', 'positive'],
    ],
    rows: [
      ['2016-01-13', 100, 'Books', 'Books Ltd'],
      ['2016-01-14', -50, 'Taxis', 'Taxi Ltd'],
      ['2016-01-14', 70, 'Taxis', 'Taxi Ltd'],
    ],
  },
  {
    name: 'amounts in thousands, according to the name: never multiplied without asking',
    lines: ['Date,Description,Amount (£000)', '31/01/2016,Roof,12.5', '30/01/2016,Grant,-3.2'],
    asks: [
      ['amount', '--map', 'amount=Amount (£000)'],
      ['moneyOut', '--money-out', 'positive'],
    ],
    rows: [
      ['2016-01-31', 12.5, 'Roof'],
      ['2016-01-30', -3.2, 'Grant'],
    ],
  },
  {
    name: 'no signs: a balance that rises and falls, and a column that shows which',
    lines: [
      'Date,Description,Kind,Amount,Balance',
      '31/01/2016,Rent,Spent on,50.00,150.00',
      '14/01/2016,Grant,Got from,70.00,200.00',
      '13/01/2016,Tea,Spent on,3.00,130.00',
      '12/01/2016,Gift,Got from,133.00,133.00',
    ],
    asks: [['moneyOut', '--map', 'indicator=Kind', '--money-out', 'Spent on']],
    rows: [
      ['2016-01-31', 50, 'Rent'],
      ['2016-01-14', -70, 'Grant'],
      ['2016-01-13', 3, 'Tea'],
      ['2016-01-12', -133, 'Gift'],
    ],
  },
  {
    name: 'days as ordinals: 1st and 22nd',
    lines: [
      'Date,Details,Paid out,Paid in',
      '1st March 2016,Rent,5.00,',
      '22nd May 2016,Dues,,2.00',
    ],
    rows: [
      ['2016-03-01', 5, 'Rent'],
      ['2016-05-22', -2, 'Dues'],
    ],
  },
  {
    name: '1er février, and a thin space between thousands',
    lines: [
      'Date;Libellé;Dépenses;Recettes',
      '31 janv. 2016;Loyer;1\u2009500,00;',
      '1er févr. 2016;Cotisation;;2\u2009000,00',
    ],
    rows: [
      ['2016-01-31', 1500, 'Loyer'],
      ['2016-02-01', -2000, 'Cotisation'],
    ],
  },
  {
    name: '1º de março de 2016',
    lines: [
      'Data;Histórico;Saída;Entrada',
      '1º de março de 2016;Aluguel;500,00;',
      '31 de maio de 2016;Mensalidade;;20,00',
    ],
    rows: [
      ['2016-03-01', 500, 'Aluguel'],
      ['2016-05-31', -20, 'Mensalidade'],
    ],
  },
  {
    name: 'fractions of a second on some lines, and time zones',
    lines: [
      'Created,Details,Paid out,Paid in',
      '2016-01-31T23:30:00+01:00,Rent,5.00,',
      '2016-02-01T00:10:00.123Z,Dues,,2.00',
    ],
    rows: [
      ['2016-01-31', 5, 'Rent'],
      ['2016-02-01', -2, 'Dues'],
    ],
  },
  {
    name: 'a date in the text, a dash as a minus, a status that some rows lack',
    lines: [
      'Date;Libellé;Dépenses;Recettes;Statut',
      '2016-01-05;Loyer 05/01/2016;–500,00;;payé',
      '2016-01-31;Don 31/01/2016;;20,00;',
      '2016-01-27;Don 27/01/2016;;30,00;impayé',
    ],
    asks: [['notRow', '--not-row', 'impayé', '--row', '']],
    rows: [
      ['2016-01-05', 500, 'Loyer 05/01/2016'],
      ['2016-01-31', -20, 'Don 31/01/2016'],
    ],
    notRows: [4],
  },
  {
    name: 'letters that were converted to UTF-8 twice',
    lines: ['Datum;Text;Ausgaben;Einnahmen', '31.01.2016;BÃ¼ro;5,00;', '30.01.2016;Dues;;2,00'],
    asks: [['encoding', '--encoding', 'utf-8']],
    rows: [
      ['2016-01-31', 5, 'BÃ¼ro'],
      ['2016-01-30', -2, 'Dues'],
    ],
  },
  {
    name: 'invoices ticked as paid: those without a tick are asked',
    lines: [
      'Invoice date,Supplier,Description,Amount,Paid',
      '31/01/2016,Printer,Leaflets,12.00,Yes',
      '30/01/2016,Hall,Hire,50.00,',
      '29/01/2016,Hall,Refund,-5.00,Yes',
    ],
    asks: [
      ['moneyOut', '--money-out', 'positive'],
      ['notRow', '--not-row', ''],
    ],
    rows: [
      ['2016-01-31', 12, 'Leaflets', 'Printer'],
      ['2016-01-29', -5, 'Refund', 'Hall'],
    ],
    notRows: [3],
  },
  {
    name: 'listopada alone: October in one language, November in others',
    lines: [
      'Date,Details,Paid out,Paid in',
      '12. listopada 2016,Rent,5.00,',
      '14. listopada 2016,Dues,,2.00',
    ],
    asks: [['dateFormat', '--date-format', 'DD. MMM YYYY@hr']],
    rows: [
      ['2016-10-12', 5, 'Rent'],
      ['2016-10-14', -2, 'Dues'],
    ],
  },
  {
    name: 'listopada with grudnia is November',
    lines: [
      'Date,Details,Paid out,Paid in',
      '12 listopada 2016,Rent,5.00,',
      '14 grudnia 2016,Dues,,2.00',
    ],
    rows: [
      ['2016-11-12', 5, 'Rent'],
      ['2016-12-14', -2, 'Dues'],
    ],
  },
  {
    name: 'listopada with studenoga is October',
    lines: [
      'Date,Details,Paid out,Paid in',
      '31. listopada 2016,Rent,5.00,',
      '14. studenoga 2016,Dues,,2.00',
    ],
    rows: [
      ['2016-10-31', 5, 'Rent'],
      ['2016-11-14', -2, 'Dues'],
    ],
  },
  {
    name: 'an amount next to a quantity: asks whether it is the price of one',
    lines: [
      'Date,Description,Amount,Quantity sold',
      '31/01/2016,Cake,1.50,3',
      '30/01/2016,Tea,1.00,1',
    ],
    asks: [
      ['amount', '--map', 'amount=Amount'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    rows: [
      ['2016-01-31', -1.5, 'Cake'],
      ['2016-01-30', -1, 'Tea'],
    ],
  },
  {
    name: 'parts of the line above, each with a date and an amount',
    lines: [
      'Datum;Text;Ausgaben;Einnahmen',
      '31.01.2016;Einkauf;50,00;',
      '31.01.2016;davon Porto;10,00;',
      '30.01.2016;Beitrag;;2,00',
    ],
    asks: [['notRow', '--not-row', 'davon Porto']],
    rows: [
      ['2016-01-31', 50, 'Einkauf'],
      ['2016-01-30', -2, 'Beitrag'],
    ],
    notRows: [3],
  },
  {
    name: 'a receipt can be a slip for a payment: the word shows no direction',
    lines: [
      'Date,Type,Details,Amount',
      '31/01/2016,Receipt,Stamps,8.00',
      '30/01/2016,Payment,Dues,15.00',
    ],
    asks: [['moneyOut', '--money-out', 'Receipt']],
    rows: [
      ['2016-01-31', 8, 'Stamps'],
      ['2016-01-30', -15, 'Dues'],
    ],
  },
  {
    name: 'totals carried from page to page, in several languages',
    lines: [
      'Date,Details,Paid out,Paid in',
      '01/01/2016,Transfer from previous page,,150.00',
      '13/01/2016,Bank transfer,50.00,',
      '14/01/2016,Übertrag von Seite 2,,100.00',
      '15/01/2016,Report de la page précédente,,100.00',
      '16/01/2016,Tea,3.00,',
      '31/01/2016,Carried forward to next page,,97.00',
    ],
    asks: [
      [
        'notRow',
        ...['--not-row', 'Transfer from previous page', '--not-row', 'Übertrag von Seite 2'],
        ...['--not-row', 'Report de la page précédente'],
        ...['--not-row', 'Carried forward to next page'],
      ],
    ],
    rows: [
      ['2016-01-13', 50, 'Bank transfer'],
      ['2016-01-16', 3, 'Tea'],
    ],
    notRows: [2, 4, 5, 7],
  },
];
