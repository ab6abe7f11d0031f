/** Pushing any number of rows, in order, in batches that a request may hold (Spec 4.6). */

import type { PushAnswer, PushCounts, PushResultItem, PushRow } from '../api/contract.ts';
import { BudgetdError } from './errors.ts';
import { expectResults } from './push-answers.ts';
import { targetOf } from './queries.ts';
import type { Answer, Transport } from './transport.ts';

/** Rows of one request at most (Spec 8). */
export const BATCH_ROWS = 500;
/** Bytes of one request's body at most (contract 2, step 8). */
export const BATCH_BYTES = 4 * 1024 * 1024;

/** What `push` takes beside the rows. */
export interface PushOptions {
  /** Has the rows checked and answered as usual, with nothing stored. */
  readonly dryRun?: boolean | undefined;
  /** Rows of one request, 1 to 500 (the default). */
  readonly batchRows?: number | undefined;
  /** Hears of every batch once it is answered, before the next one is sent; waited for. */
  readonly onBatch?: ((batch: PushedBatch) => void | Promise<void>) | undefined;
  /** Once aborted no further batch is sent; the running one is let finish and heard of. */
  readonly stop?: AbortSignal | undefined;
}

/** One batch that was answered. */
export interface PushedBatch {
  /** The number of its first row among all rows of the push, from 0. */
  readonly firstIndex: number;
  /** A result for each row, in order; `index` counts within the batch. */
  readonly results: readonly PushResultItem[];
  readonly meta: PushCounts;
  /** All batches up to this one. */
  readonly total: PushCounts;
  /**
   * Whether an earlier attempt may have been stored with its answer lost: then rows which that one
   * created are `updated` in these results, with nothing `changed`.
   */
  readonly answerLost: boolean;
}

/** Rows to push: any number, from a list or a stream. */
export type PushRows = Iterable<PushRow> | AsyncIterable<PushRow>;

/** Pushes the rows; the counts of all batches. Throws {@link BudgetdError} with `counts` so far. */
export async function pushRows(
  transport: Transport,
  rows: PushRows,
  options: PushOptions,
): Promise<PushCounts> {
  const { dryRun = false, batchRows = BATCH_ROWS, onBatch, stop } = options;
  if (!Number.isInteger(batchRows) || batchRows < 1 || batchRows > BATCH_ROWS) {
    throw new BudgetdError('invalid_option', `batchRows must be from 1 to ${BATCH_ROWS}.`);
  }
  let total = noCounts(dryRun);
  try {
    for await (const batch of batchesOf(rows, batchRows)) {
      const { document, answerLost } = await sendBatch(transport, batch.rowTexts, { dryRun, stop });
      const { data: results, meta } = document;
      total = addCounts(total, meta);
      await onBatch?.({ firstIndex: batch.firstIndex, results, meta, total, answerLost });
    }
    return total;
  } catch (error) {
    if (error instanceof BudgetdError) error.counts = total;
    throw error;
  }
}

/** Pushes one batch. Throws {@link BudgetdError}. */
export async function pushBatch(
  transport: Transport,
  rows: readonly PushRow[],
  dryRun: boolean,
): Promise<PushAnswer> {
  if (rows.length < 1 || rows.length > BATCH_ROWS) {
    const message = `A batch has 1 to ${BATCH_ROWS} rows, not ${rows.length}; push takes more.`;
    throw new BudgetdError('invalid_option', message);
  }
  const rowTexts = rows.map((row, index) => {
    const rowText = writeRow(row, index);
    if (rowText instanceof BudgetdError) throw rowText;
    return rowText;
  });
  const { document } = await sendBatch(transport, rowTexts, { dryRun, stop: undefined });
  return document;
}

interface Batch {
  readonly firstIndex: number;
  readonly rowTexts: string[];
}

const OPENING = '{"rows":[';
const CLOSING = ']}';
const ENVELOPE_BYTES = OPENING.length + CLOSING.length;

function sendBatch(
  transport: Transport,
  rowTexts: readonly string[],
  { dryRun, stop }: { dryRun: boolean; stop: AbortSignal | undefined },
): Promise<Answer<PushAnswer>> {
  const target = targetOf(['transactions'], dryRun ? { dryRun } : {});
  const body = OPENING + rowTexts.join(',') + CLOSING;
  return transport.send({ method: 'POST', target, body, stop }, expectResults(rowTexts, dryRun));
}

async function* batchesOf(rows: PushRows, batchRows: number): AsyncGenerator<Batch> {
  const gathered = new Gathered();
  for await (const row of rows) {
    const rowText = writeRow(row, gathered.nextIndex);
    const rowBytes = rowText instanceof BudgetdError ? BATCH_BYTES : countBytes(rowText) + 1;
    if (gathered.rows > 0 && gathered.bytes + rowBytes > BATCH_BYTES) yield gathered.take();
    if (rowText instanceof BudgetdError) throw rowText;
    if (gathered.bytes + rowBytes > BATCH_BYTES) throw tooLarge(gathered.firstIndex);
    gathered.add(rowText, rowBytes);
    if (gathered.rows === batchRows) yield gathered.take();
  }
  if (gathered.rows > 0) yield gathered.take();
}

/** The rows of the next batch, and how large its body is. */
class Gathered {
  firstIndex = 0;
  bytes = ENVELOPE_BYTES;
  #rowTexts: string[] = [];

  get nextIndex(): number {
    return this.firstIndex + this.#rowTexts.length;
  }

  get rows(): number {
    return this.#rowTexts.length;
  }

  add(rowText: string, rowBytes: number): void {
    this.#rowTexts.push(rowText);
    this.bytes += rowBytes;
  }

  take(): Batch {
    const batch = { firstIndex: this.firstIndex, rowTexts: this.#rowTexts };
    this.firstIndex += this.#rowTexts.length;
    this.#rowTexts = [];
    this.bytes = ENVELOPE_BYTES;
    return batch;
  }
}

/** JSON has no `undefined`; sent as null it is rejected like any row that is no object. */
function writeRow(row: unknown, index: number): string | BudgetdError {
  try {
    return JSON.stringify(row) ?? 'null';
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : String(cause);
    const message = `Row ${index} cannot be written as JSON (${reason}).`;
    return new BudgetdError('invalid_option', message, { cause });
  }
}

const encoder = new TextEncoder();

function countBytes(text: string): number {
  return encoder.encode(text).length;
}

function tooLarge(index: number): BudgetdError {
  const message = `Row ${index} alone is larger than a request may be (${BATCH_BYTES} bytes).`;
  return new BudgetdError('row_too_large', message);
}

function noCounts(dryRun: boolean): PushCounts {
  return { received: 0, created: 0, updated: 0, rejected: 0, needsReview: 0, dryRun };
}

function addCounts(some: PushCounts, more: PushCounts): PushCounts {
  return {
    received: some.received + more.received,
    created: some.created + more.created,
    updated: some.updated + more.updated,
    rejected: some.rejected + more.rejected,
    needsReview: some.needsReview + more.needsReview,
    dryRun: some.dryRun,
  };
}
