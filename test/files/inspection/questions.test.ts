import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { otherWays, showChoice } from '../../../src/cli/csv/page.ts';
import { inspectBytes } from './dialects/reading.ts';

/** Each choice of the question with such a text, with its two lines. */
async function choicesOf(text: RegExp, lines: readonly string[], ...options: string[]) {
  const { questions } = await inspectBytes(Buffer.from(`${lines.join('\n')}\n`), options);
  const found = questions.find((each) => text.test(each.text));
  return found?.choices.map((each) => [showChoice(each), ...(each.examples ?? [])]);
}

describe('8 each question shows two lines as the answer would read them', () => {
  const cases: readonly [
    name: string,
    lines: readonly string[],
    options: readonly string[],
    text: RegExp,
    choices: readonly (readonly string[])[],
  ][] = [
    [
      'the decimal separator',
      ['Datum;Text;Betrag', '15.01.2016;Miete;-1.000', '16.01.2016;Spende;2.500'],
      [],
      /^What is the decimal separator\?/,
      [
        ['--decimal .', 'line 2: 2016-01-15, -1.00, "Miete"', 'line 3: 2016-01-16, 2.50, "Spende"'],
        [
          '--decimal ,',
          'line 2: 2016-01-15, -1,000.00, "Miete"',
          'line 3: 2016-01-16, 2,500.00, "Spende"',
        ],
      ],
    ],
    [
      'words on amounts with signs, which can be those of books',
      ['Date,Memo,Amount,Side', '28/01/2016,Rent,50.00,Debit', '29/01/2016,Dues,-90.00,Credit'],
      [],
      /^Which amounts in Amount are money out\? All with "Debit" are positive\.$/,
      [
        [
          '--money-out negative',
          'line 2: 2016-01-28, 50.00 money in, "Rent"',
          'line 3: 2016-01-29, 90.00 money out, "Dues"',
        ],
        [
          '--money-out positive',
          'line 2: 2016-01-28, 50.00 money out, "Rent"',
          'line 3: 2016-01-29, 90.00 money in, "Dues"',
        ],
      ],
    ],
    [
      'a fee that the balance shows beside the amount',
      [
        'Date,Memo,Amount,Fee,Balance',
        '28/01/2016,Rent,-100.00,0.00,900.00',
        '29/01/2016,Flight,-50.00,0.42,849.58',
        '31/01/2016,Food,-9.58,0.00,840.00',
      ],
      [],
      /^Balance shows that Amount does not include Fee\. Only Amount is read\./,
      [
        [
          '--map amount=Amount',
          'line 2: 2016-01-28, -100.00, "Rent"',
          'line 3: 2016-01-29, -50.00, "Flight"',
        ],
      ],
    ],
    [
      'a fee in the first row only, of which the balance shows nothing',
      [
        'Date,Memo,Amount,Fee,Balance',
        '28/01/2016,Flight,-50.42,0.42,949.58',
        '29/01/2016,Rent,-100.00,0.00,849.58',
        '31/01/2016,Food,-9.58,0.00,840.00',
      ],
      [],
      /^Does Amount already include Fee\? budgetd does not add it \(line 2 has "0\.42"\)\./,
      [
        [
          '--map amount=Amount',
          'line 2: 2016-01-28, -50.42, "Flight"',
          'line 3: 2016-01-29, -100.00, "Rent"',
        ],
      ],
    ],
    [
      'a fee beside money out and money in',
      ['Date,Memo,Paid out,Paid in,Fee', '28/01/2016,Rent,50.00,,1.00', '29/01/2016,Dues,,9.00,'],
      [],
      /^Do Paid out and Paid in already include Fee\?/,
      [
        [
          '--map "out=Paid out" --map "in=Paid in"',
          'line 2: 2016-01-28, 50.00 money out, "Rent"',
          'line 3: 2016-01-29, 9.00 money in, "Dues"',
        ],
      ],
    ],
    [
      'the format of dates, by one that can be two',
      ['Date,Memo,Amount', '03/02/2016,Rent,-10', '03/03/2016,Food,20'],
      ['--money-out', 'negative'],
      /^Which date is "03\/02\/2016" \(Date, line 2\)\?$/,
      [
        [
          '--date-format DD/MM/YYYY',
          'line 2: 2016-02-03, 10.00 money out, "Rent"',
          'line 3: 2016-03-03, 20.00 money in, "Food"',
        ],
        [
          '--date-format MM/DD/YYYY',
          'line 2: 2016-03-02, 10.00 money out, "Rent"',
          'line 3: 2016-03-03, 20.00 money in, "Food"',
        ],
      ],
    ],
    [
      'which date, by the line in which they are of different months',
      [
        'Date,Posted,Memo,Amount',
        ...Array.from({ length: 60 }, () => '15/02/2016,15/02/2016,Food,-20'),
        '31/01/2016,02/02/2016,Rent,-10',
      ],
      ['--money-out', 'negative'],
      /^Which date is the date of the payment: Posted or Date\? In line 62 they are/,
      [
        [
          '--map date=Posted',
          'line 62: 2016-02-02, 10.00 money out, "Rent"',
          'line 2: 2016-02-15, 20.00 money out, "Food"',
        ],
        [
          '--map date=Date',
          'line 62: 2016-01-31, 10.00 money out, "Rent"',
          'line 2: 2016-02-15, 20.00 money out, "Food"',
        ],
      ],
    ],
    [
      'the year of dates without one, from a line above the header',
      [
        'EXTF;20160102030405000;20160101;20160201;20160229',
        'Umsatz;Soll/Haben-Kennzeichen;Belegdatum;Buchungstext;Konto',
        '24,95;S;2102;Buch;1200',
        '50,00;S;502;Honorar;1200',
      ],
      ['--money-out', 'S'],
      /^The dates in Belegdatum have no year \(line 3: "2102"\)\. What is their format\?$/,
      [
        [
          '--date-format DMM@2016',
          'line 3: 2016-02-21, 24.95 money out, "Buch"',
          'line 4: 2016-02-05, 50.00 money out, "Honorar"',
        ],
      ],
    ],
    [
      'a pair of columns or one',
      ['Date,Memo,Amount,Paid out,Paid in', '31/01/2016,Rent,9,8,', '31/01/2016,Food,7,,6'],
      [],
      /^This file has two amount columns, one for money out and one for money in\. Is that so\?$/,
      [
        [
          '--map "out=Paid out" --map "in=Paid in"',
          'line 2: 2016-01-31, 8.00 money out, "Rent"',
          'line 3: 2016-01-31, 6.00 money in, "Food"',
        ],
        [
          '--map amount=Amount',
          'line 2: 2016-01-31, 9.00, "Rent"',
          'line 3: 2016-01-31, 7.00, "Food"',
        ],
      ],
    ],
    [
      'amounts of one sign',
      ['Date,Memo,Amount', '31/01/2016,Rent,10.00', '30/01/2016,Food,£20.00'],
      [],
      /^All amounts in Amount are positive\. Is that money out or money in\?$/,
      [
        [
          '--money-out positive',
          'line 2: 2016-01-31, 10.00 money out, "Rent"',
          'line 3: 2016-01-30, 20.00 money out, "Food"',
        ],
        [
          '--money-out negative',
          'line 2: 2016-01-31, 10.00 money in, "Rent"',
          'line 3: 2016-01-30, 20.00 money in, "Food"',
        ],
      ],
    ],
    [
      'marks in the cells, and brackets',
      ['Date,Memo,Amount', '31/01/2016,Rent,10.00 D', '30/01/2016,Food,-20.00 C'],
      [],
      /^Which mark in Amount means money out: D, C\?/,
      [
        [
          '--money-out D',
          'line 2: 2016-01-31, 10.00 money out, "Rent"',
          'line 3: 2016-01-30, -20.00 C is rejected, "Food"',
        ],
        [
          '--money-out C',
          'line 2: 2016-01-31, 10.00 money in, "Rent"',
          'line 3: 2016-01-30, -20.00 C is rejected, "Food"',
        ],
      ],
    ],
    [
      'the order of days and months, beside an opening balance without an amount',
      [
        'Date,Memo,Paid out,Paid in,Balance',
        '01/02/2016,Opening balance,,,9.00',
        '02/02/2016,Rent,5.00,,4.00',
      ],
      [],
      /^Which date is "01\/02\/2016"/,
      [
        [
          '--date-format DD/MM/YYYY',
          'line 2: 2016-02-01, no amount, "Opening balance"',
          'line 3: 2016-02-02, 5.00 money out, "Rent"',
        ],
        [
          '--date-format MM/DD/YYYY',
          'line 2: 2016-01-02, no amount, "Opening balance"',
          'line 3: 2016-02-02, 5.00 money out, "Rent"',
        ],
      ],
    ],
    [
      'a line that may not be a payment',
      ['Date,Memo,Amount', '01/01/2016,Opening balance,9.5', '31/01/2016,Gift,2.5'],
      ['--money-out', 'negative'],
      /^Line 2 has "Opening balance", and also a date and an amount\./,
      [
        [
          '--not-row "Opening balance"',
          'line 2: skipped: 2016-01-01, 9.50 money in, "Opening balance"',
        ],
        ['--row "Opening balance"', 'line 2: 2016-01-01, 9.50 money in, "Opening balance"'],
      ],
    ],
  ];
  for (const [name, lines, options, text, choices] of cases) {
    it(name, async () => {
      assert.deepEqual(await choicesOf(text, lines, ...options), choices);
    });
  }
});

describe('8 a question says what else would help', () => {
  const cases: readonly [name: string, lines: readonly string[], ways: string | undefined][] = [
    [
      'two ways',
      ['Date,Memo,Amount (000s)', '28/01/2016,Rent,-50', '29/01/2016,Dues,90'],
      '--map amount=COLUMN for another column, or export whole units',
    ],
    [
      'none where a choice is right',
      ['Datum;Text;Betrag', '15.01.2016;Miete;-1.000', '16.01.2016;Spende;2.500'],
      undefined,
    ],
  ];
  for (const [name, lines, ways] of cases) {
    it(name, async () => {
      const { questions } = await inspectBytes(Buffer.from(`${lines.join('\n')}\n`), []);
      assert.deepEqual(questions.slice(0, 1).map(otherWays), [ways]);
    });
  }
});

describe('8 all questions come at once, also those that any answer leads to', () => {
  const kindsOf = async (lines: readonly string[], ...options: string[]) => {
    const { questions } = await inspectBytes(Buffer.from(`${lines.join('\n')}\n`), options);
    return questions.map(({ kind }) => kind);
  };

  it('lines that may not be payments, whichever side is money out', async () => {
    const lines = ['Date,Memo,Amount', '01/01/2016,Opening balance,9.5', '31/01/2016,Gift,-2.5'];
    assert.deepEqual(await kindsOf(lines), ['moneyOut', 'notRow']);
  });

  it('rows that would be rejected, whichever side is money out', async () => {
    const rows = Array.from(
      { length: 9 },
      (_, at) => `${at + 13}/01/2016,Gift ${at},${at % 2 === 0 ? '' : '-'}${at}.50`,
    );
    const lines = ['Date,Memo,Amount', ...rows, '28/01/2016,,5.00', '29/01/2016,,6.00'];
    assert.deepEqual(await kindsOf(lines), ['moneyOut', 'rejected']);
  });

  it('which side is money out, whichever column is the amount', async () => {
    const lines = ['Date,Memo,Net,Gross', '28/01/2016,Rent,-50,-60', '29/01/2016,Dues,90,99'];
    assert.deepEqual(await kindsOf(lines), ['amount', 'moneyOut']);
  });

  it('not those whose answers say the other side again', async () => {
    const lines = [
      'Date,Memo,Debit,Credit',
      ...['28/01/2016,Rent,,500', '29/01/2016,Gift,80,', '30/01/2016,Ink,,30'],
      '31/01/2016,Ink back,,-30',
    ];
    assert.deepEqual(await kindsOf(lines), ['moneyOut']);
    const { questions } = await inspectBytes(Buffer.from(`${lines.join('\n')}\n`), [
      ...['--money-out', 'Credit'],
    ]);
    assert.deepEqual(questions[0]?.choices.map(showChoice), [
      '--map out=Credit --map in=Debit',
      '--map out=-Credit --map in=Debit',
    ]);
  });

  it('which side is money out, where only a cancelled payment is negative', async () => {
    const days = Array.from({ length: 11 }, (_, at) => `${at + 13}/01/2016,Tea ${at},,5.00`);
    const lines = ['Date,Memo,Debit,Credit', ...days, '27/01/2016,Tea undone,-5.00,'];
    assert.deepEqual(await kindsOf(lines), ['moneyOut']);
  });

  it('with the sums that each answer gives, what was reversed among them', async () => {
    const rows = ['28/01/2016,Gift,90,', '29/01/2016,Ink,,30', '30/01/2016,Tea,,20'];
    const lines = ['Date,Memo,Debit,Credit', ...rows, '31/01/2016,Ink back,,-30'];
    const { questions } = await inspectBytes(Buffer.from(`${lines.join('\n')}\n`), []);
    const sums = questions[0]?.choices.map(({ meaning }) => meaning?.split(';')[0]);
    assert.deepEqual(sums, ['2 rows, 120.00 in total', '2 rows, 50.00 in total']);
  });

  it('a third word after the side of debit and credit', async () => {
    const lines = [
      'Date,Memo,Amount,Sign',
      ...['28/01/2016,Rent,500,Debit', '29/01/2016,Gift,80,Credit', '30/01/2016,Move,7,Neither'],
    ];
    assert.deepEqual(await kindsOf(lines), ['moneyOut']);
    assert.deepEqual(await kindsOf(lines, '--money-out', 'Credit'), ['notRow']);
  });

  it('not those that only one of the answers leads to', async () => {
    const lines = [
      'Date,Memo,Amount,Paid out,Paid in',
      '31/01/2016,Rent,9,8,',
      '30/01/2016,Food,7,,6',
    ];
    assert.deepEqual(await kindsOf(lines), ['amount']);
    assert.deepEqual(await kindsOf(lines, '--map', 'amount=Amount'), ['moneyOut']);
  });

  it('nothing of a file with the columns of a pushed row, whose ids and signs count', async () => {
    const rows = ['1,2016-01-28,Rent,100', '2,2016-01-29,Gift,-500', '2,2016-01-30,Ink,3'];
    const own = ['externalId,date,description,amount', ...rows];
    const found = await inspectBytes(Buffer.from(`${own.join('\n')}\n`), []);
    assert.deepEqual(found.questions, []);
    const { externalId, amount } = found.mapping?.fields ?? {};
    assert.deepEqual([externalId, amount], ['externalId', 'amount']);
    assert.deepEqual(found.mapping?.rests, ['dates', 'decimal', 'whole amounts']);
    const turned = await inspectBytes(Buffer.from(own.join('\n')), ['--money-out', 'negative']);
    assert.deepEqual(turned.mapping?.fields.amount, { column: 'amount', negate: true });
    const exported = [
      'id,externalId,date,description,amount,reference,allocatedAmount,createdAt',
      ...['x1,1,2016-01-28,Rent,100,,90,2016-02-05', 'x2,2,2016-01-29,Ink,3,,2,2016-02-05'],
    ];
    const { mapping: whole } = await inspectBytes(Buffer.from(exported.join('\n')), []);
    assert.deepEqual(Object.keys(whole?.fields ?? {}), [
      ...['externalId', 'date', 'description', 'amount', 'reference'],
    ]);
    assert.equal(whole?.fields.reference, 'reference');
    const another = ['externalId,date,text,amount', ...rows];
    assert.deepEqual(await kindsOf(another), ['moneyOut']);
  });
});
