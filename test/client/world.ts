/** A real service on a clock that tests control, and proxies between it and a client. */

import {
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ClientOptions,
  createClient,
  type PushRow,
  type Wait,
} from '../../src/client/index.ts';
import { createService, type Service } from '../../src/index.ts';

/** A service with one organisation and a key with every scope, for one test. */
export interface World {
  readonly service: Service;
  readonly organisationId: string;
  readonly url: string;
  readonly key: string;
}

/** Starts a service that is removed when the test ends. */
export async function openWorld(
  test: TestContext,
  options: { rateLimit?: number | false; clock?: FastClock } = {},
): Promise<World> {
  const { rateLimit = false, clock } = options;
  const service = await createService({
    database: ':memory:',
    rateLimit,
    ...(clock === undefined ? {} : { monotonicMs: () => clock.nowMs }),
  });
  test.after(() => service.close());
  const { id: organisationId } = service.organisations.create({
    name: 'Test',
    baseCurrency: 'GBP',
  });
  const { key } = service.keys.create(organisationId, {
    name: 'test',
    scopes: [
      'projects:read',
      'reports:read',
      'allocations:read',
      'transactions:read',
      'transactions:write',
    ],
  });
  const { url } = await service.listen({ port: 0 });
  return { service, organisationId, url, key };
}

/** A clock on which waiting takes no time. It records the waits. */
export class FastClock {
  nowMs = 1_000_000;
  readonly waits: Wait[] = [];

  /** The options of a client that uses this clock. */
  get options(): Pick<ClientOptions, 'now' | 'sleep' | 'onWait'> {
    return {
      now: () => this.nowMs,
      sleep: async (waitMs) => {
        this.nowMs += waitMs;
      },
      onWait: (wait) => {
        this.waits.push(wait);
      },
    };
  }

  waitedMs(reason: Wait['reason']): number {
    const waits = this.waits.filter((wait) => wait.reason === reason);
    return waits.reduce((sum, { waitMs }) => sum + waitMs, 0);
  }
}

/** A client on a fast clock. */
export function clientOf(
  { url, key }: { url: string; key: string },
  clock: FastClock,
  options: Partial<ClientOptions> = {},
) {
  return createClient({ url, key, ...clock.options, ...options });
}

/** Rows `prefix-0` to `prefix-(count-1)`. */
export function rowsOf(count: number, prefix = 'INV'): PushRow[] {
  return Array.from({ length: count }, (_, index) => ({
    externalId: `${prefix}-${index}`,
    date: '2026-01-31',
    description: `Invoice ${index}`,
    amount: 12.5 + index,
  }));
}

/** What happens to one request on its way. */
export type Fault =
  | 'pass'
  | 'cut before'
  | 'cut after'
  | 'half an answer'
  | 'garbled answer'
  /** It is dropped and never answered. */
  | 'no answer'
  /** It is processed, and answered in small pieces or late. */
  | 'slow answer'
  | 'late answer'
  | { status: number; headers?: Record<string, string>; body?: string; isProcessed?: boolean }
  /** Its answer is another, or has to wait. */
  | ((text: string) => string | Promise<string>);

/** How late a late answer is. */
const LATE_MS = 300;

/** What a proxy has seen, and what it calls when it keeps a client waiting for an answer. */
interface Proxy {
  url: string;
  requests: number;
  readonly statuses: number[];
  onSilence: () => void;
}

/** A proxy that applies one fault to each request, in order. */
export async function openProxy(
  test: TestContext,
  target: string,
  faults: readonly Fault[],
  onRequest: (requests: number) => void = () => {},
): Promise<Proxy> {
  const seen: Proxy = { url: '', requests: 0, statuses: [], onSilence: () => {} };
  seen.url = await listen(test, async (req, res) => {
    const fault = faults[seen.requests] ?? 'pass';
    seen.requests += 1;
    onRequest(seen.requests);
    const body = await readAll(req);
    if (fault === 'cut before') return void req.socket.destroy();
    if (fault === 'no answer') return seen.onSilence();
    if (typeof fault === 'object') {
      if (fault.isProcessed) await forward(new URL(req.url ?? '', target), req, body);
      seen.statuses.push(fault.status);
      return void res.writeHead(fault.status, fault.headers).end(fault.body ?? '');
    }
    const { status, headers, text } = await forward(new URL(req.url ?? '', target), req, body);
    seen.statuses.push(status);
    if (fault === 'cut after') return void req.socket.destroy();
    if (fault === 'half an answer') {
      res.writeHead(status, headers).write(text.slice(0, text.length / 2));
      return void setTimeout(() => req.socket.destroy(), 20);
    }
    if (fault === 'garbled answer' || typeof fault === 'function') {
      const { 'content-length': _, ...others } = headers;
      const half = text.slice(0, text.length / 2);
      const changed = typeof fault === 'function' ? await fault(text) : half;
      return void res.writeHead(status, others).end(changed);
    }
    if (fault === 'late answer') {
      seen.onSilence();
      await sleep(LATE_MS);
    }
    if (fault === 'slow answer') await trickle(res.writeHead(status, headers), text);
    else res.writeHead(status, headers).end(text);
  });
  return seen;
}

/** A server that answers everything the same way. */
export async function openStandIn(
  test: TestContext,
  answer: (req: IncomingMessage, res: ServerResponse) => void,
): Promise<string> {
  return listen(test, async (req, res) => {
    await readAll(req);
    answer(req, res);
  });
}

/** An address where nothing listens: no other test gets the port, if the machine has the host. */
export async function closedUrl(): Promise<string> {
  const server = createServer();
  const host = process.platform === 'linux' ? '127.77.0.1' : '127.0.0.1';
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const url = urlOf(server);
  await new Promise((resolve) => server.close(resolve));
  return url;
}

async function listen(
  test: TestContext,
  answer: (req: IncomingMessage, res: ServerResponse) => Promise<void>,
): Promise<string> {
  const server = createServer((req, res) => {
    answer(req, res).catch(() => req.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return urlOf(server);
}

function urlOf(server: Server): string {
  const { address, port } = server.address() as AddressInfo;
  return `http://${address}:${port}`;
}

async function trickle(res: ServerResponse, text: string): Promise<void> {
  const bytes = Buffer.from(text);
  const step = Math.ceil(bytes.length / 10);
  for (let at = 0; at < bytes.length; at += step) {
    res.write(bytes.subarray(at, at + step));
    await sleep(5);
  }
  res.end();
}

async function readAll(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Forwarded {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

function forward(url: URL, req: IncomingMessage, body: Buffer): Promise<Forwarded> {
  return new Promise((resolve, reject) => {
    const { host: _, connection: __, ...headers } = req.headers;
    const onward = request(url, { method: req.method ?? 'GET', headers, agent: false });
    onward.on('error', reject);
    onward.on('response', async (answer) => {
      const { connection: ___, 'keep-alive': ____, ...answered } = answer.headers;
      const text = (await readAll(answer)).toString('utf8');
      const status = answer.statusCode ?? 0;
      resolve({ status, headers: answered as Record<string, string>, text });
    });
    onward.end(body);
  });
}
