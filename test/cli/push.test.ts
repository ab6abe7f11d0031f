import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { pushTransactions } from '../../src/operations/transactions.ts';
import { counts, csvOf, HEADER, metaOf, openDesk, stored } from '../client/desk.ts';
import { clientOf, FastClock, rowsOf } from '../client/world.ts';

test('8 push sends CSV, JSON, NDJSON and standard input, and prints the counts', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', csvOf(3, 'A'));
  write('b.json', JSON.stringify(rowsOf(3, 'B')));
  write('c.json', JSON.stringify({ rows: rowsOf(3, 'C') }));
  write(
    'd.NDJSON',
    rowsOf(3, 'D')
      .map((row) => JSON.stringify(row))
      .join('\n'),
  );
  write(
    'e.jsonl',
    rowsOf(3, 'E')
      .map((row) => JSON.stringify(row))
      .join('\n'),
  );
  for (const file of ['a.csv', 'b.json', 'c.json', 'd.NDJSON', 'e.jsonl']) {
    const ended = await run([file, '--url', world.url]);
    assert.equal(ended.exitCode, 0, ended.stderr);
    assert.equal(ended.stdout, '');
    const read = 'Read: 3 rows, 2026-01-31 to 2026-01-31, money out 40.50, money in 0.00.\n';
    assert.equal(ended.stderr, `${read}Done: 3 rows: 3 created, 0 updated, 0 rejected.\n`);
  }
  const stdin = Readable.from([JSON.stringify(rowsOf(3, 'F'))]);
  const ended = await run(['-', '--url', world.url, '--json'], { stdin });
  assert.deepEqual(metaOf(ended), counts(3, 3, 0, 0));
  assert.equal(await stored(world), 18);
});

test('17 what is read leaves out a row of a day that does not exist', async (t) => {
  const { world, run, write } = await openDesk(t);
  const [row] = rowsOf(1);
  write('a.json', JSON.stringify([row, { ...row, externalId: 'X', date: '2026-02-31' }]));
  const { exitCode, stderr } = await run(['a.json', '--url', world.url]);
  assert.equal(exitCode, 3);
  assert.match(stderr, /^Read: 1 row, 2026-01-31 to 2026-01-31, money out 12\.50,/);
});

test('8 pushing again updates, --dry-run stores nothing, --quiet shows nothing', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', csvOf(3));
  const dry = await run(['a.csv', '--url', world.url, '--dry-run', '--json']);
  assert.deepEqual(metaOf(dry), { ...counts(3, 3, 0, 0), dryRun: true });
  assert.match(dry.stderr, /Dry run, nothing stored: 3 rows/);
  assert.equal(await stored(world), 0);
  const first = await run(['a.csv', '--url', world.url, '--quiet']);
  assert.deepEqual([first.exitCode, first.stdout, first.stderr], [0, '', '']);
  const second = await run(['a.csv', '--url', world.url, '--json']);
  assert.deepEqual(metaOf(second), { ...counts(3, 0, 3, 0), unchanged: 3 });
});

test('8 exit 3: some rows rejected; their corrected file can be pushed', async (t) => {
  const { world, run, write, read } = await openDesk(t);
  const header = 'Trans No;Paid Date;What;Sum;Notes;code\r\n';
  const lines = [
    'a;31/01/2026;Tea;-1,50;"one; two";X\r\n',
    'b;31/02/2026;"Milk ""fresh""";2,00;;X\r\n',
    'c;01/02/2026;   ;3,00;n;X\r\n',
    'd;01/02/2026;Bread;4,00;n\r\n',
    'e;01/02/2026;Salt;5,00;n;X;surplus\r\n',
  ];
  write('in.csv', `\ufeff${header}${lines.join('')}`);
  const args = ['--url', world.url, '--json', '--decimal', ',', '--map', 'externalId=Trans No'];
  args.push('--map', 'date=Paid Date:DD/MM/YYYY', '--map', 'description=What');
  args.push('--map', 'amount=-Sum', '--map', 'accountCode=code');
  const ended = await run(['in.csv', ...args]);
  assert.equal(ended.exitCode, 3);
  assert.deepEqual(metaOf(ended), counts(5, 1, 0, 4));
  assert.match(
    ended.stderr,
    /line 3 rejected: Paid Date \(date\): "31\/02\/2026": there is no 31 February 2026\./,
  );
  assert.match(ended.stderr, /line 4 rejected: What \(description\): .* \[blank\]/);
  assert.match(ended.stderr, /The rejected rows are in .*in\.rejected\.csv\. Fix them and push/);
  const rejected = read('in.rejected.csv').split('\r\n');
  assert.equal(
    rejected[0],
    '\ufeffTrans No;Paid Date;What;Sum;Notes;code;rejected_line;rejected_code;rejected_reason',
  );
  assert.match(rejected[1] ?? '', /^b;31\/02\/2026;"Milk ""fresh""";2,00;;X;3;invalid_date;"Paid/);
  assert.match(rejected[2] ?? '', /^c;01\/02\/2026;" {3}";3,00;n;X;4;blank;What/);
  assert.match(rejected[3] ?? '', /^d;01\/02\/2026;Bread;4,00;n;;5;field_count;/);
  assert.match(rejected[4] ?? '', /^e;01\/02\/2026;Salt;5,00;n;X;6;field_count;.*;surplus$/);
  const mended = read('in.rejected.csv')
    .replace('31/02', '28/02')
    .replace('"   "', 'Jam')
    .replace(';surplus', '');
  write('in.rejected.csv', mended.replace('Bread;4,00', 'Bread;four'));
  const again = await run(['in.rejected.csv', ...args]);
  assert.deepEqual(metaOf(again), counts(4, 3, 0, 1));
  const third = read('in.rejected.rejected.csv').split('\r\n');
  assert.equal(third[0], rejected[0]);
  assert.match(third[1] ?? '', /^d;01\/02\/2026;Bread;four;n;;4;invalid_amount;/);
});

test('8 the columns that a file of rejected rows adds are ignored silently', async (t) => {
  const { world, run, write, read } = await openDesk(t);
  write('in.csv', `${HEADER}a,2026-01-31,Tea,x\n`);
  assert.equal((await run(['in.csv', '--url', world.url])).exitCode, 5);
  assert.match(read('in.rejected.csv'), /^externalId,date,description,amount,line,code,reason\n/);
  write('in.rejected.csv', read('in.rejected.csv').replace(',x,', ',1,'));
  const ended = await run(['in.rejected.csv', '--url', world.url]);
  assert.equal(ended.exitCode, 0);
  assert.doesNotMatch(ended.stderr, /not sent/);
});

test('8 rejected JSON rows are written to --rejected as NDJSON, which can be pushed', async (t) => {
  const { world, run, write, read } = await openDesk(t);
  const [one, two] = rowsOf(2);
  write('in.ndjson', `${JSON.stringify(one)}\n${JSON.stringify({ ...two, date: 'x' })}\n5\n{"a`);
  const args = ['--url', world.url, '--json'];
  const plain = await run(['in.ndjson', ...args]);
  assert.deepEqual([plain.exitCode, metaOf(plain)], [3, counts(4, 1, 0, 3)]);
  await run(['in.ndjson', ...args, '--rejected', 'out.ndjson']);
  const lines = read('out.ndjson')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.equal(lines[0].externalId, two?.externalId);
  assert.deepEqual([lines[0]._rejected.line, lines[0]._rejected.code], [2, 'invalid_date']);
  assert.deepEqual([lines[1]._rejected.row, lines[1]._rejected.code], [5, 'not_an_object']);
  assert.deepEqual([lines[2]._rejected.text, lines[2]._rejected.code], ['{"a', 'invalid_json']);
  write('out.ndjson', JSON.stringify({ ...lines[0], date: '2026-01-31' }));
  const mended = await run(['out.ndjson', ...args]);
  assert.deepEqual(metaOf(mended), counts(1, 1, 0, 0));
  assert.doesNotMatch(mended.stderr, /_rejected/);
});

test('8 exit 5: every row rejected, by the service (422) or before', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', `${HEADER}a,2026-01-31,,1\nb,2026-01-31,Tea,1.005\n`);
  write('b.csv', `${HEADER}a,x,Tea,1\nb,x,Tea,1\n`);
  for (const file of ['a.csv', 'b.csv']) {
    const ended = await run([file, '--url', world.url, '--json', '--dry-run']);
    assert.equal(ended.exitCode, 5);
    assert.deepEqual(metaOf(ended), { ...counts(2, 0, 0, 2), dryRun: true });
  }
});

test('8 a row that is larger than a request is rejected, and the others are sent', async (t) => {
  const { world, run, write } = await openDesk(t);
  const [one, two, three] = rowsOf(3);
  write('a.json', JSON.stringify([one, { ...two, memo: 'ü'.repeat(2_200_000) }, three]));
  const ended = await run(['a.json', '--url', world.url, '--json']);
  assert.deepEqual([ended.exitCode, metaOf(ended)], [3, counts(3, 2, 0, 1)]);
  assert.match(ended.stderr, /line 1 rejected: The row is larger .*\[row_too_large\]/);
});

test('8 twenty rejected rows are shown; the file has them all, in order', async (t) => {
  const { world, run, write, read } = await openDesk(t);
  const lines = Array.from({ length: 1500 }, (_, index) => {
    return index % 3 === 0 ? `r${index},2026-01-31,Tea,${index}\n` : BAD_LINES[index % 2];
  });
  write('a.csv', HEADER + lines.join(''));
  const ended = await run(['a.csv', '--url', world.url, '--json', '--quiet']);
  assert.deepEqual([ended.exitCode, metaOf(ended)], [3, counts(1500, 500, 0, 1000)]);
  assert.equal(ended.stderr.split('\n').length, 22);
  assert.match(ended.stderr, /… and 980 more rejected rows\./);
  const order = read('a.rejected.csv')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => Number(/,(\d+),[a-z_]+,/.exec(line)?.[1]));
  assert.equal(order.length, 1000);
  assert.deepEqual(
    order,
    [...order].sort((one, other) => one - other),
  );
});

const BAD_LINES = ['local,31.1.2026,Tea,1\n', 'remote,2026-01-31,,1\n'];

test('8 rejected rows that cannot be written are shown instead: exit 1', async (t) => {
  const { world, run, write } = await openDesk(t);
  const name = `${'x'.repeat(245)}.csv`;
  const bad = Array.from({ length: 30 }, (_, index) => `r${index},x,Tea,1\n`);
  write(name, csvOf(2) + bad.join(''));
  const args = [name, '--url', world.url, '--json'];
  const ended = await run(args);
  assert.equal(ended.exitCode, 1);
  assert.deepEqual(metaOf(ended), counts(32, 2, 0, 30));
  assert.equal(ended.stderr.match(/^line \d+ rejected: /gm)?.length, 30);
  assert.match(
    ended.stderr,
    /rows to .*rejected\.csv \(the name is too long\)\. They are shown above\. 32 rows answered/,
  );
});

test('8 on a terminal progress is one line that is updated', async (t) => {
  const { world, run, write } = await openDesk(t, true);
  write('a.csv', csvOf(1200));
  const ended = await run(['a.csv', '--url', world.url]);
  const [read, live, ...lines] = ended.stderr.split('\n');
  assert.match(read ?? '', /^Read: 1,200 rows/);
  assert.equal(live?.split('\r').filter((part) => part.includes('of 1,200 rows')).length, 3);
  assert.deepEqual(lines, ['']);
  const end = 'Done: 1,200 rows: 1,200 created, 0 updated, 0 rejected.\n';
  assert.ok(ended.stderr.endsWith(`\r\u001b[K${end}`));
});

test('6 a repeated externalId in a file is reported, also across batches', async (t) => {
  const { world, run, write } = await openDesk(t);
  const [, ...rows] = csvOf(600).split('\n');
  write('a.csv', `${csvOf(600)}${rows[0]}\n${rows[599]}\n${rows[599]}\n`);
  const ended = await run(['a.csv', '--url', world.url]);
  assert.equal(ended.exitCode, 0);
  assert.match(ended.stderr, /line 602: INV-0 is in line 2 too\n/);
  assert.match(ended.stderr, /line 604: INV-599 is in line 603 too\n/);
  assert.match(ended.stderr, /are one transaction\. The last one counts/);
});

test('6 warnings and rows to review are reported', async (t) => {
  const { world, run, write } = await openDesk(t);
  const rows = rowsOf(8).map((row) => ({ ...row, memo: 'x' }));
  write('a.json', JSON.stringify(rows, null, 1));
  const ended = await run(['a.json', '--url', world.url]);
  assert.match(
    ended.stderr,
    /^line 2 warning: memo: This member is unknown\..* \[unknown_field\]$/m,
  );
  assert.match(ended.stderr, /… and 3 more warnings \(unknown_field\)/);
  assert.match(ended.stderr, /\nDone: .*, 0 rejected\. 8 rows have warnings\.\n$/);
});

test('6 unchanged rows are counted separately from updated ones', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', csvOf(3));
  await run(['a.csv', '--url', world.url]);
  write('a.csv', csvOf(4).replace('Invoice 0', 'Changed'));
  const ended = await run(['a.csv', '--url', world.url, '--json']);
  assert.match(ended.stderr, /Done: 4 rows: 1 created, 1 updated, 2 unchanged, 0 rejected\.\n$/);
  assert.deepEqual(metaOf(ended), { ...counts(4, 1, 3, 0), unchanged: 2 });
});

test('8 nothing from a file reaches the terminal as a control character', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', `${HEADER}a,"\u001b[31mred",Tea,1\n`);
  const ended = await run(['a.csv', '--url', world.url]);
  assert.equal(ended.exitCode, 5);
  assert.ok(!ended.stderr.includes('\u001b'));
});

test('8 an empty file is not an error', async (t) => {
  const { world, run, write, cwd } = await openDesk(t);
  write('a.csv', HEADER);
  const ended = await run(['a.csv', '--url', world.url, '--json']);
  assert.deepEqual([ended.exitCode, metaOf(ended)], [0, counts(0, 0, 0, 0)]);
  assert.match(ended.stderr, /The file has no rows: nothing to push/);
  assert.ok(!existsSync(join(cwd, 'a.rejected.csv')));
});

test('17 a warning that few rows have comes before one that every row has', async (t) => {
  const { world, run, write } = await openDesk(t);
  const { service, organisationId } = world;
  const batch = { rows: rowsOf(1, 'A'), provider: 'csv', dryRun: false } as const;
  pushTransactions(service.access(organisationId), batch, service.actor());
  write(
    'a.json',
    JSON.stringify(
      rowsOf(3, 'A')
        .map((row) => ({ ...row, memo: 1 }))
        .reverse(),
    ),
  );
  const { stderr } = await run(['a.json', '--url', world.url]);
  assert.match(stderr, /\[other_provider\]\nline \d+ warning: memo/);
});

test('17 --id-prefix tells the rows of one system from those of another', async (t) => {
  const { world, run, write, read } = await openDesk(t);
  const wrong = [null, 7, { externalId: 1 }, { externalId: ' ' }, { externalId: 'x'.repeat(255) }];
  write('a.json', JSON.stringify([...rowsOf(2, 'A'), ...wrong]));
  const ended = await run(['a.json', '--url', world.url, '--id-prefix', 'ERP/', '--json']);
  assert.deepEqual(metaOf(ended), counts(7, 2, 0, 5));
  assert.match(ended.stderr, /not_an_object.*not_an_object.*invalid_type.*blank.*too_long/s);
  const rejected = read('a.rejected.ndjson');
  assert.ok(rejected.includes(`"${'x'.repeat(255)}"`) && !rejected.includes('ERP/'));
  const client = clientOf(world, new FastClock());
  const ids = async () => {
    const items = [];
    for await (const { externalId } of client.transactions.iterate()) items.push(externalId);
    return items.sort();
  };
  const [first = '', second = ''] = rowsOf(2, 'A').map(({ externalId }) => externalId);
  assert.deepEqual(await ids(), [`ERP/${first}`, `ERP/${second}`]);
  write('b.json', JSON.stringify(rowsOf(2, 'A')));
  const again = await run(['b.json', '--url', world.url, '--id-prefix', 'ERP/', '--json']);
  assert.deepEqual(metaOf(again), { ...counts(2, 0, 2, 0), unchanged: 2 });
  await run(['b.json', '--url', world.url, '--quiet']);
  assert.deepEqual(await ids(), [`ERP/${first}`, `ERP/${second}`, first, second].sort());
  for (const prefix of ['', 'a\tb', 'x'.repeat(101)]) {
    const refused = await run(['b.json', '--url', world.url, '--id-prefix', prefix]);
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /--id-prefix has 1 to 100 characters and no control character\./);
  }
});
