import assert from 'node:assert/strict';
import { fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Failure } from '../../src/core/failures.ts';
import { readDatabase } from '../../src/database/copies.ts';
import { openDatabase } from '../../src/database/database.ts';
import { lockDatabase } from '../../src/database/lock.ts';
import { storeNewKey, storeRevocation } from '../../src/store/keys.ts';
import { createLink } from '../../src/store/links.ts';
import { createSession } from '../../src/store/sessions.ts';
import { addUser } from '../../src/store/users.ts';
import { backUp, restoreBackup } from '../../src/upkeep/backups.ts';
import { repetitions } from '../repetitions.ts';
import { excludeTransaction } from '../store/single-changes.ts';
import { folderFor, row, rows, Workshop } from '../store/workshop.ts';

/** How often copies are made while others write, and killed at other points. */
const TRIES = repetitions(20, 40, 100);

/** A database with five transactions. */
function openOne(test: TestContext) {
  const folder = folderFor(test);
  const file = join(folder, 'budgetd.db');
  const shop = new Workshop(file);
  test.after(() => shop.db.close());
  shop.push(rows(5));
  return { folder, file, shop, copy: join(folder, 'copy.db') };
}

function countIn(file: string): number {
  const db = openDatabase({ file, create: false, busyTimeoutMs: 0 });
  try {
    return Number(db.prepare('select count(*) from transactions').pluck().get());
  } finally {
    db.close();
  }
}

/** The number of the last batch of `constant-pushes.ts`. No batch before it may be missing. */
function lastBatchIn(file: string): number {
  const db = openDatabase({ file, create: false, busyTimeoutMs: 0 });
  const numbers = db
    .prepare<[], number>(
      "select cast(description as integer) from transactions where external_id glob 'P-*'",
    )
    .pluck()
    .all();
  db.close();
  const last = Math.max(...numbers);
  // Each batch has ten rows, and writes over the one 100 before it.
  const expected = Array.from({ length: Math.min(last, 100) * 10 }, (_, index) => {
    return last - Math.floor(index / 10);
  });
  assert.deepEqual(
    numbers.sort((one, other) => other - one),
    expected,
  );
  return last;
}

const refusal = (code: Failure['code'], message: RegExp) => (error: unknown) => {
  const failure = error as Failure;
  assert.equal(failure.code, code);
  assert.match(failure.message, message);
  return true;
};

describe('8 backup', () => {
  it('is private, whole and of one moment, with what is still in the WAL', (t) => {
    const { file, folder, copy } = openOne(t);
    const names: string[] = [];
    const { bytes, checks } = backUp(file, copy, ({ name }) => names.push(name));
    assert.equal(bytes, statSync(copy).size);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    assert.deepEqual(
      names,
      checks.map(({ name }) => name),
    );
    assert.ok(checks.length > 5 && checks.every(({ ok }) => ok));
    assert.equal(countIn(copy), 5);
    assert.deepEqual(
      readdirSync(folder).filter((name) => /unfinished/.test(name)),
      [],
    );
  });

  it('never replaces a file', (t) => {
    const { file, copy } = openOne(t);
    writeFileSync(copy, 'mine');
    for (const target of [copy, file]) {
      assert.throws(() => backUp(file, target), refusal('conflict', /already exists/));
    }
    assert.equal(readFileSync(copy, 'utf8'), 'mine');
  });

  it('keeps no copy of a damaged database', (t) => {
    const { file, shop, copy, folder } = openOne(t);
    shop.db.exec('update transactions set status = $$x$$ where id = 1'.replaceAll('$$', "'"));
    const named = /damaged, so no copy was kept\. .* as it was stored \(txn_0000000001 of org_/;
    assert.throws(() => backUp(file, copy), refusal('invalid_input', named));
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith('copy')),
      [],
    );
  });

  it(`each of ${TRIES} copies under constant pushes has every batch stored before`, async (t) => {
    const { file, shop, folder } = openOne(t);
    shop.db.close();
    const script = fileURLToPath(new URL('../store/constant-pushes.js', import.meta.url));
    const child = fork(script, [file], { silent: true });
    t.after(() => child.kill());
    let stored = 0;
    child.stdout?.on('data', (chunk: Buffer) => {
      stored = Number(/(\d+)\n$/.exec(chunk.toString())?.[1] ?? stored);
    });
    for (let turn = 0; turn < TRIES; turn += 1) {
      const next = stored + 1;
      while (stored < next) {
        assert.equal(child.exitCode, null, 'the pushes have ended');
        await sleep(1);
      }
      const before = stored;
      const copy = join(folder, 'copy.db');
      assert.ok(backUp(file, copy).checks.every(({ ok }) => ok));
      const restored = join(folder, `restored-${turn}.db`);
      assert.ok(restoreBackup(copy, restored).checks.every(({ ok }) => ok));
      const found = lastBatchIn(restored);
      assert.ok(found >= before, `${found} of ${before}`);
      for (const name of [copy, restored]) rmSync(name);
      // Lets what the child has written come in.
      await sleep(1);
    }
    child.disconnect();
    await once(child, 'exit');
  });

  it('a backup killed while it named its copy leaves one that opens', (t) => {
    const { file, copy } = openOne(t);
    backUp(file, copy);
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const unfinished = `${copy}.${ended}.unfinished`;
    linkSync(copy, unfinished);
    assert.ok(countIn(copy) > 0);
    assert.ok(!existsSync(unfinished));
  });
});

describe('8 restore-backup', () => {
  it('puts the copy back, keeps the old database with its WAL, and says what is missing', (t) => {
    const { file, shop, copy } = openOne(t);
    const draft = { name: 'a', scopes: [], expiresAtMs: null };
    const first = storeNewKey(shop, draft, shop.actor());
    const ann = {
      email: 'ann@example.org',
      name: null,
      role: 'owner',
      password: 'scrypt',
    } as const;
    const { user } = addUser(shop, ann, shop.actor());
    createLink(shop, user.id, shop.actor());
    createSession(shop, { userId: user.id, agent: null }, shop.nowMs);
    backUp(file, copy);
    storeRevocation(shop, first.id, shop.actor());
    const second = storeNewKey(shop, draft, shop.actor());
    shop.push([row({ externalId: 'late' })]);
    excludeTransaction(shop, { transactionId: 1, reason: 'A copy' }, shop.actor());
    const kept = `${file}-kept`;
    mkdirSync(kept);
    // As a power cut leaves them.
    for (const end of ['', '-wal']) copyFileSync(file + end, join(kept, `a.db${end}`));
    const own = join(kept, 'a.db');
    assert.ok(statSync(`${own}-wal`).size > 0);
    const restored = restoreBackup(copy, own);
    assert.equal(restored.keptAs, `${own}.before-restore`);
    assert.deepEqual(restored.missing, {
      entries: 4,
      decisions: 1,
      createdKeys: [{ id: second.id, orgId: shop.organisation.id }],
      revokedKeys: [{ id: first.id, orgId: shop.organisation.id }],
      users: [],
    });
    assert.equal(restored.isShared, false);
    const signedIn =
      'select (select count(*) from sessions) + (select count(*) from one_time_links)';
    assert.equal(
      readDatabase(copy, (db) => db.prepare(signedIn).pluck().get()),
      2,
    );
    assert.equal(
      readDatabase(own, (db) => db.prepare(signedIn).pluck().get()),
      0,
    );
    assert.deepEqual(readdirSync(kept).sort(), ['a.db', 'a.db-lock', 'a.db.before-restore']);
    assert.deepEqual([countIn(own), countIn(`${own}.before-restore`)], [5, 6]);
    assert.throws(() => restoreBackup(copy, own), refusal('conflict', /Move it away/));
  });

  it('makes a new database, also after it was killed half-way', (t) => {
    const { file, shop, copy, folder } = openOne(t);
    backUp(file, copy);
    const own = join(folder, 'new.db');
    const { keptAs, missing, endsAtMs } = restoreBackup(copy, own);
    assert.deepEqual([keptAs, missing], [null, null]);
    assert.equal(endsAtMs, shop.nowMs);
    renameSync(own, `${own}.before-restore`);
    assert.equal(restoreBackup(copy, own).keptAs, `${own}.before-restore`);
    assert.equal(countIn(own), 5);
  });

  it('never has the `-wal` of a database that is gone beside it, which would change it', (t) => {
    const { file, copy, folder } = openOne(t);
    backUp(file, copy);
    const own = join(folder, 'new.db');
    for (const end of ['-wal', '-journal']) {
      writeFileSync(own + end, '');
      const problem = new RegExp(
        `new\\.db${end} belongs to a database that is gone.* Move it away`,
      );
      assert.throws(() => restoreBackup(copy, own), refusal('conflict', problem));
      assert.throws(() => backUp(file, own), refusal('conflict', /already exists/));
      assert.equal(existsSync(own), false);
      rmSync(own + end);
    }
    restoreBackup(copy, own);
    writeFileSync(`${own}.before-restore-wal`, '');
    assert.throws(
      () => restoreBackup(copy, own),
      refusal('conflict', /before-restore-wal already/),
    );
  });

  it('removes what it left when it was killed, but never what it puts back', (t) => {
    const { file, copy, folder } = openOne(t);
    const { pid } = spawnSync(process.execPath, ['--version']);
    backUp(file, copy);
    const own = join(folder, 'new.db');
    const [left, journal] = [`${own}.${pid}.unfinished`, `${own}.${pid}.unfinished-journal`];
    for (const name of [left, journal]) writeFileSync(name, '');
    restoreBackup(copy, own);
    assert.deepEqual([existsSync(left), existsSync(journal)], [false, false]);
    rmSync(own);
    copyFileSync(copy, left);
    restoreBackup(left, own);
    assert.deepEqual([countIn(own), existsSync(left)], [5, true]);
  });

  it('leaves nothing beside a damaged database that would be in the way of the next one', (t) => {
    const { file, copy, folder } = openOne(t);
    backUp(file, copy);
    const own = join(folder, 'own.db');
    for (const _ of [1, 2]) {
      const bytes = readFileSync(file);
      assert.equal(bytes[18], 2, 'it has a -wal');
      writeFileSync(own, bytes.fill(0xff, 100, 4_096));
      assert.equal(restoreBackup(copy, own).missing, null);
      rmSync(`${own}.before-restore`);
    }
  });

  it('changes nothing while a service runs, or for what is not a sound copy', (t) => {
    const { file, shop, copy, folder } = openOne(t);
    backUp(file, copy);
    const lock = lockDatabase(file);
    assert.throws(() => restoreBackup(copy, file), refusal('conflict', /already serving/));
    lock.release();
    const other = join(folder, 'other.db');
    writeFileSync(other, 'Not a database, but longer than the header of one would be.'.repeat(3));
    const cut = join(folder, 'cut.db');
    writeFileSync(cut, readFileSync(copy).subarray(0, 20_000));
    const flipped = readFileSync(copy);
    flipped.fill(0xff, 8_192, 12_192);
    const damaged = join(folder, 'damaged.db');
    writeFileSync(damaged, flipped);
    const newer = join(folder, 'newer.db');
    const bytes = readFileSync(copy);
    bytes.writeUInt32BE(99, 60);
    writeFileSync(newer, bytes);
    const later = join(folder, 'later.db');
    const format = readFileSync(copy);
    format.writeUInt32BE(9, 44);
    writeFileSync(later, format);
    // Like a pipe, which nobody may ever write to.
    const device = process.platform === 'win32' ? [] : [['/dev/null', /folder or a pipe/] as const];
    for (const [source, message] of [
      [join(folder, 'gone.db'), /does not exist\. Pass a file that `budgetd backup` wrote/],
      [other, /not a database/],
      [cut, /truncated\. Pass a file that `budgetd backup` wrote/],
      [damaged, /damaged/],
      [newer, /newer budgetd/],
      [later, /damaged/],
      [file, /is the database itself/],
      ...device,
    ] as const) {
      assert.throws(() => restoreBackup(source, file), refusal('invalid_input', message));
    }
    assert.equal(existsSync(`${file}.before-restore`), false);
    assert.equal(shop.push([row({ externalId: 'still' })]).meta.created, 1);
  });
});
