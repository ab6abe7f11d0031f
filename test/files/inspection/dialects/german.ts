/** Exports of German banks. */

import type { Dialect } from './dialect.ts';

const SPARKASSE =
  '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Glaeubiger ID";' +
  '"Mandatsreferenz";"Kundenreferenz (End-to-End)";"Sammlerreferenz";' +
  '"Lastschrift Ursprungsbetrag";"Auslagenersatz Ruecklastschrift";' +
  '"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"BIC (SWIFT-Code)";"Betrag";' +
  '"Waehrung";"Info"';

export const GERMAN: readonly Dialect[] = [
  {
    name: 'Sparkasse, CSV-CAMT: Windows-1252, two dates, the bank’s words next to signs',
    encoding: 'windows-1252',
    lines: [
      SPARKASSE,
      '"DE1";"29.01.16";"29.01.16";"FOLGELASTSCHRIFT";"Strom Januar";"";"";"E1";"";"";"";' +
        '"Stadtwerke Köln";"DE2";"COLS";"-1.234,56";"EUR";"Umsatz gebucht"',
      '"DE1";"28.01.16";"28.01.16";"GUTSCHR. UEBERWEISUNG";"Spende ""Für Kinder""";"";"";"";"";' +
        '"";' +
        '"";"Müller GmbH";"DE3";"COLS";"500,00";"EUR";"Umsatz gebucht"',
      '"DE1";"05.01.16";"04.01.16";"FOLGELASTSCHRIFT";"Gas; Abschlag";"";"";"";"";"";"";' +
        '"Stadtwerke Köln";"DE2";"COLS";"-80,00";"EUR";"Umsatz gebucht"',
    ],
    rows: [
      ['2016-01-29', 1234.56, 'Strom Januar', 'Stadtwerke Köln'],
      ['2016-01-28', -500, 'Spende "Für Kinder"', 'Müller GmbH'],
      ['2016-01-05', 80, 'Gas; Abschlag', 'Stadtwerke Köln'],
    ],
  },
  {
    name: 'DKB, old: a preamble of different widths, delimiters at the end of lines',
    encoding: 'windows-1252',
    lines: [
      '"Kontonummer:";"DE12345 / Girokonto";',
      '',
      '"Von:";"01.01.2016";',
      '"Bis:";"31.01.2016";',
      '"Kontostand vom 31.01.2016:";"1.100,00 EUR";',
      '',
      '"Buchungstag";"Wertstellung";"Buchungstext";"Auftraggeber / Begünstigter";' +
        '"Verwendungszweck";"Kontonummer";"BLZ";"Betrag (EUR)";"Gläubiger-ID";"Mandatsreferenz";' +
        '"Kundenreferenz";',
      '"29.01.2016";"29.01.2016";"Lastschrift";"Telekom";"Rechnung 4711";"DE9";"COLS";"-39,95";' +
        '"";"";"";',
      '"15.01.2016";"15.01.2016";"Gutschrift";"Förderverein";"Zuschuss";"DE8";"COLS";"1.500,00";' +
        '"";"";"";',
    ],
    rows: [
      ['2016-01-29', 39.95, 'Rechnung 4711', 'Telekom'],
      ['2016-01-15', -1500, 'Zuschuss', 'Förderverein'],
    ],
  },
  {
    name: 'DKB, new: UTF-8 with a mark, the euro in the cells, a type next to signs',
    hasMark: true,
    lines: [
      '"Girokonto";"DE12"',
      '""',
      '"Kontostand vom 31.01.2016:";"123,45 €"',
      '""',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";' +
        '"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)";"Gläubiger-ID"',
      '"29.01.16";"29.01.16";"Gebucht";"Wir e.V.";"Druckerei";"Plakate";"Ausgang";"DE5";"-12,' +
        '50 €";""',
      '"07.01.16";"07.01.16";"Gebucht";"Stadt Köln";"Wir e.V.";"Zuschuss";"Eingang";"DE6";' +
        '"2.000,00 €";""',
    ],
    rows: [
      ['2016-01-29', 12.5, 'Plakate', 'Wir e.V. Druckerei'],
      ['2016-01-07', -2000, 'Zuschuss', 'Stadt Köln Wir e.V.'],
    ],
  },
  {
    name: 'ING-DiBa: a preamble, two columns Währung, a balance that is not the amount',
    encoding: 'windows-1252',
    lines: [
      'Umsatzanzeige;Datei erstellt am: 31.01.2016 23:59',
      '',
      'IBAN;DE12 3456',
      'Kontoname;Girokonto',
      'Bank;ING',
      'Zeitraum;01.01.2016 - 31.01.2016',
      'Saldo;1.000,00;EUR',
      '',
      'Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Saldo;Währung;Betrag;' +
        'Währung',
      '29.01.2016;29.01.2016;Vermieter;Dauerauftrag;Miete;1.000,00;EUR;-750,00;EUR',
      '28.01.2016;28.01.2016;Mitglied;Gutschrift;Beitrag;1.750,00;EUR;50,00;EUR',
      '27.01.2016;27.01.2016;Büro & Co;Lastschrift;Papier;1.700,00;EUR;-30,25;EUR',
    ],
    rows: [
      ['2016-01-29', 750, 'Miete', 'Vermieter'],
      ['2016-01-28', -50, 'Beitrag', 'Mitglied'],
      ['2016-01-27', 30.25, 'Papier', 'Büro & Co'],
    ],
  },
  {
    name: 'Volksbank, old: S and H in an unnamed column; balances that add up are not rows',
    encoding: 'windows-1252',
    lines: [
      '"Volksbank Musterstadt"',
      '',
      '"Umsatzanzeige"',
      '',
      '"BLZ:";"12345678";;"Datum:";"31.01.2016"',
      '"Konto:";"1234";;"Uhrzeit:";"10:00:00"',
      '',
      '"Buchungstag";"Valuta";"Auftraggeber/Zahlungsempfänger";"Empfänger/Zahlungspflichtiger";' +
        '"Konto-Nr.";"IBAN";"BLZ";"BIC";"Vorgang/Verwendungszweck";"Kundenreferenz";"Währung";' +
        '"Umsatz";" "',
      '"29.01.2016";"29.01.2016";"Wir e.V.";"Stadtwerke";"1";"DE1";"1";"G";"Strom";"";"EUR";"45,' +
        '90";"S"',
      '"14.01.2016";"14.01.2016";"Wir e.V.";"Spender";"1";"DE2";"1";"G";"Spende";"";"EUR";' +
        '"1.100,00";"H"',
      '',
      '"01.01.2016";"";"";"";"";"";"";"";"";"Anfangssaldo";"EUR";"1.000,00";"H"',
      '"31.01.2016";"";"";"";"";"";"";"";"";"Endsaldo";"EUR";"2.054,10";"H"',
    ],
    rows: [
      ['2016-01-29', 45.9, 'Strom', 'Stadtwerke'],
      ['2016-01-14', -1100, 'Spende', 'Spender'],
    ],
    notRows: [12, 13],
  },
  {
    name: 'comdirect: a balance after the rows, dates that may be missing',
    encoding: 'windows-1252',
    lines: [
      ';',
      '"Umsätze Girokonto";"Zeitraum: 30 Tage";',
      '"Neuer Kontostand";"1.234,56 EUR";',
      '',
      '"Buchungstag";"Wertstellung (Valuta)";"Vorgang";"Buchungstext";"Umsatz in EUR";',
      '"29.01.2016";"29.01.2016";"Lastschrift / Belastung";"Versicherung Jahr 2016";"-250,00";',
      '"28.01.2016";"28.01.2016";"Übertrag / Überweisung";"Beitrag Anna";"60,00";',
      '',
      '"Alter Kontostand";"1.424,56 EUR";',
    ],
    rows: [
      ['2016-01-29', 250, 'Lastschrift / Belastung Versicherung Jahr 2016'],
      ['2016-01-28', -60, 'Übertrag / Überweisung Beitrag Anna'],
    ],
    notRows: [9],
  },
  {
    name: 'HypoVereinsbank: UTF-16 with tabs, as Excel writes it; a bank by its account numbers',
    encoding: 'utf-16le',
    hasMark: true,
    lines: [
      'Kontonummer\tBuchungsdatum\tValuta\tEmpfaenger 1\tEmpfaenger 2\tVerwendungszweck\t' +
        'Betrag\tWaehrung',
      '123456\t29.01.2016\t29.01.2016\tStadtwerke\t\tStrom – Rest\t-1.045,90\tEUR',
      '123456\t28.01.2016\t28.01.2016\tSpender\t\tSpende\t100,00\tEUR',
    ],
    rows: [
      ['2016-01-29', 1045.9, 'Strom – Rest', 'Stadtwerke'],
      ['2016-01-28', -100, 'Spende', 'Spender'],
    ],
  },
  {
    name: 'a bank file with all dates before the 13th, and two-digit years',
    lines: [
      'Buchungstag;Verwendungszweck;Betrag;Art',
      '05.01.16;Miete;-750,00;Dauerauftrag',
      '06.01.16;Beitrag;50,00;Gutschrift',
      '07.01.16;Papier;-30,25;Lastschrift',
    ],
    rows: [
      ['2016-01-05', 750, 'Miete'],
      ['2016-01-06', -50, 'Beitrag'],
      ['2016-01-07', 30.25, 'Papier'],
    ],
  },
  {
    name: 'a club’s spreadsheet: whole amounts with points, columns for money out and in',
    encoding: 'windows-1252',
    lines: [
      'Datum;Text;Einnahmen;Ausgaben',
      '31.01.2016;Zuschuß der Stadt;1.000;',
      '14.02.2016;Zeltlager;;2.500',
    ],
    asks: [['decimal', '--decimal', ',']],
    rows: [
      ['2016-01-31', -1000, 'Zuschuß der Stadt'],
      ['2016-02-14', 2500, 'Zeltlager'],
    ],
  },
];
