/** Exports of Nordic, Brazilian, Spanish, Italian, Polish, Japanese and Indian banks. */

import type { Dialect } from './dialect.ts';

export const NORDIC: readonly Dialect[] = [
  {
    name: 'Nordea, Swedish: ISO dates, a space between thousands',
    encoding: 'windows-1252',
    lines: [
      'Bokföringsdag;Belopp;Avsändare;Mottagare;Namn;Rubrik;Saldo;Valuta',
      '2016-01-29;-1 250,00;1234;5678;Hyresvärd;Hyra januari;8 750,00;SEK',
      '2016-01-28;250,00;;1234;Givare;Gåva;10 000,00;SEK',
    ],
    rows: [
      ['2016-01-29', 1250, 'Hyra januari', 'Hyresvärd'],
      ['2016-01-28', -250, 'Gåva', 'Givare'],
    ],
  },
  {
    name: 'Swedbank: a report title, row numbers that are not ids, three dates',
    encoding: 'windows-1252',
    lines: [
      '* Transaktionsrapport Period 2016-01-01 - 2016-01-31 Skapad 2016-02-01 10:00 CET',
      'Radnummer,Clearingnummer,Kontonummer,Produkt,Valuta,Bokföringsdag,Transaktionsdag,' +
        'Valutadag,Referens,Beskrivning,Belopp,Bokfört saldo',
      '1,81059,123456789,"Föreningskonto",SEK,2016-01-29,2016-01-29,2016-01-29,"Hyra",' +
        '"Hyresvärd",-1250.00,8750.00',
      '2,81059,123456789,"Föreningskonto",SEK,2016-01-28,2016-01-28,2016-01-28,"Gåva","Givare",' +
        '250.00,10000.00',
    ],
    rows: [
      ['2016-01-29', 1250, 'Hyresvärd'],
      ['2016-01-28', -250, 'Givare'],
    ],
  },
  {
    name: 'Danske Bank: points between thousands, a status',
    encoding: 'windows-1252',
    lines: [
      '"Dato";"Tekst";"Beløb";"Saldo";"Status";"Afstemt"',
      '"27.01.2016";"Husleje";"-1.250,00";"8.750,00";"Udført";"Nej"',
      '"28.01.2016";"Gave fra Ærø";"250,00";"9.000,00";"Udført";"Nej"',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-27', 1250, 'Husleje'],
      ['2016-01-28', -250, 'Gave fra Ærø'],
    ],
  },
  {
    name: 'DNB, Norwegian: out of and into the account, non-breaking spaces',
    encoding: 'windows-1252',
    lines: [
      '"Dato";"Forklaring";"Rentedato";"Ut fra konto";"Inn på konto"',
      '"29.01.2016";"Husleie";"29.01.2016";"1\u00a0250,00";""',
      '"28.01.2016";"Gave";"28.01.2016";"";"250,00"',
    ],
    rows: [
      ['2016-01-29', 1250, 'Husleie'],
      ['2016-01-28', -250, 'Gave'],
    ],
  },
];

export const LATIN: readonly Dialect[] = [
  {
    name: 'Banco do Brasil: balances among the rows, a column without a name at the end',
    encoding: 'windows-1252',
    lines: [
      '"Data","Dependencia Origem","Histórico","Data do Balancete","Número do documento","Valor",',
      '"12/31/2015","","Saldo Anterior","","0","1000.00",',
      '"01/29/2016","0001","Pagamento de Título","","1291","-400.00",',
      '"01/30/2016","0001","Transferência recebida","","1305","250.00",',
      '"01/31/2016","","S A L D O","","0","850.00",',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-29', 400, 'Pagamento de Título'],
      ['2016-01-30', -250, 'Transferência recebida'],
    ],
    notRows: [2, 5],
  },
  {
    name: 'Bradesco: credit before debit, a balance, a total',
    encoding: 'windows-1252',
    lines: [
      'Extrato de: Ag: 123 | Conta: 456-7;;;;;',
      'Data;Histórico;Docto.;Crédito (R$);Débito (R$);Saldo (R$);',
      '28/01/2016;TED RECEBIDA;123;1.500,00;;6.500,00;',
      '29/01/2016;PAGAMENTO ÁGUA;124;;250,00;6.250,00;',
      '30/01/2016;TARIFA;125;;10,00;6.240,00;',
      ';Total;;1.500,00;260,00;6.240,00;',
    ],
    rows: [
      ['2016-01-28', -1500, 'TED RECEBIDA'],
      ['2016-01-29', 250, 'PAGAMENTO ÁGUA'],
      ['2016-01-30', 10, 'TARIFA'],
    ],
    notRows: [6],
  },
  {
    name: 'Itaú: semicolons, no header, reais in the cells',
    lines: ['28/01/2016;PIX RECEBIDO;R$ 1.500,00', '29/01/2016;BOLETO ÁGUA;-R$ 250,00'],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-28', -1500, 'PIX RECEBIDO'],
      ['2016-01-29', 250, 'BOLETO ÁGUA'],
    ],
  },
  {
    name: 'CaixaBank: two dates, amounts followed by the currency code',
    lines: [
      'Fecha;Fecha valor;Concepto;Importe;Saldo',
      '28/01/2016;28/01/2016;DONACIÓN;+1.500,00EUR;6.500,00EUR',
      '29/01/2016;30/01/2016;ALQUILER ENERO;-250,00EUR;6.250,00EUR',
    ],
    rows: [
      ['2016-01-28', -1500, 'DONACIÓN'],
      ['2016-01-29', 250, 'ALQUILER ENERO'],
    ],
  },
  {
    name: 'an Italian bank: dare and avere, month names',
    encoding: 'windows-1252',
    lines: [
      'Data contabile;Data valuta;Dare;Avere;Divisa;Descrizione',
      '28-gen-2016;28-gen-2016;;1.500,00;EUR;BONIFICO A VOSTRO FAVORE',
      '29-gen-2016;29-gen-2016;250,00;;EUR;AFFITTO – SOCIETÀ',
    ],
    rows: [
      ['2016-01-28', -1500, 'BONIFICO A VOSTRO FAVORE'],
      ['2016-01-29', 250, 'AFFITTO – SOCIETÀ'],
    ],
  },
];

export const EASTERN: readonly Dialect[] = [
  {
    name: 'mBank: Windows-1250, a long preamble, a closing balance in the last line',
    encoding: 'windows-1250',
    lines: [
      'mBank S.A. Bankowość Detaliczna;',
      'Skrytka Pocztowa 2108;',
      '',
      '#Klient;',
      'FUNDACJA ŻÓŁW;',
      '#Za okres:;',
      '01.01.2016;31.01.2016;',
      '#Saldo początkowe;',
      '1 000,00 PLN;',
      '',
      '#Data operacji;#Data księgowania;#Opis operacji;#Tytuł;#Nadawca/Odbiorca;#Numer konta;' +
        '#Kwota;#Saldo po operacji;',
      '2016-01-28;2016-01-28;PRZELEW ZEWNĘTRZNY;"Czynsz za styczeń";"WŁAŚCICIEL";\'1234\';' +
        '-1 250,00;8 750,00;',
      '2016-01-29;2016-01-29;PRZELEW PRZYCHODZĄCY;"Darowizna";"DARCZYŃCA";\'5678\';250,00;9 000,' +
        '00;',
      '',
      ';;;;;;#Saldo końcowe;9 000,00 PLN;',
    ],
    rows: [
      ['2016-01-28', 1250, 'Czynsz za styczeń', 'WŁAŚCICIEL'],
      ['2016-01-29', -250, 'Darowizna', 'DARCZYŃCA'],
    ],
    notRows: [15],
  },
  {
    name: 'a Polish export whose header is ASCII: nothing shows the encoding',
    encoding: 'windows-1250',
    lines: [
      'Data;Opis;Kwota;Waluta',
      '28.01.2016;Opłata za prąd;-1250,50;PLN',
      '29.01.2016;Wpłata składek;250,00;PLN',
    ],
    asks: [
      ['encoding', '--encoding', 'windows-1250'],
      ['moneyOut', '--money-out', 'negative'],
    ],
    rows: [
      ['2016-01-28', 1250.5, 'Opłata za prąd'],
      ['2016-01-29', -250, 'Wpłata składek'],
    ],
  },
  {
    name: 'Mizuho: Shift_JIS, yen without decimals, points in dates',
    encoding: 'shift_jis',
    lines: [
      '日付,お引出し,お預入れ,お取引内容,残高',
      '2016.01.28,"150,000",,家賃,"1,850,000"',
      '2016.01.29,,"25,000",寄付,"1,875,000"',
    ],
    asks: [['decimal', '--decimal', '.']],
    rows: [
      ['2016-01-28', 150_000, '家賃'],
      ['2016-01-29', -25_000, '寄付'],
    ],
  },
  {
    name: 'a Russian statement in Windows-1251: money out and in, a balance',
    encoding: 'windows-1251',
    lines: [
      'Дата;Назначение платежа;Контрагент;Списание;Зачисление;Остаток',
      '28.01.2016;Аренда зала;ООО «Дом»;1500,00;;8500,00',
      '29.01.2016;Взнос;Иванова А.;;250,00;8750,00',
    ],
    rows: [
      ['2016-01-28', 1500, 'Аренда зала', 'ООО «Дом»'],
      ['2016-01-29', -250, 'Взнос', 'Иванова А.'],
    ],
  },
  {
    name: 'Rakuten Bank: dates as digits, signed yen without separators',
    encoding: 'shift_jis',
    lines: [
      '取引日,入出金(円),取引後残高(円),入出金内容',
      '20160128,-150000,1850000,家賃',
      '20160129,25000,1875000,寄付',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    rows: [
      ['2016-01-28', 150_000, '家賃'],
      ['2016-01-29', -25_000, '寄付'],
    ],
  },
  {
    name: 'an Indian bank: DR and CR next to the amount, CR also in the balance',
    lines: [
      'Txn Date,Value Date,Description,Ref No,Amount,Dr/Cr,Balance',
      '28-Jan-2016,28-Jan-2016,RENT JAN,101,"12,500.00",DR,"87,500.00"',
      '29-Jan-2016,29-Jan-2016,DONATION,102,"2,500.00",CR,"90,000.00"',
      '30-Jan-2016,30-Jan-2016,PAPER,102,"1,000.00",DR,"89,000.00"',
    ],
    rows: [
      ['2016-01-28', 12_500, 'RENT JAN'],
      ['2016-01-29', -2500, 'DONATION'],
      ['2016-01-30', 1000, 'PAPER'],
    ],
  },
  {
    name: 'weekdays, a line of units below the header, balances that add up',
    lines: [
      'Statement;;;;',
      'Datum;Text;Ausgaben;Einnahmen;Saldo',
      ';;EUR;EUR;EUR',
      'Fr 01.01.2016;Anfangssaldo;;1.000,00;1.000,00',
      'Fr 15.01.2016;Miete;400,00;;600,00',
      'So 31.01.2016;Spende;;250,00;850,00',
      'So 31.01.2016;Endsaldo;;850,00;850,00',
      ';Summe;400,00;250,00;',
    ],
    rows: [
      ['2016-01-15', 400, 'Miete'],
      ['2016-01-31', -250, 'Spende'],
    ],
    notRows: [4, 7, 8],
    rejected: [3],
  },
  {
    name: 'an ISO time with a zone: the date is kept as written',
    lines: [
      'created,description,amount,currency,id',
      '2016-01-31T23:30:00Z,Server,-12.50,EUR,ch_1',
      '2016-02-01T00:15:00Z,Grant,"1,000.00",EUR,ch_2',
    ],
    asks: [['moneyOut', '--money-out', 'negative']],
    ids: ['ch_1', 'ch_2'],
    rows: [
      ['2016-01-31', 12.5, 'Server'],
      ['2016-02-01', -1000, 'Grant'],
    ],
  },
  {
    name: 'a Chinese bank: money in and money out in brackets, in two currencies',
    lines: [
      '明细查询文件下载',
      '交易日期,摘要,交易金额(收入),交易金额(支出),记账金额(收入),记账金额(支出),余额,对方户名',
      '2016-01-28,消费,-,-,,"1,013.40",86.60,甲公司',
      '2016-01-29,工资,-,-,250.00,,336.60,乙公司',
      '2016-01-31,消费,-,-,,12.50,324.10,丙公司',
    ],
    rows: [
      ['2016-01-28', 1013.4, '消费', '甲公司'],
      ['2016-01-29', -250, '工资', '乙公司'],
      ['2016-01-31', 12.5, '消费', '丙公司'],
    ],
  },
  {
    name: 'a Bulgarian wallet: Приход and Разход',
    lines: [
      '"Дата и час","Приход","Разход","Кореспондент","Описание"',
      '"28.01.2016 09:14:08","0.00","1.96","Наем ООД","Наем"',
      '"31.01.2016 19:00:47","20.00","0.00","Клуб","Дарение"',
    ],
    rows: [
      ['2016-01-28', 1.96, 'Наем', 'Наем ООД'],
      ['2016-01-31', -20, 'Дарение', 'Клуб'],
    ],
  },
  {
    name: 'a payment platform: gross and net, each with a debit and a credit',
    lines: [
      'Reference,Created,Gross Debit (GC),Gross Credit (GC),Net Debit (NC),Net Credit (NC),Memo',
      '551,2016-01-28,,10.00,,9.60,Ticket',
      '552,2016-01-31,4.00,,4.10,,Refund',
    ],
    asks: [['amount', '--map', 'out=Net Debit (NC)', '--map', 'in=Net Credit (NC)']],
    rows: [
      ['2016-01-28', -9.6, 'Ticket'],
      ['2016-01-31', 4.1, 'Refund'],
    ],
  },
];
