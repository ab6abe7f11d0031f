import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, it, type TestContext } from 'node:test';
import { readNewPassword } from '../../src/cli/secrets.ts';
import { openDatabase } from '../../src/database/database.ts';
import { createService } from '../../src/index.ts';
import { accessTo } from '../../src/operations/access.ts';
import { createSession } from '../../src/operations/sessions.ts';
import { signIn } from '../../src/operations/users.ts';
import { addUser } from '../../src/store/users.ts';
import { CHEAP, PASSWORD } from '../operations/users.ts';
import { startProgram, untilOpened } from './program.ts';
import { membersOf, Sink, Terminal } from './terminal.ts';

const ADA = 'ada@example.org';
const BOB = 'bob@example.org';
const ENV = { BUDGETD_PASSWORD: PASSWORD };
const LINK = /^https:\/\/b\.example\.org\/set-up\?token=([\w-]{43})$/;

/** A terminal with an organisation, and these users by address. */
async function openWith(context: TestContext, users: Record<string, 'owner' | 'member'> = {}) {
  const terminal = new Terminal(context);
  await terminal.run(['init', '--name', 'Harbour Trust', '--currency', 'GBP']);
  const db = openDatabase({ file: terminal.database, create: false, busyTimeoutMs: 1000 });
  const actor = { name: 'test', requestId: null, nowMs: Date.now() };
  for (const [email, role] of Object.entries(users)) {
    addUser(
      accessTo({ db }, 'org_0000000001'),
      { email, name: null, role, password: CHEAP },
      actor,
    );
  }
  db.close();
  return terminal;
}

/** Who can sign in. */
async function accepts({ database }: Terminal, email: string, password: string): Promise<boolean> {
  const service = await createService({ database });
  const userId = await signIn(service.source, { email, password });
  if (userId !== undefined) createSession(service.source, { userId, agent: null }, Date.now());
  await service.close();
  return userId !== undefined;
}

describe('8: users create', () => {
  const create = (email: string, ...more: string[]) => {
    return ['users', 'create', '--email', email, '--role', 'owner', ...more];
  };

  it('prints { userId }; the password comes from standard input or a variable', async (context) => {
    const terminal = await openWith(context);
    const one = await terminal.json(create(ADA), { stdin: `${PASSWORD}\r\n` });
    assert.deepEqual(one, { userId: 'usr_0000000001' });
    const named = await terminal.run(create(BOB, '--name', 'Bob'), { env: ENV, stdin: 'ignored' });
    assert.deepEqual(named, {
      exitCode: 0,
      stdout: `Added ${BOB} (usr_0000000002) as an owner of Harbour Trust.\n`,
      stderr: '',
    });
    assert.equal(await accepts(terminal, ADA, PASSWORD), true);
    assert.equal(await accepts(terminal, BOB, PASSWORD), true);
  });

  it('exits with 2 for wrong usage, 1 for a weak password or a known user', async (context) => {
    const terminal = await openWith(context, { [ADA]: 'owner' });
    const cases: [argv: string[], exitCode: number, message: RegExp][] = [
      [['users', 'create', '--role', 'owner'], 2, /--email is missing\./],
      [['users', 'create', '--email', BOB], 2, /--role is missing\./],
      [create('bob'), 2, /"bob" is not an email address, such as ada@example\.org\./],
      [[...create(BOB).slice(0, -1), 'god'], 2, /--role must be one of owner, admin, member/],
      [create(BOB, '--password', PASSWORD), 2, /There is no option --password/],
      [create(BOB), 2, /The password is missing\. Type it, write it to standard input, or set /],
      [create('ADA@example.org'), 1, /ada@example\.org is already a user here, as owner\.$/m],
      [create(BOB, '--org', 'org_0000000009'), 2, /There is no organisation/],
    ];
    for (const [argv, exitCode, message] of cases) {
      const end = await terminal.run(argv);
      assert.deepEqual([end.exitCode, end.stdout], [exitCode, ''], end.stderr);
      assert.match(end.stderr, message);
    }
    const stdins = ['seven77', 'Harbour2026', 'two lines\nof text\n', 'x'.repeat(10_000_000)];
    for (const stdin of stdins) {
      const end = await terminal.run(create(BOB), { stdin });
      assert.deepEqual([end.exitCode, end.stdout], [1, '']);
      assert.match(end.stderr, /^budgetd: The password [^\n]*\n$/);
    }
    assert.equal(membersOf(await terminal.json(['users', 'list']))['length'], 1);
  });

  it('a user of another organisation is added without a password', async (context) => {
    const terminal = await openWith(context, { [ADA]: 'owner' });
    await terminal.run(['init', '--name', 'Two', '--currency', 'GBP', '--another']);
    const { exitCode, stderr } = await terminal.run(create(ADA, '--org', 'Two'));
    assert.equal(exitCode, 0);
    assert.equal(
      stderr,
      `${ADA} already has an account in another organisation. Name and password stay the same.\n`,
    );
    assert.match((await terminal.run(create(BOB), { env: ENV })).stderr, /Pass --org ID/);
    for (const org of ['Two', 'Harbour Trust']) {
      const [user] = (await terminal.json(['users', 'list', '--org', org])) as [object];
      assert.equal(membersOf(user)['email'], ADA);
    }
  });
});

describe('8: users list, role and remove', () => {
  it('print the documents of the contract', async (context) => {
    const terminal = await openWith(context, { [ADA]: 'owner', [BOB]: 'member' });
    const users = (await terminal.json(['users', 'list'])) as Record<string, unknown>[];
    const members = [
      'userId',
      'email',
      'name',
      'role',
      'createdAt',
      'lastSignInAt',
      'secondFactor',
    ];
    assert.deepEqual(users.map(Object.keys), [members, members]);
    const [ada, bob] = users;
    assert.match(String(ada?.['createdAt']), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.deepEqual([ada?.['name'], ada?.['lastSignInAt']], [null, null]);
    const role = await terminal.json(['users', 'role', 'BOB@example.org', 'admin']);
    assert.deepEqual(role, { ...bob, role: 'admin' });
    const removed = await terminal.json(['users', 'remove', BOB]);
    assert.deepEqual(removed, { userId: 'usr_0000000002' });
    await accepts(terminal, ADA, PASSWORD);
    const { stdout } = await terminal.run(['users', 'list']);
    assert.match(stdout, /^usr_0000000001 +ada@example\.org +owner +\d{4}-\d\d-\d\d \d\d:\d\d/m);
    assert.doesNotMatch(stdout, /bob/);
  });

  it('print addresses whole, however narrow the terminal is', async (context) => {
    const long = `${'long-name-of-a-treasurer'.repeat(2)}@the-harbour-trust.example.org`;
    const terminal = await openWith(context, { [long]: 'owner', [BOB]: 'member' });
    for (const columns of [20, 40, 80, 200]) {
      const { stdout } = await terminal.run(['users', 'list'], { columns });
      assert.ok(stdout.includes(long) && stdout.includes(BOB), stdout);
    }
  });

  it('say how to create the first user, and refuse an unknown one', async (context) => {
    const terminal = await openWith(context);
    const { stderr } = await terminal.run(['users', 'list']);
    assert.equal(stderr, 'No users yet. Create one with `budgetd users create`.\n');
    assert.deepEqual(await terminal.json(['users', 'list']), []);
    for (const argv of [
      ['role', ADA, 'member'],
      ['remove', ADA],
      ['reset-password', ADA],
      ['reset-password', ADA, '--password-stdin'],
    ]) {
      const end = await terminal.run(['users', ...argv]);
      assert.deepEqual([end.exitCode, end.stdout], [1, '']);
      assert.equal(end.stderr, `budgetd: There is no user ${ADA} here.\n`);
    }
    const wrong = [['role', ADA], ['role', ADA, 'god'], ['remove'], ['reset-password', 'ada']];
    for (const argv of wrong) {
      assert.equal((await terminal.run(['users', ...argv])).exitCode, 2, argv.join(' '));
    }
  });

  it('keep an owner', async (context) => {
    const terminal = await openWith(context, { [ADA]: 'owner', [BOB]: 'member' });
    for (const argv of [
      ['role', ADA, 'admin'],
      ['remove', ADA],
    ]) {
      const end = await terminal.run(['users', ...argv]);
      const advice = 'Make another user an owner first.';
      assert.deepEqual(end, {
        exitCode: 1,
        stdout: '',
        stderr: `budgetd: ${ADA} is the only owner. ${advice}\n`,
      });
    }
  });

  it('keep an owner when two processes remove or demote both at once', async (context) => {
    const terminal = await openWith(context, { [ADA]: 'owner', [BOB]: 'owner' });
    const { database, folder } = terminal;
    // Both processes get as far as they can without writing; then they may write.
    const db = openDatabase({ file: database, create: false, busyTimeoutMs: 1000 });
    context.after(() => db.close());
    db.exec('begin immediate');
    const runs = [
      ['remove', ADA],
      ['role', BOB, 'member'],
    ].map((argv) => startProgram(context, ['users', ...argv], { cwd: folder }));
    await untilOpened(runs, database);
    db.exec('rollback');
    const ends = await Promise.all(runs.map(({ ended }) => ended));
    assert.deepEqual(ends.map(({ exitCode }) => exitCode).sort(), [0, 1], JSON.stringify(ends));
    const users = (await terminal.json(['users', 'list'])) as { role: string }[];
    assert.equal(users.filter(({ role }) => role === 'owner').length, 1);
  });
});

describe('8: users reset-password', () => {
  it('prints { url }, which begins with public-url, host and port', async (context) => {
    const terminal = await openWith(context, { [ADA]: 'owner' });
    const reset = ['users', 'reset-password', ADA];
    const env = { BUDGETD_PUBLIC_URL: 'https://b.example.org/' };
    const { url } = membersOf(await terminal.json(reset, { env }));
    const [, token = ''] = LINK.exec(String(url)) ?? assert.fail(String(url));
    const db = openDatabase({ file: terminal.database, create: false, busyTimeoutMs: 1000 });
    const stored = db.prepare('select hash from one_time_links').pluck().all();
    db.close();
    assert.deepEqual(stored, [createHash('sha256').update(token).digest()]);
    for (const [more, base] of [
      [[], 'http://127.0.0.1:8080/'],
      [['--host', '::1', '--port', '99'], 'http://[::1]:99/'],
    ] as const) {
      const { stdout, stderr } = await terminal.run([...reset, ...more]);
      assert.ok(stdout.startsWith(`${base}set-up?token=`), stdout);
      assert.match(
        stderr,
        /^Give ada@example\.org this link\. It works once, within 30 minutes\.$/m,
      );
    }
    for (const more of [
      ['--port', '0'],
      ['--public-url', 'b.example.org'],
      ['--public-url', 'https://b.example.org/path'],
      ['--public-url', 'javascript:alert(1)'],
    ]) {
      assert.equal((await terminal.run([...reset, ...more])).exitCode, 2, more.join(' '));
    }
  });

  it('begins with where the service runs, until it stops or is killed', async (context) => {
    const terminal = await openWith(context, { [ADA]: 'owner' });
    const reset = ['users', 'reset-password', ADA];
    const running = terminal.start(['serve', '--port', '0', '--json']);
    const { url: place } = JSON.parse(await running.stdout.until(/\n/));
    const link = async (...more: string[]) => {
      return String(membersOf(await terminal.json([...reset, ...more]))['url']);
    };
    assert.ok((await link()).startsWith(`${place}/set-up?token=`));
    assert.ok((await link('--port', '99')).startsWith('http://127.0.0.1:99/'));
    running.interrupt();
    await running.exitCode;
    assert.ok((await link()).startsWith('http://127.0.0.1:8080/'));
    writeFileSync(`${terminal.database}-address`, place);
    assert.ok((await link()).startsWith('http://127.0.0.1:8080/'));
  });

  it('--password-stdin sets a password and prints the user', async (context) => {
    const terminal = await openWith(context, { [ADA]: 'owner' });
    const set = ['users', 'reset-password', ADA, '--password-stdin'];
    const user = await terminal.json(set, { stdin: 'windy hill 77\n' });
    assert.deepEqual([user], await terminal.json(['users', 'list']));
    assert.equal(await accepts(terminal, ADA, 'windy hill 77'), true);
    assert.equal(await accepts(terminal, ADA, PASSWORD), false);
    const { stdout } = await terminal.run(set, { env: ENV });
    assert.equal(stdout, `${ADA} has a new password.\n`);
    assert.equal((await terminal.run(set, { stdin: 'password1' })).exitCode, 1);
    assert.equal(await accepts(terminal, ADA, PASSWORD), true);
  });
});

describe('8: set-up-link', () => {
  it('prints { url } while there is no user', async (context) => {
    const terminal = await openWith(context);
    const link = ['set-up-link', '--public-url', 'https://b.example.org'];
    const { url } = membersOf(await terminal.json(link));
    assert.match(String(url), LINK);
    assert.notEqual(membersOf(await terminal.json(link))['url'], url);
    await terminal.run(['users', 'create', '--email', ADA, '--role', 'owner'], { env: ENV });
    const { exitCode, stdout, stderr } = await terminal.run(link);
    assert.deepEqual([exitCode, stdout], [1, '']);
    assert.match(stderr, /^budgetd: A user already exists\. .*`budgetd users create`\.\n$/);
  });

  it('serve prints it as setUpUrl, until there is a user', async (context) => {
    const terminal = await openWith(context);
    const serve = async (...more: string[]) => {
      const running = terminal.start(['serve', '--port', '0', ...more]);
      const stdout = await running.stdout.until(/\n/);
      running.interrupt();
      assert.equal(await running.exitCode, 0);
      return { stdout, stderr: running.stderr.text };
    };
    const first = JSON.parse((await serve('--json')).stdout);
    assert.deepEqual(Object.keys(first), ['url', 'setUpUrl']);
    assert.ok(first.setUpUrl.startsWith(`${first.url}/set-up?token=`), first.setUpUrl);
    const shown = await serve('--public-url', 'https://b.example.org');
    assert.match(shown.stderr, /Nobody can sign in yet\. .*: https:\/\/b\.example\.org\/set-up/);
    await terminal.run(['users', 'create', '--email', ADA, '--role', 'owner'], { env: ENV });
    assert.deepEqual(Object.keys(JSON.parse((await serve('--json')).stdout)), ['url']);
    assert.doesNotMatch((await serve()).stderr, /set-up/);
  });

  it('serve starts without it when the link cannot be written', async (context) => {
    const terminal = await openWith(context);
    const db = openDatabase({ file: terminal.database, create: false, busyTimeoutMs: 1000 });
    context.after(() => db.close());
    db.exec('begin immediate');
    const running = terminal.start(['serve', '--port', '0', '--json']);
    const line = JSON.parse(await running.stdout.until(/\n/));
    db.exec('rollback');
    assert.deepEqual(Object.keys(line), ['url']);
    running.interrupt();
    assert.equal(await running.exitCode, 0);
  });
});

describe('8: a password typed on a terminal', () => {
  /** What is read when these keys are pressed, and what the terminal shows. */
  const type = async (keys: string) => {
    const stdin = Object.assign(new Readable({ read() {} }), { isTTY: true, setRawMode() {} });
    const stderr = new Sink();
    stdin.push(keys);
    const rest = { env: {}, cwd: '', monotonicMs: () => 0, onInterrupt: () => () => {} };
    const io = { stdin, stderr, stdout: stderr, ...rest };
    const password = await readNewPassword(io).catch((error: Error) => error.message);
    return { password, shown: stderr.text };
  };

  it('is asked for twice and not shown', async () => {
    const { password, shown } = await type(`${PASSWORD}\r${PASSWORD}\r`);
    assert.equal(password, PASSWORD);
    assert.equal(shown, 'New password: \nThe same again: \n');
    assert.equal((await type('tallx\u007f hill\r\u0015tall hill\r')).password, 'tall hill');
  });

  it('is refused if both differ; Ctrl-C and Ctrl-D end it', async () => {
    assert.match(String((await type('one one one\rtwo two two\r')).password), /not the same/);
    assert.equal((await type('half\u0003')).password, undefined);
    assert.match(String((await type('\u0004')).password), /The password is missing/);
    assert.match(String((await type('\r')).password), /The password is missing/);
    assert.match(String((await type('one one one\r\u0004')).password), /not the same/);
  });
});
