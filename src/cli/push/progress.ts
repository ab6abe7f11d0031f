/**
 * What a person sees of a push, on standard error: one line written over on a terminal, a line a
 * batch in a log, nothing when it is to be quiet. Rejected rows and errors are shown all the same.
 */

import type { PushCounts, Wait } from '../../client/index.ts';
import { count } from '../amounts.ts';
import type { Io } from '../command.ts';
import { createProgress } from '../output.ts';
import { isTerminal } from '../paint.ts';
import { cleanText } from '../text-width.ts';
import { describeCounts } from './counts.ts';

/** Shorter waits for the rate limit are the pace of a long push, not worth a line in a log. */
const WAIT_WORTH_A_LINE_MS = 2000;

/** Shows how a push goes on. */
export class Progress {
  readonly #io: Io;
  readonly #isQuiet: boolean;
  readonly #isLive: boolean;
  readonly #live: ReturnType<typeof createProgress>;
  readonly #lead: string;
  #total: number | undefined;
  #line = '';

  /** `label` stands before every line: the file, where there are several. */
  constructor(io: Io, options: { quiet: boolean; label?: string }) {
    this.#io = io;
    this.#isQuiet = options.quiet;
    this.#lead = options.label === undefined ? '' : `${options.label}: `;
    this.#isLive = isTerminal(io.stderr) && io.env['TERM'] !== 'dumb';
    this.#live = createProgress(io);
  }

  /** How many rows there are, once that is known. */
  expect(total: number): void {
    this.#total = total;
  }

  /** What was answered so far. */
  batch(counts: PushCounts): void {
    this.#line = this.#describe(counts);
    this.#show(this.#line);
  }

  /** The client waits, for the rate limit or before it tries again. */
  wait({ reason, waitMs, error }: Wait): void {
    const seconds = (waitMs / 1000).toFixed(waitMs < 9950 ? 1 : 0);
    if (reason === 'retry') {
      this.#say(`${error?.message ?? ''} Trying again in ${seconds} s.`);
    } else if (this.#isLive) {
      const wait = `waiting ${seconds} s for the rate limit`;
      this.#show(this.#line === '' ? wait : `${this.#line}; ${wait}`);
    } else if (waitMs >= WAIT_WORTH_A_LINE_MS) {
      this.#say(`Waiting ${seconds} s for the rate limit.`);
    }
  }

  /** A line for people; not when it is to be quiet. */
  note(text: string): void {
    this.#say(text);
  }

  /** A line that is shown always: an error, a rejected row. */
  problem(text: string): void {
    this.#live.end();
    this.#io.stderr.write(`${cleanText(this.#lead + text)}\n`);
  }

  /** Takes the live line away. */
  end(): void {
    this.#live.end();
  }

  #show(text: string): void {
    if (this.#isQuiet) return;
    const line = cleanText(this.#lead + text);
    if (this.#isLive) this.#live.show(line);
    else this.#io.stderr.write(`${line}\n`);
  }

  #say(text: string): void {
    if (!this.#isQuiet) this.problem(text);
  }

  #describe(counts: PushCounts): string {
    const { received, needsReview } = counts;
    const total = this.#total;
    const rows =
      total === undefined
        ? count(received, 'row')
        : `${count(received, '', '').trim()} of ${count(total, 'row')}`;
    const review = needsReview > 0 ? `, ${count(needsReview, 'to review', 'to review')}` : '';
    return `${rows}: ${describeCounts(counts)}${review}`;
  }
}
