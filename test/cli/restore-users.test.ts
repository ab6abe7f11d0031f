import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { describe, it } from 'node:test';
import { formatId } from '../../src/core/ids.ts';
import { openDatabase } from '../../src/database/database.ts';
import { accessTo } from '../../src/operations/access.ts';
import { setSecondFactor } from '../../src/store/second-factors.ts';
import { addUser, storePassword } from '../../src/store/users.ts';
import { CHEAP } from '../operations/users.ts';
import { membersOf, Terminal } from './terminal.ts';

const USERS = {
  'ada@example.org': 'owner',
  'bob@example.org': 'member',
  'cleo@example.org': 'member',
  'dan@example.org': 'member',
} as const;

/** A database, its copy, and what was done with the users after the copy was made. */
async function openRestored(context: ConstructorParameters<typeof Terminal>[0]) {
  const terminal = new Terminal(context);
  const change = (work: (...args: [ReturnType<typeof openDatabase>, typeof actor]) => void) => {
    const db = openDatabase({ file: terminal.database, create: false, busyTimeoutMs: 1000 });
    work(db, actor);
    db.close();
  };
  const actor = { name: 'test', requestId: null, nowMs: Date.now() };
  const add = (email: string, role: 'owner' | 'member', orgId = 1) => {
    change((db) =>
      addUser(
        accessTo({ db }, formatId('org', orgId)),
        { email, name: null, role, password: CHEAP },
        actor,
      ),
    );
  };
  await terminal.run(['init', '--name', 'Harbour Trust', '--currency', 'GBP']);
  for (const [email, role] of Object.entries(USERS)) add(email, role);
  const restore = async (...more: string[]) => {
    return terminal.run(['restore-backup', 'copy.db', ...more]);
  };
  return { terminal, change, add, restore };
}

describe('8: restore-backup says what the copy lacks of the users', () => {
  it('with a command for each, which works', async (context) => {
    const { terminal, change, add, restore } = await openRestored(context);
    await terminal.json(['backup', 'copy.db']);
    const org = ['--org', 'Harbour Trust'];
    await terminal.json(['users', 'role', 'bob@example.org', 'admin']);
    await terminal.json(['users', 'remove', 'cleo@example.org']);
    change((db, actor) => storePassword({ db }, 4, { password: `${CHEAP}x` }, actor));
    add('eve@example.org', 'member');
    const { stderr, exitCode } = await restore();
    assert.equal(exitCode, 0);
    const lines = stderr.split('\n').filter((line) => line.includes('@'));
    assert.deepEqual(lines, [
      'cleo@example.org was removed later and can sign in again: ' +
        'budgetd users remove cleo@example.org',
      'bob@example.org was made admin later: budgetd users role bob@example.org admin',
      'The old password of dan@example.org is valid again: ' +
        'budgetd users reset-password dan@example.org',
      'eve@example.org was added later as member and cannot sign in: ' +
        'budgetd users create --email eve@example.org --role member',
    ]);
    const env = { BUDGETD_PASSWORD: 'seven tall ships' };
    for (const line of lines) {
      const words = (line.split(': budgetd ')[1] ?? '').split(' ');
      assert.equal((await terminal.run([...words, ...org], { env })).exitCode, 0, line);
    }
    const users = (await terminal.json(['users', 'list'])) as { email: string; role: string }[];
    assert.deepEqual(
      users.map(({ email, role }) => [email, role]),
      [
        ['ada@example.org', 'owner'],
        ['bob@example.org', 'admin'],
        ['dan@example.org', 'member'],
        ['eve@example.org', 'member'],
      ],
    );
  });

  it('per organisation and as JSON, and a password once', async (context) => {
    const { terminal, change, add, restore } = await openRestored(context);
    await terminal.run(['init', '--name', 'B', '--currency', 'EUR', '--another']);
    add('ada@example.org', 'owner', 2);
    await terminal.json(['backup', 'copy.db']);
    change((db, actor) => storePassword({ db }, 1, { password: `${CHEAP}x` }, actor));
    await terminal.json(['users', 'remove', 'bob@example.org', '--org', 'Harbour Trust']);
    const { stdout, stderr } = await restore('--json');
    const missing = membersOf(membersOf(JSON.parse(stdout))['missing']);
    const organisationId = 'org_0000000001';
    assert.deepEqual(missing['users'], [
      { email: 'bob@example.org', change: 'removed', role: 'member', organisationId },
      { email: 'ada@example.org', change: 'password', role: 'owner', organisationId },
    ]);
    assert.match(stderr, / users remove bob@example\.org --org org_0000000001$/m);
    renameSync(`${terminal.database}.before-restore`, `${terminal.database}.old`);
    const again = membersOf(JSON.parse((await restore('--json')).stdout))['missing'];
    assert.deepEqual(membersOf(again)['users'], []);
  });

  it('and that the key of second factors is missing, also of a newest copy', async (context) => {
    const { terminal, change, restore } = await openRestored(context);
    const sealed = { secret: Buffer.from('sealed'), step: 1 };
    change((db, actor) => setSecondFactor({ db }, { userId: 1, sealed, codes: [] }, actor));
    await terminal.json(['backup', 'copy.db']);
    const { stderr } = await restore();
    assert.match(stderr, /^No changes were made after the backup\.$/m);
    assert.match(stderr, /-key is missing, so 1 user with a second factor cannot sign in\./);
  });
});
