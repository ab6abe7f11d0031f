/** Exports in which the obvious reading is wrong, or another one is proven. */

import type { Dialect } from './dialect.ts';

export const TRAPS: readonly Dialect[] = [
  {
    name: 'a club that collects dues by direct debit: positive Incasso is money in',
    lines: [
      'Datum;Naam;Soort;Bedrag;Omschrijving',
      '31-01-2016;Leden;Incasso;1500,00;Contributie januari',
      '28-02-2016;Leden;Incasso;1400,00;Contributie februari',
      '15-02-2016;Verhuurder;Overboeking;-800,00;Huur',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-31', -1500, 'Contributie januari', 'Leden'],
      ['2016-02-28', -1400, 'Contributie februari', 'Leden'],
      ['2016-02-15', 800, 'Huur', 'Verhuurder'],
    ],
  },
  {
    name: 'a club’s income only: Lastschrift and Gutschrift without a sign',
    lines: [
      'Buchungstag;Art;Verwendungszweck;Betrag',
      '31.01.2016;Lastschrift;Beiträge;1500,00',
      '15.02.2016;Gutschrift;Spende;50,00',
    ],
    asks: [['moneyOut', '--map', 'amount=-Betrag', '--map', 'indicator=']],
    rows: [
      ['2016-01-31', -1500, 'Beiträge'],
      ['2016-02-15', -50, 'Spende'],
    ],
  },
  {
    name: 'Monzo, with money out and in next to the amount, and an empty Receipt',
    lines: [
      'Transaction ID,Date,Name,Amount,Currency,Receipt,Description,Money Out,Money In',
      'tx_01,31/01/2016,Tea Shop,-20.50,GBP,,TEA SHOP 42,-20.50,',
      'tx_02,30/01/2016,Donor,150.00,GBP,,GIFT,,150.00',
    ],
    rows: [
      ['2016-01-31', 20.5, 'TEA SHOP 42', 'Tea Shop'],
      ['2016-01-30', -150, 'GIFT', 'Donor'],
    ],
    ids: ['tx_01', 'tx_02'],
  },
  {
    name: 'Exact Online: an amount that debit and credit repeat',
    lines: [
      'Boekstuknummer;Datum;Omschrijving;Relatie;Bedrag;Debet;Credit',
      '16-001;31-01-2016;Huur;Verhuurder;1.800,00;1.800,00;',
      '16-002;30-01-2016;Correctie huur;Verhuurder;-50,00;;50,00',
    ],
    asks: [['moneyOut', '--money-out', 'Debet']],
    rows: [
      ['2016-01-31', 1800, 'Huur'],
      ['2016-01-30', -50, 'Correctie huur'],
    ],
  },
  {
    name: 'a separate amount next to paid out and paid in: asks which one counts',
    lines: [
      'Date,Details,Amount,Paid out,Paid in',
      '31/01/2016,Rent,900.00,800.00,',
      '30/01/2016,Gift,150.00,,150.00',
    ],
    asks: [['amount', '--map', 'out=Paid out', '--map', 'in=Paid in']],
    rows: [
      ['2016-01-31', 800, 'Rent'],
      ['2016-01-30', -150, 'Gift'],
    ],
  },
  {
    name: 'a cash book: income and expenditure, an account code',
    lines: [
      'Date;Account code;Description;Income;Expenditure',
      '31/01/2016;7100;Rent;;1.200,50',
      '30/01/2016;4000;Lottery;5.000,00;',
    ],
    rows: [
      ['2016-01-31', 1200.5, 'Rent', undefined, '7100'],
      ['2016-01-30', -5000, 'Lottery', undefined, '4000'],
    ],
  },
  {
    name: 'HDFC: lakhs, withdrawals and deposits',
    lines: [
      'Txn Date,Narration,Withdrawal Amt.,Deposit Amt.,Closing Balance',
      '31/01/2016,RENT,"1,20,000.50",,"5,00,000.00"',
      '30/01/2016,GIFT,,"10,000.00","6,20,000.50"',
    ],
    rows: [
      ['2016-01-31', 120000.5, 'RENT'],
      ['2016-01-30', -10000, 'GIFT'],
    ],
  },
  {
    name: 'Sage audit trail: net and gross, and nothing shows which was paid',
    lines: [
      'No,Type,Date,Details,Net Amount,Tax Amount,Gross Amount',
      '1,PI,31/01/2016,Rent,800.00,160.00,960.00',
      '2,PI,30/01/2016,Paper,50.00,10.00,60.00',
    ],
    asks: [
      ['amount', '--map', 'amount=Gross Amount'],
      ['moneyOut', '--money-out', 'positive'],
    ],
    rows: [
      ['2016-01-31', 960, 'Rent'],
      ['2016-01-30', 60, 'Paper'],
    ],
  },
  {
    name: 'cargos and abonos are bookkeeping words too: here the balance proves them',
    lines: [
      'Fecha;Concepto;Cargo;Abono;Saldo',
      '29-ene-2016;Donativo;;500,00;1.500,00',
      '30-ene-2016;Alquiler;800,00;;700,00',
      '31-ene-2016;Papel;20,00;;680,00',
    ],
    rows: [
      ['2016-01-29', -500, 'Donativo'],
      ['2016-01-30', 800, 'Alquiler'],
      ['2016-01-31', 20, 'Papel'],
    ],
  },
  {
    name: 'a status: asks about each word for cancelled or pending payments',
    lines: [
      'Date,Description,Amount,Status',
      '31/01/2016,Rent,-800.00,Completed',
      '30/01/2016,Gift,150.00,Completed',
      '29/01/2016,Paper,-50.00,CANCELLED',
      '28/01/2016,Phone,-20.00,Pending',
      '27/01/2016,Tea,-4.00,CANCELLED',
    ],
    asks: [['notRow', '--not-row', 'cancelled', '--row', 'Pending']],
    rows: [
      ['2016-01-31', 800, 'Rent'],
      ['2016-01-30', -150, 'Gift'],
      ['2016-01-28', 20, 'Phone'],
    ],
    notRows: [4, 6],
  },
  {
    name: 'amounts without a sign, next to words of which one can be either',
    lines: [
      'Date,Type,Details,Amount',
      '31/01/2016,Payment,Rent,800.00',
      '30/01/2016,Receipt,Gift,150.00',
      '28/01/2016,Refund,Paper,2.50',
    ],
    asks: [['moneyOut', '--map', 'indicator=Type', '--money-out', 'Payment']],
    rows: [
      ['2016-01-31', 800, 'Rent'],
      ['2016-01-30', -150, 'Gift'],
      ['2016-01-28', -2.5, 'Paper'],
    ],
  },
  {
    name: 'paid out below and above zero: asks which was paid back',
    lines: [
      'Date,Details,Paid out,Paid in',
      '31/01/2016,Rent,-800.00,',
      '30/01/2016,Paper returned,15.00,',
      '29/01/2016,Gift,,150.00',
    ],
    asks: [['moneyOut', '--map', 'out=-Paid out', '--map', 'in=Paid in']],
    rows: [
      ['2016-01-31', 800, 'Rent'],
      ['2016-01-30', -15, 'Paper returned'],
      ['2016-01-29', -150, 'Gift'],
    ],
  },
  {
    name: 'a ledger with debits of both signs: first which is money out, then which was paid back',
    lines: [
      'Date,Details,Debit,Credit',
      '31/01/2016,Rent,800.00,',
      '30/01/2016,Gift,,150.00',
      '29/01/2016,Rent reversed,-800.00,',
    ],
    asks: [['moneyOut', '--map', 'out=Debit', '--map', 'in=Credit']],
    rows: [
      ['2016-01-31', 800, 'Rent'],
      ['2016-01-30', -150, 'Gift'],
      ['2016-01-29', -800, 'Rent reversed'],
    ],
  },
  {
    name: 'amounts in cents, according to the name: never divided without asking',
    lines: [
      'created_at,description,amount_cents,amount_eur,id',
      '2016-01-31T10:00:00Z,Rent,-80000,-800.00,a1',
      '2016-01-30T10:00:00Z,Gift,15000,150.00,a2',
    ],
    asks: [
      ['amount', '--map', 'amount=amount_eur'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    rows: [
      ['2016-01-31', 800, 'Rent'],
      ['2016-01-30', -150, 'Gift'],
    ],
    ids: ['a1', 'a2'],
  },
  {
    name: 'a name with pence for whole units',
    lines: ['Date,Details,Amount (pence)', '31/01/2016,Rent,-800', '30/01/2016,Gift,150'],
    asks: [
      ['amount', '--map', 'amount=Amount (pence)'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    rows: [
      ['2016-01-31', 800, 'Rent'],
      ['2016-01-30', -150, 'Gift'],
    ],
  },
  {
    name: 'Shopify payouts: a total among its parts, and no text except a status',
    lines: [
      'Payout Date,Status,Charges,Refunds,Adjustments,Fees,Total,Currency',
      '2016-01-31,paid,500.00,-20.00,0.00,-15.20,464.80,GBP',
      '2016-01-30,paid,100.00,0.00,0.00,-3.20,96.80,GBP',
    ],
    asks: [
      ['amount', '--map', 'amount=Total'],
      ['moneyOut', '--money-out', 'negative'],
      ['description', '--map', 'description=Status'],
    ],
    rows: [
      ['2016-01-31', -464.8, 'paid'],
      ['2016-01-30', -96.8, 'paid'],
    ],
  },
  {
    name: 'LCL: no header, a column of zeros, a balance in the last line',
    lines: [
      '31/01/2016;-1200,50;Virement;;LOYER JANVIER;0',
      '30/01/2016;500,00;Virement;;DON;0',
      '31/01/2016;2100,30;;;SOLDE;0',
    ],
    asks: [
      ['moneyOut', '--money-out', 'negative'],
      ['notRow', '--not-row', 'SOLDE'],
    ],
    rows: [
      ['2016-01-31', 1200.5, 'LOYER JANVIER'],
      ['2016-01-30', -500, 'DON'],
    ],
    notRows: [3],
  },
  {
    name: 'BNP: a date and an amount above the header, an account name that shows the encoding',
    encoding: 'windows-1252',
    lines: [
      'Compte de chèques;****1234;31/01/2016;1 234,56',
      'Date operation;Categorie;Libelle operation;Montant operation',
      '31/01/2016;Logement;PRLV LOYER;-1 200,50',
      '15/01/2016;Revenus;VIR DON;500,00',
    ],
    rows: [
      ['2016-01-31', 1200.5, 'PRLV LOYER'],
      ['2016-01-15', -500, 'VIR DON'],
    ],
  },
  {
    name: 'a balance with its date above a header with two known names',
    lines: [
      'Konto;DE00;31.01.2016;1.234,56',
      'Datum;Zweck;Betrag;Wer',
      '31.01.2016;Miete;-1.200,50;Vermieter',
      '15.01.2016;Spende;500,00;Spender',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-31', 1200.5, 'Miete'],
      ['2016-01-15', -500, 'Spende'],
    ],
  },
  {
    name: 'balances and a total with their date, all complete rows',
    lines: [
      'Date,Details,Amount',
      '01/01/2016,Balance brought forward,90.00',
      '30/01/2016,Balance of hall hire,-20.00',
      '31/01/2016,Solde au 31/01/2016,70.00',
      '31/01/2016,Total for January 2016,-20.00',
    ],
    asks: [
      ['moneyOut', '--money-out', 'negative'],
      [
        'notRow',
        ...['--not-row', 'balance brought forward', '--not-row', 'solde au 31/01/2016'],
        ...['--not-row', 'Total for January 2016'],
      ],
    ],
    rows: [['2016-01-30', 20, 'Balance of hall hire']],
    notRows: [2, 4, 5],
  },
  {
    name: 'department letters that happen to be D and C next to signs',
    lines: [
      'Date,Dept,Memo,Amount',
      '31/01/2016,D,Rent,-800.00',
      '30/01/2016,C,Lottery,5000.00',
      '29/01/2016,C,Lottery,5000.00',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-31', 800, 'Rent'],
      ['2016-01-30', -5000, 'Lottery'],
      ['2016-01-29', -5000, 'Lottery'],
    ],
  },
  {
    name: 'deposits paid for a hall: the word alone shows no direction',
    lines: [
      'Date,Type,Memo,Amount',
      '31/01/2016,Deposit,Hall hire,200.00',
      '30/01/2016,Deposit,Marquee,100.00',
      '29/01/2016,Refund,Hall hire,-50.00',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-31', 200, 'Hall hire'],
      ['2016-01-30', 100, 'Marquee'],
      ['2016-01-29', -50, 'Hall hire'],
    ],
  },
  {
    name: 'a time sheet has In and Out on every row: neither is money out and in',
    lines: [
      'Date,Details,In,Out,Pay',
      '31/01/2016,Jo,9.00,17.00,64.00',
      '30/01/2016,Jo,9.30,17.30,64.00',
    ],
    asks: [
      ['amount', '--map', 'amount=Pay'],
      ['moneyOut', '--money-out', 'positive'],
    ],
    rows: [
      ['2016-01-31', 64, 'Jo'],
      ['2016-01-30', 64, 'Jo'],
    ],
  },
  {
    name: 'Revolut: fees next to the amount, two dates, a reverted payment',
    lines: [
      'Type,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance',
      'CARD_PAYMENT,2016-01-30 10:01:02,2016-01-31 09:15:00,Tea,-20.50,0.00,GBP,COMPLETED,979.50',
      'TRANSFER,2016-02-01 11:00:00,2016-02-01 11:00:01,To Jo,-100.00,0.50,GBP,COMPLETED,879.00',
      'CARD_PAYMENT,2016-02-03 09:00:00,,Shop,-19.99,0.00,GBP,REVERTED,',
    ],
    asks: [
      ['amount', '--map', 'amount=Amount'],
      ['notRow', '--not-row', 'REVERTED'],
    ],
    rows: [
      ['2016-01-30', 20.5, 'Tea'],
      ['2016-02-01', 100, 'To Jo'],
    ],
    notRows: [4],
  },
  {
    name: 'a card with a column that has CR for money in, and nothing for the rest',
    lines: [
      'Date,Details,Amount,CR/DR',
      '31/01/2016,Shop,20.00,',
      '30/01/2016,Thank you,300.00,CR',
      '29/01/2016,Shop,5.00,',
    ],
    rows: [
      ['2016-01-31', 20, 'Shop'],
      ['2016-01-30', -300, 'Thank you'],
      ['2016-01-29', 5, 'Shop'],
    ],
  },
  {
    name: 'no header, and a first row with other columns: rejected, not left out as a heading',
    lines: [
      '20160315,Shop,A1,T1,AF,"136,13",Debit,SEPA,Note 1',
      '20160312,Anna Beispiel,A2,T2,BIJ,"375,00",Note 2',
      '20160311,Bert Muster,A3,T3,AF,"257,50",Note 3',
    ],
    rows: [
      ['2016-03-12', -375, 'Anna Beispiel'],
      ['2016-03-11', 257.5, 'Bert Muster'],
    ],
    rejected: [1],
  },
];
