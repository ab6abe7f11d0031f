/**
 * The last requests and how they were answered, kept in memory for a test to look at. Off unless
 * asked for: it keeps bodies.
 */

import { Failure } from '../core/failures.ts';

/** A request that was answered. The key itself is never kept. */
export interface RecordedRequest {
  /** The answer's `X-Request-Id`. */
  readonly requestId: string;
  /** When it arrived, by the service's clock. */
  readonly at: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Decoded query parameters in the order sent. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The identifier of the key, where the key was accepted. */
  readonly keyId: string | null;
  /** The parsed JSON body; undefined where none was read, as when the key was refused. */
  readonly body: unknown;
  readonly status: number;
  /** From the request's head to the answer's. */
  readonly durationMs: number;
}

/** Keeps the newest `capacity` requests. */
export class RequestLog {
  #requests: RecordedRequest[] = [];
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether anything is kept at all. */
  get isOn(): boolean {
    return this.#capacity > 0;
  }

  /** Adds a request; the oldest goes when there is no more room. */
  add(request: RecordedRequest): void {
    if (this.#requests.length >= this.#capacity) this.#requests.shift();
    this.#requests.push(request);
  }

  /**
   * The recorded requests, oldest first: all of them, or those of one method or exact path. Refuses
   * with `conflict` where none are kept.
   */
  list(filter: { readonly method?: string; readonly path?: string } = {}): RecordedRequest[] {
    if (!this.isOn) {
      const message = 'Requests are not recorded. Create the service with `recordRequests: true`.';
      throw new Failure('conflict', message);
    }
    return this.#requests.filter(
      ({ method, path }) => (filter.method ?? method) === method && (filter.path ?? path) === path,
    );
  }

  /** Forgets the requests recorded so far. */
  clear(): void {
    this.#requests = [];
  }
}
