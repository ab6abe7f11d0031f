/**
 * The typed client for the HTTP interface, version 1. It knows `fetch` and the documents of
 * `api/contract`, nothing of Node and nothing of the service behind the address.
 */

import type {
  Allocation,
  AllocationList,
  Project,
  ProjectDocument,
  ProjectList,
  PushAnswer,
  PushCounts,
  PushRow,
  ReportDocument,
  Transaction,
  TransactionList,
} from '../api/contract.ts';
import { type Expectation, membersOf } from './answers.ts';
import { BudgetdError } from './errors.ts';
import { type PushOptions, type PushRows, pushBatch, pushRows } from './push.ts';
import {
  type AllocationQuery,
  type PageQuery,
  type ProjectQuery,
  type ReportQuery,
  type TransactionQuery,
  targetOf,
} from './queries.ts';
import { type ClientOptions, readSettings } from './settings.ts';
import { Transport } from './transport.ts';

/** What can be done over the interface; every method throws {@link BudgetdError} alone. */
export interface Client {
  /** `list` gives one page, `iterate` every item, page after page (Spec 4.1, 4.2). */
  readonly projects: {
    list(query?: ProjectQuery): Promise<ProjectList>;
    iterate(query?: ProjectQuery): AsyncGenerator<Project, void>;
    get(projectId: string): Promise<ProjectDocument>;
  };
  /** Budget against actual for one project (Spec 4.3). */
  report(projectId: string, query?: ReportQuery): Promise<ReportDocument>;
  /** What is allocated to a project's budget lines (Spec 4.4). */
  readonly allocations: {
    list(projectId: string, query?: AllocationQuery): Promise<AllocationList>;
    iterate(projectId: string, query?: AllocationQuery): AsyncGenerator<Allocation, void>;
  };
  /** The organisation's transactions (Spec 4.5). */
  readonly transactions: {
    list(query?: TransactionQuery): Promise<TransactionList>;
    iterate(query?: TransactionQuery): AsyncGenerator<Transaction, void>;
  };
  /**
   * Pushes 1 to 500 rows in one request (Spec 4.6). Rejected rows are results, also when all of
   * them are rejected. When an answer is lost on its way the request is sent again, and rows which
   * the first one created come back as `updated`.
   */
  pushBatch(rows: readonly PushRow[], options?: { dryRun?: boolean }): Promise<PushAnswer>;
  /**
   * Pushes any number of rows in order, in batches of up to 500, and gives their counts. What was
   * answered so far is known from `onBatch` and from the `counts` of an error. Pushing the same
   * rows again is always safe: they are found by their externalId.
   */
  push(rows: PushRows, options?: PushOptions): Promise<PushCounts>;
}

/** Makes a client; nothing is sent yet. Throws {@link BudgetdError} with `invalid_option`. */
export function createClient(options: ClientOptions): Client {
  const transport = new Transport(readSettings(options));
  const get = async <Document>(target: string, expected: Expectation<Document>) =>
    (await transport.send({ method: 'GET', target }, expected)).document;
  const listOf = <Document>(parts: readonly string[], query?: object) =>
    get(targetOf(parts, query), expectPage<Document>());
  const allocations = (projectId: string) => ['projects', readId(projectId), 'allocations'];
  return {
    projects: {
      list: async (query) => listOf(['projects'], query),
      iterate: (query) => iterate((page) => listOf<ProjectList>(['projects'], page), query),
      get: async (projectId) => get(targetOf(['projects', readId(projectId)]), expectOne()),
    },
    report: async (projectId, query) =>
      get(targetOf(['projects', readId(projectId), 'report'], query), expectOne()),
    allocations: {
      list: async (projectId, query) => listOf(allocations(projectId), query),
      iterate: (projectId, query) =>
        iterate((page) => listOf<AllocationList>(allocations(projectId), page), query),
    },
    transactions: {
      list: async (query) => listOf(['transactions'], query),
      iterate: (query) => iterate((page) => listOf<TransactionList>(['transactions'], page), query),
    },
    pushBatch: async (rows, { dryRun = false } = {}) => pushBatch(transport, rows, dryRun),
    push: async (rows, options = {}) => pushRows(transport, rows, options),
  };
}

/** Items of a page when iterating: as many as a page may have, as each page costs a request. */
const PAGE_ITEMS = 1000;

interface Page<Item> {
  readonly data: readonly Item[];
  readonly meta: { readonly nextCursor: string | null };
}

async function* iterate<Item>(
  list: (query: PageQuery) => Promise<Page<Item>>,
  query: PageQuery = {},
): AsyncGenerator<Item, void> {
  let next = { limit: PAGE_ITEMS, ...query };
  for (;;) {
    const { data, meta } = await list(next);
    yield* data;
    const { nextCursor: cursor } = meta;
    if (cursor === null) return;
    if (cursor === next.cursor) {
      const message = 'The service gave the cursor that it was given: the list would never end.';
      throw new BudgetdError('unexpected_answer', message);
    }
    next = { ...next, cursor };
  }
}

function expectOne<Document>(): Expectation<Document> {
  return {
    read: (document) => {
      return membersOf(membersOf(document)?.['data']) && (document as Document);
    },
  };
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

/** An empty or relative identifier would make another path of it. */
function readId(id: string): string {
  if (id !== '' && id !== '.' && id !== '..') return id;
  throw new BudgetdError('invalid_option', `"${id}" is not an identifier.`);
}
