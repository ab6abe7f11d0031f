import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { writeAnswer } from '../../../src/files/inspection/written-answers.ts';
import { inspectBytes, readWith } from './dialects/reading.ts';

const lines = (...all: string[]) => Buffer.from(all.map((line) => `${line}\r\n`).join(''));

/** The questions, each with its answers as options. */
async function askedOf(bytes: Buffer, ...options: string[]) {
  const { questions } = await inspectBytes(bytes, options);
  return questions.map(({ kind, choices }) => [
    kind,
    ...choices.map(({ answers }) => answers.map((answer) => writeAnswer(answer).value).join(' ')),
  ]);
}

test('8 nobody is asked about the zone behind a time, however it is written', async () => {
  for (const zone of ['+02:00[Europe/Tallinn]', 'Z[UTC]', ' (CET)', ' МСК', ' Europe/Tallinn']) {
    const rows = ['15', '16', '17'].map((day) => `2016-01-${day} 10:15${zone},a,-1.5`);
    assert.deepEqual(await askedOf(lines('Date,Text,Amount', ...rows)), [], zone);
  }
});

async function rowsOf(bytes: Buffer, ...options: string[]) {
  const inspection = await inspectBytes(bytes, options);
  assert.deepEqual(inspection.questions, []);
  const { entries } = await readWith(bytes, inspection);
  return entries.map(({ row, line }) => [line, Reflect.get(Object(row), 'amount')]);
}

describe('8 what looks like one thing and is another', () => {
  const cases: readonly [
    name: string,
    lines: readonly string[],
    options: readonly string[],
    asked: readonly string[],
  ][] = [
    [
      'days that are both before the 13th and after, in both orders, prove nothing',
      ['Date,Text,Amount', '31/01/2016,a,-1.5', '01/31/2016,b,2.5'],
      ['--money-out', 'negative'],
      ['dateFormat'],
    ],
    [
      'decimal points and commas in one column',
      ['Date;Text;Amount', '31/01/2016;a;-1.5', '30/01/2016;b;2,5'],
      ['--money-out', 'negative'],
      ['decimal'],
    ],
    [
      'all payments, though Stripe calls what came in so',
      ['Date,Type,Description,Amount', '31/01/2016,payment,a,1.5', '30/01/2016,payment,b,2.5'],
      [],
      ['moneyOut'],
    ],
    [
      'deposits, which can be made or received',
      ['Date,Description,Amount,Category', '31/01/2016,a,1.5,DEPOSIT', '31/01/2016,b,2.5,DEPOSIT'],
      [],
      ['moneyOut'],
    ],
    [
      'debit and credit of books, where a debit makes the balance higher',
      [
        'Date,Text,Debit,Credit,Balance',
        '29/01/2016,a,5.5,,5.5',
        '30/01/2016,b,,2.5,3',
        '31/01/2016,c,1,,4',
      ],
      [],
      ['moneyOut'],
    ],
    [
      'whole numbers in a column without a name for amounts, beside another',
      ['Date,Text,Units,Points', '31/01/2016,a,5,7', '30/01/2016,b,6,8'],
      ['--money-out', 'negative'],
      ['amount'],
    ],
    [
      'a balance among the rows that does not add up',
      ['Date,Text,Amount', '01/01/2016,Opening balance,9.5', '31/01/2016,b,2.5'],
      ['--money-out', 'negative'],
      ['notRow'],
    ],
    [
      'two delimiters under which lines hold a day and an amount',
      ['31/01/2016;1,5;a,30/01/2016,7', '30/01/2016;2,5;b,29/01/2016,8'],
      [],
      ['delimiter'],
    ],
    [
      'amounts whose words nobody knows',
      ['Date,Text,Amount,Way', '31/01/2016,a,1.5,x', '30/01/2016,b,2.5,y'],
      ['--map', 'indicator=Way'],
      ['moneyOut'],
    ],
  ];
  for (const [name, lines, options, asked] of cases) {
    it(name, async () => {
      const { questions } = await inspectBytes(Buffer.from(`${lines.join('\n')}\n`), options);
      assert.deepEqual(
        questions.map(({ kind }) => kind),
        asked,
      );
    });
  }

  it('the user decides about unknown words', async () => {
    const text = 'Date,Text,Amount,Way\n31/01/2016,a,1.5,x\n30/01/2016,b,2.5,y\n29/01/2016,c,4,z\n';
    const options = ['--map', 'indicator=Way', '--money-out', 'x, z'];
    const { check, mapping } = await inspectBytes(Buffer.from(text), options);
    assert.deepEqual([check?.moneyOut.rows, check?.moneyIn.rows], [2, 1]);
    const indicator = { column: 'Way', out: ['x', 'z'], in: ['y'] };
    const amount = JSON.parse(JSON.stringify(mapping?.fields.amount));
    assert.deepEqual(amount, { column: 'Amount', indicator });
  });

  it('rows that will be rejected are listed with the line and the reason', async () => {
    const rows = [29, 28, 27, 26].map((day) => `${day}/01/2016,a,1.5\n`).join('');
    const text = `Date,Description,Amount\n${rows}31/02/2016,b,2.5\n25/01/2016,,1.5\n`;
    const { check } = await inspectBytes(Buffer.from(text), ['--money-out', 'negative']);
    assert.deepEqual(
      check?.refused.map(({ line, problems }) => [line, problems.map(({ code }) => code)]),
      [
        [6, ['invalid_date']],
        [7, ['blank']],
      ],
    );
    assert.deepEqual([check?.rows, check?.refusedCount], [4, 2]);
  });
});

test('8 --header sets the line of the header, or none', async () => {
  const file = lines(
    'Statement;of;account',
    'Wann;Wofür;Wieviel',
    'day;text;sum',
    '31.01.2016;Miete;-8,00',
    '30.01.2016;Gabe;5,00',
  );
  const open = await inspectBytes(file, ['--header', '2']);
  assert.deepEqual(open.layout?.names, ['Wann', 'Wofür', 'Wieviel']);
  assert.deepEqual(open.layout?.headerLine.evidence, { said: [{ kind: 'header', header: 2 }] });
  const answers = ['--money-out', 'negative', '--map', 'description=Wofür'];
  const found = await rowsOf(file, '--header', '2', ...answers);
  assert.deepEqual(found.slice(-2), [
    [4, 8],
    [5, -5],
  ]);
  const counted = ['--money-out', 'negative', '--map', 'description=#2'];
  assert.deepEqual(await rowsOf(file, '--header', 'none', ...counted), found.slice(-2));
  const wrong = { message: ' 9: that line is empty.' };
  await assert.rejects(inspectBytes(file, ['--header', '9']), wrong);
});

test('8 next month the mapping skips the balance and pending payments', async () => {
  const month = (end: string, ...more: string[]) =>
    lines(
      'Date,Details,Amount,Status',
      `${end},Rent,-8.00,Completed`,
      `${end},Paper,-3.00,Pending`,
      `${end},Solde au ${end},70.00,Completed`,
      ...more,
    );
  const options = [
    '--money-out',
    'negative',
    '--not-row',
    'Pending',
    '--not-row',
    'Solde au 31/01/2016',
  ];
  const january = await inspectBytes(month('31/01/2016'), options);
  const { entries, remarks } = await readWith(
    month('29/02/2016', '28/02/2016,Tea,-2.00,Declined'),
    january,
  );
  assert.deepEqual(
    entries.map(({ line, problems }) => [line, problems[0]?.message]),
    [
      [2, undefined],
      [5, '"Status" is "Declined": the mapping accepts only rows with "Completed".'],
    ],
  );
  assert.equal(remarks.length, 2);
});

test('8 if no date can be read, columns named as dates are offered', async () => {
  const file = lines('Date,Details,Amount', '1706695200,Rent,-8.00', '1706608800,Gift,5.00');
  const [date] = await askedOf(file);
  assert.deepEqual(date, ['date', 'date=Date']);
});

test('8 day numbers from a spreadsheet are explained, with what to do', async () => {
  const { questions } = await inspectBytes(lines('Date,Details,Amount', '42400,Rent,-8.00'), []);
  const text = questions.find(({ kind }) => kind === 'dateFormat')?.text ?? '';
  assert.match(text, /\(line 2: "42400" is 2016-01-31\)\. Format the column as dates/);
});

test('8 with dates in two orders, either can be chosen and the others are rejected', async () => {
  const file = lines('Date,Details,Amount', '13/01/2016,Rent,-8.00', '01/14/2016,Gift,5.00');
  const [date] = await askedOf(file);
  assert.deepEqual(date, ['dateFormat', 'DD/MM/YYYY', 'MM/DD/YYYY']);
  const options = ['--money-out', 'negative', '--date-format', 'MM/DD/YYYY'];
  const { check } = await inspectBytes(file, options);
  assert.deepEqual([check?.rows, check?.refused.map(({ line }) => line)], [1, [2]]);
});

test('8 columns in two currencies are offered as pairs', async () => {
  const file = lines(
    'Date,Details,Paid out (GBP),Paid in (GBP),Paid out (EUR),Paid in (EUR)',
    '31/01/2016,Shop,20.00,,23.00,',
    '30/01/2016,Gift,,300.00,,345.00',
  );
  assert.deepEqual(await askedOf(file), [
    ['amount', 'out=Paid out (GBP) in=Paid in (GBP)', 'out=Paid out (EUR) in=Paid in (EUR)'],
  ]);
});

test('8 rows that a later file marks as void are rejected', async () => {
  const file = (rows: string) => Buffer.from(`Date,Details,Paid,Void,Amount\n${rows}`);
  const later = file('2018-02-20,Rent,yes,yes,-500.00\n2018-02-21,Tea,yes,,-5.00\n');
  for (const mark of ['no', '0', '']) {
    const rows = [20, 21, 22].map((day) => `2018-01-${day},Tea,,${mark},-${day}.00\n`).join('');
    const inspection = await inspectBytes(file(rows), ['--money-out', 'negative']);
    assert.deepEqual(inspection.mapping?.status, { column: 'Void', is: [mark] });
    const { entries } = await readWith(later, inspection);
    const [code] = entries[0]?.problems.map((problem) => problem.code) ?? [];
    assert.equal(code, 'other_status');
  }
  // Of two, the column that says what is paid is the status.
  const both = file('2018-01-20,Tea,yes,no,-5.00\n2018-01-21,Tea,yes,no,-6.00\n');
  const { mapping } = await inspectBytes(both, ['--money-out', 'negative']);
  assert.deepEqual(mapping?.status, { column: 'Paid', is: ['yes'] });
});

test('8 what a German bank has not booked is asked about, and rejected later', async () => {
  const file = (...words: string[]) =>
    lines(
      'Buchungstag;Verwendungszweck;Betrag;Info',
      ...words.map((word, at) => `${20 + at}.01.16;Tee;-${at + 1},50;Umsatz ${word}`),
    );
  const pending = file('vorgemerkt', 'gebucht');
  const [asked] = await askedOf(pending);
  assert.deepEqual(asked, ['notRow', 'Umsatz vorgemerkt', 'Umsatz vorgemerkt']);
  const { entries } = await readWith(pending, await inspectBytes(file('gebucht', 'gebucht'), []));
  assert.deepEqual(
    entries.map(({ problems }) => problems[0]?.code),
    ['other_status', undefined],
  );
});

test('8 a column State that is not a status is not in the mapping', async () => {
  const file = lines(
    'Date,Details,Amount,State',
    '31/01/2016,Rent,-8.00,TX',
    '30/01/2016,Tea,-1.00,CA',
  );
  const { mapping } = await inspectBytes(file, ['--money-out', 'negative']);
  assert.equal(mapping?.status, undefined);
});

test('8 a balance alone is the amount only if the user says so', async () => {
  const file = lines('Date,Details,Balance', '31/01/2016,Rent,8.00', '30/01/2016,Gift,5.00');
  const [first] = await askedOf(file);
  assert.deepEqual(first, ['amount', 'amount=Balance']);
});

test('8 a bank’s month of credits is read by its signs', async () => {
  const file = lines(
    'Buchung;Valuta;Auftraggeber/Empfänger;Buchungstext;Verwendungszweck;Betrag',
    '28.01.2016;28.01.2016;Anna;Gutschrift;Beitrag;100,00',
  );
  const { mapping } = await inspectBytes(file, []);
  assert.deepEqual(mapping?.fields.amount, { column: 'Betrag', negate: true });
});

test('8 an id that repeats often does not identify 300 rows', async () => {
  const rows = Array.from(
    { length: 300 },
    (_, at) => `T${at % 3},31/01/2016,Text ${at},-${at + 1}.00`,
  );
  const file = lines('Transaction ID,Date,Details,Amount', ...rows);
  const { externalId } = await inspectBytes(file, ['--money-out', 'negative']);
  assert.equal(externalId?.value, null);
});

test('8 ids that are in order for thousands of rows are compared too', async () => {
  const row = (id: number, at: number) => `T${id},31/01/2016,Text ${at},-${at + 1}.00`;
  const ids = Array.from({ length: 3000 }, (_, at) => at);
  for (const [last, column] of [
    [3000, 'Transaction ID'],
    [-1, 'Transaction ID'],
    [7, undefined],
  ] as const) {
    const file = lines('Transaction ID,Date,Details,Amount', ...[...ids, last].map(row));
    const { externalId } = await inspectBytes(file, ['--money-out', 'negative']);
    assert.equal(externalId?.value?.title, column);
  }
});

test('8 several payments can have one document number: csv inspect makes the id', async () => {
  for (const name of ['Transaction Number', 'Trans No', 'Document No', 'Invoice No', 'Ref']) {
    const file = lines(`Date,${name},Text,Paid out`, '31/01/2016,51,a,1.5', '30/01/2016,47,b,2.5');
    const { externalId } = await inspectBytes(file, []);
    assert.ok(externalId !== undefined && 'because' in externalId.evidence, name);
    assert.equal(externalId.value, null, name);
    assert.match(
      externalId.evidence.because,
      new RegExp(`^payments can share a ${name}, so budgetd`),
    );
    assert.deepEqual(externalId.evidence.instead, [
      { kind: 'column', use: 'externalId', column: name },
    ]);
  }
});

const NO_TABLES: readonly [name: string, bytes: Buffer, says: RegExp][] = [
  [
    'bytes of zero',
    Buffer.from('Date,Details,Amount\n31/01/2016,R\0nt,-8.00\n'),
    /^line 2 contains zero bytes/,
  ],
  [
    'amounts with commas, separated by commas',
    lines('Date,Details,Amount', '31/01/2016,Rent,-8,00'),
    /^line 2 has 4 values, but the header has 3 names\. A value .* each column a name\.$/,
  ],
];

for (const [name, bytes, says] of NO_TABLES) {
  test(`8 csv inspect explains what is wrong with ${name}`, async () => {
    await assert.rejects(inspectBytes(bytes, []), { message: says });
  });
}

test('8 amounts without signs are not all money out if the balance rises and falls', async () => {
  const file = lines(
    'Date,Details,Amount,Balance',
    '29/01/2016,A,1.00,9.00',
    '30/01/2016,B,3.00,12.00',
    '31/01/2016,C,2.00,10.00',
  );
  assert.deepEqual(await askedOf(file, '--money-out', 'positive'), [['moneyOut']]);
});

test('8 a year before the month name is asked if years at the end would vary widely', async () => {
  const days = (...all: string[]) =>
    lines('Date,Details,Paid out,Paid in', ...all.map((day) => `${day},A,1.00,`));
  const formats = ['dateFormat', 'DD-MMM-YY', 'YY-MMM-DD'];
  assert.deepEqual(await askedOf(days('16-Jan-15', '16-Feb-03')), [formats]);
  assert.deepEqual(await askedOf(days('15-Jan-16', '03-Feb-16')), []);
  assert.deepEqual(await askedOf(days('15-Jan-16')), []);
});

test('8 mar. before a date is a Tuesday, and alone it is March', async () => {
  const header = 'Date;Libellé;Dépenses;Recettes';
  const formatOf = async (...days: string[]) => {
    const rows = days.map((day) => `${day};A;1,00;`);
    return (await inspectBytes(lines(header, ...rows), [])).dateFormat?.value.text;
  };
  assert.equal(await formatOf('mar. 5 janvier 2016', 'sam. 30 avril 2016'), 'ddd D MMM YYYY');
  assert.equal(await formatOf('5 mar. 2016', '30 avr. 2016'), 'D MMM YYYY');
  assert.equal(await formatOf('mar. 5, 2016', 'avr. 30, 2016'), 'MMM D, YYYY');
});

describe('a file of rejected rows', () => {
  const row = (...values: string[]) => ['28/02/2016', 'Rent', '-1.50', ...values].join(',');
  const added = (line: number) => row(String(line), 'invalid_date', 'Date: 31/02 is not a date.');

  it('is read like its input', async () => {
    const header = 'Date,Details,Amount';
    const bytes = lines(`${header},line,code,reason`, added(4), added(9));
    const { mapping } = await inspectBytes(bytes, ['--row', 'all']);
    assert.deepEqual(mapping, (await inspectBytes(lines(header, row(), row()), [])).mapping);
    assert.deepEqual(await rowsOf(bytes), [
      [2, 1.5],
      [3, 1.5],
    ]);
  });

  it('is read like its input without a header', async () => {
    const { mapping } = await inspectBytes(lines(added(4), added(9)), []);
    assert.deepEqual(mapping, (await inspectBytes(lines(row(), row()), [])).mapping);
    assert.equal(mapping?.headerless?.columns, 3);
  });

  it('has its columns read if an answer names one', async () => {
    const bytes = lines('Date,Amount,line,code,reason', '28/02/2016,-1.50,1,A,Rent');
    const { mapping } = await inspectBytes(bytes, ['--map', 'description=reason']);
    assert.deepEqual(mapping?.fields.description, 'reason');
  });
});
