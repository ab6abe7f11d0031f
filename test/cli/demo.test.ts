import assert from 'node:assert/strict';
import { exec, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Terminal } from './terminal.ts';

const shell = promisify(exec);
const skip = spawnSync('curl', ['--version']).status === 0 ? false : 'curl is not installed';

describe('8: demo', () => {
  it('pushes a year over HTTP, prints commands to paste, and cleans up', {
    skip,
  }, async (context) => {
    const terminal = new Terminal(context);
    const running = terminal.start(['demo', '--port', '0']);
    const text = await running.stdout.until(/Print the whole report:\n.*\n/);
    assert.match(running.stderr.text, /^15,278 transactions allocated by account code\.$/m);
    assert.match(text, /^ {2}actual +14,057,679 +11,226,904 +11,923,874 +12,705,491 +49,913,948$/m);
    assert.match(text, /^Actual 49,913,948\.23 of 58,342,493\.05 GBP budgeted \(86%\)/m);

    const [link = ''] = text.match(/^http:\/\/\S*\/set-up\?token=\S+$/m) ?? [];
    const { origin, searchParams } = new URL(link);
    const open = () =>
      fetch(`${origin}/set-up`, {
        method: 'POST',
        headers: {
          origin,
          accept: 'text/html',
          cookie: `budgetd-link=${searchParams.get('token')}`,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: '',
        redirect: 'manual',
      });
    const opened = await open();
    assert.equal(opened.status, 303);
    const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const home = await fetch(origin, { headers: { cookie, accept: 'text/html' } });
    assert.match(await home.text(), /Oxford City Council payments 2015\/16/);
    assert.equal((await open()).status, 404);

    const [read = '', push = ''] = text.match(/^curl .*$/gm) ?? [];
    const listed = JSON.parse((await shell(read)).stdout);
    assert.equal(listed.data.length, 2);
    const pushed = JSON.parse((await shell(push)).stdout);
    assert.deepEqual([pushed.meta.updated, pushed.meta.needsReview], [1, 1]);

    const [list = '', report = ''] = text.match(/^\S.* --db .*$/gm) ?? [];
    assert.match((await shell(list)).stdout, /needs review {2}D3421/);
    assert.match((await shell(report)).stdout, /^1 transaction needs review: /m);

    const [, database = ''] = /--db (\S+)/.exec(list) ?? [];
    assert.ok(existsSync(database));
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    assert.equal(existsSync(database), false);
  });

  it('prints only { url, key, projectId } on standard output with --json', async (context) => {
    const running = new Terminal(context).start(['demo', '--port', '0', '--json']);
    const { url, key, projectId, ...rest } = JSON.parse(await running.stdout.until(/\n/));
    assert.deepEqual(rest, {});
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${url}/api/v1/projects/${projectId}/report`, { headers });
    const { data } = (await response.json()) as { data: { totals: { total: unknown } } };
    assert.deepEqual(data.totals.total, {
      budgeted: 58_342_493.05,
      actual: 49_913_948.23,
      variance: 8_428_544.82,
    });
    // The payments were pushed with another key, so this is the first request of this one.
    assert.equal(response.headers.get('X-RateLimit-Remaining'), '119');
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    assert.equal(running.stdout.text.split('\n').length, 2);
  });

  it('exits with 130 and cleans up when interrupted during the push', async (context) => {
    const running = new Terminal(context).start(['demo', '--port', '0']);
    await running.stderr.until(/500 of/);
    running.interrupt();
    assert.equal(await running.exitCode, 130);
    assert.equal(running.stdout.text, '');
  });

  it('uses another port if 8080 is in use and --port is not set', async (context) => {
    const holder = createServer().listen(8080, '127.0.0.1');
    // If another program already has the port, that will do.
    await once(holder, 'listening').catch(() => {});
    const running = new Terminal(context).start(['demo']);
    const text = await running.stderr.until(/^Pushing a year of payments to .*$/m);
    holder.close();
    assert.match(text, /^Port 8080 is in use: using another\.$/m);
    assert.doesNotMatch(text, /to http:\/\/127\.0\.0\.1:8080/);
    running.interrupt();
    assert.equal(await running.exitCode, 130);
  });

  it('exits with 1 if the port of --port is in use', async (context) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const address = holder.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const { exitCode, stderr } = await new Terminal(context).run(['demo', '--port', port]);
    holder.close();
    assert.equal(exitCode, 1);
    assert.match(stderr, /^budgetd: Port \d+ on 127\.0\.0\.1 is in use/m);
  });
});
