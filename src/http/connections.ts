/**
 * The open connections, and how they end when the service does. Of a connection it matters only
 * how far the last request on it has come: answers leave in the order of their requests.
 */

import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exchange } from './exchange.ts';

/** One connection. */
export interface Connection {
  readonly socket: Socket;
  /** The last request on it. */
  last: Exchange | undefined;
  /** `bytesRead` when the last request was answered: more means that another has begun. */
  answeredBytes: number;
  /** The client has been told that nothing more is answered here; what still comes is ignored. */
  isLast: boolean;
}

/** All connections of a listener. */
export class Connections {
  readonly #open = new Map<Duplex, Connection>();
  /** The service is going down: every answer is the last on its connection. */
  isClosing = false;
  /** How long a client may pause in the body of a refused request before it is cut off. */
  readonly lingerMs: number;

  constructor(lingerMs: number) {
    this.lingerMs = lingerMs;
  }

  add(socket: Socket): void {
    this.#open.set(socket, { socket, last: undefined, answeredBytes: 0, isLast: false });
    socket.once('close', () => this.#open.delete(socket));
  }

  find(socket: Duplex): Connection | undefined {
    return this.#open.get(socket);
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
}
