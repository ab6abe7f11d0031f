import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { counts, metaOf, openDesk } from '../client/desk.ts';
import { clientOf, FastClock, type World } from '../client/world.ts';

/** The whole year if it is available, or else the part that the package ships. */
const FOLDERS = ['../shared/data/oxford-2015-16', 'data/oxford-2015-16'];

const TITLES = ['Trans No', 'Paid Date', 'Expenditure Category', 'Supplier Name'];
const FILES: readonly [name: string, columns: readonly string[], rows: number][] = [
  ['2015-q2.csv', [...TITLES, 'Expenditure Code', 'Amount'], 3993],
  ['2015-q3.csv', [...TITLES, 'Expenditure Code', 'Amount'], 3461],
  ['2015-q4.csv', [...TITLES, 'Expenditure Code', 'Amount'], 3918],
  [
    '2016-q1.csv',
    [
      'trans_no',
      'paid_date',
      'expenditure_category',
      'supplier_name',
      'expenditure_code',
      'amount',
    ],
    3908,
  ],
];

function mapArguments([id, date, description, contact, code, amount]: readonly string[]): string[] {
  const pairs = { externalId: id, date: `${date}:DD/MM/YYYY`, description, contact };
  return Object.entries({ ...pairs, accountCode: code, amount }).flatMap(([field, column]) => {
    return ['--map', `${field}=${column}`];
  });
}

async function readAll(world: World) {
  const all = new Map<string | null, { minor: number; updatedAt: string }>();
  for await (const each of clientOf(world, new FastClock()).transactions.iterate()) {
    const minor = Math.round(each.amount * 100);
    all.set(each.externalId, { minor, updatedAt: each.updatedAt });
  }
  return all;
}

const present = FILES.flatMap(([name, columns, rows]) => {
  const path = FOLDERS.map((folder) => resolve(folder, name)).find((each) => existsSync(each));
  return path === undefined ? [] : [{ name, path, columns, rows }];
});

test('8 a year of real payments goes through, exact to the penny, and again without a change', {
  skip: present.length === 0 && 'no file of it is at hand',
}, async (t) => {
  const { world, run } = await openDesk(t);
  let repeated = 0;
  for (const { name, path, columns, rows } of present) {
    const args = [path, '--url', world.url, '--json', ...mapArguments(columns)];
    const ended = await run(args);
    assert.equal(ended.exitCode, 0, ended.stderr);
    const twice = name === '2015-q3.csv' ? 2 : 0;
    repeated += twice;
    const same = { unchanged: twice, warnings: twice };
    assert.deepEqual(metaOf(ended), { ...counts(rows, rows - twice, twice, 0), ...same });
    assert.equal(/is in line/.test(ended.stderr), twice > 0);
  }
  const before = await readAll(world);
  const total = present.reduce((sum, { rows }) => sum + rows, 0);
  assert.equal(before.size, total - repeated);
  if (present.length === FILES.length) {
    const minor = [...before.values()].reduce((sum, each) => sum + each.minor, 0);
    assert.deepEqual([before.size, minor], [15_278, 4_991_394_823]);
  }
  for (const { path, columns, rows } of present) {
    const args = [path, '--url', world.url, '--json', '--quiet', ...mapArguments(columns)];
    const ended = await run(args);
    const meta = metaOf(ended);
    assert.deepEqual(meta, {
      ...counts(rows, 0, rows, 0),
      unchanged: rows,
      warnings: meta['warnings'],
    });
  }
  assert.deepEqual(await readAll(world), before);
});
