/**
 * A request and a reply as handlers see them: plain values without sockets. Only `server.ts`
 * receives and sends them.
 */

import type { Failure } from '../core/failures.ts';
import type { NetworkClient } from './addresses.ts';
import type { Form } from './form.ts';
import type { Noted } from './request-log.ts';
import type { Shares } from './shares.ts';
import type { Query } from './target.ts';

/** Where a route keeps a file while it handles it, and how much it takes. */
export interface UploadRoom {
  /** An existing folder that others cannot read. What a crash leaves there can be deleted. */
  readonly folder: string;
  readonly maxFileBytes: number;
  /** The forms that are arriving, of all routes with this room. */
  readonly arriving: Shares<object>;
  /** Whether the disk may have so many bytes more. */
  readonly hasSpace: (bytes: number) => boolean;
}

/** A form as it was received. */
export interface Upload {
  readonly form: Form;
  /** Undefined if none was chosen. */
  readonly file: UploadedFile | undefined;
}

/** A file of a form. */
export interface UploadedFile {
  readonly field: string;
  /** As the client named it, without its folders. Show it, but never use it as a path. */
  readonly name: string;
  /** Where it is now. The handler may move it elsewhere. */
  readonly path: string;
  readonly bytes: number;
}

/** A valid key or session, and whose it is, by their public identifiers. */
export interface Sender {
  readonly organisationId: string;
  readonly keyId?: string;
  readonly userId?: string;
}

/** One request, after its path was routed, its framing checked and its query decoded. */
export interface Request {
  readonly method: string;
  /** The path as it was sent, without the query. */
  readonly path: string;
  /** The segments of the path at the `{name}` placeholders. */
  readonly params: Readonly<Record<string, string>>;
  /** Decoded query parameters in the order sent, including repeated ones. */
  readonly query: Query;
  /** The value of a header field, by lower-case name. */
  header(name: string): string | undefined;
  /** Whether the client has disconnected, so that an answer would reach nobody. */
  readonly isGone: boolean;
  /** Who sent it, according to the connection and trusted proxies. */
  readonly client: NetworkClient;
  readonly requestId: string;
  /** Wall-clock milliseconds when the request started. */
  readonly nowMs: number;
  /** Monotonic milliseconds when the request started, for the rate limit. */
  readonly tickMs: number;
  /** What the request log says of who sent it: handlers fill it in. */
  readonly noted: Noted;
  /** Header fields to add to the answer, even if it is an error. */
  readonly replyHeaders: Record<string, string | readonly string[]>;
  /** Records who sent it. Its connection is then among the last to be closed at a limit. */
  admit(sender: Sender): void;
  /**
   * Reads, decodes and parses the body (contract 2, step 8). Throws `unsupported_media_type`,
   * `payload_too_large`, `invalid_encoding` or `invalid_json`.
   */
  readJson(): Promise<unknown>;
  /**
   * Reads an `application/x-www-form-urlencoded` body. Throws `unsupported_media_type`,
   * `payload_too_large` or `invalid_encoding`.
   */
  readForm(): Promise<Form>;
  /**
   * Reads a `multipart/form-data` body with at most one file, which it writes to a temporary file.
   * That exists only until `use` has settled. Throws as `readForm` does, `bad_request` for a body
   * that is not well-formed, and what `receiveUpload` refuses for want of room.
   */
  readUpload<Result>(
    room: UploadRoom,
    use: (upload: Upload) => Result | Promise<Result>,
  ): Promise<Result>;
}

/** Header fields by name. A list sends the field once for each value, as cookies need it. */
export type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

/** A file as a body. It is read while it is sent, in pieces. */
export interface FileBody {
  readonly path: string;
  /** How long it is. The connection is cut if it turns out to be shorter. */
  readonly bytes: number;
}

/**
 * One answer. The body is sent unchanged; HEAD sends only its length. A list has the pieces of a
 * long text, each of which is encoded in a turn of the event loop.
 */
export interface Reply {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array | FileBody | readonly string[];
}

/** Answers one request. A thrown Failure becomes its answer, any other error `internal_error`. */
export type Handler = (request: Request) => Reply | Promise<Reply>;

/** What is known of a request that failed. One that Node's parser refused has no header fields. */
export interface FailedRequest extends Pick<Request, 'path' | 'requestId' | 'header'> {
  /** Everything about it, unless Node's parser refused it. */
  readonly whole?: Request;
}

/**
 * Builds the answer to a failed request, for example as a page. The header fields of the Failure,
 * such as Allow, are added to it.
 */
type RenderFailure = (failure: Failure, request: FailedRequest) => Reply;

/** Renders failures of requests that match no route, for all paths under a prefix. */
export interface FailurePages {
  /** `/` is for all paths; `/app` is for `/app` and what is under `/app/`. */
  readonly prefix: string;
  readonly renderFailure: RenderFailure;
}

/** Thrown by a handler to close the connection without an answer. */
export class ConnectionCut extends Error {
  override readonly name = 'ConnectionCut';
}

/** A route. `{name}` in the path matches one segment. */
export interface Route {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly handler: Handler;
  /** The largest form that it reads; FORMS.bytes by default. */
  readonly formBytes?: number | undefined;
  /** The longest field of its form, as it is sent; FORMS.bytes by default. */
  readonly fieldBytes?: number | undefined;
  /** Renders its failures, and those of its path such as a 405; without it they are JSON. */
  readonly renderFailure?: RenderFailure | undefined;
}

/** A reply with a JSON document and status 200, or another one. A line end is for terminals. */
export function jsonReply(document: unknown, status = 200): Reply {
  const text = `${JSON.stringify(document)}\n`;
  // A long text is encoded once, because both its length and its bytes are needed.
  const body = text.length < 4096 ? text : Buffer.from(text);
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8' }, body };
}
