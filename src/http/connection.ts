/**
 * One connection: its requests take turns. The next one starts when the answer before it has left,
 * so a client that does not read has one answer waiting for it, however much it asks for.
 */

import type { Socket } from 'node:net';
import type { Exchange } from './exchange.ts';

/** One connection. */
export class Connection {
  readonly socket: Socket;
  /** The last request on it. */
  last: Exchange | undefined;
  /** `bytesRead` when the last request was answered: more means that another has begun. */
  answeredBytes = 0;
  /** The client has been told that nothing more is answered here; what still comes is ignored. */
  isLast = false;
  /** What its requests and unsent answers take, roughly. */
  heldBytes = 0;
  readonly #waitingRequests: number;
  readonly #unreadMs: number;
  readonly #turns: (() => void)[] = [];
  #isFull = false;
  #pauses = 0;
  #unread: NodeJS.Timeout | undefined;

  /** Reads on while at most `waitingRequests` wait; waits `unreadMs` for a client to read. */
  constructor(socket: Socket, waitingRequests: number, unreadMs: number) {
    this.socket = socket;
    this.#waitingRequests = waitingRequests;
    this.#unreadMs = unreadMs;
    socket.once('close', () => clearTimeout(this.#unread));
    socket.on('resume', () => {
      // Node resumes a socket whenever it wants to read a body.
      if (this.#pauses > 0) socket.pause();
    });
  }

  /** Has a request that has not been answered to the last byte. */
  get isBusy(): boolean {
    return this.#turns.length > 0;
  }

  /** Reads nothing more until `resume` was called as often. */
  pause(): void {
    this.#pauses += 1;
    this.socket.pause();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.socket.resume();
  }

  /** Calls `start` when it is this exchange's turn; not at all if the client goes away first. */
  queue(exchange: Exchange, start: () => void): void {
    this.last = exchange;
    exchange.whenFlushed(() => this.#next());
    this.#turns.push(start);
    if (this.#turns.length === 1) {
      start();
    } else if (this.#turns.length > this.#waitingRequests && !this.#isFull) {
      this.#isFull = true;
      this.pause();
    }
  }

  /** Bytes have been handed over or have left: the client has `unreadMs` for the next ones. */
  expectReader(): void {
    if (this.#unread !== undefined) {
      this.#unread.refresh();
    } else if (this.socket.writableLength > 0) {
      this.#unread = setTimeout(() => this.socket.destroy(), this.#unreadMs);
    }
  }

  #next(): void {
    clearTimeout(this.#unread);
    this.#unread = undefined;
    this.#turns.shift();
    const start = this.#turns[0];
    if (start !== undefined) {
      // Other connections get their turn in between.
      setImmediate(() => {
        if (!this.socket.destroyed) start();
      });
    }
    if (this.#isFull && this.#turns.length <= this.#waitingRequests) {
      this.#isFull = false;
      this.resume();
    }
  }
}
