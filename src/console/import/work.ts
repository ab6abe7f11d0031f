/**
 * The work of an import: finding out how to read a file, reading it without storing anything, and
 * importing it. The room `files` reads it, as it does for the command line.
 */

import { appendFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Actor } from '../../core/audit.ts';
import { lastPaymentDay } from '../../core/calendar.ts';
import { type PushResult, readRow, shownExternalId } from '../../core/push.ts';
import { cleanText } from '../../core/text-width.ts';
import type { Answer, Entry, Mapping, Reading, Subject } from '../../files/index.ts';
import {
  AnswerError,
  encodeRejected,
  type FileSource,
  loadTables,
  MappingError,
  paced,
  ReadingError,
  RepeatedIds,
  readAnswers,
  readMapping,
  readRows,
  storedFile,
  WrittenAnswerError,
  withoutStored,
  writeAnswer,
} from '../../files/index.ts';
import { writeWithin } from '../../http/upload.ts';
import { listExternalIds, pushTransactions } from '../../operations/transactions.ts';
import { writeInTurn } from '../../operations/turns.ts';
import type { Access } from '../../store/access.ts';
import { lastWriteMs } from '../../store/audit.ts';
import { findCsvMapping } from '../../store/csv-mappings.ts';
import { Stopped, Task } from '../session/task.ts';
import type { Visit } from '../session/visit.ts';
import type { Wish } from './answers.ts';
import type { HeldFile } from './held-files.ts';
import { SUBJECTS } from './subjects.ts';
import { type Imported, type Looked, Tally } from './tally.ts';

/** Rows that are stored at once, and the CPU time of that: then others have their turn. */
const [MOST_ROWS, LEAST_ROWS, STEP_MS] = [200, 25, 6];

/** Looks at a file with these answers: done, unless that takes longer than a page waits. */
export async function lookAt(
  { access, actor, nowMs }: Visit,
  file: HeldFile,
  wish: Wish,
): Promise<Task<Looked>> {
  const key = wish.address();
  if (file.looked?.key !== key) {
    const { written, isAgain } = wish;
    const answers = readAnswers(written);
    file.looked?.stop();
    const lastDay = lastPaymentDay(nowMs);
    file.looked = new Task(key, (task) =>
      look(file, { answers, isAgain, lastDay }, { access, actor, task }),
    );
  }
  const task = file.looked;
  await task.wait();
  // The page says what is wrong; the next one looks again.
  if (task.hasFailed && file.looked === task) file.looked = undefined;
  return task;
}

/** What is wrong with a file or an answer, such as one about `subject`; undefined for the rest. */
export function problemOf(error: unknown, subject?: Subject): string | undefined {
  if (error instanceof WrittenAnswerError) return `${error.answer}${error.message}`;
  if (error instanceof ReadingError) return error.message;
  if (error instanceof Stopped) return STOPPED;
  if (!(error instanceof AnswerError)) return undefined;
  const { answer, message } = error;
  if (answer === undefined) return message;
  return `${subject === undefined ? writeAnswer(answer).name : SUBJECTS[subject].name}${message}`;
}

const STOPPED =
  'another page is now reading this file with other answers, or newer uploads replaced it. ' +
  'Reload this page to use these answers.';

/** What someone said about a file. */
interface LookWish {
  readonly answers: readonly Answer[];
  /** Whether the file is to be inspected, whatever is known about files with its columns. */
  readonly isAgain: boolean;
  /** The last date that a payment can have. */
  readonly lastDay: string;
}

/**
 * Finds out how to read a file and, when no question is open, what importing it would do. Rejects
 * with FileError, and with AnswerError for an answer that the file contradicts.
 */
async function look(
  file: HeldFile,
  { answers, isAgain, lastDay }: LookWish,
  { access, actor, task }: { access: Access; actor: Actor; task: Task<Looked> },
): Promise<Looked> {
  const source = sourceOf(file);
  const saved = isAgain || answers.length > 0 ? undefined : await recall(source, access);
  const { inspectFile } = await loadTables();
  const inspection = saved?.inspection ?? (await inspectFile(source, { answers, lastDay }));
  const { mapping } = inspection;
  const savedAtMs = saved?.savedAtMs;
  const found = { inspection, savedAtMs, tally: undefined, replacedBy: undefined };
  if (mapping === undefined) return found;
  const job = { mapping, replacedBy: undefined, access, actor, task, source };
  const { tally, suspects } = await storeRows(file, { ...job, dryRun: true });
  if (suspects.size === 0) return { ...found, tally };
  // Each step of a trial is rolled back, so only one row of an id shows what is stored in the end.
  const replacedBy = await findReplaced(source, mapping, { suspects, rows: tally.rows });
  task.done = 0;
  const once = await storeRows(file, { ...job, replacedBy, dryRun: true });
  return { ...found, tally: once.tally, replacedBy };
}

/** Imports a file as it was looked at, or the rest of it after a try that stopped. */
export async function importRows(
  file: HeldFile,
  job: Omit<ImportJob, 'dryRun' | 'source'>,
): Promise<Imported> {
  const source: FileSource = { ...sourceOf(file), isReadOnce: true };
  const { name: by, requestId, nowMs } = job.actor;
  const { brought } = file;
  brought.sinceMs = Math.min(brought.sinceMs, nowMs);
  brought.requests.push(requestId ?? '');
  const { tally } = await storeRows(file, { ...job, source, dryRun: false });
  const { sinceMs: since, requests } = brought;
  return { tally, pushes: { by, since, until: lastWriteMs(job.access) ?? since, requests } };
}

/** Which of the rows in the suspected lines a later one with the same id replaces. */
async function findReplaced(
  source: FileSource,
  mapping: Mapping,
  { suspects, rows }: { readonly suspects: ReadonlySet<number>; readonly rows: number },
) {
  const replacedBy = new Uint32Array(rows);
  const last = new Map<string | null, number>();
  const { entries } = await readRows(source, 'csv', mapping, true);
  let at = 0;
  for await (const { line, row } of paced(entries)) {
    if (suspects.has(line)) {
      const id = shownExternalId(row);
      const before = last.get(id);
      if (before !== undefined) replacedBy[before] = line;
      last.set(id, at);
    }
    at += 1;
  }
  return replacedBy;
}

/** What the saved mapping for these columns does with the file. */
async function recall(source: FileSource, access: Access) {
  const { inspectWith, readNames } = await loadTables();
  const names = await readNames(source);
  const saved = names && findCsvMapping(access, names);
  if (saved === undefined) return undefined;
  try {
    const mapping = await readMapping(saved.mapping);
    const inspection = await inspectWith(source, mapping);
    return inspection && { inspection, savedAtMs: saved.savedAtMs };
  } catch (error) {
    // An earlier version saved it, and this one reads it no more.
    if (error instanceof MappingError) return undefined;
    throw error;
  }
}

interface ImportJob {
  /** The file; what was made of it is kept as long as this. */
  readonly source: FileSource;
  readonly mapping: Mapping;
  readonly replacedBy: Uint32Array | undefined;
  /** Whether to store nothing, and only show what that would do. */
  readonly dryRun: boolean;
  readonly access: Access;
  readonly actor: Actor;
  readonly task: Task<unknown>;
}

/** What became of the rows, and the lines of accepted ones whose ids seem to occur twice. */
interface Stored {
  readonly tally: Tally;
  readonly suspects: ReadonlySet<number>;
}

/** Stores the rows of a file in small steps. */
async function storeRows(file: HeldFile, job: ImportJob): Promise<Stored> {
  const settle = withoutStored((ids) => listExternalIds(job.access, ids));
  const reading = await settle(await readRows(job.source, 'csv', job.mapping, true));
  // Another reading may have begun, which has this file then.
  job.task.advance(0);
  rmSync(file.rejectedPath, { force: true });
  const writer = new Writer(file, reading, job);
  let entries: Entry[] = [];
  // The first ones take longer.
  let step = LEAST_ROWS;
  for await (const entry of paced(reading.entries)) {
    entries.push(entry);
    if (entries.length < step) continue;
    const { user, system } = await writer.write(entries);
    // Fewer rows take as long in a large database. Waiting for the disk takes no CPU: more, smaller
    // steps would only wait more often.
    const ms = (user + system) / 1000;
    if (ms > STEP_MS) step = Math.max(LEAST_ROWS, step >> 1);
    else if (ms < STEP_MS / 3) step = Math.min(MOST_ROWS, step << 1);
    entries = [];
  }
  await writer.write(entries);
  // Complete only now.
  writer.tally.remarks = reading.remarks;
  return writer;
}

class Writer implements Stored {
  readonly tally: Tally;
  readonly suspects = new Set<number>();
  readonly #file: HeldFile;
  readonly #reading: Reading;
  readonly #job: ImportJob;
  readonly #ids = new RepeatedIds();

  constructor(file: HeldFile, reading: Reading, job: ImportJob) {
    this.#file = file;
    this.#reading = reading;
    this.#job = job;
    this.tally = new Tally();
  }

  /** Stores rows in a turn of their own, and returns the CPU time that it took. */
  async write(entries: readonly Entry[]): Promise<NodeJS.CpuUsage> {
    this.#job.task.advance(entries.length);
    const { rows: start } = this.tally;
    const own = entries.filter((entry, at) => {
      const byLine = this.#job.replacedBy?.[start + at] ?? 0;
      if (byLine > 0) this.tally.replace(entry, byLine);
      return byLine === 0;
    });
    let before = process.cpuUsage();
    const rows = own.filter(({ problems }) => problems.length === 0).map(({ row }) => row);
    const stored = await writeInTurn(this.#job.access, () => {
      before = process.cpuUsage();
      return this.#store(rows);
    });
    const results = stored.values();
    const rejected = own.flatMap((entry) => {
      const result = entry.problems.length === 0 ? results.next().value : undefined;
      if (result === undefined) return [entry];
      if (result.status === 'rejected') return [{ ...entry, problems: result.errors }];
      this.#take(entry, result);
      return [];
    });
    this.#refuse(rejected);
    return process.cpuUsage(before);
  }

  #store(rows: readonly unknown[]): PushResult[] {
    if (rows.length === 0) return [];
    const { access, actor, dryRun } = this.#job;
    const file = cleanText(basename(this.#file.name));
    const batch = { rows, provider: 'csv', dryRun, file } as const;
    const { results, meta } = pushTransactions(access, batch, actor);
    this.tally.created += meta.created;
    if (!dryRun) this.#file.brought.created += meta.created;
    this.tally.unchanged += meta.unchanged;
    this.tally.updated += meta.updated - meta.unchanged;
    this.tally.needsReview += meta.needsReview;
    return results;
  }

  #take(entry: Entry, { externalId, warnings }: Exclude<PushResult, { status: 'rejected' }>): void {
    const { row } = readRow(entry.row, this.#job.access.organisation.currency);
    if (row === undefined) return;
    const { line } = entry;
    this.tally.take(row);
    if (warnings.some(({ code }) => code === 'other_provider')) {
      this.tally.doubtful.add(() => ({ line, row }));
    }
    // Only a look at the file asks for them.
    const before = this.#job.dryRun ? this.#ids.add(externalId, line) : undefined;
    if (before !== undefined) this.suspects.add(before).add(line);
  }

  #refuse(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    this.#job.task.advance(0);
    const isFirst = this.tally.rejected.total === 0;
    for (const entry of entries) this.tally.refuse(entry, this.#reading.fieldNames);
    if (this.#file.isGone) return;
    const bytes = encodeRejected(entries, this.#reading, isFirst);
    const { rejectedPath, hasSpace } = this.#file;
    writeWithin(hasSpace, bytes.length, () => {
      appendFileSync(rejectedPath, bytes, { mode: 0o600 });
    });
  }
}

function sourceOf({ name, path }: HeldFile): FileSource {
  return storedFile(path, basename(name));
}
