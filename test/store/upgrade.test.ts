import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createService } from '../../src/service.ts';
import { restoreBackup } from '../../src/store/backups.ts';
import { openDatabase } from '../../src/store/database.ts';
import { loadDriver } from '../../src/store/driver.ts';
import { takeLock } from '../../src/store/lock.ts';
import { SCHEMA_VERSION } from '../../src/store/migrations.ts';
import { buildFixture } from './fixture-file.ts';
import { killUpgrades } from './killed-upgrades.ts';
import { dump, folderFor, refusal } from './workshop.ts';

const VERSION = 3;

function open(file: string, said: string[] = []): void {
  const onUpgrade = (message: string) => said.push(message);
  openDatabase({ file, create: false, busyTimeoutMs: 20, onUpgrade }).close();
}

function read(file: string): { version: unknown; records: Record<string, unknown[]> } {
  const Driver = loadDriver();
  const db = new Driver(file, { readonly: true });
  try {
    return { version: db.pragma('user_version', { simple: true }), records: dump(db) };
  } finally {
    db.close();
  }
}

describe('an upgrade', () => {
  it('keeps a private copy of the old file, and says so', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const before = read(file);
    const said: string[] = [];
    open(file, said);
    const copy = `${file}.before-upgrade-${VERSION}`;
    assert.deepEqual(read(copy), before);
    assert.equal(statSync(copy).mode & 0o777, 0o600);
    assert.equal(read(file).version, SCHEMA_VERSION);
    assert.deepEqual(said, [
      `Upgrading ${file} from schema ${VERSION} to ${SCHEMA_VERSION}.`,
      `A copy of the old one stays in ${copy}.`,
      `Upgraded ${file}.`,
    ]);
    open(file, said);
    assert.equal(said.length, 3);
  });

  it('keeps a copy that can be put back and upgraded again', (t) => {
    for (let version = 1; version < SCHEMA_VERSION; version += 1) {
      const file = buildFixture(folderFor(t), version);
      const { records } = read(file);
      open(file);
      const { checks } = restoreBackup(`${file}.before-upgrade-${version}`, file);
      assert.ok(checks.length > 0 && checks.every(({ ok }) => ok));
      // Putting a copy back signs everybody out.
      for (const table of ['sessions', 'one_time_links']) {
        if (table in records) records[table] = [];
      }
      assert.deepEqual(read(file), { version, records });
      open(file);
      assert.equal(read(file).version, SCHEMA_VERSION);
    }
  });

  it('never replaces another copy, and makes no second one of the same file', (t) => {
    const folder = folderFor(t);
    const file = buildFixture(folder, VERSION);
    const copy = `${file}.before-upgrade-${VERSION}`;
    writeFileSync(copy, 'mine');
    copyFileSync(file, `${copy}-2`);
    open(file);
    assert.equal(readFileSync(copy, 'utf8'), 'mine');
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('before')),
      [`old.db.before-upgrade-${VERSION}`, `old.db.before-upgrade-${VERSION}-2`],
    );
  });

  it('waits for the service of an older version to end', (t) => {
    const folder = folderFor(t);
    const file = buildFixture(folder, VERSION);
    const unlock = takeLock(`${file}-lock`);
    assert.throws(() => open(file), refusal('conflict', /Stop the older service/));
    assert.equal(read(file).version, VERSION);
    assert.deepEqual(readdirSync(folder).sort(), ['old.db', 'old.db-lock']);
    unlock?.();
    open(file);
    assert.equal(read(file).version, SCHEMA_VERSION);
  });

  it('removes what a killed upgrade or restore left, and nothing else', async (t) => {
    const folder = folderFor(t);
    const file = buildFixture(folder, VERSION);
    const { pid: ended } = spawnSync(process.execPath, ['--version']);
    const left = (name: string, id = ended) => `${name}.${id}.unfinished`;
    const upgraded = `old.db.before-upgrade-${VERSION}`;
    const killed = [
      left('old.db'),
      left(upgraded),
      left(`${upgraded}-2`),
      left('old.db', process.pid),
    ];
    const others = [
      left('old.db', process.ppid),
      left('other.db'),
      `${left('old.db')}.zip`,
      'old.db.1',
    ];
    for (const name of [...killed, ...others]) writeFileSync(join(folder, name), '');
    mkdirSync(join(folder, left('old.db', 1)));
    const isKept = () => readdirSync(folder).filter((name) => others.includes(name)).length;
    const isLeft = () => killed.filter((name) => existsSync(join(folder, name)));
    open(file);
    assert.deepEqual([isKept(), isLeft()], [others.length, []]);
    for (const name of killed) writeFileSync(join(folder, name), '');
    const service = await createService({ database: file, exclusive: true });
    assert.deepEqual([isKept(), isLeft()], [others.length, []]);
    await service.close();
  });

  it('is refused for a damaged file, which stays as it is', (t) => {
    const folder = folderFor(t);
    const file = buildFixture(folder, VERSION);
    const bytes = readFileSync(file);
    bytes.fill(0xff, bytes.length - 3000);
    writeFileSync(file, bytes);
    assert.throws(() => open(file), refusal('invalid_input', /damaged.*not upgraded.*restore/));
    assert.deepEqual(readFileSync(file), bytes);
    assert.ok(!existsSync(`${file}.before-upgrade-${VERSION}`));
  });

  it('is refused when there is no room, before anything is written', (t) => {
    const folder = folderFor(t);
    const file = buildFixture(folder, VERSION);
    const options = { file, create: false, busyTimeoutMs: 20, unshared: true };
    assert.throws(() => openDatabase(options), refusal('storage_full', /of free space/));
    assert.equal(read(file).version, VERSION);
    assert.ok(!existsSync(`${file}.before-upgrade-${VERSION}`));
  });

  it('works beside a replicator, whose tables it keeps', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const Driver = loadDriver();
    const other = new Driver(file);
    other.pragma('journal_mode = wal');
    other.exec('create table _litestream_seq (id integer primary key, seq integer)');
    other.exec('insert into _litestream_seq values (1, 7)');
    other.exec('begin; select * from _litestream_seq');
    open(file);
    other.exec('commit');
    assert.deepEqual(dump(other)['_litestream_seq'], [{ id: 1, seq: 7 }]);
    other.close();
  });

  it('leaves the old or the new schema whenever it is killed', async (t) => {
    const { old, upgraded, problems } = await killUpgrades(folderFor(t), 5);
    assert.deepEqual(problems, []);
    assert.equal(old + upgraded, 5);
    assert.ok(old > 0, 'no kill came early enough');
  });
});
