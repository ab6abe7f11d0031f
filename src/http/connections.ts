/**
 * The open connections: which ones to close when there are too many or they use too much memory,
 * and how to end them all on shutdown. Since answers are sent in the order of their requests,
 * shutdown only looks at the last request of each connection.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { GroupAddress } from './addresses.ts';
import { BodyMemory } from './body.ts';
import { Connection, FollowUps } from './connection.ts';
import { RateLimiter } from './rate-limiter.ts';
import { Roster } from './roster.ts';
import { type LISTENER_LIMITS, type LISTENER_TIMES, REQUEST_BYTES } from './settings.ts';

/** More than any connection can hold, so that those without a valid key are closed first. */
const STRANGER_BYTES = 2 ** 50;

/** Addresses whose new connections are counted: each takes 2 KiB at most. */
const ADDRESSES_COUNTED = 10_000;

/** All connections of a listener. */
export class Connections {
  /** Of the bodies of their requests. */
  readonly memory: BodyMemory;
  readonly #open = new Map<Duplex, Connection>();
  readonly #roster: Roster<Connection>;
  readonly #newcomers: RateLimiter;
  readonly #limits: typeof LISTENER_LIMITS;
  readonly #times: typeof LISTENER_TIMES;
  readonly #groupAddress: GroupAddress;
  readonly #followUps = new FollowUps();
  #heldBytes = 0;
  /** The service is shutting down: every answer is the last one on its connection. */
  isClosing = false;

  constructor(
    limits: typeof LISTENER_LIMITS,
    times: typeof LISTENER_TIMES,
    groupAddress: GroupAddress,
  ) {
    this.memory = new BodyMemory(limits.bodyBytes);
    this.#limits = limits;
    this.#times = times;
    this.#groupAddress = groupAddress;
    this.#roster = new Roster(limits, (connection) => connection.isBusy);
    this.#newcomers = new RateLimiter(limits.newPerAddress, 1000, ADDRESSES_COUNTED);
  }

  /** How long a client may pause in the body of a refused request before it is disconnected. */
  get lingerMs(): number {
    return this.#times.lingerMs;
  }

  /** How long a form with a file may take to arrive. */
  get uploadMs(): number {
    return this.#times.uploadMs;
  }

  /** Whether to close a new connection at once: its address opens too many, or has closed it. */
  isUnwelcome({ remoteAddress }: Socket, monotonicMs: () => number): boolean {
    const address = this.#groupAddress(remoteAddress);
    if (address === undefined) return remoteAddress === undefined;
    return !this.#newcomers.take(address, monotonicMs()).allowed;
  }

  /** Accepts a new connection, and closes another one if there are too many. */
  add(socket: Socket): void {
    const connection = new Connection(socket, {
      waitingRequests: this.#limits.waitingRequests,
      unreadMs: this.#times.unreadMs,
      followUps: this.#followUps,
    });
    const leaving = this.#roster.admit(connection, this.#groupAddress(socket.remoteAddress));
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
    this.hold(connection, REQUEST_BYTES);
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
    while (this.#heldBytes > this.#limits.heldBytes) {
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
        if (socket.bytesRead === answeredBytes) {
          socket.destroy();
        }
      } else if (last.isAnswered && !isLast) {
        last.hangUp();
      }
    }
  }

  /** Ends every connection with an incomplete request. */
  closeHalfSent(): void {
    for (const { socket, last } of this.#open.values()) {
      const isRunning = last?.isReceived === true && !last.isFlushed;
      if (!isRunning) {
        socket.destroy();
      }
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
