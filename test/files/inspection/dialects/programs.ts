/** Exports of finance programs: the other side of an entry, and several accounts in one file. */

import type { Dialect } from './dialect.ts';

export const PROGRAMS: readonly Dialect[] = [
  {
    name: 'GnuCash: the account of the other side is in the lines below, which have no date',
    lines: [
      '"Date","Transaction ID","Number","Description","Notes","Commodity/Currency","Void Reason",' +
        '"Action","Memo","Full Account Name","Account Name","Amount With Sym","Amount Num.",' +
        '"Reconcile","Reconcile Date","Rate/Price"',
      '"01/02/2016","a1","101","Rent","","CURRENCY::GBP","","","","Assets:Bank","Bank",' +
        '"-£850.00","-850.00","n","","1.00"',
      '"","","","","","","","","","Expenses:Rent","Rent","£850.00","850.00","n","","1.00"',
      '"01/05/2016","a2","102","Paper and stamps","","CURRENCY::GBP","","","","Assets:Bank",' +
        '"Bank","-£45.20","-45.20","n","","1.00"',
      '"","","","","","","","","paper","Expenses:Office","Office","£30.20","30.20","n","","1.00"',
      '"","","","","","","","","stamps","Expenses:Post","Post","£15.00","15.00","n","","1.00"',
      '"01/17/2016","a3","103","Grant","","CURRENCY::GBP","","","","Assets:Bank","Bank",' +
        '"£2,000.00","2000.00","n","","1.00"',
      '"","","","","","","","","","Income:Grants","Grants","-£2,000.00","-2000.00","n","","1.00"',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-02', 850, 'Rent', undefined, 'Expenses:Rent'],
      ['2016-01-05', 45.2, 'Paper and stamps'],
      ['2016-01-17', -2000, 'Grant', undefined, 'Income:Grants'],
    ],
    ids: ['a1', 'a2', 'a3'],
  },
  {
    name: 'a journal report: Debit and Credit, the date of an entry once',
    lines: [
      'Date,Transaction Type,Num,Name,Memo/Description,Account,Debit,Credit',
      '01/18/2016,Expense,1,Landlord,Rent,Checking,,850.00',
      ',,,,,Rent,850.00,',
      '01/29/2016,Deposit,2,Council,Grant,Checking,2000.00,',
      ',,,,,Grants,,2000.00',
    ],
    asks: [['moneyOut', '--money-out', 'Credit']],
    rows: [
      ['2016-01-18', 850, 'Rent', 'Landlord', 'Rent'],
      ['2016-01-29', -2000, 'Grant', 'Council', 'Grants'],
    ],
  },
  {
    name: 'Skrooge: several accounts, some of them without cash',
    lines: [
      '"date";"bank";"account";"number";"payee";"comment";"amount";"category"',
      '"2016-01-02";"BANK A";"Current";"101";"Landlord";"Rent";"-850";"Expenses"',
      '"2016-01-18";"BANK A";"Petty cash";"104";"Shop";"Milk";"-10.5";"Expenses"',
      '"2016-01-19";"";"Creditors";"105";"Landlord";"Invoice";"-80";"Expenses"',
      '"2016-01-21";"";"VAT";"106";"HMRC";"Return";"160";"VAT"',
      '"2016-01-22";"BANK A";"Current";"107";"Council";"Grant";"2000";"Income"',
    ],
    asks: [['notRow', '--not-row', 'Creditors', '--not-row', 'VAT']],
    rows: [
      ['2016-01-02', 850, 'Rent', 'Landlord'],
      ['2016-01-18', 10.5, 'Milk', 'Shop'],
      ['2016-01-22', -2000, 'Grant', 'Council'],
    ],
    notRows: [4, 5],
  },
  {
    name: 'QuickBooks: a list of transactions with the account of each, bills among them',
    lines: [
      'Date,Transaction Type,Num,Name,Memo/Description,Account,Split,Amount,Balance',
      '01/02/2016,Expense,101,Landlord,Rent January,Checking,Rent,-850.00,-850.00',
      '01/17/2016,Deposit,103,Council,Grant,Checking,Grants,2000.00,1150.00',
      '01/20/2016,Bill,105,Landlord,Rent February,Accounts Payable,Rent,850.00,850.00',
      '01/21/2016,Bill Payment,106,Landlord,Rent February,Checking,Accounts Payable,-850.00,300.00',
    ],
    asks: [
      ['moneyOut', '--money-out', 'negative'],
      ['notRow', '--not-row', 'Accounts Payable'],
    ],
    rows: [
      ['2016-01-02', 850, 'Rent January', 'Landlord'],
      ['2016-01-17', -2000, 'Grant', 'Council'],
      ['2016-01-21', 850, 'Rent February', 'Landlord'],
    ],
    notRows: [4],
  },
  {
    name: 'Xero: every line of every account, of which one is the bank’s',
    lines: [
      'Date,Source,Description,Reference,Debit,Credit,Account',
      '02 Jan 2016,Spend Money,Office rent,INV-1,,850.00,Business Bank Account',
      '02 Jan 2016,Spend Money,Office rent,INV-1,850.00,,Rent',
      '17 Jan 2016,Receive Money,Grant,GR-1,2000.00,,Business Bank Account',
      '17 Jan 2016,Receive Money,Grant,GR-1,,2000.00,Grants',
    ],
    asks: [
      ['moneyOut', '--money-out', 'Credit'],
      ['doubleEntry', '--not-row', 'Rent', '--not-row', 'Grants'],
    ],
    rows: [
      ['2016-01-02', 850, 'Office rent'],
      ['2016-01-17', -2000, 'Grant'],
    ],
    notRows: [3, 5],
  },
  {
    name: 'Beancount: a balance in the last column, and a creditor among the accounts',
    lines: [
      'date,flag,payee,narration,account,position,balance',
      '2016-01-02,*,Landlord,Rent,Assets:Bank,-850.00 GBP,-850.00 GBP',
      '2016-01-17,*,Council,Grant,Assets:Bank,2000.00 GBP,1150.00 GBP',
      '2016-01-18,*,Shop,Milk,Assets:Cash,-10.00 GBP,1140.00 GBP',
      '2016-01-20,*,Landlord,Rent again,Liabilities:Creditors,-850.00 GBP,290.00 GBP',
    ],
    asks: [['notRow', '--not-row', 'Liabilities:Creditors']],
    rows: [
      ['2016-01-02', 850, 'Rent', 'Landlord'],
      ['2016-01-17', -2000, 'Grant', 'Council'],
      ['2016-01-18', 10, 'Milk', 'Shop'],
    ],
    notRows: [5],
  },
  {
    name: 'hledger: a register of two accounts with cash is not asked about',
    lines: [
      '"txnidx","date","code","description","account","amount","total"',
      '"1","2016-01-02","V1","Rent","Assets:Bank:Current","£-850.00","£-850.00"',
      '"2","2016-01-17","V2","Grant","Assets:Bank:Current","£2000.00","£1150.00"',
      '"3","2016-01-25","V3","Milk","Assets:Petty Cash","£-10.00","£1140.00"',
    ],
    rows: [
      ['2016-01-02', 850, 'Rent'],
      ['2016-01-17', -2000, 'Grant'],
      ['2016-01-25', 10, 'Milk'],
    ],
  },
  {
    name: 'hledger: a register of expenses has the accounts of the ledger, not those with cash',
    lines: [
      '"txnidx","date","code","description","account","amount","total"',
      '"1","2016-01-02","V1","Landlord","Expenses:Rent","£850.00","£850.00"',
      '"3","2016-01-25","V3","Shop","Expenses:Food","£10.00","£860.00"',
      '"4","2016-01-29","V4","Refund","Expenses:Food","£-2.50","£857.50"',
      '"5","2016-01-30","V5","Baker","Expenses:Food","£4.00","£861.50"',
      '"6","2016-01-31","V6","Landlord","Expenses:Rent","£850.00","£1711.50"',
      '"7","2016-01-31","V7","Landlord","Expenses:Rent","£50.00","£1761.50"',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-02', 850, 'Landlord', undefined, 'Expenses:Rent'],
      ['2016-01-25', 10, 'Shop', undefined, 'Expenses:Food'],
      ['2016-01-29', -2.5, 'Refund', undefined, 'Expenses:Food'],
      ['2016-01-30', 4, 'Baker', undefined, 'Expenses:Food'],
      ['2016-01-31', 850, 'Landlord', undefined, 'Expenses:Rent'],
      ['2016-01-31', 50, 'Landlord', undefined, 'Expenses:Rent'],
    ],
  },
  {
    name: 'an ERP’s entries with their lines: the first of each can be of any account',
    lines: [
      'Number,Date,Journal/Name,Description,Lines/Account/Name,Lines/Debit,Lines/Credit',
      '1,2016-01-02,Cash,Grant,4000 - Main Revenue,,3000.00',
      ',,,,1200 - Main Cash,3000.00,0',
      '2,2016-01-05,Cash,Office,1200 - Main Cash,,68.28',
      ',,,,7400 - Activities,68.28,0',
      '3,2016-01-27,Cash,Rent,7100 - Rent,77.77,',
      ',,,,1200 - Main Cash,,77.77',
    ],
    asks: [
      ['moneyOut', '--money-out', 'Lines/Credit'],
      ['doubleEntry', '--row', 'all'],
    ],
    // Whoever says so gets it: the first line of each entry, with the account of the other.
    rows: [
      ['2016-01-02', 3000, 'Grant', undefined, '1200 - Main Cash'],
      ['2016-01-05', 68.28, 'Office', undefined, '7400 - Activities'],
      ['2016-01-27', -77.77, 'Rent', undefined, '1200 - Main Cash'],
    ],
  },
  {
    name: 'an ERP’s list of a bank account: the same account and state on every row',
    lines: [
      'ID;Date;Compte/Code;Mouvement/Numéro;Description;Débit;Crédit;État',
      '1;02/01/2016;1200;1;Subvention;3000,00;0;validé',
      '4;05/01/2016;1200;2;Fournitures;0;68,28;validé',
      '6;09/01/2016;1200;3;;0;670,1;validé',
      '8;14/01/2016;1200;4;;0;50;validé',
      '9;27/01/2016;1200;5;Loyer;0;77,77;validé',
    ],
    asks: [
      ['moneyOut', '--money-out', 'Crédit'],
      ['rejected', '--row', 'all'],
    ],
    rows: [
      ['2016-01-02', -3000, 'Subvention'],
      ['2016-01-05', 68.28, 'Fournitures'],
      ['2016-01-09', 670.1, ''],
      ['2016-01-14', 50, ''],
      ['2016-01-27', 77.77, 'Loyer'],
    ],
    ids: ['1', '4', '6', '8', '9'],
  },
  {
    name: 'beancount: the amounts are in a column named number, beside a balance',
    lines: [
      'date,payee,narration,number,currency,balance',
      '2016-01-02,Landlord    ,Rent , -850.00,GBP, -850.00 GBP',
      '2016-01-17,City council,Grant, 2000.00,GBP, 1150.00 GBP',
      '2016-01-25,Corner shop ,Milk ,  -10.50,GBP, 1139.50 GBP',
    ],
    rows: [
      ['2016-01-02', 850, 'Rent', 'Landlord'],
      ['2016-01-17', -2000, 'Grant', 'City council'],
      ['2016-01-25', 10.5, 'Milk', 'Corner shop'],
    ],
  },
];
