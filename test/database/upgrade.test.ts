import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
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
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../src/database/database.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { takeLock } from '../../src/database/lock.ts';
import { MIGRATIONS, type Migration, SCHEMA_VERSION } from '../../src/database/migrations.ts';
import { createService } from '../../src/service.ts';
import { restoreBackup } from '../../src/upkeep/backups.ts';
import { buildFixture, STEP } from '../store/fixture-file.ts';
import { dump, folderFor, refusal } from '../store/workshop.ts';

const HOLDING = fileURLToPath(new URL('holding.js', import.meta.url));
const VERSION = SCHEMA_VERSION;
const NEXT = VERSION + 1;
const OPTIONS = { create: false, busyTimeoutMs: 20, migrations: [...MIGRATIONS, STEP] } as const;

function open(file: string, said: string[] = []): void {
  const onUpgrade = (message: string) => said.push(message);
  openDatabase({ file, ...OPTIONS, onUpgrade }).close();
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

async function serve(file: string): Promise<void> {
  const service = await createService({ database: file, exclusive: true });
  await service.close();
}

function withoutUpgraded(record: unknown): object {
  const { upgraded: _, ...rest } = Object(record);
  return rest;
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
    assert.equal(read(file).version, NEXT);
    assert.deepEqual(said, [
      `Upgrading ${file} from schema ${VERSION} to ${NEXT}.`,
      `A copy of the old one stays in ${copy}.`,
      'Upgrading: 6 transactions.',
      `Upgraded ${file}.`,
    ]);
    open(file, said);
    assert.equal(said.length, 4);
  });

  it('keeps a copy that can be put back and upgraded again', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const { records } = read(file);
    open(file);
    const { checks } = restoreBackup(`${file}.before-upgrade-${VERSION}`, file);
    assert.ok(checks.length > 0 && checks.every(({ ok }) => ok));
    // Putting a copy back signs everybody out.
    const signedOut = { sessions: [], one_time_links: [], invitations: [] };
    assert.deepEqual(read(file), { version: VERSION, records: { ...records, ...signedOut } });
    open(file);
    assert.equal(read(file).version, NEXT);
  });

  it('keeps every record, and logs each step with a stamp later than any other', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const before = read(file).records;
    openDatabase({
      file,
      ...OPTIONS,
      migrations: [...MIGRATIONS, STEP, 'create table more (id integer)'],
    }).close();
    const after = read(file);
    assert.equal(after.version, NEXT + 1);
    for (const [table, records] of Object.entries(before)) {
      if (table !== 'organisations' && table !== 'sqlite_sequence') {
        const kept = (after.records[table] ?? []).slice(0, records.length);
        assert.deepEqual(kept.map(withoutUpgraded), records);
      }
    }
    const log = after.records['audit_log'] ?? [];
    const added = log.slice(before['audit_log']?.length).map(Object);
    const organisations = before['organisations']?.length ?? 0;
    assert.equal(added.length, 2 * organisations);
    assert.ok(
      added.every(({ action, actor }) => action === 'database.upgraded' && actor === 'budgetd'),
    );
    assert.deepEqual(
      added.map(({ details }) => JSON.parse(details)),
      [VERSION, NEXT].flatMap((from) =>
        Array(organisations).fill({ from, to: from + 1, changes: [] }),
      ),
    );
    const stamps = (after.records['organisations'] ?? []).map(Object);
    assert.deepEqual(
      stamps.map(({ last_write_at: at }) => at),
      added.slice(organisations).map(({ at }) => at),
    );
  });

  it('is done once when two processes open the file', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const [one, two] = [openDatabase({ file, ...OPTIONS }), openDatabase({ file, ...OPTIONS })];
    const text = `select count(*) from audit_log where action = 'database.upgraded'`;
    const upgraded = two.prepare<[], number>(text).pluck().get();
    assert.equal(upgraded, dump(two)['organisations']?.length);
    one.close();
    two.close();
  });

  it('changes nothing when a step fails', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const before = read(file);
    const migrations = [...MIGRATIONS, STEP, 'create table transactions (taken integer)'];
    assert.throws(() => openDatabase({ file, ...OPTIONS, migrations }), /already exists/);
    assert.deepEqual(read(file), before);
  });

  it('is refused while another process writes', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const Driver = loadDriver();
    const other = new Driver(file);
    other.exec('begin immediate');
    assert.throws(() => open(file), refusal('unavailable'));
    other.exec('rollback');
    other.close();
    open(file);
  });

  it('takes records that are still in a WAL', (t) => {
    const folder = folderFor(t);
    const file = buildFixture(folder, VERSION);
    const Driver = loadDriver();
    const killed = new Driver(file);
    killed.pragma('journal_mode = wal');
    killed.exec(`update transactions set description = 'Late' where id = 1`);
    for (const suffix of ['', '-wal']) {
      writeFileSync(join(folder, `left.db${suffix}`), readFileSync(file + suffix));
    }
    killed.close();
    const db = openDatabase({ file: join(folder, 'left.db'), ...OPTIONS });
    const text = 'select description from transactions where id = 1';
    assert.equal(db.prepare(text).pluck().get(), 'Late');
    assert.equal(db.pragma('user_version', { simple: true }), NEXT);
    db.close();
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
    assert.equal(read(file).version, NEXT);
  });

  for (const [what, use] of [
    ['an upgrade', async (file: string) => open(file)],
    ['a service', async (file: string) => serve(file)],
  ] as const) {
    it(`${what} removes what a killed upgrade or restore left, and nothing else`, async (t) => {
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
      await use(file);
      const names = readdirSync(folder);
      assert.equal(names.filter((name) => others.includes(name)).length, others.length);
      assert.deepEqual(
        killed.filter((name) => names.includes(name)),
        [],
      );
    });
  }

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

  it('says that it changed nothing when the disk becomes full', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const before = read(file);
    const full: Migration = (db) => {
      db.exec('create table more (text)');
      throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    };
    const migrations = [...MIGRATIONS, full];
    const message = /^The disk became full during the upgrade of .*, which has changed nothing\./;
    assert.throws(
      () => openDatabase({ file, ...OPTIONS, migrations }),
      refusal('storage_full', message),
    );
    assert.deepEqual(read(file), before);
  });

  it('is refused when there is no room, before anything is written', (t) => {
    const folder = folderFor(t);
    const file = buildFixture(folder, VERSION);
    const options = { file, ...OPTIONS, unshared: true };
    assert.throws(() => openDatabase(options), refusal('storage_full', /of free space/));
    assert.equal(read(file).version, VERSION);
    assert.ok(!existsSync(`${file}.before-upgrade-${VERSION}`));
  });

  it('is refused while another program has the file open, and names it', async (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const before = read(file);
    const child = spawn(process.execPath, [HOLDING, file], { stdio: ['pipe', 'pipe', 'inherit'] });
    t.after(() => child.kill());
    await once(child.stdout, 'data');
    const shown = existsSync('/proc/self/fd') ? ` (process ${child.pid})` : '';
    const message = `another program has it open${shown}. End it, then try again.`;
    assert.throws(
      () => open(file),
      (error: Error) => error.message.endsWith(message),
    );
    child.stdin.end();
    await once(child, 'close');
    assert.deepEqual(read(file), before);
    open(file);
  });

  it('says what a killed one left, and removes it', (t) => {
    const file = buildFixture(folderFor(t), VERSION);
    const left = `${file}.before-upgrade-${VERSION}.999999999.unfinished`;
    for (const end of ['', '-journal']) writeFileSync(left + end, '');
    const said: string[] = [];
    open(file, said);
    const removed = said.filter((line) => line.startsWith('Removed ')).join();
    assert.ok(removed.includes(`${left}, `) && removed.includes(`${left}-journal, `), removed);
    assert.ok(!existsSync(left) && !existsSync(`${left}-journal`));
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
});
