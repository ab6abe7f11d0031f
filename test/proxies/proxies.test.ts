/**
 * nginx and Caddy as `budgetd print` configures them, with real requests. Skipped where they are
 * not installed; Debian has both as packages.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { BODY_BYTES } from '../../src/core/limits.ts';
import { jsonReply, type Route } from '../../src/http/message.ts';
import { Listener } from '../../src/http/server.ts';
import { LISTENER_TIMES } from '../../src/http/settings.ts';
import { createService } from '../../src/index.ts';
import { startProgram } from '../cli/program.ts';
import { Terminal } from '../cli/terminal.ts';
import { connectTo, type ProxyKind, type RunningProxy, startProxy, whyNot } from './proxy.ts';

const PIECE_BYTES = 64 * 1024;

for (const kind of ['nginx', 'caddy'] as const) {
  describe(`behind ${kind}`, { skip: whyNot(kind) }, () => {
    it('a push of many rows arrives, and another one is unchanged', async (t) => {
      const { proxy, key, service } = await openBehind(t, kind);
      const { folder } = new Terminal(t);
      const rows = Array.from({ length: 1200 }, (_, at) => ({
        externalId: `row ${at}`,
        date: '2026-02-03',
        description: 'Müller '.repeat(140),
        amount: at + 0.25,
      }));
      writeFileSync(join(folder, 'rows.json'), JSON.stringify(rows));
      for (const counts of [/1,200 created/, /1,200 unchanged/]) {
        const { ended } = startProgram(t, ['push', 'rows.json', '--url', proxy.url], {
          cwd: folder,
          env: { BUDGETD_KEY: key, NODE_EXTRA_CA_CERTS: proxy.certificate },
        });
        const { exitCode, stderr } = await ended;
        assert.equal(exitCode, 0, stderr);
        assert.match(stderr, counts);
      }
      const posts = service.requests.list({ method: 'POST' });
      assert.deepEqual(new Set(posts.map(({ status }) => status)), new Set([200]));
    });

    it('every refusal is that of budgetd, in JSON', async (t) => {
      const { proxy, key } = await openBehind(t, kind);
      const large = Buffer.alloc(BODY_BYTES + 1, ' ');
      for (const [authorization, body, status, code] of [
        [`Bearer ${key}`, large, 413, 'payload_too_large'],
        [`Bearer ${key}`, Buffer.from('{'), 400, 'invalid_json'],
        ['Bearer none', large, 401, 'invalid_api_key'],
      ] as const) {
        const answer = await ask(proxy, '/api/v1/transactions', { authorization, body });
        assert.equal(answer.status, status);
        assert.equal(JSON.parse(answer.body).code, code);
      }
    });

    it('a long answer arrives whole while its reader pauses', async (t) => {
      const text = 'x'.repeat(8 * 1024 * 1024);
      const { proxy } = await listenBehind(t, kind, [
        { method: 'GET', path: '/long', handler: () => jsonReply({ text }) },
      ]);
      const answer = await ask(proxy, '/long', { pauseMs: 300 });
      assert.equal(JSON.parse(answer.body).text.length, text.length);
    });

    it('the client is the one that the proxy sees, whatever it says about itself', async (t) => {
      const { proxy } = await listenBehind(t, kind, [WHO]);
      const headers = { 'X-Forwarded-For': '192.0.2.7', 'X-Forwarded-Proto': 'http' };
      const { body } = await ask(proxy, '/who', { headers });
      assert.deepEqual(JSON.parse(body), { address: '127.0.0.1', isHttps: true });
    });

    it('the proxy closes idle connections before budgetd does', async (t) => {
      const { text } = (await new Terminal(t).json(['print', kind])) as { text: string };
      const [, seconds] = /keepalive(?:_timeout)? (\d+)s/.exec(text) ?? [];
      assert.ok(Number(seconds) * 1000 < LISTENER_TIMES.keepAliveMs);
    });

    it('what two programs could read differently never smuggles a request', async (t) => {
      const { proxy, arrived } = await listenBehind(t, kind, [WHO, BODY, HIDDEN]);
      for (const [name, text] of Object.entries(ATTACKS)) {
        arrived.length = 0;
        const statuses = await send(proxy, text, () => arrived.length);
        // What the proxy forwards has its field; what was hidden in a body has not.
        const smuggled = arrived.filter(({ isForwarded }) => !isForwarded);
        assert.deepEqual(smuggled, [], `${name} smuggled a request`);
        // The proxy answers each, or refuses: then nothing arrives.
        assert.ok(statuses.length >= arrived.length, `${name}: ${statuses}`);
        // The connections between the two are still in step.
        const { body } = await ask(proxy, '/who', {});
        assert.deepEqual(JSON.parse(body), { address: '127.0.0.1', isHttps: true }, name);
      }
    });
  });
}

describe('the log of nginx', { skip: whyNot('nginx') }, () => {
  it('has who asked for which page, but neither its query nor the page before', async (t) => {
    const { proxy } = await listenBehind(t, 'nginx', [WHO]);
    const headers = { Referer: `${proxy.url}/set-up?token=secret-1` };
    await ask(proxy, '/who?token=secret-2', { headers });
    const plain = await fetch(`http://127.0.0.1:${proxy.plainPort}/who?token=secret-3`, {
      redirect: 'manual',
      headers,
    });
    assert.equal(plain.status, 301);
    // nginx writes a line after its answer.
    const read = () => readFileSync(proxy.log, 'utf8').trimEnd().split('\n');
    while (!read().some((line) => line.includes(' 301 '))) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const lines = read();
    const seen = lines.filter((line) => line.includes('/who'));
    assert.match(seen[0] ?? '', /^127\.0\.0\.1 - \[\S+\] "GET \/who HTTP\/1\.1" 200 \d+ "/);
    assert.match(seen[1] ?? '', /"GET \/who HTTP\/1\.1" 301 /);
    assert.doesNotMatch(lines.join('\n'), /secret|token/);
  });
});

const WHO: Route = {
  method: 'GET',
  path: '/who',
  handler: ({ client }) => jsonReply({ ...client }),
};
const BODY: Route = {
  method: 'POST',
  path: '/body',
  handler: async (request) => jsonReply({ read: await request.readJson() }),
};
const HIDDEN: Route = { method: 'GET', path: '/hidden', handler: () => jsonReply({}) };

const HIDE = 'GET /hidden HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CHUNKS = '2\r\n{}\r\n0\r\n\r\n';
const post = (fields: string, body: string) => {
  const head = 'POST /body HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json';
  return `${head}\r\n${fields}\r\n\r\n${body}`;
};
const get = (target: string, fields: string, body = '') =>
  `GET ${target} HTTP/1.1\r\n${fields}\r\n\r\n${body}`;
const HOST = 'Host: localhost';
const HIDING = `${HOST}\r\nContent-Length: ${HIDE.length}`;

/** Requests that two programs could read differently, each with another one behind it. */
const ATTACKS: Readonly<Record<string, string>> = {
  'two lengths': post(`Content-Length: 2\r\nContent-Length: ${HIDE.length + 2}`, `{}${HIDE}`),
  'a list of lengths': post(`Content-Length: 2, ${HIDE.length + 2}`, `{}${HIDE}`),
  'a signed length': post('Content-Length: +2', `{}${HIDE}`),
  'a hexadecimal length': post('Content-Length: 0x2', `{}${HIDE}`),
  'a negative length': post('Content-Length: -2', `{}${HIDE}`),
  'a huge length': post('Content-Length: 18446744073709551618', `{}${HIDE}`),
  'a length, then chunks': post(
    `Content-Length: ${CHUNKS.length + HIDE.length}\r\nTransfer-Encoding: chunked`,
    CHUNKS + HIDE,
  ),
  'chunks, then a length': post(`Transfer-Encoding: chunked\r\nContent-Length: 2`, CHUNKS + HIDE),
  'an unknown encoding': post('Transfer-Encoding: xchunked\r\nContent-Length: 2', `{}${HIDE}`),
  'two encodings': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', CHUNKS + HIDE),
  'a list of encodings': post('Transfer-Encoding: chunked, identity', CHUNKS + HIDE),
  'a vertical tab before chunked': post('Transfer-Encoding: \x0bchunked', CHUNKS + HIDE),
  'white space before the colon': post(
    'Transfer-Encoding : chunked\r\nContent-Length: 2',
    `{}${HIDE}`,
  ),
  'a folded encoding': post('Transfer-Encoding:\r\n chunked\r\nContent-Length: 2', `{}${HIDE}`),
  'a folded length': post('X-A: b\r\n Content-Length: 2', `{}${HIDE}`),
  'line ends without CR': post('Content-Length: 2\nTransfer-Encoding: chunked', CHUNKS + HIDE),
  'line ends without LF': post('X-A: b\rContent-Length: 2', `{}${HIDE}`),
  'NUL in a field': post('Transfer-Encoding: chunked\0\r\nContent-Length: 2', `{}${HIDE}`),
  'chunks in HTTP/1.0': post('Transfer-Encoding: chunked', CHUNKS + HIDE).replace('1.1', '1.0'),
  'a chunk size that overflows': post(
    'Transfer-Encoding: chunked',
    `10000000000000002\r\n{}\r\n0\r\n\r\n${HIDE}`,
  ),
  'a chunk size with a prefix': post('Transfer-Encoding: chunked', `0x2\r\n{}\r\n0\r\n\r\n${HIDE}`),
  'a chunk longer than its size': post('Transfer-Encoding: chunked', `2\r\n{}${HIDE}\r\n0\r\n\r\n`),
  'a chunk extension without CR': post('Transfer-Encoding: chunked', `2;a\n{}\r\n0\r\n\r\n${HIDE}`),
  'a chunk without an end': post('Transfer-Encoding: chunked', `2\r\n{}XX0\r\n\r\n${HIDE}`),
  'a length in the trailers': post(
    'Transfer-Encoding: chunked',
    `2\r\n{}\r\n0\r\nContent-Length: ${HIDE.length}\r\n\r\n`,
  ),
  'a GET with a body': get('/who', HIDING, HIDE),
  'an absolute target': get('http://localhost/who', HIDING, HIDE),
  'an absolute target of another host': get('http://other.example/who', HOST),
  'two hosts': get('/who', `${HOST}\r\nHost: other.example`),
  'no host': get('/who', 'Accept: */*'),
  'a target within a field': get('/who', `X: y\n${HIDE}`),
  'HTTP/0.9': 'GET /hidden\r\n\r\n',
};

interface Arrival {
  readonly path: string;
  readonly isForwarded: boolean;
}

/** A listener with these routes behind a proxy, and the requests that reached them. */
async function listenBehind(t: TestContext, kind: ProxyKind, routes: readonly Route[]) {
  const arrived: Arrival[] = [];
  const noting = routes.map((route) => ({
    ...route,
    handler: (request: Parameters<Route['handler']>[0]) => {
      arrived.push({
        path: request.path,
        isForwarded: request.header('x-forwarded-for') !== undefined,
      });
      return route.handler(request);
    },
  }));
  const listener = new Listener({
    routes: noting,
    clock: () => new Date(),
    log: () => {},
    trustedProxies: ['127.0.0.1'],
  });
  const { port } = await listener.listen({ port: 0 });
  t.after(() => listener.close());
  return { proxy: await startProxy(t, kind, port), arrived };
}

/** A service with a key behind a proxy. */
async function openBehind(t: TestContext, kind: ProxyKind) {
  const service = await createService({
    database: ':memory:',
    recordRequests: true,
    trustedProxies: ['127.0.0.1'],
  });
  t.after(() => service.close());
  const org = service.organisations.create({ name: 'Well', baseCurrency: 'GBP' });
  const { key } = service.keys.create(org.id, { name: 'erp', scopes: ['transactions:write'] });
  const { port } = await service.listen({ port: 0 });
  return { service, key, proxy: await startProxy(t, kind, port) };
}

interface Asked {
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorization?: string;
  readonly body?: Buffer;
  readonly pauseMs?: number;
}

/**
 * Sends a request as a client of the proxy. A proxy that refuses a large body may close before it
 * has read all of it, and Node's client then can miss the answer: such a request is sent again.
 */
async function ask(...[proxy, path, asked]: Parameters<typeof askOnce>) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await askOnce(proxy, path, asked);
    } catch (error) {
      const { code } = Object(error);
      if ((code !== 'EPIPE' && code !== 'ECONNRESET') || tries === 5) throw error;
    }
  }
}

/**
 * Sends a body in pieces until it is answered: a proxy closes the connection soon after an early
 * answer, and Node's client does not read what came before its own failed write.
 */
async function sendBody(request: ClientRequest, body: Buffer = Buffer.alloc(0)): Promise<void> {
  let isOver = false;
  for (const event of ['response', 'error']) request.once(event, () => (isOver = true));
  const closed = new Promise<void>((resolve) => request.once('close', resolve));
  for (let at = 0; at < body.length && !isOver; at += PIECE_BYTES) {
    const piece = body.subarray(at, at + PIECE_BYTES);
    const sent = new Promise<void>((resolve) => request.write(piece, () => resolve()));
    await Promise.race([sent, closed]);
    // What has arrived is read now.
    await new Promise(setImmediate);
  }
  if (!isOver) request.end();
}

async function askOnce(proxy: RunningProxy, path: string, asked: Asked) {
  const { headers = {}, authorization, body, pauseMs = 0 } = asked;
  const request = httpsRequest(`${proxy.url}${path}`, {
    ca: readFileSync(proxy.certificate),
    host: '127.0.0.1',
    servername: 'localhost',
    method: body === undefined ? 'GET' : 'POST',
    // Half a body may be sent: nothing else can follow it.
    agent: false,
    headers: {
      ...headers,
      ...(body === undefined ? {} : { 'Content-Length': body.length }),
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
  });
  const answered = once(request, 'response');
  answered.catch(() => {});
  await sendBody(request, body);
  const [response] = await answered;
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  return { status: Number(response.statusCode), body: text };
}

/** After an answer, another one follows at once; the first, and one that is due, may take long. */
const QUIET_MS = 250;
const SILENT_MS = 10_000;

/**
 * Sends exact bytes and returns the statuses of all answers until nothing more comes. An answer in
 * HTTP/0.9, which has none, counts as 200. `due` is how many answers must still come at least.
 */
async function send({ port }: RunningProxy, text: string, due: () => number): Promise<number[]> {
  const socket = connectTo(port);
  await once(socket, 'secureConnect');
  let received = '';
  await new Promise<void>((resolve) => {
    let quiet = setTimeout(resolve, SILENT_MS);
    socket.on('data', (data) => {
      received += data.toString('latin1');
      clearTimeout(quiet);
      const isDue = listStatuses(received).length < due();
      quiet = setTimeout(resolve, isDue ? SILENT_MS : QUIET_MS);
    });
    socket.on('close', () => resolve()).on('error', () => resolve());
    socket.write(Buffer.from(text, 'latin1'));
  });
  socket.destroy();
  return listStatuses(received);
}

function listStatuses(received: string): number[] {
  if (received !== '' && !received.startsWith('HTTP/')) return [200];
  return [...received.matchAll(/HTTP\/1\.[01] (\d{3}) /g)].map(([, status]) => Number(status));
}
