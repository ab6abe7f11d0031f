import assert from 'node:assert/strict';
import { chmodSync, chownSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openDatabase } from '../../src/database/database.ts';
import { lockDatabase } from '../../src/database/lock.ts';
import { backUp, restoreBackup } from '../../src/upkeep/backups.ts';
import { folderFor, Workshop } from '../store/workshop.ts';

/** The mode of every file in a folder. */
function modesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder).sort();
  return Object.fromEntries(
    names.map((name) => [name, (statSync(join(folder, name)).mode & 0o777).toString(8)]),
  );
}

function setUmask(t: TestContext, umask: number): void {
  const before = process.umask(umask);
  t.after(() => process.umask(before));
}

const ALL_PRIVATE = { db: '600', 'db-lock': '600', 'db-shm': '600', 'db-wal': '600' };

describe('contract 11: only their owner can access the files of a database', () => {
  for (const umask of [0o000, 0o022]) {
    it(`with umask ${umask.toString(8).padStart(3, '0')}`, (t) => {
      setUmask(t, umask);
      const folder = folderFor(t);
      const shop = new Workshop(join(folder, 'db'));
      t.after(() => shop.db.close());
      t.after(lockDatabase(join(folder, 'db')).release);
      shop.pushOne({});
      assert.deepEqual(modesIn(folder), ALL_PRIVATE);
    });

    it(`if a link leads to a file that does not exist yet, umask ${umask.toString(8)}`, (t) => {
      setUmask(t, umask);
      const folder = folderFor(t);
      symlinkSync('db', join(folder, 'link'));
      openDatabase({ file: join(folder, 'link'), create: true, busyTimeoutMs: 0 }).close();
      assert.deepEqual(modesIn(folder), { db: '600', link: '600' });
    });

    it(`if the file or a link existed before, umask ${umask.toString(8)}`, (t) => {
      setUmask(t, umask);
      const folder = folderFor(t);
      writeFileSync(join(folder, 'db'), '', { mode: 0o666 });
      symlinkSync('db', join(folder, 'link'));
      new Workshop(join(folder, 'link')).db.close();
      assert.deepEqual(modesIn(folder), { db: '600', link: '600' });
    });
  }

  it('after opening those of an older budgetd too', (t) => {
    const folder = folderFor(t);
    const first = new Workshop(join(folder, 'db'));
    t.after(() => first.db.close());
    lockDatabase(join(folder, 'db')).release();
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o664);
    openDatabase({ file: join(folder, 'db'), create: false, busyTimeoutMs: 20 }).close();
    lockDatabase(join(folder, 'db')).release();
    assert.deepEqual(modesIn(folder), ALL_PRIVATE);
  });

  it('when root opens those of another user, whose they stay', {
    skip: process.geteuid?.() === 0 ? false : 'not root',
  }, (t) => {
    const folder = folderFor(t);
    const another = 65_534;
    chownSync(folder, another, another);
    const shop = new Workshop(join(folder, 'db'));
    t.after(() => shop.db.close());
    const lock = lockDatabase(join(folder, 'db'));
    t.after(() => lock.release());
    shop.pushOne({});
    backUp(join(folder, 'db'), join(folder, 'copy'));
    restoreBackup(join(folder, 'copy'), join(folder, 'other'));
    const names = readdirSync(folder);
    assert.ok(['db', 'db-lock', 'db-wal', 'copy', 'other'].every((name) => names.includes(name)));
    const owners = names.map((name) => statSync(join(folder, name)).uid);
    assert.deepEqual(new Set(owners), new Set([another]));
  });
});
