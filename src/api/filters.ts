/**
 * The query parameters of each endpoint, and the filter of an operation that they describe. The
 * options of a command that lists things are the same parameters.
 */

import type { ProjectFilter } from '../operations/projects.ts';
import type { TransactionFilter } from '../operations/transactions.ts';
import { parametersOf, type Values } from './parameters.ts';

/** The parameters of the list of projects (Spec 4.1). */
export const PROJECT_PARAMETERS = parametersOf('ProjectQuery');

/** The filter that they describe. */
export function toProjectFilter({
  updatedSince: updatedSinceMs,
  ...rest
}: Values<typeof PROJECT_PARAMETERS>): ProjectFilter {
  return { ...rest, updatedSinceMs };
}

/** The parameters of a report (Spec 4.3). */
export const REPORT_PARAMETERS = parametersOf('ReportQuery');

/** The parameters of a project's allocations (Spec 4.4): their values are the filter. */
export const ALLOCATION_PARAMETERS = parametersOf('AllocationQuery');

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

/** The parameters of a push. */
export const PUSH_PARAMETERS = parametersOf('PushQuery');
