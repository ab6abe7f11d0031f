/**
 * Runs a push from a file to its exit code: reads, sends, counts, and accounts for every row. The
 * sender is the client for `push` and `demo`, and the database for `import`.
 */

import { BATCH_BYTES, BudgetdError, type PushCounts, type PushRow } from '../../client/index.ts';
import { noCounts } from '../../client/push.ts';
import { count } from '../../core/counts.ts';
import { measureJson } from '../../core/json-size.ts';
import { JSON_DEPTH, JSON_VALUES } from '../../core/limits.ts';
import {
  type Entry,
  FileError,
  type Reading,
  type RowProblem,
  RowSums,
  showSum,
  withoutStored,
} from '../../files/index.ts';
import { explain, worded } from '../advice.ts';
import { EXIT, type Io, isUsageError } from '../command.ts';
import { reportError } from '../errors.ts';
import { describeCounts } from './progress.ts';
import { UnwrittenError } from './rejected-file.ts';
import type { RowFile } from './row-files.ts';
import type { RowSender } from './senders.ts';
import { PushTally, type TallyJob } from './tally.ts';

interface PushJob extends TallyJob {
  readonly file: RowFile;
  readonly sender: RowSender;
  /** Tells of an interrupt. */
  readonly io: Pick<Io, 'onInterrupt'>;
  /** Stops at once, with the running request. */
  readonly endNow?: () => void;
}

export interface PushEnd {
  readonly exitCode: number;
  /** The counts, including rows that were rejected before they were sent. */
  readonly meta: PushCounts;
  /** The summary in one line. */
  readonly line: string;
  /** The error that ended it; undefined if it reached the end of the file. */
  readonly failure: unknown;
  /** Where rejected rows were written, if any were. */
  readonly rejectedPath: string | undefined;
}

/**
 * Pushes a file. Rejects only with UsageError, before the first row is sent; any other error is
 * printed on standard error and sets the exit code.
 */
export async function runPush(job: PushJob): Promise<PushEnd> {
  const stopping = new AbortController();
  const unhear = job.io.onInterrupt(() => {
    job.progress.problem(`Stopping after the current request.${job.endNow ? AGAIN : ''}`);
    stopping.abort();
    // A reader may be waiting for input that never arrives.
    job.file.close();
  }, job.endNow);
  let tally: PushTally | undefined;
  let failure: unknown;
  try {
    const reading = await readThrough(job, stopping.signal);
    tally = new PushTally(job, reading);
    await send(job, { reading, tally, stop: stopping.signal });
  } catch (error) {
    if (isUsageError(error)) throw error;
    failure = stopping.signal.aborted ? new BudgetdError('aborted', 'Interrupted.') : error;
  } finally {
    unhear();
    job.file.close();
  }
  const unwritten = await tally?.end(failure !== undefined);
  return conclude(job, tally, failure ?? unwritten);
}

/**
 * Opens the file. If it can be read twice, it is read completely before the first row is sent, so
 * that a broken file is refused as a whole, skipped records are reported, and the number of rows
 * and their totals are known.
 */
async function readThrough(job: PushJob, stop: AbortSignal): Promise<Reading> {
  const { file, progress } = job;
  const settle = withoutStored(job.sender.listStored);
  const reading = await settle(await file.open());
  const isHeld = reading.total !== undefined;
  const totals = new RowSums();
  const entries = addUp(reading.entries, totals, progress);
  const isOnce = !isHeld && !file.isRepeatable;
  let total = 0;
  const all = entries[Symbol.asyncIterator]();
  while (!isOnce && !stop.aborted && (await all.next()).done !== true) total += 1;
  for (const note of [...reading.notes, ...reading.remarks]) progress.note(note);
  if (isOnce) return { ...reading, entries };
  progress.expect(total);
  return isHeld ? reading : settle(await file.open());
}

/** Passes entries on; after the last, says what they add up to and how many do not count. */
async function* addUp(
  entries: Reading['entries'],
  totals: RowSums,
  progress: TallyJob['progress'],
) {
  let all = 0;
  for await (const entry of entries) {
    all += 1;
    totals.countSent(entry.row);
    yield entry;
  }
  if (totals.rows === 0) return;
  progress.note(describeRead(totals));
  const others = count(all - totals.rows, 'other row is', 'other rows are');
  if (all > totals.rows) progress.note(`${others} not valid.`);
}

/** What was read, so that a sign or a day that was read wrongly shows before anything is sent. */
function describeRead({ rows, from, to, moneyOut, moneyIn }: RowSums): string {
  const [out, into] = [showSum(moneyOut.sum), showSum(-moneyIn.sum)];
  return `Read: ${count(rows, 'row')}, ${from} to ${to}, money out ${out}, money in ${into}.`;
}

async function send(
  { file, sender, dryRun }: PushJob,
  { reading, tally, stop }: { reading: Reading; tally: PushTally; stop: AbortSignal },
): Promise<void> {
  if (file.currency !== undefined) await sender.refuseCurrency?.(file.currency);
  await sender.push(toRows(reading, tally), {
    dryRun,
    stop,
    onBatch: (batch) => tally.answered(batch),
  });
  if (stop.aborted) throw new BudgetdError('aborted', 'Interrupted.');
  await tally.settle();
}

async function* toRows({ entries }: Reading, tally: PushTally): AsyncGenerator<PushRow> {
  for await (const each of entries) {
    const sendable = refuseUnsendable(each);
    const entry = { ...sendable, problems: sendable.problems.map(worded) };
    await tally.add(entry);
    // The row is sent unchanged: the service decides whether it is valid.
    if (entry.problems.length === 0) yield entry.row as PushRow;
  }
}

function conclude(job: PushJob, tally: PushTally | undefined, failure: unknown): PushEnd {
  const { progress, dryRun, isPart = false } = job;
  const meta = tally?.meta ?? noCounts(dryRun);
  const rejectedPath = tally?.rejectedPath;
  progress.end();
  tally?.report();
  if (failure === undefined) {
    const line = describeEnd(job, meta);
    if (!isPart) progress.note(line);
    return { exitCode: exitCodeOf(meta), meta, line, failure, rejectedPath };
  }
  const exitCode = exitCodeOfError(failure);
  const what = exitCode === EXIT.interrupted ? 'interrupted' : describeFailure(job, failure);
  const verb = dryRun ? 'checked' : 'answered';
  const upTo = ` ${verb}, up to line ${tally?.lastLine}`;
  const isAnswered = tally?.isAnswered === true;
  const line = `${what}. ${isAnswered ? describeRows(meta, upTo) : sayNothing(job, tally)}`;
  const again = dryRun ? '' : describeAgain(job, isAnswered, failure);
  if (!isPart) progress.problem(`budgetd ${commandOf(job)}: ${line}${again}`);
  return { exitCode, meta, line, failure, rejectedPath };
}

/** The exit code of a push that reached the end of the file. */
function exitCodeOf({ received, rejected }: PushCounts): number {
  if (rejected === 0) return EXIT.done;
  return rejected === received ? EXIT.allRejected : EXIT.someRejected;
}

/** The exit code of a push that an error ended. */
export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof BudgetdError)) return EXIT.failed;
  if (error.code === 'aborted') return EXIT.interrupted;
  if (error.code === 'rate_limit_wait_exceeded') return EXIT.gaveUpWaiting;
  const isRefused = error.status === 401 || error.status === 403;
  return isRefused && error.code !== 'unexpected_answer' ? EXIT.refused : EXIT.failed;
}

/** From the best to the worst. */
const WORSE: readonly number[] = [
  EXIT.done,
  EXIT.someRejected,
  EXIT.allRejected,
  EXIT.usage,
  EXIT.failed,
  EXIT.gaveUpWaiting,
  EXIT.refused,
  EXIT.interrupted,
];

/** The worst exit code of several pushes; 0 without pushes. */
export function findWorstExit(exitCodes: readonly number[]): number {
  return exitCodes.reduce(
    (worst, each) => (WORSE.indexOf(each) > WORSE.indexOf(worst) ? each : worst),
    EXIT.done,
  );
}

function commandOf({ command = 'push' }: PushJob): string {
  return command;
}

function describeFailure({ file, isPart = false }: PushJob, failure: unknown): string {
  if (failure instanceof FileError) {
    const message = explain(failure).replace(/\.$/, '');
    return isPart ? message : `${file.name}: ${message}`;
  }
  if (failure instanceof BudgetdError) {
    const { code, status, requestId, message } = failure;
    const facts = [code, status === null ? '' : `HTTP ${status}`, requestId ?? ''];
    const shown = facts.filter((fact) => fact !== '').join(', ');
    const said = `${message.replace(/\.$/, '')} (${shown})`;
    return code === 'not_found' ? `${said}: check the path in --url` : said;
  }
  if (failure instanceof UnwrittenError) return failure.message.replace(/\.$/, '');
  return describeError(failure).replace(/\.$/, '');
}

/** An error as one sentence, as every command says it. */
export function describeError(error: unknown): string {
  const [line = ''] = reportError(error, undefined, false).lines;
  return line.replace(/^budgetd: /, '');
}

const AGAIN = ' Press Ctrl-C again to stop immediately.';
/** Codes after which a batch may be stored although it was not answered. */
const MAYBE_STORED: ReadonlySet<string> = new Set(['aborted', 'timeout', 'unexpected_answer']);

/** Says that no row was stored, or that nobody knows. */
function sayNothing(job: PushJob, tally: PushTally | undefined): string {
  if (commandOf(job) === 'import') return 'Nothing was imported.';
  return tally === undefined ? 'Nothing was sent.' : 'No rows were confirmed.';
}

function describeEnd(job: PushJob, meta: PushCounts): string {
  if (meta.received === 0) return `The file has no rows: nothing to ${commandOf(job)}.`;
  const begin = meta.dryRun ? 'Dry run, nothing stored' : 'Done';
  return `${begin}: ${describeRows(meta)}`;
}

function describeRows(meta: PushCounts, how = ''): string {
  const rows = count(meta.received, 'row') + how;
  return `${rows}: ${describeCounts(meta)}.${describeConcerns(meta)}`;
}

/** What needs attention: ` 2 rows have warnings. 1 row needs review.`, or an empty text. */
function describeConcerns({ warnings, needsReview }: PushCounts): string {
  return [
    warnings === 0 ? '' : ` ${count(warnings, 'row has a warning', 'rows have warnings')}.`,
    needsReview === 0 ? '' : ` ${count(needsReview, 'row needs', 'rows need')} review.`,
  ].join('');
}

function describeAgain(job: PushJob, isAnswered: boolean, failure: unknown): string {
  const isUnknown =
    failure instanceof BudgetdError &&
    MAYBE_STORED.has(failure.code) &&
    (failure.status ?? 200) < 300;
  if (!isAnswered && !isUnknown) return '';
  const verb = commandOf(job) === 'push' ? 'Push' : 'Import';
  const where = failure instanceof UnwrittenError ? ' with another --rejected' : '';
  return ` ${verb} it again${where}: rows that are stored already are updated, not duplicated.`;
}

/** The rest of a request around its row: `{"rows":[` and `]}`, with some bytes to spare. */
const ENVELOPE = { bytes: 64, brackets: 2, values: 2 };

/** Returns the entry, rejected if it cannot be sent even alone. */
function refuseUnsendable(entry: Entry): Entry {
  if (entry.problems.length > 0) return entry;
  const problem = findProblem(entry.row);
  return problem === undefined ? entry : { ...entry, row: undefined, problems: [problem] };
}

function findProblem(row: unknown): RowProblem | undefined {
  const bytes = writeRow(row);
  const { depth, values } = bytes === undefined ? BOTTOMLESS : measureJson(bytes);
  const mostDeep = JSON_DEPTH - ENVELOPE.brackets;
  if (depth > mostDeep) {
    const message = `The row has more than ${mostDeep} nested brackets. Make it flatter.`;
    return { field: null, code: 'row_too_deep', message };
  }
  const mostValues = JSON_VALUES - ENVELOPE.values;
  const hasRoom = bytes === undefined || bytes.length <= BATCH_BYTES - ENVELOPE.bytes;
  if (values <= mostValues && hasRoom) return undefined;
  const message =
    values > mostValues
      ? `The row has more than ${mostValues} values. Remove some.`
      : 'The row is larger than a request may be (4 MiB).';
  return { field: null, code: 'row_too_large', message };
}

const BOTTOMLESS = { depth: Number.POSITIVE_INFINITY, values: 0 };

/** The row as it is sent; undefined if it is nested so deeply that it cannot be written. */
function writeRow(row: unknown): Buffer | undefined {
  try {
    return Buffer.from(JSON.stringify(row));
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
