/**
 * `--complete FROM..TO`: the file has every payment of these days. Once all its rows are accepted,
 * what the service has of them besides is voided: pushed again with amount 0.
 */

import type { Client, PushedBatch, PushRow, Transaction } from '../../client/index.ts';
import { isCalendarDate } from '../../core/calendar.ts';
import { count } from '../../core/counts.ts';
import { findCurrency } from '../../core/currencies.ts';
import { fromMajor } from '../../core/money.ts';
import { OPTIONAL_FIELDS } from '../../core/row-members.ts';
import { showAmount } from '../amounts.ts';
import { type Call, EXIT, UsageError } from '../command.ts';
import { hasFlag, optionText, readWhole } from '../options.ts';
import { describeError, exitCodeOfError, runPush } from './runner.ts';
import { changingRows, serviceSender } from './senders.ts';

/** The days, both included, and the most payments to void. */
interface CompleteDays {
  readonly from: string;
  readonly to: string;
  readonly limit: number;
}

const VOID_LIMIT = 20;
/** How many of the payments are named. */
const NAMED = 100;

/** What `--complete` and `--void-limit` ask for; undefined without. Refuses with UsageError. */
export function readComplete(call: Call): CompleteDays | undefined {
  const text = optionText(call, 'complete');
  const limit = readWhole(call, 'void-limit', { min: 0, max: Number.MAX_SAFE_INTEGER });
  if (text === undefined) {
    if (limit === undefined) return undefined;
    throw new UsageError('--void-limit works only with --complete.');
  }
  const [from = '', to = '', ...rest] = text.split('..');
  if (rest.length > 0 || !isCalendarDate(from) || !isCalendarDate(to) || from > to) {
    const example = '--complete 2026-01-01..2026-01-31';
    throw new UsageError(`--complete needs two days, the first one first, such as ${example}.`);
  }
  if (call.values['inbox'] !== undefined) {
    throw new UsageError('--complete works only with one file, not with --inbox.');
  }
  if (hasFlag(call, 'dry-run') && call.values['url'] === undefined) {
    throw new UsageError('--complete needs --url: only the service knows what a file lacks.');
  }
  return { from, to, limit: limit ?? VOID_LIMIT };
}

/** A push of a file that has everything of these days. */
interface CompleteJob extends Omit<Parameters<typeof runPush>[0], 'sender'> {
  readonly days: CompleteDays;
  readonly client: Client;
  readonly prefix: string;
}

/** Pushes the file, then voids what it lacks. Throws as {@link runPush}, and if it cannot read. */
export async function pushComplete(job: CompleteJob) {
  const { client, prefix, progress } = job;
  // A key that cannot read is refused before anything is sent.
  await client.transactions.list({ ...filterOf(job), limit: 1 });
  const ids = new Set<string>();
  const { listStored: _, ...service } = serviceSender(client, prefix);
  const noting = changingRows(service, (row) => {
    ids.add(prefix + Object(row).externalId);
    return row;
  });
  const sender = { ...service, ...noting };
  let doubts: readonly string[] = [];
  const open = async () => {
    const reading = await job.file.open();
    ({ doubts = [] } = reading);
    return reading;
  };
  const outcome = await runPush({ ...job, file: { ...job.file, open }, sender });
  const ended = (voided: number, exitCode: number) => {
    return { ...outcome, exitCode, meta: { ...outcome.meta, voided } };
  };
  const why = explainUnvoided(outcome, doubts);
  if (why !== undefined) {
    progress.problem(`Nothing is voided: ${why}`);
    return ended(0, outcome.exitCode === EXIT.done ? EXIT.failed : outcome.exitCode);
  }
  const stopping = new AbortController();
  const unhear = job.io.onInterrupt(() => stopping.abort(), job.endNow);
  const voiding = new Voiding(job, stopping.signal);
  try {
    return ended(...(await voiding.run(ids)));
  } catch (error) {
    const said = stopping.signal.aborted ? 'Interrupted.' : describeError(error);
    const done = voiding.voided === 0 ? 'Nothing is voided' : `${voiding.voided} are voided`;
    progress.problem(`budgetd push: ${said} The rows are stored. ${done}: push the file again.`);
    const isStopped = stopping.signal.aborted;
    return ended(voiding.voided, isStopped ? EXIT.interrupted : exitCodeOfError(error));
  } finally {
    unhear();
    progress.end();
  }
}

const EMPTY = 'a file without rows does not show that payments are gone.';
const PARTLY = 'not every row of the file was accepted.';
const DOUBTFUL = 'the file may not be complete. Get it from the bank again.';

function explainUnvoided(
  { exitCode, meta }: Awaited<ReturnType<typeof runPush>>,
  doubts: readonly string[],
): string | undefined {
  if (meta.received === 0) return EMPTY;
  if (exitCode !== EXIT.done) return PARTLY;
  return doubts.length === 0 ? undefined : [DOUBTFUL, ...doubts].join(' ');
}

function filterOf({ days: { from, to }, prefix }: Pick<CompleteJob, 'days' | 'prefix'>) {
  return { from, to, provider: 'api', externalIdPrefix: prefix === '' ? undefined : prefix };
}

/** Voids what a file lacks. */
class Voiding {
  readonly #job: CompleteJob;
  readonly #stop: AbortSignal;
  /** How many are voided so far; in a dry run, how many would be. */
  voided = 0;

  constructor(job: CompleteJob, stop: AbortSignal) {
    this.#job = job;
    this.#stop = stop;
  }

  /** Returns how many it voided, and the exit code. Throws what the client throws. */
  async run(ids: ReadonlySet<string>): Promise<[voided: number, exit: number]> {
    const { progress, dryRun, days } = this.#job;
    const missing = await this.#findMissing(ids);
    const which = `${days.from} to ${days.to} that the file lacks`;
    const rows = dryRun ? '' : ' The rows are accepted.';
    if (missing.length > days.limit) {
      this.#name(missing, (line) => progress.problem(line));
      const what = count(missing.length, 'payment');
      progress.problem(
        `Nothing is voided: the service has ${what} of ${which}, more than ${days.limit}.` +
          `${rows} If these are gone from the books, push again with --void-limit ` +
          `${missing.length}.`,
      );
      return [0, EXIT.failed];
    }
    const voids = missing.map(voidOf);
    let toReview = 0;
    const others = new Set<string>();
    const ask = ({ results }: PushedBatch) => {
      for (const result of results) {
        if (result.status === 'rejected') throw new Error(result.errors[0]?.message);
        if (result.needsReview) toReview += 1;
        const isOthers = result.warnings.some(({ code }) => code === 'other_key');
        if (isOthers) others.add(result.externalId);
      }
    };
    await this.#push(voids, true, ask);
    if (others.size > 0) {
      const theirs = missing.filter(({ externalId }) => others.has(externalId ?? ''));
      this.#name(theirs, (line) => progress.problem(line));
      progress.problem(
        `Nothing is voided: another key pushed ${count(others.size, 'payment')} of ${which}.` +
          `${rows} If two systems push, give each one its own --id-prefix.`,
      );
      return [0, EXIT.failed];
    }
    if (dryRun) this.voided = voids.length;
    else {
      await this.#push(voids, false, ({ total }) => {
        this.voided = total.received;
      });
    }
    this.#name(missing, (line) => progress.note(line));
    const verb = dryRun ? 'Would void' : 'Voided';
    const review = toReview === 0 ? '' : ` ${count(toReview, 'needs', 'need')} review.`;
    progress.note(`${verb} ${count(voids.length, 'payment')} of ${which}.${review}`);
    return [this.voided, EXIT.done];
  }

  /** What the service has of these days, and the file does not. */
  async #findMissing(ids: ReadonlySet<string>): Promise<Transaction[]> {
    const missing: Transaction[] = [];
    const call = { signal: this.#stop };
    for await (const each of this.#job.client.transactions.iterate(filterOf(this.#job), call)) {
      if (each.amount !== 0 && !ids.has(each.externalId ?? '')) missing.push(each);
    }
    return missing;
  }

  async #push(voids: PushRow[], dryRun: boolean, onBatch: (batch: PushedBatch) => void) {
    if (voids.length === 0) return;
    const stop = this.#stop;
    await this.#job.client.push(voids, { dryRun, onBatch, stop });
    if (stop.aborted) throw new Error('Interrupted.');
  }

  #name(payments: readonly Transaction[], say: (line: string) => void): void {
    for (const { externalId, date, amount, currency, description } of payments.slice(0, NAMED)) {
      const known = findCurrency(currency);
      const shown = known ? showAmount(fromMajor(amount, known.places), known) : amount;
      say(`  ${externalId}  ${date}  ${shown}  ${description}`);
    }
    const more = payments.length - NAMED;
    if (more > 0) say(`  … and ${count(more, 'more', 'more')}`);
  }
}

/** The payment as it is, with amount 0. */
function voidOf(payment: Transaction): PushRow {
  const { externalId, date, description } = payment;
  const others = Object.fromEntries(OPTIONAL_FIELDS.map((field) => [field, payment[field]]));
  return { externalId: externalId ?? '', date, description, amount: 0, ...others };
}
