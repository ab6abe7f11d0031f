/** Exports in which words, signs and balances show which way money went, or contradict. */

import type { Dialect } from './dialect.ts';

export const DIRECTIONS: readonly Dialect[] = [
  {
    name: 'a bank with debits above zero and credits below: the words decide',
    lines: [
      'IBAN,Date,Text,Amount,Debit/Credit',
      'GB1,2016-01-28,Rent,500.00,Debit',
      'GB1,2016-01-29,Dues,-900.00,Credit',
      'GB1,2016-01-31,Stamps,20.00,Debit',
    ],
    rows: [
      ['2016-01-28', 500, 'Rent'],
      ['2016-01-29', -900, 'Dues'],
      ['2016-01-31', 20, 'Stamps'],
    ],
  },
  {
    name: 'a bank’s balance that falls with positive amounts: asks',
    lines: [
      'Sort code,Date,Text,Amount,Balance',
      '11-22-33,2016-01-28,Rent,500.00,500.00',
      '11-22-33,2016-01-29,Dues,-900.00,1400.00',
      '11-22-33,2016-01-31,Stamps,20.00,1380.00',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-28', 500, 'Rent'],
      ['2016-01-29', -900, 'Dues'],
      ['2016-01-31', 20, 'Stamps'],
    ],
  },
  {
    name: 'money out and in that a balance contradicts: asks',
    lines: [
      'Date,Text,Money out,Money in,Balance',
      '2016-01-28,Dues,900.00,,1000.00',
      '2016-01-29,Rent,,500.00,500.00',
      '2016-01-31,Gift,30.00,,530.00',
    ],
    asks: [['moneyOut', '--money-out', 'Money in']],
    rows: [
      ['2016-01-28', -900, 'Dues'],
      ['2016-01-29', 500, 'Rent'],
      ['2016-01-31', -30, 'Gift'],
    ],
  },
  {
    name: 'words for money out and in that a balance contradicts: asks',
    lines: [
      'Date,Text,Amount,Type,Balance',
      '2016-01-28,Dues,900.00,Money out,1000.00',
      '2016-01-29,Rent,500.00,Money in,500.00',
      '2016-01-31,Gift,30.00,Money out,530.00',
    ],
    asks: [['moneyOut', '--money-out', 'Money in']],
    rows: [
      ['2016-01-28', -900, 'Dues'],
      ['2016-01-29', 500, 'Rent'],
      ['2016-01-31', -30, 'Gift'],
    ],
  },
  {
    name: 'a single step does not contradict the names of columns',
    lines: [
      'Date,Details,Paid out,Paid in,Balance',
      '2016-01-31,Dues,,40.00,40.00',
      '2016-01-28,Rent,35.00,,5.00',
    ],
    rows: [
      ['2016-01-31', -40, 'Dues'],
      ['2016-01-28', 35, 'Rent'],
    ],
  },
  {
    name: 'a bank whose header has lost a letter: Gl\ufffdubiger-ID is not a ledger',
    lines: [
      'Buchungstag;Verwendungszweck;Betrag;Gl\ufffdubiger-ID',
      '28.01.2016;Beitrag;1.234,56;',
      '31.01.2016;Miete;-123,45;',
    ],
    rows: [
      ['2016-01-28', -1234.56, 'Beitrag'],
      ['2016-01-31', 123.45, 'Miete'],
    ],
  },
  {
    name: 'a card: Ecriture is a date, not an entry of books',
    lines: [
      'Numéro de carte;Texte comptable;Débit;Crédit;Ecriture',
      'XX1;Poste;12.00;;28.01.2016',
      'XX1;Remboursement;;25.00;31.01.2016',
    ],
    rows: [
      ['2016-01-28', 12, 'Poste'],
      ['2016-01-31', -25, 'Remboursement'],
    ],
  },
  {
    name: 'a bank’s Gutschrift with a minus: asks',
    lines: [
      'Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Betrag',
      '28.01.2016;28.01.2016;Anna;Gutschrift;Storno;-100,00',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [['2016-01-28', 100, 'Storno', 'Anna']],
  },
  {
    name: 'a card: sales and payments, and nothing says which are purchases: asks',
    lines: [
      'Transaction Date,Description,Type,Amount',
      '01/28/2016,STAMPS,Sale,-20.00',
      '01/30/2016,THANK YOU,Payment,50.00',
      '01/31/2016,STAMPS,Return,5.00',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-28', 20, 'STAMPS'],
      ['2016-01-30', -50, 'THANK YOU'],
      ['2016-01-31', -5, 'STAMPS'],
    ],
  },
  {
    name: 'a shop: sales are money in, and nothing says so: asks',
    lines: [
      'Date,Description,Type,Amount',
      '2016-01-28,Ticket,Sale,20.00',
      '2016-01-30,Ticket,Refund,-20.00',
      '2016-01-31,Shirt,Sale,30.00',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-28', -20, 'Ticket'],
      ['2016-01-30', 20, 'Ticket'],
      ['2016-01-31', -30, 'Shirt'],
    ],
  },
  {
    name: 'one category on every row, which may be of this file alone: asks',
    lines: [
      'Date,Description,Amount,Category',
      '2016-01-28,Rent,500,Expenses',
      '2016-01-31,Stamps,20,Expenses',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-28', 500, 'Rent'],
      ['2016-01-31', 20, 'Stamps'],
    ],
  },
  {
    name: 'only credits, and nothing of a bank: asks',
    lines: [
      'Date,Description,Amount,Debit or Credit',
      '2016-01-28,Dues,50.00,CR',
      '2016-01-31,Gift,30.00,CR',
    ],
    asks: [['moneyOut', '--money-out', 'DR']],
    rows: [
      ['2016-01-28', -50, 'Dues'],
      ['2016-01-31', -30, 'Gift'],
    ],
  },
  {
    name: 'a Chinese wallet: 支出 and 收入 in 收/支',
    lines: [
      '交易时间,交易对方,商品,收/支,金额(元),支付方式',
      '2016-01-28 12:45:27,饭店,午饭,支出,¥28.16,零钱',
      '2016-01-31 10:10:11,小王,还款,收入,¥30.00,零钱',
    ],
    rows: [
      ['2016-01-28', 28.16, '午饭', '饭店'],
      ['2016-01-31', -30, '还款', '小王'],
    ],
  },
  {
    name: 'a Chinese bank: 借 Dr and 贷 Cr beside the payee’s account',
    lines: [
      '交易日期,借贷,交易金额,对方户名,摘要',
      '2016-01-28,借 Dr,3.21,饭店,午饭',
      '2016-01-31,贷 Cr,10.00,小王,还款',
    ],
    rows: [
      ['2016-01-28', 3.21, '午饭', '饭店'],
      ['2016-01-31', -10, '还款', '小王'],
    ],
  },
  {
    name: 'Χ and Π in a Greek column of signs, with nothing else: asks',
    lines: [
      'Ημερομηνία;Περιγραφή;Ποσό;Πρόσημο',
      '28/01/2016;Ενοίκιο;3,25;Χ',
      '31/01/2016;Συνδρομή;10,00;Π',
    ],
    asks: [['moneyOut', '--money-out', 'Χ']],
    rows: [
      ['2016-01-28', 3.25, 'Ενοίκιο'],
      ['2016-01-31', -10, 'Συνδρομή'],
    ],
  },
  {
    name: 'a Lithuanian bank by its code of payments: D and K',
    lines: [
      'Data,Gavėjas,Paaiškinimai,Suma,Valiuta,D/K,Įmokos kodas',
      '2016-01-28,Vanduo,Sąskaita,3.21,EUR,D,',
      '2016-01-31,Ona,Mokestis,10.00,EUR,K,',
    ],
    rows: [
      ['2016-01-28', 3.21, 'Sąskaita', 'Vanduo'],
      ['2016-01-31', -10, 'Mokestis', 'Ona'],
    ],
  },
  {
    name: 'an Italian bank by its codes of reasons: dare and avere',
    lines: [
      'Data;Dare;Avere;Descrizione;Causale ABI',
      '28/01/2016;3,25;;Affitto;50',
      '31/01/2016;;10,00;Quota;48',
    ],
    rows: [
      ['2016-01-28', 3.25, 'Affitto'],
      ['2016-01-31', -10, 'Quota'],
    ],
  },
];
