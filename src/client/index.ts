/** The public names of `budgetd/client`. */

export { type Client, createClient } from './client.ts';
export type * from './documents.ts';
export * from './errors.ts';
export {
  BATCH_BYTES,
  BATCH_ROWS,
  type PushBatchOptions,
  type PushedBatch,
  type PushOptions,
  type PushRows,
} from './push.ts';
export type { CallOptions, ClientOptions, Wait } from './settings.ts';
