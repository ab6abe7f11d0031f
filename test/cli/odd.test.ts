/** Nothing dies of what it finds: odd files, settings, tables and entries are said. */

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { DoctorFinding } from '../../src/cli/doctor/finding.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { openOffice } from './office.ts';
import { membersOf, type RunOptions, type Terminal } from './terminal.ts';

/** An office whose database someone changed. */
async function openChanged(context: TestContext, ...texts: string[]): Promise<Terminal> {
  const { terminal } = await openOffice(context);
  const db = new (loadDriver())(terminal.database);
  for (const text of texts) db.exec(text);
  db.close();
  return terminal;
}

/** What `doctor` finds, but for what every new database has. */
async function findingsOf(terminal: Terminal, options: RunOptions = {}): Promise<string[]> {
  const env = { BUDGETD_BACKUP_KEEP: '0', ...options.env };
  const { stdout } = await terminal.run(['doctor', '--json'], { env });
  const findings = membersOf(JSON.parse(stdout))['findings'] as DoctorFinding[];
  const others = findings.filter(({ code }) => code !== 'no_owner' && !code.startsWith('disk_'));
  return others.map(({ code, message }) => `${code}: ${message}`);
}

async function endsWell(terminal: Terminal, ...argv: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await terminal.run(argv);
  assert.deepEqual([exitCode, /bug/.test(stderr)], [0, false], stderr);
  return stdout + stderr;
}

describe('8: what budgetd does not know', () => {
  it('an entry of the log in another form', async (context) => {
    const details = ['{"received":3}', 'nonsense', 'null', '{"changes":[null,{"subject":7}]}'];
    const terminal = await openChanged(
      context,
      ...details.map((text, at) => {
        return `insert into audit_log (organisation_id, at, actor, action, details)
          select 1, last_write_at, 'older', 'push.${at}', '${text}' from organisations`;
      }),
    );
    assert.match(
      await endsWell(terminal, 'audit'),
      /older +push\.0[\s\S]*unreadable=\{"received":3\}/,
    );
    assert.match(await endsWell(terminal, 'check'), /^note {3}each entry .*: 3 exceptions$/m);
    await endsWell(terminal, 'audit', '--subject', 'txn_0000000001');
    await endsWell(terminal, 'backup', 'copy.db');
    await endsWell(terminal, 'export', 'all');
    await endsWell(terminal, 'restore-backup', 'copy.db', '--db', 'other.db');
    const [found, ...others] = await findingsOf(terminal);
    assert.match(found ?? '', /^foreign_entry: .*entry \d+, push\.0/);
    assert.deepEqual(others, []);
  });

  it('a table, a column and a trigger', async (context) => {
    const terminal = await openChanged(
      context,
      'create table notes (text)',
      'alter table projects add column colour text',
      'create trigger t after insert on notes begin select 1; end',
    );
    const said = /table notes, column colour of projects, trigger t\./;
    assert.match(await endsWell(terminal, 'check'), said);
    assert.match(
      String(await findingsOf(terminal)),
      /^foreign_tables: .*table notes, column colour of projects/,
    );
    await endsWell(terminal, 'backup', 'copy.db');
    await endsWell(terminal, 'export', 'all');
    await endsWell(terminal, 'report', 'Youth work 2026');
  });

  it('a missing index, which is damage', async (context) => {
    const terminal = await openChanged(context, 'drop index transactions_by_date');
    const list = await terminal.run(['transactions', 'list']);
    assert.equal(list.exitCode, 1);
    assert.match(list.stderr, /not as budgetd made it \(no such index: .*Run `budgetd check`/);
    assert.match(
      String(await findingsOf(terminal)),
      /^damaged_records: .*index transactions_by_date/,
    );
    const copy = await terminal.run(['backup', 'copy.db']);
    assert.equal(copy.exitCode, 1);
    assert.match(copy.stderr, /is damaged, so no copy was kept/);
    // The command that puts it right names the newest backup.
    const nightly = join(terminal.folder, 'backups', 'budgetd-2026-01-02T02-00-00Z.db');
    mkdirSync(join(terminal.folder, 'backups'));
    for (const file of [nightly.replace('02T', '01T'), nightly]) writeFileSync(file, '');
    const { stdout } = await terminal.run(['doctor']);
    assert.ok(stdout.includes(`budgetd restore-backup ${nightly}\n`), stdout);
  });

  it('settings that serve refuses', async (context) => {
    const { terminal } = await openOffice(context);
    writeFileSync(join(terminal.folder, 'b.conf'), 'BUDGETD_COLOUR=red\n');
    writeFileSync(join(terminal.folder, 'port.conf'), '\nBUDGETD_PORT=many\n');
    for (const [env, message] of [
      [{ BUDGETD_CONFIG: 'b.conf' }, /b\.conf, line 1: BUDGETD_COLOUR is not a setting/],
      [{ BUDGETD_CONFIG: 'port.conf' }, /port\.conf, line 2: BUDGETD_PORT must be a whole number/],
      [{ BUDGETD_CONFIG: 'gone.conf' }, /BUDGETD_CONFIG: .*gone\.conf: no such file or folder/],
      [{ BUDGETD_CONFIG: terminal.folder }, /BUDGETD_CONFIG: .*this is a folder, not a file/],
      [{ BUDGETD_METRICS: 'here' }, /BUDGETD_METRICS must be an address and a port/],
    ] as const) {
      const found = (await findingsOf(terminal, { env })).filter((each) => /^wrong_/.test(each));
      assert.equal(found.length, 1);
      assert.match(String(found), message);
    }
    assert.equal((await terminal.run(['doctor', '--port', 'many'])).exitCode, 2);
  });

  it('backups in a file or behind a link to nothing, and a missing secret', async (context) => {
    const { terminal } = await openOffice(context);
    writeFileSync(join(terminal.folder, 'file'), '');
    symlinkSync('nothing', join(terminal.folder, 'link'));
    for (const [env, message] of [
      [{ BUDGETD_BACKUP_DIR: 'link' }, /^unreadable: .*link: no such file or folder\.$/],
      [{ BUDGETD_BACKUP_DIR: 'file' }, /^unreadable: .*file: part of the path is a file/],
      [{ BUDGETD_BACKUP_DIR: 'file/below' }, /^unreadable: .*below: part of the path is a file/],
      [{ BUDGETD_KEY_FILE: 'gone.key' }, /^unreadable: .*gone\.key: no such file or folder\.$/],
    ] as const) {
      const env_ = { BUDGETD_BACKUP_KEEP: '14', ...env };
      const found = await findingsOf(terminal, { env: env_ });
      assert.match(found.find((each) => /^unreadable/.test(each)) ?? '', message);
      const { stdout } = await terminal.run(['doctor'], { env: env_ });
      const [, folder = ''] = /ls -ld (.+)/.exec(stdout) ?? [];
      assert.ok(lstatSync(folder), folder);
    }
  });

  it('what a killed process left of a copy', async (context) => {
    const { terminal } = await openOffice(context);
    writeFileSync(`${terminal.database}.before-upgrade-1.999999999.unfinished`, '');
    assert.match(String(await findingsOf(terminal)), /^unfinished_copy: .*999999999\.unfinished/);
  });
});

describe('8: files from outside', () => {
  const isUnix = process.platform !== 'win32';
  const lines: [line: string, exitCode: number, message: RegExp][] = [
    [
      'config --config /dev/zero',
      1,
      /^budgetd: --config: \/dev\/zero is a device\. Name a file\.$/,
    ],
    ['projects import /dev/zero', 1, /^budgetd: \/dev\/zero is a device\. Name a file\.$/],
    ['rules import /dev/zero', 1, /^budgetd: \/dev\/zero is a device\./],
    ['import /dev/zero', 2, /"\/dev\/zero" is a device\. Name a file, or - for standard input\./],
    ['import a.csv --map /dev/zero', 1, /--map: \/dev\/zero is a device/],
    ['import a.csv --map large.json', 1, /--map: .*large\.json has more than 1 MB\.$/],
    ['csv inspect a.csv --money-out positive --map /dev/zero', 1, /--map: \/dev\/zero is a device/],
    ['push a.csv --url http://127.0.0.1:1 --key-file /dev/zero', 1, /\/dev\/zero is a device/],
    ['projects import large.json', 1, /^budgetd: large\.json is not valid JSON/],
    ['projects import folder', 1, /^budgetd: .*folder: this is a folder, not a file\.$/],
  ];
  for (const [line, exitCode, message] of lines) {
    it(line, {
      skip: isUnix ? false : 'no devices on Windows',
      timeout: 20_000,
    }, async (context) => {
      const { terminal } = await openOffice(context);
      const place = (name: string) => join(terminal.folder, name);
      const head = 'externalId,date,description,amount';
      writeFileSync(place('a.csv'), `${head}\nA,2026-01-31,Rent,12\nB,2026-02-28,Rent,13\n`);
      writeFileSync(place('large.json'), ' '.repeat(1_100_000));
      mkdirSync(place('folder'));
      const end = await terminal.run(line.split(' '));
      assert.equal(end.exitCode, exitCode, end.stderr);
      assert.match(end.stderr.trimEnd(), message);
    });
  }

  it('more than a document on standard input', async (context) => {
    const { terminal } = await openOffice(context);
    const stdin = ' '.repeat(65_000_000);
    const end = await terminal.run(['projects', 'import', '-'], { stdin });
    assert.match(end.stderr, /Standard input has more than 64 MB\.$/m);
  });

  it('a pipe is read like a file', {
    skip: isUnix ? false : 'no pipes on Windows',
  }, async (context) => {
    const { terminal } = await openOffice(context);
    const pipe = join(terminal.folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    const text = 'BUDGETD_PORT=1234';
    spawn('sh', ['-c', `echo ${text} > ${pipe}`]);
    const { stdout } = await terminal.run(['config', '--config', 'pipe']);
    assert.match(stdout, /port +1234 +pipe, line 1/);
  });
});
