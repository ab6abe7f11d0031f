/**
 * A client on a plain socket: it sends exact bytes and splits the received stream into answers by
 * their Content-Length. Shared by the tests of the listener.
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Server } from 'node:http';
import { connect, Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../../src/core/failures.ts';
import { jsonReply, type Route } from '../../src/http/message.ts';
import type { LogEvent } from '../../src/http/refusals.ts';
import { Listener } from '../../src/http/server.ts';
import { FOREVER_MS } from '../held-timers.ts';

/** One answer as it was received. */
export interface WireReply {
  readonly status: number;
  /** Names in lower case; the values of a repeated field are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One connection. */
export class Wire {
  readonly socket: Socket;
  /** 'ended' by a FIN, 'reset' by a RST. */
  readonly ending: Promise<'ended' | 'reset'>;
  #received = '';
  #pending: Buffer[] = [];
  /** How many bytes must have arrived before parsing again. */
  #wanted = 0;
  #wake: () => void = () => {};
  #isOver = false;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    this.socket.setNoDelay();
    this.ending = new Promise((resolve) => {
      const over = (how: 'ended' | 'reset') => (): void => {
        this.#isOver = true;
        this.#wake();
        resolve(how);
      };
      this.socket.on('end', over('ended')).on('error', over('reset')).on('close', over('reset'));
    });
    this.socket.on('data', (data) => {
      this.#pending.push(data);
      this.#wanted -= data.length;
      this.#wake();
    });
  }

  /** The received bytes that `reply()` has not consumed yet. */
  get received(): string {
    this.#received += Buffer.concat(this.#pending).toString('latin1');
    this.#pending = [];
    return this.#received;
  }

  write(text: string | Uint8Array): void {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }

  /** The next answer. `isHead`: it has no body, despite its Content-Length. */
  async reply(isHead = false): Promise<WireReply> {
    for (;;) {
      const reply = this.#wanted > 0 ? undefined : this.#take(isHead);
      if (reply !== undefined) {
        return reply;
      }
      if (this.#isOver) {
        throw new Error(`The connection ended after: ${JSON.stringify(this.received)}`);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Waits until exactly this text has arrived, such as an interim answer. */
  async expect(text: string): Promise<void> {
    while (!this.received.startsWith(text)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#received = this.#received.slice(text.length);
  }

  #take(isHead: boolean): WireReply | undefined {
    const received = this.received;
    const headEnd = received.indexOf('\r\n\r\n');
    if (headEnd < 0) {
      return undefined;
    }
    const [line = '', ...fields] = received.slice(0, headEnd).split('\r\n');
    const headers: Record<string, string> = {};
    for (const field of fields) {
      const name = field.slice(0, field.indexOf(':')).toLowerCase();
      const value = field.slice(field.indexOf(':') + 2);
      headers[name] = headers[name] === undefined ? value : `${headers[name]} & ${value}`;
    }
    const length = isHead ? 0 : Number(headers['content-length'] ?? 0);
    const end = headEnd + 4 + length;
    if (received.length < end) {
      this.#wanted = end - received.length;
      return undefined;
    }
    const body = Buffer.from(received.slice(headEnd + 4, end), 'latin1').toString('utf8');
    this.#received = received.slice(end);
    return { status: Number(line.split(' ')[1]), headers, body };
  }
}

/** A running listener, closed after the test, and everything it logged. */
export interface Service {
  readonly port: number;
  readonly url: string;
  readonly events: readonly LogEvent[];
  /** A new connection, destroyed after the test. */
  wire(): Wire;
  /** Sends one request on a new connection and waits for the first answer. */
  ask(text: string, isHead?: boolean): Promise<WireReply>;
  /** Resolves when the service has closed this connection, which a client only sees by reading. */
  untilClosed(wire: Wire): Promise<void>;
  /** Resolves to the connection as the service has it. */
  accepted(wire: Wire): Promise<Socket>;
  /** From now on, what has not arrived is late. Resolves when a first request was found so. */
  hurry(): Promise<void>;
  close(): Promise<void>;
}

/** More turns of the event loop than what was sent needs to arrive, and its answer. */
const TURNS = 200;

/**
 * Waits until what was sent has arrived, however busy the machine is: both ends of the connections
 * are in this process.
 */
export async function arrival(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn += 1) await nextTurn();
}

/** The sockets of a listener on this port, by the ports of their clients. */
function watchSockets(t: TestContext, port: number): Map<number | undefined, Socket> {
  const sockets = new Map<number | undefined, Socket>();
  const add = (message: unknown): void => {
    const socket: unknown = Object(message).socket;
    if (socket instanceof Socket && socket.localPort === port) {
      sockets.set(socket.remotePort, socket);
    }
  };
  subscribe('net.server.socket', add);
  t.after(() => unsubscribe('net.server.socket', add));
  return sockets;
}

/** No test reaches what is FOREVER_MS, however busy the machine is. */
const PATIENT_TIMES = {
  headersMs: FOREVER_MS,
  requestMs: FOREVER_MS,
  uploadMs: FOREVER_MS,
  socketMs: FOREVER_MS,
  unreadMs: FOREVER_MS,
  // Only clients that send nothing more may reach this one.
  lingerMs: 30,
  halfSentMs: FOREVER_MS,
  closingMs: FOREVER_MS,
  checkMs: 10,
};

/** Starts a listener with the time of the world, unless `options` have less. */
export async function startService(
  t: TestContext,
  routes: readonly Route[] = ROUTES,
  options: Partial<ConstructorParameters<typeof Listener>[0]> = {},
): Promise<Service> {
  const events: LogEvent[] = [];
  const wires: Wire[] = [];
  const listener = new Listener({
    routes,
    clock: () => new Date('2026-01-31T12:00:00Z'),
    log: (event) => events.push(event),
    ...options,
    times: { ...PATIENT_TIMES, ...options.times },
  });
  const { port, url } = await listener.listen({ port: 0 });
  const sockets = watchSockets(t, port);
  const wire = (): Wire => {
    const made = new Wire(port);
    wires.push(made);
    return made;
  };
  t.after(async () => {
    for (const one of wires) {
      one.socket.destroy();
    }
    await listener.close();
  });
  return {
    port,
    url,
    events,
    wire,
    ask(text, isHead) {
      const made = wire();
      made.write(text);
      return made.reply(isHead);
    },
    async untilClosed({ socket }) {
      const isOpen = () => !socket.destroyed && sockets.get(socket.localPort)?.destroyed !== true;
      while (isOpen()) await sleep(5);
    },
    async accepted({ socket }) {
      for (;;) {
        const accepted = sockets.get(socket.localPort);
        if (accepted !== undefined) return accepted;
        await nextTurn();
      }
    },
    async hurry() {
      const [socket] = sockets.values();
      const server: unknown = socket && Reflect.get(socket, 'server');
      if (!(server instanceof Server)) throw new Error('Nothing has been accepted yet.');
      server.headersTimeout = 1;
      server.requestTimeout = 1;
      await once(server, 'clientError');
    },
    close: () => listener.close(),
  };
}

/** The code of an error answer. */
export function codeOf(reply: WireReply): unknown {
  const document: unknown = JSON.parse(reply.body);
  return typeof document === 'object' && document !== null && 'code' in document
    ? document.code
    : undefined;
}

/** The header of a request, with a Host unless `fields` replaces it. */
export function head(line: string, fields = 'Host: test'): string {
  return `${line} HTTP/1.1\r\n${fields}${fields === '' ? '' : '\r\n'}\r\n`;
}

/** Routes for the tests: an echo, one that reads its body, one that refuses without reading. */
export const ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: '/echo',
    handler: (request) =>
      jsonReply({ method: request.method, path: request.path, query: request.query }),
  },
  { method: 'GET', path: '/things/{id}', handler: (request) => jsonReply(request.params) },
  {
    method: 'POST',
    path: '/body',
    handler: async (request) => jsonReply(await request.readJson()),
  },
  { method: 'GET', path: '/api/v1/both', handler: () => jsonReply({ data: 'both' }) },
  {
    method: 'POST',
    path: '/api/v1/both',
    handler: () => {
      throw new Failure('missing_api_key', 'No key.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    },
  },
];
