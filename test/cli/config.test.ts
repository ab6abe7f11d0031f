import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Terminal } from './terminal.ts';

describe('8, 11: config', () => {
  it('shows each setting, its value and where it came from', async (context) => {
    const terminal = new Terminal(context);
    writeFileSync(join(terminal.folder, 'b.conf'), 'BUDGETD_HOST=::1\nBUDGETD_PORT=9\n');
    const settings = await terminal.json(['config', '--config', 'b.conf', '--port', '0']);
    assert.deepEqual(settings, [
      { name: 'db', value: 'budgetd.db', from: 'default' },
      { name: 'host', value: '::1', from: 'b.conf, line 1' },
      { name: 'port', value: 0, from: '--port' },
      { name: 'public-url', value: '', from: 'default' },
      { name: 'trusted-proxies', value: [], from: 'default' },
      { name: 'backup-dir', value: 'backups', from: 'default' },
      { name: 'backup-at', value: '02:00', from: 'default' },
      { name: 'backup-keep', value: 14, from: 'default' },
      { name: 'min-free-disk', value: 100_000_000, from: 'default' },
      { name: 'log', value: '', from: 'default' },
      { name: 'log-addresses', value: 'yes', from: 'default' },
      { name: 'metrics', value: '', from: 'default' },
    ]);
    const env = { BUDGETD_CONFIG: 'b.conf', BUDGETD_PROT: '1' };
    const shown = await terminal.run(['config'], { env });
    assert.match(shown.stdout, /^port +9 +b\.conf, line 2$/m);
    const warning = 'BUDGETD_PROT is not a setting. Did you mean BUDGETD_PORT? It is ignored.';
    assert.equal(shown.stderr, `Warning: ${warning}\n`);
  });

  it('every command finds the database in the file, and refuses a wrong file', async (context) => {
    const terminal = new Terminal(context);
    const file = join(terminal.folder, 'b.conf');
    writeFileSync(file, 'BUDGETD_DB=own.db\nBUDGETD_PORT=x\n');
    const env = { BUDGETD_CONFIG: file };
    const init = ['init', '--name', 'A', '--currency', 'GBP'];
    assert.equal((await terminal.run(init, { env })).exitCode, 0);
    assert.equal((await terminal.run(['keys', 'list', '--db', 'own.db'])).exitCode, 0);
    for (const [text, message] of [
      ['BUDGETD_PORT 9', /b\.conf, line 1 is not a setting\. Write NAME=VALUE, such as /],
      [
        'BUDGETD_DBS=a',
        /b\.conf, line 1: BUDGETD_DBS is not a setting\. Did you mean BUDGETD_DB\?/,
      ],
      ['PORT=1', /b\.conf, line 1: PORT is not a setting\. Did you mean BUDGETD_PORT\?/],
    ] as const) {
      writeFileSync(file, text);
      const { exitCode, stderr } = await terminal.run(['keys', 'list'], { env });
      assert.deepEqual([exitCode, message.test(stderr)], [2, true], stderr);
    }
    const gone = await terminal.run(['keys', 'list', '--config', 'gone.conf']);
    assert.equal(gone.exitCode, 1);
    assert.match(gone.stderr, /gone\.conf: no such file or folder\.$/m);
  });

  it('refuses what serve refuses, as doctor does, with the line of the file', async (context) => {
    const terminal = new Terminal(context);
    await terminal.run(['init', '--name', 'A', '--currency', 'GBP', '--db', 'own.db']);
    for (const [line, message] of [
      ['BUDGETD_TRUSTED_PROXIES=localhost', '"localhost" is not an IP address or network.'],
      ['BUDGETD_PUBLIC_URL=http://[a', 'is not an address: "http://[a".'],
      ['BUDGETD_METRICS=127.0.0.1:65536', 'must be an address and a port'],
      ['BUDGETD_PROT=1', 'BUDGETD_PROT is not a setting.'],
    ] as const) {
      writeFileSync(join(terminal.folder, 'b.conf'), `# Ours\n${line}\nBUDGETD_DB=own.db\n`);
      const run = (command: string) => terminal.run([command, '--config', 'b.conf']);
      for (const command of ['serve', 'config']) {
        const { exitCode, stderr } = await run(command);
        assert.equal(exitCode, 2, command);
        assert.ok(stderr.startsWith('budgetd: b.conf, line 2: BUDGETD_'), stderr);
        assert.ok(stderr.includes(message), stderr);
      }
      const { exitCode, stdout } = await run('doctor');
      assert.equal(exitCode, 1);
      assert.match(
        stdout,
        /^SERIOUS wrong_settings\n {2}serve cannot start: b\.conf, line 2: BUDGETD_/,
      );
      assert.ok(stdout.includes(message), stdout);
      assert.match(stdout, /^WARNING no_backup\n {2}The folder .*backups is missing\./m);
    }
    const gone = await terminal.run(['doctor', '--config', 'gone.conf']);
    assert.equal(gone.exitCode, 1);
    assert.match(gone.stdout, /^SERIOUS wrong_settings\n.*gone\.conf: no such file or folder\.$/m);
  });

  it('serve uses them', async (context) => {
    const terminal = new Terminal(context);
    await terminal.run(['init', '--name', 'A', '--currency', 'GBP']);
    const env = { BUDGETD_PORT: '0', BUDGETD_HOST: 'localhost' };
    const running = terminal.start(['serve', '--host', '127.0.0.1', '--json'], { env });
    const { url } = JSON.parse(await running.stdout.until(/\n/));
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    const wrong = await terminal.run(['serve'], { env: { BUDGETD_PORT: '-1' } });
    assert.equal(wrong.exitCode, 2);
    assert.match(
      wrong.stderr,
      /^budgetd: BUDGETD_PORT must be a whole number, 0 to 65535, not "-1"/,
    );
  });
});
