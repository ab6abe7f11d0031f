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
export function toProjectFilter(
  values: Values<typeof PROJECT_PARAMETERS>,
): Required<ProjectFilter> {
  const { parentProjectId, updatedSince: updatedSinceMs, limit, cursor } = values;
  return { parentProjectId, updatedSinceMs, limit, cursor };
}

/** The parameters of a report (Spec 4.3). */
export const REPORT_PARAMETERS = parametersOf('ReportQuery');

/** The parameters of a project's allocations (Spec 4.4): their values are the filter. */
export const ALLOCATION_PARAMETERS = parametersOf('AllocationQuery');

/** The parameters of the list of transactions (contract 4). */
export const TRANSACTION_PARAMETERS = parametersOf('TransactionQuery');

/** The filter that they describe. */
export function toTransactionFilter(
  values: Values<typeof TRANSACTION_PARAMETERS>,
): Required<TransactionFilter> {
  return {
    ids: values.id,
    from: values.from,
    to: values.to,
    statuses: values.status,
    isAllocatable: undefined,
    provider: values.provider,
    externalId: values.externalId,
    accountCode: values.accountCode,
    contact: values.contact,
    reference: values.reference,
    bankAccount: values.bankAccount,
    projectCode: values.projectCode,
    externalIdPrefix: values.externalIdPrefix,
    isRecoded: values.recoded,
    projectId: values.projectId,
    budgetLineId: undefined,
    updatedSinceMs: values.updatedSince,
    search: values.q,
    order: values.order,
    limit: values.limit,
    cursor: values.cursor,
  };
}

/** The parameters of a push. */
export const PUSH_PARAMETERS = parametersOf('PushQuery');
