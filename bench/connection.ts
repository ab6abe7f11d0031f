/**
 * An HTTP client that costs almost nothing: one kept-alive socket, requests prepared as bytes, and
 * answers split by their Content-Length.
 */

import { connect, type Socket } from 'node:net';

/** One answer. */
export interface Answer {
  readonly status: number;
  readonly head: string;
  readonly body: Buffer;
  /** Time from writing the request to the last byte of the answer. */
  readonly seconds: number;
}

/** The bytes of a GET. */
export function getBytes(path: string, key: string): Buffer {
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`,
  );
}

/** The bytes of a push. */
export function postBytes(path: string, key: string, body: string | Uint8Array): Buffer {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(body)]);
}

/** One kept-alive connection, one request at a time. Reconnects after the server closed it. */
export class Connection {
  readonly #address: { host: string; port: number };
  #socket: Socket | undefined;
  #chunks: Buffer[] = [];
  #received = 0;
  #expected = Number.POSITIVE_INFINITY;
  #head = '';
  #startMs = 0;
  #settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined;

  constructor(url: string) {
    const { hostname, port } = new URL(url);
    this.#address = { host: hostname, port: Number(port) };
  }

  /** Sends the bytes of a request and waits for its whole answer. */
  async send(request: Uint8Array): Promise<Answer> {
    const socket = await this.#open();
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#startMs = performance.now();
      socket.write(request);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket?.destroy();
  }

  #open(): Promise<Socket> | Socket {
    if (this.#socket?.destroyed === false) return this.#socket;
    return new Promise((resolve, reject) => {
      const socket = connect({ ...this.#address, noDelay: true });
      this.#socket = socket;
      socket.once('connect', () => resolve(socket)).once('error', reject);
      socket.on('data', (chunk) => this.#add(chunk));
      socket.on('error', (error) => this.#settle?.reject(error));
      // The server has closed its end: the next request opens another connection.
      socket.on('end', () => socket.destroy());
      socket.on('close', () => this.#settle?.reject(new Error('the connection was closed')));
    });
  }

  #add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#received += chunk.length;
    if (this.#head === '') this.#readHead();
    if (this.#received < this.#expected) return;
    const bytes = Buffer.concat(this.#chunks);
    const head = this.#head;
    const seconds = (performance.now() - this.#startMs) / 1000;
    const settle = this.#settle;
    this.#chunks = [];
    this.#received = 0;
    this.#expected = Number.POSITIVE_INFINITY;
    this.#head = '';
    this.#settle = undefined;
    const body = bytes.subarray(Buffer.byteLength(head, 'latin1') + 4);
    settle?.resolve({ status: Number(head.slice(9, 12)), head, body, seconds });
  }

  #readHead(): void {
    const bytes = this.#chunks.length === 1 ? this.#chunks[0] : Buffer.concat(this.#chunks);
    const end = bytes?.indexOf('\r\n\r\n') ?? -1;
    if (bytes === undefined || end < 0) return;
    this.#head = bytes.toString('latin1', 0, end);
    const length = /\r\ncontent-length: (\d+)/i.exec(this.#head)?.[1];
    this.#expected = end + 4 + Number(length ?? 0);
  }
}

/** Returns an answer with status 200, and throws an error that shows any other. */
export function require200(answer: Answer, what: string): Answer {
  if (answer.status === 200) return answer;
  const text = answer.body.toString('utf8', 0, 400);
  throw new Error(`${what}: ${answer.status} instead of 200: ${text}`);
}
