/** Platforms for donations and fees, tills and cards: payouts, fees and uncollected payments. */

import type { Dialect } from './dialect.ts';

export const PLATFORMS: readonly Dialect[] = [
  {
    name: 'a direct debit provider: asks about each status that does not mean paid',
    lines: [
      'id,charge_date,amount,description,currency,status',
      'PM1,2016-01-18,10.00,Dues,GBP,paid_out',
      'PM2,2016-01-18,11.00,Dues,GBP,charged_back',
      'PM3,2016-01-19,12.00,Dues,GBP,pending_submission',
    ],
    asks: [
      ['moneyOut', '--money-out', 'negative'],
      ['notRow', '--not-row', 'charged_back', '--not-row', 'pending_submission'],
    ],
    rows: [['2016-01-18', -10, 'Dues']],
    ids: ['PM1'],
    notRows: [3, 4],
  },
  {
    name: 'a direct debit provider: paid out is a status, not the direction',
    lines: [
      'id,charge_date,amount,description,currency,status',
      'PM1,2016-01-18,10.00,Dues,GBP,paid_out',
      'PM2,2016-01-18,11.00,Dues,GBP,paid_out',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-18', -10, 'Dues'],
      ['2016-01-18', -11, 'Dues'],
    ],
    ids: ['PM1', 'PM2'],
  },
  {
    name: 'what a platform paid out to the owner of a shop: the name shows no direction',
    lines: ['Date,Details,Total paid out', '29/01/2016,Week 4,12.50', '22/01/2016,Week 3,80.00'],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-29', -12.5, 'Week 4'],
      ['2016-01-22', -80, 'Week 3'],
    ],
  },
  {
    name: 'donations, a fee with an unusual name, and payouts to the charity',
    lines: [
      'Date,Donor,Message,Donation,Platform fee,Paid out',
      '31/01/2016,A. Donor,Good luck,12.00,1.00,11.00',
      '30/01/2016,B. Donor,Run well,50.00,2.00,48.00',
    ],
    asks: [
      ['amount', '--map', 'amount=Paid out'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    rows: [
      ['2016-01-31', -11, 'Good luck'],
      ['2016-01-30', -48, 'Run well'],
    ],
  },
  {
    name: 'refunded donations are positive like the others',
    lines: [
      'Donated At,Name,Comment,Amount,Status',
      '31/01/2016 13:00:00,A. Donor,For boats,100.00,paid',
      '28/01/2016 12:00:00,B. Donor,For drums,20.00,refunded',
    ],
    asks: [
      ['moneyOut', '--money-out', 'negative'],
      ['notRow', '--not-row', 'refunded'],
    ],
    rows: [['2016-01-31', -100, 'For boats', 'A. Donor']],
    notRows: [3],
  },
  {
    name: 'a till: times are not dates, and there are several totals',
    lines: [
      'Date,Time,Gross Sales,Tax,Total Collected,Fees,Net Total,Transaction ID,Description',
      '1/31/16,10:11:12,$10.00,$0.80,$10.80,($0.30),$10.50,t1,Cake',
      '1/29/16,10:12:12,($5.00),($0.40),($5.40),$0.00,($5.40),t2,Refund',
    ],
    asks: [
      ['amount', '--map', 'amount=Net Total'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    rows: [
      ['2016-01-31', -10.5, 'Cake'],
      ['2016-01-29', 5.4, 'Refund'],
    ],
    ids: ['t1', 't2'],
  },
  {
    name: 'a shop: refunds are next to payments',
    lines: [
      'Date,Description,Paid in,Paid out,Refunded',
      '31/01/2016,Cake,50.00,,0.00',
      '30/01/2016,Tea,5.00,,5.00',
    ],
    asks: [['amount', '--map', 'out=Paid out', '--map', 'in=Paid in']],
    rows: [
      ['2016-01-31', -50, 'Cake'],
      ['2016-01-30', -5, 'Tea'],
    ],
  },
  {
    name: 'a unit price next to a quantity is not the amount paid',
    lines: ['Date,Description,Price,Quantity', '31/01/2016,Cake,1.50,3', '30/01/2016,Tea,1.00,1'],
    asks: [
      ['amount', '--map', 'amount=Price'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    rows: [
      ['2016-01-31', -1.5, 'Cake'],
      ['2016-01-30', -1, 'Tea'],
    ],
  },
  {
    name: 'two columns for money out and in, and a fee',
    lines: [
      'Date,Description,Money out,Money in,Fee',
      '31/01/2016,Rent,50.00,,1.50',
      '30/01/2016,Dues,,20.00,0.00',
    ],
    asks: [['amount', '--map', 'out=Money out', '--map', 'in=Money in']],
    rows: [
      ['2016-01-31', 50, 'Rent'],
      ['2016-01-30', -20, 'Dues'],
    ],
  },
  {
    name: 'a card abroad: the local amount and the billed amount',
    lines: [
      'Date,Description,Transaction amount,Billing amount',
      '31/01/2016,Hotel,120.00 EUR,100.00',
      '29/01/2016,Refund,-20.00 GBP,-20.00',
    ],
    asks: [
      ['amount', '--map', 'amount=Billing amount'],
      ['moneyOut', '--money-out', 'positive'],
    ],
    rows: [
      ['2016-01-31', 100, 'Hotel'],
      ['2016-01-29', -20, 'Refund'],
    ],
  },
  {
    name: 'ids that a spreadsheet has rounded are not ids',
    lines: [
      'Date,Transaction ID,Description,Paid out,Paid in',
      '31/01/2016,1.23457E+12,Rent,50.00,',
      '30/01/2016,1.23458E+12,Dues,,20.00',
    ],
    rows: [
      ['2016-01-31', 50, 'Rent'],
      ['2016-01-30', -20, 'Dues'],
    ],
  },
  {
    name: 'a credit card: positive purchases, negative payments, a balance that proves neither',
    lines: [
      'Date,Description,Amount,Balance owed',
      '13/01/2016,Paper,50.00,150.00',
      '14/01/2016,Payment,-70.00,80.00',
      '15/01/2016,Tea,3.00,83.00',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-01-13', 50, 'Paper'],
      ['2016-01-14', -70, 'Payment'],
      ['2016-01-15', 3, 'Tea'],
    ],
  },
];
