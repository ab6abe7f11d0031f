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
/** Open connections: each costs memory before it has shown a key. */
export const CONNECTIONS = 2000;

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
  checkMs: 1_000,
  lingerMs: 2_000,
  halfSentMs: 1_000,
  closingMs: 10_000,
};
