import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { main } from '../../src/cli/main.ts';
import { counts, metaOf, openDesk, Sink } from '../client/desk.ts';

/** A folder in which `csv inspect` runs. */
function openFolder(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'budgetd-inspect-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    write: (name: string, data: string | Buffer) => writeFileSync(join(folder, name), data),
    read: (name: string) => readFileSync(join(folder, name), 'utf8'),
    inspect: (...args: string[]) => inspectIn(folder, args),
  };
}

async function inspectIn(cwd: string, args: string[], typed?: readonly string[]) {
  const [stdout, stderr] = [new Sink(), new Sink()];
  const stdin = Readable.from((typed ?? []).map((line) => `${line}\n`));
  if (typed !== undefined) {
    Object.assign(stdin, { isTTY: true });
    stderr.isTTY = true;
  }
  const io = { stdin, stdout, stderr, env: {}, cwd };
  const exitCode = await main(['csv', 'inspect', ...args], io);
  return { exitCode, stdout: stdout.text, stderr: stderr.text };
}

const BANK = `Datum;Verwendungszweck;Betrag
31.01.2016;Miete;-750,00
01.02.2016;Beitrag;50,00
`;

test('8 csv inspect writes a mapping and prints the command to push with', async (t) => {
  const { write, read, inspect } = openFolder(t);
  write('bank file.csv', BANK);
  const open = await inspect('bank file.csv');
  assert.equal(open.exitCode, 1);
  assert.match(open.stdout, /The file leaves 1 question open:/);
  assert.match(
    open.stdout,
    /--money-out negative\n +money out: 1 row, 750\.00 in total \(usual in bank files\)/,
  );
  assert.match(open.stdout, /budgetd csv inspect "bank file\.csv" --…/);
  const stated = await inspect('bank file.csv', '--map', 'my map.json');
  assert.match(stated.stdout, /inspect "bank file\.csv" --map "my map\.json" --…/);
  assert.throws(() => read('bank file.map.json'));

  const done = await inspect('bank file.csv', '--money-out', 'negative');
  assert.equal(done.exitCode, 0, done.stderr);
  assert.match(done.stdout, /line 2 has "31\.01\.2016": there is no month 31, so 31 is the day/);
  assert.match(done.stdout, /Money out +750\.00 {2}1 row\n +Money in +50\.00 {2}1 row\n/);
  assert.match(done.stdout, /it\s+reverses\s+every\s+sign/);
  assert.match(
    done.stdout,
    /\n {2}budgetd push "bank file\.csv" --map "bank file\.map\.json" --url …\n$/,
  );
  assert.deepEqual(JSON.parse(read('bank file.map.json')), {
    delimiter: ';',
    decimal: ',',
    fields: {
      externalId: { made: ['Datum', 'Betrag', 'Verwendungszweck'] },
      date: { column: 'Datum', format: 'DD.MM.YYYY' },
      description: 'Verwendungszweck',
      amount: { column: 'Betrag', negate: true },
    },
    header: ['Datum', 'Verwendungszweck', 'Betrag'],
    rests: ['dates', 'decimal'],
  });
  const again = await inspect('bank file.csv', '--money-out', 'negative');
  assert.equal(again.exitCode, 0, 'the same mapping is there already');
  const other = await inspect('bank file.csv', '--money-out', 'positive');
  assert.equal(other.exitCode, 1);
  assert.match(other.stderr, /bank file\.map\.json already exists with another mapping/);
  assert.match(
    other.stdout,
    /To write it to another file:\n {2}budgetd csv inspect .* --map OTHER\.json/,
  );
  const named = await inspect('bank file.csv', '--money-out=positive', '--map', 'other.json');
  assert.equal(named.exitCode, 0);
  assert.equal(JSON.parse(read('other.json')).fields.amount, 'Betrag');
});

test('8 csv inspect offers a rule for lines without a date', async (t) => {
  const { write, read, inspect } = openFolder(t);
  const payments = ['2016-01-28,Rent,-400.00', '2016-01-29,Tea,-2.00', '2016-01-30,Gift,50.00'];
  const lines = payments.flatMap((line) => [line, `,Other side,${line.split(',')[2]?.slice(1)}`]);
  write('a.csv', ['Date,Description,Amount', ...lines, ''].join('\n'));
  const open = await inspect('a.csv', '--json');
  const [question] = JSON.parse(open.stdout).questions;
  assert.match(question.text, /^3 of 6 rows would be rejected/);
  const [choice] = question.choices;
  assert.deepEqual(
    [choice.option, choice.meaning],
    ['--not-row ""', 'lines without Date are not payments'],
  );
  const done = await inspect('a.csv', '--not-row', '');
  assert.equal(done.exitCode, 0, done.stdout);
  assert.match(done.stdout, /^3 rows, 2016-01-28 to 2016-01-30$/m);
  assert.deepEqual(JSON.parse(read('a.map.json')).notRows, [{ column: 'Date', is: '' }]);
});

test('8 csv inspect counts rows whose ids repeat as an import stores them', async (t) => {
  const { world, cwd, run, write } = await openDesk(t);
  const rows = [
    '28.01.2016;V1;Rent;-400,00',
    '29.01.2016;V2;Tea;-2,00',
    '31.01.2016;V1;Gift;50,00',
  ];
  write('a.csv', ['Datum;Beleg;Text;Betrag', ...rows, ''].join('\n'));
  const answers = ['--map', 'externalId=Beleg', '--money-out', 'negative'];
  const { stdout } = await inspectIn(cwd, ['a.csv', ...answers, '--json']);
  const { repeated, moneyOut, moneyIn, from, mapping } = JSON.parse(stdout);
  assert.deepEqual(repeated, { count: 1, first: [{ line: 2, byLine: 4, externalId: 'V1' }] });
  assert.deepEqual([moneyOut.total, moneyIn.total, from], [2, -50, '2016-01-29']);
  const page = await inspectIn(cwd, ['a.csv', ...answers]);
  assert.match(page.stdout, /^2 rows, 2016-01-29 to 2016-01-31$/m);
  assert.match(
    page.stdout,
    /1 more row has the externalId of a later row.*:\n {2}line 2: V1 is in/,
  );
  assert.ok(mapping !== null);
  const push = await run(['a.csv', '--map', 'a.map.json', '--url', world.url]);
  assert.equal(push.exitCode, 0, push.stderr);
  assert.match(push.stderr, /3 rows: 2 created, 1 updated/);
});

test('8 no mapping is written under which many rows are rejected', async (t) => {
  const { write, inspect } = openFolder(t);
  write(
    'a.csv',
    'date,description,paid out,paid in\n2016-01-28,Rent,400.00,\n2016-01-29,,2.00,\n' +
      '2016-01-30,,30.00,\n2016-01-31,Gift,,50.00\n',
  );
  const open = await inspect('a.csv', '--json');
  const { questions, rejected, mapFile } = JSON.parse(open.stdout);
  assert.deepEqual([open.exitCode, rejected.count, mapFile], [1, 2, null]);
  assert.match(
    questions[0].text,
    /^2 of 4 rows would be rejected, the first in line 3: description /,
  );
  assert.deepEqual(questions[0].choices, [
    {
      option: '--row all',
      meaning: 'yes: leave them out and read the rest',
      examples: [
        'line 3: rejected: "2016-01-29", "2.00" – description is empty or only white space.',
        'line 4: rejected: "2016-01-30", "30.00" – description is empty or only white space.',
      ],
    },
  ]);
  const done = await inspect('a.csv', '--json', '--row', 'all');
  assert.deepEqual([done.exitCode, JSON.parse(done.stdout).rejected.count], [0, 2]);
});

test('8 csv inspect --json prints one document with the evidence', async (t) => {
  const { write, inspect } = openFolder(t);
  write('a.csv', BANK);
  const open = JSON.parse((await inspect('a.csv', '--json')).stdout);
  assert.deepEqual(open.questions[0].choices[0], {
    option: '--money-out negative',
    meaning: 'money out: 1 row, 750.00 in total (usual in bank files)',
    examples: [
      'line 2: 2016-01-31, 750.00 money out, "Miete"',
      'line 3: 2016-02-01, 50.00 money in, "Beitrag"',
    ],
  });
  assert.deepEqual([open.mapping, open.mapFile, open.push, open.moneyIn], [null, null, null, null]);
  const { exitCode, stdout } = await inspect('a.csv', '--json', '--map', 'amount=-Betrag');
  const done = JSON.parse(stdout);
  assert.equal(exitCode, 0);
  assert.deepEqual(done.dateFormat, {
    value: 'DD.MM.YYYY',
    evidence: {
      line: 2,
      text: '31.01.2016',
      because: 'line 2 has "31.01.2016": there is no month 31, so 31 is the day',
    },
  });
  assert.deepEqual(
    [done.moneyOut, done.moneyIn],
    [
      { rows: 1, total: 750 },
      { rows: 1, total: -50 },
    ],
  );
  assert.deepEqual([done.mapFile, done.questions, done.rejected.count], ['a.map.json', [], 0]);
});

test('8 csv inspect reads a file with the mapping of an earlier one, and says so', async (t) => {
  const { folder, write, read, inspect } = openFolder(t);
  write('january.csv', BANK);
  await inspect('january.csv', '--money-out', 'negative');
  const february = BANK.replaceAll('.0', '.1').replace('31.11', '30.11');
  write('february.csv', february);
  const done = await inspect('february.csv');
  assert.equal(done.exitCode, 0, done.stdout);
  assert.match(done.stdout, /^Read by +january\.map\.json\n +the mapping of an earlier file/m);
  assert.match(done.stdout, /2 rows, 2016-11-30 to 2016-12-01/);
  assert.match(done.stdout, /Next:\n {2}budgetd push february\.csv --map january\.map\.json --url/);
  const { readBy, mapFile } = JSON.parse((await inspect('february.csv', '--json')).stdout);
  assert.deepEqual([readBy, mapFile], ['january.map.json', 'january.map.json']);

  mkdirSync(join(folder, 'maps'));
  write('maps/bank.json', read('january.map.json'));
  rmSync(join(folder, 'january.map.json'));
  const elsewhere = await inspect('february.csv', '--maps', 'maps', '--map', 'own.json');
  assert.equal(elsewhere.exitCode, 0, elsewhere.stdout);
  assert.match(elsewhere.stdout, /Read by +maps\/bank\.json/);
  assert.equal(read('own.json'), read('maps/bank.json'));

  const own = read('own.json');
  const others: readonly [name: string, text: string, ...maps: string[]][] = [
    ['another column', february.replace('Datum;', 'Valuta;'), own],
    ['one column more', february.replaceAll('\n', ';x\n'), own],
    ['another date format', february.replaceAll('.2016', '.16'), own],
    [
      'another encoding',
      february.replace('Miete', 'Büro'),
      own.replace('{', '{ "encoding": "windows-1250",'),
    ],
    ['two mappings', february, own, own.replace('"negate": true', '"negate": false')],
  ];
  for (const [name, text, ...maps] of others) {
    for (const [at, map] of maps.entries()) write(['maps/bank.json', 'maps/b.json'][at] ?? '', map);
    write('march.csv', text);
    const open = await inspect('march.csv', '--maps', 'maps');
    assert.equal(open.exitCode, 1, name);
    assert.doesNotMatch(open.stdout, /Read by/, name);
  }
});

test('8 on a terminal csv inspect asks, and accepts numbers or options', async (t) => {
  const { folder, write, read } = openFolder(t);
  write(
    'a.csv',
    'Date,Due date,Text,Amount\n01/02/2016,05/07/2016,Rent,-1\n03/02/2016,06/08/2016,Gift,2\n',
  );
  const typed = ['1', 'nonsense', '2', '1'];
  const done = await inspectIn(folder, ['a.csv'], typed);
  assert.equal(done.exitCode, 0, done.stderr);
  assert.match(done.stderr, /Which date is the date of the payment: Date or Due date\?/);
  assert.match(done.stderr, /That is not one of the answers\./);
  const { fields } = JSON.parse(read('a.map.json'));
  assert.deepEqual(fields.date, { column: 'Date', format: 'DD/MM/YYYY' });
  assert.deepEqual(fields.amount, 'Amount');
  rmSync(join(folder, 'a.map.json'));
  const left = await inspectIn(folder, ['a.csv', '--map', 'b.json'], ['', '--money-out negative']);
  assert.equal(left.exitCode, 1);
  assert.match(left.stdout, /--money-out negative --map b\.json --…/);
});

test('8 csv inspect says which date it took, and how to take the other', async (t) => {
  const { write, inspect } = openFolder(t);
  write('a.csv', 'Booked,Value date,Text,Amount\n02/01/2016,31/01/2016,Rent,-1\n');
  const done = await inspect('a.csv', '--money-out', 'negative');
  assert.equal(done.exitCode, 0, done.stdout);
  const said = 'Value date is never of another month. To change it, add --map "date=Value date"';
  assert.ok(done.stdout.replace(/\s+/g, ' ').includes(said), done.stdout);
});

const WRONG: readonly [name: string, args: readonly string[], says: RegExp][] = [
  ['no file', [], /FILE is missing/],
  ['a format that the file contradicts', ['--date-format', 'MM/DD/YYYY'], /line 2 has "31\.01/],
  [
    'a sign that the file contradicts',
    ['--decimal', '.'],
    /line 2 has "-750,00", which is not a number then/,
  ],
  [
    'a column that is not there',
    ['--map', 'date=Day'],
    /no column "Day"\. Its columns are: "Datum"/,
  ],
  ['an unknown field', ['--map', 'payee=Datum'], /"payee" is not one of externalId, date/],
  ['an unsuitable --money-out', ['--money-out', 'Soll'], /negative or positive here, not "Soll"/],
  ['an encoding', ['--encoding', 'ebcdic'], /must be one of utf-8/],
  ['a header', ['--header', 'first'], /must be a line number/],
  ['two files to write', ['--map', 'a.json', '--map', 'b.json'], /one mapping file/],
  ['half a format', ['--date-format', 'DD.MM'], /not a date format/],
  [
    'a format that fits no day',
    ['--map', 'date=Betrag:DD/MM/YYYY'],
    /--date-format: line 2 has "-750,00", which is not DD\/MM\/YYYY/,
  ],
];

for (const [name, args, says] of WRONG) {
  test(`8 csv inspect, exit 2: ${name}`, async (t) => {
    const { write, inspect } = openFolder(t);
    write('a.csv', BANK);
    const ended = await inspect(...(name === 'no file' ? [] : ['a.csv', ...args]));
    assert.equal(ended.exitCode, 2, ended.stdout);
    assert.match(ended.stderr, says);
  });
}

const BROKEN: readonly [name: string, data: string | Buffer, says: RegExp][] = [
  ['an empty file', '', /a\.csv: it is empty/],
  [
    'two tables',
    'Date,Text,Paid out,Paid in\n31/01/2016,A,5,\nDate,Text,Paid in,Paid out\n30/01/2016,B,5,\n',
    /line 3 is a second header, with other columns\. Save line 3 and the lines below/,
  ],
  ['no table', 'Dear all,\nnothing here.\n', /no line has a date and an amount/],
  ['only months', 'Month,Text,Sum\n2016-01,A,5.00\n', /line 2 has only a month, "2016-01"\. Each/],
  ['a broken quote', `${BANK}01.03.2016;"x;1,00\n`, /line 4: a value starts with a quotation mark/],
];

for (const [name, data, says] of BROKEN) {
  test(`8 csv inspect, exit 1 and one line: ${name}`, async (t) => {
    const { write, inspect } = openFolder(t);
    write('a.csv', data);
    const ended = await inspect('a.csv');
    assert.equal(ended.exitCode, 1);
    assert.match(ended.stderr, says);
    assert.equal(ended.stderr.split('\n').length, 2);
  });
}

const FOLDERS = ['../shared/data/oxford-2015-16', 'data/oxford-2015-16'];
const OXFORD: readonly [name: string, rows: number][] = [
  ['2015-q2.csv', 3993],
  ['2015-q3.csv', 3461],
  ['2015-q4.csv', 3918],
  ['2016-q1.csv', 3908],
];

test('8 the four Oxford files can be inspected and pushed without a question', async (t) => {
  const { world, cwd, run } = await openDesk(t);
  for (const [name, rows] of OXFORD) {
    const path = FOLDERS.map((folder) => resolve(folder, name)).find((each) => existsSync(each));
    if (path === undefined) continue;
    const map = `${name}.map.json`;
    const done = await inspectIn(cwd, [path, '--map', map, '--json']);
    assert.equal(done.exitCode, 0, done.stderr);
    const found = JSON.parse(done.stdout);
    assert.match(found.description.columns.join(), /^expenditure.category$/i);
    assert.match(found.contact.columns.join(), /^supplier.name$/i);
    const pushed = await run([path, '--map', map, '--url', world.url, '--json']);
    const meta = { ...counts(rows, rows, 0, 0), unchanged: 0, warnings: 0 };
    assert.deepEqual(metaOf(pushed), meta, pushed.stderr);
  }
});
