/** The texts of the OpenAPI document about each operation and parameter. */

import type { PARAMETERS } from '../../src/api/parameters.ts';
import type { OperationId } from '../../src/api/routes.ts';
import { MONTH_PATTERN } from '../../src/core/calendar.ts';

/** The texts of an operation that are not in `routes.ts`. */
interface OperationWords {
  readonly tag: keyof typeof TAGS;
  readonly description: string;
  /** Describes its 200. */
  readonly success: string;
  /** The query in the samples on the page; none by default. */
  readonly sampleQuery?: Readonly<Record<string, string>>;
  /** The queries whose answers are examples of its 200; a push has its own (`examples.ts`). */
  readonly examples: Readonly<Record<string, { readonly summary: string; readonly query: string }>>;
}

/** The groups of operations. */
export const TAGS = {
  Projects: 'Projects, their reports, and the allocations to their budget lines.',
  Transactions: "Reading the organisation's cash movements, and pushing new ones.",
  Service: 'Health checks and this document. No key is needed.',
} as const;

/** Every operation of version 1. */
export const OPERATION_WORDS: Readonly<Record<OperationId, OperationWords>> = {
  listProjects: {
    tag: 'Projects',
    description: "Lists the organisation's projects, ordered by name (by code point), then by id.",
    success: 'A page of projects.',
    examples: { projects: { summary: 'All projects', query: '' } },
  },
  getProject: {
    tag: 'Projects',
    description: 'Returns one project.',
    success: 'The project.',
    examples: { project: { summary: 'A project', query: '' } },
  },
  getProjectReport: {
    tag: 'Projects',
    description:
      'Compares budget and actual for one project, by month or by quarter. The first and the ' +
      "last period are cut to the project's dates. The report always matches the allocations to " +
      'the minor unit: amounts from transactions dated outside the project are in ' +
      '`outsideActual`. With `from` or `to`, the report is of these months alone, and nothing is ' +
      'outside.\n\n' +
      'A report is not split into pages. A project has at most 2,000 budget lines and 24,000 ' +
      'cells (lines times months), so a report is at most about 1.5 MB.',
    success: 'The report.',
    sampleQuery: { granularity: 'quarterly' },
    examples: {
      quarterly: { summary: 'By quarter', query: '?granularity=quarterly' },
      monthly: { summary: 'By month', query: '' },
    },
  },
  listProjectAllocations: {
    tag: 'Projects',
    description:
      "Lists the allocations to the project's budget lines, newest transaction date first, then " +
      'by id.',
    success: 'A page of allocations.',
    sampleQuery: { from: '2026-01-01', to: '2026-03-31' },
    examples: { allocations: { summary: 'All allocations', query: '' } },
  },
  listTransactions: {
    tag: 'Transactions',
    description:
      "Lists the organisation's transactions, newest date first. To follow changes, remember the " +
      'largest `updatedAt` you have seen. Then list with `order=updatedAt` and `updatedSince` ' +
      'set to it. That moment is included, so expect to see the last items again.',
    success: 'A page of transactions.',
    sampleQuery: { status: 'needs_review,unallocated', limit: '1000' },
    examples: { page: { summary: 'The first of two pages', query: '?limit=2' } },
  },
  pushTransactions: {
    tag: 'Transactions',
    description:
      'Accepts 1 to 500 rows, at most 4 MiB. Each row is accepted or rejected separately: valid ' +
      'rows are stored even when others are rejected.\n\n' +
      '> **Money out is positive, money in is negative.** Most bank files use the opposite sign: ' +
      'change it before you push.\n\n' +
      '`externalId` identifies a row. Pushing it again updates the transaction, so **every retry ' +
      'is safe**. The answer is sent once the batch is safely on disk. Until then none of it is ' +
      'visible.\n\n' +
      'When the amount of an allocated transaction changes, it needs review: its allocations do ' +
      'not change until a person decides. When its codes change, it stays where it is and is ' +
      'marked as `recoded`. An excluded transaction is updated and stays excluded.\n\n' +
      'Push a payment that was voided or deleted with amount 0, and a split one as a row for ' +
      'each part: docs/corrections.md in the package has every such change, with examples.\n\n' +
      'The answer is 200 if at least one row was accepted, else 422. With `?dryRun=true` the ' +
      'answer is the same, but nothing is stored.',
    success: 'At least one row was accepted.',
    examples: {},
  },
};

/** The texts of a parameter. */
interface ParameterWords {
  readonly description: string;
  /** Absent if only an answer can have one: then tools that send examples leave it out. */
  readonly example?: unknown;
  /** The default, unless the schema of the parameter has one. */
  readonly default?: unknown;
}

type NamesOf<Parameters> = Parameters extends unknown ? keyof Parameters : never;
type ParameterName =
  | NamesOf<(typeof PARAMETERS)[keyof typeof PARAMETERS]>
  | '{id}'
  | 'fromMonth'
  | 'toMonth';

/** Every parameter: a name has the same meaning everywhere, but a report is by months. */
export const PARAMETER_WORDS: Readonly<Record<ParameterName, ParameterWords>> = {
  '{id}': { description: 'The identifier of the project.', example: 'prj_0000000001' },
  id: {
    description:
      'Only these transactions: up to 100 identifiers, separated by commas, repeated, or both. ' +
      'An unknown identifier matches nothing.',
    example: ['txn_0000000001', 'txn_0000000002'],
  },
  limit: { description: 'The largest number of items on a page.', example: 100 },
  cursor: {
    description:
      'The `nextCursor` of the previous page. Send it with the same filters and order; `limit` ' +
      'may change.',
  },
  parentProjectId: {
    description: 'Only projects that are part of this project.',
    example: 'prj_0000000002',
  },
  updatedSince: {
    description:
      'Only items that changed at this moment or later. A date without a time is refused.',
    example: '2026-01-31T12:00:00Z',
  },
  granularity: {
    description: 'The length of the periods: months or calendar quarters.',
    example: 'quarterly',
    default: 'monthly',
  },
  from: {
    description: 'Only transactions on or after this date. If it is after `to`, the list is empty.',
    example: '2026-01-01',
  },
  to: { description: 'Only transactions on or before this date.', example: '2026-03-31' },
  fromMonth: {
    description:
      'Only the months from this one on. If it is after `to`, or after the project, there are no ' +
      'periods.',
    example: '2026-01',
  },
  toMonth: { description: 'Only the months up to this one, included.', example: '2026-03' },
  budgetLineId: {
    description: 'Only allocations to this budget line.',
    example: 'bln_0000000001',
  },
  transactionId: {
    description: 'Only allocations of this transaction.',
    example: 'txn_0000000001',
  },
  status: {
    description:
      'Only transactions in one of these states: separated by commas, repeated, or both.',
    example: ['needs_review', 'unallocated'],
  },
  provider: { description: 'Only transactions from this source.', example: 'api' },
  externalId: {
    description: 'Only transactions with exactly this `externalId`.',
    example: 'INV-1',
  },
  accountCode: {
    description: 'Only transactions with exactly this account code.',
    example: '7100',
  },
  contact: {
    description: 'Only transactions with exactly this contact.',
    example: 'Landlord Ltd',
  },
  projectId: {
    description: 'Only transactions with an allocation to this project.',
    example: 'prj_0000000001',
  },
  reference: {
    description: 'Only transactions with exactly this reference.',
    example: 'INV-2026-014',
  },
  bankAccount: {
    description: 'Only transactions on exactly this bank account.',
    example: 'Current account',
  },
  projectCode: {
    description: 'Only transactions with exactly this project code.',
    example: 'YOUTH',
  },
  externalIdPrefix: {
    description: 'Only transactions whose `externalId` begins with this text.',
    example: 'INV-',
  },
  recoded: {
    description:
      'Only transactions that are marked as recoded (`true`), or that are not (`false`).',
    example: true,
  },
  q: {
    description:
      'Only transactions with this text in `description`, `contact`, `externalId` or ' +
      '`reference`. Upper and lower case are the same.',
    example: 'rent',
  },
  order: {
    description:
      '`date`: newest first, then by id. `updatedAt`: oldest change first, then by id; use it to ' +
      'follow changes.',
    example: 'updatedAt',
    default: 'date',
  },
  dryRun: {
    description: 'Checks the rows and returns the same answer, but stores nothing.',
    example: true,
    default: false,
  },
};

/** The name of a parameter in the texts: a report is from a month, a list from a day. */
export function placeOf(name: string, schema: Readonly<Record<string, unknown>>): string {
  return schema['pattern'] === MONTH_PATTERN ? `${name}Month` : name;
}

export function wordsOf(place: string): ParameterWords {
  const words = PARAMETER_WORDS[place as keyof typeof PARAMETER_WORDS];
  if (words === undefined) throw new Error(`The parameter ${place} has no description.`);
  return words;
}
