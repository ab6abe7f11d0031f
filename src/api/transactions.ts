/** Transactions in the HTTP interface: the list, one transaction, the push (Spec 4.5, 4.6). */

import type { Actor } from '../core/audit.ts';
import { formatInstant } from '../core/calendar.ts';
import { Failure } from '../core/failures.ts';
import { formatId } from '../core/ids.ts';
import { PAGE_ITEMS_DEFAULT, PUSH_ROWS } from '../core/limits.ts';
import { toMajor } from '../core/money.ts';
import type { Organisation } from '../core/organisations.ts';
import { PROVIDERS, STATUSES, TRANSACTION_ORDERS } from '../core/transactions.ts';
import { type PushOutcome, pushTransactions } from '../store/push.ts';
import {
  findTransaction,
  listTransactions,
  type TransactionRecord,
} from '../store/transactions.ts';
import { type Access, listDocument, notFound, numberOf } from './access.ts';
import type { Transaction, TransactionDocument, TransactionList } from './contract.ts';
import { bindingOf, readCursor } from './cursors.ts';
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
  id: identifiers('txn'),
  from: calendarDate,
  to: calendarDate,
  status: choices(STATUSES),
  // A plain string in the OpenAPI document: the list is open.
  provider: { ...choice(PROVIDERS), schema: { type: 'string', examples: PROVIDERS } },
  externalId: text,
  accountCode: text,
  contact: text,
  projectId: identifier('prj'),
  updatedSince: instant,
  q: text,
  order: choice(TRANSACTION_ORDERS),
  limit,
  cursor: text,
};

/** A page of the organisation's transactions in one of two orders. */
export function transactionList(
  { db, organisation }: Access,
  values: Values<typeof TRANSACTION_PARAMETERS>,
): TransactionList {
  const { limit: items = PAGE_ITEMS_DEFAULT, cursor, order = 'date', ...filters } = values;
  const binding = bindingOf('transactions', organisation.id, { order, ...filters });
  const { id: ids, status: statuses, updatedSince: updatedSinceMs, q: search, ...rest } = filters;
  const page = listTransactions(db, organisation.id, {
    filters: { ...rest, ids, statuses, updatedSinceMs, search },
    order,
    after: readCursor(binding, order, cursor),
    limit: items,
  });
  return listDocument(page, binding, (record) => toTransaction(record, organisation));
}

/** One transaction. Refuses with `not_found`. */
export function transactionDocument({ db, organisation }: Access, id: string): TransactionDocument {
  const record = findTransaction(db, organisation.id, numberOf('txn', id));
  if (record === undefined) throw notFound('transaction', id);
  return { data: toTransaction(record, organisation) };
}

/** A transaction as the HTTP interface, the library and the command line show it. */
export function toTransaction(record: TransactionRecord, { currency }: Organisation): Transaction {
  const { review } = record;
  return {
    id: formatId('txn', record.id),
    provider: record.provider,
    externalId: record.externalId,
    date: record.date,
    description: record.description,
    contact: record.contact,
    amount: toMajor(record.amountMinor, currency.places),
    currency: currency.code,
    accountCode: record.accountCode,
    status: record.status,
    allocatedAmount: toMajor(record.allocatedMinor, currency.places),
    review: review && {
      reason: 'amount_changed',
      previousAmount: toMajor(review.previousMinor, currency.places),
      changedAt: formatInstant(review.changedAtMs),
    },
    createdAt: formatInstant(record.createdAtMs),
    updatedAt: formatInstant(record.updatedAtMs),
  };
}

/** The query parameters of a push. */
export const PUSH_PARAMETERS = { dryRun: flag };

/**
 * Pushes the rows of an envelope (Spec 4.6). Refuses with `invalid_envelope`. When every row is
 * rejected it returns as usual: the caller checks the counts.
 */
export function pushEnvelope(
  { db, organisation }: Access,
  envelope: unknown,
  values: Values<typeof PUSH_PARAMETERS>,
  actor: Actor,
): PushOutcome {
  const batch = { rows: readRows(envelope), provider: 'api', ...toMode(values) } as const;
  return pushTransactions(db, organisation, batch, actor);
}

/** Pushes rows from a file, with the separate provider `csv` (contract 8). */
export function importRows(
  { db, organisation }: Access,
  rows: readonly unknown[],
  values: Values<typeof PUSH_PARAMETERS>,
  actor: Actor,
): PushOutcome {
  const batch = { rows: readRows({ rows }), provider: 'csv', ...toMode(values) } as const;
  return pushTransactions(db, organisation, batch, actor);
}

function toMode({ dryRun = false }: Values<typeof PUSH_PARAMETERS>): { dryRun: boolean } {
  return { dryRun };
}

function readRows(envelope: unknown): readonly unknown[] {
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
