/** Exports that look like something else, which are asked about or read whole. */

import type { Dialect } from './dialect.ts';

export const DOUBTS: readonly Dialect[] = [
  {
    name: 'a shop named Total, a transfer named Übertrag: nothing is dropped unseen',
    lines: [
      'IBAN,Date,Merchant,Category,Amount',
      'GB1,2016-01-28,ESSO,Fuel,-10.00',
      'GB1,2016-01-29,TOTAL,,-52.00',
      'GB1,2016-01-30,Übertrag,,-500.00',
      'GB1,2016-01-31,BP,Fuel,-30.00',
    ],
    asks: [['notRow', '--row', 'TOTAL', '--row', 'Übertrag']],
    rows: [
      ['2016-01-28', 10, 'ESSO', 'ESSO'],
      ['2016-01-29', 52, 'TOTAL', 'TOTAL'],
      ['2016-01-30', 500, 'Übertrag', 'Übertrag'],
      ['2016-01-31', 30, 'BP', 'BP'],
    ],
  },
  {
    name: 'a debt that one purchase raises: asks',
    lines: [
      'Date,Details,Amount,Balance',
      '2016-01-28,AMAZON,25.00,125.00',
      '2016-01-31,THANK YOU,-125.00,0.00',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-28', 25, 'AMAZON'],
      ['2016-01-31', -125, 'THANK YOU'],
    ],
  },
  {
    name: 'a yes and a no beside a constant description: not joined',
    lines: [
      'IBAN,Date,Description,Cleared,Amount',
      'GB1,2016-01-28,Membership fee,No,-10.00',
      'GB1,2016-01-29,Membership fee,Yes,-11.00',
      'GB1,2016-01-31,Membership fee,No,-12.00',
    ],
    rows: [
      ['2016-01-28', 10, 'Membership fee'],
      ['2016-01-29', 11, 'Membership fee'],
      ['2016-01-31', 12, 'Membership fee'],
    ],
  },
  {
    name: 'texts too long for account codes in a column named as them: not account codes',
    lines: [
      'Date,Supplier,Expenditure Code,Amount',
      '2016-01-28,Papers Ltd,R1000,10.00',
      `2016-01-31,Power Ltd,${'Premises and other running costs '.repeat(3)},20.00`,
    ],
    rows: [
      ['2016-01-28', 10, 'Papers Ltd', 'Papers Ltd'],
      ['2016-01-31', 20, 'Power Ltd', 'Power Ltd'],
    ],
  },
];
