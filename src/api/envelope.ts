/** The envelope of a push (Spec 4.6). */

import { checks } from '../core/checks.js';
import { Failure } from '../core/failures.ts';
import { PUSH_ROWS } from '../core/limits.ts';

/** The rows of an envelope (Spec 4.6). Refuses with `invalid_envelope`. */
export function readEnvelope(envelope: unknown): readonly unknown[] {
  if (checks.PushEnvelope(envelope)) return envelope.rows;
  const message = explainEnvelope(envelope);
  const details = [{ field: 'rows', code: 'invalid_envelope', message }];
  throw new Failure('invalid_envelope', message, { details });
}

function explainEnvelope(envelope: unknown): string {
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    return 'The body must be a JSON object with a member rows.';
  }
  const rows: unknown = Object.hasOwn(envelope, 'rows') ? Reflect.get(envelope, 'rows') : undefined;
  if (!Array.isArray(rows)) return 'The member rows must be a list of rows.';
  const message = `rows must contain 1 to ${PUSH_ROWS} rows, not ${rows.length}.`;
  return rows.length > PUSH_ROWS ? `${message} Send several requests.` : message;
}
