import assert from 'node:assert/strict';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { type Db, isAnswering, openDatabase } from '../../src/database/database.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { verifyFile } from '../../src/database/file-checks.ts';
import { SCHEMA_VERSION } from '../../src/database/migrations.ts';
import { dump, folderFor, refusal, row, Workshop } from '../store/workshop.ts';

const APPLICATION_ID_AT = 68;
const USER_VERSION_AT = 60;
const BDGD = 0x62646764;
const NEWER = SCHEMA_VERSION + 1;
const NEWER_MESSAGE = new RegExp(`newer budgetd \\(schema ${NEWER}\\)`);

const open = (file: string, create = false) => {
  return openDatabase({ file, create, busyTimeoutMs: 20 });
};

/** Runs a function as a user to whom something can be forbidden. */
function asNobody(run: () => void): void {
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    run();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

/** A valid database of a few pages, closed. */
function buildFile(folder: string): string {
  const file = join(folder, 'budgetd.db');
  const shop = new Workshop(file);
  shop.project();
  shop.push([row()]);
  shop.db.close();
  return file;
}

/** The contents of every file in a folder. */
function photograph(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => {
      const path = join(folder, name);
      return [name, name === 'folder' ? '' : readFileSync(path).toString('latin1')];
    }),
  );
}

describe('contract 8: a database is refused, and left unchanged byte for byte', () => {
  const cases: [why: string, spoil: (file: string) => void, message: RegExp][] = [
    ['missing', (file) => renameSync(file, `${file}.away`), /does not exist.*budgetd init/],
    ['empty', (file) => truncateSync(file), /is empty.*budgetd init/],
    ['not SQLite', (file) => writeFileSync(file, 'date,amount\n'), /is not a database/],
    ['one byte', (file) => truncateSync(file, 1), /is not a database/],
    [
      'another program',
      (file) => patch(file, APPLICATION_ID_AT, 0x0f055111),
      /belongs to another program/,
    ],
    ['no program', (file) => patch(file, APPLICATION_ID_AT, 0), /belongs to another program/],
    ['before the first release', (file) => patch(file, APPLICATION_ID_AT, 0x42444744), /Export it/],
    ['newer', (file) => patch(file, USER_VERSION_AT, NEWER), NEWER_MESSAGE],
    ['much newer', (file) => patch(file, USER_VERSION_AT, 9999), /newer budgetd \(schema 9999\)/],
    ['only its header', (file) => truncateSync(file, 100), /is truncated.*backup/],
    ['only one page', (file) => truncateSync(file, 4096), /is truncated.*backup/],
    ['a byte short', (file) => truncateSync(file, readFileSync(file).length - 1), /is truncated/],
    ['its schema overwritten', (file) => overwrite(file, 100, 4096), /is damaged.*backup/],
  ];
  for (const [why, spoil, message] of cases) {
    it(`8 ${why}`, (t) => {
      const folder = folderFor(t);
      const file = buildFile(folder);
      spoil(file);
      const before = photograph(folder);
      assert.throws(() => open(file), refusal('invalid_input', message));
      assert.deepEqual(photograph(folder), before);
      if (why === 'missing' || why === 'empty') return;
      assert.throws(() => open(file, true), refusal('invalid_input', message));
      assert.deepEqual(photograph(folder), before);
    });
  }

  it('8 a folder', (t) => {
    const folder = folderFor(t);
    mkdirSync(join(folder, 'folder'));
    for (const create of [false, true]) {
      assert.throws(() => open(join(folder, 'folder'), create), refusal('invalid_input', /folder/));
    }
  });

  it('8 in a missing folder', (t) => {
    const file = join(folderFor(t), 'none', 'budgetd.db');
    for (const create of [false, true]) {
      assert.throws(() => open(file, create), refusal('invalid_input', /none/));
    }
  });

  it('8 in a folder that is really a file', (t) => {
    const file = join(buildFile(folderFor(t)), 'budgetd.db');
    const refused = refusal('invalid_input', /Cannot open the database .* for writing/);
    assert.throws(() => open(file, true), refused);
  });

  it('8 where this user may not look, which is not the same as missing', {
    skip: process.platform === 'win32' ? 'no modes' : false,
  }, (t) => {
    const folder = folderFor(t);
    const file = join(folder, 'a.db');
    open(file, true).close();
    chmodSync(folder, 0o755);
    const refused = refusal('invalid_input', /^This user may not open .*, or as root\.$/);
    for (const path of [file, folder]) {
      chmodSync(path, 0);
      asNobody(() => {
        assert.throws(() => open(file), refused);
        assert.throws(() => open(file, true), refused);
        assert.throws(() => verifyFile(file), refused);
      });
      chmodSync(path, 0o755);
    }
  });

  it('8 newer only in its WAL, because a newer budgetd was killed', (t) => {
    const folder = folderFor(t);
    const file = buildFile(folder);
    const Driver = loadDriver();
    const newer = new Driver(file);
    newer.pragma('wal_autocheckpoint = 0');
    newer.pragma(`user_version = ${NEWER}`);
    for (const name of ['budgetd.db', 'budgetd.db-wal']) {
      writeFileSync(join(folder, `left-${name}`), readFileSync(join(folder, name)));
    }
    newer.close();
    const left = join(folder, 'left-budgetd.db');
    assert.equal(readFileSync(left).readUInt32BE(USER_VERSION_AT), SCHEMA_VERSION);
    const bytes = () => [left, `${left}-wal`].map((path) => readFileSync(path).toString('latin1'));
    const before = bytes();
    assert.throws(() => open(left), refusal('invalid_input', NEWER_MESSAGE));
    assert.deepEqual(bytes(), before);
  });
});

describe('contract 8: a new database', () => {
  it('8 is created only if `create` is set, and reopens unchanged', (t) => {
    const file = join(folderFor(t), 'new.db');
    open(file, true).close();
    const header = readFileSync(file);
    assert.equal(header.readUInt32BE(APPLICATION_ID_AT), BDGD);
    assert.equal(header.readUInt32BE(USER_VERSION_AT), SCHEMA_VERSION);
    const db = open(file);
    assert.ok(isAnswering(db));
    db.close();
    assert.ok(!isAnswering(db));
    open(file, true).close();
    assert.deepEqual(readFileSync(file), header);
  });

  it('8 can be created in an empty file, such as a temporary one', (t) => {
    const file = join(folderFor(t), 'empty.db');
    writeFileSync(file, '');
    open(file, true).close();
    open(file).close();
  });

  it('8 keeps its data after closing and reopening', (t) => {
    const file = buildFile(folderFor(t));
    assert.deepEqual(readdirSync(join(file, '..')), ['budgetd.db']);
    const db = open(file);
    const { transactions, projects, budget_lines: lines } = dump(db);
    assert.deepEqual([transactions?.length, projects?.length, lines?.length], [1, 1, 2]);
    db.close();
  });

  it('8 keeps data that another process left in the WAL', (t) => {
    const folder = folderFor(t);
    const shop = new Workshop(join(folder, 'a.db'));
    shop.push([row()]);
    for (const suffix of ['', '-wal']) {
      const bytes = readFileSync(join(folder, `a.db${suffix}`));
      writeFileSync(join(folder, `b.db${suffix}`), bytes);
    }
    shop.db.close();
    const db = open(join(folder, 'b.db'));
    assert.equal(dump(db)['transactions']?.length, 1);
    db.close();
    assert.ok(!existsSync(join(folder, 'b.db-wal')));
  });
});

describe('pragmas that are read back on every open', () => {
  const wanted: Record<string, unknown> = {
    journal_mode: 'wal',
    synchronous: 2,
    foreign_keys: 1,
    trusted_schema: 0,
    cell_size_check: 1,
    temp_store: 2,
    wal_autocheckpoint: 4000,
    journal_size_limit: 64 * 1024 * 1024,
    application_id: BDGD,
    user_version: SCHEMA_VERSION,
    busy_timeout: 20,
  };
  const settingsOf = (db: Db) => {
    return Object.fromEntries(
      Object.keys(wanted).map((name) => [
        name,
        db.pragma(name === 'busy_timeout' ? 'busy_timeout' : name, { simple: true }),
      ]),
    );
  };

  it('6 a new file and a reopened one: synchronous FULL, WAL, foreign keys and the rest', (t) => {
    const file = join(folderFor(t), 'budgetd.db');
    for (const create of [true, false, false]) {
      const db = open(file, create);
      assert.deepEqual(settingsOf(db), wanted);
      db.close();
    }
  });

  it('6 a file whose journal mode another program changed is reset to WAL', (t) => {
    const file = buildFile(folderFor(t));
    const Driver = loadDriver();
    const other = new Driver(file);
    other.pragma('journal_mode = delete');
    other.close();
    const db = open(file);
    assert.equal(db.pragma('journal_mode', { simple: true }), 'wal');
    db.close();
  });

  it('9 a busy connection does not answer', () => {
    const db = open(':memory:', true);
    for (const _ of db.prepare('select 1').iterate()) assert.ok(!isAnswering(db));
    assert.ok(isAnswering(db));
    db.close();
  });

  it('10 a database in memory has all of them except the journal mode', () => {
    const db = open(':memory:', true);
    assert.deepEqual(settingsOf(db), { ...wanted, journal_mode: 'memory' });
    assert.ok(isAnswering(db));
    db.close();
    assert.ok(!isAnswering(db));
  });
});

function patch(file: string, at: number, value: number): void {
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(value, at);
  writeFileSync(file, bytes);
}

function overwrite(file: string, from: number, to: number): void {
  const bytes = readFileSync(file);
  bytes.fill(0xff, from, to);
  writeFileSync(file, bytes);
}

describe('a process killed while it wrote the file itself, not the WAL', () => {
  /** Copies the file with the journal of a write that did not end: what a kill leaves. */
  function killDuring(file: string, write: (db: Db) => void): string {
    const Driver = loadDriver();
    const db = new Driver(file);
    db.pragma('journal_mode = delete');
    db.pragma('cache_size = 1');
    db.exec('begin immediate');
    write(db);
    const killed = `${file}.killed`;
    copyFileSync(file, killed);
    copyFileSync(`${file}-journal`, `${killed}-journal`);
    db.close();
    return killed;
  }
  const fill = (db: Db) => {
    db.exec(`create table filler (text text);
      insert into filler select hex(randomblob(1000)) from json_each('[${'1,'.repeat(99)}1]')`);
  };

  it('in an upgrade: the old contents are there', (t) => {
    const file = buildFile(folderFor(t));
    const db = open(file);
    const before = dump(db);
    db.close();
    const killed = killDuring(file, fill);
    const again = open(killed);
    assert.deepEqual(dump(again), before);
    again.close();
  });

  it('in the creation: it can be created again', (t) => {
    const killed = killDuring(join(folderFor(t), 'budgetd.db'), (db) => {
      db.pragma(`application_id = ${BDGD}`);
      fill(db);
    });
    assert.throws(() => open(killed), refusal('invalid_input', /is empty.*budgetd init/));
    open(killed, true).close();
    open(killed).close();
  });

  it("never touches another program's file", (t) => {
    const folder = folderFor(t);
    const file = join(folder, 'other.db');
    const other = new (loadDriver())(file);
    other.exec('create table theirs (text text)');
    other.close();
    killDuring(file, fill);
    const before = JSON.stringify(photograph(folder));
    assert.throws(() => open(`${file}.killed`), refusal('invalid_input', /another program/));
    assert.ok(JSON.stringify(photograph(folder)) === before, 'the file or its journal changed');
  });
});

it('a database with a second hard link is refused: two -wal files would lose data', (t) => {
  const file = buildFile(folderFor(t));
  linkSync(file, `${file}.link`);
  for (const name of [file, `${file}.link`]) {
    assert.throws(() => open(name), refusal('invalid_input', /hard link.*Remove one/));
  }
});
