/**
 * An HTTP client on a plain socket: it sends exact bytes, and reads answers strictly by RFC 9112.
 * It is independent of budgetd.
 */

import { connect, type Socket } from 'node:net';

/** One answer, unchecked. */
export interface RawAnswer {
  readonly status: number;
  /** By lower-case name. A repeated field is an error. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** Whether a `100 Continue` came before it. */
  readonly continued: boolean;
}

/** One connection, with one request at a time unless a test sends more. */
export class Connection {
  readonly socket: Socket;
  /** Resolves when the server has ended or reset the connection. */
  readonly closed: Promise<void>;
  #received: Buffer = Buffer.alloc(0);
  #wake: () => void = () => {};
  #isOver = false;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1' });
    this.socket.setNoDelay();
    this.closed = new Promise((resolve) => {
      const over = () => {
        this.#isOver = true;
        this.#wake();
        resolve();
      };
      this.socket.on('end', over).on('error', over).on('close', over);
    });
    this.socket.on('data', (data) => {
      this.#received = Buffer.concat([this.#received, data]);
      this.#wake();
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Received bytes that are not part of an answer read so far. */
  get leftover(): string {
    return this.#received.toString('latin1');
  }

  send(...parts: (string | Uint8Array)[]): void {
    for (const part of parts) {
      this.socket.write(typeof part === 'string' ? Buffer.from(part, 'latin1') : part);
    }
  }

  /** Reads the next answer. For a HEAD it has no body, whatever its Content-Length is. */
  async read(isHead = false): Promise<RawAnswer> {
    let continued = false;
    for (;;) {
      const head = await this.#readHead();
      if (head.status === 100) {
        continued = true;
        continue;
      }
      const length = isHead ? 0 : readLength(head.headers);
      await this.#until(() => this.#received.length >= length);
      return { ...head, continued, body: this.#take(length) };
    }
  }

  /** Waits for the interim answer that asks for the body. */
  async readContinue(): Promise<void> {
    const head = await this.#readHead();
    if (head.status !== 100) throw new Error(`${head.status} came instead of 100`);
  }

  /** Closes the connection. */
  destroy(): void {
    this.socket.destroy();
  }

  async #readHead(): Promise<Pick<RawAnswer, 'status' | 'headers'>> {
    await this.#until(() => this.#received.includes('\r\n\r\n'));
    const text = this.#take(this.#received.indexOf('\r\n\r\n') + 4).toString('latin1');
    const [line = '', ...fields] = text.slice(0, -4).split('\r\n');
    const status = /^HTTP\/1\.1 (\d{3}) .+$/.exec(line)?.[1];
    if (status === undefined) throw new Error(`not a status line: ${line}`);
    const headers = new Map<string, string>();
    for (const field of fields) {
      const [, name = '', value = ''] = /^([\w-]+): (\S.*)?$/.exec(field) ?? [];
      if (name === '') throw new Error(`not a header field: ${field}`);
      if (headers.has(name.toLowerCase())) throw new Error(`repeated header field: ${field}`);
      headers.set(name.toLowerCase(), value);
    }
    return { status: Number(status), headers };
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#isOver) throw new Error(`the connection ended after: ${this.leftover}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(length: number): Buffer {
    const taken = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    return taken;
  }
}

function readLength(headers: ReadonlyMap<string, string>): number {
  const length = headers.get('content-length') ?? '';
  if (!/^\d+$/.test(length)) throw new Error(`wrong Content-Length: "${length}"`);
  return Number(length);
}
