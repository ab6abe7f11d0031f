/**
 * The open connections: which of them are closed when there are too many or when they hold too
 * much, and how they end when the service does. Of a connection it matters then only how far the
 * last request on it has come: answers leave in the order of their requests.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { GroupAddress } from './addresses.ts';
import { Connection } from './connection.ts';
import { Roster } from './roster.ts';
import { type ListenerLimits, type ListenerTimes, REQUEST_BYTES } from './settings.ts';

/** More than any connection can hold: those that never showed a key come first. */
const STRANGER_BYTES = 2 ** 50;

/** All connections of a listener. */
export class Connections {
  readonly #open = new Map<Duplex, Connection>();
  readonly #roster: Roster<Connection>;
  readonly #limits: ListenerLimits;
  readonly #times: ListenerTimes;
  readonly #groupAddress: GroupAddress;
  #heldBytes = 0;
  /** The service is going down: every answer is the last on its connection. */
  isClosing = false;

  constructor(limits: ListenerLimits, times: ListenerTimes, groupAddress: GroupAddress) {
    this.#limits = limits;
    this.#times = times;
    this.#groupAddress = groupAddress;
    this.#roster = new Roster(limits, (connection) => connection.isBusy);
  }

  /** How long a client may pause in the body of a refused request before it is cut off. */
  get lingerMs(): number {
    return this.#times.lingerMs;
  }

  /** Takes a new connection in, if need be in place of another. */
  add(socket: Socket): void {
    const { waitingRequests } = this.#limits;
    const connection = new Connection(socket, waitingRequests, this.#times.unreadMs);
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

  /** A request has come: its connection is not idle, and holds it until it is answered. */
  noteRequest(connection: Connection): void {
    this.#roster.touch(connection);
    this.hold(connection, REQUEST_BYTES);
  }

  /** A valid key was shown: this connection is among the last to be cut off. */
  trust(connection: Connection): void {
    this.#roster.trust(connection);
  }

  /**
   * Counts what a connection holds, or gives back where negative. Above the limit of all together
   * those that hold most are cut off, and before any other those that never showed a valid key.
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
   * Ends every connection on which nothing is under way. An answer that is still being sent is
   * sent to its end: Node's own closeIdleConnections() would cut it off.
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

  /** Ends every connection whose client has not sent all of its request. */
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
   * Reads from nobody until Node has let go of what a connection held, which it does only after
   * it has parsed all that has arrived on every connection.
   */
  #pauseUntilClosed(socket: Socket): void {
    const paused = [...this.#open.values()];
    for (const connection of paused) connection.pause();
    socket.once('close', () => {
      for (const connection of paused) connection.resume();
    });
  }

  /** At once where it is cut off: a socket's 'close' comes later. */
  #forget(connection: Connection): void {
    if (!this.#open.delete(connection.socket)) return;
    this.#roster.remove(connection);
    this.#heldBytes -= connection.heldBytes;
    connection.heldBytes = 0;
  }
}
