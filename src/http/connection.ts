/**
 * One connection. Its requests run one at a time: the next one starts when the previous answer has
 * been sent. So a client that does not read has at most one unsent answer, however many requests it
 * sends.
 */

import type { Socket } from 'node:net';
import type { Failure } from '../core/failures.ts';

/** A request on a connection, and its answer. */
export interface Turn {
  /** Whether the whole request has arrived. */
  readonly isReceived: boolean;
  /** Whether an answer has been written. It may not have ended if a refused body still arrives. */
  readonly isAnswered: boolean;
  /** Whether the answer has left the process. */
  readonly isFlushed: boolean;
  /** Whether it has its own limit of time, because a file arrives. */
  readonly isUploading: boolean;
  /** Calls back once the answer has been sent; never if the client disconnects. */
  whenFlushed(then: () => void): void;
  /** Closes the connection once the answer has been sent; does nothing before there is one. */
  hangUp(): void;
  /** Answers with a refusal, unless there is an answer. */
  fail(failure: Failure): void;
  /** The client has disconnected. */
  abandon(): void;
}

/**
 * Starts what waits, one thing in each turn of the event loop: requests of many connections would
 * hold it up together, and what arrives in between has to wait for one of them only.
 */
export class FollowUps {
  readonly #waiting: (() => void)[] = [];

  add(start: () => void): void {
    this.#waiting.push(start);
    if (this.#waiting.length === 1) setImmediate(() => this.#run());
  }

  #run(): void {
    const start = this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#run());
    start?.();
  }
}

/** What limits a connection. */
interface ConnectionOptions {
  /** How many requests may wait before it stops reading. */
  readonly waitingRequests: number;
  /** How long a client has to read an answer. */
  readonly unreadMs: number;
  /** Of all connections. */
  readonly followUps: FollowUps;
}

/** One connection. */
export class Connection {
  readonly socket: Socket;
  /** The last request on it. */
  last: Turn | undefined;
  /** `bytesRead` when the last request was answered; more bytes mean that another has begun. */
  answeredBytes = 0;
  /** The last answer said `Connection: close`, so further requests are ignored. */
  isLast = false;
  /** Approximate memory of its requests and unsent answers. */
  heldBytes = 0;
  readonly #options: ConnectionOptions;
  readonly #turns: { readonly turn: Turn; readonly start: () => void }[] = [];
  #isFull = false;
  #pauses = 0;
  #unread: NodeJS.Timeout | undefined;

  constructor(socket: Socket, options: ConnectionOptions) {
    this.socket = socket;
    this.#options = options;
    socket.once('close', () => {
      clearTimeout(this.#unread);
      this.#turns[0]?.turn.abandon();
    });
    socket.on('resume', () => {
      // Node resumes a socket to read a body.
      if (this.#pauses > 0) socket.pause();
    });
  }

  /** Whether a request has not been answered completely. */
  get isBusy(): boolean {
    return this.#turns.length > 0;
  }

  /** Stops reading until `resume` has been called as many times. */
  pause(): void {
    this.#pauses += 1;
    this.socket.pause();
  }

  resume(): void {
    this.#pauses -= 1;
    if (this.#pauses === 0) this.socket.resume();
  }

  /**
   * Calls `start` when it is this request's turn; never if the client disconnects first. Call
   * `next` when its answer has been sent.
   */
  queue(turn: Turn, start: () => void): void {
    this.last = turn;
    this.#turns.push({ turn, start });
    if (this.#turns.length === 1) {
      start();
    } else if (this.#turns.length > this.#options.waitingRequests && !this.#isFull) {
      this.#isFull = true;
      this.pause();
    }
  }

  /** Restarts the `unreadMs` that the client has to read the next bytes. */
  expectReader(): void {
    if (this.#unread !== undefined) {
      this.#unread.refresh();
    } else if (this.socket.writableLength > 0) {
      this.#unread = setTimeout(() => this.socket.destroy(), this.#options.unreadMs);
    }
  }

  /** Ends the turn of the first request, and starts the second. */
  next(): void {
    clearTimeout(this.#unread);
    this.#unread = undefined;
    this.#turns.shift();
    const next = this.#turns[0];
    if (next !== undefined) {
      this.#options.followUps.add(() => {
        if (!this.socket.destroyed) next.start();
      });
    }
    if (this.#isFull && this.#turns.length <= this.#options.waitingRequests) {
      this.#isFull = false;
      this.resume();
    }
  }
}
