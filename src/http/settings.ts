/**
 * Limits and timeouts of connections, each with its reason. The limits of a request are in
 * `core/limits.ts`.
 */

/** What does not depend on the listener. */
export const SIZES = {
  /** Maximum header fields of a request. Above its own limit, Node silently drops fields. */
  headerFields: 100,
  /** Maximum size of the request line and all header fields. */
  headerBytes: 16 * 1024,
  /**
   * Connections that the kernel queues, so that a burst is not refused. Node accepts one in each
   * turn of the event loop, so in a flood a new client waits for all of the queue.
   */
  backlog: 512,
  /** Memory that Node keeps for a request until its answer, as measured. */
  requestBytes: 4 * 1024,
  /** A longer answer is sent in pieces. A client has `unreadMs` to read each. */
  pieceBytes: 64 * 1024,
  /** A longer text is decoded, parsed and encoded in a turn each: this much takes some 10 ms. */
  atOnceBytes: 1024 * 1024,
  /** What Node's parser gets at once of requests: at most 57 of the shortest. */
  headPieceBytes: 2 * 1024,
  /** What Node's parser gets at once while a body arrives. */
  bodyPieceBytes: 16 * 1024,
};

/** Limits of the listener. Tests pass small ones. */
export const LISTENER_LIMITS = {
  /** Open connections. Each costs memory even before it sends a key. */
  connections: 2000,
  /** Open connections of an address: a tenth, so that no client can use all of them. */
  connectionsPerAddress: 200,
  /** Connections that an address may open in a second. Each takes 0.2 ms, 0.1 if it is closed. */
  newPerAddress: 200,
  /** How many pipelined requests may wait before the connection stops being read. */
  waitingRequests: 32,
  /** Bytes of unsent answers and waiting requests of all connections: a few of the largest. */
  heldBytes: 64 * 1024 * 1024,
  /** Bytes of bodies that are being read, of all requests: 16 of the largest. */
  bodyBytes: 64 * 1024 * 1024,
};

/** Timeouts of the listener. Tests pass short ones. */
export const LISTENER_TIMES = {
  /** For the header of a request to arrive. */
  headersMs: 10_000,
  /** For a whole request to arrive. */
  requestMs: 30_000,
  /** For a form with a file to arrive: 60 MB at 1 Mbit/s take eight minutes. */
  uploadMs: 10 * 60_000,
  /** Between two requests: longer than in a proxy, which could otherwise use a closed one. */
  keepAliveMs: 65_000,
  /** For a connection without any traffic. */
  socketMs: 30_000,
  /** For a client to read the next piece of its answer. */
  unreadMs: 30_000,
  /** How often the first two are checked, and so their precision. */
  checkMs: 1_000,
  /** For a client to continue sending a refused body. */
  lingerMs: 2_000,
  /** During shutdown, for the rest of a request that has begun to arrive. */
  halfSentMs: 1_000,
  /** The whole shutdown. */
  closingMs: 8_000,
};
