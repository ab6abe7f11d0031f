/** The parameters of the lists (docs/http.md). The service checks names and values. */

import type { Report, Transaction } from './documents.ts';

/** The parameters of every list. */
export interface PageQuery {
  /** Items per page, 1 to 1000. By default 100 for a single page, 1000 when iterating. */
  readonly limit?: number | undefined;
  /** The `nextCursor` of the previous page. Send the same filters and order. */
  readonly cursor?: string | undefined;
}

/** A moment: a Date, or an RFC 3339 date-time with an offset. */
export type Instant = Date | string;

/** The filters of the list of projects. */
export interface ProjectQuery extends PageQuery {
  /** Only projects that are part of this project. */
  readonly parentProjectId?: string | undefined;
  /** Only projects that changed at this moment or later. */
  readonly updatedSince?: Instant | undefined;
}

/** The filters of the list of a project's allocations. */
export interface AllocationQuery extends PageQuery {
  /** Only transactions on or after this date, `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  /** Only transactions on or before this date, `YYYY-MM-DD`. */
  readonly to?: string | undefined;
  /** Only allocations to this budget line. */
  readonly budgetLineId?: string | undefined;
  /** Only allocations of this transaction. */
  readonly transactionId?: string | undefined;
}

/** The filters and the order of the list of transactions. Texts are compared byte for byte. */
export interface TransactionQuery extends PageQuery {
  /** Only transactions on or after this date, `YYYY-MM-DD`. */
  readonly from?: string | undefined;
  /** Only transactions on or before this date, `YYYY-MM-DD`. */
  readonly to?: string | undefined;
  /** Only these transactions: 1 to 100 identifiers. An unknown identifier matches nothing. */
  readonly id?: string | readonly string[] | undefined;
  /** Only transactions with one of these statuses. */
  readonly status?: Transaction['status'] | readonly Transaction['status'][] | undefined;
  /** Only transactions from this source: `api` for pushed ones. */
  readonly provider?: Transaction['provider'] | undefined;
  /** Only the transaction with this `externalId`. */
  readonly externalId?: string | undefined;
  /** Only transactions with this account code. */
  readonly accountCode?: string | undefined;
  /** Only transactions with this contact. */
  readonly contact?: string | undefined;
  /** Only transactions with this reference. */
  readonly reference?: string | undefined;
  /** Only transactions on this bank account. */
  readonly bankAccount?: string | undefined;
  /** Only transactions with this project code. */
  readonly projectCode?: string | undefined;
  /** Only transactions whose `externalId` begins with this text. */
  readonly externalIdPrefix?: string | undefined;
  /** Only transactions that are marked as recoded, or that are not. */
  readonly recoded?: boolean | undefined;
  /** Only transactions with an allocation to this project. */
  readonly projectId?: string | undefined;
  /** Only transactions that changed at this moment or later. */
  readonly updatedSince?: Instant | undefined;
  /** Text in the description, contact, externalId or reference. Case does not matter. */
  readonly q?: string | undefined;
  /** `date` (newest first; the default) or `updatedAt` (oldest first, to follow changes). */
  readonly order?: 'date' | 'updatedAt' | undefined;
}

/** The parameters of a report. */
export interface ReportQuery {
  /** The length of the periods: `monthly` (the default) or `quarterly`. */
  readonly granularity?: Report['granularity'] | undefined;
}
