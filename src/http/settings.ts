/**
 * How the listener treats connections: limits and waits, each with its reason. What a request may
 * hold is in `core/limits.ts`.
 */

/** Header fields of a request: beyond a limit Node drops fields without a word. */
export const HEADER_FIELDS = 100;
/** All header fields and the request line together. */
export const HEADER_BYTES = 16 * 1024;
/** Connections that the kernel holds until they are taken: a burst is not refused. */
export const BACKLOG = 4096;
/** A request that waits for its answer: what Node keeps of it, measured. */
export const REQUEST_BYTES = 4 * 1024;
/** A longer answer is sent in pieces: a client has `unreadMs` to read each. */
export const PIECE_BYTES = 64 * 1024;

/** Limits of the listener. The defaults are for service; tests pass small ones. */
export interface ListenerLimits {
  /** Open connections: each costs memory before it has shown a key. */
  readonly connections: number;
  /** The same from one address: a tenth, so that no client takes the place of all others. */
  readonly connectionsPerAddress: number;
  /** Pipelined requests that wait on a connection before it is read no further. */
  readonly waitingRequests: number;
  /** Unsent answers and waiting requests of all connections: some of the largest answers. */
  readonly heldBytes: number;
}

/** The limits of a service. */
export const LISTENER_LIMITS: ListenerLimits = {
  connections: 2000,
  connectionsPerAddress: 200,
  waitingRequests: 32,
  heldBytes: 64 * 1024 * 1024,
};

/** Waits of the listener. The defaults are for service; tests pass short ones. */
export interface ListenerTimes {
  /** For the head of a request to arrive. */
  readonly headersMs: number;
  /** For all of a request to arrive. */
  readonly requestMs: number;
  /** Between two requests of a connection: longer than a proxy's, or it meets a closed one. */
  readonly keepAliveMs: number;
  /** For a client that neither sends nor reads. */
  readonly socketMs: number;
  /** For a client to read the next piece of its answer. */
  readonly unreadMs: number;
  /** How often the first two are looked at: neither is noticed sooner. */
  readonly checkMs: number;
  /** For a client to go on sending a body that has been refused. */
  readonly lingerMs: number;
  /** At closing, for a request that has begun to arrive. */
  readonly halfSentMs: number;
  /** At closing, for everything. */
  readonly closingMs: number;
}

/** The waits of a service. */
export const LISTENER_TIMES: ListenerTimes = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  socketMs: 30_000,
  unreadMs: 30_000,
  checkMs: 1_000,
  lingerMs: 2_000,
  halfSentMs: 1_000,
  closingMs: 10_000,
};
