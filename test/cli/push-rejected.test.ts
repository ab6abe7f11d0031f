import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { JSON_VALUES } from '../../src/core/limits.ts';
import { counts, csvOf, HEADER, metaOf, openDesk, stored } from '../client/desk.ts';
import { rowsOf } from '../client/world.ts';

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

function ones(count: number): string {
  return Array(count).fill(1).join();
}

function rowText(externalId: string, more: string): string {
  return `{"externalId":"${externalId}","date":"2026-01-31","description":"Tea","amount":1${more}}`;
}

/** Rows that make the service refuse a whole request, or that JSON parsing would damage. */
const BAD_ROWS: readonly [text: string, code: string][] = [
  [rowText('deep', `,"x":${nested(30)}`), 'row_too_deep'],
  [rowText('deeper', `,"x":{"y":${nested(50)}}`), 'row_too_deep'],
  [rowText('deepest', `,"x":${nested(100_000)}`), 'row_too_deep'],
  [nested(31), 'row_too_deep'],
  [nested(30), 'not_an_object'],
  ['"x"', 'not_an_object'],
  [rowText('\\ud800', ''), 'invalid_characters'],
  [rowText('manifold', `,"x":[${ones(JSON_VALUES - 7)}]`), 'row_too_large'],
  [rowText('large', `,"x":"${'x'.repeat(4_194_200)}"`), 'row_too_large'],
  ['{"externalId":12345678901234567890,"amount":1.0000000000000000001}', 'invalid_type required'],
  ['{"externalId":"huge","amount":1e400}', 'amount_out_of_range'],
  ['{}', 'required'],
];

for (const form of ['ndjson', 'json'] as const) {
  test(`8 one bad row does not affect the others, and is kept (${form})`, async (t) => {
    const { world, run, write, read } = await openDesk(t);
    const good = rowsOf(490).map((row) => JSON.stringify(row));
    const texts = BAD_ROWS.map(([text]) => text);
    const all = [...good, ...texts, rowText('fine', `,"x":${nested(29)}`)];
    if (form === 'ndjson') write('a.ndjson', all.join('\n'));
    else write('a.json', `[\n${all.join(',\n').replace('{}', '{\n}')}\n]`);
    const ended = await run([`a.${form}`, '--url', world.url, '--json']);
    const meta = { ...counts(texts.length + 491, 491, 0, texts.length), warnings: 1 };
    assert.deepEqual(metaOf(ended), meta, ended.stderr);
    assert.equal(ended.exitCode, 3);

    const lines = read('a.rejected.ndjson').trimEnd().split('\n');
    assert.deepEqual(
      lines.map((line) => /"code":"([a-z_ ]+)"/.exec(line)?.[1]),
      BAD_ROWS.map(([, code]) => code),
    );
    for (const [index, text] of texts.entries()) {
      const own = text === '{}' ? '{"_rejected' : text.replace(/\}$/, ',"_rejected');
      assert.ok(lines[index]?.includes(own.slice(0, 500)), `${lines[index]?.slice(0, 300)}`);
    }
    // Pushed again, it is the same except for the line numbers and lines that are too long.
    const again = await run(['a.rejected.ndjson', '--url', world.url, '--json', '--quiet']);
    assert.equal(again.exitCode, 5, again.stderr);
    const anew = read('a.rejected.rejected.ndjson').trimEnd().split('\n');
    const isObject = (line: string) => !/^\{"_rejected"|"row_too_large"/.test(line);
    const plain = (line: string) => line.replace(/"line":\d+/, '');
    assert.deepEqual(anew.filter(isObject).map(plain), lines.filter(isObject).map(plain));
  });
}

test('8 rejected JSON rows can be pushed when corrected', async (t) => {
  const { world, run, write, read } = await openDesk(t);
  write(
    'a.json',
    `{"rows":[\n{"externalId":"A",\n"date":"x","description":"T\\n}","amount":1}\n]}`,
  );
  assert.equal((await run(['a.json', '--url', world.url])).exitCode, 5);
  write('a.rejected.ndjson', read('a.rejected.ndjson').replace('"x"', '"2026-01-31"'));
  const again = await run(['a.rejected.ndjson', '--url', world.url, '--json']);
  assert.deepEqual([again.exitCode, metaOf(again)], [0, counts(1, 1, 0, 0)], again.stderr);
});

const TABLES: readonly [file: string, delimiter: string, args: string[]][] = [
  ['a.tsv', '\t', []],
  ['a.tab', '\t', []],
  ['a.csv', '\t', []],
  ['a.csv', ';', []],
  ['a.csv', '|', []],
  ['a.csv', '~', ['--delimiter', '~']],
  ['a.b.TSV', '\t', []],
];

for (const [file, delimiter, args] of TABLES) {
  test(`8 corrected rows of ${file}, ${JSON.stringify(delimiter)}, can be pushed`, async (t) => {
    const { world, run, write, read } = await openDesk(t);
    const lines = [
      'externalId,date,description,amount',
      'A,31 Jan,"Tea; a | b",1',
      'B,31 Jan,Milk\tand,2',
    ];
    const table = lines.map((line) => line.replaceAll(',', delimiter)).join('\n');
    write(file, table.replace('Milk\tand', delimiter === '\t' ? '"Milk\tand"' : 'Milk\tand'));
    const ended = await run([file, '--url', world.url, ...args]);
    assert.equal(ended.exitCode, 5, ended.stderr);
    const name = file.replace(/\.\w+$/, '.rejected.csv');
    write(name, read(name).replaceAll('31 Jan', '2026-01-31'));
    const again = await run([name, '--url', world.url, '--json', ...args]);
    assert.deepEqual([again.exitCode, metaOf(again)], [0, counts(2, 2, 0, 0)], again.stderr);
  });
}

test('8 --rejected never overwrites the input, even through a link', async (t) => {
  const { world, cwd, run, write, read } = await openDesk(t);
  const text = `${HEADER}A,x,Tea,1\n`;
  write('a.csv', text);
  symlinkSync('a.csv', join(cwd, 'soft.csv'));
  linkSync(join(cwd, 'a.csv'), join(cwd, 'hard.csv'));
  for (const name of ['a.csv', './a.csv', 'soft.csv', 'hard.csv']) {
    const ended = await run(['a.csv', '--url', world.url, '--rejected', name]);
    assert.equal(ended.exitCode, 2, name);
    assert.match(ended.stderr, /must not name the input/);
  }
  assert.equal(read('a.csv'), text);
});

test('8 a missing folder for rejected rows is found before anything is sent', async (t) => {
  const { world, cwd, run, write } = await openDesk(t);
  write('a.csv', csvOf(2));
  const ended = await run(['a.csv', '--url', world.url, '--rejected', 'none/out.csv']);
  assert.equal(ended.exitCode, 2);
  assert.match(ended.stderr, /--rejected: there is no folder .*none\./);
  assert.equal(await stored(world), 0);
  assert.ok(!existsSync(join(cwd, 'none')));
});

test('8 a file of rejected rows is always a new one, even if its name is taken', async (t) => {
  const { world, cwd, run, write, read } = await openDesk(t);
  write('a.csv', `${HEADER}A,x,Tea,1\n`);
  const push = () => run(['a.csv', '--url', world.url]);
  assert.match((await push()).stderr, /The rejected rows are in .*a\.rejected\.csv\. Fix them/);
  const corrected = read('a.rejected.csv').replace(',x,', ',2026-01-31,');
  write('a.rejected.csv', corrected);
  for (const number of [2, 3, 4]) {
    write('a.csv', `${HEADER}A,x,Push ${number},1\n`);
    assert.match(
      (await push()).stderr,
      new RegExp(`rejected rows are in .*rejected-${number}.csv`),
    );
  }
  assert.equal(read('a.rejected.csv'), corrected);
  for (const number of [2, 3, 4]) {
    assert.match(read(`a.rejected-${number}.csv`), new RegExp(`^A,x,Push ${number},`, 'm'));
  }
  write('a.csv', csvOf(1));
  assert.equal((await push()).exitCode, 0);
  assert.equal(readdirSync(cwd).length, 5);
});

test('8 rejected rows are never written through a link, nor into a folder', async (t) => {
  const { world, cwd, run, write, read } = await openDesk(t);
  write('victim', 'precious');
  symlinkSync('victim', join(cwd, 'a.rejected.csv'));
  symlinkSync('nowhere', join(cwd, 'a.rejected-2.csv'));
  mkdirSync(join(cwd, 'a.rejected-3.csv'));
  write('a.csv', `${HEADER}A,x,Tea,1\n`);
  const ended = await run(['a.csv', '--url', world.url]);
  assert.equal(ended.exitCode, 5);
  assert.match(ended.stderr, /The rejected rows are in .*a\.rejected-4\.csv\./);
  assert.equal(read('victim'), 'precious');
  assert.ok(!existsSync(join(cwd, 'nowhere')));

  for (const name of ['a.rejected.csv', 'a.rejected-3.csv', '/dev/null']) {
    const named = await run(['a.csv', '--url', world.url, '--rejected', name]);
    assert.equal(named.exitCode, 2);
    assert.match(named.stderr, /--rejected: .* is not a regular file\. Name a new file\./);
  }
  assert.equal(read('victim'), 'precious');
});

test('8 the file of rejected rows has the permissions of the input', async (t) => {
  const { world, cwd, run, write } = await openDesk(t);
  const modeOf = (name: string) => statSync(join(cwd, name)).mode & 0o777;
  for (const [file, expected] of [
    [0o600, 0o600],
    [0o640, 0o640],
    [0o700, 0o600],
    [0o400, 0o600],
  ] as const) {
    write('a.csv', `${HEADER}A,x,Tea,1\n`);
    chmodSync(join(cwd, 'a.csv'), file);
    assert.equal((await run(['a.csv', '--url', world.url])).exitCode, 5);
    assert.equal(modeOf('a.rejected.csv').toString(8), expected.toString(8));
    rmSync(join(cwd, 'a.rejected.csv'));
    rmSync(join(cwd, 'a.csv'));
  }
});

test('8 a dry run writes only the file that --rejected names', async (t) => {
  const { world, cwd, run, write } = await openDesk(t);
  write('a.csv', `${csvOf(2)}${'A,x,Tea,1\n'.repeat(25)}`);
  for (const way of [
    ['--url', world.url],
    ['--currency', 'GBP'],
  ]) {
    const ended = await run(['a.csv', '--dry-run', ...way]);
    assert.equal(ended.exitCode, 3);
    assert.equal(ended.stderr.match(/^line \d+ rejected: /gm)?.length, 20);
    assert.match(ended.stderr, /and 5 more rejected rows\.\n.*--rejected FILE/);
    assert.deepEqual(readdirSync(cwd), ['a.csv']);
    assert.equal((await run(['a.csv', '--dry-run', ...way, '--rejected', 'out.csv'])).exitCode, 3);
    assert.deepEqual(readdirSync(cwd), ['a.csv', 'out.csv']);
    rmSync(join(cwd, 'out.csv'));
  }
});

test('8 rows with too many values for one batch are sent in smaller ones', async (t) => {
  const { world, run, write } = await openDesk(t);
  const largest = rowText('largest', `,"x":[${ones(JSON_VALUES - 8)}]`);
  const texts = rowsOf(499).map((row) => JSON.stringify({ ...row, x: Array(250).fill(1) }));
  write('a.ndjson', [largest, ...texts].join('\n'));
  const ended = await run(['a.ndjson', '--url', world.url, '--json']);
  assert.deepEqual(metaOf(ended), { ...counts(500, 500, 0, 0), warnings: 500 }, ended.stderr);
});
