/** Which columns describe payments, by their names and contents, and where some are blank. */

import type { Dialect } from './dialect.ts';

export const TEXTS: readonly Dialect[] = [
  {
    name: 'an app bank: the payee is joined where the reference is blank',
    lines: [
      'Date,Payee,Account number,Transaction type,Payment reference,Paid out,Paid in',
      '2016-01-28,Corner Café,,Card Payment,,4.50,',
      '2016-01-29,Landlord,DE12500105170648489890,Transfer,Rent January,400.00,',
      '2016-01-30,Book Shop,,Card Payment,,12.00,',
    ],
    rows: [
      ['2016-01-28', 4.5, 'Corner Café', 'Corner Café'],
      ['2016-01-29', 400, 'Rent January Landlord', 'Landlord'],
      ['2016-01-30', 12, 'Book Shop', 'Book Shop'],
    ],
  },
  {
    name: 'a payment platform: the type describes what has neither an item nor a name',
    lines: [
      'Datum;Zeitzone;Name;Typ;Belastung;Gutschrift;Absender E-Mail-Adresse;Artikelbezeichnung;' +
        'Shop-Logo',
      '28.01.2016;CET;Anna Beispiel;Zahlung;;20,00;a@b.example;Konzertkarte;https://e.example/a',
      '29.01.2016;CET;;Abbuchung;15,00;;c@b.example;;https://e.example/b',
      '30.01.2016;CET;Ben Muster;Zahlung;;12,50;d@b.example;;https://e.example/c',
    ],
    rows: [
      ['2016-01-28', -20, 'Konzertkarte Anna Beispiel Zahlung', 'Anna Beispiel'],
      ['2016-01-29', 15, 'Abbuchung'],
      ['2016-01-30', -12.5, 'Ben Muster Zahlung', 'Ben Muster'],
    ],
  },
  {
    name: 'a purpose in numbered columns, some of them empty',
    lines: [
      'Buchungstag;Empfänger;Buchungstext;VWZ1;VWZ2;VWZ3;Belastung;Gutschrift;Währung',
      '28.01.2016;Stadtwerke;Basislastschrift;Strom;Januar 2016;;45,90;;EUR',
      '29.01.2016;Verein;Gutschrift;Beitrag;;;;50,00;EUR',
    ],
    rows: [
      ['2016-01-28', 45.9, 'Strom Januar 2016', 'Stadtwerke'],
      ['2016-01-29', -50, 'Beitrag', 'Verein'],
    ],
  },
  {
    name: 'compound names of columns, and what the bank adds in a second one',
    lines: [
      'Buchungsdatum;Belastung;Gutschrift;Kartennummer;Transaktionsbeschreibung;' +
        'Transaktionsbeschreibung Zusatz',
      '28.01.2016;4,50;;1234 XXXX;KAFFEEHAUS KOELN;',
      '29.01.2016;60,00;;1234 XXXX;HOTEL BONN;2 NAECHTE',
    ],
    rows: [
      ['2016-01-28', 4.5, 'KAFFEEHAUS KOELN'],
      ['2016-01-29', 60, 'HOTEL BONN 2 NAECHTE'],
    ],
  },
  {
    name: 'no header: the column of words, not the account number or the kinds of payments',
    lines: [
      "28.01.2016;Card;Bakery Main Street Oxford;-3,20;;'GB33BUKB20201555555555'",
      "29.01.2016;Transfer;Rent for the hall;-200,00;;'GB33BUKB20201555555555'",
      "30.01.2016;Card;Paper and printing;-18,75;;'GB33BUKB20201555555555'",
    ],
    rows: [
      ['2016-01-28', 3.2, 'Bakery Main Street Oxford'],
      ['2016-01-29', 200, 'Rent for the hall'],
      ['2016-01-30', 18.75, 'Paper and printing'],
    ],
  },
  {
    name: 'a card: merchants beside their logo, address, country and time',
    lines: [
      'Time,Merchant Logo,Merchant Name,Country,Date,Paid out,Paid in',
      '06:50 PM,https://logo.example/1,Corner Shop,GB,28/01/2016,4.50,',
      '05:08 PM,https://logo.example/2,Bus Company,GB,29/01/2016,2.00,',
    ],
    rows: [
      ['2016-01-28', 4.5, 'Corner Shop'],
      ['2016-01-29', 2, 'Bus Company'],
    ],
  },
  {
    name: 'a word instead of a date: payments that are not final',
    lines: [
      'Date,Description,Paid out,Paid in',
      'Pending,CORNER SHOP,4.50,',
      'Pending,BUS,2.00,',
      '29/01/2016,RENT,400.00,',
      '28/01/2016,GRANT,,900.00',
    ],
    asks: [['rejected', '--not-row', 'Pending']],
    rows: [
      ['2016-01-29', 400, 'RENT'],
      ['2016-01-28', -900, 'GRANT'],
    ],
    notRows: [2, 3],
  },
];
