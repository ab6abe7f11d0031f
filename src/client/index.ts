/** The public names of `budgetd/client`. */

export type {
  Allocation,
  AllocationList,
  Project,
  ProjectDocument,
  ProjectList,
  PushAnswer,
  PushCounts,
  PushResultItem,
  PushRow,
  Report,
  ReportDocument,
  Transaction,
  TransactionList,
} from '../api/contract.ts';
export { type Client, createClient } from './client.ts';
export {
  BudgetdError,
  CLIENT_ERROR_CODES,
  type ClientErrorCode,
  type ErrorCode,
  type ErrorDetail,
} from './errors.ts';
export {
  BATCH_BYTES,
  BATCH_ROWS,
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
export type { ClientOptions, Wait } from './settings.ts';
