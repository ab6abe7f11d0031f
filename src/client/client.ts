/**
 * The typed client for version 1 of the HTTP interface. It needs only `fetch`: nothing from Node,
 * and nothing from the service except its documents.
 */

import { type Expectation, membersOf } from './answers.ts';
import type {
  Allocation,
  AllocationList,
  AllocationQuery,
  PageQuery,
  Project,
  ProjectDocument,
  ProjectList,
  ProjectQuery,
  PushAnswer,
  PushCounts,
  PushRow,
  ReportDocument,
  ReportQuery,
  Transaction,
  TransactionList,
  TransactionQuery,
} from './documents.ts';
import { BudgetdError } from './errors.ts';
import {
  type PushBatchOptions,
  type PushOptions,
  type PushRows,
  pushBatch,
  pushRows,
} from './push.ts';
import { type CallOptions, type ClientOptions, readClientOptions } from './settings.ts';
import { refuseAborted, Transport, targetOf } from './transport.ts';

/**
 * The calls of the interface, which docs/client.md explains. Every method throws only
 * {@link BudgetdError}. Every call waits for the rate limit and retries failures that can pass,
 * within the limits of {@link ClientOptions}.
 *
 * Amounts are in major units of the organisation's base currency: money out is positive, money in
 * is negative.
 */
export interface Client {
  /** The organisation's projects. Scope `projects:read`. */
  readonly projects: {
    /** One page, by name. */
    list(query?: ProjectQuery, options?: CallOptions): Promise<ProjectList>;
    /** Every project. Reads page by page. */
    iterate(query?: ProjectQuery, options?: CallOptions): AsyncGenerator<Project, void>;
    /** One project. Throws `not_found` if the organisation does not have this project. */
    get(projectId: string, options?: CallOptions): Promise<ProjectDocument>;
  };
  /** Budget against actual for one project. Scope `reports:read`. */
  report(projectId: string, query?: ReportQuery, options?: CallOptions): Promise<ReportDocument>;
  /** The allocations to a project's budget lines. Scope `allocations:read`. */
  readonly allocations: {
    /** One page, newest first. */
    list(
      projectId: string,
      query?: AllocationQuery,
      options?: CallOptions,
    ): Promise<AllocationList>;
    /** Every allocation. Reads page by page. */
    iterate(
      projectId: string,
      query?: AllocationQuery,
      options?: CallOptions,
    ): AsyncGenerator<Allocation, void>;
  };
  /** The organisation's transactions. Scope `transactions:read`. */
  readonly transactions: {
    /** One page, newest first by default. */
    list(query?: TransactionQuery, options?: CallOptions): Promise<TransactionList>;
    /** Every transaction. Reads page by page. */
    iterate(query?: TransactionQuery, options?: CallOptions): AsyncGenerator<Transaction, void>;
  };
  /**
   * Pushes 1 to 500 rows in one request. Scope `transactions:write`. Rejected rows are results,
   * even when every row is rejected. If an answer is lost, the client sends the request again: rows
   * that the first request created are then `updated` in the results.
   */
  pushBatch(rows: readonly PushRow[], options?: PushBatchOptions): Promise<PushAnswer>;
  /**
   * Pushes any number of rows in order, in batches of up to 500, and returns their counts;
   * `onBatch` says which rows were rejected. After an error, `onBatch` and the `counts` of the
   * error show what was answered. You can always push the same rows again: the service identifies
   * them by their `externalId`.
   */
  push(rows: PushRows, options?: PushOptions): Promise<PushCounts>;
}

/** Creates a client. Sends nothing. Throws {@link BudgetdError} with `invalid_option`. */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(readClientOptions(options));
  const get = async <Document>(
    target: string,
    expected: Expectation<Document>,
    { signal }: CallOptions = {},
  ) => (await transport.send({ method: 'GET', target, signal }, expected)).document;
  const listOf = <Document>(parts: readonly string[], query?: object, call?: CallOptions) =>
    get(targetOf(parts, query), expectPage<Document>(), call);
  const allocations = (projectId: string) => ['projects', readId(projectId), 'allocations'];
  return {
    projects: {
      list: async (query, call) => listOf(['projects'], query, call),
      iterate: (query, call) =>
        iterate((page) => listOf<ProjectList>(['projects'], page, call), query, call),
      get: async (projectId, call) =>
        get(targetOf(['projects', readId(projectId)]), expectOne(), call),
    },
    report: async (projectId, query, call) =>
      get(targetOf(['projects', readId(projectId), 'report'], query), expectOne(), call),
    allocations: {
      list: async (projectId, query, call) => listOf(allocations(projectId), query, call),
      iterate: (projectId, query, call) =>
        iterate((page) => listOf<AllocationList>(allocations(projectId), page, call), query, call),
    },
    transactions: {
      list: async (query, call) => listOf(['transactions'], query, call),
      iterate: (query, call) =>
        iterate((page) => listOf<TransactionList>(['transactions'], page, call), query, call),
    },
    pushBatch: async (rows, pushOptions = {}) => pushBatch(transport, rows, pushOptions),
    push: async (rows, pushOptions = {}) => pushRows(transport, rows, pushOptions),
  };
}

/** Items per page when iterating: the largest page, because each page costs a request. */
const PAGE_ITEMS = 1000;

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}

async function* iterate<Item>(
  list: (query: PageQuery) => Promise<Page<Item>>,
  query: PageQuery = {},
  { signal }: CallOptions = {},
): AsyncGenerator<Item, void> {
  let next = { limit: PAGE_ITEMS, ...query };
  for (;;) {
    const { data, meta } = await list(next);
    for (const item of data) {
      refuseAborted([signal]);
      yield item;
    }
    const { nextCursor: cursor } = meta;
    if (cursor === null) return;
    if (cursor === next.cursor) {
      const message =
        'The service returned the same cursor again, so the list would never end. Report this.';
      throw new BudgetdError('unexpected_answer', message);
    }
    next = { ...next, cursor };
  }
}

function expectOne<Document>(): Expectation<Document> {
  return { read: (document) => membersOf(membersOf(document)?.['data']) && (document as Document) };
}

function expectPage<Document>(): Expectation<Document> {
  return {
    read: (document) => {
      const { data, meta } = membersOf(document) ?? {};
      const cursor = membersOf(meta)?.['nextCursor'];
      const isPage = Array.isArray(data) && (cursor === null || typeof cursor === 'string');
      return isPage ? (document as Document) : undefined;
    },
  };
}

/** An empty or relative identifier leads to another path; half a surrogate pair has no path. */
function readId(id: string): string {
  if (id !== '' && id !== '.' && id !== '..' && !/\p{Cs}/u.test(id)) return id;
  throw new BudgetdError('invalid_option', `"${id}" is not an identifier.`);
}
