/**
 * One request and its answer: the Request that a handler sees, and the sending of its Reply. Most
 * of the work is for request bodies that nobody reads: the client must get its answer, not a reset.
 */

import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { DISCARDED_BODY_BYTES } from '../core/limits.ts';
import { headFields } from './answer.ts';
import { checkBodyHeaders, readBytes, readJsonBytes } from './body.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import type { Reply, Request } from './message.ts';
import { PIECE_BYTES, REQUEST_BYTES } from './settings.ts';
import type { Query } from './target.ts';

/** An unread body up to this size is discarded, and the connection stays open. */
const SPARED_BODY_BYTES = 64 * 1024;

/** The Request that handlers get. Other members are for the server. */
export class Exchange implements Request {
  path = '';
  params: Readonly<Record<string, string>> = {};
  query: Query = [];
  requestId = '';
  nowMs = 0;
  tickMs = 0;
  replyHeaders: Record<string, string> = {};
  keyId: string | null = null;
  /** The parsed body, once a handler has read it. */
  body: unknown;
  /** Called with the status when the answer is sent. */
  onAnswer: ((status: number | null) => void) | undefined;
  /** The Expect header until it is met. The client may wait for that before it sends its body. */
  expect: string | undefined;
  /** Whether it arrived after shutdown began. */
  readonly isLate: boolean;
  readonly #connections: Connections;
  readonly #connection: Connection;
  readonly #req: IncomingMessage;
  readonly #res: ServerResponse;
  #value: Promise<unknown> | undefined;
  /** The memory to release when the answer has been sent. */
  #heldBytes = REQUEST_BYTES;
  #stopLingering: () => void = () => {};

  constructor(
    connections: Connections,
    connection: Connection,
    req: IncomingMessage,
    res: ServerResponse,
  ) {
    this.#connections = connections;
    this.#connection = connection;
    this.#req = req;
    this.#res = res;
    this.isLate = connections.isClosing;
    this.whenFlushed(() => connections.hold(connection, -this.#heldBytes));
  }

  get method(): string {
    return this.#req.method ?? '';
  }

  /** Whether the whole request has arrived. */
  get isReceived(): boolean {
    return this.#req.complete;
  }

  /** Whether an answer has been written. It may not have ended if a refused body still arrives. */
  get isAnswered(): boolean {
    return this.#res.headersSent;
  }

  /** Whether the answer has left the process. */
  get isFlushed(): boolean {
    return this.#res.writableFinished;
  }

  header(name: string): string | undefined {
    const value = this.#req.headers[name];
    return typeof value === 'object' ? value.join(', ') : value;
  }

  admit(keyId: string): void {
    this.keyId = keyId;
    this.#connections.trust(this.#connection);
  }

  readJson(): Promise<unknown> {
    if (this.#value === undefined) {
      this.#value = this.#readJson();
      // Avoids an unhandled rejection, which would end the process, if the handler does not wait.
      this.#value.catch(() => {});
    }
    return this.#value;
  }

  /**
   * Sends the answer. A second one is dropped: the parser may have refused the body while the
   * handler was waiting for it. `isLast` closes the connection afterwards.
   */
  send(reply: Reply, isLast = false): void {
    const res = this.#res;
    if (res.headersSent || this.#connection.socket.destroyed) {
      return;
    }
    const unread = this.#unreadBytes();
    // During shutdown, only the last queued answer may close the connection.
    const isClosing = this.#connections.isClosing && this.#connection.last === this;
    const closes = isLast || isClosing || unread > SPARED_BODY_BYTES || !res.shouldKeepAlive;
    const fields = headFields(reply, this.requestId, this.replyHeaders);
    if (closes) {
      fields.push('Connection', 'close');
    }
    res.writeHead(reply.status, STATUS_CODES[reply.status] ?? '', fields);
    if (closes) {
      this.#connection.isLast = true;
    }
    this.#connection.answeredBytes = this.#connection.socket.bytesRead;
    const body = this.#req.method === 'HEAD' ? '' : bytesOf(reply.body);
    this.#heldBytes += body.length;
    this.#connections.hold(this.#connection, body.length);
    this.onAnswer?.(reply.status);
    if (closes && unread > 0) {
      this.#sendAndLinger(body);
    } else {
      this.#sendFrom(body, 0);
    }
  }

  /** Calls back once the answer has been sent; never if the client disconnects. */
  whenFlushed(then: () => void): void {
    if (this.#res.writableFinished) {
      then();
    } else {
      this.#res.once('finish', then);
    }
  }

  /** Closes the connection once the answer has been sent; does nothing before there is one. */
  hangUp(): void {
    if (this.#res.headersSent) {
      this.whenFlushed(() => this.#connection.socket.destroySoon());
      this.#stopLingering();
    }
  }

  /** Ends the connection without an answer. */
  cutOff(): void {
    this.onAnswer?.(null);
    this.#connection.socket.destroy();
  }

  async #readJson(): Promise<unknown> {
    const { headers } = this.#req;
    checkBodyHeaders({
      contentType: headers['content-type'],
      contentEncoding: headers['content-encoding'],
      contentLength: headers['content-length'],
    });
    if (this.expect !== undefined) {
      this.expect = undefined;
      this.#res.writeContinue();
    }
    this.body = readJsonBytes(await readBytes(this.#req, this.#res));
    return this.body;
  }

  /** Sends each piece after the previous one has left, which shows whether the client reads. */
  #sendFrom(body: string | Uint8Array, start: number): void {
    const end = start + PIECE_BYTES;
    if (typeof body === 'string' || end >= body.length) {
      this.#res.end(typeof body === 'string' ? body : body.subarray(start));
    } else {
      this.#res.write(body.subarray(start, end), (error) => {
        if (!error) this.#sendFrom(body, end);
      });
    }
    this.#connection.expectReader();
  }

  /** How much of the body may still arrive; Infinity if unknown or if the client awaits a 100. */
  #unreadBytes(): number {
    if (this.#req.complete) {
      return 0;
    }
    const { headers } = this.#req;
    if (headers['transfer-encoding'] !== undefined) {
      return Number.POSITIVE_INFINITY;
    }
    const declared = Number(headers['content-length'] ?? 0);
    return declared > 0 && this.expect !== undefined ? Number.POSITIVE_INFINITY : declared;
  }

  /**
   * Sends the answer now but ends it only after the client has stopped sending. Closing a socket
   * with unread bytes resets the connection, and the client would lose the answer.
   */
  #sendAndLinger(body: string | Uint8Array): void {
    const req = this.#req;
    const res = this.#res;
    if (body.length === 0) {
      res.flushHeaders();
    } else {
      res.write(body);
    }
    this.#connection.expectReader();
    let discarded = 0;
    const finish = (): void => {
      clearTimeout(timer);
      res.end();
    };
    this.#stopLingering = finish;
    const timer = setTimeout(finish, this.#connections.lingerMs);
    res.once('close', finish);
    req.once('end', finish);
    req.on('data', (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > DISCARDED_BODY_BYTES) {
        finish();
      } else {
        timer.refresh();
      }
    });
  }
}

/** Converts a text that is too long for one piece to bytes. */
function bytesOf(body: string | Uint8Array): string | Uint8Array {
  return typeof body === 'string' && body.length > PIECE_BYTES ? Buffer.from(body) : body;
}
