// biome-ignore-all lint/style/noExcessiveLinesPerFile: made by a program.
/**
 * The documents of the interface as types, made by `npm run client-types` from the OpenAPI
 * document: change the words in src/api/openapi-words.ts, not here.
 */

/**
 * How the budget is stated: `monthly`, an amount for each budget line and calendar month, or
 * `total`, one amount for each line, spread evenly over the project's months.
 */
export type BudgetMode = 'monthly' | 'total';

/** The length of the periods of a report; quarters are those of the calendar. */
export type Granularity = 'monthly' | 'quarterly';

/**
 * Where a transaction came from: `api` was pushed over this interface, `csv` imported from a file,
 * `manual` typed in.
 */
export type Provider = 'api' | 'csv' | 'manual';

/**
 * The first that holds: `excluded` (taken out of the workflow), `needs_review` (its amount changed
 * after it was allocated), `allocated` (its allocations add up to its amount),
 * `partially_allocated`, `unallocated`.
 */
export type TransactionStatus =
  | 'excluded'
  | 'needs_review'
  | 'allocated'
  | 'partially_allocated'
  | 'unallocated';

/** Who pays for a project. */
export interface Funder {
  /** Its name. */
  name: string;
  /** The funder's reference for the grant. Null when there is none. */
  reference: string | null;
}

/** A project of the organisation. */
export interface Project {
  /** Its identifier. */
  id: string;
  /** Its name. */
  name: string;
  /** What it is about. Null when there is none. */
  description: string | null;
  /** Its first day, at midnight UTC. RFC 3339 in UTC, with milliseconds. */
  startDate: string;
  /** Its last day, included, at midnight UTC. RFC 3339 in UTC, with milliseconds. */
  endDate: string;
  /** The organisation's base currency. A code of ISO 4217. */
  currency: string;
  /** How its budget is stated. */
  budgetMode: BudgetMode;
  /** The project it is a part of. Null when there is none. */
  parentProjectId: string | null;
  /** Who pays for it. Null when there is none. */
  funder: Funder | null;
  /** When it was made. RFC 3339 in UTC, with milliseconds. */
  createdAt: string;
  /** When a member shown here last changed. RFC 3339 in UTC, with milliseconds. */
  updatedAt: string;
}

/** Why a transaction waits for a person: its amount changed after it was allocated. */
export interface Review {
  /** The amount changed while there were allocations. */
  reason: 'amount_changed';
  /**
   * The amount that the allocations were last made or confirmed for. In major units: 12.5 is
   * £12.50. Money out is positive, money in is negative.
   */
  previousAmount: number;
  /** When the flag went up. RFC 3339 in UTC, with milliseconds. */
  changedAt: string;
}

/** A cash movement of the organisation. */
export interface Transaction {
  /** Its identifier. */
  id: string;
  /** Where it came from. */
  provider: Provider;
  /**
   * The identity of the row in the system it came from, where it has one. Null when there is none.
   */
  externalId: string | null;
  /** The day the money moved. A calendar date, `YYYY-MM-DD`, without a time zone. */
  date: string;
  /** What it was for. */
  description: string;
  /** Who paid or was paid. Null when there is none. */
  contact: string | null;
  /** How much: money out is positive, money in negative. In major units: 12.5 is £12.50. */
  amount: number;
  /** The organisation's base currency. A code of ISO 4217. */
  currency: string;
  /** The code of the ledger account it was booked to. Null when there is none. */
  accountCode: string | null;
  /** Where it stands in the budgeting workflow. */
  status: TransactionStatus;
  /**
   * The sum of its allocations, with the sign of its amount. In major units: 12.5 is £12.50. Money
   * out is positive, money in is negative.
   */
  allocatedAmount: number;
  /** Set while the transaction needs review. Null when there is none. */
  review: Review | null;
  /** When it was made. RFC 3339 in UTC, with milliseconds. */
  createdAt: string;
  /**
   * When a member shown here last changed: allocating, excluding and reviewing move it too. RFC
   * 3339 in UTC, with milliseconds.
   */
  updatedAt: string;
}

/** What an allocation shows of its budget line. */
export interface AllocatedLine {
  /** Its code. Null when there is none. */
  code: string | null;
  /** Its name. */
  name: string;
}

/** What an allocation shows of its transaction. */
export interface AllocatedTransaction {
  /** Where the transaction came from. */
  provider: Provider;
  /**
   * The identity of the row in the system it came from, where it has one. Null when there is none.
   */
  externalId: string | null;
  /** The day the money moved. A calendar date, `YYYY-MM-DD`, without a time zone. */
  date: string;
  /** What it was for. */
  description: string;
  /** Who paid or was paid. Null when there is none. */
  contact: string | null;
}

/** Part or all of a transaction, given to one budget line of a project. */
export interface Allocation {
  /** Its identifier. */
  id: string;
  /** The project of the budget line. */
  projectId: string;
  /** The budget line it was given to. */
  budgetLineId: string;
  /** That budget line. */
  budgetLine: AllocatedLine;
  /** The transaction it is a part of. */
  transactionId: string;
  /** That transaction. */
  transaction: AllocatedTransaction;
  /**
   * How much of the transaction's amount; it has the same sign. In major units: 12.5 is £12.50.
   * Money out is positive, money in is negative.
   */
  amount: number;
  /** What the person who made it wrote. Null when there is none. */
  note: string | null;
  /** When it was made. RFC 3339 in UTC, with milliseconds. */
  createdAt: string;
  /** When it last changed. RFC 3339 in UTC, with milliseconds. */
  updatedAt: string;
}

/** Budget against actual: `variance` is `budgeted` minus `actual`. */
export interface ReportCell {
  /**
   * What was planned. In major units: 12.5 is £12.50. Money out is positive, money in is negative.
   */
  budgeted: number;
  /**
   * What was allocated. In major units: 12.5 is £12.50. Money out is positive, money in is
   * negative.
   */
  actual: number;
  /**
   * `budgeted` minus `actual`. In major units: 12.5 is £12.50. Money out is positive, money in is
   * negative.
   */
  variance: number;
}

/** A month or quarter of a report, cut to the project's own dates. */
export interface ReportPeriod {
  /** Its name: `2026-01` or `2026-Q1`. */
  key: string;
  /** Its first day within the project. A calendar date, `YYYY-MM-DD`, without a time zone. */
  startDate: string;
  /**
   * Its last day within the project, included. A calendar date, `YYYY-MM-DD`, without a time zone.
   */
  endDate: string;
}

/** One budget line of a report. */
export interface ReportRow {
  /** The budget line. */
  budgetLineId: string;
  /** Its code. Null when there is none. */
  code: string | null;
  /** Its name. */
  name: string;
  /** The heading it stands under. Null when there is none. */
  category: string | null;
  /** One cell for each period, zeros included. */
  cells: ReportCell[];
  /**
   * What is allocated, but dated outside the project's dates. In major units: 12.5 is £12.50. Money
   * out is positive, money in is negative.
   */
  outsideActual: number;
  /** `actual` is the sum of the cells and of `outsideActual`. */
  total: ReportCell;
}

/** All budget lines of a report together. */
export interface ReportTotals {
  /** One cell for each period, zeros included. */
  cells: ReportCell[];
  /**
   * What is allocated, but dated outside the project's dates. In major units: 12.5 is £12.50. Money
   * out is positive, money in is negative.
   */
  outsideActual: number;
  /** `actual` is the sum of the cells and of `outsideActual`. */
  total: ReportCell;
}

/** How much of the actual figures is under review. */
export interface ReportReview {
  /** How many transactions with an allocation in this project are under review. */
  count: number;
  /**
   * The sum of their allocations in this project. In major units: 12.5 is £12.50. Money out is
   * positive, money in is negative.
   */
  amount: number;
}

/**
 * Budget against actual for one project. A parent's report does not include its children. Excluded
 * transactions count nowhere.
 */
export interface Report {
  /** The project. */
  projectId: string;
  /** The currency of every amount. A code of ISO 4217. */
  currency: string;
  /** The length of the periods. */
  granularity: Granularity;
  /** The project's first day. A calendar date, `YYYY-MM-DD`, without a time zone. */
  startDate: string;
  /** The project's last day, included. A calendar date, `YYYY-MM-DD`, without a time zone. */
  endDate: string;
  /** The columns, from first to last. */
  periods: ReportPeriod[];
  /** The budget lines, in their order. */
  rows: ReportRow[];
  /** All of them together. */
  totals: ReportTotals;
  /** What of it is under review. */
  needsReview: ReportReview;
}

/**
 * A cash movement to push. A row is the whole truth about its transaction: on an update an absent
 * `contact` or `accountCode` clears it. Other members are kept as raw data, with the warning
 * `unknown_field`; marks of a journal line (`debit`, `credit`, `journalId`, `journalNumber`,
 * `journalLines`, `lines`) are refused.
 */
export interface PushRow {
  /**
   * The identity of the row in your system, compared byte for byte: pushing it again updates the
   * transaction. Required, 1 to 255 characters, not blank, no control characters.
   */
  externalId: string;
  /**
   * The day the money moved. Required, a real day. A calendar date, `YYYY-MM-DD`, without a time
   * zone.
   */
  date: string;
  /**
   * What it was for. Required, 1 to 1000 characters after trimming; tab and newline are the only
   * control characters.
   */
  description: string;
  /** Who paid or was paid. Up to 255 characters after trimming. Absent or null for none. */
  contact?: string | null;
  /**
   * How much. Required; never rounded; 0 voids a row. In major units: 12.5 is £12.50. Money out is
   * positive, money in is negative.
   */
  amount: number;
  /**
   * The code of the ledger account. Up to 64 characters after trimming. Absent or null for none.
   */
  accountCode?: string | null;
}

/** One thing that is wrong with a rejected row. */
export interface RowError {
  /** The member it is about; null for the row as a whole. */
  field: string | null;
  /** What it is: see the catalogue of codes. */
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
  /** The same for people. */
  message: string;
}

/** One thing that is worth saying of an accepted row. */
export interface RowWarning {
  /** The member it is about; null for the row as a whole. */
  field: string | null;
  /** What it is: see the catalogue of codes. */
  code: 'duplicate_in_batch' | 'other_provider' | 'unknown_field';
  /** The same for people. */
  message: string;
}

/** The result of a row that was stored, or in a dry run would have been. */
export interface AcceptedRow {
  /** The row's place in `rows`, from 0. */
  index: number;
  /** The row's `externalId`. */
  externalId: string;
  /** What was done. */
  status: 'created' | 'updated';
  /** The transaction; null in a dry run for a row that would be created. */
  id: string | null;
  /** Whether the transaction is under review after this row. */
  needsReview: boolean;
  /** Which members differ from before; empty for a new row and for one that is the same. */
  changed: ('date' | 'description' | 'contact' | 'amount' | 'accountCode')[];
  /** At most 20. */
  warnings: RowWarning[];
}

/** The result of a row that was not stored, with everything that is wrong with it. */
export interface RejectedRow {
  /** The row's place in `rows`, from 0. */
  index: number;
  /** The row's `externalId` where it is a string, even an invalid one. Null when there is none. */
  externalId: string | null;
  /** The row was not stored. */
  status: 'rejected';
  /** Everything that is wrong with the row; at most 20. */
  errors: RowError[];
}

/** The result of one row; `status` tells which of the two it is. */
export type PushResultItem = AcceptedRow | RejectedRow;

/** The counts of a push. */
export interface PushCounts {
  /** Rows in the request. */
  received: number;
  /** Rows that made a new transaction. */
  created: number;
  /** Rows whose transaction existed already, changed or not. */
  updated: number;
  /** The `updated` rows with nothing in `changed`. */
  unchanged: number;
  /** Rows that were not stored. */
  rejected: number;
  /** Rows whose transaction is under review now. */
  needsReview: number;
  /** The accepted rows with at least one warning: read these. */
  warnings: number;
  /** Whether nothing was stored. */
  dryRun: boolean;
}

/** The results of a push: `data[i]` speaks of `rows[i]`. */
export interface PushAnswer {
  /** One result for each row, in the order of the rows. */
  data: PushResultItem[];
  /** The counts. */
  meta: PushCounts;
}

/** Where the fault lies. */
export interface ErrorDetail {
  /** The parameter or member at fault, where there is one. Null when there is none. */
  field: string | null;
  /** What is wrong with it. */
  code: string;
  /** The same for people. */
  message: string;
}

/** Every refusal. `code` is stable, `message` is for people. */
export interface ErrorBody {
  /** The code of the refusal: see the catalogue of codes. */
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
  /** What happened and what to do, for people. Its wording may change. */
  message: string;
  /** The name of this request, as in `X-Request-Id`: quote it when asking for help. */
  requestId: string;
  /** What the refusal points at; empty where there is nothing to point at. */
  details: ErrorDetail[];
}

/** Where a list goes on. */
export interface PageMeta {
  /** The `cursor` of the next page; null on the last. */
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
  /** Where the list goes on. */
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
  /** Where the list goes on. */
  meta: PageMeta;
}

/** A page of transactions. */
export interface TransactionList {
  /** The items of this page. */
  data: Transaction[];
  /** Where the list goes on. */
  meta: PageMeta;
}
