/** What waits for a code of a second factor. It is kept in memory, and ends with the service. */

import { SECOND_FACTOR } from '../../core/limits.ts';

/** Values that last for some minutes. A full list forgets the oldest. */
export class Waiting<Value> {
  readonly #kept = new Map<string, { readonly value: Value; readonly atMs: number }>();
  readonly #lastsMs: number;

  constructor(minutes: number) {
    this.#lastsMs = minutes * 60_000;
  }

  /** Keeps a value, in place of the one with the same key. */
  keep(key: string, value: Value, nowMs: number): void {
    this.#kept.delete(key);
    this.#kept.set(key, { value, atMs: nowMs });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > SECOND_FACTOR.waiting && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** A value, and when it was kept; undefined if it lasts no longer, or the clock went back. */
  find(key: string, nowMs: number): { readonly value: Value; readonly atMs: number } | undefined {
    const found = this.#kept.get(key);
    if (found === undefined) return undefined;
    const ageMs = nowMs - found.atMs;
    return ageMs >= 0 && ageMs <= this.#lastsMs ? found : undefined;
  }

  forget(key: string): void {
    this.#kept.delete(key);
  }
}

/** Someone whose password was right, who has a second factor. */
export interface HalfSignIn {
  readonly userId: number;
  readonly email: string;
  /** The hash of the password that was right: another one ends this. */
  readonly password: string;
  /** When the try was counted. */
  readonly tickMs: number;
}

/** A secret for an authenticator, until a code proves it. */
export interface NewSecret {
  readonly secret: Buffer;
  /** Whether it takes the place of one that works until then. */
  readonly isOther: boolean;
}
