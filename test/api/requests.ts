/** Requests over a real socket. Every answer is checked against the contract. */

import assert from 'node:assert/strict';
import type { ErrorBody, PushAnswer, RejectedPush } from '../../src/api/contract.ts';
import { checkAnswer } from './checks.ts';
import { Connection, type RawAnswer } from './client.ts';
import type { WireCode } from './contract-table.ts';

/** A checked answer. */
export interface Answer extends RawAnswer {
  /** Its JSON; undefined for a HEAD and for HTML. */
  readonly document: unknown;
}

/** One request. */
export interface Ask {
  /** GET, or POST with a body. */
  readonly method?: string;
  readonly target: string;
  /** By default the first organisation's key with all scopes; null sends no key. */
  readonly key?: string | null;
  /** More header fields, sent unchanged. */
  readonly fields?: readonly string[];
  /** Text and bytes are sent unchanged, anything else as JSON. Adds length and type. */
  readonly body?: unknown;
}

/** The path of a push. */
export const PUSH = '/api/v1/transactions';

/** A client of one service. */
export class Requests {
  readonly rateLimit: number | false;
  /** The key of requests without another key. */
  key = '';
  port = 0;
  #connection: Connection | undefined;
  #last: Promise<unknown> = Promise.resolve();
  readonly #connections: Connection[] = [];

  constructor(rateLimit: number | false) {
    this.rateLimit = rateLimit;
  }

  /** Opens a separate connection, for tests that send bytes. */
  connect(): Connection {
    const connection = new Connection(this.port);
    this.#connections.push(connection);
    return connection;
  }

  /** Sends a request on the shared connection, one after another, and checks the answer. */
  ask(ask: Ask): Promise<Answer> {
    const answer = this.#last.then(() => this.#askNext(ask));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #askNext(ask: Ask): Promise<Answer> {
    if (this.#connection === undefined || this.#connection.isOver) {
      this.#connection = this.connect();
    }
    const connection = this.#connection;
    const method = methodOf(ask);
    connection.send(...this.format(ask));
    const answer = await this.read(connection, method, ask.target);
    assert.equal(connection.leftover.slice(0, 80), '', 'bytes after the end of the answer');
    if (answer.headers.get('connection') === 'close') await connection.closed;
    return answer;
  }

  /** Reads the next answer of a connection and checks it. */
  async read(connection: Connection, method: string, target: string): Promise<Answer> {
    const answer = await connection.read(method === 'HEAD');
    return { ...answer, document: this.check(method, target, answer) };
  }

  check(method: string, target: string, answer: RawAnswer): unknown {
    return checkAnswer({ method, target, rateLimit: this.rateLimit }, answer);
  }

  /** The bytes of a request. */
  format(ask: Ask): (string | Uint8Array)[] {
    const { target, key = this.key, fields = [], body } = ask;
    const lines = [`${methodOf(ask)} ${target} HTTP/1.1`, 'Host: budgetd.test', ...fields];
    if (key !== null) lines.push(`Authorization: Bearer ${key}`);
    const bytes = bytesOf(body);
    if (bytes !== undefined) {
      const has = (name: string) => fields.some((field) => field.toLowerCase().startsWith(name));
      if (!has('content-type:')) lines.push('Content-Type: application/json');
      if (!has('transfer-encoding:')) lines.push(`Content-Length: ${bytes.length}`);
    }
    return [`${lines.join('\r\n')}\r\n\r\n`, ...(bytes === undefined ? [] : [bytes])];
  }

  /** The document of a GET that must succeed. */
  async get<Document>(target: string, key = this.key): Promise<Document> {
    const answer = await this.ask({ target, key });
    assert.equal(answer.status, 200, `${target}: ${answer.body}`);
    return answer.document as Document;
  }

  /** A request that must be refused. */
  async refuse(ask: Ask, status: number, code: WireCode): Promise<ErrorBody> {
    const answer = await this.ask(ask);
    const document = answer.document as ErrorBody;
    assert.deepEqual([answer.status, document.code], [status, code], document.message);
    return document;
  }

  /** A push that must be answered with 200. */
  async push(rows: readonly unknown[], options: Partial<Ask> = {}): Promise<PushAnswer> {
    const answer = await this.ask({ target: PUSH, ...options, body: { rows } });
    assert.equal(answer.status, 200, `${answer.body}`);
    return answer.document as PushAnswer;
  }

  /** A push of which every row must be rejected. */
  async reject(rows: readonly unknown[], options: Partial<Ask> = {}): Promise<RejectedPush> {
    const answer = await this.ask({ target: PUSH, ...options, body: { rows } });
    assert.equal(answer.status, 422, `${answer.body}`);
    return answer.document as RejectedPush;
  }

  /** Closes every connection. */
  disconnect(): void {
    for (const connection of this.#connections) connection.destroy();
  }
}

function methodOf({ method, body }: Ask): string {
  return method ?? (body === undefined ? 'GET' : 'POST');
}

function bytesOf(body: unknown): Uint8Array | undefined {
  if (body === undefined || body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
