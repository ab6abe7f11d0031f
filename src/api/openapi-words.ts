/**
 * What the OpenAPI document says of each schema and of each of its members. The types are made
 * from the contract: a member without words does not compile, nor do words without a member.
 */

import type { Static, Type } from 'typebox';

type Contract = typeof import('./contract.ts');
type ObjectName = {
  [Name in keyof Contract]: Contract[Name] extends Type.TObject ? Name : never;
}[keyof Contract];

/** What every schema of the contract is. */
export const SCHEMA_WORDS: Readonly<Record<keyof Contract, string>> = {
  ProjectId: 'The opaque identifier of a project.',
  BudgetLineId: 'The opaque identifier of a budget line.',
  TransactionId: 'The opaque identifier of a transaction.',
  AllocationId: 'The opaque identifier of an allocation.',
  CalendarDate:
    'A calendar date, `YYYY-MM-DD`, years 1900 to 2199. It never passes through a time zone: ' +
    'keep it as text.',
  Instant: 'A moment, RFC 3339 in UTC with milliseconds.',
  Amount:
    "An amount in major units of the organisation's base currency (12.5 is twelve pounds fifty). " +
    'Money out is positive, **money in is negative**. Always a whole number of minor units.',
  Currency: "A currency code of ISO 4217: the organisation's base currency.",
  BudgetMode:
    'How the budget is stated: `monthly`, an amount for each budget line and calendar month, or ' +
    "`total`, one amount for each line, spread evenly over the project's months.",
  Granularity: 'The length of the periods of a report; quarters are those of the calendar.',
  Provider:
    'Where a transaction came from: `api` was pushed over this interface, `csv` imported from a ' +
    'file, `manual` typed in. An open list: other values will come, so treat it as text.',
  TransactionStatus:
    'The first that holds: `excluded` (taken out of the workflow), `needs_review` (its amount ' +
    'changed after it was allocated), `allocated` (its allocations add up to its amount), ' +
    '`partially_allocated`, `unallocated`.',
  Funder: 'Who pays for a project.',
  Project: 'A project of the organisation.',
  Review: 'Why a transaction waits for a person: its amount changed after it was allocated.',
  Transaction: 'A cash movement of the organisation.',
  AllocatedLine: 'What an allocation shows of its budget line.',
  AllocatedTransaction: 'What an allocation shows of its transaction.',
  Allocation: 'Part or all of a transaction, given to one budget line of a project.',
  ReportCell: 'Budget against actual: `variance` is `budgeted` minus `actual`.',
  ReportPeriod: "A month or quarter of a report, cut to the project's own dates.",
  ReportRow: 'One budget line of a report.',
  ReportTotals: 'All budget lines of a report together.',
  ReportReview: 'How much of the actual figures is under review.',
  Report:
    "Budget against actual for one project. A parent's report does not include its children. " +
    'Excluded transactions count nowhere.',
  PushRow:
    'A cash movement to push. A row is the whole truth about its transaction: on an update an ' +
    'absent `contact` or `accountCode` clears it. Other members are kept as raw data, with the ' +
    'warning `unknown_field`; marks of a journal line (`debit`, `credit`, `journalId`, ' +
    '`journalNumber`, `journalLines`, `lines`) are refused.',
  PushRequest: 'The body of a push. Other members than `rows` are ignored.',
  RowError: 'One thing that is wrong with a rejected row.',
  RowWarning: 'One thing that is worth saying of an accepted row.',
  AcceptedRow: 'The result of a row that was stored, or in a dry run would have been.',
  RejectedRow: 'The result of a row that was not stored, with everything that is wrong with it.',
  PushResultItem: 'The result of one row; `status` tells which of the two it is.',
  PushCounts: 'The counts of a push.',
  PushAnswer: 'The results of a push: `data[i]` speaks of `rows[i]`.',
  ErrorDetail: 'Where the fault lies.',
  ErrorBody: 'Every refusal. `code` is stable, `message` is for people.',
  RejectedPush: 'The refusal of a push whose every row was rejected, with a result for each row.',
  PageMeta: 'Where a list goes on.',
  Health: 'The service answers.',
  ProjectDocument: 'One project.',
  ProjectList: 'A page of projects.',
  ReportDocument: 'The report of one project.',
  AllocationList: 'A page of allocations.',
  TransactionDocument: 'One transaction.',
  TransactionList: 'A page of transactions.',
};

const created = 'When it was made.';
const code = 'The code of the refusal: see the catalogue of codes.';
const message = 'What happened and what to do, for people. Its wording may change.';
const requestId = 'The name of this request, as in `X-Request-Id`: quote it when asking for help.';
const details = 'What the refusal points at; empty where there is nothing to point at.';
const externalId = 'The identity of the row in the system it came from, where it has one.';
const index = "The row's place in `rows`, from 0.";
const results = 'One result for each row, in the order of the rows.';
const page = { data: 'The items of this page.', meta: 'Where the list goes on.' };
const allocated = {
  provider: 'Where the transaction came from.',
  externalId,
  date: 'The day the money moved.',
  description: 'What it was for.',
  contact: 'Who paid or was paid.',
};
const issue = {
  field: 'The member it is about; null for the row as a whole.',
  code: 'What it is: see the catalogue of codes.',
  message: 'The same for people.',
};
/** Said wherever an amount is shown: it is the reverse of most bank files. */
const SIGN = 'Money out is positive, money in is negative.';
const figures = {
  cells: 'One cell for each period, zeros included.',
  outsideActual: `What is allocated, but dated outside the project's dates. ${SIGN}`,
  total: '`actual` is the sum of the cells and of `outsideActual`.',
};

/** What every member of every object is. */
export const MEMBER_WORDS: {
  readonly [Name in ObjectName]: Readonly<Record<keyof Static<Contract[Name]>, string>>;
} = {
  Funder: { name: 'Its name.', reference: "The funder's reference for the grant." },
  Project: {
    id: 'Its identifier.',
    name: 'Its name.',
    description: 'What it is about.',
    startDate: 'Its first day, at midnight UTC.',
    endDate: 'Its last day, included, at midnight UTC.',
    currency: "The organisation's base currency.",
    budgetMode: 'How its budget is stated.',
    parentProjectId: 'The project it is a part of.',
    funder: 'Who pays for it.',
    createdAt: created,
    updatedAt: 'When a member shown here last changed.',
  },
  Review: {
    reason: 'The amount changed while there were allocations.',
    previousAmount: `The amount that the allocations were last made or confirmed for. ${SIGN}`,
    changedAt: 'When the flag went up.',
  },
  Transaction: {
    id: 'Its identifier.',
    provider: 'Where it came from.',
    externalId,
    date: 'The day the money moved.',
    description: 'What it was for.',
    contact: 'Who paid or was paid.',
    amount: `How much. ${SIGN}`,
    currency: "The organisation's base currency.",
    accountCode: 'The code of the ledger account it was booked to.',
    status: 'Where it stands in the budgeting workflow.',
    allocatedAmount: `The sum of its allocations, with the sign of its amount. ${SIGN}`,
    review: 'Set while the transaction needs review.',
    createdAt: created,
    updatedAt:
      'When a member shown here last changed: allocating, excluding and reviewing move it too.',
  },
  AllocatedLine: { code: 'Its code.', name: 'Its name.' },
  AllocatedTransaction: allocated,
  Allocation: {
    id: 'Its identifier.',
    projectId: 'The project of the budget line.',
    budgetLineId: 'The budget line it was given to.',
    budgetLine: 'That budget line.',
    transactionId: 'The transaction it is a part of.',
    transaction: 'That transaction.',
    amount: `How much of the transaction's amount, with the same sign. ${SIGN}`,
    note: 'What the person who made it wrote.',
    createdAt: created,
    updatedAt: 'When it last changed.',
  },
  ReportCell: {
    budgeted: `What was planned. ${SIGN}`,
    actual: `What was allocated. ${SIGN}`,
    variance: '`budgeted` minus `actual`.',
  },
  ReportPeriod: {
    key: 'Its name: `2026-01` or `2026-Q1`.',
    startDate: 'Its first day within the project.',
    endDate: 'Its last day within the project, included.',
  },
  ReportRow: {
    budgetLineId: 'The budget line.',
    code: 'Its code.',
    name: 'Its name.',
    category: 'The heading it stands under.',
    ...figures,
  },
  ReportTotals: figures,
  ReportReview: {
    count: 'How many transactions with an allocation in this project are under review.',
    amount: `The sum of their allocations in this project. ${SIGN}`,
  },
  Report: {
    projectId: 'The project.',
    currency: 'The currency of every amount.',
    granularity: 'The length of the periods.',
    startDate: "The project's first day.",
    endDate: "The project's last day, included.",
    periods: 'The columns, from first to last.',
    rows: 'The budget lines, in their order.',
    totals: 'All of them together.',
    needsReview: 'What of it is under review.',
  },
  PushRow: {
    externalId:
      'The identity of the row in your system, compared byte for byte: pushing it again updates ' +
      'the transaction. Required, 1 to 255 characters, not blank, no control characters.',
    date: 'The day the money moved. Required, a real day.',
    description:
      'What it was for. Required, 1 to 1000 characters after trimming; tab and newline are the ' +
      'only control characters.',
    contact: 'Who paid or was paid. Up to 255 characters after trimming.',
    amount:
      `How much. **${SIGN}** That is the reverse of most bank files. ` +
      'Required; a whole number of minor units, never rounded; 0 voids a row.',
    accountCode: 'The code of the ledger account. Up to 64 characters after trimming.',
  },
  PushRequest: { rows: 'The rows, applied in this order.' },
  RowError: issue,
  RowWarning: issue,
  AcceptedRow: {
    index,
    externalId: "The row's `externalId`.",
    status: 'What was done.',
    id: 'The transaction; null in a dry run for a row that would be created.',
    needsReview: 'Whether the transaction is under review after this row.',
    changed: 'Which members differ from before; empty for a new row and for one that is the same.',
    warnings: 'At most 20.',
  },
  RejectedRow: {
    index,
    externalId: "The row's `externalId` where it is a string, even an invalid one.",
    status: 'The row was not stored.',
    errors: 'Everything that is wrong with the row; at most 20.',
  },
  PushCounts: {
    received: 'Rows in the request.',
    created: 'Rows that made a new transaction.',
    updated: 'Rows whose transaction existed already, changed or not.',
    unchanged: 'The `updated` rows with nothing in `changed`.',
    rejected: 'Rows that were not stored.',
    needsReview: 'Rows whose transaction is under review now.',
    warnings: 'The accepted rows with at least one warning: read these.',
    dryRun: 'Whether nothing was stored.',
  },
  PushAnswer: { data: results, meta: 'The counts.' },
  ErrorDetail: {
    field: 'The parameter or member at fault, where there is one.',
    code: 'What is wrong with it.',
    message: 'The same for people.',
  },
  ErrorBody: { code, message, requestId, details },
  RejectedPush: { code, message, requestId, details, data: results, meta: 'The counts.' },
  PageMeta: { nextCursor: 'The `cursor` of the next page; null on the last.' },
  Health: { status: 'Always `ok`.' },
  ProjectDocument: { data: 'The project.' },
  ProjectList: page,
  ReportDocument: { data: 'The report.' },
  AllocationList: page,
  TransactionDocument: { data: 'The transaction.' },
  TransactionList: page,
};
