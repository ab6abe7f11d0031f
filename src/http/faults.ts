/**
 * Faults on demand, so that a test can see how a client handles them. A fault replaces, delays or
 * cuts off the answer to a request to `/api/v1`. By default there is no fault.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../core/failures.ts';
import { REQUESTS_PER_MINUTE, UNAVAILABLE_RETRY_SECONDS } from '../core/limits.ts';
import { ConnectionCut, type Handler, type Reply, type Request, type Route } from './message.ts';

/** A longer timer of Node ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What happens to a request that meets a fault. */
export type Fault =
  /** The request is answered with this status and changes nothing. */
  | {
      readonly status: 429 | 500 | 503;
      /** `Retry-After` of a 429 (1 by default) or a 503 (2 by default). */
      readonly retryAfterSeconds?: number;
    }
  /**
   * The connection ends without an answer, `before` or `after` the request is handled. After means
   * that the work is done but the client does not know.
   */
  | { readonly cutOff: 'before' | 'after' }
  /** The request is handled after this many milliseconds. */
  | { readonly delayMs: number };

/** Which requests meet a fault; by default the next one. */
export interface FaultTarget {
  /** How many requests; 1 by default. `Infinity` lasts until {@link Faults.clear}. */
  readonly times?: number;
  readonly method?: 'GET' | 'POST';
  /** The exact path, such as `/api/v1/transactions`. */
  readonly path?: string;
}

/** The faults waiting for a request, in the order they were added. */
export class Faults {
  readonly #refuseClosed: () => void;
  #waiting: { readonly fault: Fault; readonly target: FaultTarget; left: number }[] = [];
  readonly #closing = new AbortController();

  /** `refuseClosed` throws once the service is closed. */
  constructor(refuseClosed: () => void) {
    this.#refuseClosed = refuseClosed;
  }

  /** Adds a fault for the next request to `/api/v1` that matches the target. */
  next(fault: Fault, target: FaultTarget = {}): void {
    this.#refuseClosed();
    refuseUnknown(fault);
    const { times: left = 1 } = target;
    if (left > 0) this.#waiting.push({ fault, target, left });
  }

  /** How many more requests will meet a fault. */
  get pending(): number {
    this.#refuseClosed();
    return this.#waiting.reduce((sum, { left }) => sum + left, 0);
  }

  /** Removes all waiting faults. */
  clear(): void {
    this.#refuseClosed();
    this.#waiting = [];
  }

  /** Ends every delay, because the service is shutting down. */
  close(): void {
    this.#waiting = [];
    this.#closing.abort();
  }

  /** Wraps a route so that its requests can meet faults. */
  guard(route: Route): Route {
    const handler: Handler = (request) => {
      const fault = this.#waiting.length === 0 ? undefined : this.#take(request);
      return fault === undefined
        ? route.handler(request)
        : this.#meet(fault, request, route.handler);
    };
    return { ...route, handler };
  }

  #take({ method, path }: Request): Fault | undefined {
    const found = this.#waiting.find(
      ({ target }) => (target.method ?? method) === method && (target.path ?? path) === path,
    );
    if (found === undefined) return undefined;
    found.left -= 1;
    if (found.left < 1) this.#waiting = this.#waiting.filter((each) => each !== found);
    return found.fault;
  }

  async #meet(fault: Fault, request: Request, handler: Handler): Promise<Reply> {
    if ('status' in fault) throw refusal(fault.status, fault.retryAfterSeconds);
    if ('delayMs' in fault) {
      await this.#wait(fault.delayMs);
      return handler(request);
    }
    if (fault.cutOff === 'after') await handler(request);
    throw new ConnectionCut();
  }

  async #wait(delayMs: number): Promise<void> {
    const { signal } = this.#closing;
    await sleep(Math.min(delayMs, LONGEST_TIMER_MS), undefined, { signal }).catch(() => {
      throw new Failure('unavailable', 'The service is shutting down.');
    });
  }
}

/** A fault with a typing mistake must not pass as another one, nor two faults as one of them. */
function refuseUnknown(fault: Fault): void {
  const found: { readonly [name: string]: unknown } = fault;
  const { status, cutOff, delayMs, retryAfterSeconds = 0 } = found;
  const isKnown =
    status === 429 ||
    status === 500 ||
    status === 503 ||
    cutOff === 'before' ||
    cutOff === 'after' ||
    (typeof delayMs === 'number' && delayMs >= 0);
  const kinds = [status, cutOff, delayMs].filter((each) => each !== undefined);
  if (isKnown && kinds.length === 1 && /^\d+$/.test(String(retryAfterSeconds))) return;
  const known =
    "{ status: 429, 500 or 503 }, { cutOff: 'before' or 'after' } or { delayMs: 0 or more }";
  throw new Failure('invalid_input', `${JSON.stringify(fault)} is not a fault. Use ${known}.`);
}

function refusal(status: 429 | 500 | 503, retryAfterSeconds: number | undefined): Failure {
  const asked = 'This fault was requested by service.faults.';
  if (status === 500) return new Failure('internal_error', asked);
  if (status === 503) {
    const seconds = String(retryAfterSeconds ?? UNAVAILABLE_RETRY_SECONDS);
    return new Failure('unavailable', asked, { headers: { 'Retry-After': seconds } });
  }
  const seconds = String(retryAfterSeconds ?? 1);
  const headers = {
    'X-RateLimit-Limit': String(REQUESTS_PER_MINUTE),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': seconds,
    'Retry-After': seconds,
  };
  return new Failure('rate_limit_exceeded', asked, { headers });
}
