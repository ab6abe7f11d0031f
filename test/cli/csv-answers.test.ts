import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { explain } from '../../src/cli/advice.ts';
import { main } from '../../src/cli/main.ts';
import { rowFile } from '../../src/cli/push/row-files.ts';
import { readWrittenAmount } from '../../src/rows/amount-writing.ts';
import { readMapping } from '../../src/rows/mapping-file.ts';
import { Sink } from '../client/desk.ts';
import { inspectBytes, readWith } from './dialects/reading.ts';

/** csv inspect on a terminal with typed answers, in a folder with one file. */
function openDesk(t: TestContext, text: string) {
  const cwd = mkdtempSync(join(tmpdir(), 'budgetd-answers-'));
  t.after(() => rmSync(cwd, { recursive: true }));
  writeFileSync(join(cwd, 'a.csv'), text);
  return {
    async type(...typed: string[]) {
      const [stdout, stderr] = [new Sink(), new Sink()];
      const stdin = Readable.from(typed.map((line) => `${line}\n`));
      Object.assign(stdin, { isTTY: true });
      stderr.isTTY = true;
      const io = { stdin, stdout, stderr, env: {}, cwd };
      const exitCode = await main(['csv', 'inspect', 'a.csv'], io);
      return { exitCode, stdout: stdout.text, stderr: stderr.text };
    },
    mapping: () => JSON.parse(readFileSync(join(cwd, 'a.map.json'), 'utf8')),
  };
}

const lines = (...all: string[]) => Buffer.from(all.map((line) => `${line}\r\n`).join(''));

/** The questions, each with its options. */
async function askedOf(bytes: Buffer, ...options: string[]) {
  const { questions } = await inspectBytes(bytes, options);
  return questions.map(({ id, choices }) => [id, ...choices.map(({ option }) => option[1])]);
}

async function rowsOf(bytes: Buffer, ...options: string[]) {
  const { mapping, questions } = await inspectBytes(bytes, options);
  assert.deepEqual(questions, []);
  const { entries } = await readWith(bytes, mapping);
  return entries.map(({ row, line }) => [line, Reflect.get(Object(row), 'amount')]);
}

const TWO_BOOKS = 'Date,Details,Amount,Paid out,Paid in\n31/01/2016,Rent,9.00,8.00,\n';

test('8 a choice of two options is one number on a terminal', async (t) => {
  const { type, mapping } = openDesk(t, TWO_BOOKS);
  const ended = await type('2');
  assert.equal(ended.exitCode, 0, ended.stderr);
  assert.match(
    ended.stderr,
    /--map "out=Paid out" --map "in=Paid in"\n +Paid out is money out: line 2/,
  );
  assert.deepEqual(mapping().fields.amount, { out: 'Paid out', in: 'Paid in' });
});

test('8 several options can be typed on one line, quoted as in a shell', async (t) => {
  const { type, mapping } = openDesk(t, TWO_BOOKS);
  const ended = await type('--map "out=Paid out" --map in="Paid in"');
  assert.equal(ended.exitCode, 0, ended.stderr);
  assert.deepEqual(mapping().fields.amount, { out: 'Paid out', in: 'Paid in' });
});

test('8 a question is asked again if the file contradicts the answer', async (t) => {
  const { type } = openDesk(t, 'Date,Details,Amount\n31/01/2016,Rent,-8.00\n');
  const ended = await type('--money-out Debit', '1');
  assert.equal(ended.exitCode, 0, ended.stderr);
  assert.match(
    ended.stderr,
    /negative or positive here, not "Debit"\. Answer these questions again/,
  );
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
  assert.equal(open.layout?.headerLine.evidence.because, 'you set --header 2');
  const answers = ['--money-out', 'negative', '--map', 'description=Wofür'];
  const found = await rowsOf(file, '--header', '2', ...answers);
  assert.deepEqual(found.slice(-2), [
    [4, 8],
    [5, -5],
  ]);
  const counted = ['--money-out', 'negative', '--map', 'description=#2'];
  assert.deepEqual(await rowsOf(file, '--header', 'none', ...counted), found.slice(-2));
  await assert.rejects(inspectBytes(file, ['--header', '9']), /--header 9: that line is empty/);
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
  const { mapping } = await inspectBytes(month('31/01/2016'), options);
  const { entries, remarks } = await readWith(
    month('29/02/2016', '28/02/2016,Tea,-2.00,Declined'),
    mapping,
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
  const text = questions.find(({ id }) => id === 'dateFormat')?.text ?? '';
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
  const { questions } = await inspectBytes(file, []);
  assert.deepEqual(
    questions.map(({ choices }) => choices.map(({ option, and }) => [option[1], and?.[1]])),
    [
      [
        ['out=Paid out (GBP)', 'in=Paid in (GBP)'],
        ['out=Paid out (EUR)', 'in=Paid in (EUR)'],
      ],
    ],
  );
});

test('8 a column State that is not a status is not in the mapping', async () => {
  const file = lines(
    'Date,Details,Amount,State',
    '31/01/2016,Rent,-8.00,TX',
    '30/01/2016,Tea,-1.00,CA',
  );
  const { mapping } = await inspectBytes(file, ['--money-out', 'negative']);
  assert.equal(mapping?.['status'], undefined);
});

test('8 a balance alone is the amount only if the user says so', async () => {
  const file = lines('Date,Details,Balance', '31/01/2016,Rent,8.00', '30/01/2016,Gift,5.00');
  assert.deepEqual(await askedOf(file), [['amount', 'amount=Balance']]);
});

test('8 an id that repeats often does not identify 300 rows', async () => {
  const rows = Array.from(
    { length: 300 },
    (_, at) => `T${at % 3},31/01/2016,Text ${at},-${at + 1}.00`,
  );
  const file = lines('Transaction ID,Date,Details,Amount', ...rows);
  const { externalId } = await inspectBytes(file, ['--money-out', 'negative']);
  assert.deepEqual(externalId?.value, { isMade: true });
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
    /^line 2 has 4 values, but the header has 3 names\. A value with a "," in/,
  ],
];

for (const [name, bytes, says] of NO_TABLES) {
  test(`8 csv inspect explains what is wrong with ${name}`, async () => {
    await assert.rejects(inspectBytes(bytes, []), { message: says });
  });
}

test('8 a kind of minus that the mapping does not allow is rejected by name', () => {
  for (const [text, says] of [
    ['(8.00)', '"(8.00)" is in brackets. Write -8.00, or use a mapping from `budgetd csv inspect`'],
    ['8.00-', '"8.00-" has its minus at the end. Write -8.00, or use a mapping from'],
  ] as const) {
    const read = readWrittenAmount(text, { decimal: '.', currency: '£' });
    assert.equal('problem' in read && explain(read.problem).startsWith(says), true);
  }
});

test('8 a mapping with notRows needs a file, not a pipe', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-pipe-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const pipe = join(folder, 'a.csv');
  assert.equal(spawnSync('mkfifo', [pipe]).status, 0);
  const fields = { externalId: 'i', date: 'd', description: 't', amount: 'a' };
  const document = { fields, notRows: [{ begins: 'Total' }] };
  const mapping = readMapping(document);
  const file = rowFile(pipe, { mapping });
  const opened = assert.rejects(file.open(), /needs a file, not a pipe: the file is read twice/);
  await writeFile(pipe, 'i,d,t,a\n');
  await opened;
  file.close();
});

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
