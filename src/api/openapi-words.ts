/**
 * The description of each schema in the OpenAPI document, and of each member. The types come from
 * the contract: a member without a description does not compile, nor does one without a member.
 */

import type { Static, Type } from 'typebox';

type Contract = typeof import('./contract.ts');
type ObjectName = {
  [Name in keyof Contract]: Contract[Name] extends Type.TObject ? Name : never;
}[keyof Contract];

/** Every schema of the contract. */
export const SCHEMA_WORDS: Readonly<Record<keyof Contract, string>> = {
  ProjectId: 'The opaque identifier of a project.',
  BudgetLineId: 'The opaque identifier of a budget line.',
  TransactionId: 'The opaque identifier of a transaction.',
  AllocationId: 'The opaque identifier of an allocation.',
  CalendarDate:
    'A calendar date, `YYYY-MM-DD`, years 1900 to 2199. It has no time zone: keep it as text.',
  Instant: 'A moment: RFC 3339 in UTC, with milliseconds.',
  Amount:
    "An amount in major units of the organisation's base currency (12.5 is twelve pounds fifty). " +
    '**Money out is positive, money in is negative.** Always a whole number of minor units.',
  Currency: "The organisation's base currency, as an ISO 4217 code.",
  BudgetMode:
    'How the budget is planned: `monthly` has an amount for each budget line and calendar month, ' +
    "`total` has one amount for each line, spread evenly over the project's months.",
  Granularity: 'The length of the periods of a report: months or calendar quarters.',
  Provider:
    'Where a transaction came from: `api` was pushed over this interface, `csv` imported from a ' +
    'file, `manual` typed in. An open list: other values will come, so treat it as text.',
  TransactionStatus:
    'The first one that applies: `excluded` (removed from the budgets), `needs_review` (its ' +
    'amount changed after it was allocated), `allocated` (its allocations add up to its amount), ' +
    '`partially_allocated`, `unallocated`.',
  Funder: 'Who pays for a project.',
  Project: 'A project of the organisation.',
  Review: 'Why a transaction needs review: its amount changed after it was allocated.',
  Transaction: 'A cash movement of the organisation.',
  AllocatedLine: 'The budget line of an allocation.',
  AllocatedTransaction: 'The transaction of an allocation.',
  Allocation: 'Part or all of a transaction, assigned to one budget line of a project.',
  ReportCell: 'Budget and actual: `variance` is `budgeted` minus `actual`.',
  ReportPeriod: "A month or quarter of a report, cut to the project's dates.",
  ReportRow: 'One budget line of a report.',
  ReportTotals: 'The sum of all budget lines of a report.',
  ReportReview: 'How much of the actual figures needs review.',
  Report:
    "Budget and actual of one project. A parent's report does not include its parts. Excluded " +
    'transactions do not count.',
  PushRow:
    'A cash movement to push. Each push replaces the whole transaction: an update without ' +
    '`contact` or `accountCode` clears that member. An unknown member is kept as raw data, with ' +
    'the warning `unknown_field`. This schema says all that is checked, except: white space ' +
    'around `description`, `contact` and `accountCode` is trimmed first; an `amount` must fit ' +
    'the decimal places of the currency and be at most 999,999,999,999 minor units; no text ' +
    'can contain half of a surrogate pair.',
  PushRequest: 'The body of a push. Members other than `rows` are ignored.',
  RowError: 'One thing that is wrong with a rejected row.',
  RowWarning: 'A note about an accepted row.',
  AcceptedRow: 'The result of a row that was stored, or would be stored without the dry run.',
  RejectedRow: 'The result of a row that was not stored, with its errors.',
  PushResultItem: 'The result of one row: accepted or rejected, according to `status`.',
  PushCounts: 'The counts of a push.',
  PushAnswer: 'The results of a push: `data[i]` is the result of `rows[i]`.',
  ErrorDetail: 'A parameter or member with an error.',
  ErrorBody: 'The answer to every refused request. Act on `code`; `message` is human-readable.',
  RejectedPush: 'The answer to a push when every row was rejected, with a result for each row.',
  PageMeta: 'How to read the next page.',
  Health: 'The answer of a health check.',
  ProjectDocument: 'One project.',
  ProjectList: 'A page of projects.',
  ReportDocument: 'The report of one project.',
  AllocationList: 'A page of allocations.',
  TransactionDocument: 'One transaction.',
  TransactionList: 'A page of transactions.',
};

const created = 'When it was created.';
const code = 'Why the request was refused: see the list of codes.';
const message = 'Human-readable: what happened and what to do. The wording can change.';
const requestId = 'Identifies this request, like `X-Request-Id`. Quote it when you ask for help.';
const details = 'The parameters or members with errors; empty for other refusals.';
const externalId = 'Its identifier in the system it came from, if it has one.';
const index = 'The position of the row in `rows`, from 0.';
const results = 'One result for each row, in the order of the rows.';
const ofJournal = 'A member of a journal line: leave it out, or send null.';
const page = { data: 'The items of this page.', meta: 'How to read the next page.' };
const allocated = {
  provider: 'Where the transaction came from.',
  externalId,
  date: 'The date the money moved.',
  description: 'What it was for.',
  contact: 'Who paid or was paid.',
};
const issue = {
  field: 'The member concerned; null for the whole row.',
  code: 'The reason: see the list of codes.',
  message: 'The reason, human-readable.',
};
/** Repeated at every amount, because most bank files use the opposite sign. */
const SIGN = 'Money out is positive, money in is negative.';
const figures = {
  cells: 'One cell for each period, including zeros.',
  outsideActual: `The sum allocated from transactions dated outside the project. ${SIGN}`,
  total: 'The sum of the cells; `actual` includes `outsideActual`.',
};

/** Every member of every object. */
export const MEMBER_WORDS: {
  readonly [Name in ObjectName]: Readonly<Record<keyof Static<Contract[Name]>, string>>;
} = {
  Funder: { name: 'Its name.', reference: "The funder's reference for the grant." },
  Project: {
    id: 'Its identifier.',
    name: 'Its name.',
    description: 'What it is about.',
    startDate: 'Its first day, at midnight UTC.',
    endDate: 'Its last day (inclusive), at midnight UTC.',
    currency: "The organisation's base currency.",
    budgetMode: 'How its budget is planned.',
    parentProjectId: 'The project that this one is part of.',
    funder: 'Who pays for it.',
    createdAt: created,
    updatedAt: 'When a member shown here last changed.',
  },
  Review: {
    reason: 'Always `amount_changed`: the amount changed while there were allocations.',
    previousAmount: `The amount when the allocations were last made or confirmed. ${SIGN}`,
    changedAt: 'When the amount changed.',
  },
  Transaction: {
    id: 'Its identifier.',
    provider: 'Where it came from.',
    externalId,
    date: 'The date the money moved.',
    description: 'What it was for.',
    contact: 'Who paid or was paid.',
    amount: `How much. ${SIGN}`,
    currency: "The organisation's base currency.",
    accountCode: 'The code of the ledger account.',
    status: 'Its state in the budgeting workflow.',
    allocatedAmount: `The sum of its allocations, with the same sign as \`amount\`. ${SIGN}`,
    review: 'Set while the transaction needs review, else null.',
    createdAt: created,
    updatedAt:
      'When a member shown here last changed. Allocating, excluding and reviewing also count.',
  },
  AllocatedLine: { code: 'Its code.', name: 'Its name.' },
  AllocatedTransaction: allocated,
  Allocation: {
    id: 'Its identifier.',
    projectId: 'The project of the budget line.',
    budgetLineId: 'The budget line it is assigned to.',
    budgetLine: 'The code and name of that budget line.',
    transactionId: 'The transaction it is part of.',
    transaction: 'The main members of that transaction.',
    amount: `The part of the transaction's amount, with the same sign. ${SIGN}`,
    note: 'A note by the person who made the allocation.',
    createdAt: created,
    updatedAt: 'When it last changed.',
  },
  ReportCell: {
    budgeted: `The planned amount. ${SIGN}`,
    actual: `The allocated amount. ${SIGN}`,
    variance: '`budgeted` minus `actual`.',
  },
  ReportPeriod: {
    key: 'Its name, such as `2026-01` or `2026-Q1`.',
    startDate: 'Its first day within the project.',
    endDate: 'Its last day within the project (inclusive).',
  },
  ReportRow: {
    budgetLineId: 'The budget line.',
    code: 'Its code.',
    name: 'Its name.',
    category: 'The heading that groups it.',
    ...figures,
  },
  ReportTotals: figures,
  ReportReview: {
    count: 'How many transactions with an allocation in this project need review.',
    amount: `The sum of their allocations in this project. ${SIGN}`,
  },
  Report: {
    projectId: 'The project.',
    currency: 'The currency of every amount.',
    granularity: 'The length of the periods.',
    startDate: "The project's first day.",
    endDate: "The project's last day (inclusive).",
    periods: 'The columns, in order of time.',
    rows: 'The budget lines, in their order.',
    totals: 'The sum of all rows.',
    needsReview: 'How much of the report needs review.',
  },
  PushRow: {
    externalId:
      'Identifies the row in your system, byte for byte: pushing it again updates the ' +
      'transaction. Not blank, no control characters.',
    date: 'The date the money moved. Must be a real date: `2026-02-29` is rejected.',
    description:
      'What it was for. White space around it is trimmed; tab and newline are the only control ' +
      'characters allowed.',
    contact: 'Who paid or was paid. White space around it is trimmed.',
    amount: `**${SIGN}** Most bank files use the opposite sign. Never rounded. Push 0 to void it.`,
    accountCode: 'The code of the ledger account. White space around it is trimmed.',
    debit: ofJournal,
    credit: ofJournal,
    journalId: ofJournal,
    journalNumber: ofJournal,
    journalLines: ofJournal,
    lines: ofJournal,
  },
  PushRequest: { rows: 'The rows, processed in this order.' },
  RowError: issue,
  RowWarning: issue,
  AcceptedRow: {
    index,
    externalId: 'The `externalId` of the row.',
    status: 'Whether the transaction is new.',
    id: 'The identifier of the transaction; null for a row that a dry run would create.',
    needsReview: 'Whether the transaction needs review after this row.',
    changed: 'The members that changed; empty for a new or an unchanged transaction.',
    warnings: 'Notes about the row; at most 20.',
  },
  RejectedRow: {
    index,
    externalId: 'The `externalId` of the row if it is a string, even an invalid one; else null.',
    status: 'The row was not stored.',
    errors: 'All errors of the row; at most 20.',
  },
  PushCounts: {
    received: 'The number of rows in the request.',
    created: 'Rows that created a transaction.',
    updated: 'Rows whose transaction already existed, changed or not.',
    unchanged: 'The `updated` rows with nothing in `changed`.',
    rejected: 'Rows that were not stored.',
    needsReview: 'Rows whose transaction needs review now.',
    warnings: 'Accepted rows with at least one warning. Check them.',
    dryRun: 'Whether this was a dry run, which stores nothing.',
  },
  PushAnswer: { data: results, meta: 'The counts.' },
  ErrorDetail: {
    field: 'The name of the parameter or member; null if the error is not in one.',
    code: 'What is wrong.',
    message: 'The same, human-readable.',
  },
  ErrorBody: { code, message, requestId, details },
  RejectedPush: { code, message, requestId, details, data: results, meta: 'The counts.' },
  PageMeta: { nextCursor: 'The `cursor` for the next page; null on the last page.' },
  Health: { status: 'Always `ok`.' },
  ProjectDocument: { data: 'The project.' },
  ProjectList: page,
  ReportDocument: { data: 'The report.' },
  AllocationList: page,
  TransactionDocument: { data: 'The transaction.' },
  TransactionList: page,
};
