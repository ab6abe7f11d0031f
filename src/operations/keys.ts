/**
 * API keys: owners and admins create, list and revoke them (Spec 5, contract 7), and requests use
 * them.
 */

import type { Actor } from '../core/audit.ts';
import { Failure } from '../core/failures.ts';
import { API_KEYS } from '../core/limits.ts';
import { SCOPES, type Scope } from '../core/plans.ts';
import { type Db, withoutWaiting } from '../database/database.ts';
import type { Access } from '../store/access.ts';
import * as store from '../store/keys.ts';
import { missing, numberOf } from './access.ts';
import { readChoice, readMoment, readName } from './input.ts';

/** A key to create. */
export interface KeyDraft {
  readonly name: string;
  /** One or more. */
  readonly scopes: readonly Scope[];
  /** A date (valid through that day, UTC) or an RFC 3339 date-time. No expiry by default. */
  readonly expiresAt?: string | undefined;
}

/** Creates a key and returns its text, only this once. Refuses with `invalid_input`. */
export function createKey(
  access: Access,
  draft: KeyDraft,
  actor: Actor,
): { id: number; key: string; expiresAtMs: number | null } {
  const scopes = draft.scopes.map((scope) => readChoice('A scope', scope, SCOPES));
  if (scopes.length === 0) {
    const message = `A key needs at least one scope: ${SCOPES.join(', ')}.`;
    throw new Failure('invalid_input', message);
  }
  const { expiresAt } = draft;
  const columns = {
    name: readName('The name', draft.name),
    scopes: SCOPES.filter((scope) => scopes.includes(scope)),
    expiresAtMs: expiresAt === undefined ? null : readMoment('The expiry', expiresAt, true),
  };
  const created = store.storeNewKey(access, columns, actor);
  return { ...created, expiresAtMs: columns.expiresAtMs };
}

/** One of the keys; undefined if the organisation has none with this identifier. */
export function findKeyById(access: Access, id: string): store.KeyRecord | undefined {
  return store.findKeyByNumber(access, numberOf('key', id));
}

/**
 * Revokes a key, from its next request on, and returns when, in milliseconds. Can be repeated.
 * Refuses with `not_found`.
 */
export function revokeKey(access: Access, id: string, actor: Actor): number {
  const revokedAtMs = store.storeRevocation(access, numberOf('key', id), actor);
  if (revokedAtMs === undefined) throw missing('key', id);
  return revokedAtMs;
}

const WRITE_AFTER_MS = 500;

/**
 * When keys were last used. A request only notes the time. A moment later the notes of all keys are
 * written together, at most once a minute for each key (contract 7), so no read waits for the disk.
 */
export class KeyUses {
  readonly #db: Db;
  readonly #writtenMs = new Map<number, number>();
  #noted = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db) {
    this.#db = db;
  }

  note(keyId: number, nowMs: number): void {
    const writtenMs = this.#writtenMs.get(keyId);
    if (writtenMs !== undefined && Math.abs(nowMs - writtenMs) < API_KEYS.usedIntervalMs) return;
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
      withoutWaiting(this.#db, () => store.recordUses({ db: this.#db }, noted));
      this.#noted = new Map();
      for (const [keyId, usedMs] of noted) this.#writtenMs.set(keyId, usedMs);
    } catch {
      // Last used is a convenience: no request may fail because of it.
    }
  }
}
