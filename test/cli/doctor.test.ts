import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { examineFiles } from '../../src/cli/doctor/files.ts';
import { type DoctorFinding, FINDING_CODES } from '../../src/cli/doctor/finding.ts';
import { foldEmail } from '../../src/core/users.ts';
import { loadDriver } from '../../src/database/driver.ts';
import { readText } from '../repository.ts';
import { membersOf, type RunOptions, Terminal } from './terminal.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/budgetd', import.meta.url));

/** A new organisation in a new database. */
async function openNew(context: TestContext) {
  const terminal = new Terminal(context);
  await terminal.run(['init', '--name', 'A', '--currency', 'GBP']);
  const sql = (text: string, ...values: unknown[]) => {
    const db = new (loadDriver())(terminal.database);
    db.prepare(text).run(...values);
    db.close();
  };
  const add = (email: string, role: string, createdAtMs = Date.now()) => {
    const insert = 'insert into users (email, email_folded, password, created_at) values';
    sql(`${insert} (?, ?, '', ?)`, email, foldEmail(email), createdAtMs);
    sql(
      `insert into memberships select 1, id, ?, created_at, null, 0 from users
          order by id desc limit 1`,
      role,
    );
  };
  add('ada@example.org', 'owner');
  const examine = async (argv: readonly string[] = [], options: RunOptions = {}) => {
    const env = { BUDGETD_BACKUP_KEEP: '0', ...options.env };
    const { exitCode, stdout } = await terminal.run(['doctor', '--json', ...argv], { env });
    const { ok, findings } = membersOf(JSON.parse(stdout));
    const found = findings as DoctorFinding[];
    assert.equal(ok, exitCode === 0);
    assert.equal(ok, !found.some(({ level }) => level === 'serious'));
    for (const { level, code } of found)
      if (code !== 'no_backup') assert.equal(level, FINDING_CODES[code]);
    // The disk of a test machine can be almost full.
    return found.filter(({ code }) => !code.startsWith('disk_'));
  };
  return { terminal, sql, add, examine };
}

function places({ database }: Terminal) {
  return {
    database,
    folders: [],
    backups: undefined,
    secrets: [],
    settings: undefined,
    minFreeDisk: 0,
    options: '',
  };
}

describe('8: doctor', () => {
  it('finds nothing in a new database, and says so', async (context) => {
    const { terminal, examine } = await openNew(context);
    assert.deepEqual(await examine(), []);
    const { stdout } = await terminal.run(['doctor', '--backup-keep', '0']);
    assert.match(stdout, /budgetd\.db is in good order\.\n$|finding/);
  });

  it('finds files that others can open, with the command that restricts them', async (context) => {
    if (process.platform === 'win32') return;
    const { terminal, examine } = await openNew(context);
    const key = join(terminal.folder, 'erp.key');
    writeFileSync(key, 'x');
    chmodSync(key, 0o640);
    chmodSync(terminal.database, 0o604);
    const secondFactors = `${terminal.database}-key`;
    writeFileSync(secondFactors, 'x');
    chmodSync(secondFactors, 0o644);
    const found = await examine();
    assert.deepEqual(
      found.map(({ code, message, fix }) => [code, /mode (\d+)/.exec(message)?.[1], fix]),
      [
        ['readable_by_others', '0604', `chmod 600 ${terminal.database}`],
        ['readable_by_others', '0644', `chmod 600 ${secondFactors}`],
        ['readable_by_others', '0640', `chmod 600 ${key}`],
      ],
    );
    // Opening the database has restricted it already.
    assert.equal(statSync(terminal.database).mode & 0o777, 0o600);
    for (const file of [key, secondFactors]) chmodSync(file, 0o600);
    assert.deepEqual(await examine(), []);
  });

  it('finds that there was no backup for a week', async (context) => {
    const { terminal, examine, sql } = await openNew(context);
    const folder = join(terminal.folder, 'backups');
    const keep = ['--backup-keep', '14'];
    const [none, ...rest] = await examine(keep);
    assert.deepEqual([none?.code, none?.level, rest], ['no_backup', 'warning', []]);
    sql('update organisations set created_at = created_at - ?', 2 * 24 * 60 * 60_000);
    assert.equal((await examine(keep))[0]?.level, 'serious');
    assert.match(none?.message ?? '', /backups is missing\.$/);
    // Nobody else may create the folder, which has to belong to the user of the service.
    assert.match(none?.fix ?? '', /`budgetd serve`/);
    mkdirSync(folder);
    const old = join(folder, 'budgetd-2026-01-31T02-00-00Z.db');
    writeFileSync(old, '', { mode: 0o600 });
    const [since] = await examine(keep);
    assert.match(since?.message ?? '', /backups has no backup since 2026-01-31\.$/);
    const words = (since?.fix ?? '').split(' ').slice(1);
    assert.equal((await terminal.run(words)).exitCode, 0);
    assert.deepEqual(await examine(keep), []);
    mkdirSync(join(terminal.folder, 'x'));
    const [elsewhere] = await examine([...keep, '--backup-dir', 'x', '--db', 'budgetd.db']);
    assert.equal(elsewhere?.code, 'no_backup');
    assert.match(elsewhere?.fix ?? '', /Z\.db --db budgetd\.db$/);
    if (process.platform === 'win32') return;
    chmodSync(old, 0o644);
    const [readable] = await examine(keep);
    assert.equal(readable?.fix, `chmod 600 ${old}`);
  });

  it('finds keys that expire soon and keys that nobody used', async (context) => {
    const { terminal, sql, examine } = await openNew(context);
    const create = async (name: string, ...more: string[]) => {
      const scopes = ['--scope', 'projects:read', '--scope', 'reports:read'];
      const argv = ['keys', 'create', '--name', name, ...scopes, ...more];
      return String(membersOf(await terminal.json(argv))['keyId']);
    };
    const day = (days: number) => new Date(Date.now() + days * 864e5).toISOString().slice(0, 10);
    await create('soon', '--expires', day(3));
    await create('later', '--expires', day(40));
    await create('over', '--expires', day(-3));
    await create('new');
    const old = await create('old');
    await terminal.json(['keys', 'revoke', await create('revoked')]);
    sql('update api_keys set created_at = ? where name in (?, ?)', 0, 'old', 'revoked');
    const [first, second, ...rest] = await examine();
    assert.deepEqual(rest, []);
    assert.deepEqual(first, {
      level: 'warning',
      code: 'key_expires',
      message: `The key soon (key_0000000001) can be used until ${day(3)}.`,
      fix: 'budgetd keys create --name soon --scope projects:read --scope reports:read',
    });
    assert.match(second?.message ?? '', /^The key old \(key_0000000005\) was created [\d,]+ days /);
    assert.equal(second?.fix, `budgetd keys revoke ${old}`);
    assert.equal((await terminal.run((second?.fix ?? '').split(' ').slice(1))).exitCode, 0);
    assert.deepEqual(
      (await examine()).map(({ code }) => code),
      ['key_expires'],
    );
    await terminal.run(['init', '--name', 'B', '--currency', 'GBP', '--another']);
    const [of] = await examine(['--db', terminal.database]);
    assert.equal(of?.code, 'key_expires');
    const options = ` --db ${terminal.database} --org org_0000000001`;
    assert.ok(of?.fix.endsWith(options), of?.fix);
  });

  it('finds who never signed in, and who is missing', async (context) => {
    const { terminal, sql, add, examine } = await openNew(context);
    add('old@example.org', 'member', Date.now() - 31 * 864e5);
    add('owner@example.org', 'owner', Date.now() - 31 * 864e5);
    add('new@example.org', 'member', Date.now() - 29 * 864e5);
    add('here@example.org', 'member', 1);
    sql('update memberships set last_sign_in_at = 2 where created_at = 1');
    const [member, owner, ...rest] = await examine();
    assert.deepEqual([member?.code, owner?.code, rest], ['user_unused', 'user_unused', []]);
    assert.match(member?.message ?? '', /^old@example\.org \(member\) was added 31 days ago /);
    assert.equal(owner?.fix, 'budgetd users reset-password owner@example.org');
    for (const each of [member, owner]) {
      const { stderr, exitCode } = await terminal.run((each?.fix ?? '').split(' ').slice(1));
      assert.equal(exitCode, 0, stderr);
    }
    sql(`update memberships set last_sign_in_at = 2`);
    sql(`update memberships set role = 'admin'`);
    const [none] = await examine();
    assert.deepEqual([none?.code, none?.message], ['no_owner', 'A has users but no owner.']);
    assert.equal((await terminal.run((none?.fix ?? '').split(' ').slice(1))).exitCode, 0);
    assert.deepEqual(await examine(), []);
    await terminal.run(['init', '--name', 'B', '--currency', 'GBP', '--another']);
    const [nobody] = await examine();
    assert.equal(nobody?.message, 'B has no user: nobody can sign in.');
    const env = { BUDGETD_PASSWORD: 'seven tall ships' };
    const words = (nobody?.fix ?? '').split(' ').slice(1);
    assert.equal((await terminal.run(words, { env })).exitCode, 0);
    assert.deepEqual(await examine(), []);
  });

  it('finds what restore-backup kept, secrets in the open and open settings', async (context) => {
    const { terminal, examine } = await openNew(context);
    await terminal.json(['backup', 'copy.db']);
    await terminal.json(['restore-backup', 'copy.db']);
    const kept = `${terminal.database}.before-restore`;
    const [restored, ...rest] = await examine();
    assert.deepEqual([restored?.code, rest], ['before_restore', []]);
    assert.ok(restored?.fix.endsWith(`: budgetd audit --db ${kept}`));
    rmSync(kept);
    if (process.platform === 'win32') return;
    const [conf, secret] = ['b.conf', 'secret'].map((name) => join(terminal.folder, name));
    for (const file of [conf, secret]) writeFileSync(String(file), 'BUDGETD_PORT=9\n');
    for (const file of [conf, secret]) chmodSync(String(file), 0o664);
    const env = { BUDGETD_CONFIG: 'b.conf', BUDGETD_KEY_FILE: 'secret' };
    const found = await examine([], { env });
    assert.deepEqual(
      found.map(({ code, fix }) => [code, fix]),
      [
        ['readable_by_others', `chmod 600 ${secret}`],
        ['writable_by_others', `chmod go-w ${conf}`],
      ],
    );
    chmodSync(String(conf), 0o644);
    chmodSync(String(secret), 0o600);
    assert.deepEqual(await examine([], { env }), []);
  });

  it('finds settings that contradict each other or do nothing', async (context) => {
    const { examine } = await openNew(context);
    const url = 'https://b.example.org';
    const here = ['--trusted-proxies', '127.0.0.1'];
    const alone = 'no_second_factor';
    const cases: [string, string[]][] = [
      ['--public-url http://b.example.org', [alone, 'public_url_http']],
      ['--public-url http://localhost:8080', [alone]],
      ['--public-url http://[::1]:8080', [alone]],
      [`--public-url ${url}`, [alone, 'no_trusted_proxy']],
      [`--public-url ${url} ${here.join(' ')}`, [alone]],
      [here.join(' '), ['no_public_url']],
      [`--public-url ${url} --trusted-proxies 10.0.0.5,10.1.0.0/16`, [alone, 'setting_unused']],
      [`--public-url ${url} --trusted-proxies 0.0.0.0/0`, [alone]],
      [
        `--public-url ${url} --trusted-proxies 10.0.0.5 --host 10.0.0.6`,
        [alone, 'open_to_network'],
      ],
      ['--backup-dir x --backup-at 03:00', ['setting_unused', 'setting_unused']],
      ['--port 9464 --metrics 127.0.0.1:9464', ['metrics_address']],
      ['--port 9464 --metrics localhost:9464', ['metrics_address']],
      ['--port 9464 --metrics [::]:9464', ['metrics_address', 'metrics_open']],
      ['--port 0 --metrics 127.0.0.1:0', []],
      ['--port 9464 --metrics 127.0.0.2:9464', []],
    ];
    for (const [argv, codes] of cases) {
      const found = await examine(argv.split(' '));
      assert.deepEqual(
        found.map(({ code }) => code),
        codes,
        argv,
      );
    }
    const [unused] = await examine([], { env: { BUDGETD_BACKUP_AT: '03:00' } });
    assert.equal(unused?.fix, 'Remove BUDGETD_BACKUP_AT.');
    const why = 'backup-keep is 0, so no backups are made.';
    assert.equal(unused?.message, `backup-at does nothing (BUDGETD_BACKUP_AT): ${why}`);
  });

  it('finds a disk with less room than serve needs', async (context) => {
    const { terminal } = await openNew(context);
    const { stdout, exitCode } = await terminal.run([
      'doctor',
      '--backup-keep',
      '0',
      '--min-free-disk',
      '900000000000000',
      '--json',
    ]);
    const { ok, findings } = JSON.parse(stdout);
    const codes = findings.map(({ code }: { code: string }) => code);
    assert.deepEqual([ok, exitCode, codes.includes('disk_full')], [false, 1, true]);
  });

  it('finds a clock that is behind the last write', async (context) => {
    const { sql, examine } = await openNew(context);
    const set = 'update organisations set last_write_at = ?';
    sql(set, Date.now() + 60_000);
    assert.deepEqual(await examine(), []);
    sql(set, Date.parse('2999-01-31T12:00:00Z'));
    const [clock, ...rest] = await examine();
    assert.deepEqual([clock?.code, rest], ['clock_behind', []]);
    assert.match(clock?.message ?? '', / but the last change of A is from 2999-01-31 12:00 UTC: /);
  });

  it('finds damaged records and settings that nobody may have meant', async (context) => {
    const { sql, examine } = await openNew(context);
    sql(
      `insert into audit_log (organisation_id, at, actor, action, details)
       values (1, ?, 'x', 'plan.changed', '{}')`,
      Date.now() + 1000,
    );
    const argv = ['--host', '0.0.0.0', '--metrics', '[::]:9464'];
    const found = await examine(argv, { env: { BUDGETD_PROT: '1' } });
    assert.deepEqual(
      found.map(({ code, fix }) => [code, fix]),
      [
        ['damaged_records', 'Stop the service, then: budgetd restore-backup FILE'],
        ['open_to_network', 'Put a proxy with TLS in front, and serve with --host 127.0.0.1'],
        ['metrics_open', '--metrics 127.0.0.1:9464'],
        ['unknown_setting', 'unset BUDGETD_PROT'],
      ],
    );
    assert.match(
      found[0]?.message ?? '',
      /: the last write is the latest change \(organisation 1\)\.$/,
    );
    assert.match(found[3]?.message ?? '', /Did you mean BUDGETD_PORT\?/);
  });

  it('finds damage that keeps it from reading the keys', async (context) => {
    const { terminal, examine } = await openNew(context);
    await terminal.json(['keys', 'create', '--name', 'erp', '--scope', 'reports:read']);
    const bytes = readFileSync(terminal.database);
    const start = Math.floor(bytes.indexOf('["reports:read"]') / 4096) * 4096;
    bytes.fill(0xa5, start, start + 8);
    writeFileSync(terminal.database, bytes);
    const [damage, ...rest] = await examine();
    assert.deepEqual([damage?.code, rest], ['damaged_records', []]);
    assert.match(damage?.message ?? '', /: the file is intact \(.*\); /);
  });

  it('finds a -wal that has grown and a second service', async (context) => {
    const { terminal } = await openNew(context);
    const codes = () => {
      const found = examineFiles(places(terminal), Date.now());
      return found.map(({ code }) => code).filter((code) => !code.startsWith('disk_'));
    };
    const start = async () => {
      const argv = [PROGRAM, 'serve', '--port', '0', '--json', '--db', terminal.database];
      const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'ignore'] });
      context.after(() => child.kill('SIGKILL'));
      // Its output ends, too, if it cannot start.
      const [line] = await Promise.race([once(child.stdout, 'data'), once(child, 'close')]);
      const { url } = JSON.parse(String(line));
      return { child, url: String(url) };
    };
    const wal = `${terminal.database}-wal`;
    writeFileSync(wal, '', { mode: 0o600 });
    truncateSync(wal, 300e6);
    assert.deepEqual(codes(), ['wal_large']);
    rmSync(wal);
    const { child: first, url: firstUrl } = await start();
    assert.deepEqual(codes(), []);
    if (!existsSync('/proc/self/fd')) return;
    // Awake, the first service would take its lock again before the second one starts.
    first.kill('SIGSTOP');
    rmSync(`${terminal.database}-lock`);
    const { child: second } = await start();
    const [services] = examineFiles(places(terminal), Date.now());
    assert.equal(services?.code, 'two_services');
    const ids = [first.pid, second.pid].map(String).sort();
    assert.deepEqual(
      /processes (\d+) and (\d+)\./
        .exec(services?.message ?? '')
        ?.slice(1)
        .sort(),
      ids,
    );
    // Awake, it finds out, and refuses to write from then on.
    first.kill('SIGCONT');
    const isReady = async () => (await fetch(`${firstUrl}/readyz`)).ok;
    while (await isReady()) await new Promise((done) => setTimeout(done, 100));
    assert.equal(examineFiles(places(terminal), Date.now())[0]?.code, 'two_services');
    // A service that runs makes its lock again in a folder that is being removed.
    for (const child of [first, second]) {
      child.kill('SIGKILL');
      await once(child, 'close');
    }
  });

  it('refuses a missing database, and says more to people', async (context) => {
    const { terminal, sql } = await openNew(context);
    const missing = await terminal.run(['doctor', '--db', 'gone.db']);
    assert.deepEqual([missing.exitCode, missing.stdout], [1, '']);
    assert.match(missing.stderr, /^budgetd: The database .*gone\.db does not exist\. /);
    sql('update organisations set last_write_at = ?', Date.parse('2999-01-31T12:00:00Z'));
    const { exitCode, stdout } = await terminal.run(['doctor', '--backup-keep', '0']);
    assert.equal(exitCode, 1);
    assert.match(stdout, /^SERIOUS clock_behind\n {2}The clock says .*\n {2}Correct the clock .*/m);
    assert.match(stdout, /\n\d findings?, 1 of them serious\.\n$/);
  });

  it('docs/operating.md has every code with its level', () => {
    const text = readText('docs/operating.md');
    for (const [code, level] of Object.entries(FINDING_CODES)) {
      assert.ok(text.includes(`| \`${code}\` | ${level} |`), code);
    }
  });
});
