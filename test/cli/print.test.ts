import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { LISTENER_TIMES } from '../../src/http/settings.ts';
import { readText } from '../repository.ts';
import { programWith } from './program.ts';
import { membersOf, Terminal } from './terminal.ts';

/** What starts the program: Node with its script, or the executable. */
const WORDS = programWith([]).flat();
const ADVICE = WORDS.length === 1 ? 'Copy it to ' : 'Install Node and budgetd ';
const ANALYZE = spawnSync('systemd-analyze', ['--version']).status === 0;

async function textOf(t: TestContext, ...args: string[]): Promise<string> {
  return String(membersOf(await new Terminal(t).json(['print', ...args]))['text']);
}

/** The value of a setting of the unit. */
function unitValue(unit: string, name: string): string | undefined {
  return new RegExp(`^${name}=(.*)$`, 'm').exec(unit)?.[1];
}

describe('print', () => {
  it('the unit runs this budgetd with this Node', async (t) => {
    const unit = await textOf(t, 'unit');
    const words = WORDS.map((word) => (/^[\w./+@:-]+$/.test(word) ? word : `"${word}"`));
    assert.equal(unitValue(unit, 'ExecStart'), [...words, 'serve'].join(' '));
    assert.ok(WORDS.every(existsSync));
    // Also when it takes as long as it may to stop.
    assert.ok(Number(unitValue(unit, 'TimeoutStopSec')) * 1000 > LISTENER_TIMES.closingMs);
    // The journal would have the name of Node.
    assert.equal(unitValue(unit, 'SyslogIdentifier'), 'budgetd');
    assert.doesNotMatch(unit, /^MemoryDenyWriteExecute/m);
  });

  it('systemd finds nothing wrong with the unit, and nothing that it could forbid', {
    skip: ANALYZE ? false : 'no systemd-analyze',
  }, async (t) => {
    const { folder } = new Terminal(t);
    const file = join(folder, 'budgetd.service');
    writeFileSync(file, await textOf(t, 'unit'));
    const verified = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    assert.equal(`${verified.stdout}${verified.stderr}`, '');
    assert.equal(verified.status, 0);
    // In tenths: below 2.0.
    const limit = ['security', '--offline=true', '--threshold=19', '--no-pager', file];
    const { status, stdout } = spawnSync('systemd-analyze', limit, { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    assert.match(stdout, /Overall exposure level for budgetd\.service: [01]\.\d/);
  });

  it('a proxy gets the address and port of the settings', async (t) => {
    for (const [args, service, proxy] of [
      [[], '127.0.0.1:8080', '127.0.0.1'],
      [['--port', '9000'], '127.0.0.1:9000', '127.0.0.1'],
      [['--host', '0.0.0.0'], '127.0.0.1:8080', '127.0.0.1'],
      [['--host', '::'], '[::1]:8080', '::1'],
      [['--host', 'localhost'], 'localhost:8080', '127.0.0.1,::1'],
      [['--host', '192.0.2.4'], '192.0.2.4:8080', '192.0.2.4'],
    ] as const) {
      const nginx = await textOf(t, 'nginx', ...args);
      assert.ok(nginx.includes(`    server ${service};\n`), nginx);
      const caddy = await textOf(t, 'caddy', ...args);
      assert.ok(caddy.includes(`\treverse_proxy ${service} {\n`), caddy);
      for (const text of [nginx, caddy]) {
        assert.ok(text.includes(`BUDGETD_TRUSTED_PROXIES=${proxy}\n`), text);
        assert.ok(text.includes('BUDGETD_PUBLIC_URL=https://budget.example.org\n'), text);
      }
    }
  });

  it('a proxy has TLS 1.2 or later alone, and says so to browsers for a year', async (t) => {
    const [nginx, caddy] = [await textOf(t, 'nginx'), await textOf(t, 'caddy')];
    assert.match(nginx, /^ *ssl_protocols +TLSv1\.2 TLSv1\.3;$/m);
    assert.doesNotMatch(caddy, /http:\/\/|protocols/);
    for (const text of [nginx, caddy]) {
      assert.match(text, /# With "; includeSubDomains" if every host/);
      const [, seconds] = /Strict-Transport-Security max-age=(\d+)/.exec(text) ?? [];
      assert.equal(Number(seconds), 365 * 24 * 3600);
    }
  });

  it('--site is the name that people use, and only a host name', async (t) => {
    assert.match(
      await textOf(t, 'caddy', '--site', 'money.example.com'),
      /^money\.example\.com \{$/m,
    );
    const nginx = await textOf(t, 'nginx', '--site', 'money.example.com');
    assert.equal(nginx.match(/server_name money\.example\.com;/g)?.length, 2);
    const terminal = new Terminal(t);
    for (const site of ['https://a.example', 'a b', 'a;b', 'a{', '-a', '']) {
      const { exitCode, stderr } = await terminal.run(['print', 'caddy', `--site=${site}`]);
      assert.equal(exitCode, 2);
      assert.match(stderr, /^budgetd: --site must be a host name /);
    }
  });

  it('the Windows service names its parts in XML', async (t) => {
    const text = await textOf(t, 'windows');
    const [executable, ...words] = WORDS;
    assert.ok(text.includes(`<executable>${executable}</executable>`));
    const lines = [...words, 'serve'].map((word) => `  <argument>${word}</argument>\n`);
    assert.ok(text.includes(lines.join('')));
    const [, seconds] = /<stoptimeout>(\d+) sec</.exec(text) ?? [];
    assert.ok(Number(seconds) * 1000 > LISTENER_TIMES.closingMs);
    // The only thing that a comment in XML must not contain.
    const comments = [...text.matchAll(/<!--([\s\S]*?)-->/g)].map(([, comment = '']) => comment);
    assert.ok(comments.length > 0 && comments.every((comment) => !comment.includes('--')));
    const elements = text.replace(/<!--[\s\S]*?-->/g, '').matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g);
    const open: string[] = [];
    for (const [, isEnd, name = '', isEmpty] of elements) {
      if (isEnd === '/') assert.equal(open.pop(), name);
      else if (isEmpty !== '/') open.push(name);
    }
    assert.deepEqual(open, []);
  });

  it('the container installs what `npm pack` writes', async (t) => {
    const { version } = JSON.parse(readText('package.json'));
    const text = await textOf(t, 'container', '--port', '9000');
    assert.ok(text.includes(`COPY budgetd-${version}.tgz /srv/\n`));
    assert.ok(text.includes('-p 127.0.0.1:9000:8080'));
  });

  it('prints the file alone, or its name and text with --json', async (t) => {
    const terminal = new Terminal(t);
    const { stdout, exitCode } = await terminal.run(['print', 'nginx']);
    assert.equal(exitCode, 0);
    const document = { file: 'nginx.conf', text: stdout };
    assert.deepEqual(await terminal.json(['print', 'nginx']), document);
    for (const args of [[], ['apache'], ['unit', 'nginx']]) {
      assert.equal((await terminal.run(['print', ...args])).exitCode, 2);
    }
  });

  it('warns of a program that systemd hides from the service', {
    skip: process.platform === 'win32' && 'no systemd on Windows',
  }, () => {
    const folder = mkdtempSync(join('/tmp', 'budgetd-print-'));
    try {
      const node = join(folder, 'node');
      copyFileSync(WORDS[0] ?? '', node);
      const { stderr } = spawnSync(node, [...WORDS.slice(1), 'print', 'unit'], {
        encoding: 'utf8',
      });
      assert.ok(stderr.startsWith(`Warning: the service cannot read ${node}. ${ADVICE}`), stderr);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('warns when the user of a service could not read what it names', () => {
    const print = (kind: string, home: string) => {
      const env = { ...process.env, HOME: home, USERPROFILE: home };
      return spawnSync(...programWith(['print', kind]), { env, encoding: 'utf8' });
    };
    const home = dirname(dirname(WORDS.at(-1) ?? ''));
    // A unit has no homes and a temporary folder of its own; Node itself can be in one.
    const isBelow = (word: string) => /^\/(?:home|root|run\/user|tmp|var\/tmp)\//.test(word);
    const hidden = WORDS.find((word) => isBelow(word) || word.startsWith(home));
    for (const kind of ['unit', 'windows']) {
      const warning = `Warning: the service cannot read ${hidden}. ${ADVICE}`;
      assert.ok(print(kind, home).stderr.startsWith(warning));
    }
    assert.equal(print('nginx', home).stderr, '');
    assert.equal(print('unit', join(home, 'docs')).stderr !== '', WORDS.some(isBelow));
  });
});
