/**
 * The filter of an operation that the parameters of its endpoint describe. The options of a command
 * that lists things are the same parameters. Those of a project's allocations are its filter.
 */

import { renamed } from '../operations/input.ts';
import type { TransactionFilter } from '../operations/transactions.ts';
import type { PARAMETERS, Values } from './parameters.ts';

/** Where the names differ. */
const FILTERS = {
  id: 'ids',
  status: 'statuses',
  recoded: 'isRecoded',
  updatedSince: 'updatedSinceMs',
  q: 'search',
} as const;

/** The filter of the list of projects (Spec 4.1). */
export function toProjectFilter(values: Values<typeof PARAMETERS.ProjectQuery>) {
  return renamed(values, FILTERS);
}

/** The filter of the list of transactions (contract 4). */
export function toTransactionFilter(
  values: Values<typeof PARAMETERS.TransactionQuery>,
): TransactionFilter {
  return renamed(values, FILTERS);
}
