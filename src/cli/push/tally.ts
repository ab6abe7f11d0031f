/**
 * Accounts for every row of a push: matches answers with rows, and collects rejections and
 * warnings. It keeps only rows that are not yet answered, never the whole file.
 */

import { rmSync } from 'node:fs';
import type { AcceptedRow, PushCounts, PushedBatch } from '../../client/index.ts';
import { addCounts, noCounts } from '../../client/push.ts';
import { count } from '../../core/counts.ts';
import type { Entry, FieldNames, Reading } from '../../files/index.ts';
import { explainProblem, FirstFew, joinCodes, RepeatedIds } from '../../files/index.ts';
import type { Progress } from './progress.ts';
import { RejectedFile } from './rejected-file.ts';
import type { RowFile } from './row-files.ts';

/** How many rejected rows are shown; the file of rejected rows has all of them. */
const SHOWN_REJECTIONS = 20;
/** How many warnings of each kind are shown. */
const SHOWN_WARNINGS = 5;
const LAST_COUNTS = 'Rows with the same externalId are one transaction. The last one counts.';

/** What a tally needs to know of a push. */
export interface TallyJob {
  readonly file: Pick<RowFile, 'mode'>;
  readonly progress: Progress;
  readonly dryRun: boolean;
  /** Where rejected rows are written; undefined to only show them. */
  readonly rejectedPath: string | undefined;
  /** The command, for messages; by default `push`. */
  readonly command?: 'push' | 'import';
  /** Whether this is one file of many: the caller then prints where its rows are. */
  readonly isPart?: boolean;
}

export class PushTally {
  readonly #job: TallyJob;
  readonly #fieldNames: FieldNames;
  readonly #rejectedFile: RejectedFile | undefined;
  /** The counts of all answers. */
  #answers: PushCounts;
  /** Rows that were rejected before they were sent. */
  #unsent = 0;
  /** Rows that were sent but not answered, and later rows that were rejected here, in order. */
  #pending: Entry[] = [];
  #sent = 0;
  #lastLine = 0;
  #rejections = 0;
  #hidden = 0;
  #unwritten: unknown;
  #isDiscarded = false;
  #answersLost = 0;
  readonly #ids = new RepeatedIds();
  readonly #repeated = new FirstFew<string>(SHOWN_WARNINGS);
  /** By code. */
  readonly #warnings = new Map<string, FirstFew<string>>();

  constructor(job: TallyJob, reading: Reading) {
    const { rejectedPath: path, file, dryRun } = job;
    this.#job = job;
    this.#fieldNames = reading.fieldNames;
    this.#rejectedFile = path ? new RejectedFile(path, file.mode, reading) : undefined;
    this.#answers = noCounts(dryRun);
  }

  /** The counts so far. */
  get meta(): PushCounts {
    const { received, rejected } = this.#answers;
    const unsent = this.#unsent;
    return { ...this.#answers, received: received + unsent, rejected: rejected + unsent };
  }

  /** Whether any row was answered: others were rejected here, before they were sent. */
  get isAnswered(): boolean {
    return this.#answers.received > 0;
  }

  /** The line of the last row that was answered or rejected. */
  get lastLine(): number {
    return this.#lastLine;
  }

  /** The file of rejected rows, if there are any. */
  get rejectedPath(): string | undefined {
    return this.#rejections > 0 && !this.#isDiscarded ? this.#rejectedFile?.path : undefined;
  }

  /** Adds the next row of the file: it will be sent unless it has problems. */
  async add(entry: Entry): Promise<void> {
    this.#pending.push(entry);
    if (entry.problems.length === 0) this.#sent += 1;
    else if (this.#sent === 0) await this.settle();
  }

  async answered({ results, meta, answerLost }: PushedBatch): Promise<void> {
    if (answerLost) this.#answersLost += 1;
    this.#answers = addCounts(this.#answers, meta);
    const rejected: Entry[] = [];
    for (const result of results) {
      rejected.push(...this.#takeRejected());
      const entry = this.#pending.shift();
      if (entry === undefined) break;
      this.#sent -= 1;
      this.#lastLine = entry.line;
      if (result.status !== 'rejected') this.#accept(entry, result);
      else rejected.push({ ...entry, problems: result.errors });
    }
    if (this.#sent === 0) rejected.push(...this.#takeRejected());
    await this.#reject(rejected);
    this.#job.progress.batch(this.meta);
  }

  /** Reports rows that were rejected here, unless an unanswered row comes before them. */
  async settle(): Promise<void> {
    await this.#reject(this.#takeRejected());
  }

  /**
   * Closes the file of rejected rows; returns the error if it could not be written. If the push
   * failed before any row was answered, the next one writes the file again.
   */
  async end(hasFailed: boolean): Promise<unknown> {
    try {
      await this.#rejectedFile?.close();
    } catch (error) {
      this.#unwritten ??= error;
    }
    const path = this.rejectedPath;
    // If it could not be written, the name may be that of another file.
    if (hasFailed && !this.isAnswered && path !== undefined && this.#unwritten === undefined) {
      rmSync(path, { force: true });
      this.#isDiscarded = true;
    }
    return this.#unwritten;
  }

  /** Prints the notes after the counts. */
  report(): void {
    const { progress, command = 'push', isPart } = this.#job;
    const hidden = this.#hidden;
    if (hidden > 0) progress.problem(`… and ${count(hidden, 'more rejected row')}.`);
    if (this.#rejections > 0 && !isPart && !this.#isDiscarded) {
      const written = this.#unwritten === undefined ? this.#rejectedFile?.path : undefined;
      if (written !== undefined) {
        progress.note(`The rejected rows are in ${written}. Fix them and ${command} that file.`);
      } else if (hidden > 0)
        progress.problem('Use --rejected FILE to write all of them to a file.');
    }
    // The rare ones first, because one that every row has hides them.
    const warnings = [...this.#warnings].sort(([, a], [, b]) => a.total - b.total);
    for (const [code, { items, more }] of warnings) {
      for (const line of items) progress.note(line);
      if (more > 0) progress.note(`… and ${count(more, 'more warning')} (${code}).`);
    }
    const { items, total, more } = this.#repeated;
    for (const line of items) progress.note(line);
    if (more > 0) progress.note(`… and ${more} more`);
    if (total > 0) progress.note(LAST_COUNTS);
    if (this.#answersLost > 0 && this.#answers.updated > 0) {
      const batches = count(this.#answersLost, 'batch', 'batches');
      progress.note(`${batches} had to be sent again, so some created rows may count as updated.`);
    }
  }

  #accept({ line }: Entry, { externalId, status, warnings }: AcceptedRow): void {
    const before = this.#ids.add(externalId, line);
    if (before !== undefined) {
      this.#repeated.add(() => `line ${line}: ${externalId} is in line ${before} too`);
      // A trial forgets each batch before the next one.
      if (this.#job.dryRun && status === 'created') {
        const { created, updated } = this.#answers;
        this.#answers = { ...this.#answers, created: created - 1, updated: updated + 1 };
      }
    }
    for (const { code, field, message } of warnings) {
      // Reported for the whole file instead of one batch.
      if (code === 'duplicate_in_batch') continue;
      const seen = this.#warnings.get(code) ?? new FirstFew(SHOWN_WARNINGS);
      this.#warnings.set(code, seen);
      seen.add(() => {
        const said = explainProblem({ field, code, message }, this.#fieldNames);
        return `line ${line} warning: ${said} [${code}]`;
      });
    }
  }

  /** Takes the rows that were rejected here from the front of the queue. */
  #takeRejected(): Entry[] {
    const sent = this.#pending.findIndex(({ problems }) => problems.length === 0);
    const rejected = this.#pending.splice(0, sent < 0 ? this.#pending.length : sent);
    this.#unsent += rejected.length;
    this.#lastLine = rejected.at(-1)?.line ?? this.#lastLine;
    return rejected;
  }

  async #reject(rejected: readonly Entry[]): Promise<void> {
    try {
      if (this.#unwritten === undefined) await this.#rejectedFile?.write(rejected);
    } catch (error) {
      this.#unwritten = error;
    }
    for (const { line, problems } of rejected) {
      this.#rejections += 1;
      // Rows that could not be written must be shown.
      if (this.#rejections > SHOWN_REJECTIONS && this.#unwritten === undefined) {
        this.#hidden += 1;
        continue;
      }
      const reasons = problems.map((each) => explainProblem(each, this.#fieldNames)).join(' ');
      this.#job.progress.problem(`line ${line} rejected: ${reasons} [${joinCodes(problems)}]`);
    }
  }
}
