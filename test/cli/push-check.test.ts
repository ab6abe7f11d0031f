import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { createService } from '../../src/index.ts';
import { counts, csvOf, HEADER, metaOf, openDesk, stored } from '../client/desk.ts';
import { rowsOf } from '../client/world.ts';

/** A line for each kind of error that the service finds, and valid lines. */
const LINES = [
  'fine,2026-01-31,Tea,1.5',
  'pence,2026-01-31,Tea,1.005',
  'day,2026-02-30,Tea,1',
  'blank,2026-01-31,  ,1',
  'far,2026-01-31,Tea,99999999999999',
  `${'x'.repeat(256)},2026-01-31,Tea,1`,
  'fine,2026-01-31,Tea again,2',
];

test('8 --dry-run without --url gives the same result for each row as the service', async (t) => {
  const { world, run, write, read } = await openDesk(t);
  write('a.csv', HEADER + LINES.join('\n'));
  const rejected: string[] = [];
  const ends = [];
  for (const [name, ...way] of [
    ['service.csv', '--url', world.url],
    ['here.csv', '--currency', 'GBP'],
  ] as const) {
    const ended = await run(['a.csv', ...way, '--dry-run', '--json', '--rejected', name]);
    ends.push({ exitCode: ended.exitCode, meta: metaOf(ended) });
    rejected.push(read(name));
  }
  const meta = { ...counts(7, 1, 1, 5), warnings: 1, dryRun: true };
  assert.deepEqual(ends, [
    { exitCode: 3, meta },
    { exitCode: 3, meta },
  ]);
  assert.equal(rejected[0], rejected[1]);
  assert.equal(await stored(world), 0);
});

test('8 a local check needs only the currency: no key, service or database', async (t) => {
  const { run, write } = await openDesk(t);
  write('a.csv', csvOf(1203));
  const ended = await run(['a.csv', '--dry-run', '--currency', 'GBP'], { env: {} });
  assert.equal(ended.exitCode, 0);
  assert.match(
    ended.stderr,
    /^Checked here, in GBP\. Nothing is sent\. Every accepted row counts as created\.\n/,
  );
  assert.match(ended.stderr, /^500 of 1,203 rows: 500 created/m);
  assert.match(ended.stderr, /\nDry run, nothing stored: 1,203 rows: 1,203 created, .*\n$/);
  const unsaid = await run(['a.csv', '--dry-run', '--json'], { env: {} });
  assert.equal(unsaid.exitCode, 2);
  assert.match(unsaid.stderr, /Use --url U to have the service check .* or --currency/);
  assert.deepEqual(metaOf(unsaid), { ...counts(0, 0, 0, 0), dryRun: true });
});

test('8 a local check refuses a mapping with another currency', async (t) => {
  const { cwd, run, write } = await openDesk(t);
  write('a.csv', 'externalId,date,description,amount,Currency\nA,2026-01-31,Tea,1,EUR\n');
  const fields = Object.fromEntries(
    HEADER.trim()
      .split(',')
      .map((name) => [name, name]),
  );
  write('map.json', JSON.stringify({ currency: { column: 'Currency', is: 'EUR' }, fields }));
  const check = (currency: string, ...what: string[]) => {
    const args = [...what, '--map', 'map.json', '--dry-run', '--currency', currency];
    return run(args, { env: {} });
  };
  for (const what of [['a.csv'], ['--inbox', cwd, '--settle', '0']]) {
    const refused = await check('GBP', ...what);
    assert.equal(refused.exitCode, 2);
    assert.match(refused.stderr, /amounts are in EUR, but this check uses GBP/);
  }
  assert.equal((await check('EUR', 'a.csv')).exitCode, 0);
});

const FILS = '{"externalId":"a","date":"2026-01-31","description":"Tea","amount":1.005}';

test('8 the decimal places of amounts depend on the currency', async (t) => {
  const { run, write } = await openDesk(t);
  write('a.ndjson', FILS);
  for (const [currency, exitCode] of [
    ['KWD', 0],
    ['GBP', 5],
    ['JPY', 5],
    ['gbp', 5],
    ['XYZ', 2],
  ] as const) {
    const ended = await run(['a.ndjson', '--dry-run', '--currency', currency]);
    assert.equal(ended.exitCode, exitCode, `${currency}: ${ended.stderr}`);
  }
});

test('8 the default of --currency is that of the organisation in the database', async (t) => {
  const { cwd, run, write } = await openDesk(t);
  const service = await createService({ database: join(cwd, 'budgetd.db'), create: true });
  service.organisations.create({ name: 'Kuwait', baseCurrency: 'KWD' });
  service.organisations.create({ name: 'Japan', baseCurrency: 'JPY' });
  await service.close();
  write('a.ndjson', FILS);
  const kuwait = await run(['a.ndjson', '--dry-run', '--org', 'Kuwait']);
  assert.equal(kuwait.exitCode, 0, kuwait.stderr);
  assert.match(kuwait.stderr, /Checked here, in KWD, the currency of Kuwait in .*budgetd\.db\./);
  assert.equal((await run(['a.ndjson', '--dry-run', '--org', 'Japan'])).exitCode, 5);
  assert.equal((await run(['a.ndjson', '--dry-run'])).exitCode, 2);
  assert.equal((await run(['a.ndjson', '--dry-run', '--db', 'none.db'])).exitCode, 1);
  assert.ok(!existsSync(join(cwd, 'none.db')));
});

test('8 --currency is refused with --url', async (t) => {
  const { world, run, write } = await openDesk(t);
  write('a.csv', csvOf(1));
  for (const more of [['--dry-run'], []]) {
    const ended = await run(['a.csv', '--url', world.url, '--currency', 'GBP', ...more]);
    assert.equal(ended.exitCode, 2);
    assert.match(ended.stderr, /--currency works only without --url/);
  }
});

test('8 an interrupt stops a local check, which says how far it got', async (t) => {
  const { run, write, interrupts } = await openDesk(t);
  write('a.json', JSON.stringify(rowsOf(20_000)));
  const timer = setInterval(() => {
    for (const interrupt of interrupts) interrupt();
  }, 1);
  t.after(() => clearInterval(timer));
  const ended = await run(['a.json', '--dry-run', '--currency', 'GBP', '--json']);
  assert.equal(ended.exitCode, 130);
  assert.ok(Number(metaOf(ended)['received']) < 20_000);
});

test('8 a local check reads standard input', async (t) => {
  const { run } = await openDesk(t);
  const stdin = Readable.from(['{"externalId":"a"}\nnot JSON\n']);
  const ended = await run(['-', '--dry-run', '--currency', 'GBP', '--json'], { stdin });
  assert.deepEqual([ended.exitCode, metaOf(ended)['rejected']], [5, 2]);
});
