/**
 * When keys were last used. A request only notes the time. A moment later the notes of all keys are
 * written together, at most once a minute for each key (contract 7), so no read waits for the disk.
 */

import { LAST_USED_INTERVAL_MS } from '../core/limits.ts';
import { type Db, withoutWaiting } from '../store/database.ts';
import { recordUses } from '../store/keys.ts';

const WRITE_AFTER_MS = 500;

/** Notes and writes the uses of keys. */
export class KeyUses {
  readonly #db: Db;
  readonly #writtenMs = new Map<number, number>();
  #noted = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Notes that a key was used. */
  note(keyId: number, nowMs: number): void {
    const writtenMs = this.#writtenMs.get(keyId);
    if (writtenMs !== undefined && Math.abs(nowMs - writtenMs) < LAST_USED_INTERVAL_MS) return;
    this.#noted.set(keyId, nowMs);
    this.#timer ??= setTimeout(() => this.write(), WRITE_AFTER_MS).unref();
  }

  /** Writes the notes. If the database is busy or full, they stay for the next time. */
  write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#noted.size === 0) return;
    const noted = this.#noted;
    try {
      withoutWaiting(this.#db, () => recordUses(this.#db, noted));
      this.#noted = new Map();
      for (const [keyId, usedMs] of noted) this.#writtenMs.set(keyId, usedMs);
    } catch {
      // Last used is a convenience: no request may fail because of it.
    }
  }
}
