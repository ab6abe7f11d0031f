/**
 * The work of an import: finding out how to read a file, reading it without storing anything, and
 * importing it. The rooms `inspect` and `rows` read it, as they do for the command line.
 */

import { appendFileSync, createReadStream, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Actor } from '../../core/audit.ts';
import { type PushResult, readRow } from '../../core/push.ts';
import type { ValidRow } from '../../core/row-members.ts';
import type { Answer } from '../../inspect/answers.ts';
import { inspectCsv } from '../../inspect/inspect.ts';
import { paced } from '../../inspect/pace.ts';
import { inspectWith, readNames } from '../../inspect/remembered.ts';
import { readSlices, type Source } from '../../inspect/source.ts';
import type { Access } from '../../operations/access.ts';
import { findCsvMapping, saveCsvMapping } from '../../operations/csv-mappings.ts';
import { pushTransactions } from '../../operations/transactions.ts';
import { nextTurn } from '../../operations/turns.ts';
import { readCsv } from '../../rows/csv-rows.ts';
import type { Mapping } from '../../rows/mapping.ts';
import { readMapping } from '../../rows/mapping-file.ts';
import { MappingError } from '../../rows/problems.ts';
import { encodeRejected } from '../../rows/rejected-rows.ts';
import type { Entry, Reading } from '../../rows/rows.ts';
import type { HeldFile } from './held-files.ts';
import { type Imported, type Looked, Tally } from './tally.ts';
import type { Task } from './task.ts';

/** Rows that are stored at once: other requests have their turn after them. */
const STEP = 200;
/** What someone said about a file. */
export interface Said {
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
export async function look(
  file: HeldFile,
  { answers, isAgain, lastDay }: Said,
  { access, actor, task }: { access: Access; actor: Actor; task: Task<Looked> },
): Promise<Looked> {
  const source = sourceOf(file);
  const saved = isAgain || answers.length > 0 ? undefined : await recall(source, access);
  const inspection = saved?.inspection ?? (await inspectCsv(source, { answers, lastDay }));
  const { mapping } = inspection;
  const savedAtMs = saved?.savedAtMs;
  if (mapping === undefined) return { inspection, savedAtMs, tally: undefined };
  const job = { mapping, dryRun: true, access, actor, task };
  const { tally } = await storeRows(file, job);
  return { inspection, savedAtMs, tally };
}

/** Imports a file as it was looked at. */
export function importRows(
  file: HeldFile,
  job: { mapping: Mapping; access: Access; actor: Actor; task: Task<Imported> },
): Promise<Imported> {
  return storeRows(file, { ...job, dryRun: false });
}

/** Saves how files with these columns are read; those without a header have none. */
export function remember(access: Access, mapping: Mapping, actor: Actor): void {
  if (mapping.header !== undefined) saveCsvMapping(access, mapping.header, mapping, actor);
}

/** What the saved mapping for these columns does with the file. */
async function recall(source: Source, access: Access) {
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

interface Job {
  readonly mapping: Mapping;
  readonly dryRun: boolean;
  readonly access: Access;
  readonly actor: Actor;
  readonly task: Task<unknown>;
}

/** Stores the rows of a file in small steps, or only shows what that would do. */
async function storeRows(file: HeldFile, job: Job): Promise<Imported> {
  const reading = await readCsv(readSlices(sourceOf(file)), job.mapping);
  rmSync(file.rejectedPath, { force: true });
  const writer = new Writer(file, reading, job);
  let entries: Entry[] = [];
  for await (const entry of paced(reading.entries)) {
    entries.push(entry);
    if (entries.length < STEP) continue;
    await nextTurn();
    writer.write(entries);
    entries = [];
  }
  writer.write(entries);
  return writer;
}

class Writer implements Imported {
  readonly tally: Tally;
  readonly createdIds: string[] = [];
  readonly #file: HeldFile;
  readonly #reading: Reading;
  readonly #job: Job;
  /** The ids of new rows in a dry run, which does not keep them. */
  readonly #seen = new Set<string>();

  constructor(file: HeldFile, reading: Reading, job: Job) {
    this.#file = file;
    this.#reading = reading;
    this.#job = job;
    this.tally = new Tally(reading.remarks);
  }

  write(entries: readonly Entry[]): void {
    const { access, actor, dryRun, task } = this.#job;
    task.advance(entries.length);
    const sent = entries.filter(({ problems }) => problems.length === 0);
    const batch = { rows: sent.map(({ row }) => row), provider: 'csv', dryRun } as const;
    const { results, meta } = pushTransactions(access, batch, actor);
    const rejected = entries.flatMap((entry) => {
      const result = results[sent.indexOf(entry)];
      const problems = result?.status === 'rejected' ? result.errors : entry.problems;
      if (problems.length > 0) return [{ ...entry, problems }];
      const { row } = readRow(entry.row, access.organisation.currency.places);
      if (row !== undefined && result !== undefined) this.#take(row, result);
      return [];
    });
    this.tally.unchanged += meta.unchanged;
    this.tally.updated += meta.updated - meta.unchanged;
    this.tally.needsReview += meta.needsReview;
    this.#refuse(rejected);
  }

  /** A row of which an earlier one of the file has the id is stored in its place. */
  #take(row: ValidRow, result: PushResult): void {
    this.tally.take(row);
    if (result.status !== 'created') return;
    if (this.#seen.has(row.externalId)) this.tally.updated += 1;
    else this.tally.created += 1;
    if (this.#job.dryRun) this.#seen.add(row.externalId);
    else if (result.id !== null) this.createdIds.push(result.id);
  }

  #refuse(entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    const isFirst = this.tally.rejected === 0;
    for (const entry of entries) this.tally.refuse(entry, this.#reading.fieldNames);
    const bytes = encodeRejected(entries, this.#reading, isFirst);
    appendFileSync(this.#file.rejectedPath, bytes, { mode: 0o600 });
  }
}

function sourceOf({ name, path }: HeldFile): Source {
  return { name: basename(name), open: () => createReadStream(path) };
}
