/**
 * `push --inbox`, for schedulers: pushes the settled files of a folder, oldest first, and moves
 * each. A run can be killed at any moment: a file leaves the inbox only when every row has an
 * answer, and rows that are pushed again are updated.
 */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { BudgetdError, type PushCounts, type Wait } from '../../client/index.ts';
import { addCounts, noCounts } from '../../client/push.ts';
import { count } from '../../core/counts.ts';
import { Failure } from '../../core/failures.ts';
import { RETRIES } from '../../core/retries.ts';
import { EXIT, type Io, isUsageError } from '../command.ts';
import type { readCsvMapping } from './file-options.ts';
import { findSettled, type InboxFile, openInbox, putAway } from './inbox-files.ts';
import { Progress } from './progress.ts';
import { findForm, rowFile } from './row-files.ts';
import { describeError, findWorstExit, type PushEnd, runPush } from './runner.ts';
import type { RowSender } from './senders.ts';

/** One run over an inbox. */
export interface InboxJob {
  readonly io: Io;
  /** The folder, as an absolute path. */
  readonly folder: string;
  /** The mapping of each CSV file. */
  readonly mappingOf: Awaited<ReturnType<typeof readCsvMapping>>;
  /** One sender for all files, so that they share the rate limit. */
  readonly openSender: (onWait: (wait: Wait) => void) => RowSender;
  /** Ends the running request. */
  readonly endNow: () => void;
  /** If set, nothing is stored or moved. */
  readonly dryRun: boolean;
  readonly quiet: boolean;
  /** How long a file must be unchanged. */
  readonly settleMs: number;
}

/** The result for one file. */
interface FileOutcome {
  readonly file: string;
  /** Null when it was not tried. */
  readonly exitCode: number | null;
  readonly meta: PushCounts;
  /** Relative to the inbox; null if the file stayed. */
  readonly movedTo: string | null;
  readonly rejectedFile: string | null;
}

/** How a run ended. */
interface InboxOutcome {
  /** The worst exit code of the files. */
  readonly exitCode: number;
  /** The counts of all files. */
  readonly meta: PushCounts;
  readonly files: readonly FileOutcome[];
}

/** Pushes an inbox once. Throws Failure if it is not a folder or another run works on it. */
export async function runInbox(job: InboxJob): Promise<InboxOutcome> {
  const { folder, dryRun } = job;
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new Failure('not_found', `The inbox ${folder} is not a folder.`);
  }
  // A dry run moves and writes nothing, so it needs no lock.
  if (dryRun) return new Run(job).go();
  const { partPath, unlock } = openInbox(folder);
  try {
    return await new Run(job, partPath).go();
  } finally {
    unlock();
  }
}

/** One run, which holds the lock. */
class Run {
  readonly #job: InboxJob;
  /** Undefined in a dry run. */
  readonly #partPath: string | undefined;
  readonly #sender: RowSender;
  readonly #stopping = new AbortController();
  readonly #files: FileOutcome[] = [];
  /** For messages that are not about one file. */
  readonly #progress: Progress;
  /** For the current file. */
  #current: Progress;
  #isServiceOut = false;

  constructor(job: InboxJob, partPath?: string) {
    this.#job = job;
    this.#partPath = partPath;
    this.#progress = new Progress(job.io, { quiet: job.quiet });
    this.#current = this.#progress;
    this.#sender = job.openSender((wait) => this.#current.wait(wait));
  }

  async go(): Promise<InboxOutcome> {
    // The push of the current file handles a second interrupt.
    const unhear = this.#job.io.onInterrupt(
      () => this.#stopping.abort(),
      () => {},
    );
    try {
      for (const file of await this.#find()) await this.#take(file);
    } finally {
      unhear();
    }
    return this.#conclude();
  }

  async #find(): Promise<readonly InboxFile[]> {
    const { folder, settleMs } = this.#job;
    const { signal } = this.#stopping;
    try {
      const { settled, left } = await findSettled(folder, settleMs, signal, (files) => {
        const why = 'to skip what is still being written';
        this.#progress.note(
          `${count(files, 'file')} in ${folder}. Waiting ${settleMs / 1000} s, ${why}.`,
        );
      });
      for (const { name, why } of left) this.#progress.note(`${name}: ${why}.`);
      if (settled.length === 0 && !signal.aborted) this.#progress.note(`${NOTHING} ${folder}.`);
      return settled;
    } catch (error) {
      if (!signal.aborted) throw error;
      this.#progress.problem('Interrupted. Nothing was pushed.');
      return [];
    }
  }

  async #take(file: InboxFile): Promise<void> {
    const { io, quiet, dryRun } = this.#job;
    this.#current = new Progress(io, { quiet, label: file.name });
    const stayed = { file: file.name, movedTo: null, rejectedFile: null };
    if (this.#isServiceOut || this.#stopping.signal.aborted) {
      this.#current.problem('skipped.');
      this.#files.push({ ...stayed, exitCode: null, meta: noCounts(dryRun) });
      return;
    }
    const outcome = await this.#push(file);
    const { exitCode, meta, line, failure } = outcome;
    if (failure !== undefined) {
      this.#current.problem(`${line} ${STAYS}`);
      this.#isServiceOut = isAboutTheService(failure);
    } else if (dryRun) this.#current.note(line);
    const end = failure === undefined && !dryRun ? this.#finish(file, outcome) : {};
    this.#files.push({ ...stayed, exitCode, meta, ...end });
  }

  /** An error in a file ends only the push of that file. */
  async #push({ name }: InboxFile): Promise<PushEnd> {
    const { io, folder, mappingOf, dryRun, endNow } = this.#job;
    try {
      const isCsv = findForm(join(folder, name)) === 'csv';
      const mapping = isCsv ? await mappingOf(join(folder, name)) : undefined;
      const outcome = await runPush({
        file: rowFile(name, { cwd: folder, ...(mapping && { mapping }) }),
        sender: this.#sender,
        dryRun,
        rejectedPath: this.#partPath,
        progress: this.#current,
        io,
        endNow,
        isPart: true,
      });
      if (outcome.failure !== undefined) removePart(outcome.rejectedPath);
      return outcome;
    } catch (failure) {
      const exitCode = isUsageError(failure) ? EXIT.usage : EXIT.failed;
      const [line, rejectedPath] = [describeError(failure), undefined];
      return { exitCode, meta: noCounts(dryRun), line, failure, rejectedPath };
    }
  }

  #finish(file: InboxFile, { line, rejectedPath }: PushEnd): Partial<FileOutcome> {
    try {
      const place = putAway(this.#job.folder, file, rejectedPath);
      if (place !== undefined) {
        const { movedTo, rejectedFile } = place;
        const fix = rejectedFile === null ? '' : ` Fix ${rejectedFile} and put it in the inbox.`;
        const end = `${line} Moved to ${movedTo}.${fix}`;
        if (rejectedFile !== null) this.#current.problem(end);
        else this.#current.note(end);
        return place;
      }
      this.#current.problem(`${line} ${CHANGED}`);
    } catch (error) {
      this.#current.problem(`${line} But it cannot be moved: ${describeError(error)} ${STAYS}`);
    }
    removePart(rejectedPath);
    return { exitCode: EXIT.failed };
  }

  #conclude(): InboxOutcome {
    const files = this.#files;
    const meta = files.map((each) => each.meta).reduce(addCounts, noCounts(this.#job.dryRun));
    const exitCodes = files.map(({ exitCode }) => exitCode ?? EXIT.done);
    const wasCut = files.length === 0 || files.some(({ exitCode }) => exitCode === null);
    if (this.#stopping.signal.aborted && wasCut) exitCodes.push(EXIT.interrupted);
    const failed = files.findIndex(
      ({ exitCode, movedTo }) => exitCode !== null && movedTo === null,
    );
    const isOvertaken = files.slice(failed + 1).some(({ movedTo }) => movedTo !== null);
    if (failed >= 0 && isOvertaken) this.#progress.problem(OVERTAKEN);
    return { exitCode: findWorstExit(exitCodes), meta, files };
  }
}

/** If a file stays, the next run writes its rejected rows again. */
function removePart(path: string | undefined): void {
  if (path !== undefined) rmSync(path, { force: true });
}

const NOTHING = 'Nothing to push in';
const STAYS = 'It stays in the inbox for the next run.';
const CHANGED =
  'But the file was changed or removed during the push, so the next run looks at it again.';
const OVERTAKEN =
  'A file stayed while newer ones were pushed. When it is pushed later, its rows replace newer ' +
  'rows with the same externalId. Remove it from the inbox if you do not want that.';

/** Whether the next file would fail in the same way. */
function isAboutTheService(failure: unknown): boolean {
  if (!(failure instanceof BudgetdError)) return false;
  const { code, status } = failure;
  return SERVICE_CODES.has(code) || SERVICE_STATUSES.has(status ?? 0);
}

const SERVICE_CODES: ReadonlySet<string> = new Set([
  'aborted',
  'network_error',
  'rate_limit_wait_exceeded',
  'timeout',
  'unexpected_answer',
]);
/** The key was refused, or the request failed after every retry. */
const SERVICE_STATUSES: ReadonlySet<number> = new Set([
  401,
  403,
  ...RETRIES.flatMap(({ status }) => status ?? []),
]);
