import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { csvOf, openDesk, stored } from '../client/desk.ts';

const BANK = 'Tag;Was;Betrag\n31.01.2016;Miete;-750,00\n';
const MAPPING = {
  decimal: ',',
  fields: {
    externalId: { made: ['Tag', 'Was', 'Betrag'] },
    date: { column: 'Tag', format: 'DD.MM.YYYY' },
    description: 'Was',
    amount: { column: 'Betrag', negate: true },
  },
  header: ['Tag', 'Was', 'Betrag'],
};

test('8 --maps has the mapping for each file by its columns, also in an inbox', async (t) => {
  const { cwd, run, write } = await openDesk(t);
  for (const folder of ['maps', 'in']) mkdirSync(join(cwd, folder));
  write('maps/bank.json', JSON.stringify(MAPPING));
  write('maps/list.json', '["no mapping"]');
  write('in/bank.csv', BANK);
  write('in/own.csv', csvOf(2));
  write('in/other.csv', BANK.replace('Was', 'Text'));
  const options = ['--maps', 'maps', '--dry-run', '--currency', 'GBP'];

  const one = await run(['in/bank.csv', ...options], { env: {} });
  assert.equal(one.exitCode, 0, one.stderr);
  assert.match(one.stderr, /^bank\.csv: read by maps\/bank\.json\.\n/);
  assert.match(one.stderr, /Dry run, nothing stored: 1 row: 1 created/);

  const all = await run(['--inbox', 'in', '--settle', '0', ...options], { env: {} });
  assert.match(all.stderr, /^bank\.csv: read by maps\/bank\.json\.$/m);
  assert.match(all.stderr, /^bank\.csv: Dry run, nothing stored: 1 row: 1 created/m);
  assert.match(all.stderr, /^own\.csv: Dry run, nothing stored: 2 rows: 2 created/m);
  assert.match(all.stderr, /^other\.csv: These columns are missing/m);
  assert.equal(all.exitCode, 2);

  write('in/bank.rejected.csv', `${BANK.replace('g\n', 'g;line;code;reason\n').trimEnd()};2;x;y\n`);
  const again = await run(['in/bank.rejected.csv', ...options], { env: {} });
  assert.match(again.stderr, /^bank\.rejected\.csv: read by maps\/bank\.json\.\n/);
  assert.equal(again.exitCode, 0, again.stderr);

  const both = await run(['in/bank.csv', ...options, '--decimal', ','], { env: {} });
  assert.equal(both.exitCode, 2);
  assert.match(both.stderr, /either --maps or --decimal/);
  const missing = await run(['in/bank.csv', '--maps', 'none', '--dry-run', '--currency', 'GBP']);
  assert.notEqual(missing.exitCode, 0);
  assert.doesNotMatch(missing.stderr, / at .*\.js:/);
});

test('17 a file that turns the sign of its mapping is asked about, not sent', async (t) => {
  const { world, cwd, run, write } = await openDesk(t);
  mkdirSync(join(cwd, 'in'));
  const rows = (sign: string) =>
    Array.from({ length: 21 }, (_, at) => `${at + 1}.01.2016;Ware ${at};${sign}${at + 1},50\n`);
  const mapping = { ...MAPPING, rests: ['dates', 'decimal', 'more money out'] };
  mapping.fields.date.format = 'D.M.YYYY';
  write('bank.map.json', JSON.stringify(mapping));
  write('same.csv', `Tag;Was;Betrag\n${rows('-').join('')}`);
  write('turned.csv', `Tag;Was;Betrag\n${rows('').join('')}`);
  write('in/turned.csv', `Tag;Was;Betrag\n${rows('').join('')}`);
  const same = await run(['same.csv', '--url', world.url, '--map', 'bank.map.json']);
  assert.equal(same.exitCode, 0, same.stderr);
  assert.match(same.stderr, /Read: 21 rows, .*, money out 241\.50, money in 0\.00\.\n/);
  for (const way of [
    ['--map', 'bank.map.json'],
    ['--maps', '.'],
  ]) {
    const turned = await run(['turned.csv', '--url', world.url, ...way, '--json']);
    assert.equal(turned.exitCode, 1);
    assert.match(turned.stderr, /^1\. {2}All amounts in Betrag are positive\. Is that money out/);
    assert.match(turned.stderr, /--money-out positive/);
    assert.match(turned.stderr, /turned\.csv contradicts the mapping.*Nothing was sent/);
    assert.equal(JSON.parse(turned.stdout).received, 0);
  }
  const inbox = ['--inbox', 'in', '--settle', '0', '--url', world.url, '--maps', '.'];
  const all = await run(inbox);
  assert.equal(all.exitCode, 1);
  assert.match(all.stderr, /^turned\.csv: .*contradicts the mapping.* It stays in the inbox/m);
  assert.equal(await stored(world), 21);
  const { rests: _, ...answered } = mapping;
  write('bank.map.json', JSON.stringify(answered));
  const held = await run(['turned.csv', '--url', world.url, '--map', 'bank.map.json']);
  assert.equal(held.exitCode, 0, held.stderr);
  assert.match(held.stderr, /Read: 21 rows, .*, money out 0\.00, money in 241\.50\.\n/);
});
