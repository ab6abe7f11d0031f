/** Which columns describe payments, by their names and contents, and where some are blank. */

import type { Dialect } from './dialect.ts';

export const TEXTS: readonly Dialect[] = [
  {
    name: 'a council: Balance Sheet as a category, and dashes beside other texts',
    lines: [
      'Date,Directorate,Supplier Name,Category,Description,Amount',
      '28/01/2016,Place,Acme Ltd,Balance Sheet,-,600.00',
      '29/01/2016,People,Beta Ltd,Schools,Books,700.00',
      '30/01/2016,People,Gamma Ltd,Balance Sheet,Ink,90.00',
    ],
    rows: [
      ['2016-01-28', 600, 'Acme Ltd', 'Acme Ltd'],
      ['2016-01-29', 700, 'Books Beta Ltd', 'Beta Ltd'],
      ['2016-01-30', 90, 'Ink Gamma Ltd', 'Gamma Ltd'],
    ],
  },
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
      ['2016-01-28', 4.5, 'Corner Shop', 'Corner Shop'],
      ['2016-01-29', 2, 'Bus Company', 'Bus Company'],
    ],
  },
  {
    name: 'the word pending instead of a date: a payment that is not final',
    lines: [
      'Date,Description,Paid out,Paid in',
      'Pending,CORNER SHOP,4.50,',
      'Pending,BUS,2.00,',
      '29/01/2016,RENT,400.00,',
      '28/01/2016,GRANT,,900.00',
    ],
    rows: [
      ['2016-01-29', 400, 'RENT'],
      ['2016-01-28', -900, 'GRANT'],
    ],
    notRows: [2, 3],
  },
  {
    name: 'another word instead of a date: asked',
    lines: [
      'Date,Description,Paid out,Paid in',
      'Soon,CORNER SHOP,4.50,',
      'Soon,BUS,2.00,',
      '29/01/2016,RENT,400.00,',
      '28/01/2016,GRANT,,900.00',
    ],
    asks: [['rejected', '--not-row', 'Soon']],
    rows: [
      ['2016-01-29', 400, 'RENT'],
      ['2016-01-28', -900, 'GRANT'],
    ],
    notRows: [2, 3],
  },
  {
    name: 'rows with only a number, and balances that lack what payments have',
    lines: [
      'Zeile;Buchungstag;Empfänger;Verwendungszweck;Kundenreferenz;Umsatz;S/H',
      '1;03.04.2016;Verein;Beitrag;;30,00;S',
      '2;02.04.2016;Firma;Lohn;;900,00;H',
      '3;;;;;;',
      '4;;;;;;',
      ';28.03.2016;;;Anfangssaldo;100,00;H',
      ';03.04.2016;;;Endsaldo;1000,00;H',
    ],
    rows: [
      ['2016-04-03', 30, 'Beitrag', 'Verein'],
      ['2016-04-02', -900, 'Lohn', 'Firma'],
    ],
    notRows: [4, 5, 6, 7],
  },
  {
    name: 'a description that is the same on every row: joined with the texts that differ',
    lines: [
      'Bokföringsdag,Referens,Beskrivning,Belopp,Bokfört saldo',
      '2016-10-14,"BOKHANDEL NORD","Kortköp/uttag",-120.00,880.00',
      '2016-10-11,"APOTEK","Kortköp/uttag",-61.95,1000.00',
      '2016-10-10,"KIOSK","Kortköp/uttag",-10.00,1061.95',
    ],
    rows: [
      ['2016-10-14', 120, 'Kortköp/uttag BOKHANDEL NORD'],
      ['2016-10-11', 61.95, 'Kortköp/uttag APOTEK'],
      ['2016-10-10', 10, 'Kortköp/uttag KIOSK'],
    ],
  },
  {
    name: 'two descriptions for more than 50 rows each: joined with what tells them apart',
    lines: [
      'Date,Directorate,Area,Group Description,Supplier Name,Amount',
      ...Array.from({ length: 120 }, (_, at) => {
        const group = at === 0 ? 'Capital' : 'Revenue';
        return `2016-01-09,People,Area ${at % 4},${group},Supplier ${at % 9},${at + 10}.00`;
      }),
    ],
    rows: Array.from({ length: 120 }, (_, at) => {
      const group = at === 0 ? 'Capital' : 'Revenue';
      return ['2016-01-09', at + 10, `${group} Area ${at % 4}`, `Supplier ${at % 9}`];
    }),
  },
  {
    name: 'no description: the supplier, and the category whose name says nothing',
    lines: [
      'Supplier Name,Category Family,Invoice GL Date,Spend',
      '1st Rail Ltd,Civils,2016-05-17,26253.02',
      '2nd Red Ltd,Land,2016-05-19,48994.00',
      'Alpha,Civils,2016-05-20,1200.00',
    ],
    rows: [
      ['2016-05-17', 26253.02, '1st Rail Ltd Civils', '1st Rail Ltd'],
      ['2016-05-19', 48994, '2nd Red Ltd Land', '2nd Red Ltd'],
      ['2016-05-20', 1200, 'Alpha Civils', 'Alpha'],
    ],
  },
  {
    name: 'no header: the words, and never a foreign amount with its currency',
    lines: [
      'Visa, 451401, 2016-02-20, , CAFE ORIENT, 8.10 SGD @ .976500, -7.91, D',
      'Visa, 451401, 2016-02-21, , BOOK SHOP, 6.00 SGD @ .976600, -5.86, D',
    ],
    rows: [
      ['2016-02-20', 7.91, 'CAFE ORIENT'],
      ['2016-02-21', 5.86, 'BOOK SHOP'],
    ],
  },
  {
    name: 'the owner of the account, and a column for the other side that is blank this month',
    lines: [
      'Rekeningnummer;Naam;Datum;Omschrijving;Bedrag;Saldo;Naam tegenpartij',
      'BE11;JAN PEETERS;28/02/2016;KOSTEN FEBRUARI;-3,40;100,00;',
    ],
    rows: [['2016-02-28', 3.4, 'KOSTEN FEBRUARI']],
  },
  {
    name: 'a supplier with a bracket in its name, as in the template for councils',
    lines: [
      'Payment Date,Amount,Supplier (Beneficiary) Name,Expenditure Category',
      '2016-05-30,520.22,JR FOODS,Catering',
      '2016-05-31,702.44,HILL LTD,Works',
    ],
    rows: [
      ['2016-05-30', 520.22, 'Catering', 'JR FOODS'],
      ['2016-05-31', 702.44, 'Works', 'HILL LTD'],
    ],
  },
  {
    name: 'a kind of payment named as the description, and account numbers as the other side',
    lines: [
      'Data contabile;Causale;Tegenpartij;Descrizione operazione;Importo',
      ...Array.from({ length: 9 }, (_, at) => {
        const told = `${at % 2 === 0 ? 'ADDEBITO DIRETTO' : 'BONIFICO'};NL91ABNA041716430${at}`;
        return `2${at}/03/2016;${told};Fattura ${'ABCDEFGHI'[at]}x;-${at + 1},50`;
      }),
    ],
    rows: Array.from({ length: 9 }, (_, at) => {
      return [`2016-03-2${at}`, at + 1.5, `Fattura ${'ABCDEFGHI'[at]}x`] as const;
    }),
  },
  {
    name: 'the owner, and the other side named in several words; lines of text have no name',
    lines: [
      'Buchungstag;Name;Betrag;Begünstigter/Absender - Name;Verwendungszweckzeile 1;;;Saldo',
      '28.01.2016;Verein;-4,50;Aqua AG;Rechnung 4711;Zähler 3;;95,50',
      '29.01.2016;Verein;-5,50;Papier KG;Papier;;weiß;90,00',
    ],
    rows: [
      ['2016-01-28', 4.5, 'Rechnung 4711 Zähler 3', 'Aqua AG'],
      ['2016-01-29', 5.5, 'Papier weiß', 'Papier KG'],
    ],
  },
  {
    name: 'a description in two columns that mostly say the same',
    lines: [
      'Fecha;Fecha valor;Descripción;Concepto;Importe',
      '28/01/2016;28/01/2016;Alquiler;Alquiler;-4,50',
      '29/01/2016;29/01/2016;Cuota;Socio;5,50',
    ],
    rows: [
      ['2016-01-28', 4.5, 'Alquiler'],
      ['2016-01-29', -5.5, 'Cuota Socio'],
    ],
  },
  {
    name: 'a parish: what was paid to payees, described by the account',
    lines: [
      'Payment Date,Payee Name,Service Area,Account Description,Amount Paid',
      '2016-05-30,JR FOODS,Adults,Catering,520.22',
      '2016-05-31,HILL LTD,Adults,Works,702.44',
    ],
    rows: [
      ['2016-05-30', 520.22, 'Catering', 'JR FOODS'],
      ['2016-05-31', 702.44, 'Works', 'HILL LTD'],
    ],
  },
];
