import assert from 'node:assert/strict';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openOffice } from './office.ts';
import { Terminal } from './terminal.ts';

/** Every command that opens an existing database. */
const COMMANDS = [
  ['serve', '--port', '0'],
  ['keys', 'create', '--name', 'N', '--scope', 'projects:read'],
  ['keys', 'list'],
  ['keys', 'revoke', 'key_0000000001'],
  ['plan', 'set', 'free'],
  ['projects', 'import', 'project.json'],
  ['projects', 'list'],
  ['report', 'P'],
  ['transactions', 'list'],
  ['allocate', '--by-account-code'],
  ['allocate', 'txn_0000000001', '--none'],
  ['exclude', 'txn_0000000001', '--reason', 'R'],
  ['restore', 'txn_0000000001'],
  ['review', 'txn_0000000001', '--keep'],
  ['check'],
  ['audit'],
];

describe('8: a missing, foreign, damaged or newer database is refused and unchanged', () => {
  for (const argv of COMMANDS) {
    it(argv.join(' '), async (context) => {
      const { terminal } = await openOffice(context);
      const { folder } = terminal;
      const files = makeDatabases(terminal);
      const before = readAll(folder);
      for (const [file, message] of files) {
        const outcome = await terminal.run([...argv, '--db', file]);
        assert.deepEqual([file, outcome.exitCode, outcome.stdout], [file, 1, '']);
        assert.match(outcome.stderr, message);
        assert.equal(outcome.stderr.split('\n').length, 2);
      }
      assert.deepEqual(readAll(folder), before);
    });
  }

  it('init accepts only a missing or empty database', async (context) => {
    const { terminal } = await openOffice(context);
    const [missing, ...others] = makeDatabases(terminal);
    const before = readAll(terminal.folder);
    const init = ['init', '--name', 'N', '--currency', 'GBP', '--db'];
    for (const [file, message] of others.filter(([name]) => name !== 'empty.db')) {
      const { exitCode, stderr } = await terminal.run([...init, file]);
      assert.deepEqual([file, exitCode], [file, 1]);
      assert.match(stderr, message);
    }
    assert.deepEqual(readAll(terminal.folder), before);
    assert.equal((await terminal.run([...init, missing?.[0] ?? ''])).exitCode, 0);
  });
});

describe('8: a database that says it is older than its tables', () => {
  it('is refused by its upgrade, which says what it found and leaves a copy', async (context) => {
    const { terminal } = await openOffice(context);
    const older = readFileSync(terminal.database);
    older.writeUInt32BE(1, 60);
    const file = join(terminal.folder, 'older.db');
    writeFileSync(file, older);
    const { exitCode, stderr } = await terminal.run(['check', '--db', 'older.db']);
    assert.equal(exitCode, 1);
    assert.match(stderr, /is not as budgetd made it \(duplicate column name: \w+\)/);
    assert.deepEqual([existsSync(`${file}.before-upgrade-1`), readFileSync(file)[63]], [true, 1]);
  });
});

describe('8: a database that does not exist yet', () => {
  it('a refused init leaves no file behind', async (context) => {
    const terminal = new Terminal(context);
    for (const argv of [
      ['--name', ' ', '--currency', 'GBP'],
      ['--name', 'N', '--currency', 'GB'],
      ['--name', 'N\u0007', '--currency', 'GBP'],
    ]) {
      assert.equal((await terminal.run(['init', ...argv])).exitCode, 2);
    }
    assert.equal(existsSync(terminal.database), false);
  });

  it('init in a missing folder prints one clear line', async (context) => {
    const argv = ['init', '--name', 'N', '--currency', 'GBP', '--db', 'no/where.db'];
    const { exitCode, stderr } = await new Terminal(context).run(argv);
    assert.equal(exitCode, 1);
    assert.match(stderr, /^budgetd: Cannot create the database .*where\.db: .*\n$/);
  });
});

/** Files that are not usable databases, with the expected messages. */
function makeDatabases({ folder, database }: Terminal): [file: string, message: RegExp][] {
  const ours = readFileSync(database);
  const write = (file: string, bytes: Buffer | string) => writeFileSync(join(folder, file), bytes);
  write('text.db', 'Dear treasurer,\n'.repeat(400));
  write('empty.db', '');
  const foreign = Buffer.from(ours);
  foreign.writeUInt32BE(0x12345678, 68);
  write('foreign.db', foreign);
  const newer = Buffer.from(ours);
  newer.writeUInt32BE(99, 60);
  write('newer.db', newer);
  write('short.db', ours.subarray(0, ours.length - 8192));
  const damaged = Buffer.from(ours);
  // The first page contains the schema.
  damaged.fill(0xff, 100, 4096);
  write('damaged.db', damaged);
  const format = Buffer.from(ours);
  format.writeUInt32BE(9, 44);
  write('format.db', format);
  copyFileSync(database, join(folder, 'sound.db'));
  return [
    [
      'missing.db',
      /^budgetd: The database .*missing\.db does not exist\. Pass another file with --db/,
    ],
    ['text.db', /text\.db is not a database\./],
    ['empty.db', /empty\.db is empty\./],
    ['foreign.db', /foreign\.db belongs to another program\./],
    ['newer.db', /newer\.db was written by a newer budgetd \(schema 99\).* Install the newer/],
    ['short.db', /short\.db is truncated\./],
    [
      'damaged.db',
      /damaged\.db is damaged\. Restore a backup with `budgetd restore-backup FILE`\./,
    ],
    ['format.db', /format\.db is damaged\./],
    ['.', /Cannot read the database .*: it is a folder/],
  ];
}

function readAll(folder: string): Record<string, string> {
  const files = readdirSync(folder).sort();
  return Object.fromEntries(
    files.map((file) => [file, readFileSync(join(folder, file)).toString('base64')]),
  );
}
