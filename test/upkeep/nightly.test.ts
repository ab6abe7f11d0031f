import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import {
  BackupFolder,
  type BackupPlan,
  type BackupState,
  Nightly,
} from '../../src/upkeep/nightly.ts';
import { UNCHANGED } from '../../src/upkeep/rules.ts';
import { folderFor, rows, Workshop } from '../store/workshop.ts';
import { until } from './until.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** A local time, because the setting is one. */
const NOON_MS = new Date(2026, 10, 22, 12).getTime();
const TWO_MS = new Date(2026, 10, 22, 2).getTime();

/** A database, and nightly backups of it with a clock that the test sets. */
function openOne(
  t: TestContext,
  change: Partial<BackupPlan> = {},
  { minFreeBytes = 0, batches = 0 } = {},
) {
  const home = folderFor(t);
  const file = join(home, 'budgetd.db');
  const shop = new Workshop(file);
  t.after(() => shop.db.close());
  shop.push(rows(5));
  for (let batch = 0; batch < batches; batch += 1) {
    shop.push(rows(500, (index) => ({ externalId: `${batch}-${index}` })));
  }
  const folder = new BackupFolder(join(home, 'backups'), file);
  const clock = { nowMs: NOON_MS };
  const ends: BackupState[] = [];
  const plan = { folder: folder.folder, at: '02:00', keep: 3, catchUpMs: 0, ...change };
  const nightly = new Nightly({
    database: file,
    plan,
    minFreeBytes,
    clock: () => new Date(clock.nowMs),
    onEnd: (state) => ends.push(state),
  });
  t.after(() => nightly.close());
  /** Lets the service look, and waits for the end of the backup. */
  const makeOne = async () => {
    const before = ends.length;
    nightly.tick();
    await until(() => ends.length > before);
    // The next one can begin.
    await new Promise(setImmediate);
  };
  const names = () => (folder.list(clock.nowMs).length === 0 ? [] : readdirSync(folder.folder));
  return { home, file, shop, folder, clock, ends, nightly, makeOne, names };
}

/** Puts files that look like backups into the folder. */
function putBackups(folder: BackupFolder, ...atMs: number[]): string[] {
  folder.create();
  return atMs.map((each) => {
    const file = folder.fileFor(each);
    writeFileSync(file, 'a backup');
    return file;
  });
}

describe('nightly backups', () => {
  it('make up what was missed, whole and private, and then wait for the next night', async (t) => {
    const { folder, clock, ends, nightly, makeOne, names } = openOne(t);
    await makeOne();
    const [state] = ends;
    assert.equal(state?.failure, null);
    const last = { file: folder.fileFor(NOON_MS), atMs: NOON_MS, isByHand: false };
    assert.deepEqual(state?.last, last);
    assert.match(names().join(), /^budgetd-2026-11-2\dT\d\d-00-00Z\.db$/);
    const { size, mode } = statSync(folder.fileFor(NOON_MS));
    assert.ok(size > 50_000);
    assert.equal(mode & 0o777, 0o600);
    assert.equal(statSync(folder.folder).mode & 0o777, 0o700);
    for (const nowMs of [NOON_MS + 1, TWO_MS + DAY_MS - 1]) {
      clock.nowMs = nowMs;
      nightly.tick();
      await new Promise(setImmediate);
    }
    assert.equal(ends.length, 1);
    clock.nowMs = TWO_MS + DAY_MS;
    await makeOne();
    assert.equal(names().length, 2);
  });

  it('are not made twice a night, nor before the time to catch up', async (t) => {
    const fresh = openOne(t);
    putBackups(fresh.folder, TWO_MS);
    const early = openOne(t, { catchUpMs: HOUR_MS });
    for (const { nightly, ends } of [fresh, early]) {
      nightly.tick();
      await nightly.close();
      assert.deepEqual(ends, []);
    }
    assert.deepEqual(fresh.names().length, 1);
    assert.deepEqual(fresh.nightly.state().last?.atMs, TWO_MS);
  });

  it('keep the newest, and never touch another file', async (t) => {
    const { folder, home, makeOne, names } = openOne(t);
    const days = [5, 4, 3, 2].map((each) => TWO_MS - each * DAY_MS);
    putBackups(folder, ...days);
    const others = [
      'budgetd-2020-01-01.db',
      'budgetd-mine.db',
      'other-2020-01-01T02-00-00Z.db',
      'budgetd-2020-01-01T02-00-00Z.db.gz',
      'budgetd-2020-99-99T02-00-00Z.db',
      'notes.unfinished',
    ];
    for (const name of others) writeFileSync(join(folder.folder, name), '');
    mkdirSync(join(folder.folder, 'budgetd-2019-01-01T02-00-00Z.db'));
    await makeOne();
    const kept = [...days.slice(2), NOON_MS].map((atMs) => folder.fileFor(atMs));
    const own = names().filter((name) => kept.includes(join(folder.folder, name)));
    assert.equal(own.length, 3);
    assert.equal(names().length, 3 + others.length + 1);
    assert.ok(readdirSync(home).includes('budgetd.db'));
  });

  it('of a clock that was years ahead neither stop the next ones nor outlive them', async (t) => {
    const { folder, clock, makeOne, nightly } = openOne(t);
    const future = [1, 2, 3].map((each) => NOON_MS + each * 365 * DAY_MS);
    putBackups(folder, ...future);
    assert.equal(nightly.state().last, null);
    await makeOne();
    assert.ok(folder.list(clock.nowMs).some(({ atMs }) => atMs === NOON_MS));
    clock.nowMs += DAY_MS;
    await makeOne();
    clock.nowMs += DAY_MS;
    await makeOne();
    const left = folder.list(clock.nowMs).map(({ atMs }) => atMs);
    assert.deepEqual(
      left,
      [2, 1, 0].map((each) => NOON_MS + each * DAY_MS),
    );
  });

  it('that fail remove nothing, say why, and are tried again an hour later', async (t) => {
    const { folder, file, ends, nightly, makeOne, names } = openOne(t);
    const old = putBackups(folder, ...[5, 4, 3, 2].map((each) => TWO_MS - each * DAY_MS));
    rmSync(file);
    await makeOne();
    assert.match(ends[0]?.failure ?? '', /^The database .*budgetd\.db does not exist\. /);
    assert.equal(names().length, 4);
    assert.equal(nightly.state().last?.file, old.at(-1));
    nightly.tick();
    await nightly.close();
    assert.equal(ends.length, 1);
  });

  it('of a damaged database fail with the transactions, and keep every older one', async (t) => {
    const { shop, folder, ends, makeOne, names } = openOne(t);
    putBackups(folder, ...[5, 4, 3, 2].map((each) => TWO_MS - each * DAY_MS));
    shop.db.exec('update transactions set amount_minor = amount_minor + 1 where id in (2, 4)');
    await makeOne();
    const [first, second] = [2, 4].map((id) => `txn_000000000${id} of org_0000000001`);
    const named = ` is damaged, so no copy was kept. Failed checks: ${UNCHANGED} `;
    assert.ok(ends[0]?.failure?.includes(`${named}(${first}, ${second})`), ends[0]?.failure ?? '');
    assert.equal(names().length, 4);
  });

  it('are not made where they would fill the disk', async (t) => {
    const { ends, makeOne, names } = openOne(t, {}, { minFreeBytes: Number.MAX_SAFE_INTEGER });
    await makeOne();
    assert.match(ends[0]?.failure ?? '', /free; the copy and min-free-disk need .* backup-dir\.$/);
    assert.deepEqual(names(), []);
  });

  it('leave nothing when the service ends, and remove what a killed process left', async (t) => {
    const { folder, nightly, ends } = openOne(t);
    folder.create();
    const { pid } = spawnSync(process.execPath, ['--version']);
    const name = folder.fileFor(TWO_MS);
    writeFileSync(`${name}.${pid}.unfinished`, '');
    writeFileSync(`${name}.${process.ppid}.unfinished`, 'of a process that runs');
    nightly.tick();
    await nightly.close();
    assert.deepEqual(ends, []);
    assert.deepEqual(readdirSync(folder.folder), [
      `${name.slice(folder.folder.length + 1)}.${process.ppid}.unfinished`,
    ]);
  });

  it('that are being written when the service ends leave nothing', async (t) => {
    const { folder, nightly, ends } = openOne(t, {}, { batches: 10 });
    folder.create();
    const isWriting = () => readdirSync(folder.folder).some((name) => /unfinished/.test(name));
    nightly.tick();
    await until(isWriting);
    await nightly.close();
    assert.deepEqual([readdirSync(folder.folder), ends], [[], []]);
  });

  it('cannot be read from a folder that is a file, which is said', async (t) => {
    const { folder, ends, makeOne, nightly } = openOne(t);
    writeFileSync(folder.folder, '');
    await makeOne();
    assert.match(ends[0]?.failure ?? '', /: (?:part of the path is a|a file with this name)/);
    assert.equal(nightly.state().last, null);
  });
});
