/** API keys: owners and admins create, list and revoke them (Spec 5, contract 7). */

import { notFound, numberOf } from '../api/access.ts';
import { formatInstant, isCalendarDate, readInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { SCOPES, type Scope } from '../core/plans.ts';
import { createKey, type KeyRecord, listKeys, revokeKey } from '../store/keys.ts';
import { accessTo, explainInstant, type LibraryContext, readChoice, readName } from './context.ts';

/** A key as it is shown, without its text. */
export interface Key {
  readonly id: string;
  readonly name: string;
  /** The first 6 of its 48 characters. */
  readonly display: string;
  readonly scopes: readonly Scope[];
  readonly createdBy: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly lastUsedAt: string | null;
  readonly revokedAt: string | null;
}

/** A key to create. */
export interface KeyDraft {
  readonly name: string;
  /** One or more. */
  readonly scopes: readonly Scope[];
  /** A date (valid through that day, UTC) or an RFC 3339 date-time. No expiry by default. */
  readonly expiresAt?: string | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** What can be done with keys. */
export function buildKeys(context: LibraryContext) {
  return {
    /** Creates a key and returns its text, only this once. Refuses with `invalid_input`. */
    create(organisationId: string, draft: KeyDraft): { id: string; key: string } {
      const { organisation } = accessTo(context, organisationId);
      const scopes = draft.scopes.map((scope) => readChoice('A scope', scope, SCOPES));
      if (scopes.length === 0) {
        const message = `A key needs at least one scope: ${SCOPES.join(', ')}.`;
        throw new Failure('invalid_input', message);
      }
      const columns = {
        name: readName('The name', draft.name),
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        expiresAtMs: readExpiry(draft.expiresAt),
      };
      const { id, key } = createKey(context.db, organisation.id, columns, context.actor());
      return { id: formatId('key', id), key };
    },

    /** Every key of the organisation, including revoked ones. */
    list(organisationId: string): Key[] {
      const { organisation } = accessTo(context, organisationId);
      return listKeys(context.db, organisation.id).map(toShown);
    },

    /** Revokes a key, from its next request on. Can be repeated. Refuses with `not_found`. */
    revoke(organisationId: string, keyId: string): { keyId: string; revokedAt: string } {
      const { organisation } = accessTo(context, organisationId);
      const number = numberOf('key', keyId);
      const revokedAtMs = revokeKey(context.db, organisation.id, number, context.actor());
      if (revokedAtMs === undefined) throw notFound('key', keyId);
      return { keyId, revokedAt: formatInstant(revokedAtMs) };
    },
  };
}

function readExpiry(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (isCalendarDate(text)) return Date.parse(`${text}T00:00:00Z`) + DAY_MS;
  const instantMs = readInstant(text);
  if (instantMs !== undefined) return instantMs;
  throw new Failure('invalid_input', explainInstant('The expiry', text));
}

function toShown(record: KeyRecord): Key {
  const { id, name, display, scopes, createdBy } = record;
  return {
    id: formatId('key', id),
    name,
    display,
    scopes,
    createdBy,
    createdAt: formatInstant(record.createdAtMs),
    expiresAt: shownInstant(record.expiresAtMs),
    lastUsedAt: shownInstant(record.lastUsedAtMs),
    revokedAt: shownInstant(record.revokedAtMs),
  };
}

function shownInstant(instantMs: number | null): string | null {
  return instantMs === null ? null : formatInstant(instantMs);
}
