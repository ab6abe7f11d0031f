/** Wallets and exchanges: coins beside currencies, lines not booked yet, moves within a wallet. */

import type { Dialect } from './dialect.ts';

const LEDGER = 'txid,refid,time,type,subtype,aclass,asset,amount,fee,balance';

export const WALLETS: readonly Dialect[] = [
  {
    name: 'an exchange: lines without an id and a balance come again once they are booked',
    lines: [
      LEDGER,
      ',Q1EUR-22JKV,2016-01-04 09:10:11,deposit,,currency,EUR,500.00,0.00,',
      'L1AA-22JKVC,Q1EUR-22JKV,2016-01-04 09:20:12,deposit,,currency,EUR,500.00,0.00,500.00',
      'L2AA-22JKVC,Q2WDR-22JKV,2016-01-13 10:11:12,spend,,currency,EUR,-200.00,0.00,300.00',
      ',Q3WDR-22JKV,2016-01-20 08:00:00,withdrawal,,currency,EUR,-100.00,0.00,',
      'L3AA-22JKVC,Q3WDR-22JKV,2016-01-20 08:05:00,withdrawal,,currency,EUR,-100.00,0.00,200.00',
    ],
    asks: [['notRow', '--not-row', '']],
    rows: [
      ['2016-01-04', -500, 'deposit'],
      ['2016-01-13', 200, 'spend'],
      ['2016-01-20', 100, 'withdrawal'],
    ],
    ids: ['L1AA-22JKVC', 'L2AA-22JKVC', 'L3AA-22JKVC'],
    notRows: [2, 5],
  },
  {
    name: 'an exchange: a coin is not the organisation’s currency',
    lines: [
      LEDGER,
      'L1AA-22JKVC,Q1EUR-22JKV,2016-01-04 09:20:12,deposit,,currency,ZEUR,500.0000,0.0000,500.0000',
      'L2AA-22JKVC,T1BUY-22JKV,2016-01-13 10:11:12,trade,,currency,ZEUR,-200.0000,0.5200,299.4800',
      'L3AA-22JKVC,T1BUY-22JKV,2016-01-13 10:11:12,trade,,currency,XXBT,0.510000,0.0,0.510000',
      'L4AA-22JKVC,Q3WDR-22JKV,2016-01-20 08:05:00,withdrawal,,currency,ZEUR,-100.0,0.09,199.39',
    ],
    asks: [
      ['amount', '--map', 'amount=amount'],
      ['currency', '--currency', 'ZEUR'],
    ],
    rows: [
      ['2016-01-04', -500, 'deposit'],
      ['2016-01-13', 200, 'trade'],
      ['2016-01-20', 100, 'withdrawal'],
    ],
    ids: ['L1AA-22JKVC', 'L2AA-22JKVC', 'L4AA-22JKVC'],
    rejected: [4],
  },
  {
    name: 'a wallet with one coin: asks whether it is the organisation’s currency',
    lines: [
      'Date,Description,Amount,Coin',
      '2016-01-29,Gift,-0.50,BTC',
      '2016-01-30,Hosting,-0.25,BTC',
    ],
    asks: [['currency', '--currency', 'BTC']],
    rows: [
      ['2016-01-29', 0.5, 'Gift'],
      ['2016-01-30', 0.25, 'Hosting'],
    ],
  },
  {
    name: 'a wallet whose columns are named with a minus and a plus',
    lines: [
      'ID,Time (CET),Details,[-] EUR,[+] EUR,Status,Balance,Amount Sent,Currency sent',
      '1001,31 Jan 2016 10:11,to a shop,50.00,,processed,150.00,55.10,USD',
      '1002,30 Jan 2016 09:11,from A. Donor,,120.00,processed,200.00,120.00,EUR',
      '1003,29 Jan 2016 09:11,from a card,,80.00,processed,80.00,80.00,EUR',
    ],
    rows: [
      ['2016-01-31', 50, 'to a shop'],
      ['2016-01-30', -120, 'from A. Donor'],
      ['2016-01-29', -80, 'from a card'],
    ],
    ids: ['1001', '1002', '1003'],
  },
  {
    name: 'a Chinese wallet: a move within it has a slash for its direction',
    lines: [
      '交易时间,交易类型,交易对方,商品,收/支,金额(元),支付方式,当前状态,交易单号',
      '2016-01-31 10:11:12,商户消费,某店,纸,支出,¥25.00,零钱,支付成功,1001',
      '2016-01-30 10:11:12,转账,某人,/,收入,¥80.00,零钱,已存入零钱,1002',
      '2016-01-29 10:11:12,零钱提现,某银行,/,/,¥60.00,某银行,提现已到账,1003',
      '2016-01-28 10:11:12,转账,某人,/,收入,?,零钱,已存入零钱,1004',
    ],
    asks: [['notRow', '--not-row', '/']],
    rows: [
      ['2016-01-31', 25, '某店', '某店'],
      ['2016-01-30', -80, '某人', '某人'],
    ],
    ids: ['1001', '1002'],
    notRows: [4],
    rejected: [5],
  },
  {
    name: 'a Chinese wallet: savings are not counted, and were money out',
    lines: [
      '交易时间,交易分类,交易对方,商品说明,收/支,金额,收/付款方式,交易状态,交易订单号',
      '2016-01-31 10:11:12,日用百货,某店,纸,支出,25.00,余额,交易成功,1001',
      '2016-01-30 10:11:12,转账红包,某人,收款,收入,80.00,余额,交易成功,1002',
      '2016-01-29 10:11:12,投资理财,某基金,转入,不计收支,60.00,余额,交易成功,1003',
    ],
    asks: [['notRow', '--money-out', '支出,不计收支']],
    rows: [
      ['2016-01-31', 25, '纸', '某店'],
      ['2016-01-30', -80, '收款', '某人'],
      ['2016-01-29', 60, '转入', '某基金'],
    ],
    ids: ['1001', '1002', '1003'],
  },
  {
    name: 'transfers in, out and between the own balances, which were money in',
    lines: [
      'ID,Status,Direction,Created on,Source name,Source amount,Source currency,Reference',
      'TRANSFER-1,COMPLETED,OUT,2016-01-13 10:11:12,Charity,50.00,EUR,Rent',
      'TRANSFER-2,COMPLETED,IN,2016-01-14 10:11:12,A. Donor,80.00,EUR,Gift',
      'BALANCE-3,COMPLETED,NEUTRAL,2016-01-15 10:11:12,Charity,30.00,EUR,Savings',
      'BALANCE-4,COMPLETED,NEUTRAL,2016-01-16 10:11:12,Charity,20.00,EUR,Savings',
    ],
    asks: [['notRow', '--row', 'NEUTRAL', '--row', 'BALANCE-3', '--row', 'BALANCE-4']],
    rows: [
      ['2016-01-13', 50, 'Rent'],
      ['2016-01-14', -80, 'Gift'],
      ['2016-01-15', -30, 'Savings'],
      ['2016-01-16', -20, 'Savings'],
    ],
    ids: ['TRANSFER-1', 'TRANSFER-2', 'BALANCE-3', 'BALANCE-4'],
  },
];
