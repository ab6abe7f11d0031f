/** API keys in the library. */

import { type Key, keyDocument } from '../api/documents.ts';
import { formatInstant } from '../core/calendar.ts';
import { formatId } from '../core/ids.ts';
import { accessTo } from '../operations/access.ts';
import * as operations from '../operations/keys.ts';
import { listKeys } from '../store/keys.ts';
import type { LibraryContext } from './context.ts';

/** What can be done with keys. */
export type Keys = ReturnType<typeof buildKeys>;

/** Builds the calls for keys. */
export function buildKeys(context: LibraryContext) {
  return {
    /** Creates a key and returns its text, only this once. Refuses with `invalid_input`. */
    create(organisationId: string, draft: operations.KeyDraft): { id: string; key: string } {
      const access = accessTo(context, organisationId);
      const { id, key } = operations.createKey(access, draft, context.actor());
      return { id: formatId('key', id), key };
    },
    /** Every key of the organisation, including revoked ones. */
    list(organisationId: string): Key[] {
      return listKeys(accessTo(context, organisationId)).map(keyDocument);
    },
    /** Revokes a key, from its next request on. Can be repeated. Refuses with `not_found`. */
    revoke(organisationId: string, keyId: string): { keyId: string; revokedAt: string } {
      const access = accessTo(context, organisationId);
      const revokedAtMs = operations.revokeKey(access, keyId, context.actor());
      return { keyId, revokedAt: formatInstant(revokedAtMs) };
    },
  };
}
