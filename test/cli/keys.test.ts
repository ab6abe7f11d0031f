import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isKey } from '../../src/core/keys.ts';
import { SCOPES } from '../../src/core/plans.ts';
import { openOffice } from './office.ts';
import { membersOf } from './terminal.ts';

const CREATE = ['keys', 'create', '--name', 'erp', '--scope', 'transactions:write'];

describe('8: plan set', () => {
  it('prints { plan }; it and keys create warn if the plan lacks API access', async (context) => {
    const { terminal } = await openOffice(context);
    assert.deepEqual(await terminal.json(['plan', 'set', 'enterprise']), { plan: 'enterprise' });
    const { stdout, stderr } = await terminal.run(['plan', 'set', 'starter']);
    assert.equal(stdout, 'Harbour Trust is now on the starter plan.\n');
    const why =
      'The starter plan does not include API access\\. Run `budgetd plan set professional`';
    assert.match(stderr, new RegExp(`^Its keys are refused: ${why}`));
    const created = await terminal.run(CREATE);
    assert.equal(created.exitCode, 0);
    assert.match(created.stderr, new RegExp(`^Requests with it are refused: ${why}`, 'm'));
  });
});

describe('8: keys create', () => {
  it('prints { keyId, key } and does not store the key in plain text', async (context) => {
    const { terminal } = await openOffice(context);
    const { keyId, key } = membersOf(await terminal.json(CREATE));
    assert.equal(keyId, 'key_0000000001');
    assert.ok(isKey(String(key)));
    assert.equal(readFileSync(terminal.database).includes(String(key)), false);
  });

  it('prints only the key on standard output without --json', async (context) => {
    const { terminal } = await openOffice(context);
    const { exitCode, stdout, stderr } = await terminal.run(CREATE);
    assert.equal(exitCode, 0);
    assert.ok(isKey(stdout.trimEnd()));
    assert.match(stderr, /^Save the key now: .* run: budgetd keys revoke key_0000000001$/m);
  });

  it('--out writes the key to a new file that only its owner can read', async (context) => {
    const { terminal } = await openOffice(context);
    const before = process.umask(0);
    context.after(() => process.umask(before));
    for (const [umask, name] of [
      [0o000, 'a.key'],
      [0o022, 'b.key'],
      [0o777, 'c.key'],
    ] as const) {
      process.umask(umask);
      const { exitCode, stdout, stderr } = await terminal.run([...CREATE, '--out', name]);
      process.umask(before);
      assert.deepEqual([exitCode, stdout], [0, ''], stderr);
      const file = join(terminal.folder, name);
      assert.equal(statSync(file).mode & 0o777, 0o600, name);
      assert.ok(isKey(readFileSync(file, 'utf8').trimEnd()));
      assert.match(stderr, /^Wrote the key key_\w+ to \w\.key\. Keep it safe/);
    }
    const { keyId, key } = membersOf(await terminal.json([...CREATE, '--out', 'd.key']));
    assert.equal(readFileSync(join(terminal.folder, 'd.key'), 'utf8'), `${key}\n`);
    assert.equal(keyId, 'key_0000000004');
  });

  it('--out refuses an existing file or link before it creates a key', async (context) => {
    const { terminal } = await openOffice(context);
    writeFileSync(join(terminal.folder, 'old'), 'precious');
    symlinkSync('old', join(terminal.folder, 'link'));
    symlinkSync('nowhere', join(terminal.folder, 'dangling'));
    for (const name of ['old', 'link', 'dangling', '.']) {
      const { exitCode, stderr } = await terminal.run([...CREATE, '--out', name]);
      assert.equal(exitCode, 1);
      assert.match(stderr, /already exists\. Pass the name of a new file to --out\.\n$/);
    }
    const missing = await terminal.run([...CREATE, '--out', 'none/a.key']);
    assert.deepEqual([missing.exitCode, /no such file or folder/.test(missing.stderr)], [1, true]);
    assert.equal(readFileSync(join(terminal.folder, 'old'), 'utf8'), 'precious');
    assert.deepEqual(await terminal.json(['keys', 'list']), []);
    const wrong = [...CREATE, '--expires', 'soon', '--out', 'a.key'];
    assert.equal((await terminal.run(wrong)).exitCode, 2);
    assert.equal(existsSync(join(terminal.folder, 'a.key')), false);
  });

  it('--expires accepts a date, which is included, or a date-time, even past', async (context) => {
    const { terminal } = await openOffice(context);
    for (const date of ['2030-01-31', '2030-01-31T12:00:00+02:00', '2000-01-01']) {
      await terminal.json([...CREATE, '--expires', date]);
    }
    const keys = (await terminal.json(['keys', 'list'])) as { expiresAt: string }[];
    assert.deepEqual(
      keys.map(({ expiresAt }) => expiresAt),
      ['2030-02-01T00:00:00.000Z', '2030-01-31T10:00:00.000Z', '2000-01-02T00:00:00.000Z'],
    );
    const past = await terminal.run([...CREATE, '--expires', '2000-01-01']);
    assert.equal(past.exitCode, 0);
    const since = 'it expired at 2000-01-02 00:00 UTC';
    assert.match(past.stderr, new RegExp(`^Requests with it are refused: ${since}\\.$`, 'm'));
    const next = await terminal.run([...CREATE, '--expires', '2199-01-01']);
    assert.doesNotMatch(next.stderr, /expired/);
    const { exitCode, stderr } = await terminal.run([...CREATE, '--expires', 'tomorrow']);
    assert.equal(exitCode, 2);
    assert.match(
      stderr,
      /^budgetd: The expiry must be a date or an RFC 3339 date-time, .* not "tomorrow"/,
    );
    const leap = await terminal.run([...CREATE, '--expires', '2026-02-29']);
    assert.match(leap.stderr, /cannot be 2026-02-29\. There is no 29 February 2026\./);
    const { stdout } = await terminal.run(['keys', 'list'], { columns: 80 });
    assert.match(stdout, /until 2030-01-31.*\n.*until 2030-01-31.*\n.*expired 2000-01-01/);
  });
});

describe('8: keys list', () => {
  it('never cuts a scope: scopes that do not fit go below the entry', async (context) => {
    const { terminal } = await openOffice(context);
    const create = (...scopes: string[]) => {
      const options = scopes.flatMap((scope) => ['--scope', scope]);
      return terminal.json(['keys', 'create', '--name', 'n', ...options]);
    };
    await create('projects:read');
    await create(...SCOPES);
    const list = async (columns: number) => {
      const env = { NO_COLOR: '1' };
      return (await terminal.run(['keys', 'list'], { columns, env })).stdout;
    };
    const short = await list(80);
    assert.match(short, /projects:read.*\n.*every scope/);
    const most = SCOPES.slice(1);
    await create(...most);
    const narrow = await list(80);
    assert.match(narrow, new RegExp(`^key_0000000003 .*\\n {4}${most.join(' ')}$`, 'm'));
    const wide = await list(200);
    assert.match(wide, new RegExp(`^key_0000000003 .* ${most.join(' ')} `, 'm'));
  });

  it('prints every key, including revoked ones, without its text', async (context) => {
    const { terminal } = await openOffice(context);
    assert.deepEqual(await terminal.json(['keys', 'list']), []);
    assert.match((await terminal.run(['keys', 'list'])).stderr, /^No keys yet/);
    const { key } = membersOf(await terminal.json([...CREATE, '--scope', 'reports:read']));
    await terminal.json(['keys', 'revoke', 'key_0000000001']);
    const [shown] = (await terminal.json(['keys', 'list'])) as [Record<string, unknown>];
    assert.deepEqual(Object.keys(shown), [
      'id',
      'name',
      'display',
      'scopes',
      'createdBy',
      'createdAt',
      'expiresAt',
      'lastUsedAt',
      'revokedAt',
    ]);
    assert.deepEqual(shown['scopes'], ['reports:read', 'transactions:write']);
    assert.equal(shown['display'], String(key).slice(9, 15));
    assert.equal(shown['createdBy'], 'command line');
  });
});

describe('8: keys revoke', () => {
  it('prints the first revokedAt when repeated; an unknown key is exit 1', async (context) => {
    const { terminal } = await openOffice(context);
    await terminal.json(CREATE);
    const first = await terminal.json(['keys', 'revoke', 'key_0000000001']);
    const { keyId, revokedAt } = membersOf(first);
    assert.equal(keyId, 'key_0000000001');
    assert.match(String(revokedAt), /^\d{4}-\d\d-\d\dT.*Z$/);
    assert.deepEqual(await terminal.json(['keys', 'revoke', 'key_0000000001']), first);
    const { exitCode, stderr } = await terminal.run(['keys', 'revoke', 'key_0000000002']);
    assert.deepEqual([exitCode, stderr], [1, 'budgetd: There is no key key_0000000002.\n']);
  });

  it('2: a running service refuses the key from the next request on', async (context) => {
    const { terminal } = await openOffice(context);
    const scopes = ['--scope', 'projects:read'];
    const { key } = membersOf(await terminal.json([...CREATE, ...scopes]));
    const running = terminal.start(['serve', '--port', '0', '--json']);
    const { url, setUpUrl } = JSON.parse(await running.stdout.until(/\n/));
    const ask = async () => {
      const headers = { Authorization: `Bearer ${key}` };
      const response = await fetch(`${url}/api/v1/projects`, { headers });
      return [response.status, membersOf(await response.json())['code']];
    };
    assert.deepEqual(await ask(), [200, undefined]);
    await terminal.json(['keys', 'revoke', 'key_0000000001']);
    assert.deepEqual(await ask(), [401, 'revoked_api_key']);
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    assert.equal(running.stdout.text, `${JSON.stringify({ url, setUpUrl })}\n`);
  });
});
