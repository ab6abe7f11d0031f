/**
 * Faults on demand: what a client meets on a bad day, chosen by a test. A fault replaces, delays or
 * cuts off the answer to a request of the interface; nothing happens unless somebody asks for it.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from '../core/failures.ts';
import { REQUESTS_PER_MINUTE, UNAVAILABLE_RETRY_SECONDS } from '../core/limits.ts';
import { ConnectionCut, type Handler, type Reply, type Request, type Route } from './message.ts';

/** What happens to a request. */
export type Fault =
  /** It is answered with this status and changes nothing. */
  | {
      readonly status: 429 | 500 | 503;
      /** `Retry-After` of a 429 (1 by default) or a 503 (2 by default). */
      readonly retryAfterSeconds?: number;
    }
  /**
   * The connection ends without an answer: `before` the request is handled, or `after`, so that the
   * work is done and the client cannot know.
   */
  | { readonly cutOff: 'before' | 'after' }
  /** It is handled after this many milliseconds. */
  | { readonly delayMs: number };

/** Which requests meet a fault; the next one of any kind by default. */
export interface FaultTarget {
  /** How many requests meet it; 1 by default, `Infinity` until {@link Faults.clear}. */
  readonly times?: number;
  readonly method?: 'GET' | 'POST';
  /** The exact path, such as `/api/v1/transactions`. */
  readonly path?: string;
}

/** The faults that wait for a request. Those asked for first come first. */
export class Faults {
  #waiting: { readonly fault: Fault; readonly target: FaultTarget; left: number }[] = [];
  readonly #closing = new AbortController();

  /** The next request to `/api/v1` that fits the target meets this fault. */
  next(fault: Fault, target: FaultTarget = {}): void {
    this.#waiting.push({ fault, target, left: target.times ?? 1 });
  }

  /** How many requests are still to meet a fault: 0 when all have. */
  get pending(): number {
    return this.#waiting.reduce((sum, { left }) => sum + left, 0);
  }

  /** Forgets the faults that no request has met. */
  clear(): void {
    this.#waiting = [];
  }

  /** Ends every delay under way: the service is shutting down. */
  close(): void {
    this.clear();
    this.#closing.abort();
  }

  /** The same route, where faults can be met. */
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
    await sleep(delayMs, undefined, { signal }).catch(() => {
      throw new Failure('unavailable', 'The service is shutting down.');
    });
  }
}

function refusal(status: 429 | 500 | 503, retryAfterSeconds: number | undefined): Failure {
  const asked = 'A fault that was asked for.';
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
