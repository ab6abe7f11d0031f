/** Exports of French, Dutch, Swiss, Baltic and Czech banks. */

import type { Dialect } from './dialect.ts';

export const FRENCH: readonly Dialect[] = [
  {
    name: 'Crédit Agricole: a letter before the header, labels of several lines, debit and credit',
    encoding: 'windows-1252',
    newline: '\n',
    lines: [
      '',
      'Téléchargement du 31/01/2016;',
      '',
      'M. DUPONT JEAN',
      'Compte de Dépôt carte n° 04106119371;',
      'Solde au 31/01/2016 917,01 €',
      '',
      'Liste des opérations du compte entre le 01/01/2016 et le 31/01/2016;',
      '',
      'Date;Libellé;Débit euros;Crédit euros;',
      '29/01/2016;"VIREMENT EMIS   ',
      'WEB BAILLEUR',
      '',
      '";1 150,00;;',
      '30/01/2016;"VIREMENT EN VOTRE FAVEUR',
      'DONATEUR";;389,64;',
    ],
    rows: [
      ['2016-01-29', 1150, 'VIREMENT EMIS   \nWEB BAILLEUR'],
      ['2016-01-30', -389.64, 'VIREMENT EN VOTRE FAVEUR\nDONATEUR'],
    ],
  },
  {
    name: 'Caisse d’Épargne: a negative debit, a credit with a plus, balances above and below',
    encoding: 'windows-1252',
    lines: [
      'Code de la banque : 18315;Date de début de téléchargement : 01/01/2016;' +
        'Date de fin : 31/01/2016;',
      'Numéro de compte : 04000;Nom du compte : Compte courant;Devise : EUR;',
      'Solde en fin de période;;;;1234,56;',
      "Date;Numéro d'opération;Libellé;Débit;Crédit;Détail;",
      '29/01/16;0001;PRLV SEPA EDF;-45,90;;Électricité;',
      '28/01/16;0002;VIR SEPA DONATEUR;;+250,00;;',
      'Solde en début de période;;;;1030,46;',
    ],
    ids: ['0001', '0002'],
    rows: [
      ['2016-01-29', 45.9, 'PRLV SEPA EDF Électricité'],
      ['2016-01-28', -250, 'VIR SEPA DONATEUR'],
    ],
    notRows: [7],
  },
  {
    name: 'Boursorama: two dates, a space between thousands, the bank’s balance',
    hasMark: true,
    lines: [
      'dateOp;dateVal;label;category;categoryParent;supplierFound;amount;comment;accountNum;' +
        'accountLabel;accountbalance',
      '2016-01-29;2016-01-30;"CARTE 28/01 PAPETERIE";Bureau;Achats;papeterie;"-1 234,56";"";' +
        '00012;BOURSO;5000.25',
      '2016-01-28;2016-01-28;"VIR DONATEUR";Dons;Revenus;donateur;250,00;"";00012;BOURSO;5000.25',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-29', 1234.56, 'CARTE 28/01 PAPETERIE'],
      ['2016-01-28', -250, 'VIR DONATEUR'],
    ],
  },
  {
    name: 'Société Générale: a first line about the account, month names, a narrow space',
    lines: [
      '="0300001";01/01/2016;31/01/2016;2;31/01/2016;1 234,56 EUR',
      '',
      "Date de l'opération;Libellé;Détail de l'écriture;Montant de l'opération;Devise",
      '29 janv. 2016;LOYER;VIR PERM LOYER JANVIER;-1\u202f150,00;EUR',
      '1 févr. 2016;DON;VIR RECU DONATEUR;250,00;EUR',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-29', 1150, 'LOYER'],
      ['2016-02-01', -250, 'DON'],
    ],
  },
];

export const DUTCH: readonly Dialect[] = [
  {
    name: 'ING: dates as digits, Af and Bij',
    lines: [
      '"Datum","Naam / Omschrijving","Rekening","Tegenrekening","Code","Af Bij","Bedrag (EUR)",' +
        '"MutatieSoort","Mededelingen"',
      '"20160129","Verhuurder","NL01INGB","NL02","OV","Af","1150,00","Overschrijving",' +
        '"Huur januari"',
      '"20160128","Donateur","NL01INGB","NL03","OV","Bij","250,00","Overschrijving","Gift"',
    ],
    rows: [
      ['2016-01-29', 1150, 'Huur januari', 'Verhuurder'],
      ['2016-01-28', -250, 'Gift', 'Donateur'],
    ],
  },
  {
    name: 'Rabobank: a plus before money in, a balance, a sequence number, three descriptions',
    lines: [
      '"IBAN/BBAN","Munt","BIC","Volgnr","Datum","Rentedatum","Bedrag","Saldo na trn",' +
        '"Tegenrekening IBAN/BBAN","Naam tegenpartij","Code","Omschrijving-1","Omschrijving-2",' +
        '"Koers"',
      '"NL11RABO","EUR","RABONL2U","000000000000000101","2016-01-28","2016-01-28","-45,10",' +
        '"+1.000,00",' +
        '"NL22","Drukkerij","bg","Posters","",""',
      '"NL11RABO","EUR","RABONL2U","000000000000000102","2016-01-29","2016-01-29","+1.250,00",' +
        '"+2.250,00",' +
        '"NL33","Donateur","cb","Gift","voor kinderen",""',
    ],
    rows: [
      ['2016-01-28', 45.1, 'Posters', 'Drukkerij'],
      ['2016-01-29', -1250, 'Gift voor kinderen', 'Donateur'],
    ],
  },
  {
    name: 'ABN AMRO: tabs, no header, a balance before and one after',
    lines: [
      '123456789\tEUR\t20160128\t1045,10\t1000,00\t20160128\t-45,10\tSEPA Incasso Drukkerij',
      '123456789\tEUR\t20160129\t1000,00\t2250,00\t20160129\t1250,00\tSEPA Overboeking Donateur',
      '123456789\tEUR\t20160130\t2250,00\t2200,00\t20160130\t-50,00\tBEA Betaalpas',
    ],
    rows: [
      ['2016-01-28', 45.1, 'SEPA Incasso Drukkerij'],
      ['2016-01-29', -1250, 'SEPA Overboeking Donateur'],
      ['2016-01-30', 50, 'BEA Betaalpas'],
    ],
  },
  {
    name: 'Knab: D and C, a sentence before the header',
    lines: [
      'KNAB EXPORT;;;;;;;;;',
      'Rekeningnummer;Transactiedatum;Valutacode;CreditDebet;Bedrag;Tegenrekeningnummer;' +
        'Tegenrekeninghouder;Valutadatum;Betaalwijze;Omschrijving',
      'NL01KNAB;27-01-2016;EUR;D;1.019,99;NL02;Provider;27-01-2016;Incasso;Abonnement',
      'NL01KNAB;28-01-2016;EUR;C;50,00;NL03;Klant;28-01-2016;Overboeking;Factuur',
    ],
    rows: [
      ['2016-01-27', 1019.99, 'Abonnement', 'Provider'],
      ['2016-01-28', -50, 'Factuur', 'Klant'],
    ],
  },
];

export const SWISS: readonly Dialect[] = [
  {
    name: 'UBS: a preamble, apostrophes, negative Belastung, an id, quoted lines',
    hasMark: true,
    lines: [
      'Kontonummer:;0230 00123456;',
      'IBAN:;CH00 0023 0230;',
      'Von:;2016-01-01;',
      'Bis:;2016-01-31;',
      "Anfangssaldo:;10'000.00;",
      "Schlusssaldo:;9'204.10;",
      'Bewertet in:;CHF;',
      '',
      'Abschlussdatum;Abschlusszeit;Buchungsdatum;Valutadatum;Währung;Belastung;Gutschrift;' +
        'Einzelbetrag;' +
        'Saldo;Transaktions-Nr.;Beschreibung1;Beschreibung2;Beschreibung3;Fussnoten;',
      '2016-01-29;10:00:00;2016-01-29;2016-01-29;CHF;-1\'045.90;;;9204.10;9930028LK;"Vermieter;' +
        ' Zürich";"Miete";"";;',
      '2016-01-28;;2016-01-28;2016-01-28;CHF;;250.00;;10250.00;9930027LK;"Spender";"Gutschrift";' +
        '"";;',
    ],
    ids: ['9930028LK', '9930027LK'],
    rows: [
      ['2016-01-29', 1045.9, 'Vermieter; Zürich Miete'],
      ['2016-01-28', -250, 'Spender Gutschrift'],
    ],
  },
  {
    name: 'UBS cards: sep=; first, debit and credit in English, a line of totals',
    encoding: 'windows-1252',
    lines: [
      'sep=;',
      'Account number;Card number;Account/Cardholder;Purchase date;Booking text;Sector;Amount;' +
        'Original currency;Rate;Currency;Debit;Credit;Booked',
      'ZZ1;5555;WIR;28.01.2016;CAFÉ ZÜRICH;Food;1250.50;CHF;;CHF;1250.50;;29.01.2016',
      'ZZ1;5555;WIR;29.01.2016;ERSTATTUNG;Food;20.00;CHF;;CHF;;20.00;30.01.2016',
      ';;;;Total per currency;;;;;CHF;1250.50;20.00;',
    ],
    rows: [
      ['2016-01-29', 1250.5, 'CAFÉ ZÜRICH'],
      ['2016-01-30', -20, 'ERSTATTUNG'],
    ],
    notRows: [5],
  },
  {
    name: 'PostFinance: negative Lastschrift, a disclaimer at the end',
    hasMark: true,
    lines: [
      'Datum von:;="01.01.2016"',
      'Datum bis:;="31.01.2016"',
      'Konto:;="CH00"',
      'Währung:;="CHF"',
      '',
      'Datum;Bewegungstyp;Avisierungstext;Gutschrift in CHF;Lastschrift in CHF;Label;Kategorie',
      '',
      '29.01.2016;Buchung;"GIRO BANK VERMIETER";;-1045.9;;Wohnen',
      '28.01.2016;Buchung;"GUTSCHRIFT SPENDER";250;;;Einnahmen',
      '',
      'Disclaimer:',
      'Der Dokumentinhalt wurde durch Filtereinstellungen der Kund:innen generiert.',
    ],
    rows: [
      ['2016-01-29', 1045.9, 'GIRO BANK VERMIETER'],
      ['2016-01-28', -250, 'GUTSCHRIFT SPENDER'],
    ],
    notRows: [11, 12],
  },
  {
    name: 'ZKB: details of a batch that are not rows, a typographic apostrophe',
    lines: [
      '"Datum";"Buchungstext";"Whg";"Betrag Detail";"ZKB-Referenz";"Referenznummer";' +
        '"Belastung CHF";"Gutschrift CHF";"Valuta";"Saldo CHF"',
      '"29.01.2016";"Sammelauftrag";"";"";"Z1";"";"1’250.00";"";"29.01.2016";"8’750.00"',
      '"";"Vermieter";"CHF";"1’000.00";"";"";"";"";"";""',
      '"";"Papier";"CHF";"250.00";"";"";"";"";"";""',
      '"28.01.2016";"Gutschrift Spender";"";"";"Z2";"";"";"250.00";"28.01.2016";"10’000.00"',
    ],
    asks: [['rejected', '--row', 'all']],
    rows: [
      ['2016-01-29', 1250, 'Sammelauftrag'],
      ['2016-01-28', -250, 'Gutschrift Spender'],
    ],
    rejected: [3, 4],
  },
];

export const BALTIC_AND_CZECH: readonly Dialect[] = [
  {
    name: 'Swedbank Lithuania: quotation marks inside values are not doubled',
    lines: [
      '"Date","Payee","Details","Amount","Currency","D/K"',
      '"2016-01-28","UAB "Naktis"","PIRKINYS UAB "Naktis", Vilnius","12.20","EUR","D"',
      '"2016-01-29","UAB "Diena"","Nuoma UAB "Diena" Kaunas","500.00","EUR","D"',
      '"2016-01-30","Jonas","Dovana","50.00","EUR","K"',
    ],
    asks: [['moneyOut', '--money-out', 'D']],
    rows: [
      ['2016-01-29', 500, 'Nuoma UAB "Diena" Kaunas', 'UAB "Diena"'],
      ['2016-01-30', -50, 'Dovana', 'Jonas'],
    ],
    rejected: [2],
  },
  {
    name: 'Swedbank Lithuania: opening balance, turnovers and closing balance between payments',
    lines: [
      '"Sąskaitos Nr.","","Data","Gavėjas","Paaiškinimai","Suma","Valiuta","D/K","Įrašo Nr.",' +
        '"Kodas","Įmokos kodas","Dok. Nr.",',
      '"LT00","10","2016-01-01","","Likutis pradžiai","1000.00","EUR","K","","AS","","",',
      '"LT00","20","2016-01-05","UAB Namai","Nuoma","512.34","EUR","D","11","MK","","",',
      '"LT00","20","2016-01-14","Fondas","Dotacija","250.00","EUR","K","12","MK","","",',
      '"LT00","20","2016-01-20","","Paslaugų planas","2.50","EUR","D","13","M","","",',
      '"LT00","82","2016-01-31","","Apyvarta","514.84","EUR","D","","K2","","",',
      '"LT00","82","2016-01-31","","Apyvarta","250.00","EUR","K","","K2","","",',
      '"LT00","86","2016-01-31","","Likutis pabaigai","735.16","EUR","K","","LS","","",',
    ],
    rows: [
      ['2016-01-05', 512.34, 'Nuoma', 'UAB Namai'],
      ['2016-01-14', -250, 'Dotacija', 'Fondas'],
      ['2016-01-20', 2.5, 'Paslaugų planas'],
    ],
    notRows: [2, 6, 7, 8],
  },
  {
    name: 'Swedbank Latvia with the rows of one payee only: nothing proves the balances',
    lines: [
      'Klienta konts;Ieraksta tips;Datums;Saņēmējs/Maksātājs;Informācija saņēmējam;Summa;Valūta;' +
        'Debets/Kredīts;Arhīva kods;Maksājuma veids',
      'LV00;10;01.01.2016;;Sākuma atlikums;1000,00;EUR;K;;AS',
      'LV00;20;05.01.2016;SIA Nams;Nomas maksa;512,34;EUR;D;11;MK',
      'LV00;20;19.01.2016;SIA Nams;Depozīts;250,00;EUR;K;12;MK',
      'LV00;86;31.01.2016;;Beigu atlikums;900,00;EUR;K;;LS',
    ],
    asks: [['notRow', '--not-row', 'Sākuma atlikums', '--not-row', 'Beigu atlikums'], ['notRow']],
    rows: [
      ['2016-01-05', 512.34, 'Nomas maksa', 'SIA Nams'],
      ['2016-01-19', -250, 'Depozīts', 'SIA Nams'],
    ],
    notRows: [2, 5],
  },
  {
    name: 'Swedbank Estonia: a single sum for both sides, and an overdrawn account',
    lines: [
      'Kliendi konto;Reatüüp;Kuupäev;Saaja/Maksja;Selgitus;Summa;Valuuta;Deebet/Kreedit;' +
        'Arhiveerimistunnus;Tehingu tüüp',
      'EE00;10;01.01.2016;;Algsaldo;100,00;EUR;K;;AS',
      'EE00;20;05.01.2016;OÜ Maja;Üür;512,34;EUR;D;11;MK',
      'EE00;20;14.01.2016;Fond;Toetus;250,00;EUR;K;12;MK',
      'EE00;82;31.01.2016;;Käive;262,34;EUR;D;;K2',
      'EE00;86;31.01.2016;;Lõppsaldo;162,34;EUR;D;;LS',
    ],
    rows: [
      ['2016-01-05', 512.34, 'Üür', 'OÜ Maja'],
      ['2016-01-14', -250, 'Toetus', 'Fond'],
    ],
    notRows: [2, 5, 6],
  },
  {
    name: 'Danske Lithuania: letters of Windows-1257',
    encoding: 'windows-1257',
    lines: [
      'Date;Details;Amount;Sąskaita',
      '2016-01-28;Mokestis už gautas įplaukas;-12,20;',
      '2016-01-29;Dovana šį mėnesį;50,00;',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-28', 12.2, 'Mokestis už gautas įplaukas'],
      ['2016-01-29', -50, 'Dovana šį mėnesį'],
    ],
  },
  {
    name: 'AirBank: Czech words that make sense in Windows-1250 only',
    encoding: 'windows-1250',
    lines: [
      'Item;Posting date;Amount CZK;Payee;BIC',
      'Nájem;28.01.2016;-1111,11;Dům s.r.o.;AIRACZPP',
      'Výplata, zaúčtování;29.01.2016;2222,00;Úřad;AIRACZPP',
    ],
    rows: [
      ['2016-01-28', 1111.11, 'Nájem', 'Dům s.r.o.'],
      ['2016-01-29', -2222, 'Výplata, zaúčtování', 'Úřad'],
    ],
  },
];
