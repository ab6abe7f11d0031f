/**
 * The rate limit of a key (contract 2, step 4): a bucket of tokens in which each token comes back
 * exactly 60 seconds after it was taken, so that no 60 seconds ever see more than the capacity.
 * Time is a parameter; it must be monotonic, or a jump of the clock could lock a key out.
 */

import { RATE_WINDOW_MS, REQUESTS_PER_MINUTE } from '../core/limits.ts';

/** What became of one request. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Whole seconds, 1 to 60, after which a request succeeds; 0 for an allowed one. */
  readonly retryAfterSeconds: number;
}

/** The buckets of all keys. */
export interface RateLimiter {
  /** Takes a token, or refuses and takes none. `tickMs` never goes back from call to call. */
  take(keyId: string, tickMs: number): RateDecision;
  /** How many keys are remembered: idle ones are forgotten within two windows. */
  readonly keyCount: number;
}

/** Builds a limiter of `capacity` requests in any 60 seconds for each key. */
export function createRateLimiter(capacity: number = REQUESTS_PER_MINUTE): RateLimiter {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new RangeError(`The capacity of a rate limiter is a whole number from 1: ${capacity}`);
  }
  return new Buckets(capacity);
}

class Buckets implements RateLimiter {
  readonly #capacity: number;
  readonly #rings = new Map<string, TimeRing>();
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get keyCount(): number {
    return this.#rings.size;
  }

  take(keyId: string, tickMs: number): RateDecision {
    if (tickMs - this.#sweptMs >= RATE_WINDOW_MS) {
      this.#sweep(tickMs);
    }
    let ring = this.#rings.get(keyId);
    if (ring === undefined) {
      ring = new TimeRing();
      this.#rings.set(keyId, ring);
    }
    ring.forget(tickMs);
    const allowed = ring.count < this.#capacity;
    if (allowed) {
      ring.add(tickMs + RATE_WINDOW_MS);
    }
    return {
      allowed,
      limit: this.#capacity,
      remaining: this.#capacity - ring.count,
      resetSeconds: secondsUntil(ring.newest(), tickMs),
      retryAfterSeconds: allowed ? 0 : secondsUntil(ring.oldest(), tickMs),
    };
  }

  #sweep(tickMs: number): void {
    this.#sweptMs = tickMs;
    for (const [keyId, ring] of this.#rings) {
      if (ring.newest() <= tickMs) {
        this.#rings.delete(keyId);
      }
    }
  }
}

/** The smallest whole number of seconds after which `thenMs` is reached, in the clock's floats. */
function secondsUntil(thenMs: number, nowMs: number): number {
  const seconds = Math.min(Math.ceil((thenMs - nowMs) / 1000), RATE_WINDOW_MS / 1000);
  return nowMs + seconds * 1000 < thenMs ? seconds + 1 : seconds;
}

/** When each taken token comes back, oldest first. It grows with use, up to the capacity. */
class TimeRing {
  #times = new Float64Array(8);
  #head = 0;
  count = 0;

  add(timeMs: number): void {
    if (this.count === this.#times.length) {
      this.#grow();
    }
    this.#times[(this.#head + this.count) % this.#times.length] = timeMs;
    this.count += 1;
  }

  forget(nowMs: number): void {
    while (this.count > 0 && this.oldest() <= nowMs) {
      this.#head = (this.#head + 1) % this.#times.length;
      this.count -= 1;
    }
  }

  oldest(): number {
    return this.#times[this.#head] ?? 0;
  }

  newest(): number {
    return this.#times[(this.#head + this.count - 1) % this.#times.length] ?? 0;
  }

  #grow(): void {
    const times = new Float64Array(this.#times.length * 2);
    times.set(this.#times.subarray(this.#head));
    times.set(this.#times.subarray(0, this.#head), this.#times.length - this.#head);
    this.#times = times;
    this.#head = 0;
  }
}
