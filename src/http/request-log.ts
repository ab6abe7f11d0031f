/**
 * What becomes of requests. The latest ones can be kept in memory for tests; that is off by
 * default, because it keeps request bodies.
 */

import { Failure } from '../core/failures.ts';
import type { Query } from './target.ts';

/** Why the console refused a request, as far as it concerns who sent it. */
export type AccessRefusal =
  | 'wrong_password'
  | 'wrong_code'
  | 'too_many_tries'
  | 'busy'
  | 'role'
  | 'other_site';

/** What a handler knows of who sent a request. */
export interface Noted {
  /** The user who is signed in or tried to sign in; null if the user is not known. */
  userId: string | null;
  /** For a sign-in with an unknown address: the beginning of its SHA-256; else null. */
  emailHash: string | null;
  /** Why the console refused it; null if it did not. */
  refusal: AccessRefusal | null;
}

/** What is noted of a request of nobody. */
export const NOTHING_NOTED: Readonly<Noted> = { userId: null, emailHash: null, refusal: null };

/** An answered request. The key itself is never recorded. */
export interface RecordedRequest extends Readonly<Noted> {
  /** The `X-Request-Id` of the answer. */
  readonly requestId: string;
  /** When the request arrived, by the service's clock. */
  readonly at: string;
  /** Null if Node's parser refused the request. */
  readonly method: string | null;
  /** Without the query. */
  readonly path: string;
  /** The path of its route, such as `/api/v1/projects/{id}`; null if no route has this path. */
  readonly route: string | null;
  /** Decoded query parameters, in the order sent. */
  readonly query: Query;
  /** The identifier of the key; null if no key was accepted. */
  readonly keyId: string | null;
  /** Who sent it, behind the trusted proxies; null if unknown, or if addresses are not logged. */
  readonly clientAddress: string | null;
  /** The parsed JSON body; undefined if it was not read, for example after a refused key. */
  readonly body: unknown;
  /** Null if the connection ended before an answer. */
  readonly status: number | null;
  /** Milliseconds from the header of the request to the header of the answer. */
  readonly durationMs: number;
  /** The bytes of the body of the request that were read. */
  readonly receivedBytes: number;
  /** The bytes of the body of the answer. */
  readonly sentBytes: number;
}

/** Keeps the newest `capacity` requests. */
export class RequestLog {
  #requests: RecordedRequest[] = [];
  readonly #capacity: number;
  readonly #refuseClosed: () => void;

  /** `refuseClosed` throws once the service is closed. */
  constructor(capacity: number, refuseClosed: () => void) {
    this.#capacity = capacity;
    this.#refuseClosed = refuseClosed;
  }

  /** Whether requests are recorded. */
  get isOn(): boolean {
    return this.#capacity > 0;
  }

  /** Adds a request, and drops the oldest above the capacity. */
  add(request: RecordedRequest): void {
    if (this.#requests.length >= this.#capacity) this.#requests.shift();
    this.#requests.push(request);
  }

  /**
   * The recorded requests, oldest first: all of them, or those with a method or exact path. Throws
   * `conflict` if requests are not recorded.
   */
  list(filter: { readonly method?: string; readonly path?: string } = {}): RecordedRequest[] {
    this.#refuseClosed();
    if (!this.isOn) {
      const message = 'Requests are not recorded. Create the service with `recordRequests: true`.';
      throw new Failure('conflict', message);
    }
    return this.#requests.filter(
      ({ method, path }) => (filter.method ?? method) === method && (filter.path ?? path) === path,
    );
  }

  /** Removes all recorded requests. */
  clear(): void {
    this.#refuseClosed();
    this.#requests = [];
  }
}
