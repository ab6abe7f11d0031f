/** Exports with several columns of dates. */

import type { Dialect } from './dialect.ts';

export const TWO_DATES: readonly Dialect[] = [
  {
    name: 'a row without a day of booking: the value date may count instead',
    lines: [
      'Booking date;Value date;Purpose;Amount',
      '2016-03-02;2016-03-03;Paper;-12,50',
      ';2016-03-30;Rent;-640,00',
      '2016-03-05;2016-03-05;Stamps;-3,20',
      '2016-03-07;2016-03-07;Ink;-8,00',
      '2016-03-09;2016-03-09;Tea;-2,00',
    ],
    asks: [['rejected', '--map', 'date=Value date']],
    rows: [
      ['2016-03-03', 12.5, 'Paper'],
      ['2016-03-30', 640, 'Rent'],
      ['2016-03-05', 3.2, 'Stamps'],
      ['2016-03-07', 8, 'Ink'],
      ['2016-03-09', 2, 'Tea'],
    ],
  },
  {
    name: 'a booking date and a value date of the same month: the booking date counts',
    lines: [
      'Valutadatum;Buchungstag;Mandatsdatum;Verwendungszweck;Betrag',
      '04.03.2016;03.03.2016;13.09.2014;Ausgabe Papier;-12,50',
      '09.03.2016;09.03.2016;;Ausgabe Porto;-3,20',
      '31.03.2016;30.03.2016;02.02.2015;Ausgabe Miete;-640,00',
    ],
    rows: [
      ['2016-03-03', 12.5, 'Ausgabe Papier'],
      ['2016-03-09', 3.2, 'Ausgabe Porto'],
      ['2016-03-30', 640, 'Ausgabe Miete'],
    ],
  },
  {
    name: 'a booking date and a value date of different months: asked',
    lines: [
      'Booking Date,ValueDate,Details,Paid out',
      '2016-03-31,2016-04-01,Paper,12.50',
      '2016-03-09,2016-03-09,Stamps,3.20',
    ],
    asks: [
      ['date', '--map', 'date=ValueDate'],
      ['moneyOut', '--money-out', 'positive'],
    ],
    rows: [
      ['2016-04-01', 12.5, 'Paper'],
      ['2016-03-09', 3.2, 'Stamps'],
    ],
  },
  {
    name: 'one day of booking for all rows, and a value date of another month: asked',
    lines: [
      'Buchungstag;Valutadatum;Verwendungszweck;Ausgabe',
      '28.03.16;03.04.16;Miete;800,00',
      '28.03.16;28.03.16;Papier;12,50',
    ],
    asks: [['date', '--map', 'date=Buchungstag']],
    rows: [
      ['2016-03-28', 800, 'Miete'],
      ['2016-03-28', 12.5, 'Papier'],
    ],
  },
  {
    name: 'no header, and two columns with other days of one month: the first one',
    lines: ['02.03.2016;04.03.2016;Papier;12,50', '09.03.2016;10.03.2016;Porto;3,20'],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-03-02', 12.5, 'Papier'],
      ['2016-03-09', 3.2, 'Porto'],
    ],
  },
  {
    name: 'days on which something was due or paid out come after an unknown one',
    lines: [
      'available_on,due,when,Details,Paid out',
      '2016-03-05,2016-03-07,2016-03-04,Paper,12.50',
      '2016-03-08,2016-03-10,2016-03-09,Stamps,3.20',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-03-04', 12.5, 'Paper'],
      ['2016-03-09', 3.2, 'Stamps'],
    ],
  },
  {
    name: 'a day of booking that few rows lack, as payments that are not final do',
    lines: [
      'Started Date,Completed Date,Details,Paid out',
      '2016-03-02,2016-03-03,Paper,12.50',
      '2016-03-04,2016-03-05,Stamps,3.20',
      '2016-03-06,2016-03-07,Ink,8.00',
      '2016-03-08,2016-03-09,Tea,2.00',
      '2016-03-10,,Coffee,4.50',
    ],
    asks: [
      ['moneyOut', '--money-out', 'positive'],
      ['rejected', '--not-row', ''],
    ],
    rows: [
      ['2016-03-03', 12.5, 'Paper'],
      ['2016-03-05', 3.2, 'Stamps'],
      ['2016-03-07', 8, 'Ink'],
      ['2016-03-09', 2, 'Tea'],
    ],
    notRows: [6],
  },
  {
    name: 'no header, and two columns with the same days, one of them with times',
    lines: ['02.03.2016;02.03.2016 10:15;Papier;12,50', '09.03.2016;09.03.2016 08:00;Porto;3,20'],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-03-02', 12.5, 'Papier'],
      ['2016-03-09', 3.2, 'Porto'],
    ],
  },
  {
    name: 'the day of the export in every row, and the dates of two columns that differ',
    lines: [
      'Created,Due,Details,Paid out',
      '2016-04-30,2016-03-08,Paper,12.50',
      '2016-04-30,2016-03-09,Stamps,3.20',
    ],
    asks: [['moneyOut', '--money-out', 'positive']],
    rows: [
      ['2016-03-08', 12.5, 'Paper'],
      ['2016-03-09', 3.2, 'Stamps'],
    ],
  },
  {
    name: 'times with one digit before ten, as spreadsheets write them',
    lines: [
      'Date,Details,Money out',
      '13/03/2016 10:05,Paper,12.50',
      '14/03/2016 9:05,Stamps,3.20',
      '15/03/2016 11:15,Ink,8.00',
    ],
    rows: [
      ['2016-03-13', 12.5, 'Paper'],
      ['2016-03-14', 3.2, 'Stamps'],
      ['2016-03-15', 8, 'Ink'],
    ],
  },
  {
    name: 'dots and full years of many years: the day comes first, even if no day shows it',
    lines: ['Buchungstag;Text;Ausgabe', '02.01.2014;Beitrag;12,50', '02.01.2017;Beitrag;3,20'],
    rows: [
      ['2014-01-02', 12.5, 'Beitrag'],
      ['2017-01-02', 3.2, 'Beitrag'],
    ],
  },
  {
    name: 'years of two digits at the start, or a yearly payment: asked',
    lines: ['Dátum;Leírás;Kiadás', '16.01.05;Papír;12,50', '16.01.09;Bélyeg;3,20'],
    asks: [['dateFormat', '--date-format', 'YY.MM.DD']],
    rows: [
      ['2016-01-05', 12.5, 'Papír'],
      ['2016-01-09', 3.2, 'Bélyeg'],
    ],
  },
  {
    name: 'a card: the day of the bill is in another month, but it is not that of a payment',
    lines: [
      'Belegdatum;Buchungsdatum;Buchungsbetrag;Transaktionsbeschreibung;Abrechnungskennzeichen',
      '28.05.16;29.05.16;-44,95;PAPIER;05.06.16',
      '27.04.16;28.04.16;-40,00;PORTO;05.05.16',
    ],
    rows: [
      ['2016-05-29', 44.95, 'PAPIER'],
      ['2016-04-28', 40, 'PORTO'],
    ],
  },
  {
    name: 'the day of a pay run, the same on every row, beside the days of invoices: asks',
    lines: [
      'Rechnungsdatum;Zahlungsdatum;Lieferant;Betrag',
      '28.01.2016;14.02.2016;Papier GmbH;10,00',
      '30.01.2016;14.02.2016;Strom AG;20,00',
    ],
    asks: [['date', '--map', 'date=Zahlungsdatum']],
    rows: [
      ['2016-02-14', 10, 'Papier GmbH', 'Papier GmbH'],
      ['2016-02-14', 20, 'Strom AG', 'Strom AG'],
    ],
  },
];
