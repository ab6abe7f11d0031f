/**
 * One request and its answer: the Request that a handler sees, and the sending of its Reply. Most
 * of the work is for request bodies that nobody reads: the client must get its answer, not a reset.
 */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { BODY_BYTES, FORMS } from '../core/limits.ts';
import { type NetworkClient, networkOf, type Proxies } from './addresses.ts';
import { bytesOf, headFields, isFile } from './answer.ts';
import { BodyAborted, type BodySource, readBytes, readJsonBytes } from './body.ts';
import type { Connection, Connections, Turn } from './connections.ts';
import type { Form } from './form.ts';
import { type BodyKind, checkBodyHeaders, readBoundary } from './media-type.ts';
import {
  ConnectionCut,
  type Reply,
  type Request,
  type Route,
  type Sender,
  type Upload,
  type UploadRoom,
} from './message.ts';
import { refusalOf } from './parser-errors.ts';
import type { Refusals } from './refusals.ts';
import { NOTHING_NOTED, type Noted } from './request-log.ts';
import type { Router } from './router.ts';
import { sendBody } from './sending.ts';
import { SIZES } from './settings.ts';
import { errorReply } from './status.ts';
import { NO_QUERY } from './target.ts';

/** An unread body up to this size is discarded, and the connection stays open. */
const SPARED_BODY_BYTES = 64 * 1024;

/** What the exchanges of a listener share. */
export interface ExchangeContext {
  readonly connections: Connections;
  readonly refusals: Refusals;
  readonly proxies: Proxies;
}

/** The Request that handlers get. Other members are for the server. */
export class Exchange implements Request, Turn {
  readonly path: string;
  /** What the router found for the method and the path. */
  readonly match: ReturnType<Router['match']>;
  readonly params: Request['params'];
  readonly requestId: string;
  /** The Expect header until it is met. The client may wait for that before it sends its body. */
  expect: string | undefined;
  query = NO_QUERY;
  nowMs = 0;
  tickMs = 0;
  replyHeaders: Record<string, string | readonly string[]> = {};
  keyId: string | null = null;
  readonly noted: Noted = { ...NOTHING_NOTED };
  /** The parsed JSON body, once a handler has read it. Forms may contain passwords. */
  body: unknown;
  /** Called once: with the answer when it is sent, without one if the client disconnects first. */
  onAnswer: ((answer: Reply | undefined) => void) | undefined;
  /** Whether it arrived after shutdown began. */
  readonly isLate: boolean;
  readonly #context: ExchangeContext;
  readonly #connections: Connections;
  readonly #connection: Connection;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #sender: BodySource['sender'] | undefined;
  #source: BodySource | undefined;
  #json: Promise<unknown> | undefined;
  #form: Promise<Form> | undefined;
  #isUpload = false;
  /** The memory to release when the answer has been sent. */
  #heldBytes = SIZES.requestBytes;
  #stopLingering: () => void = () => {};

  constructor(
    context: ExchangeContext,
    connection: Connection,
    [req, res]: readonly [IncomingMessage, ServerResponse],
    { path, match, requestId, expect }: Pick<Exchange, 'path' | 'match' | 'requestId' | 'expect'>,
  ) {
    this.path = path;
    this.match = match;
    this.params = match.params ?? {};
    this.requestId = requestId;
    this.expect = expect;
    this.#context = context;
    this.#connections = context.connections;
    this.#connection = connection;
    this.#req = req;
    this.#res = res;
    this.isLate = context.connections.isClosing;
    // One listener, because adding each costs as much as finding the route.
    res.once('finish', () => {
      this.#connections.hold(connection, -this.#heldBytes);
      connection.next();
    });
  }

  get route(): Route | undefined {
    return this.match.route;
  }

  get whole(): Request {
    return this;
  }

  get client(): NetworkClient {
    const { remoteAddress } = this.#connection.socket;
    return this.#context.proxies.clientOf(remoteAddress, (name) => this.header(name));
  }

  get isGone(): boolean {
    return this.#connection.socket.destroyed;
  }

  get method(): string {
    return this.#req.method ?? '';
  }

  get isReceived(): boolean {
    return this.#req.complete;
  }

  get isAnswered(): boolean {
    return this.#res.headersSent;
  }

  get isFlushed(): boolean {
    return this.#res.writableFinished;
  }

  /** The bytes of the body that were read. */
  get receivedBytes(): number {
    return this.#source?.receivedBytes ?? 0;
  }

  get isUploading(): boolean {
    return this.#isUpload && !this.#req.complete;
  }

  header(name: string): string | undefined {
    const value = this.#req.headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  }

  admit({ organisationId, keyId, userId }: Sender): void {
    this.keyId = keyId ?? null;
    this.#sender = [organisationId, keyId ?? userId ?? ''];
    this.#connections.trust(this.#connection);
  }

  readJson(): Promise<unknown> {
    this.#json ??= settling(this.#readJson());
    return this.#json;
  }

  readForm(): Promise<Form> {
    this.#form ??= settling(this.#readForm());
    return this.#form;
  }

  async readUpload<Result>(room: UploadRoom, use: (upload: Upload) => Result | Promise<Result>) {
    const { receiveUpload } = await import('./upload.ts');
    const body = this.#open('upload', room.maxFileBytes + FORMS.bytes);
    const boundary = readBoundary(this.#req.headers['content-type'] ?? '') ?? '';
    this.#isUpload = true;
    const timer = setTimeout(() => {
      // Once the form has arrived, the handler can take its time.
      if (this.isUploading) this.fail(refusalOf('request_timeout'));
    }, this.#connections.times.uploadMs);
    try {
      return await receiveUpload(body, boundary, room, use);
    } finally {
      clearTimeout(timer);
      // Discards what was not read, or the next request on this connection would never be seen.
      this.#req.resume();
    }
  }

  /**
   * Sends the answer. A second one is dropped: the parser may have refused the body while the
   * handler was waiting for it. `isLast` closes the connection afterwards.
   */
  send(reply: Reply, isLast = false): void {
    const res = this.#res;
    if (res.headersSent || this.isGone) return;
    this.#source?.refuse?.(new BodyAborted());
    const unread = this.#unreadBytes();
    // During shutdown, only the last queued answer may close the connection.
    const isClosing = this.#connections.isClosing && this.#connection.last === this;
    // Node drops what arrives together with a request that asks for another protocol.
    const isCut = !res.shouldKeepAlive || this.#req.headers.upgrade !== undefined;
    const closes = isLast || isClosing || unread > SPARED_BODY_BYTES || isCut;
    const fields = headFields(reply, this.requestId, this.replyHeaders);
    if (closes) fields.push('Connection', 'close');
    res.writeHead(reply.status, STATUS_CODES[reply.status] ?? '', fields);
    if (closes) this.#connection.isLast = true;
    this.#connection.answeredBytes = this.#connection.socket.bytesRead;
    const body = this.#req.method === 'HEAD' ? '' : bytesOf(reply.body);
    const held = isFile(body) ? SIZES.pieceBytes : body.length;
    this.#heldBytes += held;
    this.#connections.hold(this.#connection, held);
    this.#report(reply);
    const sending = { req: this.#req, res, connection: this.#connection };
    const lingerMs = closes && unread > 0 ? this.#connections.times.lingerMs : undefined;
    this.#stopLingering = sendBody(sending, body, lingerMs);
  }

  whenFlushed(then: () => void): void {
    if (this.#res.writableFinished) {
      then();
    } else {
      this.#res.once('finish', then);
    }
  }

  hangUp(): void {
    if (this.#res.headersSent) {
      this.whenFlushed(() => this.#connection.socket.destroySoon());
      this.#stopLingering();
    }
  }

  /** Answers what a handler threw, or what is wrong with the request. */
  fail(error: unknown): void {
    if (error instanceof BodyAborted) return;
    if (error instanceof ConnectionCut) {
      this.abandon();
      this.#connection.socket.destroy();
      return;
    }
    const { refusals } = this.#context;
    try {
      const { reply, isLast } = refusals.answer(error, this);
      this.send(reply, isLast);
    } catch (unsendable) {
      // A header field that cannot be sent, perhaps one of `replyHeaders`.
      this.replyHeaders = {};
      this.send(errorReply(refusals.log(unsendable, this), this.requestId), true);
    }
  }

  abandon(): void {
    this.#report(undefined);
  }

  #report(answer: Reply | undefined): void {
    const report = this.onAnswer;
    this.onAnswer = undefined;
    report?.(answer);
  }

  async #readJson(): Promise<unknown> {
    this.body = await readJsonBytes(await readBytes(this.#open('json', BODY_BYTES)));
    return this.body;
  }

  async #readForm(): Promise<Form> {
    const { readFormBytes } = await import('./form.ts');
    const { formBytes = FORMS.bytes, fieldBytes } = this.route ?? {};
    return readFormBytes(await readBytes(this.#open('form', formBytes)), fieldBytes);
  }

  /** Checks the header fields of the body, and asks a client for it that waits for that. */
  #open(kind: BodyKind, most: number): BodySource {
    checkBodyHeaders(kind, most, this.#req.headers);
    if (this.#source !== undefined) {
      throw new Error('The body of a request can be read once, and in one way only.');
    }
    const maxBytes = Number(this.#req.headers['content-length'] ?? most);
    const network = networkOf(this.client.address);
    const sender = this.#sender ?? ([network, network] as const);
    const { memory } = this.#connections;
    const [source, answer] = [this.#req, this.#res];
    this.#source = { source, answer, maxBytes, sender, memory, receivedBytes: 0 };
    if (this.expect !== undefined) {
      this.expect = undefined;
      this.#res.writeContinue();
    }
    return this.#source;
  }

  /** How much of the body may still arrive; Infinity if unknown or if the client awaits a 100. */
  #unreadBytes(): number {
    if (this.#req.complete) return 0;
    const { headers } = this.#req;
    if (headers['transfer-encoding'] !== undefined) return Number.POSITIVE_INFINITY;
    const declared = Number(headers['content-length'] ?? 0);
    return declared > 0 && this.expect !== undefined ? Number.POSITIVE_INFINITY : declared;
  }
}

/** Avoids an unhandled rejection, which would end the process, if the handler does not wait. */
function settling<Result>(reading: Promise<Result>): Promise<Result> {
  reading.catch(() => {});
  return reading;
}
