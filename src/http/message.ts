/**
 * A request and a reply as the doors see them: plain values, no sockets. Only `server.ts` knows
 * where they come from and go to.
 */

/** One request, after routing, framing and decoding of its query. */
export interface Request {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** What stood in the path's `{name}` places. */
  readonly params: Readonly<Record<string, string>>;
  /** Decoded query parameters in the order sent, repeated ones repeated. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** A header field by its lower-case name. */
  header(name: string): string | undefined;
  readonly requestId: string;
  /** Wall-clock milliseconds, stamped once for the whole request. */
  readonly nowMs: number;
  /** Monotonic milliseconds, stamped once for the whole request: for the rate limit only. */
  readonly tickMs: number;
  /** Header fields that every answer to this request carries from now on, errors included. */
  readonly replyHeaders: Record<string, string>;
  /**
   * Notes the public identifier of the valid key that it came with, for the log. At a limit its
   * connection is then among the last to be closed.
   */
  admit(keyId: string): void;
  /**
   * Reads, decodes and parses the body (contract 2, step 8): refuses with
   * `unsupported_media_type`, `payload_too_large`, `invalid_encoding` or `invalid_json`.
   */
  readJson(): Promise<unknown>;
}

/** One answer. The body is sent as it is; HEAD sends its length only. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

/** Answers one request, or throws: a Failure is answered as such, all else as internal_error. */
export type Handler = (request: Request) => Reply | Promise<Reply>;

/** Thrown by a handler to end the connection without an answer. */
export class ConnectionCut extends Error {
  override readonly name = 'ConnectionCut';
}

/** A row of a route table. `{name}` in the path stands for one segment. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handler: Handler;
}

/** A 200, or another status, with a JSON document. */
export function jsonReply(document: unknown, status = 200): Reply {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: bodyOf(JSON.stringify(document)),
  };
}

/** A long text is encoded here, once: its length has to be known and its bytes have to be sent. */
function bodyOf(text: string): string | Uint8Array {
  return text.length < 4096 ? text : Buffer.from(text);
}
