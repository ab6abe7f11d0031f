/**
 * The listener: takes requests from node:http, checks each (contract 2), calls its handler and
 * answers errors. It knows nothing about keys or data: handlers do.
 */

import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Failure } from '../core/failures.ts';
import { serviceAddress } from '../core/links.ts';
import { Proxies } from './addresses.ts';
import { byteLength, rawAnswer } from './answer.ts';
import { finished } from './compression.ts';
import { type Connection, Connections } from './connections.ts';
import { Exchange, type ExchangeContext } from './exchange.ts';
import { findFramingFault } from './framing.ts';
import type { Reply, Route } from './message.ts';
import { type ParserError, refusalOf, refusalOfParserError } from './parser-errors.ts';
import { type RefusalOptions, Refusals } from './refusals.ts';
import { NOTHING_NOTED, type Noted, type RecordedRequest } from './request-log.ts';
import { Router } from './router.ts';
import { LISTENER_LIMITS, LISTENER_TIMES, SIZES } from './settings.ts';
import { decodeQuery, NO_QUERY, splitTarget } from './target.ts';

/** How to build a listener. */
interface ListenerOptions extends RefusalOptions {
  readonly routes: readonly Route[];
  /** The wall clock, read once per request. */
  readonly clock: () => Date;
  /** Called once for every request: when it is answered, or its client disconnects before that. */
  readonly onAnswer?: ((request: RecordedRequest) => void) | undefined;
  /** Whether `onAnswer` gets the addresses of clients; true by default. */
  readonly logAddresses?: boolean | undefined;
  /** A monotonic clock in milliseconds; `performance.now` by default. */
  readonly monotonicMs?: (() => number) | undefined;
  /** Generates unique request ids. */
  readonly newRequestId?: (() => string) | undefined;
  readonly times?: Partial<typeof LISTENER_TIMES> | undefined;
  readonly limits?: Partial<typeof LISTENER_LIMITS> | undefined;
  /**
   * Addresses and networks of proxies: they have no connection limit per address, and what they say
   * of their clients is believed.
   */
  readonly trustedProxies?: readonly string[] | undefined;
}

/** One listener on one port. It does nothing before `listen`. */
export class Listener {
  readonly #options: ListenerOptions;
  readonly #monotonicMs: () => number;
  readonly #newRequestId: () => string;
  readonly #router: Router;
  readonly #connections: Connections;
  readonly #context: ExchangeContext;
  readonly #server: Server;
  #closed: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#monotonicMs = options.monotonicMs ?? (() => performance.now());
    this.#newRequestId = options.newRequestId ?? createRequestIds();
    this.#router = new Router(options.routes);
    const limits = { ...LISTENER_LIMITS, ...options.limits };
    const proxies = new Proxies(options.trustedProxies ?? []);
    const times = { ...LISTENER_TIMES, ...options.times };
    const connections = new Connections(limits, times, proxies);
    this.#connections = connections;
    this.#context = { connections, refusals: new Refusals(options), proxies };
    this.#server = this.#build();
  }

  /** Port 0 picks a free one. Rejects with an error of Node, such as EADDRINUSE. */
  listen({
    host = '127.0.0.1',
    port,
  }: {
    readonly host?: string | undefined;
    readonly port: number;
  }): Promise<{ readonly url: string; readonly port: number }> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port, backlog: SIZES.backlog }, () => {
        server.off('error', reject);
        const unknown = { requestId: null, method: null, path: null };
        server.on('error', (error) => {
          this.#options.log({ kind: 'listener_failed', code: 'internal_error', ...unknown, error });
        });
        const bound = server.address();
        const boundPort = typeof bound === 'object' ? (bound?.port ?? port) : port;
        resolve({ url: serviceAddress(host, boundPort), port: boundPort });
      });
    });
  }

  /** Answers requests in progress, refuses new ones, and resolves when no connection is open. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    const connections = this.#connections;
    const { halfSentMs, closingMs } = connections.times;
    connections.isClosing = true;
    // Not the close() of http: it would cut off answers that are being sent, and stop the timer of
    // the timeouts. It is called below, when no connection is left, to stop that timer.
    const drained = new Promise<void>((resolve) => {
      NetServer.prototype.close.call(this.#server, () => resolve());
    });
    connections.closeIdle();
    const halfSent = setTimeout(() => connections.closeHalfSent(), halfSentMs);
    const all = setTimeout(() => connections.closeAll(), closingMs);
    await drained;
    clearTimeout(halfSent);
    clearTimeout(all);
    this.#server.close();
    // Node tells handlers in its next turn that their client has gone: they delete their files.
    await nextTurn();
    await nextTurn();
  }

  #build(): Server {
    const { times } = this.#connections;
    const server = createServer({
      connectionsCheckingInterval: times.checkMs,
      headersTimeout: times.headersMs,
      requestTimeout: times.requestMs,
      keepAliveTimeout: times.keepAliveMs,
      maxHeaderSize: SIZES.headerBytes,
      insecureHTTPParser: false,
      // Checked by this module, so that the answer is JSON.
      requireHostHeader: false,
    });
    server.timeout = times.socketMs;
    server.maxHeadersCount = SIZES.headerFields;
    // Node's own listener prepares a connection for HTTP, which takes most of the time of one.
    const [prepare] = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket) => {
      if (this.#connections.isUnwelcome(socket, this.#monotonicMs)) {
        socket.destroy();
      } else {
        prepare?.call(server, socket);
        this.#connections.add(socket);
      }
    });
    server.on('request', (req, res) => this.#receive(req, res, undefined));
    server.on('checkContinue', (req, res) => this.#receive(req, res, req.headers.expect));
    server.on('checkExpectation', (req, res) => this.#receive(req, res, req.headers.expect));
    server.on('clientError', (error, socket) => this.#onClientError(error, socket));
    server.on('connect', (req, socket) => this.#onConnect(req, socket));
    server.on('timeout', (socket) => this.#onTimeout(socket));
    return server;
  }

  /** `expect` is the Expect header if Node has processed it, which it does since HTTP/1.1. */
  #receive(req: IncomingMessage, res: ServerResponse, expect: string | undefined): void {
    const connection = this.#connections.find(req.socket);
    if (connection === undefined) return;
    this.#connections.noteRequest(connection);
    if (connection.isLast || connection.socket.destroyed) return;
    const { path, query } = splitTarget(req.url ?? '') ?? { path: '', query: '' };
    const match = this.#router.match(req.method ?? '', path);
    const requestId = this.#newRequestId();
    const arrival = { path, match, requestId, expect };
    const exchange = new Exchange(this.#context, connection, [req, res], arrival);
    connection.queue(exchange, () => this.#start(exchange, req, query));
  }

  #start(exchange: Exchange, req: IncomingMessage, query: string): void {
    // The parser may have refused the body while this request was waiting.
    if (exchange.isAnswered) return;
    exchange.nowMs = this.#options.clock().getTime();
    exchange.tickMs = this.#monotonicMs();
    exchange.onAnswer = this.#recorder(exchange);
    try {
      const answer = this.#answer(exchange, req, query);
      const finish = (reply: Reply) => finished(reply, exchange);
      const reply = answer instanceof Promise ? answer.then(finish) : finish(answer);
      if (reply instanceof Promise) {
        reply
          .then((settled) => exchange.send(settled))
          .catch((error: unknown) => exchange.fail(error));
      } else {
        exchange.send(reply);
      }
    } catch (error) {
      exchange.fail(error);
    }
  }

  /** Contract 2, steps 1 and 2. The handler does the rest. */
  #answer(exchange: Exchange, req: IncomingMessage, query: string): Reply | Promise<Reply> {
    this.#checkConnection(exchange, req);
    const { match } = exchange;
    if (match.refuse !== undefined) throw match.refuse();
    exchange.query = decodeQuery(query);
    const fault = findFramingFault(req.httpVersion, req.rawHeaders);
    if (fault !== undefined) throw new Failure('bad_request', fault);
    return match.route.handler(exchange);
  }

  /** Refuses what a stricter parser than Node's would. */
  #checkConnection(exchange: Exchange, req: IncomingMessage): void {
    if (exchange.isLate) throw new Failure('unavailable', 'The service is shutting down.');
    if (req.rawHeaders.length > 2 * SIZES.headerFields) throw refusalOf('headers_too_large');
    if (req.httpVersionMajor > 1) throw refusalOf('http_version_not_supported');
    if (exchange.expect !== undefined && !/^100-continue$/i.test(exchange.expect.trim())) {
      throw new Failure('expectation_failed', 'The only supported Expect value is 100-continue.');
    }
  }

  #recorder(exchange: Exchange): ((answer: Reply | undefined) => void) | undefined {
    if (this.#options.onAnswer === undefined) return undefined;
    return (answer) => {
      const { requestId, nowMs, tickMs, method, path, query } = exchange;
      const { keyId, noted, body, receivedBytes } = exchange;
      const at = new Date(nowMs).toISOString();
      const durationMs = this.#monotonicMs() - tickMs;
      const known = { requestId, at, method, path, query, keyId, body, durationMs, receivedBytes };
      this.#record(known, exchange, { answer, noted });
    };
  }

  /** Reports a request. Member by member, because spreading takes 15 times as long. */
  #record(
    { requestId, at, method, path, query, keyId, body, durationMs, receivedBytes }: Known,
    { client, route }: Pick<Exchange, 'client' | 'route'>,
    { answer, noted }: { answer: Reply | undefined; noted: Readonly<Noted> },
  ): void {
    const isLogged = this.#options.logAddresses !== false && client.address !== '';
    this.#options.onAnswer?.({
      requestId,
      at,
      method,
      path,
      route: route?.path ?? null,
      query,
      keyId,
      clientAddress: isLogged ? client.address : null,
      body,
      status: answer?.status ?? null,
      durationMs,
      receivedBytes,
      sentBytes: answer === undefined || method === 'HEAD' ? 0 : byteLength(answer.body),
      userId: noted.userId,
      emailHash: noted.emailHash,
      refusal: noted.refusal,
    });
  }

  #onClientError(error: ParserError, socket: Duplex): void {
    const connection = this.#connections.find(socket);
    connection?.locate(error);
    const refusal = refusalOfParserError(error, this.#router);
    if (connection === undefined || refusal === undefined) {
      socket.destroy();
      return;
    }
    const { failure, path } = refusal;
    const { last, isLast } = connection;
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && last?.isUploading === true) return;
    const isEnd = error.code === 'HPE_INVALID_EOF_STATE' || failure.code === 'request_timeout';
    if (last?.isReceived === false && !last.isAnswered) {
      last.fail(failure);
    } else if (last?.isReceived === false && !isLast) {
      last.hangUp();
    } else if (!isLast) {
      this.#refuseNext(connection, failure, path);
    }
    // The rest of the body will not arrive, so there is nothing to wait for.
    if (isEnd && last?.isReceived === false) last.hangUp();
  }

  #onConnect(req: IncomingMessage, socket: Duplex): void {
    const connection = this.#connections.find(socket);
    connection?.stopParsing();
    // Node no longer handles this socket's bytes and errors.
    socket.on('error', () => {});
    socket.resume();
    if (connection === undefined || connection.isLast) return;
    const path = splitTarget(req.url ?? '')?.path ?? '';
    this.#refuseNext(connection, this.#router.refusedAt(path).refuse(), path);
  }

  #onTimeout(socket: Duplex): void {
    const last = this.#connections.find(socket)?.last;
    if (last === undefined || last.isAnswered) {
      socket.destroy();
    } else if (!last.isReceived) {
      last.fail(refusalOf('request_timeout'));
    }
    // Otherwise it is the client that waits, and the answer takes as long as it takes.
  }

  /** Refuses bytes that are not a request, after the answers that are still to be sent. */
  #refuseNext(connection: Connection, failure: Failure, path: string): void {
    connection.isLast = true;
    const { last, socket } = connection;
    const refuse = (): void => {
      if (!socket.writable) return;
      const requestId = this.#newRequestId();
      const route = this.#router.refusedAt(path).route;
      const request = { requestId, path, route, header: () => undefined };
      const { reply } = this.#context.refusals.answer(failure, request);
      const now = this.#options.clock();
      socket.end(rawAnswer(reply, requestId, now));
      const client = this.#context.proxies.clientOf(socket.remoteAddress, request.header);
      const known = { ...NOTHING_KNOWN, requestId, path, at: now.toISOString() };
      this.#record(known, { client, route }, { answer: reply, noted: NOTHING_NOTED });
      const timer = setTimeout(() => socket.destroy(), this.#connections.times.lingerMs);
      socket.once('close', () => clearTimeout(timer));
    };
    if (last === undefined) {
      refuse();
    } else {
      last.whenFlushed(refuse);
    }
  }
}

/** What is known of a request once it has been read. */
type Known = Omit<
  RecordedRequest,
  'route' | 'clientAddress' | 'status' | 'sentBytes' | keyof Noted
>;

/** What is known of a request that Node's parser refused. */
const NOTHING_KNOWN = {
  method: null,
  query: NO_QUERY,
  keyId: null,
  body: undefined,
  durationMs: 0,
  receivedBytes: 0,
};

/**
 * Returns a generator of request ids: a random prefix per process and a counter. They only need to
 * be unique and cheap; they are not secrets. A client's X-Request-Id is never used.
 */
export function createRequestIds(): () => string {
  const prefix = `req_${randomBytes(8).toString('hex')}_`;
  let count = 0;
  return () => {
    count += 1;
    return prefix + count;
  };
}
