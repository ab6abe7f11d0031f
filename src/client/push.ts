/** Pushes any number of rows, in order, in batches that fit a request. */

import { type Expectation, membersOf } from './answers.ts';
import type { PushAnswer, PushCounts, PushResultItem, PushRow } from './documents.ts';
import { BudgetdError } from './errors.ts';
import type { CallOptions } from './settings.ts';
import { type Answered, type Transport, targetOf } from './transport.ts';

/** The largest number of rows in one request. */
export const BATCH_ROWS = 500;
/** The largest body of one request, in bytes. */
export const BATCH_BYTES = 4 * 1024 * 1024;

/** Options of {@link Client.pushBatch}. */
export interface PushBatchOptions extends CallOptions {
  /** Validates the rows and answers as usual, but stores nothing. */
  readonly dryRun?: boolean | undefined;
}

/** Options of {@link Client.push}. */
export interface PushOptions extends PushBatchOptions {
  /** The largest number of rows in one request: 1 to 500, by default 500. */
  readonly batchRows?: number | undefined;
  /** Called after each answer. The next batch is sent after this has finished. */
  readonly onBatch?: ((batch: PushedBatch) => void | Promise<void>) | undefined;
  /**
   * Stops after the current batch: once aborted, the client sends no further batch, but finishes
   * the current one and reports it to `onBatch`. To end the current request too, use `signal`.
   */
  readonly stop?: AbortSignal | undefined;
}

/** A batch that was answered. */
export interface PushedBatch {
  /** The position of its first row among all rows of the push, from 0. */
  readonly firstIndex: number;
  /** One result per row, in order. `index` is the position in the batch. */
  readonly results: readonly PushResultItem[];
  /** The counts of this batch. */
  readonly meta: PushCounts;
  /** The counts of all batches up to and including this one. */
  readonly total: PushCounts;
  /**
   * Whether an earlier attempt may have been stored although its answer was lost. Rows that it
   * created are `updated` in these results, with an empty `changed`.
   */
  readonly answerLost: boolean;
}

/** Any number of rows to push, from a list or a stream. */
export type PushRows = Iterable<PushRow> | AsyncIterable<PushRow>;

/** Pushes the rows. Throws {@link BudgetdError} with the `counts` so far. */
export async function pushRows(
  transport: Transport,
  rows: PushRows,
  options: PushOptions,
): Promise<PushCounts> {
  const { dryRun = false, batchRows = BATCH_ROWS, onBatch } = options;
  if (!Number.isInteger(batchRows) || batchRows < 1 || batchRows > BATCH_ROWS) {
    const message = `batchRows must be a whole number from 1 to ${BATCH_ROWS}.`;
    throw new BudgetdError('invalid_option', message);
  }
  let total = noCounts(dryRun);
  try {
    const most = { rows: batchRows, bytes: BATCH_BYTES };
    for await (const whole of batchesOf(rows, most)) {
      for await (const { batch, answer } of sendInParts(transport, whole, { ...options, most })) {
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
  options: PushBatchOptions,
): Promise<PushAnswer> {
  if (rows.length < 1 || rows.length > BATCH_ROWS) {
    const message =
      `A batch must have 1 to ${BATCH_ROWS} rows, not ${rows.length}. ` +
      'Use push for any number of rows.';
    throw new BudgetdError('invalid_option', message);
  }
  const rowTexts = rows.map((row, index) => {
    const rowText = writeRow(row, index);
    if (rowText instanceof BudgetdError) throw rowText;
    return rowText;
  });
  const { document } = await sendBatch(transport, rowTexts, options);
  return document;
}

interface Batch {
  readonly firstIndex: number;
  readonly rowTexts: string[];
}

/** The limits of a batch. A proxy may accept less than the service. */
interface Most {
  readonly rows: number;
  bytes: number;
}

/**
 * Sends a batch. If it is refused as a whole, sends it in halves: this finds the wrong row, or the
 * lower limit of a proxy.
 */
async function* sendInParts(
  transport: Transport,
  batch: Batch,
  options: PushOptions & { most: Most },
): AsyncGenerator<{ batch: Batch; answer: Answered<PushAnswer> }> {
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
  { dryRun = false, signal, stop }: PushOptions,
): Promise<Answered<PushAnswer>> {
  // The text "false" or null would be sent as something else than the caller meant.
  if (typeof dryRun !== 'boolean') {
    throw new BudgetdError('invalid_option', 'dryRun must be true or false.');
  }
  const target = targetOf(['transactions'], dryRun ? { dryRun } : {});
  const body = OPENING + rowTexts.join(',') + CLOSING;
  const call = { method: 'POST', target, body, signal, stop } as const;
  return transport.send(call, expectResults(rowTexts, dryRun));
}

async function* batchesOf(rows: PushRows, most: Most): AsyncGenerator<Batch> {
  let [firstIndex, bytes] = [0, ENVELOPE_BYTES];
  let rowTexts: string[] = [];
  const take = (): Batch => {
    const batch = { firstIndex, rowTexts };
    [firstIndex, bytes] = [firstIndex + rowTexts.length, ENVELOPE_BYTES];
    rowTexts = [];
    return batch;
  };
  for await (const row of rows) {
    const rowText = writeRow(row, firstIndex + rowTexts.length);
    const rowBytes = rowText instanceof BudgetdError ? BATCH_BYTES : countBytes(rowText) + 1;
    if (rowTexts.length > 0 && bytes + rowBytes > most.bytes) yield take();
    if (rowText instanceof BudgetdError) throw rowText;
    if (bytes + rowBytes > BATCH_BYTES) throw tooLarge(firstIndex);
    rowTexts.push(rowText);
    bytes += rowBytes;
    if (rowTexts.length === most.rows) yield take();
  }
  if (rowTexts.length > 0) yield take();
}

/** JSON has no `undefined`. It is sent as null, which the service rejects. */
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
  const message =
    `Row ${index} does not fit in a request of ${BATCH_BYTES} bytes. ` +
    'Omit members that the interface does not know.';
  return new BudgetdError('row_too_large', message);
}

/** Counts of zero. */
export function noCounts(dryRun: boolean): PushCounts {
  return {
    received: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    needsReview: 0,
    warnings: 0,
    dryRun,
  };
}

/** The counts of a batch's results, to compare with those that the service sent. */
function countResults(results: readonly PushResultItem[], dryRun: boolean): PushCounts {
  const counts = noCounts(dryRun);
  for (const result of results) {
    counts.received += 1;
    counts[result.status] += 1;
    if (result.status === 'rejected') continue;
    if (result.status === 'updated' && result.changed.length === 0) counts.unchanged += 1;
    if (result.needsReview) counts.needsReview += 1;
    if (result.warnings.length > 0) counts.warnings += 1;
  }
  return counts;
}

/** The sum of two counts, with the `dryRun` of the first. */
export function addCounts(some: PushCounts, more: PushCounts): PushCounts {
  const { dryRun, ...sums } = some;
  for (const name of Object.keys(sums) as (keyof typeof sums)[]) sums[name] += more[name];
  return { ...sums, dryRun };
}

/** Expects the answer to these rows. A 422 for rejected rows is also an answer. */
function expectResults(rowTexts: readonly string[], dryRun: boolean): Expectation<PushAnswer> {
  return {
    codes: ['all_rows_rejected'],
    name: 'the results of the rows that were sent',
    read: (document) => {
      const { data, meta } = membersOf(document) ?? {};
      if (!Array.isArray(data) || data.length !== rowTexts.length) return undefined;
      const isOfRows = data.every((result, index) => isResultOf(result, rowTexts[index], index));
      return isOfRows && isSumOf(meta, data, dryRun) ? ({ data, meta } as PushAnswer) : undefined;
    },
  };
}

function isResultOf(result: unknown, rowText: string | undefined, index: number): boolean {
  const members = membersOf(result) ?? {};
  const { status, needsReview, changed, warnings, errors } = members;
  const isWhole =
    status === 'rejected'
      ? isListOfIssues(errors)
      : (status === 'created' || status === 'updated') &&
        typeof needsReview === 'boolean' &&
        Array.isArray(changed) &&
        isListOfIssues(warnings);
  return isWhole && members['index'] === index && members['externalId'] === idOf(rowText);
}

function isListOfIssues(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((issue) => {
    const { code, message } = membersOf(issue) ?? {};
    return typeof code === 'string' && typeof message === 'string';
  });
}

/** The service returns every externalId that is a string. */
function idOf(rowText = 'null'): string | null {
  const externalId = membersOf(JSON.parse(rowText))?.['externalId'];
  return typeof externalId === 'string' ? externalId : null;
}

function isSumOf(meta: unknown, results: readonly PushResultItem[], dryRun: boolean): boolean {
  const said = membersOf(meta) ?? {};
  const counts = countResults(results, dryRun);
  return Object.entries(counts).every(([name, count]) => said[name] === count);
}
