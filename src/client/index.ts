/** The public names of `budgetd/client`. */

export { type Client, createClient } from './client.ts';
export type {
  AcceptedRow,
  AllocatedLine,
  AllocatedTransaction,
  Allocation,
  AllocationList,
  BudgetMode,
  ErrorDetail,
  Funder,
  Granularity,
  PageMeta,
  Project,
  ProjectDocument,
  ProjectList,
  Provider,
  PushAnswer,
  PushCounts,
  PushResultItem,
  PushRow,
  RejectedRow,
  Report,
  ReportCell,
  ReportDocument,
  ReportPeriod,
  ReportReview,
  ReportRow,
  ReportTotals,
  ReportUnallocated,
  Review,
  RowError,
  RowWarning,
  Transaction,
  TransactionList,
  TransactionStatus,
} from './documents.ts';
export {
  BudgetdError,
  type BudgetdErrorDocument,
  CLIENT_ERROR_CODES,
  type ClientErrorCode,
  type ErrorCode,
  type ErrorFacts,
} from './errors.ts';
export {
  BATCH_BYTES,
  BATCH_ROWS,
  type PushBatchOptions,
  type PushedBatch,
  type PushOptions,
  type PushRows,
} from './push.ts';
export type {
  AllocationQuery,
  Instant,
  PageQuery,
  ProjectQuery,
  ReportQuery,
  TransactionQuery,
} from './queries.ts';
export type { CallOptions, ClientOptions, Wait } from './settings.ts';
