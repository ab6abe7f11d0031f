/**
 * The documents of version 1, each as a schema and a type with the same name. The OpenAPI document
 * is built from `SCHEMAS` with their descriptions, and the tests check every answer against it. The
 * server imports only the types: loading TypeBox takes longer than starting (decision 0001).
 */

import { type Static, Type } from 'typebox';
import { FAILURE_CODES, type FailureCode } from '../core/failures.ts';
import { Amount, CalendarDate, PushRequest, PushRow } from '../core/inputs.ts';
import { LINE_KINDS } from '../core/projects.ts';
import { ROW_ERROR_CODES, ROW_WARNING_CODES } from '../core/push.ts';
import { CHANGEABLE_FIELDS } from '../core/row-members.ts';
import {
  list,
  member,
  nullable,
  object,
  oneOf,
  openList,
  SIGN,
  text,
  textOrNull,
  wholeNumber,
} from '../core/schemas.ts';
import { SCALARS } from './scalars.ts';

/** What comes in is described where it is checked. */
export type { PushRow } from '../core/inputs.ts';

const {
  AllocationId,
  BudgetLineId,
  BudgetMode,
  Currency,
  Granularity,
  Instant,
  ProjectId,
  Provider,
  TransactionId,
  TransactionStatus,
} = SCALARS;

const money = (description: string) => member(Amount, `${description} ${SIGN}`);

/** Spec 2.1. */
const Funder = object('Who pays for a project.', {
  name: text('Its name.'),
  reference: textOrNull("The funder's reference for the grant."),
});

const createdAt = member(Instant, 'When it was created.');
const updatedAt = 'When a member shown here last changed.';
const currency = member(Currency, "The organisation's base currency.");

/** Spec 2.1, contract 4. */
const Project = object('A project of the organisation.', {
  id: member(ProjectId, 'Its identifier.'),
  name: text('Its name.'),
  description: textOrNull('What it is about.'),
  startDate: member(Instant, 'Its first day, at midnight UTC.'),
  endDate: member(Instant, 'Its last day (inclusive), at midnight UTC.'),
  currency,
  budgetMode: member(BudgetMode, 'How its budget is planned.'),
  parentProjectId: member(nullable(ProjectId), 'The project that this one is part of.'),
  funder: member(nullable(Funder), 'Who pays for it.'),
  codes: list(
    Type.String(),
    'What finance systems call it: a transaction with one of these as `projectCode` belongs to it.',
  ),
  createdAt,
  updatedAt: member(Instant, updatedAt),
});
export type Project = Static<typeof Project>;

/** Contract 4. */
const Review = object(
  'Why a transaction needs review: its amount changed after it was allocated.',
  {
    reason: member(
      Type.Literal('amount_changed'),
      'Always `amount_changed`: the amount changed while there were allocations.',
    ),
    previousAmount: money('The amount when the allocations were last made or confirmed.'),
    changedAt: member(Instant, 'When the amount changed.'),
  },
);

/** Contract 17. */
const Recoded = object('The codes and the date of an allocated transaction before they changed.', {
  accountCode: textOrNull('The account code before the push that marked it.'),
  projectCode: textOrNull('The project code before.'),
  date: member(CalendarDate, 'The date before.'),
  changedAt: member(Instant, 'When it was marked.'),
});

const externalId = textOrNull('Its identifier in the system it came from, if it has one.');
const moved = {
  date: member(CalendarDate, 'The date the money moved.'),
  description: text('What it was for.'),
  contact: textOrNull('Who paid or was paid.'),
};

/** Spec 2.4, contract 4. */
const Transaction = object('A cash movement of the organisation.', {
  id: member(TransactionId, 'Its identifier.'),
  provider: member(Provider, 'Where it came from.'),
  externalId,
  ...moved,
  amount: money('How much.'),
  currency,
  accountCode: textOrNull('The code of the ledger account.'),
  reference: textOrNull('The voucher, invoice or bank reference of the payment.'),
  bankAccount: textOrNull('The account on which the cash moved.'),
  projectCode: textOrNull('What the finance system calls the project.'),
  status: member(TransactionStatus, 'Its state in the budgeting workflow.'),
  allocatedAmount: money('The sum of its allocations, with the same sign as `amount`.'),
  review: member(nullable(Review), 'Set while the transaction needs review, else null.'),
  recoded: member(
    nullable(Recoded),
    'Set while the codes or the date of the transaction no longer lead to its budget lines and ' +
      'nobody has settled that, else null. It still counts on those lines.',
  ),
  createdAt,
  updatedAt: member(Instant, `${updatedAt} Allocating, excluding and reviewing also count.`),
});
export type Transaction = Static<typeof Transaction>;

/** The parts of its budget line and transaction that an allocation shows. */
const AllocatedLine = object('The budget line of an allocation.', {
  code: textOrNull('Its code.'),
  name: text('Its name.'),
});
const AllocatedTransaction = object('The transaction of an allocation.', {
  provider: member(Provider, 'Where the transaction came from.'),
  externalId,
  ...moved,
});

/** Spec 2.3, contract 4. */
const Allocation = object(
  'Part or all of a transaction, assigned to one budget line of a project.',
  {
    id: member(AllocationId, 'Its identifier.'),
    projectId: member(ProjectId, 'The project of the budget line.'),
    budgetLineId: member(BudgetLineId, 'The budget line it is assigned to.'),
    budgetLine: member(AllocatedLine, 'The code and name of that budget line.'),
    transactionId: member(TransactionId, 'The transaction it is part of.'),
    transaction: member(AllocatedTransaction, 'The main members of that transaction.'),
    amount: money("The part of the transaction's amount, with the same sign."),
    note: textOrNull('A note by the person who made the allocation.'),
    createdAt,
    updatedAt: member(Instant, 'When it last changed.'),
  },
);
export type Allocation = Static<typeof Allocation>;

/** Spec 2.2. */
const ReportCell = object('Budget and actual: `variance` is `budgeted` minus `actual`.', {
  budgeted: money('The planned amount.'),
  actual: money('The allocated amount.'),
  variance: member(Amount, '`budgeted` minus `actual`.'),
});
export type ReportCell = Static<typeof ReportCell>;

/** One column of a report. */
const ReportPeriod = object("A month or quarter of a report, cut to the project's dates.", {
  key: text('Its name, such as `2026-01` or `2026-Q1`.'),
  startDate: member(CalendarDate, 'Its first day within the project.'),
  endDate: member(CalendarDate, 'Its last day within the project (inclusive).'),
});

const figures = {
  cells: list(ReportCell, 'One cell for each period, including zeros.'),
  outsideActual: money('The sum allocated from transactions dated outside the project.'),
  total: member(ReportCell, 'The sum of the cells; `actual` includes `outsideActual`.'),
};

/** Spec 4.3, contract 4, with the parts below and above. */
const ReportRow = object('One budget line of a report.', {
  budgetLineId: member(BudgetLineId, 'The budget line.'),
  code: textOrNull('Its code.'),
  name: text('Its name.'),
  category: textOrNull('The heading that groups it.'),
  kind: oneOf(LINE_KINDS, 'Whether it is for money out, or for money in, which is negative.'),
  accountCodes: list(Type.String(), 'The account codes that it claims, in their order.'),
  ...figures,
});
export type ReportRow = Static<typeof ReportRow>;
const ReportTotals = object('The sum of all budget lines of a report.', figures);
const ReportReview = object('How much of the actual figures needs review.', {
  count: wholeNumber('How many transactions with an allocation in this project need review.'),
  amount: money('The sum of their allocations in this project.'),
});
const ReportRecoded = object(
  'How much of the actual figures is on lines to which the codes or the date no longer lead.',
  {
    count: wholeNumber('How many transactions with an allocation in this project are marked.'),
    amount: money('The sum of their allocations in this project.'),
  },
);
const ReportUnallocated = object(
  'What the report lacks because it is not allocated. Counts the transactions of the ' +
    'organisation dated in the periods, except those whose `projectCode` only other projects have.',
  {
    count: wholeNumber('How many transactions are `unallocated` or `partially_allocated`.'),
    out: Type.Number({ minimum: 0, description: 'The money out that is not allocated.' }),
    in: Type.Number({
      minimum: 0,
      description: 'The money in that is not allocated, also positive.',
    }),
  },
);
const Report = object(
  "Budget and actual of one project. A parent's report does not include its parts. Excluded " +
    'transactions do not count.',
  {
    projectId: member(ProjectId, 'The project.'),
    currency: member(Currency, 'The currency of every amount.'),
    granularity: member(Granularity, 'The length of the periods.'),
    startDate: member(CalendarDate, "The project's first day."),
    endDate: member(CalendarDate, "The project's last day (inclusive)."),
    periods: list(ReportPeriod, 'The columns, in order of time.'),
    rows: list(ReportRow, 'The budget lines, in their order.'),
    totals: member(ReportTotals, 'The sum of all rows.'),
    needsReview: member(ReportReview, 'How much of the report needs review.'),
    recoded: member(ReportRecoded, 'How much of the report is marked as recoded.'),
    unallocated: member(ReportUnallocated, 'What is not allocated yet.'),
  },
);
export type Report = Static<typeof Report>;

const issue = (description: string, codes: readonly string[]) =>
  object(description, {
    field: textOrNull('The member concerned; null for the whole row.'),
    code: openList(codes, 'The reason: see the list of codes.'),
    message: text('The reason, human-readable.'),
  });

/** One error of a rejected row, one warning of an accepted row. */
const RowError = issue('One thing that is wrong with a rejected row.', ROW_ERROR_CODES);
const RowWarning = issue('A note about an accepted row.', ROW_WARNING_CODES);

const index = wholeNumber('The position of the row in `rows`, from 0.');

/** One result of a push, a union discriminated by `status` (Spec 2.6, contract 6). */
const AcceptedRow = object(
  'The result of a row that was stored, or would be stored without the dry run.',
  {
    index,
    externalId: text('The `externalId` of the row.'),
    status: oneOf(['created', 'updated'], 'Whether the transaction is new.'),
    id: member(
      nullable(TransactionId),
      'The identifier of the transaction; null for a row that a dry run would create.',
    ),
    needsReview: Type.Boolean({
      description: 'Whether the transaction needs review after this row.',
    }),
    changed: list(
      openList(CHANGEABLE_FIELDS, 'The name of a member.'),
      'The members that changed; empty for a new or an unchanged transaction.',
    ),
    warnings: list(RowWarning, 'Notes about the row; at most 20.'),
  },
);
const RejectedRow = object('The result of a row that was not stored, with its errors.', {
  index,
  externalId: textOrNull(
    'The `externalId` of the row if it is a string, even an invalid one; else null.',
  ),
  status: member(Type.Literal('rejected'), 'The row was not stored.'),
  errors: list(RowError, 'All errors of the row; at most 20.'),
});
const PushResultItem = Type.Union([AcceptedRow, RejectedRow], {
  description: 'The result of one row: accepted or rejected, according to `status`.',
});
export type PushResultItem = Static<typeof PushResultItem>;

/** Contract 6. */
const PushCounts = object('The counts of a push.', {
  received: wholeNumber('The number of rows in the request.'),
  created: wholeNumber('Rows that created a transaction.'),
  updated: wholeNumber('Rows whose transaction already existed, changed or not.'),
  unchanged: wholeNumber('The `updated` rows with nothing in `changed`.'),
  rejected: wholeNumber('Rows that were not stored.'),
  needsReview: wholeNumber('Rows whose transaction needs review now.'),
  warnings: wholeNumber('Accepted rows with at least one warning. Check them.'),
  dryRun: Type.Boolean({ description: 'Whether this was a dry run, which stores nothing.' }),
});

const pushed = {
  data: list(PushResultItem, 'One result for each row, in the order of the rows.'),
  meta: member(PushCounts, 'The counts.'),
};

/** Spec 4.6, if at least one row was accepted. */
const PushAnswer = object('The results of a push: `data[i]` is the result of `rows[i]`.', pushed);
export type PushAnswer = Static<typeof PushAnswer>;

/** Contract 3. */
const ErrorDetail = object('A parameter or member with an error.', {
  field: textOrNull('The name of the parameter or member; null if the error is not in one.'),
  code: openList(['invalid_parameter', 'invalid_envelope'], 'What is wrong.'),
  message: text('The same, human-readable.'),
});

/** Codes of the command line, the library and the console that this interface never sends. */
const WORKFLOW_CODES = ['invalid_input', 'conflict', 'not_allowed'] as const;
/** A code that this interface sends. */
export type WireCode = Exclude<FailureCode, (typeof WORKFLOW_CODES)[number]>;
const isOfInterface = (code: FailureCode): code is WireCode =>
  WORKFLOW_CODES.every((each) => each !== code);
const code = 'Why the request was refused: see the list of codes.';
const refusal = {
  message: text('Human-readable: what happened and what to do. The wording can change.'),
  requestId: text('Identifies this request, like `X-Request-Id`. Quote it when you ask for help.'),
  details: list(ErrorDetail, 'The parameters or members with errors; empty for other refusals.'),
};

/** The body of a refusal (Spec 7, contract 3). */
const ErrorBody = object(
  'The answer to every refused request. Act on `code`; `message` is human-readable.',
  { code: openList(FAILURE_CODES.filter(isOfInterface), code), ...refusal },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** Contract 6. */
const RejectedPush = object(
  'The answer to a push when every row was rejected, with a result for each row.',
  { code: openList(['all_rows_rejected'], code), ...refusal, ...pushed },
);
export type RejectedPush = Static<typeof RejectedPush>;

const PageMeta = object('How to read the next page.', {
  nextCursor: textOrNull('The `cursor` for the next page; null on the last page.'),
});
const documentOf = <Schema extends Type.TSchema>(noun: string, schema: Schema) =>
  object(`One ${noun}.`, { data: member(schema, `The ${noun}.`) });
const pageOf = <Schema extends Type.TSchema>(nouns: string, schema: Schema) =>
  object(`A page of ${nouns}.`, {
    data: list(schema, 'The items of this page.'),
    meta: member(PageMeta, 'How to read the next page.'),
  });

/** Every schema by its name, in the order of the OpenAPI document. */
export const SCHEMAS = {
  ...SCALARS,
  CalendarDate,
  Amount,
  PushRow,
  PushRequest,
  Funder,
  Project,
  Review,
  Recoded,
  Transaction,
  AllocatedLine,
  AllocatedTransaction,
  Allocation,
  ReportCell,
  ReportPeriod,
  ReportRow,
  ReportTotals,
  ReportReview,
  ReportRecoded,
  ReportUnallocated,
  Report,
  RowError,
  RowWarning,
  AcceptedRow,
  RejectedRow,
  PushResultItem,
  PushCounts,
  PushAnswer,
  ErrorDetail,
  ErrorBody,
  RejectedPush,
  PageMeta,
  // Contract 9.
  Health: object('The answer of a health check.', {
    status: member(Type.Literal('ok'), 'Always `ok`.'),
  }),
  // The documents of the read operations (contract 1).
  ProjectDocument: documentOf('project', Project),
  ProjectList: pageOf('projects', Project),
  ReportDocument: object('The report of one project.', { data: member(Report, 'The report.') }),
  AllocationList: pageOf('allocations', Allocation),
  TransactionDocument: documentOf('transaction', Transaction),
  TransactionList: pageOf('transactions', Transaction),
};

export type ProjectDocument = Static<typeof SCHEMAS.ProjectDocument>;
export type ProjectList = Static<typeof SCHEMAS.ProjectList>;
export type ReportDocument = Static<typeof SCHEMAS.ReportDocument>;
export type AllocationList = Static<typeof SCHEMAS.AllocationList>;
export type TransactionDocument = Static<typeof SCHEMAS.TransactionDocument>;
export type TransactionList = Static<typeof SCHEMAS.TransactionList>;
