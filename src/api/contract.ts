/**
 * The documents of version 1, each as a schema and a type with the same name. The OpenAPI document
 * is built from them, and the tests check every answer against them. The server imports only the
 * types: loading TypeBox takes longer than starting (decision 0001).
 */

import { type Static, Type } from 'typebox';
import { GRANULARITIES } from '../core/calendar.ts';
import { FAILURE_CODES, type FailureCode } from '../core/failures.ts';
import { Amount, CalendarDate } from '../core/inputs.ts';
import { BUDGET_MODES } from '../core/projects.ts';
import { CHANGEABLE_FIELDS, ROW_ERROR_CODES, ROW_WARNING_CODES } from '../core/push.ts';
import { PROVIDERS, STATUSES } from '../core/transactions.ts';

/** What comes in is described where it is checked. */
export { Amount, CalendarDate, PushRequest, PushRow } from '../core/inputs.ts';

const closed = { additionalProperties: false };
const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  Type.Unsafe<Values[number]>(Type.Enum([...values]));

const Id = (prefix: string) => Type.String({ pattern: `^${prefix}_[0-9a-z]+$` });
const NullableText = nullable(Type.String());

/** Opaque identifiers with a prefix for their kind (contract 1). */
export const ProjectId = Id('prj');
export const BudgetLineId = Id('bln');
export const TransactionId = Id('txn');
export const AllocationId = Id('alc');

/** Scalars with the same meaning everywhere (contract 1). */
export const Instant = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
});
export const Currency = Type.String({ pattern: '^[A-Z]{3}$' });

/** Closed lists. */
export const BudgetMode = oneOf(BUDGET_MODES);
export const Granularity = oneOf(GRANULARITIES);
/** An open list: other providers will be added. */
export const Provider = Type.String({ examples: [...PROVIDERS] });
export const TransactionStatus = oneOf(STATUSES);

/** Who pays for a project. */
export const Funder = Type.Object({ name: Type.String(), reference: NullableText }, closed);
export type Funder = Static<typeof Funder>;

/** A project (Spec 2.1, contract 4). */
export const Project = Type.Object(
  {
    id: ProjectId,
    name: Type.String(),
    description: NullableText,
    startDate: Instant,
    endDate: Instant,
    currency: Currency,
    budgetMode: BudgetMode,
    parentProjectId: nullable(ProjectId),
    funder: nullable(Funder),
    createdAt: Instant,
    updatedAt: Instant,
  },
  closed,
);
export type Project = Static<typeof Project>;

/** Why a transaction needs review (contract 4). */
export const Review = Type.Object(
  { reason: Type.Literal('amount_changed'), previousAmount: Amount, changedAt: Instant },
  closed,
);
export type Review = Static<typeof Review>;

/** A transaction (Spec 2.4, contract 4). */
export const Transaction = Type.Object(
  {
    id: TransactionId,
    provider: Provider,
    externalId: NullableText,
    date: CalendarDate,
    description: Type.String(),
    contact: NullableText,
    amount: Amount,
    currency: Currency,
    accountCode: NullableText,
    status: TransactionStatus,
    allocatedAmount: Amount,
    review: nullable(Review),
    createdAt: Instant,
    updatedAt: Instant,
  },
  closed,
);
export type Transaction = Static<typeof Transaction>;

/** The parts of its budget line and transaction that an allocation shows. */
export const AllocatedLine = Type.Object({ code: NullableText, name: Type.String() }, closed);
export type AllocatedLine = Static<typeof AllocatedLine>;
export const AllocatedTransaction = Type.Object(
  {
    provider: Provider,
    externalId: NullableText,
    date: CalendarDate,
    description: Type.String(),
    contact: NullableText,
  },
  closed,
);
export type AllocatedTransaction = Static<typeof AllocatedTransaction>;

/** An allocation (Spec 2.3, contract 4). */
export const Allocation = Type.Object(
  {
    id: AllocationId,
    projectId: ProjectId,
    budgetLineId: BudgetLineId,
    budgetLine: AllocatedLine,
    transactionId: TransactionId,
    transaction: AllocatedTransaction,
    amount: Amount,
    note: NullableText,
    createdAt: Instant,
    updatedAt: Instant,
  },
  closed,
);
export type Allocation = Static<typeof Allocation>;

/** One cell of a report (Spec 2.2): variance = budgeted - actual. */
export const ReportCell = Type.Object(
  { budgeted: Amount, actual: Amount, variance: Amount },
  closed,
);
export type ReportCell = Static<typeof ReportCell>;

/** One column of a report, cut to the project's dates. */
export const ReportPeriod = Type.Object(
  { key: Type.String(), startDate: CalendarDate, endDate: CalendarDate },
  closed,
);
export type ReportPeriod = Static<typeof ReportPeriod>;

const figures = {
  cells: Type.Array(ReportCell),
  outsideActual: Amount,
  total: ReportCell,
};

/** One budget line of a report. */
export const ReportRow = Type.Object(
  {
    budgetLineId: BudgetLineId,
    code: NullableText,
    name: Type.String(),
    category: NullableText,
    ...figures,
  },
  closed,
);
export type ReportRow = Static<typeof ReportRow>;

/** The sum of all budget lines of a report. */
export const ReportTotals = Type.Object(figures, closed);
export type ReportTotals = Static<typeof ReportTotals>;

/** How much of a report's actual figures needs review. */
export const ReportReview = Type.Object({ count: Type.Integer(), amount: Amount }, closed);
export type ReportReview = Static<typeof ReportReview>;

/** Budget against actual for one project (Spec 4.3, contract 4). */
export const Report = Type.Object(
  {
    projectId: ProjectId,
    currency: Currency,
    granularity: Granularity,
    startDate: CalendarDate,
    endDate: CalendarDate,
    periods: Type.Array(ReportPeriod),
    rows: Type.Array(ReportRow),
    totals: ReportTotals,
    needsReview: ReportReview,
  },
  closed,
);
export type Report = Static<typeof Report>;

const RowIssue = <const Codes extends readonly string[]>(codes: Codes) =>
  Type.Object({ field: NullableText, code: oneOf(codes), message: Type.String() }, closed);

/** One error of a rejected row, one warning of an accepted row. */
export const RowError = RowIssue(ROW_ERROR_CODES);
export type RowError = Static<typeof RowError>;
export const RowWarning = RowIssue(ROW_WARNING_CODES);
export type RowWarning = Static<typeof RowWarning>;

/** The result of a row that was stored, or would be without the dry run. */
export const AcceptedRow = Type.Object(
  {
    index: Type.Integer(),
    externalId: Type.String(),
    status: oneOf(['created', 'updated']),
    id: nullable(TransactionId),
    needsReview: Type.Boolean(),
    changed: Type.Array(oneOf(CHANGEABLE_FIELDS)),
    warnings: Type.Array(RowWarning),
  },
  closed,
);
export type AcceptedRow = Static<typeof AcceptedRow>;

/** The result of a row that was not stored. */
export const RejectedRow = Type.Object(
  {
    index: Type.Integer(),
    externalId: NullableText,
    status: Type.Literal('rejected'),
    errors: Type.Array(RowError),
  },
  closed,
);
export type RejectedRow = Static<typeof RejectedRow>;

/** One result of a push, a union discriminated by `status` (Spec 2.6, contract 6). */
export const PushResultItem = Type.Union([AcceptedRow, RejectedRow]);
export type PushResultItem = Static<typeof PushResultItem>;

/** The counts of a push (contract 6). */
export const PushCounts = Type.Object(
  {
    received: Type.Integer(),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    rejected: Type.Integer(),
    needsReview: Type.Integer(),
    warnings: Type.Integer(),
    dryRun: Type.Boolean(),
  },
  closed,
);
export type PushCounts = Static<typeof PushCounts>;

/** The answer to a push with at least one accepted row (Spec 4.6). */
export const PushAnswer = Type.Object(
  { data: Type.Array(PushResultItem), meta: PushCounts },
  closed,
);
export type PushAnswer = Static<typeof PushAnswer>;

/** A parameter or a member of the body with an error. */
export const ErrorDetail = Type.Object(
  { field: NullableText, code: Type.String(), message: Type.String() },
  closed,
);
export type ErrorDetail = Static<typeof ErrorDetail>;

/** Codes of the command line and the library that this interface never sends. */
type WorkflowCode = 'invalid_input' | 'conflict';
const isOfInterface = (code: FailureCode): code is Exclude<FailureCode, WorkflowCode> =>
  code !== 'invalid_input' && code !== 'conflict';
const refusal = {
  message: Type.String(),
  requestId: Type.String(),
  details: Type.Array(ErrorDetail),
};

/** The body of a refusal (Spec 7, contract 3). */
export const ErrorBody = Type.Object(
  { code: Type.Enum(FAILURE_CODES.filter(isOfInterface)), ...refusal },
  closed,
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The answer to a push when every row was rejected (contract 6). */
export const RejectedPush = Type.Object(
  {
    code: Type.Literal('all_rows_rejected'),
    ...refusal,
    data: Type.Array(PushResultItem),
    meta: PushCounts,
  },
  closed,
);
export type RejectedPush = Static<typeof RejectedPush>;

/** How to read the next page of a list. */
export const PageMeta = Type.Object({ nextCursor: nullable(Type.String()) }, closed);
export type PageMeta = Static<typeof PageMeta>;

/** The answer of a health check (contract 9). */
export const Health = Type.Object({ status: Type.Literal('ok') }, closed);
export type Health = Static<typeof Health>;

const one = <Schema extends Type.TSchema>(schema: Schema) => Type.Object({ data: schema }, closed);
const listOf = <Schema extends Type.TSchema>(schema: Schema) =>
  Type.Object({ data: Type.Array(schema), meta: PageMeta }, closed);

/** The documents of the read operations (contract 1). */
export const ProjectDocument = one(Project);
export type ProjectDocument = Static<typeof ProjectDocument>;
export const ProjectList = listOf(Project);
export type ProjectList = Static<typeof ProjectList>;
export const ReportDocument = one(Report);
export type ReportDocument = Static<typeof ReportDocument>;
export const AllocationList = listOf(Allocation);
export type AllocationList = Static<typeof AllocationList>;
export const TransactionDocument = one(Transaction);
export type TransactionDocument = Static<typeof TransactionDocument>;
export const TransactionList = listOf(Transaction);
export type TransactionList = Static<typeof TransactionList>;
