/** Exports in which the obvious reading is a wrong one, or another is proven. */

import type { Dialect } from './dialect.ts';

export const TRAPS: readonly Dialect[] = [
  {
    name: 'a club that collects dues by direct debit: Incasso above zero is money in',
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
    name: 'what a club took in alone: Lastschrift and Gutschrift without a sign',
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
    name: 'Monzo, with money out and money in beside the amount, and an empty Receipt',
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
    name: 'Exact Online: an amount that debit and credit say again',
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
    name: 'an amount of its own beside what was paid out and in: which counts is asked',
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
    name: 'Sage audit trail: net and gross, and neither says which was paid',
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
    name: 'cargos and abonos are words of bookkeeping too: here the balance tells',
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
];
