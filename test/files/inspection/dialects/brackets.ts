/** Balances, turnovers and reserved amounts that only arithmetic tells from payments. */

import type { Dialect } from './dialect.ts';

export const BRACKETS: readonly Dialect[] = [
  {
    name: 'K and D in one column, with balances and turnovers in unknown words',
    lines: [
      '"Kliendi konto";"Reatüüp";"Kuupäev";"Saaja/Maksja";"Selgitus";"Summa";"Valuuta";' +
        '"Deebet/Kreedit";"Arhiveerimistunnus";"Tehingu tüüp"',
      '"EE1";"10";"01.01.2016";"";"Esialgne seis";"1000,00";"EUR";"K";"";"AS"',
      '"EE1";"20";"15.01.2016";"Pood";"Paber";"50,00";"EUR";"D";"2016011500001";"MK"',
      '"EE1";"20";"16.01.2016";"Liige";"Maks";"200,00";"EUR";"K";"2016011600001";"MK"',
      '"EE1";"82";"31.01.2016";"";"Liikumine";"50,00";"EUR";"D";"";"K2"',
      '"EE1";"82";"31.01.2016";"";"Liikumine";"200,00";"EUR";"K";"";"K2"',
      '"EE1";"86";"31.01.2016";"";"Viimane seis";"1150,00";"EUR";"K";"";"LS"',
    ],
    rows: [
      ['2016-01-15', 50, 'Paber', 'Pood'],
      ['2016-01-16', -200, 'Maks', 'Liige'],
    ],
    notRows: [2, 5, 6, 7],
  },
  {
    name: 'two columns, with balances and turnovers in unknown words',
    lines: [
      'Könyvelés dátuma;Közlemény;Partner neve;Terhelés;Jóváírás',
      '2016.01.01;Induló állomány;;;500,00',
      '2016.01.15;Bérleti díj;Tulajdonos;100,00;',
      '2016.01.16;Tagdíj;Tag;;20,00',
      '2016.01.17;Bélyeg;Posta;5,50;',
      '2016.01.31;Forgalom;;105,50;',
      '2016.01.31;Forgalom;;;20,00',
      '2016.01.31;Záró állomány;;;414,50',
    ],
    rows: [
      ['2016-01-15', 100, 'Bérleti díj', 'Tulajdonos'],
      ['2016-01-16', -20, 'Tagdíj', 'Tag'],
      ['2016-01-17', 5.5, 'Bélyeg', 'Posta'],
    ],
    notRows: [2, 6, 7, 8],
  },
  {
    name: 'balances in unknown words, with nothing beside them that payments lack: asks',
    lines: [
      'Tarih;Açıklama;Tutar;Bakiye',
      '15.01.2016;Açılış;500,00;500,00',
      '16.01.2016;Kira;-100,00;400,00',
      '17.01.2016;Aidat;20,00;420,00',
      '18.01.2016;Pul;-5,50;414,50',
      '31.01.2016;Kapanış;414,50;414,50',
    ],
    asks: [
      ['moneyOut', '--money-out', 'negative'],
      ['notRow', '--not-row', 'Açılış', '--not-row', 'Kapanış'],
    ],
    rows: [
      ['2016-01-16', 100, 'Kira'],
      ['2016-01-17', -20, 'Aidat'],
      ['2016-01-18', 5.5, 'Pul'],
    ],
    notRows: [2, 6],
  },
  {
    name: 'balances in unknown words around money in alone, with a running balance: asks',
    lines: [
      'Tarih;Açıklama;Tutar;Bakiye',
      '15.01.2016;Açılış;500,00;500,00',
      '16.01.2016;Bağış;100,00;600,00',
      '17.01.2016;Aidat;20,00;620,00',
      '18.01.2016;Faiz;5,50;625,50',
      '31.01.2016;Kapanış;625,50;625,50',
    ],
    asks: [
      ['moneyOut', '--money-out', 'negative'],
      ['notRow', '--not-row', 'Açılış', '--not-row', 'Kapanış'],
    ],
    rows: [
      ['2016-01-16', -100, 'Bağış'],
      ['2016-01-17', -20, 'Aidat'],
      ['2016-01-18', -5.5, 'Faiz'],
    ],
    notRows: [2, 6],
  },
  {
    name: 'the last payment to a supplier is as much as all others: an outlier, and no total',
    lines: [
      'Payment date,Supplier,Purpose,Reference,Amount',
      '2016-01-05,Acme Ltd,Paper,R1,100.00',
      '2016-01-06,Beta Ltd,Ink,R2,200.50',
      '2016-01-07,Gamma Ltd,Desks,R3,50.25',
      '2016-01-08,Zeta Ltd,Lamps,R4,10.25',
      '2016-01-11,Delta Ltd,Building works,R5,361.00',
    ],
    rows: [
      ['2016-01-05', 100, 'Paper', 'Acme Ltd'],
      ['2016-01-06', 200.5, 'Ink', 'Beta Ltd'],
      ['2016-01-07', 50.25, 'Desks', 'Gamma Ltd'],
      ['2016-01-08', 10.25, 'Lamps', 'Zeta Ltd'],
      ['2016-01-11', 361, 'Building works', 'Delta Ltd'],
    ],
  },
  {
    name: 'amounts with an apostrophe before them, or between two',
    lines: [
      'Payment date,Supplier,Amount',
      `2016-01-05,Acme Ltd,'100.00'`,
      `2016-01-06,Beta Ltd,"'1,200.50'"`,
      `2016-01-17,Gamma Ltd,'50.25`,
    ],
    rows: [
      ['2016-01-05', 100, 'Acme Ltd', 'Acme Ltd'],
      ['2016-01-06', 1200.5, 'Beta Ltd', 'Beta Ltd'],
      ['2016-01-17', 50.25, 'Gamma Ltd', 'Gamma Ltd'],
    ],
  },
  {
    name: 'what is left goes to another account: a payment, though all add up to it',
    lines: [
      'Date,Text,Amount',
      '2016-01-14,Dues,500.00',
      '2016-01-15,Rent,-100.00',
      '2016-01-16,Stamps,-5.50',
      '2016-01-31,To savings,-394.50',
    ],
    rows: [
      ['2016-01-14', -500, 'Dues'],
      ['2016-01-15', 100, 'Rent'],
      ['2016-01-16', 5.5, 'Stamps'],
      ['2016-01-31', 394.5, 'To savings'],
    ],
  },
  {
    name: 'a wallet’s orders are completed, but do not change its balance',
    lines: [
      'Date,Time,TimeZone,Name,Type,Status,Currency,Gross,Fee,Net,Transaction ID,Balance,' +
        'Balance Impact',
      '14/01/2016,10:00:00,GMT,Anna,Donation,Completed,GBP,20.00,-0.88,19.12,T1,119.12,Credit',
      '15/01/2016,10:00:00,GMT,Shop,Order,Completed,GBP,-30.00,0.00,-30.00,T2,119.12,Memo',
      '16/01/2016,10:00:00,GMT,Shop,Payment,Completed,GBP,-30.00,0.00,-30.00,T3,89.12,Debit',
      '17/01/2016,10:00:00,GMT,,Withdrawal,Completed,GBP,-50.00,0.00,-50.00,T4,39.12,Debit',
      '18/01/2016,10:00:00,GMT,Bob,Donation,Completed,GBP,10.00,-0.54,9.46,T5,48.58,Credit',
    ],
    rows: [
      ['2016-01-14', -19.12, 'Anna Donation', 'Anna'],
      ['2016-01-16', 30, 'Shop Payment', 'Shop'],
      ['2016-01-17', 50, 'Withdrawal'],
      ['2016-01-18', -9.46, 'Bob Donation', 'Bob'],
    ],
    ids: ['T1', 'T3', 'T4', 'T5'],
    notRows: [3],
  },
  {
    name: 'a wallet holds an amount until it is paid, the newest line first',
    lines: [
      'Date,Description,Type,Amount,Balance',
      '2016-01-18,Bob,Payment,10.00,50.00',
      '2016-01-17,Bank,Withdrawal,-50.00,40.00',
      '2016-01-16,Shop,Payment,-30.00,90.00',
      '2016-01-15,Shop,Hold,-30.00,120.00',
      '2016-01-14,Anna,Payment,20.00,120.00',
    ],
    rows: [
      ['2016-01-18', -10, 'Bob'],
      ['2016-01-17', 50, 'Bank'],
      ['2016-01-16', 30, 'Shop'],
      ['2016-01-14', -20, 'Anna'],
    ],
    notRows: [5],
  },
  {
    name: 'a wallet in China, with a payment that was never made: asks',
    lines: [
      '支付宝交易记录明细查询',
      '账号:[a@example.org]',
      '交易号 ,交易创建时间 ,交易对方 ,商品名称 ,金额（元）,收/支 ,交易状态 ,',
      '20160115001 ,2016-01-15 10:00:00 ,张三 ,会费 ,20.00 ,收入 ,交易成功 ,',
      '20160116001 ,2016-01-16 10:00:00 ,房东 ,租金 ,100.00 ,支出 ,交易成功 ,',
      '20160117001 ,2016-01-17 10:00:00 ,商店 ,纸 ,5.00 ,支出 ,交易关闭 ,',
      '共3笔记录',
    ],
    asks: [['notRow', '--not-row', '交易关闭']],
    rows: [
      ['2016-01-15', -20, '张三', '张三'],
      ['2016-01-16', 100, '房东', '房东'],
    ],
    notRows: [6, 7],
  },
];
