/** Transactions on the wire: the parameters of the list, the envelope of a push (Spec 4.5, 4.6). */

import { checks } from '../core/checks.js';
import { Failure } from '../core/failures.ts';
import { PUSH_ROWS } from '../core/limits.ts';
import type { TransactionFilter } from '../operations/transactions.ts';
import { parametersOf, type Values } from './parameters.ts';

/** The parameters of the list of transactions (contract 4). */
export const TRANSACTION_PARAMETERS = parametersOf('TransactionQuery');

/** The filter that they describe. */
export function toTransactionFilter({
  id: ids,
  status: statuses,
  updatedSince: updatedSinceMs,
  q: search,
  ...rest
}: Values<typeof TRANSACTION_PARAMETERS>): TransactionFilter {
  return { ...rest, ids, statuses, updatedSinceMs, search };
}

/** The query parameters of a push. */
export const PUSH_PARAMETERS = parametersOf('PushQuery');

/** How to push, from the parameters. */
export function toMode({ dryRun = false }: Values<typeof PUSH_PARAMETERS>): { dryRun: boolean } {
  return { dryRun };
}

/** The rows of an envelope (Spec 4.6). Refuses with `invalid_envelope`. */
export function readRows(envelope: unknown): readonly unknown[] {
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
