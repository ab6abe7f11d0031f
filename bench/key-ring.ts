/** Many keys, each used no more often than the rate limit allows, so the limit can stay on. */

import { REQUESTS_PER_MINUTE } from '../src/core/limits.ts';

/** A little longer than the window, to allow for the time a request travels. */
const WINDOW_MS = 62_000;

/** Hands out keys. */
export class KeyRing {
  readonly #keys: readonly string[];
  /** When each key can be used again. */
  readonly #readyMs: number[];
  #at = 0;
  #left = REQUESTS_PER_MINUTE;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
    this.#readyMs = keys.map(() => 0);
  }

  /** A key for one request, now. */
  next(): string {
    if (this.#left === 0) this.#advance();
    this.#left -= 1;
    this.#readyMs[this.#at] = performance.now() + WINDOW_MS;
    return this.#keys[this.#at] ?? '';
  }

  /** Keys that together allow this many requests within the next minute. */
  reserve(requests: number): string[] {
    const keys: string[] = [];
    for (let count = Math.ceil(requests / REQUESTS_PER_MINUTE); count > 0; count -= 1) {
      this.#advance();
      this.#left = 0;
      this.#readyMs[this.#at] = performance.now() + 2 * WINDOW_MS;
      keys.push(this.#keys[this.#at] ?? '');
    }
    return keys;
  }

  #advance(): void {
    this.#at = (this.#at + 1) % this.#keys.length;
    this.#left = REQUESTS_PER_MINUTE;
    if ((this.#readyMs[this.#at] ?? 0) > performance.now()) {
      throw new Error(`${this.#keys.length} keys are not enough for this run`);
    }
  }
}
