/**
 * The rate limit of a key (contract 2, step 4), or of anything that is counted by a name: a bucket
 * of tokens. Each token returns one window (60 seconds) after it was taken, so no window has more
 * requests than the capacity. Time is a parameter and must be monotonic, or a clock change could
 * lock a key out.
 */

import { RATE_WINDOW_MS, REQUESTS_PER_MINUTE } from '../core/limits.ts';

interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Whole seconds, at least 1, until a request succeeds; 0 if this one is allowed. */
  readonly retryAfterSeconds: number;
}

/** The buckets of all keys: each allows `capacity` requests in any window. */
export class RateLimiter {
  readonly #capacity: number;
  readonly #windowMs: number;
  readonly #mostKeys: number;
  /** When each taken token of a key returns, the next one first. */
  readonly #returns = new Map<string, number[]>();
  #sweptMs = Number.NEGATIVE_INFINITY;

  /** Above `mostKeys`, the key that has been known for longest is forgotten. */
  constructor(
    capacity: number = REQUESTS_PER_MINUTE,
    windowMs: number = RATE_WINDOW_MS,
    mostKeys: number = Number.POSITIVE_INFINITY,
  ) {
    if (!Number.isSafeInteger(capacity) || capacity < 1) {
      throw new RangeError(`A rate limit is a whole number of 1 or more, not ${capacity}.`);
    }
    this.#capacity = capacity;
    this.#windowMs = windowMs;
    this.#mostKeys = mostKeys;
  }

  /** How many keys are tracked. Idle keys are removed within two windows. */
  get keyCount(): number {
    return this.#returns.size;
  }

  /** Takes a token, if there is one. `tickMs` must never decrease between calls. */
  take(keyId: string, tickMs: number): RateDecision {
    if (tickMs - this.#sweptMs >= this.#windowMs) this.#sweep(tickMs);
    let times = this.#returns.get(keyId);
    if (times === undefined) {
      const [oldest] = this.#returns.size < this.#mostKeys ? [] : this.#returns.keys();
      if (oldest !== undefined) this.#returns.delete(oldest);
      times = [];
      this.#returns.set(keyId, times);
    }
    while ((times[0] ?? Number.POSITIVE_INFINITY) <= tickMs) times.shift();
    const allowed = times.length < this.#capacity;
    if (allowed) times.push(tickMs + this.#windowMs);
    return {
      allowed,
      limit: this.#capacity,
      remaining: this.#capacity - times.length,
      resetSeconds: this.#secondsUntil(times.at(-1), tickMs),
      retryAfterSeconds: allowed ? 0 : this.#secondsUntil(times[0], tickMs),
    };
  }

  /** Returns the token that was taken at `tickMs`, if it is not back yet. */
  giveBack(keyId: string, tickMs: number): void {
    const times = this.#returns.get(keyId) ?? [];
    const at = times.lastIndexOf(tickMs + this.#windowMs);
    if (at >= 0) times.splice(at, 1);
    if (times.length === 0) this.#returns.delete(keyId);
  }

  /** The fewest whole seconds after which the clock reaches `thenMs`, with its rounding. */
  #secondsUntil(thenMs = 0, nowMs = 0): number {
    const seconds = Math.min(Math.ceil((thenMs - nowMs) / 1000), this.#windowMs / 1000);
    return nowMs + seconds * 1000 < thenMs ? seconds + 1 : seconds;
  }

  #sweep(tickMs: number): void {
    this.#sweptMs = tickMs;
    for (const [keyId, times] of this.#returns) {
      if ((times.at(-1) ?? 0) <= tickMs) this.#returns.delete(keyId);
    }
  }
}
