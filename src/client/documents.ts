// biome-ignore-all lint/style/noExcessiveLinesPerFile: generated.
/**
 * The documents of the interface as types, generated from the OpenAPI document by `npm run
 * client-types`. Change the texts in src/api/contract.ts, not here.
 */

/**
 * How the budget is planned: `monthly` has an amount for each budget line and calendar month,
 * `total` has one amount for each line, spread evenly over the project's months.
 */
export type BudgetMode = 'monthly' | 'total';

/** The length of the periods of a report: months or calendar quarters. */
export type Granularity = 'monthly' | 'quarterly';

/**
 * Where a transaction came from: `api` was pushed over this interface, `csv` imported from a file,
 * `manual` typed in. An open list: other values will come, so treat it as text.
 */
export type Provider = string;

/**
 * The first one that applies: `excluded` (removed from the budgets), `needs_review` (its amount
 * changed after it was allocated), `allocated` (its allocations add up to its amount),
 * `partially_allocated`, `unallocated`.
 */
export type TransactionStatus =
  | 'excluded'
  | 'needs_review'
  | 'allocated'
  | 'partially_allocated'
  | 'unallocated';

/**
 * A cash movement to push. Each push replaces the whole transaction: an update without `contact` or
 * `accountCode` clears that member. An unknown member is kept as raw data, with the warning
 * `unknown_field`. This schema says all that is checked, except: white space around `description`,
 * `contact` and `accountCode` is trimmed first, and an `amount` must fit the decimal places of the
 * currency and be at most 999,999,999,999 minor units.
 */
export interface PushRow {
  /**
   * Identifies the row in your system, byte for byte: pushing it again updates the transaction. Not
   * blank, no control characters.
   */
  externalId: string;
  /**
   * The date the money moved. Must be a real date: `2026-02-29` is rejected. A calendar date,
   * `YYYY-MM-DD`, without a time zone.
   */
  date: string;
  /**
   * What it was for. White space around it is trimmed; tab and newline are the only control
   * characters allowed.
   */
  description: string;
  /** Who paid or was paid. White space around it is trimmed. Absent or null if there is none. */
  contact?: string | null;
  /**
   * Money out is positive, money in is negative. Most bank files use the opposite sign. Never
   * rounded. Push 0 to void it. In major units: 12.5 is £12.50.
   */
  amount: number;
  /**
   * The code of the ledger account. White space around it is trimmed. Absent or null if there is
   * none.
   */
  accountCode?: string | null;
  /** A member of a journal line: leave it out, or send null. */
  debit?: null;
  /** A member of a journal line: leave it out, or send null. */
  credit?: null;
  /** A member of a journal line: leave it out, or send null. */
  journalId?: null;
  /** A member of a journal line: leave it out, or send null. */
  journalNumber?: null;
  /** A member of a journal line: leave it out, or send null. */
  journalLines?: null;
  /** A member of a journal line: leave it out, or send null. */
  lines?: null;
}

/** Who pays for a project. */
export interface Funder {
  /** Its name. */
  name: string;
  /** The funder's reference for the grant. Null if there is none. */
  reference: string | null;
}

/** A project of the organisation. */
export interface Project {
  /** Its identifier. */
  id: string;
  /** Its name. */
  name: string;
  /** What it is about. Null if there is none. */
  description: string | null;
  /** Its first day, at midnight UTC. RFC 3339 in UTC, with milliseconds. */
  startDate: string;
  /** Its last day (inclusive), at midnight UTC. RFC 3339 in UTC, with milliseconds. */
  endDate: string;
  /** The organisation's base currency. An ISO 4217 code. */
  currency: string;
  /** How its budget is planned. */
  budgetMode: BudgetMode;
  /** The project that this one is part of. Null if there is none. */
  parentProjectId: string | null;
  /** Who pays for it. Null if there is none. */
  funder: Funder | null;
  /** When it was created. RFC 3339 in UTC, with milliseconds. */
  createdAt: string;
  /** When a member shown here last changed. RFC 3339 in UTC, with milliseconds. */
  updatedAt: string;
}

/** Why a transaction needs review: its amount changed after it was allocated. */
export interface Review {
  /** Always `amount_changed`: the amount changed while there were allocations. */
  reason: 'amount_changed';
  /**
   * The amount when the allocations were last made or confirmed. Money out is positive, money in is
   * negative. In major units: 12.5 is £12.50.
   */
  previousAmount: number;
  /** When the amount changed. RFC 3339 in UTC, with milliseconds. */
  changedAt: string;
}

/** A cash movement of the organisation. */
export interface Transaction {
  /** Its identifier. */
  id: string;
  /** Where it came from. */
  provider: Provider;
  /** Its identifier in the system it came from, if it has one. Null if there is none. */
  externalId: string | null;
  /** The date the money moved. A calendar date, `YYYY-MM-DD`, without a time zone. */
  date: string;
  /** What it was for. */
  description: string;
  /** Who paid or was paid. Null if there is none. */
  contact: string | null;
  /** How much. Money out is positive, money in is negative. In major units: 12.5 is £12.50. */
  amount: number;
  /** The organisation's base currency. An ISO 4217 code. */
  currency: string;
  /** The code of the ledger account. Null if there is none. */
  accountCode: string | null;
  /** Its state in the budgeting workflow. */
  status: TransactionStatus;
  /**
   * The sum of its allocations, with the same sign as `amount`. Money out is positive, money in is
   * negative. In major units: 12.5 is £12.50.
   */
  allocatedAmount: number;
  /** Set while the transaction needs review, else null. */
  review: Review | null;
  /** When it was created. RFC 3339 in UTC, with milliseconds. */
  createdAt: string;
  /**
   * When a member shown here last changed. Allocating, excluding and reviewing also count. RFC 3339
   * in UTC, with milliseconds.
   */
  updatedAt: string;
}

/** The budget line of an allocation. */
export interface AllocatedLine {
  /** Its code. Null if there is none. */
  code: string | null;
  /** Its name. */
  name: string;
}

/** The transaction of an allocation. */
export interface AllocatedTransaction {
  /** Where the transaction came from. */
  provider: Provider;
  /** Its identifier in the system it came from, if it has one. Null if there is none. */
  externalId: string | null;
  /** The date the money moved. A calendar date, `YYYY-MM-DD`, without a time zone. */
  date: string;
  /** What it was for. */
  description: string;
  /** Who paid or was paid. Null if there is none. */
  contact: string | null;
}

/** Part or all of a transaction, assigned to one budget line of a project. */
export interface Allocation {
  /** Its identifier. */
  id: string;
  /** The project of the budget line. */
  projectId: string;
  /** The budget line it is assigned to. */
  budgetLineId: string;
  /** The code and name of that budget line. */
  budgetLine: AllocatedLine;
  /** The transaction it is part of. */
  transactionId: string;
  /** The main members of that transaction. */
  transaction: AllocatedTransaction;
  /**
   * The part of the transaction's amount, with the same sign. Money out is positive, money in is
   * negative. In major units: 12.5 is £12.50.
   */
  amount: number;
  /** A note by the person who made the allocation. Null if there is none. */
  note: string | null;
  /** When it was created. RFC 3339 in UTC, with milliseconds. */
  createdAt: string;
  /** When it last changed. RFC 3339 in UTC, with milliseconds. */
  updatedAt: string;
}

/** Budget and actual: `variance` is `budgeted` minus `actual`. */
export interface ReportCell {
  /**
   * The planned amount. Money out is positive, money in is negative. In major units: 12.5 is
   * £12.50.
   */
  budgeted: number;
  /**
   * The allocated amount. Money out is positive, money in is negative. In major units: 12.5 is
   * £12.50.
   */
  actual: number;
  /**
   * `budgeted` minus `actual`. In major units: 12.5 is £12.50. Money out is positive, money in is
   * negative.
   */
  variance: number;
}

/** A month or quarter of a report, cut to the project's dates. */
export interface ReportPeriod {
  /** Its name, such as `2026-01` or `2026-Q1`. */
  key: string;
  /** Its first day within the project. A calendar date, `YYYY-MM-DD`, without a time zone. */
  startDate: string;
  /**
   * Its last day within the project (inclusive). A calendar date, `YYYY-MM-DD`, without a time
   * zone.
   */
  endDate: string;
}

/** One budget line of a report. */
export interface ReportRow {
  /** The budget line. */
  budgetLineId: string;
  /** Its code. Null if there is none. */
  code: string | null;
  /** Its name. */
  name: string;
  /** The heading that groups it. Null if there is none. */
  category: string | null;
  /** One cell for each period, including zeros. */
  cells: ReportCell[];
  /**
   * The sum allocated from transactions dated outside the project. Money out is positive, money in
   * is negative. In major units: 12.5 is £12.50.
   */
  outsideActual: number;
  /** The sum of the cells; `actual` includes `outsideActual`. */
  total: ReportCell;
}

/** The sum of all budget lines of a report. */
export interface ReportTotals {
  /** One cell for each period, including zeros. */
  cells: ReportCell[];
  /**
   * The sum allocated from transactions dated outside the project. Money out is positive, money in
   * is negative. In major units: 12.5 is £12.50.
   */
  outsideActual: number;
  /** The sum of the cells; `actual` includes `outsideActual`. */
  total: ReportCell;
}

/** How much of the actual figures needs review. */
export interface ReportReview {
  /** How many transactions with an allocation in this project need review. */
  count: number;
  /**
   * The sum of their allocations in this project. Money out is positive, money in is negative. In
   * major units: 12.5 is £12.50.
   */
  amount: number;
}

/**
 * Budget and actual of one project. A parent's report does not include its parts. Excluded
 * transactions do not count.
 */
export interface Report {
  /** The project. */
  projectId: string;
  /** The currency of every amount. An ISO 4217 code. */
  currency: string;
  /** The length of the periods. */
  granularity: Granularity;
  /** The project's first day. A calendar date, `YYYY-MM-DD`, without a time zone. */
  startDate: string;
  /** The project's last day (inclusive). A calendar date, `YYYY-MM-DD`, without a time zone. */
  endDate: string;
  /** The columns, in order of time. */
  periods: ReportPeriod[];
  /** The budget lines, in their order. */
  rows: ReportRow[];
  /** The sum of all rows. */
  totals: ReportTotals;
  /** How much of the report needs review. */
  needsReview: ReportReview;
}

/** One thing that is wrong with a rejected row. */
export interface RowError {
  /** The member concerned; null for the whole row. */
  field: string | null;
  /** The reason: see the list of codes. */
  code:
    | 'not_an_object'
    | 'required'
    | 'invalid_type'
    | 'blank'
    | 'too_long'
    | 'invalid_characters'
    | 'invalid_date'
    | 'amount_precision'
    | 'amount_out_of_range'
    | 'journal_line';
  /** The reason, human-readable. */
  message: string;
}

/** A note about an accepted row. */
export interface RowWarning {
  /** The member concerned; null for the whole row. */
  field: string | null;
  /** The reason: see the list of codes. */
  code: 'duplicate_in_batch' | 'other_provider' | 'unknown_field';
  /** The reason, human-readable. */
  message: string;
}

/** The result of a row that was stored, or would be stored without the dry run. */
export interface AcceptedRow {
  /** The position of the row in `rows`, from 0. */
  index: number;
  /** The `externalId` of the row. */
  externalId: string;
  /** Whether the transaction is new. */
  status: 'created' | 'updated';
  /** The identifier of the transaction; null for a row that a dry run would create. */
  id: string | null;
  /** Whether the transaction needs review after this row. */
  needsReview: boolean;
  /** The members that changed; empty for a new or an unchanged transaction. */
  changed: ('date' | 'description' | 'contact' | 'amount' | 'accountCode')[];
  /** Notes about the row; at most 20. */
  warnings: RowWarning[];
}

/** The result of a row that was not stored, with its errors. */
export interface RejectedRow {
  /** The position of the row in `rows`, from 0. */
  index: number;
  /** The `externalId` of the row if it is a string, even an invalid one; else null. */
  externalId: string | null;
  /** The row was not stored. */
  status: 'rejected';
  /** All errors of the row; at most 20. */
  errors: RowError[];
}

/** The result of one row: accepted or rejected, according to `status`. */
export type PushResultItem = AcceptedRow | RejectedRow;

/** The counts of a push. */
export interface PushCounts {
  /** The number of rows in the request. */
  received: number;
  /** Rows that created a transaction. */
  created: number;
  /** Rows whose transaction already existed, changed or not. */
  updated: number;
  /** The `updated` rows with nothing in `changed`. */
  unchanged: number;
  /** Rows that were not stored. */
  rejected: number;
  /** Rows whose transaction needs review now. */
  needsReview: number;
  /** Accepted rows with at least one warning. Check them. */
  warnings: number;
  /** Whether this was a dry run, which stores nothing. */
  dryRun: boolean;
}

/** The results of a push: `data[i]` is the result of `rows[i]`. */
export interface PushAnswer {
  /** One result for each row, in the order of the rows. */
  data: PushResultItem[];
  /** The counts. */
  meta: PushCounts;
}

/** A parameter or member with an error. */
export interface ErrorDetail {
  /** The name of the parameter or member; null if the error is not in one. */
  field: string | null;
  /** What is wrong. */
  code: string;
  /** The same, human-readable. */
  message: string;
}

/** The answer to every refused request. Act on `code`; `message` is human-readable. */
export interface ErrorBody {
  /** Why the request was refused: see the list of codes. */
  code:
    | 'bad_request'
    | 'invalid_request_target'
    | 'invalid_parameter'
    | 'invalid_cursor'
    | 'invalid_encoding'
    | 'invalid_json'
    | 'invalid_envelope'
    | 'missing_api_key'
    | 'invalid_api_key'
    | 'revoked_api_key'
    | 'expired_api_key'
    | 'plan_feature_required'
    | 'insufficient_scope'
    | 'not_found'
    | 'method_not_allowed'
    | 'request_timeout'
    | 'payload_too_large'
    | 'unsupported_media_type'
    | 'expectation_failed'
    | 'all_rows_rejected'
    | 'rate_limit_exceeded'
    | 'headers_too_large'
    | 'internal_error'
    | 'unavailable'
    | 'storage_full'
    | 'http_version_not_supported';
  /** Human-readable: what happened and what to do. The wording can change. */
  message: string;
  /** Identifies this request, like `X-Request-Id`. Quote it when you ask for help. */
  requestId: string;
  /** The parameters or members with errors; empty for other refusals. */
  details: ErrorDetail[];
}

/** How to read the next page. */
export interface PageMeta {
  /** The `cursor` for the next page; null on the last page. */
  nextCursor: string | null;
}

/** One project. */
export interface ProjectDocument {
  /** The project. */
  data: Project;
}

/** A page of projects. */
export interface ProjectList {
  /** The items of this page. */
  data: Project[];
  /** How to read the next page. */
  meta: PageMeta;
}

/** The report of one project. */
export interface ReportDocument {
  /** The report. */
  data: Report;
}

/** A page of allocations. */
export interface AllocationList {
  /** The items of this page. */
  data: Allocation[];
  /** How to read the next page. */
  meta: PageMeta;
}

/** A page of transactions. */
export interface TransactionList {
  /** The items of this page. */
  data: Transaction[];
  /** How to read the next page. */
  meta: PageMeta;
}
