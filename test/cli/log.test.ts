import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Io } from '../../src/cli/command.ts';
import { Log } from '../../src/cli/log.ts';
import { until } from '../upkeep/until.ts';
import { openOffice } from './office.ts';
import { membersOf, Sink, type Terminal } from './terminal.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/budgetd', import.meta.url));

/** The lines of a log, parsed. */
function linesOf(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => membersOf(JSON.parse(line)));
}

async function createKey(terminal: Terminal): Promise<{ key: string; keyId: string }> {
  const scopes = ['--scope', 'transactions:write', '--scope', 'projects:read'];
  const { key, keyId } = membersOf(
    await terminal.json(['keys', 'create', '--name', 'erp', ...scopes]),
  );
  return { key: String(key), keyId: String(keyId) };
}

/** What a client sees of one request: id, status and length of the answer. */
async function ask(url: string, init?: RequestInit) {
  const response = await fetch(url, init);
  const bytesOut = (await response.arrayBuffer()).byteLength;
  return { requestId: response.headers.get('x-request-id'), status: response.status, bytesOut };
}

describe('11: the log of serve', () => {
  it('has a line of JSON for each request: no key, query, body or path', async (context) => {
    const { terminal } = await openOffice(context);
    const { key, keyId } = await createKey(terminal);
    const env = { BUDGETD_PROT: '1' };
    const running = terminal.start(['serve', '--port', '0', '--json'], { env });
    const { url } = JSON.parse(await running.stdout.until(/\n/));
    const headers = { Authorization: `Bearer ${key}` };
    const row = { externalId: 'SECRET-1', date: '2026-01-31', description: 'é', amount: 1 };
    const body = JSON.stringify({ rows: [row] });
    const json = { ...headers, 'Content-Type': 'application/json' };
    const push = { method: 'POST', headers: json, body };
    const read = `${url}/api/v1/projects/prj_0000000099?x=SECRET`;
    const asked = [
      await ask(`${url}/api/v1/transactions`, push),
      await ask(`${url}/api/v1/transactions`, { ...push, headers: { Authorization: 'Bearer x' } }),
      await ask(read, { headers }),
      await ask(`${url}/SECRET/${key}`),
      await ask(`${url}/healthz`, { method: 'HEAD' }),
      await ask(`${url}/healthz`, { method: 'DELETE' }),
    ];
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    const { text } = running.stderr;
    assert.doesNotMatch(text, new RegExp(`SECRET|${key}|prj_`));
    const [warning, ...rest] = linesOf(text);
    assert.equal(warning?.['event'], 'warning');
    assert.match(String(warning?.['message']), /^BUDGETD_PROT is not a setting\. /);
    assert.equal(rest.pop()?.['event'], 'stopping');
    const sent = Buffer.byteLength(body);
    const expected = [
      [keyId, 'POST', '/api/v1/transactions', 200, sent],
      [null, 'POST', '/api/v1/transactions', 401, 0],
      [keyId, 'GET', '/api/v1/projects/{id}', 400, 0],
      [null, 'GET', null, 404, 0],
      [null, 'HEAD', '/healthz', 200, 0],
      [null, 'DELETE', '/healthz', 405, 0],
    ] as const;
    assert.equal(rest.length, expected.length);
    for (const [at, [id, method, route, status, bytesIn]] of expected.entries()) {
      const { time, ms, ...line } = rest[at] ?? {};
      const { requestId, bytesOut } = asked[at] ?? {};
      const who = { keyId: id, userId: null, clientAddress: '127.0.0.1' };
      const known = { event: 'request', requestId, ...who, method, route, status };
      assert.deepEqual(line, { ...known, bytesIn, bytesOut });
      assert.equal(asked[at]?.status, status);
      assert.ok(Math.abs(Date.parse(String(time)) - Date.now()) < 3_600_000);
      assert.ok(Number(ms) >= 0 && Number(ms) < 60_000);
    }
  });

  it('has a line for what the parser refuses and for a client that leaves', async (context) => {
    const { terminal } = await openOffice(context);
    const { key, keyId } = await createKey(terminal);
    const running = terminal.start(['serve', '--port', '0', '--json']);
    const { url } = JSON.parse(await running.stdout.until(/\n/));
    const { port } = new URL(url);
    const send = (lines: string[]) => {
      const socket = connect(Number(port), '127.0.0.1').on('error', () => {});
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      return socket;
    };
    await once(send(['BREW /readyz HTTP/1.1', 'Host: x']), 'data');
    const head = ['POST /api/v1/transactions HTTP/1.1', 'Host: x', `Authorization: Bearer ${key}`];
    const leaving = send([
      ...head,
      'Content-Type: application/json',
      'Content-Length: 99',
      '',
      '{',
    ]);
    // What came before on another connection has been read, too.
    for (let asked = 0; asked < 2; asked += 1) await ask(`${url}/healthz`);
    leaving.resetAndDestroy();
    await running.stderr.until(/"bytesIn":5/);
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    const [refused, , , left] = linesOf(running.stderr.text).map((line) => {
      return ['keyId', 'clientAddress', 'method', 'route', 'status', 'bytesIn'].map(
        (name) => line[name],
      );
    });
    assert.deepEqual(refused, [null, '127.0.0.1', null, '/readyz', 405, 0]);
    assert.deepEqual(left, [keyId, '127.0.0.1', 'POST', '/api/v1/transactions', null, 5]);
  });

  it('is aligned text on a terminal, or when asked for', async (context) => {
    const { terminal } = await openOffice(context);
    const running = terminal.start(['serve', '--port', '0', '--json', '--log', 'text']);
    const { url } = JSON.parse(await running.stdout.until(/\n/));
    const { requestId } = await ask(`${url}/healthz?a=b`);
    running.interrupt();
    assert.equal(await running.exitCode, 0);
    const [line = '', stopping] = running.stderr.text.split('\n');
    const [time, ...words] = line.split(/ +/);
    assert.match(time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const { length } = `${JSON.stringify({ status: 'ok' })}\n`;
    const [status, ms, ...rest] = words;
    assert.deepEqual([status, Number(ms) >= 0], ['200', true]);
    const bytes = ['0', 'in', String(length), 'out'];
    assert.deepEqual(rest, ['ms', ...bytes, 'GET', '/healthz', '-', '127.0.0.1', requestId]);
    const last = / stopping: Finishing open requests\. Press Ctrl-C again to stop immediately\.$/;
    assert.match(stopping ?? '', last);
    const wrong = await terminal.run(['serve', '--log', 'xml']);
    assert.equal(wrong.exitCode, 2);
    assert.match(wrong.stderr, /^budgetd: --log must be json or text, not "xml"\./);
  });

  for (const isTTY of [true, false]) {
    it(`tells of errors, with the stack of a bug: terminal ${isTTY}`, async () => {
      const stderr = Object.assign(new Sink(), { isTTY });
      const log = new Log({ stderr } as unknown as Io, '');
      const request = { requestId: 'req_1', method: 'GET', path: '/api/v1/projects/SECRET' };
      const kind = 'request_failed';
      log.failure({ ...request, kind, code: 'unavailable', error: new Error('It is \u001bbusy') });
      log.failure({ ...request, kind, code: 'internal_error', error: new Error('Oops') });
      await log.close();
      const { text } = stderr;
      assert.ok(!text.includes('SECRET') && !text.includes('\u001b'), text);
      if (isTTY) {
        const [busy = '', bug = '', ...stack] = text.split('\n');
        assert.match(busy, /^20\S+Z request_failed unavailable req_1 It is ␛busy$/);
        assert.match(bug, / request_failed internal_error req_1 Oops$/);
        assert.match(stack.join('\n'), /^Error: Oops\n {4}at /);
      } else {
        const [busy, bug] = linesOf(text);
        const members = { event: kind, requestId: 'req_1' };
        const { time: _, ...told } = busy ?? {};
        assert.deepEqual(told, { ...members, code: 'unavailable', message: 'It is \u001bbusy' });
        assert.match(String(bug?.['stack']), /^Error: Oops\n {4}at /);
      }
    });
  }
});

/** Starts the program with a pipe as its standard error, which nobody reads. */
async function startUnread(terminal: Terminal) {
  const argv = [PROGRAM, 'serve', '--port', '0', '--json', '--db', terminal.database];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe'] });
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(String(line));
  return { child, url, exited: once(child, 'exit') };
}

/** Asks for /healthz on one connection, 100 times at once: each `fetch` takes far longer. */
async function askOften(url: string, count: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).setEncoding('latin1');
  let text = '';
  for (let asked = 100; asked <= count; asked += 100) {
    socket.write(`GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`.repeat(100));
    while (text.split('HTTP/1.1 200').length <= 100) text += await once(socket, 'data');
    text = '';
  }
  socket.destroy();
}

describe('11: standard error that nobody reads', () => {
  it('does not slow the service, and tells how many lines are missing', async (context) => {
    const { terminal } = await openOffice(context);
    const { child, url, exited } = await startUnread(terminal);
    context.after(() => child.kill('SIGKILL'));
    const count = 8000;
    await askOften(url, count);
    let text = '';
    child.stderr.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    // What is missing is written once there is room again.
    await until(() => text.includes('lines_dropped'));
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
    const lines = linesOf(text);
    const requests = lines.filter(({ event }) => event === 'request').length;
    const dropped = lines.find(({ event }) => event === 'lines_dropped');
    assert.ok(Number(dropped?.['count']) > 0);
    assert.equal(requests + Number(dropped?.['count']), count);
  });

  it('may close: the service keeps running and ends with 0', async (context) => {
    const { terminal } = await openOffice(context);
    const { child, url, exited } = await startUnread(terminal);
    context.after(() => child.kill('SIGKILL'));
    child.stderr.destroy();
    for (let at = 0; at < 50; at += 1) assert.equal((await fetch(`${url}/healthz`)).status, 200);
    child.kill('SIGTERM');
    assert.deepEqual(await exited, [0, null]);
  });
});
