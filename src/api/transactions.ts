/** Transactions on the wire: the parameters of the list, the envelope of a push (Spec 4.5, 4.6). */

import { Failure } from '../core/failures.ts';
import { PUSH_ROWS } from '../core/limits.ts';
import { PROVIDERS, STATUSES, TRANSACTION_ORDERS } from '../core/transactions.ts';
import type { TransactionFilter } from '../operations/transactions.ts';
import {
  calendarDate,
  choice,
  choices,
  flag,
  identifier,
  identifiers,
  instant,
  limit,
  text,
  type Values,
} from './parameters.ts';

/** The parameters of the list of transactions (contract 4). */
export const TRANSACTION_PARAMETERS = {
  id: identifiers,
  from: calendarDate,
  to: calendarDate,
  status: choices(STATUSES),
  // A plain string in the OpenAPI document: the list is open.
  provider: { ...choice(PROVIDERS), schema: { type: 'string', examples: PROVIDERS } },
  externalId: text,
  accountCode: text,
  contact: text,
  projectId: identifier,
  updatedSince: instant,
  q: text,
  order: choice(TRANSACTION_ORDERS),
  limit,
  cursor: text,
};

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
export const PUSH_PARAMETERS = { dryRun: flag };

/** How to push, from the parameters. */
export function toMode({ dryRun = false }: Values<typeof PUSH_PARAMETERS>): { dryRun: boolean } {
  return { dryRun };
}

/** The rows of an envelope (Spec 4.6). Refuses with `invalid_envelope`. */
export function readRows(envelope: unknown): readonly unknown[] {
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope)) {
    throw invalidEnvelope('The body must be a JSON object with a member rows.');
  }
  const rows: unknown = Object.hasOwn(envelope, 'rows') ? Reflect.get(envelope, 'rows') : undefined;
  if (!Array.isArray(rows)) throw invalidEnvelope('The member rows must be a list of rows.');
  if (rows.length === 0 || rows.length > PUSH_ROWS) {
    const message = `rows must contain 1 to ${PUSH_ROWS} rows, not ${rows.length}.`;
    throw invalidEnvelope(
      `${message} ${rows.length > PUSH_ROWS ? 'Send several requests.' : ''}`.trim(),
    );
  }
  return rows;
}

function invalidEnvelope(message: string): Failure {
  const details = [{ field: 'rows', code: 'invalid_envelope', message }];
  return new Failure('invalid_envelope', message, { details });
}
