/** Exports of ledgers: double entry, totals, sections, and bookkeeping signs. */

import type { Dialect } from './dialect.ts';

export const LEDGERS: readonly Dialect[] = [
  {
    name: 'DATEV Buchungsstapel: dates without a year, S and H, a technical first line',
    encoding: 'windows-1252',
    lines: [
      '"EXTF";510;21;"Buchungsstapel";7;20160201120000000;;"RE";"";"";1001;1;20160101;4;' +
        '20160101;20160131',
      'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;' +
        'WKZ Basis-Umsatz;' +
        'Konto;Gegenkonto (ohne BU-Schlüssel);BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;' +
        'Skonto;Buchungstext',
      '1190,00;"S";"EUR";;;;4210;1200;"";2901;"RE-1";"";;"Miete Büro"',
      '59,50;"S";"EUR";;;;4930;1200;"";1501;"RE-2";"";;"Bürobedarf"',
      '300,00;"H";"EUR";;;;8200;1200;"";3001;"RE-3";"";;"Spende"',
    ],
    asks: [
      ['dateFormat', '--date-format', 'DDMM@2016'],
      ['moneyOut', '--money-out', 'S'],
    ],
    rows: [
      ['2016-01-29', 1190, 'Miete Büro'],
      ['2016-01-15', 59.5, 'Bürobedarf'],
      ['2016-01-30', -300, 'Spende'],
    ],
  },
  {
    name: 'Lexware: a journal with Soll and Haben columns, two dates, a line of totals',
    encoding: 'windows-1252',
    lines: [
      'Belegdatum;Buchungsdatum;Belegnummer;Buchungstext;Sachkonto;Soll;Haben',
      '29.01.2016;01.02.2016;ER1;Miete für Januar;4210;1.190,00;',
      '30.01.2016;01.02.2016;ER1;Büromaterial;4930;59,50;0,00',
      '31.01.2016;01.02.2016;AR7;Beitrag;8200;;300,00',
      ';;;Summe;;1.249,50;300,00',
    ],
    asks: [
      ['date', '--map', 'date=Belegdatum'],
      ['moneyOut', '--money-out', 'Soll'],
    ],
    rows: [
      ['2016-01-29', 1190, 'Miete für Januar', undefined, '4210'],
      ['2016-01-30', 59.5, 'Büromaterial', undefined, '4930'],
      ['2016-01-31', -300, 'Beitrag', undefined, '8200'],
    ],
    notRows: [5],
  },
  {
    name: 'SAP FBL3N as a list: bars, lines of dashes, a trailing minus, totals with stars',
    lines: [
      'G/L Account       476000',
      'Company Code      1000',
      '-----------------------------------------------------------------',
      '|  |DocumentNo|Type|Doc. Date |Amount in local cur.|LCurr|Text        |',
      '-----------------------------------------------------------------',
      '|  |100000123 |KR  |29.01.2016|         1.190,00   |EUR  |Rent Jan    |',
      '|  |100000124 |KR  |30.01.2016|            59,50   |EUR  |Paper       |',
      '|  |100000125 |KG  |31.01.2016|            19,50-  |EUR  |Credit note |',
      '-----------------------------------------------------------------',
      '|* |          |    |          |         1.230,00   |EUR  |            |',
      '-----------------------------------------------------------------',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-29', 1190, 'Rent Jan'],
      ['2016-01-30', 59.5, 'Paper'],
      ['2016-01-31', -19.5, 'Credit note'],
    ],
    notRows: [10],
  },
  {
    name: 'SAP through Excel: UTF-16 with tabs and no mark, a trailing minus',
    encoding: 'utf-16le',
    lines: [
      'Posting Date\tDocument No\tText\tAmount in local currency\tCurr.',
      '01/29/2016\t1900001\tRent – January\t1,190.00\tUSD',
      '01/31/2016\t1900001\tCredit\t19.50-\tUSD',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-29', 1190, 'Rent – January'],
      ['2016-01-31', -19.5, 'Credit'],
    ],
  },
  {
    name: 'Xero account transactions: a title, sections, opening and closing balances, totals',
    lines: [
      'Account Transactions',
      'Harbour Trust',
      'For the period 1 January 2016 to 31 January 2016',
      '',
      'Date,Source,Description,Reference,Debit,Credit,Running Balance',
      'Business Bank Account,,,,,,',
      'Opening Balance,,,,500.00,0.00,500.00',
      '04 Jan 2016,Receive Money,Donation,D1,250.00,0.00,750.00',
      '29 Jan 2016,Spend Money,"Rent, January",R1,0.00,400.00,350.00',
      'Total Business Bank Account,,,,250.00,400.00,350.00',
      'Closing Balance,,,,350.00,0.00,350.00',
      'Total,,,,250.00,400.00,',
    ],
    asks: [['moneyOut', '--money-out', 'Credit']],
    rows: [
      ['2016-01-04', -250, 'Donation'],
      ['2016-01-29', 400, 'Rent, January'],
    ],
    notRows: [6, 7, 10, 11, 12],
  },
  {
    name: 'QuickBooks transaction detail: groups, a blank first column, totals, American dates',
    lines: [
      ',Type,Date,Num,Name,Memo,Split,Amount,Balance',
      'Checking,,,,,,,,100.00',
      ',Check,01/15/2016,101,Landlord,Rent,Rent Expense,-400.00,-300.00',
      ',Deposit,01/29/2016,,Donor,Gift,Donations,250.00,-50.00',
      'Total Checking,,,,,,,-150.00,-50.00',
      'TOTAL,,,,,,,-150.00,-50.00',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-15', 400, 'Rent', 'Landlord'],
      ['2016-01-29', -250, 'Gift', 'Donor'],
    ],
    notRows: [2, 5, 6],
  },
  {
    name: 'Sage 50 bank activity: types of payments and receipts, amounts without a sign',
    encoding: 'windows-1252',
    lines: [
      'No,Type,Date,Account Ref,Nominal Code,Details,Reference,Amount £',
      '1201,BP,29/01/2016,1200,7100,Rent for Café,R1,400.00',
      '1202,BR,30/01/2016,1200,4000,Grant,G1,250.00',
      '1205,BP,31/01/2016,1200,7500,Paper,,12.34',
    ],
    rows: [
      ['2016-01-29', 400, 'Rent for Café', undefined, '7100'],
      ['2016-01-30', -250, 'Grant', undefined, '4000'],
      ['2016-01-31', 12.34, 'Paper', undefined, '7500'],
    ],
  },
  {
    name: 'FEC, the French file of entries: bars, dates as digits, debit and credit',
    lines: [
      'JournalCode|JournalLib|EcritureNum|EcritureDate|CompteNum|CompteLib|PieceRef|PieceDate|' +
        'EcritureLib|Debit|Credit',
      'BQ|Banque|1|20160129|613200|Locations|F1|20160129|Loyer de janvier|400,00|0,00',
      'BQ|Banque|2|20160130|754000|Dons|F2|20160130|Don reçu|0,00|250,00',
    ],
    asks: [['moneyOut', '--money-out', 'Debit']],
    rows: [
      ['2016-01-29', 400, 'Loyer de janvier', undefined, '613200'],
      ['2016-01-30', -250, 'Don reçu', undefined, '754000'],
    ],
  },
  {
    name: 'a council’s payments: month names, brackets for refunds, a total at the end',
    lines: [
      'Supplier,Payment Date,Description,Spend Category,Amount',
      'Alpha Ltd,04-Jan-16,Road works,Highways,"1,200.50"',
      'Beta Ltd,05-Jan-16,Paper,Office,"750.00"',
      'Gamma & Co,06-Jan-16,Rent,Property,"2,000.00"',
      'Alpha Ltd,07-Jan-16,Signs,Highways,"600.00"',
      'Beta Ltd,08-Jan-16,Ink,Office,"610.00"',
      'Delta,11-Jan-16,Vans,Fleet,"5,000.00"',
      'Delta,12-Jan-16,Fuel,Fleet,"900.00"',
      'Delta,13-Jan-16,Tyres,Fleet,"800.00"',
      'Gamma & Co,14-Jan-16,Heating,Property,"700.00"',
      'Beta Ltd,15-Jan-16,Returned paper,Office,"(150.00)"',
      ',,,,"12,410.50"',
    ],
    rows: [
      ['2016-01-04', 1200.5, 'Road works', 'Alpha Ltd'],
      ['2016-01-05', 750, 'Paper', 'Beta Ltd'],
      ['2016-01-06', 2000, 'Rent', 'Gamma & Co'],
      ['2016-01-07', 600, 'Signs', 'Alpha Ltd'],
      ['2016-01-08', 610, 'Ink', 'Beta Ltd'],
      ['2016-01-11', 5000, 'Vans', 'Delta'],
      ['2016-01-12', 900, 'Fuel', 'Delta'],
      ['2016-01-13', 800, 'Tyres', 'Delta'],
      ['2016-01-14', 700, 'Heating', 'Gamma & Co'],
      ['2016-01-15', -150, 'Returned paper', 'Beta Ltd'],
    ],
    notRows: [12],
  },
  {
    name: 'a row without a payment date is rejected, not taken as a total',
    lines: [
      'Supplier,Paid Date,Description,Amount',
      'Total Energies,26/01/2016,Fuel,80.00',
      'Alpha Ltd,,Road works,1200.50',
      'Beta Ltd,31/02/2016,Total refit,10.00',
      'Alpha Ltd,27/01/2016,Signs,70.00',
      'Total Energies,28/01/2016,Total check of vans,60.00',
      'Alpha Ltd,29/01/2016,Rails,50.00',
    ],
    asks: [['rejected', '--row', 'all']],
    rows: [
      ['2016-01-26', 80, 'Fuel', 'Total Energies'],
      ['2016-01-27', 70, 'Signs', 'Alpha Ltd'],
      ['2016-01-28', 60, 'Total check of vans', 'Total Energies'],
      ['2016-01-29', 50, 'Rails', 'Alpha Ltd'],
    ],
    rejected: [3, 4],
  },
  {
    name: 'Dr and Cr in the amounts, and a balance that runs with them',
    lines: [
      'Date,Particulars,Amount,Balance',
      '29/01/2016,Gift,150.00 Cr,1150.00',
      '30/01/2016,Rent,800.00 Dr,350.00',
      '31/01/2016,Tea,4.00 Dr,346.00',
    ],
    rows: [
      ['2016-01-29', -150, 'Gift'],
      ['2016-01-30', 800, 'Rent'],
      ['2016-01-31', 4, 'Tea'],
    ],
  },
  {
    name: 'a sheet of expenditure only',
    lines: ['Date,Details,Expenditure', '30/01/2016,Rent,800.00', '31/01/2016,Tea,4.00'],
    rows: [
      ['2016-01-30', 800, 'Rent'],
      ['2016-01-31', 4, 'Tea'],
    ],
  },
  {
    name: 'dues that a club collects: a column Lastschrift alone shows no direction',
    lines: ['Datum;Text;Lastschrift', '30.01.2016;Beitrag A;25,00', '31.01.2016;Beitrag B;25,50'],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-30', -25, 'Beitrag A'],
      ['2016-01-31', -25.5, 'Beitrag B'],
    ],
  },
];
