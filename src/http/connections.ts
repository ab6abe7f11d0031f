/**
 * The open connections: which ones to close when there are too many or they use too much memory,
 * and how to end them all on shutdown. Since answers are sent in the order of their requests,
 * shutdown only looks at the last request of each connection.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Failure } from '../core/failures.ts';
import type { Proxies } from './addresses.ts';
import { BodyMemory } from './body.ts';
import type { ParserError } from './parser-errors.ts';
import { RateLimiter } from './rate-limiter.ts';
import { Roster } from './roster.ts';
import { type LISTENER_LIMITS, type LISTENER_TIMES, SIZES } from './settings.ts';

/** More than any connection can hold, so that those without a valid key are closed first. */
const STRANGER_BYTES = 2 ** 50;

/** Addresses whose new connections are counted: each takes 2 KiB at most. */
const ADDRESSES_COUNTED = 10_000;

const NOTHING = Buffer.alloc(0);

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

/** What arrives together on many connections may take so long in one turn of the event loop. */
const TURN_MS = 5;

/**
 * Starts what waits, for so long in each turn of the event loop: requests of many connections would
 * hold it up together. What takes next to no time does not cost the next one a turn.
 */
class FollowUps {
  readonly #waiting: (() => void)[] = [];
  #isDue = false;
  /** When those that have started in this turn have taken long enough. */
  #endMs: number | undefined;

  /** Whether what has started in this turn has taken long enough. */
  get isTurnOver(): boolean {
    return performance.now() >= this.#endOfTurn();
  }

  /** Starts it now, or in a later turn. */
  startSoon(start: () => void): void {
    if (this.isTurnOver) this.add(start);
    else start();
  }

  add(start: () => void): void {
    this.#waiting.push(start);
    this.#runSoon();
  }

  #runSoon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isDue = false;
    const endMs = this.#endOfTurn();
    try {
      do this.#waiting.shift()?.();
      while (this.#waiting.length > 0 && performance.now() < endMs);
    } finally {
      if (this.#waiting.length > 0) this.#runSoon();
    }
  }

  #endOfTurn(): number {
    if (this.#endMs === undefined) {
      this.#endMs = performance.now() + TURN_MS;
      setImmediate(() => {
        this.#endMs = undefined;
      });
    }
    return this.#endMs;
  }
}

/**
 * One connection. Its requests run one at a time: the next one starts when the previous answer has
 * been sent. So a client that does not read has at most one unsent answer, however many requests it
 * sends.
 */
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
  readonly #all: Connections;
  readonly #turns: { readonly turn: Turn; readonly start: () => void }[] = [];
  #isFull = false;
  #pauses = 0;
  #unread: NodeJS.Timeout | undefined;
  /** What Node does with data; undefined once it has given up its parser. */
  #parse: ((bytes: Buffer) => void) | undefined;
  /** What has arrived, and how many of its bytes Node's parser has got, until its last piece. */
  #arrived: Buffer = NOTHING;
  #pieceStart = 0;
  #pieceEnd = 0;

  constructor(socket: Socket, all: Connections) {
    this.socket = socket;
    this.#all = all;
    socket.once('close', () => {
      clearTimeout(this.#unread);
      this.#turns[0]?.turn.abandon();
    });
    socket.on('resume', () => {
      // Node resumes a socket to read a body.
      if (this.#pauses > 0) socket.pause();
    });
    // In pieces: Node's parser takes every request of what it gets, and two thousand can arrive at
    // once.
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    if (parse === undefined) return;
    this.#parse = parse;
    socket.on('data', (bytes) => this.#take(bytes));
    socket.on('resume', () => this.#parseOn());
    socket.off('data', parse);
  }

  #take(bytes: Buffer): void {
    if (this.#pieceEnd === this.#arrived.length) this.#arrived = bytes;
    else this.#arrived = Buffer.concat([this.#arrived.subarray(this.#pieceEnd), bytes]);
    this.#pieceEnd = 0;
    this.#yieldTurn();
    this.#parseOn();
  }

  /** In one turn, Node reads up to 2 MiB of each connection. A file is read as it is used. */
  #yieldTurn(): void {
    const { followUps } = this.#all;
    if (this.#pauses > 0 || this.last?.isUploading === true || !followUps.isTurnOver) return;
    this.pause();
    followUps.add(() => this.resume());
  }

  /** Gives Node's parser one piece after the other, until the connection is to wait. */
  #parseOn(): void {
    const { socket } = this;
    // Node resumes a socket to read a body, whoever has paused it.
    const isOpen = () => this.#pauses === 0 && !socket.isPaused() && !socket.destroyed;
    while (this.#pieceEnd < this.#arrived.length && isOpen()) {
      const size = this.last?.isReceived === false ? SIZES.bodyPieceBytes : SIZES.headPieceBytes;
      this.#pieceStart = this.#pieceEnd;
      this.#pieceEnd = Math.min(this.#pieceStart + size, this.#arrived.length);
      // Most requests are one piece, of which no part has to be cut.
      const [all, from, to] = [this.#arrived, this.#pieceStart, this.#pieceEnd];
      this.#parse?.call(socket, to - from === all.length ? all : all.subarray(from, to));
    }
  }

  /** Drops what arrives from now on, because Node has given up its parser. */
  stopParsing(): void {
    this.#parse = undefined;
  }

  /** Says where a fault is in all that has arrived, because Node's parser knows only its piece. */
  locate(fault: ParserError): void {
    if (fault.bytesParsed === undefined) return;
    const bytesParsed = this.#pieceStart + fault.bytesParsed;
    Object.assign(fault, { rawPacket: this.#arrived, bytesParsed });
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
      this.#all.followUps.startSoon(() => this.#startUnlessGone(start));
    } else if (this.#turns.length > this.#all.limits.waitingRequests && !this.#isFull) {
      this.#isFull = true;
      this.pause();
    }
  }

  #startUnlessGone(start: () => void): void {
    if (!this.socket.destroyed) start();
  }

  /** Restarts the `unreadMs` that the client has to read the next bytes. */
  expectReader(): void {
    if (this.#unread !== undefined) {
      this.#unread.refresh();
    } else if (this.socket.writableLength > 0) {
      this.#unread = setTimeout(() => this.socket.destroy(), this.#all.times.unreadMs);
    }
  }

  /** Ends the turn of the first request, and starts the second. */
  next(): void {
    clearTimeout(this.#unread);
    this.#unread = undefined;
    this.#turns.shift();
    const next = this.#turns[0];
    if (next !== undefined) {
      this.#all.followUps.add(() => this.#startUnlessGone(next.start));
    } else if (this.#pieceEnd === this.#arrived.length) {
      // An idle connection would keep up to 64 KiB.
      this.#arrived = NOTHING;
      this.#pieceEnd = 0;
    }
    if (this.#isFull && this.#turns.length <= this.#all.limits.waitingRequests) {
      this.#isFull = false;
      this.resume();
    }
  }
}

export class Connections {
  /** Of the bodies of their requests. */
  readonly memory: BodyMemory;
  readonly #open = new Map<Duplex, Connection>();
  readonly #roster: Roster<Connection>;
  readonly #newcomers: RateLimiter;
  readonly limits: typeof LISTENER_LIMITS;
  readonly times: typeof LISTENER_TIMES;
  readonly followUps = new FollowUps();
  readonly #proxies: Proxies;
  #heldBytes = 0;
  /** The service is shutting down: every answer is the last one on its connection. */
  isClosing = false;

  constructor(limits: typeof LISTENER_LIMITS, times: typeof LISTENER_TIMES, proxies: Proxies) {
    this.memory = new BodyMemory(limits.bodyBytes);
    this.limits = limits;
    this.times = times;
    this.#proxies = proxies;
    this.#roster = new Roster(limits, (connection) => connection.isBusy);
    this.#newcomers = new RateLimiter(limits.newPerAddress, 1000, ADDRESSES_COUNTED);
  }

  /** Whether to close a new connection at once: its address opens too many, or has closed it. */
  isUnwelcome({ remoteAddress }: Socket, monotonicMs: () => number): boolean {
    const address = this.#proxies.groupOf(remoteAddress);
    if (address === undefined) return remoteAddress === undefined;
    return !this.#newcomers.take(address, monotonicMs()).allowed;
  }

  /** Accepts a new connection, and closes another one if there are too many. */
  add(socket: Socket): void {
    const connection = new Connection(socket, this);
    const leaving = this.#roster.admit(connection, this.#proxies.groupOf(socket.remoteAddress));
    if (leaving !== connection) {
      this.#open.set(socket, connection);
      socket.once('close', () => this.#forget(connection));
    }
    if (leaving !== undefined) this.#cutOff(leaving);
  }

  find(socket: Duplex): Connection | undefined {
    return this.#open.get(socket);
  }

  /** A request has arrived: its connection is active, and its memory counts until the answer. */
  noteRequest(connection: Connection): void {
    this.#roster.touch(connection);
    this.hold(connection, SIZES.requestBytes);
  }

  /** A valid key was sent: this connection is among the last to be closed. */
  trust(connection: Connection): void {
    this.#roster.trust(connection);
  }

  /**
   * Adds to the memory that a connection holds; a negative number subtracts. Above the total limit,
   * closes the connections that hold the most, those that never sent a valid key first.
   */
  hold(connection: Connection, bytes: number): void {
    if (!this.#open.has(connection.socket)) return;
    connection.heldBytes += bytes;
    this.#heldBytes += bytes;
    while (this.#heldBytes > this.limits.heldBytes) {
      const largest = this.#findLargest();
      if (largest === undefined) break;
      this.#cutOff(largest);
      this.#pauseUntilClosed(largest.socket);
    }
  }

  /**
   * Ends every idle connection. An answer that is being sent is completed, which Node's own
   * closeIdleConnections() would not do.
   */
  closeIdle(): void {
    for (const connection of this.#open.values()) {
      const { socket, last, answeredBytes, isLast } = connection;
      if (last === undefined || (last.isReceived && last.isFlushed)) {
        if (socket.bytesRead === answeredBytes) socket.destroy();
      } else if (last.isAnswered && !isLast) {
        last.hangUp();
      }
    }
  }

  /** Ends every connection with an incomplete request. */
  closeHalfSent(): void {
    for (const { socket, last } of this.#open.values()) {
      const isRunning = last?.isReceived === true && !last.isFlushed;
      if (!isRunning) socket.destroy();
    }
  }

  closeAll(): void {
    for (const socket of this.#open.keys()) {
      socket.destroy();
    }
  }

  #findLargest(): Connection | undefined {
    let largest: Connection | undefined;
    let most = 0;
    for (const connection of this.#open.values()) {
      const { heldBytes } = connection;
      const weight = heldBytes + (this.#roster.isTrusted(connection) ? 0 : STRANGER_BYTES);
      if (heldBytes > 0 && weight > most) {
        largest = connection;
        most = weight;
      }
    }
    return largest;
  }

  #cutOff(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  /**
   * Stops reading from all connections until Node has freed the memory of a closed one. Otherwise
   * it would first parse everything that has arrived on every connection.
   */
  #pauseUntilClosed(socket: Socket): void {
    const paused = [...this.#open.values()];
    for (const connection of paused) connection.pause();
    socket.once('close', () => {
      for (const connection of paused) connection.resume();
    });
  }

  /** Called as soon as a connection is destroyed: its 'close' event comes later. */
  #forget(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.#roster.remove(connection);
    this.#heldBytes -= connection.heldBytes;
    connection.heldBytes = 0;
  }
}
