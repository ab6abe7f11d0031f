/**
 * The rate limit of a key (contract 2, step 4), or of anything that is counted by a name: a bucket
 * of tokens. Each token returns one window (60 seconds) after it was taken, so no window has more
 * requests than the capacity. Time is a parameter and must be monotonic, or a clock change could
 * lock a key out.
 */

import { RATE_WINDOW_MS, REQUESTS_PER_MINUTE } from '../core/limits.ts';

/** The decision on one request. */
interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Whole seconds, at least 1, until a request succeeds; 0 if this one is allowed. */
  readonly retryAfterSeconds: number;
}

/** The buckets of all keys. */
export interface RateLimiter {
  /** Takes a token, if there is one. `tickMs` must never decrease between calls. */
  take(keyId: string, tickMs: number): RateDecision;
  /** Returns the token that was taken at `tickMs`, if it is not back yet. */
  giveBack(keyId: string, tickMs: number): void;
  /** How many keys are tracked. Idle keys are removed within two windows. */
  readonly keyCount: number;
}

/**
 * Builds a limiter that allows each key `capacity` requests in any window. Above `mostKeys`, it
 * forgets the key that it has known for longest.
 */
export function createRateLimiter(
  capacity: number = REQUESTS_PER_MINUTE,
  windowMs: number = RATE_WINDOW_MS,
  mostKeys: number = Number.POSITIVE_INFINITY,
): RateLimiter {
  if (!Number.isSafeInteger(capacity) || capacity < 1) {
    throw new RangeError(`A rate limit is a whole number of 1 or more, not ${capacity}.`);
  }
  return new Buckets(capacity, windowMs, mostKeys);
}

class Buckets implements RateLimiter {
  readonly #capacity: number;
  readonly #windowMs: number;
  readonly #mostKeys: number;
  readonly #rings = new Map<string, TimeRing>();
  #sweptMs = Number.NEGATIVE_INFINITY;

  constructor(capacity: number, windowMs: number, mostKeys: number) {
    this.#capacity = capacity;
    this.#windowMs = windowMs;
    this.#mostKeys = mostKeys;
  }

  get keyCount(): number {
    return this.#rings.size;
  }

  take(keyId: string, tickMs: number): RateDecision {
    if (tickMs - this.#sweptMs >= this.#windowMs) {
      this.#sweep(tickMs);
    }
    let ring = this.#rings.get(keyId);
    if (ring === undefined) {
      const [oldest] = this.#rings.size < this.#mostKeys ? [] : this.#rings.keys();
      if (oldest !== undefined) this.#rings.delete(oldest);
      ring = new TimeRing();
      this.#rings.set(keyId, ring);
    }
    ring.forget(tickMs);
    const allowed = ring.count < this.#capacity;
    if (allowed) {
      ring.add(tickMs + this.#windowMs);
    }
    return {
      allowed,
      limit: this.#capacity,
      remaining: this.#capacity - ring.count,
      resetSeconds: this.#secondsUntil(ring.newest(), tickMs),
      retryAfterSeconds: allowed ? 0 : this.#secondsUntil(ring.oldest(), tickMs),
    };
  }

  giveBack(keyId: string, tickMs: number): void {
    const ring = this.#rings.get(keyId);
    ring?.remove(tickMs + this.#windowMs);
    if (ring?.count === 0) this.#rings.delete(keyId);
  }

  /** The fewest whole seconds after which the clock reaches `thenMs`, with its rounding. */
  #secondsUntil(thenMs: number, nowMs: number): number {
    const seconds = Math.min(Math.ceil((thenMs - nowMs) / 1000), this.#windowMs / 1000);
    return nowMs + seconds * 1000 < thenMs ? seconds + 1 : seconds;
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

/** When each taken token returns, oldest first. Grows as needed, up to the capacity. */
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

  remove(timeMs: number): void {
    const { length } = this.#times;
    const place = (at: number) => (this.#head + at) % length;
    let at = this.count - 1;
    while (at >= 0 && this.#times[place(at)] !== timeMs) at -= 1;
    if (at < 0) return;
    for (; at < this.count - 1; at += 1) {
      this.#times[place(at)] = this.#times[place(at + 1)] ?? 0;
    }
    this.count -= 1;
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
