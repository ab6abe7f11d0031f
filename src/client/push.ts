/** Pushing any number of rows, in order, in batches that a request may hold (Spec 4.6). */

import type { PushAnswer, PushCounts, PushResultItem, PushRow } from '../api/contract.ts';
import { BudgetdError } from './errors.ts';
import { expectResults } from './push-answers.ts';
import { addCounts, noCounts } from './push-counts.ts';
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
    const most = { rows: batchRows, bytes: BATCH_BYTES };
    for await (const whole of batchesOf(rows, most)) {
      for await (const { batch, answer } of sendInParts(transport, whole, { dryRun, stop, most })) {
        const { data: results, meta } = answer.document;
        total = addCounts(total, meta);
        const { firstIndex } = batch;
        await onBatch?.({ firstIndex, results, meta, total, answerLost: answer.answerLost });
      }
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

/** What a batch holds at most; a proxy on the way may take less than the service. */
interface Most {
  readonly rows: number;
  bytes: number;
}

/**
 * Sends a batch, and one that is refused as a whole in halves: of the rows in it only those can be
 * the reason that are refused alone, and a proxy's smaller limit is found.
 */
async function* sendInParts(
  transport: Transport,
  batch: Batch,
  options: { dryRun: boolean; stop: AbortSignal | undefined; most: Most },
): AsyncGenerator<{ batch: Batch; answer: Answer<PushAnswer> }> {
  const { firstIndex, rowTexts } = batch;
  const answer = await sendBatch(transport, rowTexts, options).catch((error: unknown) => {
    if (rowTexts.length > 1 && isAboutTheBody(error)) return error;
    throw error;
  });
  if (!(answer instanceof BudgetdError)) {
    yield { batch, answer };
    return;
  }
  const half = Math.ceil(rowTexts.length / 2);
  const parts = [rowTexts.slice(0, half), rowTexts.slice(half)];
  if (answer.status === TOO_LARGE) options.most.bytes = Math.max(...parts.map(countBodyBytes));
  yield* sendInParts(transport, { firstIndex, rowTexts: parts[0] ?? [] }, options);
  const next = { firstIndex: firstIndex + half, rowTexts: parts[1] ?? [] };
  yield* sendInParts(transport, next, options);
}

const TOO_LARGE = 413;

function isAboutTheBody(error: unknown): error is BudgetdError {
  if (!(error instanceof BudgetdError)) return false;
  return error.status === TOO_LARGE || ['invalid_json', 'invalid_envelope'].includes(error.code);
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

async function* batchesOf(rows: PushRows, most: Most): AsyncGenerator<Batch> {
  const gathered = new Gathered();
  for await (const row of rows) {
    const rowText = writeRow(row, gathered.nextIndex);
    const rowBytes = rowText instanceof BudgetdError ? BATCH_BYTES : countBytes(rowText) + 1;
    if (gathered.rows > 0 && gathered.bytes + rowBytes > most.bytes) yield gathered.take();
    if (rowText instanceof BudgetdError) throw rowText;
    if (gathered.bytes + rowBytes > BATCH_BYTES) throw tooLarge(gathered.firstIndex);
    gathered.add(rowText, rowBytes);
    if (gathered.rows === most.rows) yield gathered.take();
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

function countBodyBytes(rowTexts: readonly string[]): number {
  return rowTexts.reduce((bytes, text) => bytes + countBytes(text) + 1, ENVELOPE_BYTES);
}

function tooLarge(index: number): BudgetdError {
  const message = `Row ${index} alone is larger than a request may be (${BATCH_BYTES} bytes).`;
  return new BudgetdError('row_too_large', message);
}
