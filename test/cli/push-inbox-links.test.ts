import assert from 'node:assert/strict';
import { lstatSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { csvOf, stored } from '../client/desk.ts';
import { BAD, openInbox } from './inbox.ts';

test('8 an inbox whose folders are links is refused before anything is pushed', async (t) => {
  const { world, cwd, drop, push, tree } = await openInbox(t);
  mkdirSync(join(cwd, 'elsewhere'));
  drop('b.csv', csvOf(2, 'B') + BAD);
  for (const name of ['.budgetd-lock', 'done', 'rejected']) {
    const link = join(cwd, 'in', name);
    symlinkSync('../elsewhere', link);
    const ended = await push(['--url', world.url]);
    assert.equal(ended.exitCode, 1);
    assert.match(ended.stderr, new RegExp(`in/${name} is a symbolic link. Remove it`));
    rmSync(link);
  }
  assert.deepEqual(readdirSync(join(cwd, 'elsewhere')), []);
  assert.ok(tree().includes('b.csv'));
  assert.equal(await stored(world), 0);
});

test('8 no file is written through a link in the folders of an inbox', async (t) => {
  const { world, cwd, drop, push, read } = await openInbox(t);
  writeFileSync(join(cwd, 'victim'), 'precious');
  for (const name of ['done', 'rejected']) mkdirSync(join(cwd, 'in', name));
  const links = [
    'done/a.csv',
    'rejected/b.csv',
    'rejected/c.rejected.csv',
    'rejected/.budgetd.part',
  ];
  for (const name of links) symlinkSync('../../victim', join(cwd, 'in', name));
  drop('a.csv', csvOf(1, 'A'));
  drop('b.csv', csvOf(1, 'B') + BAD);
  drop('c.csv', csvOf(1, 'C') + BAD);
  assert.equal((await push(['--url', world.url])).exitCode, 3);
  assert.equal(read('victim'), 'precious');
  for (const name of links.slice(0, 3))
    assert.ok(lstatSync(join(cwd, 'in', name)).isSymbolicLink());
  const rejected = readdirSync(join(cwd, 'in/rejected')).map((name) => {
    return name.replace(/\.\d{8}T\d{6}Z/, '.TIME');
  });
  assert.deepEqual(rejected.sort(), [
    'b.TIME.csv',
    'b.TIME.rejected.csv',
    'b.csv',
    'c.TIME.csv',
    'c.TIME.rejected.csv',
    'c.rejected.csv',
  ]);
});
