/** What the lists take (contract 4). A name or value that the service refuses is its to refuse. */

import type { Report, Transaction } from '../api/contract.ts';

/** What every list takes. `limit` is 1 to 1000. */
export interface PageQuery {
  readonly limit?: number | undefined;
  /** The `nextCursor` of the page before, under the same filters. */
  readonly cursor?: string | undefined;
}

/** A moment: a Date, or an RFC 3339 date-time with an offset. */
export type Instant = Date | string;

/** What the list of projects takes. */
export interface ProjectQuery extends PageQuery {
  readonly parentProjectId?: string | undefined;
  readonly updatedSince?: Instant | undefined;
}

/** What the list of a project's allocations takes. */
export interface AllocationQuery extends PageQuery {
  /** Days as YYYY-MM-DD, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly budgetLineId?: string | undefined;
  readonly transactionId?: string | undefined;
}

/** What the list of transactions takes. */
export interface TransactionQuery extends PageQuery {
  /** Days as YYYY-MM-DD, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** One or up to 100 of them; an unknown one matches nothing. */
  readonly id?: string | readonly string[] | undefined;
  readonly status?: Transaction['status'] | readonly Transaction['status'][] | undefined;
  readonly provider?: Transaction['provider'] | undefined;
  readonly externalId?: string | undefined;
  readonly accountCode?: string | undefined;
  readonly contact?: string | undefined;
  readonly projectId?: string | undefined;
  readonly updatedSince?: Instant | undefined;
  /** A part of description, contact or externalId, in any case. */
  readonly q?: string | undefined;
  /** `date` (newest first) by default; `updatedAt` (oldest first) for incremental reads. */
  readonly order?: 'date' | 'updatedAt' | undefined;
}

/** What a report takes. */
export interface ReportQuery {
  /** `monthly` by default. */
  readonly granularity?: Report['granularity'] | undefined;
}

type QueryValue = string | number | boolean | Date | readonly string[] | undefined;

/** A path of version 1 with its query; parts of the path are encoded. */
export function targetOf(parts: readonly string[], query: object = {}): string {
  const path = ['/api/v1', ...parts.map((part) => encodeURIComponent(part))].join('/');
  const values = new URLSearchParams();
  for (const [name, value] of Object.entries(query) as [string, QueryValue][]) {
    if (value === undefined) continue;
    values.set(name, value instanceof Date ? value.toISOString() : String(value));
  }
  const text = values.toString();
  return text === '' ? path : `${path}?${text}`;
}
