/** What the OpenAPI document says of each operation and parameter, and before them. */

import type { ALLOCATION_PARAMETERS } from './allocations.ts';
import type { PROJECT_PARAMETERS } from './projects.ts';
import type { REPORT_PARAMETERS } from './reports.ts';
import type { OperationId } from './routes.ts';
import type { PUSH_PARAMETERS, TRANSACTION_PARAMETERS } from './transactions.ts';

/** What is said of an operation beyond its row in `routes.ts`. */
export interface OperationWords {
  readonly tag: keyof typeof TAGS;
  readonly description: string;
  /** What its 200 is. */
  readonly success: string;
  /** The query of the samples on the page. */
  readonly sampleQuery: Readonly<Record<string, string>>;
}

/** The groups of operations. */
export const TAGS = {
  Projects: 'Projects, their reports and the allocations to their budget lines.',
  Transactions: 'The cash movements of the organisation: reading them, and pushing them.',
  Service: 'Without a key: whether the service lives, and what describes it.',
} as const;

/** What every operation of version 1 does. */
export const OPERATION_WORDS: Readonly<Record<OperationId, OperationWords>> = {
  listProjects: {
    tag: 'Projects',
    description: "The organisation's projects, ordered by name (by code point), then by id.",
    success: 'A page of projects.',
    sampleQuery: {},
  },
  getProject: {
    tag: 'Projects',
    description: 'One project.',
    success: 'The project.',
    sampleQuery: {},
  },
  getProjectReport: {
    tag: 'Projects',
    description:
      "Budget against actual for one project, by month or by quarter, cut to the project's own " +
      'dates. The report always reconciles with the allocations to the minor unit: what is ' +
      'allocated but dated outside the project is `outsideActual`.\n\n' +
      'It comes whole, without pages. A project has at most 2,000 budget lines and 24,000 cells ' +
      '(lines times months), so a report has some 1.5 MB at most.',
    success: 'The report.',
    sampleQuery: { granularity: 'quarterly' },
  },
  listProjectAllocations: {
    tag: 'Projects',
    description:
      "What was allocated to the project's budget lines, ordered by the transaction's date, " +
      'newest first, then by id.',
    success: 'A page of allocations.',
    sampleQuery: { from: '2026-01-01', to: '2026-03-31' },
  },
  listTransactions: {
    tag: 'Transactions',
    description:
      "The organisation's transactions, newest date first. To follow changes, keep the largest " +
      '`updatedAt` you have seen and ask with `order=updatedAt` and `updatedSince` set to it: ' +
      'that moment is included, so expect its last items again.',
    success: 'A page of transactions.',
    sampleQuery: { status: 'needs_review,unallocated', limit: '1000' },
  },
  pushTransactions: {
    tag: 'Transactions',
    description:
      'Takes 1 to 500 rows, at most 4 MiB. Each row is accepted or rejected by itself: valid ' +
      'rows are stored even when others are rejected. `externalId` is the identity of a row: ' +
      'pushing it again updates the transaction, so **every retry is safe**. The answer comes ' +
      'after the batch is safely on disk; before that nothing of it is visible.\n\n' +
      'When the amount of a transaction that has allocations changes, it needs review: its ' +
      'allocations stay as they are until a person settles them. An excluded transaction is ' +
      'updated and stays excluded.\n\n' +
      'The answer is 200 when at least one row was accepted, else 422. `?dryRun=true` answers ' +
      'the same and stores nothing.',
    success: 'At least one row was accepted.',
    sampleQuery: {},
  },
};

/** What is said of a parameter. */
export interface ParameterWords {
  readonly description: string;
  readonly example: unknown;
  /** What holds when it is not sent, where its schema does not say so already. */
  readonly default?: unknown;
}

type ParameterName =
  | keyof typeof ALLOCATION_PARAMETERS
  | keyof typeof PROJECT_PARAMETERS
  | keyof typeof PUSH_PARAMETERS
  | keyof typeof REPORT_PARAMETERS
  | keyof typeof TRANSACTION_PARAMETERS
  | '{id}';

/** What every parameter is, wherever it is taken. */
export const PARAMETER_WORDS: Readonly<Record<ParameterName, ParameterWords>> = {
  '{id}': { description: 'The identifier of the project.', example: 'prj_0000000001' },
  id: {
    description:
      'Only these transactions, up to 100 identifiers: separated by commas, repeated, or both. ' +
      'An unknown one matches nothing.',
    example: ['txn_0000000001', 'txn_0000000002'],
  },
  limit: { description: 'How many items a page has at most.', example: 100 },
  cursor: {
    description:
      "The `nextCursor` of the page before, with that page's filters and order. `limit` may " +
      'differ.',
    example: 'eRM_UwDp7aE7sINSWy0yMDI2MDEyOCwzXQ',
  },
  parentProjectId: {
    description: 'Only the parts of this project.',
    example: 'prj_0000000002',
  },
  updatedSince: {
    description: 'Only what changed at this moment or later. A bare date is refused.',
    example: '2026-01-31T12:00:00Z',
  },
  granularity: {
    description: 'The length of the periods.',
    example: 'quarterly',
    default: 'monthly',
  },
  from: {
    description: 'Only transactions dated this day or later. After `to`, the list is empty.',
    example: '2026-01-01',
  },
  to: { description: 'Only transactions dated this day or earlier.', example: '2026-03-31' },
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
  provider: {
    description:
      'Only transactions of this provider. One that this server does not know is refused.',
    example: 'api',
  },
  externalId: {
    description: 'Only the transactions with this `externalId`, byte for byte.',
    example: 'INV-1',
  },
  accountCode: {
    description: 'Only transactions with this account code, byte for byte.',
    example: '7100',
  },
  contact: {
    description: 'Only transactions with this contact, byte for byte.',
    example: 'Landlord Ltd',
  },
  projectId: {
    description: 'Only transactions with an allocation to this project.',
    example: 'prj_0000000001',
  },
  q: {
    description:
      'Only transactions with this text in description, contact or externalId, any case.',
    example: 'rent',
  },
  order: {
    description:
      '`date`: newest first, then by id. `updatedAt`: oldest change first, then by id, for ' +
      'reading what changed.',
    example: 'updatedAt',
    default: 'date',
  },
  dryRun: {
    description: 'Answer as if the rows were pushed, and store nothing.',
    example: true,
    default: false,
  },
};

/** What a reader needs before the first request, by heading. */
export const INTRODUCTION: Readonly<Record<string, string>> = {
  '': `budgetd keeps an organisation's project budgets against its actual cash. This interface
reads projects, reports, allocations and transactions, and takes in cash transactions pushed from
any finance system: JSON in UTF-8 over HTTP, under \`/api/v1\`.`,

  Authentication: `Every request under \`/api/v1\` carries an API key:
\`Authorization: Bearer bdg_live_…\`. The key alone decides whose data it is: nothing in a path or a
query names an organisation. The organisation's owners and admins make keys, with
\`budgetd keys create\`, give each one or more scopes and can revoke it at any time; a key is shown
once. Keep it out of scripts: the samples read it from the environment variable \`BUDGETD_KEY\`.`,

  Conventions: `- One thing is \`{ "data": {…} }\`, a list
\`{ "data": […], "meta": { "nextCursor": "…" | null } }\`. Every documented member is always there,
\`null\` when unset.
- An amount is a JSON number in major units of the organisation's base currency, **money out
positive, money in negative**: the reverse of most bank files. It must be a whole number of minor
units: 1.005 pounds are refused, never rounded. 0.1 + 0.2 is 0.30: float noise within a millionth
of a minor unit is forgiven.
- A date is \`YYYY-MM-DD\` and never meets a time zone. Moments are RFC 3339, in UTC.
- Identifiers are opaque, and belong to one database.
- \`GET\` answers \`HEAD\` too. A trailing slash, a doubled slash or another case is another path.
- An unknown query parameter is refused, never ignored. So is one given twice, except \`status\` and
\`id\`: they accept several values, separated by commas (\`status=allocated,excluded\`), repeated
(\`status=allocated&status=excluded\`), or both.`,

  Lists: `Ask again with \`cursor\` set to the last answer's \`nextCursor\`, and the same filters
and order, until it is \`null\`. Rows pushed meanwhile never make a walk skip or repeat an item
that did not change. A page may hold fewer items than \`limit\`: only \`nextCursor\` says whether
there is more. An identifier in a filter that is unknown matches nothing; one in a path is a 404.`,

  'Rate limit': `120 requests of one key in any 60 seconds. Every authenticated answer carries
\`X-RateLimit-Limit\`, \`X-RateLimit-Remaining\` and \`X-RateLimit-Reset\` (whole seconds **from
now** until all requests are back, not epoch seconds); a 429 carries
\`Retry-After\` too, and a request sent after that wait succeeds. A 401 is never counted.`,

  'Errors and retries': `A refusal is \`{ "code", "message", "requestId", "details" }\`. \`code\` is
stable: act on it; \`message\` is for people. Checks come in this order: path and method, key, rate,
plan, scope, parameters, body, the thing itself. After a network error and after 429, 500, 502, 503
and 504, wait and send the same request again: reads change nothing, and a push is known by its
\`externalId\`. Wait \`Retry-After\` seconds where it is given, else ever longer. Every answer
carries \`X-Request-Id\`: quote it when you ask for help.`,

  Versions: `The version stands in the path. Within version 1 things are only added: endpoints,
optional parameters, members, codes; so ignore members that you do not know, and treat an unknown
code by its status. Whatever would break a client that does so comes under another prefix. (The
schemas here are closed because they describe exactly what this server sends.)`,
};
