import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { findSecret, listSecretOrigins } from '../../src/cli/secrets.ts';
import { PASSWORD } from '../operations/users.ts';
import { membersOf, Terminal } from './terminal.ts';

/** A folder with a secret in a file. */
function openWith(context: TestContext, text: string | Buffer) {
  const terminal = new Terminal(context);
  writeFileSync(join(terminal.folder, 'secret'), text);
  const find = (env: Record<string, string>) => {
    return findSecret({ env, cwd: terminal.folder }, 'BUDGETD_PASSWORD');
  };
  return { terminal, find };
}

const IN_FILE = { BUDGETD_PASSWORD_FILE: 'secret' };

describe('11: a secret from a file or a variable', () => {
  it('is read without the end of its last line, and nothing else is cut', (context) => {
    const forms: [string | Buffer, string][] = [
      ['open sesame', 'open sesame'],
      ['open sesame\n', 'open sesame'],
      [' open sesame \r\n', ' open sesame '],
      ['open\n\n', 'open\n'],
      [Buffer.from('\ufeffsésame\r\n', 'utf16le'), 'sésame'],
    ];
    for (const [bytes, text] of forms) {
      const { terminal, find } = openWith(context, bytes);
      assert.deepEqual(find(IN_FILE), { text, from: join(terminal.folder, 'secret') });
    }
  });

  it('is ignored if the variable is empty, and cannot be in both', (context) => {
    const { find } = openWith(context, 'x');
    assert.equal(find({ BUDGETD_PASSWORD: '', BUDGETD_PASSWORD_FILE: '' }), undefined);
    const own = { text: 'y', from: 'BUDGETD_PASSWORD' };
    assert.deepEqual(find({ BUDGETD_PASSWORD: 'y', BUDGETD_PASSWORD_FILE: '' }), own);
    assert.equal(find({ BUDGETD_PASSWORD: '', ...IN_FILE })?.text, 'x');
    assert.throws(() => find({ BUDGETD_PASSWORD: 'y', ...IN_FILE }), {
      name: 'UsageError',
      message: 'Set either BUDGETD_PASSWORD or BUDGETD_PASSWORD_FILE, not both.',
    });
  });

  it('is refused if the file is empty, has no text, is a folder or is not there', (context) => {
    const { terminal, find } = openWith(context, '\n');
    writeFileSync(join(terminal.folder, 'bytes'), Buffer.from([0xff, 0xc3]));
    mkdirSync(join(terminal.folder, 'folder'));
    for (const [file, why] of [
      ['secret', / is empty\.$/],
      ['bytes', / is not valid UTF-8\.$/],
      ['folder', /: this is a folder, not a file\.$/],
      ['gone', /: no such file or folder\.$/],
    ] as const) {
      assert.throws(
        () => find({ BUDGETD_PASSWORD_FILE: file }),
        (error: Error) => {
          assert.ok(error.message.startsWith('BUDGETD_PASSWORD_FILE: '), error.message);
          assert.match(error.message, why);
          return true;
        },
      );
    }
  });

  it('is the password of users create and the key of push', async (context) => {
    const { terminal } = openWith(context, `${PASSWORD}\n`);
    await terminal.run(['init', '--name', 'A', '--currency', 'GBP']);
    const argv = ['users', 'create', '--email', 'ada@example.org', '--role', 'owner'];
    const both = await terminal.run(argv, { env: { ...IN_FILE, BUDGETD_PASSWORD: 'x' } });
    assert.deepEqual([both.exitCode, both.stdout], [2, '']);
    assert.equal((await terminal.run(argv, { env: IN_FILE })).exitCode, 0);
    writeFileSync(join(terminal.folder, 'a.csv'), 'externalId,date,description,amount\n');
    const push = ['push', 'a.csv', '--url', 'http://127.0.0.1:1'];
    for (const [variable, exitCode, message] of [
      ['gone', 1, /BUDGETD_KEY_FILE: .*gone: no such file or folder\.$/m],
      ['secret', 4, /secret does not contain an API key/],
    ] as const) {
      const ended = await terminal.run(push, { env: { BUDGETD_KEY_FILE: variable } });
      assert.equal(ended.exitCode, exitCode, ended.stderr);
      assert.match(ended.stderr, message);
    }
  });

  it('is never shown by config, which says where it is', async (context) => {
    const { terminal } = openWith(context, 'sesame');
    const env = { BUDGETD_KEY: 'bdg_live_1', ...IN_FILE };
    const shown = (await terminal.json(['config'], { env })) as unknown[];
    assert.deepEqual(shown.slice(-2).map(membersOf), [
      { name: 'key', value: '********', from: 'BUDGETD_KEY' },
      { name: 'password', value: '********', from: 'BUDGETD_PASSWORD_FILE, secret' },
    ]);
    const { stdout, stderr } = await terminal.run(['config'], { env });
    assert.match(stdout, /^key +\*{8} +BUDGETD_KEY$/m);
    assert.doesNotMatch(stdout + stderr, /bdg_live_1|sesame|Warning/);
    assert.deepEqual(listSecretOrigins({ env: {} }), []);
  });
});
