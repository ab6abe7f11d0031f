/**
 * The progress of a push on standard error: one line that is updated on a terminal, or one line
 * every ten seconds at most in a log. `--quiet` turns progress off; rejected rows and errors
 * are always shown.
 */

import type { PushCounts, Wait } from '../../client/index.ts';
import { count } from '../../core/counts.ts';
import { cleanText, widthOf } from '../../core/text-width.ts';
import type { Io } from '../command.ts';
import { createProgress, LOGGED_MS } from '../output.ts';
import { terminalWidth } from '../paint.ts';

export class Progress {
  readonly #io: Io;
  readonly #isQuiet: boolean;
  readonly #live: ReturnType<typeof createProgress>;
  readonly #lead: string;
  #total: number | undefined;
  #counts: PushCounts | undefined;
  #ticking: NodeJS.Timeout | undefined;

  /** `label` is printed before every line: the file, if there are several. */
  constructor(io: Io, options: { quiet: boolean; label?: string }) {
    this.#io = io;
    this.#isQuiet = options.quiet;
    this.#lead = options.label === undefined ? '' : `${options.label}: `;
    // Of one file, the first batch is said at once: the push works.
    this.#live = createProgress(io, options.label === undefined ? 0 : undefined);
  }

  /** Sets the number of rows, once it is known. */
  expect(total: number): void {
    this.#total = total;
  }

  /** Shows the counts so far. */
  batch(counts: PushCounts): void {
    this.#stopTicking();
    this.#counts = counts;
    // In a log, the summary covers the last batch.
    if (!this.#live.isLive && counts.received === this.#total) return;
    const described = describeCounts(counts, { isShort: this.#live.isLive });
    const toReview = counts.needsReview;
    const review = toReview === 0 ? '' : `, ${count(toReview, 'to review', 'to review')}`;
    const line = `${this.#describeRows(counts)}: ${described}${review}`;
    this.#show(this.#live.isLive ? this.#withBar(counts, line) : line);
  }

  /** The client waits, for the rate limit or before a retry. */
  wait({ reason, waitMs, error }: Wait): void {
    this.#stopTicking();
    if (reason === 'retry') {
      this.note(`${error?.message ?? ''} Trying again in ${inSeconds(waitMs)}.`);
    } else if (this.#live.isLive) {
      this.#countDown(waitMs);
    } else if (waitMs >= LOGGED_MS) {
      // Shorter waits are normal in a long push.
      this.note(`Waiting ${inSeconds(waitMs)} for the rate limit.`);
    }
  }

  /** A line that is not shown with `--quiet`. */
  note(text: string): void {
    if (!this.#isQuiet) this.problem(text);
  }

  /** A line that is always shown: an error or a rejected row. */
  problem(text: string): void {
    this.#live.end();
    this.#io.stderr.write(`${cleanText(this.#lead + text)}\n`);
  }

  /** Removes the live line. */
  end(): void {
    this.#stopTicking();
    this.#live.end();
  }

  /** Updates the remaining wait every second, in place of the counts. */
  #countDown(waitMs: number): void {
    const counts = this.#counts;
    const rows = counts === undefined ? '' : `${this.#describeRows(counts)}; `;
    const { monotonicMs } = this.#io;
    const endMs = monotonicMs() + waitMs;
    const tick = () => {
      const leftMs = Math.max(endMs - monotonicMs(), 0);
      const line = `${rows}waiting ${inSeconds(leftMs)} for the rate limit`;
      this.#show(counts === undefined ? line : this.#withBar(counts, line));
    };
    tick();
    this.#ticking = setInterval(tick, 1000).unref();
  }

  #stopTicking(): void {
    clearInterval(this.#ticking);
    this.#ticking = undefined;
  }

  #show(text: string): void {
    if (!this.#isQuiet) this.#live.show(cleanText(this.#lead + text));
  }

  #describeRows({ received }: PushCounts): string {
    const total = this.#total;
    if (total === undefined) return count(received, 'row');
    return `${count(received, '', '').trim()} of ${count(total, 'row')}`;
  }

  /** Adds `━━━━━─────  50%  ` before a line, if the total is known and both fit. */
  #withBar({ received }: PushCounts, line: string): string {
    const total = this.#total ?? 0;
    if (total === 0) return line;
    const share = Math.min(received / total, 1);
    const full = Math.floor(share * BAR_CELLS);
    const percent = String(Math.floor(share * 100)).padStart(3);
    const bar = `${'━'.repeat(full)}${'─'.repeat(BAR_CELLS - full)} ${percent}%  `;
    const room = terminalWidth(this.#io, this.#io.stderr) - 1 - widthOf(this.#lead);
    return bar.length + line.length <= room ? bar + line : line;
  }
}

/**
 * `1,200 created, 3 updated, 7 unchanged, 0 rejected`; without `unchanged` if it is 0, and with
 * `isShort` without any that is 0. Unlike the interface, an unchanged row is not an updated one.
 */
export function describeCounts(counts: PushCounts, { isShort = false } = {}): string {
  const { created, updated, unchanged, rejected } = counts;
  return Object.entries({ created, updated: updated - unchanged, unchanged, rejected })
    .filter(([word, number]) => number > 0 || !(isShort || word === 'unchanged'))
    .map(([word, number]) => count(number, word, word))
    .join(', ');
}

const BAR_CELLS = 10;

function inSeconds(waitMs: number): string {
  return `${(waitMs / 1000).toFixed(waitMs < 9950 ? 1 : 0)} s`;
}
