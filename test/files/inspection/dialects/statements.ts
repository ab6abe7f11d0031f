/** What a file is shows which of its columns are amounts, and which amounts are money out. */

import type { Dialect } from './dialect.ts';

export const STATEMENTS: readonly Dialect[] = [
  {
    name: 'a club’s account: more money in than out, and a bank by the payees’ accounts',
    lines: [
      'Datum;Name;IBAN;Zweck;Betrag',
      '29.01.2016;Mitglied A;DE02;Beitrag;25,00',
      '28.01.2016;Mitglied B;DE03;Beitrag;25,00',
      '27.01.2016;Druckerei;DE04;Plakate;-40,50',
    ],
    rows: [
      ['2016-01-29', -25, 'Beitrag', 'Mitglied A'],
      ['2016-01-28', -25, 'Beitrag', 'Mitglied B'],
      ['2016-01-27', 40.5, 'Plakate', 'Druckerei'],
    ],
  },
  {
    name: 'a cooperative bank: only transfers that came in',
    lines: [
      'Buchungstag;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;Buchungstext;' +
        'Verwendungszweck;Betrag;Waehrung',
      '29.01.2016;Mitglied A;DE02;Überweisungsgutschr.;Beitrag;25,00;EUR',
      '28.01.2016;Mitglied B;DE03;Dauerauftragsgutschr;Beitrag;25,50;EUR',
    ],
    rows: [
      ['2016-01-29', -25, 'Beitrag Überweisungsgutschr.', 'Mitglied A'],
      ['2016-01-28', -25.5, 'Beitrag Dauerauftragsgutschr', 'Mitglied B'],
    ],
  },
  {
    name: 'the same bank with amounts above zero and a word that shows nothing: asks',
    lines: [
      'Buchungstag;Name Zahlungsbeteiligter;IBAN Zahlungsbeteiligter;Buchungstext;' +
        'Verwendungszweck;Betrag;Waehrung',
      '29.01.2016;Mitglied A;DE02;Umbuchung;Beitrag;25,00;EUR',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [['2016-01-29', -25, 'Beitrag', 'Mitglied A']],
  },
  {
    name: 'a savings account: only interest and deposits, each of which raises the balance',
    lines: [
      'TransactionDate,Description,Value,AccountBalance,AccountName,AccountNumber',
      '20160129,Interest,1.40,1561.40,Savings,0123',
      '20160128,Deposit,500.00,1560.00,Savings,0123',
      '20160127,Interest,1.10,1060.00,Savings,0123',
    ],
    rows: [
      ['2016-01-29', -1.4, 'Interest'],
      ['2016-01-28', -500, 'Deposit'],
      ['2016-01-27', -1.1, 'Interest'],
    ],
  },
  {
    name: 'more money in than out, and a balance of an account or a debt: asks',
    lines: [
      'Date,Description,Amount,Balance',
      '27/01/2016,Dues,100.00,100.00',
      '28/01/2016,Dues,50.00,150.00',
      '29/01/2016,Rent,-30.00,120.00',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-27', -100, 'Dues'],
      ['2016-01-28', -50, 'Dues'],
      ['2016-01-29', 30, 'Rent'],
    ],
  },
  {
    name: 'a supplier’s account: invoices raise what is owed, so the balance shows nothing',
    lines: [
      'Date,Invoice,Description,Amount,Balance',
      '27/01/2016,551,Paper,100.00,100.00',
      '28/01/2016,552,Ink,50.00,150.00',
      '29/01/2016,,Payment,-30.00,120.00',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-27', 100, 'Paper'],
      ['2016-01-28', 50, 'Ink'],
      ['2016-01-29', -30, 'Payment'],
    ],
  },
  {
    name: 'most amounts are negative, and CREDIT and DEBIT are kinds of cards',
    lines: [
      'Date,Description,Card type,Amount',
      '29/01/2016,Paper,DEBIT,-12.50',
      '28/01/2016,Hotel,CREDIT,-80.00',
      '27/01/2016,Hotel,CREDIT,20.00',
    ],
    rows: [
      ['2016-01-29', 12.5, 'Paper'],
      ['2016-01-28', 80, 'Hotel'],
      ['2016-01-27', -20, 'Hotel'],
    ],
  },
  {
    name: 'a journal whose income is negative: asks although most amounts are',
    lines: [
      'JournalDate,AccountName,Description,NetAmount,TaxCode',
      '29/01/2016,Dues,Member A,-25.00,None',
      '28/01/2016,Dues,Member B,-25.00,None',
      '27/01/2016,Paper,Posters,40.50,None',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-29', -25, 'Member A'],
      ['2016-01-28', -25, 'Member B'],
      ['2016-01-27', 40.5, 'Posters'],
    ],
  },
  {
    name: 'a card: Debit and Credit next to amounts without a sign',
    lines: [
      'Transaction date,Description,Merchant,Card number,Currency,Amount,Debit/Credit',
      '29.01.2016,PAPER SHOP ZURICH,Paper Shop,XXXX 0001,CHF,12.50,Debit',
      '28.01.2016,REFUND,Paper Shop,XXXX 0001,CHF,2.50,Credit',
    ],
    rows: [
      ['2016-01-29', 12.5, 'PAPER SHOP ZURICH', 'Paper Shop'],
      ['2016-01-28', -2.5, 'REFUND', 'Paper Shop'],
    ],
  },
  {
    name: 'the words debit and credit in a column, and nothing of a bank',
    lines: [
      'Date,Description,Amount,Transaction Type,Category',
      '29/01/2016,Paper,12.50,debit,Office',
      '28/01/2016,Gift,100.00,credit,Income',
    ],
    rows: [
      ['2016-01-29', 12.5, 'Paper'],
      ['2016-01-28', -100, 'Gift'],
    ],
  },
  {
    name: 'the same words in books: asks',
    lines: [
      'Date,Description,Amount,Transaction Type,Ledger',
      '29/01/2016,Paper,12.50,debit,Office',
      '28/01/2016,Gift,100.00,credit,Income',
    ],
    asks: [['moneyOut', '--money-out', 'debit']],
    rows: [
      ['2016-01-29', 12.5, 'Paper'],
      ['2016-01-28', -100, 'Gift'],
    ],
  },
  {
    name: 'a council: names that run together, credit notes',
    lines: [
      'BodyName,Directorate,PaymentDate,TransactionNumber,SupplierName,Description,NetAmount',
      'Anytown,Highways,13/01/2016,51001,Stone Ltd,Kerbs,1200.50',
      'Anytown,Highways,14/01/2016,51002,Stone Ltd,Kerbs returned,-150.00',
      'Anytown,Schools,15/01/2016,51003,Chalk Ltd,Boards,700.00',
    ],
    rows: [
      ['2016-01-13', 1200.5, 'Kerbs', 'Stone Ltd'],
      ['2016-01-14', -150, 'Kerbs returned', 'Stone Ltd'],
      ['2016-01-15', 700, 'Boards', 'Chalk Ltd'],
    ],
  },
  {
    name: 'a council’s card payments: a beneficiary, a merchant category',
    lines: [
      'Department,Beneficiary,Purpose of spend,Merchant category,Date,Gross Amount (£)',
      'Housing,Lock Ltd,Keys,Hardware,13/01/2016,£35.00',
      'Housing,Lock Ltd,Keys,Hardware,14/01/2016,£20.00',
    ],
    rows: [
      ['2016-01-13', 35, 'Keys', 'Lock Ltd'],
      ['2016-01-14', 20, 'Keys', 'Lock Ltd'],
    ],
  },
];

export const COLUMNS: readonly Dialect[] = [
  {
    name: 'DebitAmount and CreditAmount, a balance in the last row of each day',
    lines: [
      'TransactionDate,Description,DebitAmount,CreditAmount,RunningBalance',
      '13/01/2016,Gift,,100.00,100.00',
      '14/01/2016,Rent,40.00,,',
      '14/01/2016,Tea,5.00,,55.00',
      '15/01/2016,Dues,,20.00,75.00',
    ],
    rows: [
      ['2016-01-13', -100, 'Gift'],
      ['2016-01-14', 40, 'Rent'],
      ['2016-01-14', 5, 'Tea'],
      ['2016-01-15', -20, 'Dues'],
    ],
  },
  {
    name: 'Crédit en CHF before a negative Débit en CHF',
    lines: [
      'Date;Libellé;Crédit en CHF;Débit en CHF;Solde en CHF',
      '29.01.2016;Loyer;;-150.50;349.50',
      '28.01.2016;Don;500.00;;500.00',
    ],
    rows: [
      ['2016-01-29', 150.5, 'Loyer'],
      ['2016-01-28', -500, 'Don'],
    ],
  },
  {
    name: 'nothing was paid in this month: the other half of the pair is empty',
    lines: [
      'Date,Description,Withdrawals (SGD),Deposits (SGD)',
      '29/01/2016,Rent,150.50,',
      '28/01/2016,Tea,4.50,',
    ],
    rows: [
      ['2016-01-29', 150.5, 'Rent'],
      ['2016-01-28', 4.5, 'Tea'],
    ],
  },
  {
    name: 'no header, two columns of which each row has one, and a balance',
    lines: [
      '13/01/2016,Gift,,100.00,100.00',
      '14/01/2016,Rent,40.00,,60.00',
      '15/01/2016,Tea,5.00,,55.00',
      '16/01/2016,Dues,,20.00,75.00',
    ],
    rows: [
      ['2016-01-13', -100, 'Gift'],
      ['2016-01-14', 40, 'Rent'],
      ['2016-01-15', 5, 'Tea'],
      ['2016-01-16', -20, 'Dues'],
    ],
  },
  {
    name: 'no header, whole amounts in two columns, and cents only in the balance',
    lines: [
      '13/01/2016,Gift,,100,100.50',
      '14/01/2016,Rent,40,,60.50',
      '15/01/2016,Tea,5,,55.50',
      '16/01/2016,Dues,,20,75.50',
    ],
    rows: [
      ['2016-01-13', -100, 'Gift'],
      ['2016-01-14', 40, 'Rent'],
      ['2016-01-15', 5, 'Tea'],
      ['2016-01-16', -20, 'Dues'],
    ],
  },
  {
    name: 'no header, two columns of which each row has one, and nothing else',
    lines: ['13/01/2016,Gift,,100.00', '14/01/2016,Rent,40.00,', '15/01/2016,Tea,5.00,'],
    asks: [['amount', '--map', 'out=#3', '--map', 'in=#4']],
    rows: [
      ['2016-01-13', -100, 'Gift'],
      ['2016-01-14', 40, 'Rent'],
      ['2016-01-15', 5, 'Tea'],
    ],
  },
  {
    name: 'the amount in the account’s currency next to the foreign one, and a rate',
    lines: [
      'Datum;Verwendungszweck;Betrag (EUR);Betrag (Fremdwährung);Fremdwährung;Wechselkurs',
      '29.01.2016;Hotel;-92,00;-100,00;CHF;1,087',
      '28.01.2016;Papier;-12,50;-12,50;EUR;1,0',
      '27.01.2016;Spende;250,00;;;',
    ],
    rows: [
      ['2016-01-29', 92, 'Hotel'],
      ['2016-01-28', 12.5, 'Papier'],
      ['2016-01-27', -250, 'Spende'],
    ],
  },
  {
    name: 'four columns with the same amount',
    lines: [
      'datum;bedrag;credit;debet;munt;koers;bedrag in EUR;omschrijving',
      '29/01/2016;-16,50;;-16,50;EUR;1;-16,50;Papier',
      '28/01/2016;35,00;35,00;;EUR;1;35,00;Betaling',
    ],
    rows: [
      ['2016-01-29', 16.5, 'Papier'],
      ['2016-01-28', -35, 'Betaling'],
    ],
  },
  {
    name: 'gross and net: the balance changes by the net amount',
    lines: [
      'Datum;Text;Brutto;Netto;Saldo',
      '13.01.2016;Spende;100,00;96,80;96,80',
      '14.01.2016;Spende;50,00;48,20;145,00',
      '15.01.2016;Papier;-45,00;-45,00;100,00',
      '16.01.2016;Plakate;-30,00;-30,00;70,00',
      '17.01.2016;Miete;-20,00;-20,00;50,00',
    ],
    rows: [
      ['2016-01-13', -96.8, 'Spende'],
      ['2016-01-14', -48.2, 'Spende'],
      ['2016-01-15', 45, 'Papier'],
      ['2016-01-16', 30, 'Plakate'],
      ['2016-01-17', 20, 'Miete'],
    ],
  },
  {
    name: 'gross and net are the same, but only while there are no fees: asks',
    lines: ['Date,Details,Gross,Fee,Net', '29/01/2016,Paper,-12.50,0.00,-12.50'],
    asks: [['amount', '--map', 'amount=Net']],
    rows: [['2016-01-29', 12.5, 'Paper']],
  },
  {
    name: 'balances before and after, and a type that is the same for both directions',
    lines: [
      'Date\tType\tStartsaldo\tEndsaldo\tAmount\tDescription\tIBAN',
      '27/01/2016\tPayment\t10,00\t110,00\t100,00\tDues\tNL01',
      '28/01/2016\tPayment\t110,00\t160,00\t50,00\tDues\tNL02',
      '29/01/2016\tPayment\t160,00\t130,00\t-30,00\tRent\tNL03',
    ],
    rows: [
      ['2016-01-27', -100, 'Dues'],
      ['2016-01-28', -50, 'Dues'],
      ['2016-01-29', 30, 'Rent'],
    ],
  },
  {
    name: 'a card whose header was damaged: the known name is that of the foreign amount',
    lines: [
      'Datum;Text;Betrag;W\ufffdhr;Verrechn\ufffdng',
      '29.01.2016;Hotel;-100,00;USD;-92,00',
      '28.01.2016;Papier;-12,50;EUR;-12,50',
    ],
    asks: [
      ['amount', '--map', 'amount=Verrechn\ufffdng'],
      ['currency', '--map', 'currency='],
    ],
    rows: [
      ['2016-01-29', 92, 'Hotel'],
      ['2016-01-28', 12.5, 'Papier'],
    ],
  },
  {
    name: 'what a till paid out: costs of the transaction next to the amount',
    lines: [
      'Datum;Text;Betrag Transaktion (CHF);Transaktionskosten (CHF);Auftragsnummer',
      '29.01.2016;Kuchen;49.50;0.65;1021',
      '28.01.2016;Tee;12.50;0.15;1022',
    ],
    asks: [
      ['amount', '--map', 'amount=Betrag Transaktion (CHF)'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    rows: [
      ['2016-01-29', -49.5, 'Kuchen'],
      ['2016-01-28', -12.5, 'Tee'],
    ],
  },
  {
    name: 'an unnamed kind of amount beside a reference, a rate and a card',
    lines: [
      'Date,Details,Spent,Card,Booking number,Exchange rate,Auth code',
      '29/01/2016,Paper,12.50,1234,551,1.00,7731',
      '28/01/2016,Hotel,80.00,1234,552,0.92,7732',
    ],
    rows: [
      ['2016-01-29', 12.5, 'Paper'],
      ['2016-01-28', 80, 'Hotel'],
    ],
  },
];
