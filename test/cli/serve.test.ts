import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../upkeep/until.ts';
import { openOffice } from './office.ts';
import { OTHER_PROGRAM, programWith } from './program.ts';
import { membersOf, Terminal } from './terminal.ts';

/** On a signal makes many objects, and says how large the space for new ones is. */
const PROBE = `
  import { getHeapSpaceStatistics } from 'node:v8';
  process.on('SIGUSR2', () => {
    for (let times = 0; times < 9; times += 1) Array.from({ length: 300000 }, (_, n) => ({ n }));
    const space = getHeapSpaceStatistics().find((each) => each.space_name === 'new_space');
    console.log(space.space_size);
  });`;

describe('8: serve', () => {
  it('prints one line with the address, and stops on an interrupt', async (context) => {
    const { terminal } = await openOffice(context);
    const running = terminal.start(['serve', '--port', '0']);
    const line = await running.stdout.until(/\n/);
    const [, url] =
      /^Serving .*budgetd\.db\. Listening on (\S+)\. Press Ctrl-C to stop\.\n$/.exec(line) ?? [];
    assert.match(url ?? '', /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${url}/healthz`)).status, 200);
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    assert.match(running.stderr.text, /"Finishing open requests\. Press Ctrl-C again to stop/);
    await assert.rejects(fetch(`${url}/healthz`));
  });

  for (const env of [{ JOURNAL_STREAM: '8:12345' }, { container: 'oci' }]) {
    it(`gives no advice about keys where nobody can press one: ${Object.keys(env)}`, async (t) => {
      const { terminal } = await openOffice(t);
      const running = terminal.start(['serve', '--port', '0'], { env });
      assert.match(await running.stdout.until(/\n/), /Listening on http:\S+:\d+\.\n$/);
      running.interrupt();
      assert.equal(await running.exitCode, 0);
      assert.doesNotMatch(running.stderr.text, /Ctrl-C/);
    });
  }

  it('prints only { url, setUpUrl } with --json', async (context) => {
    const { terminal } = await openOffice(context);
    const running = terminal.start(['serve', '--port', '0', '--host', '127.0.0.1', '--json']);
    const { url, setUpUrl } = JSON.parse(await running.stdout.until(/\n/));
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    assert.equal(running.stdout.text, `${JSON.stringify({ url, setUpUrl })}\n`);
  });

  it('prints one clear line for a port in use or a foreign address', async (context) => {
    const { terminal } = await openOffice(context);
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const taken = await terminal.run(['serve', '--port', port]);
    holder.close();
    assert.equal(taken.exitCode, 1);
    const advice = 'Pass another --port; port 0 picks a free one.';
    assert.equal(taken.stderr, `budgetd: Port ${port} on 127.0.0.1 is in use. ${advice}\n`);
    const foreign = await terminal.run(['serve', '--port', '0', '--host', '192.0.2.1']);
    assert.equal(foreign.exitCode, 2);
    assert.match(
      foreign.stderr,
      /^budgetd: This machine does not have the address 192\.0\.2\.1\. /,
    );
  });

  it('--trusted-proxies accepts only addresses and networks', async (context) => {
    const { terminal } = await openOffice(context);
    const serve = (proxies: string) => ['serve', '--port', '0', '--trusted-proxies', proxies];
    const running = terminal.start(serve('192.0.2.1, 10.0.0.0/8,fd00::1'));
    await running.stdout.until(/\n/);
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    for (const [proxies, message] of [
      ['proxy.local', '--trusted-proxies: "proxy.local" is not an IP address or network. '],
      [
        '192.0.2.1,10.0.0.0/33',
        '--trusted-proxies: "10.0.0.0/33" is not an IP address or network. ',
      ],
      ['', '--trusted-proxies must be addresses, not "".'],
    ] as const) {
      const { exitCode, stderr } = await terminal.run(serve(proxies));
      assert.equal(exitCode, 2);
      assert.ok(stderr.startsWith(`budgetd: ${message}`), stderr);
    }
  });

  it('--metrics is an address of its own, and says what to do if it cannot be', async (context) => {
    const { terminal } = await openOffice(context);
    const serve = (address: string) => ['serve', '--port', '0', '--metrics', address];
    const running = terminal.start([...serve('127.0.0.1:0'), '--json']);
    const { url } = JSON.parse(await running.stdout.until(/\n/));
    const notes = await running.stderr.until(/"metrics".*\n/);
    const [, metrics = ''] = /Metrics are at (\S+)\."/.exec(notes) ?? [];
    assert.match(await (await fetch(metrics)).text(), /^budgetd_ready 1$/m);
    assert.ok(!metrics.startsWith(`${url}/`));
    const { host } = new URL(metrics);
    await terminal.run(['init', '--name', 'B', '--currency', 'GBP', '--db', 'other.db']);
    for (const [address, exitCode, message] of [
      [host, 1, /^budgetd: Port \d+ on 127\.0\.0\.1 is in use\. Pass another --metrics; port 0 /],
      ['192.0.2.1:0', 2, /does not have the address 192\.0\.2\.1\. Pass another --metrics\./],
      ['127.0.0.1:70000', 2, /^budgetd: --metrics must be an address and a port, such as /],
      ['9464', 2, /^budgetd: --metrics must be an address and a port, such as 127\.0\.0\.1:9464, /],
    ] as const) {
      const refused = await terminal.run([...serve(address), '--db', 'other.db']);
      assert.deepEqual([refused.exitCode, message.test(refused.stderr)], [exitCode, true], address);
    }
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    await assert.rejects(fetch(metrics));
  });

  it('commands work on the same database while it runs', async (context) => {
    const { terminal } = await openOffice(context);
    const create = ['keys', 'create', '--name', 'reader', '--scope', 'reports:read'];
    const { key } = membersOf(await terminal.json(create));
    const running = terminal.start(['serve', '--port', '0', '--json']);
    const { url } = JSON.parse(await running.stdout.until(/\n/));
    await terminal.json(['allocate', '--by-account-code']);
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/api/v1/projects/prj_0000000001/report`, { headers });
    assert.deepEqual(await response.json(), await terminal.json(['report', 'prj_0000000001']));
    running.interrupt();
    assert.equal(await running.exitCode, 0);
  });

  it('refuses a second serve on the same file until the first has ended', async (context) => {
    const { terminal } = await openOffice(context);
    const link = join(terminal.folder, 'link.db');
    symlinkSync(terminal.database, link);
    const refused = async () => {
      for (const file of [terminal.database, link, `./${basename(terminal.database)}`]) {
        const second = await terminal.run(['serve', '--port', '0', '--db', file]);
        assert.deepEqual([second.exitCode, second.stdout], [1, '']);
        assert.match(second.stderr, /^budgetd: Another budgetd is already serving .*\. Stop it /);
      }
    };
    const running = terminal.start(['serve', '--port', '0', '--json']);
    await running.stdout.until(/\n/);
    await refused();
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    const child = spawn(...programWith(['serve', '--port', '0', '--db', link]));
    await once(child.stdout, 'data');
    await refused();
    child.kill('SIGKILL');
    await once(child, 'exit');
    const again = terminal.start(['serve', '--port', '0', '--json']);
    await again.stdout.until(/\n/);
    again.interrupt();
    assert.equal(await again.exitCode, 0);
  });

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`${signal} stops the service with 0; a second one at once with 130`, async (context) => {
      const { terminal } = await openOffice(context);
      const argv = ['serve', '--port', '0', '--json', '--db', terminal.database];
      const start = async () => {
        const child = spawn(...programWith(argv), { stdio: ['ignore', 'pipe', 'pipe'] });
        const [line] = await once(child.stdout, 'data');
        const { url } = JSON.parse(String(line));
        return { child, port: Number(new URL(url).port), exited: once(child, 'exit') };
      };
      const idle = await start();
      idle.child.kill(signal);
      assert.deepEqual(await idle.exited, [0, null]);

      const busy = await start();
      // Reads nothing of its answers, so the service waits for it.
      const socket = connect(busy.port, '127.0.0.1').on('error', () => {});
      socket.write('GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(300));
      await once(socket, 'readable');
      let said = '';
      busy.child.stderr.on('data', (text) => {
        said += text;
      });
      busy.child.kill(signal);
      await until(() => /Press Ctrl-C again/.test(said));
      assert.equal(busy.child.exitCode, null);
      // Two within 700 ms count as one.
      await wait(800);
      busy.child.kill(signal);
      assert.deepEqual(await busy.exited, [130, null]);
      socket.destroy();
    });
  }

  it('keeps the space for new objects small', {
    skip: OTHER_PROGRAM !== undefined && 'takes no options of Node',
  }, async (context) => {
    const { terminal } = await openOffice(context);
    const [node, argv] = programWith(['serve', '--port', '0', '--db', terminal.database]);
    const child = spawn(node, ['--import', `data:text/javascript,${PROBE}`, ...argv]);
    await once(child.stdout, 'data');
    child.kill('SIGUSR2');
    const [bytes] = await once(child.stdout, 'data');
    child.kill('SIGTERM');
    await once(child, 'exit');
    // It has 4 MiB, now and then a page more, and would grow to 64.
    assert.ok(Number(bytes) <= 8 * 1024 * 1024, String(bytes));
  });

  it('refuses an unknown option', async (context) => {
    const terminal = new Terminal(context);
    const { exitCode } = await terminal.run(['serve', '--rate-limit', '5']);
    assert.equal(exitCode, 2);
  });
});
