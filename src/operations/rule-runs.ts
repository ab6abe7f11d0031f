/** Running the rules (contract 15): in short steps, or as a preview that writes nothing. */

import type { Actor } from '../core/audit.ts';
import { isCalendarDate } from '../core/calendar.ts';
import { type AmbiguousCode, rankAmbiguous } from '../core/claims.ts';
import { Failure } from '../core/failures.ts';
import { REPORTED } from '../core/limits.ts';
import { BY_ACCOUNT_CODE } from '../core/rules.ts';
import { failureOf } from '../database/sqlite-errors.ts';
import type { Access } from '../store/access.ts';
import type { Position } from '../store/pages.ts';
import * as store from '../store/rule-runs.ts';
import { stoppedAfter } from './changes.ts';
import { nextWrite, type Steps } from './turns.ts';

/** What happened to the unallocated transactions, except those of amount 0. */
export interface RunCounts {
  allocated: number;
  /** Claimed by several budget lines by account code: someone has to decide. */
  ambiguous: number;
  /** Those that no rule takes, and that the rules leave alone. */
  unmatched: number;
}

/** What of some transactions a line got. */
export interface RuleSum {
  readonly transactions: number;
  readonly amountMinor: number;
}

/** What a rule took. */
export interface RuleOutcome extends RuleSum {
  /** Its number; null: by account code. */
  readonly id: number | null;
  readonly position: number | null;
  readonly name: string;
  /** What of its amount came in; not above 0. */
  readonly inMinor: number;
  /** By the record number of the line. */
  readonly lines: Map<number, RuleSum>;
}

/** The counts, what each rule took, and the acts, each of which can be undone. */
export interface RunOutcome extends RunCounts {
  /** The codes of the ambiguous ones: at most REPORTED.ambiguousCodes, the most frequent first. */
  readonly ambiguousCodes: readonly AmbiguousCode[];
  /** Those that took something, in their order, by account code last. */
  readonly rules: readonly RuleOutcome[];
  /** The stamp of each step that allocated something. */
  readonly actsMs: readonly number[];
  /** Why the steps after the last write were not taken; undefined if all were. */
  readonly stopped?: Failure;
  /** Whether there are more than it was to look at. */
  readonly isCut: boolean;
}

/** What to run. */
export interface RunOptions extends store.RunScope {
  /** The last day of the transactions to look at. */
  readonly until?: string | undefined;
  /** Whether to write nothing: the same answer. */
  readonly isDry?: boolean | undefined;
  /** Only those from this stamp on have changed. */
  readonly sinceMs?: number | undefined;
  /** Only so many, the oldest; all by default. */
  readonly most?: number | undefined;
  /** Receives the counts after each step. */
  readonly onStep?: ((soFar: RunCounts) => void) | undefined;
  /** Which of the rulings to carry out: all by default. If it stops, the answer says so. */
  readonly accepts?: ((ruling: store.Ruling) => boolean) | undefined;
  /** Receives what became of each transaction. */
  readonly onRuling?: ((ruling: store.Ruling) => void) | undefined;
}

/** Transactions in one step: about 6 ms, after which other requests run. 200 took up to 19 ms. */
const STEP_TRANSACTIONS = 100;

/**
 * Runs the rules as {@link ruleSteps} does, while other requests run between the steps. Awaits
 * `pause` there too.
 */
export async function runRules(
  access: Access,
  actor: Actor,
  { pause, ...options }: RunOptions & { readonly pause?: () => Promise<void> } = {},
): Promise<RunOutcome> {
  const steps = ruleSteps(access, actor, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await nextWrite(access);
    await pause?.();
  }
}

/**
 * Runs the rules over every unallocated transaction. Each step is one write with one audit entry,
 * and finds what is stored by then. If it is interrupted, the next run continues. Refuses a wrong
 * date with `invalid_input`.
 */
export function* ruleSteps(
  access: Access,
  actor: Actor,
  { until, isDry, sinceMs, most, onStep, accepts, onRuling, ...scope }: RunOptions = {},
): Steps<RunOutcome> {
  if (until !== undefined && !isCalendarDate(until)) {
    throw new Failure('invalid_input', `"${until}" is not a date such as 2026-09-30.`);
  }
  const known = new store.KnownRules(scope);
  const sums = new RunSums(known);
  const actsMs: number[] = [];
  let after: Position | undefined;
  let rest = most ?? Number.POSITIVE_INFINITY;
  do {
    if (after !== undefined) yield;
    const limit = Math.min(STEP_TRANSACTIONS, rest);
    const isOldestFirst = most !== undefined;
    const page = { after, limit, known, until, sinceMs, accepts, isOldestFirst };
    let step: ReturnType<typeof store.takeRulings>;
    try {
      // Reads `access.db` each time: the service can be closed between two steps.
      step = store.takeRulings(access, page, isDry ? undefined : actor);
    } catch (error) {
      const stopped = failureOf(error);
      if (actsMs.length === 0 || stopped === undefined) throw error;
      if (accepts === undefined) throw stoppedAfter(sums.counts.allocated, 'allocated', stopped);
      return { ...sums.outcome(), actsMs, stopped, isCut: false };
    }
    for (const ruling of step.rulings) {
      sums.add(ruling);
      onRuling?.(ruling);
    }
    if (step.atMs !== undefined) actsMs.push(step.atMs);
    onStep?.({ ...sums.counts });
    after = step.next;
    rest -= limit;
  } while (after !== undefined && rest > 0);
  return { ...sums.outcome(), actsMs, isCut: after !== undefined };
}

/** Adds up what became of transactions. */
class RunSums {
  readonly counts: RunCounts = { allocated: 0, ambiguous: 0, unmatched: 0 };
  readonly #known: store.KnownRules;
  readonly #ambiguous = new Map<string, AmbiguousCode>();
  readonly #rules = new Map<number | null, RuleOutcome>();

  constructor(known: store.KnownRules) {
    this.#known = known;
  }

  add(ruling: store.Ruling): void {
    const { kind, rule, shares, transaction } = ruling;
    this.counts[kind === 'claimed' ? 'allocated' : kind] += 1;
    if (kind === 'ambiguous') this.#addAmbiguous(ruling);
    if (rule === undefined) return;
    const id = rule?.id ?? null;
    const before = this.#rules.get(id);
    const lines = before?.lines ?? new Map<number, RuleSum>();
    for (const { budgetLineId, amountMinor } of shares) {
      if (amountMinor !== 0) lines.set(budgetLineId, plus(lines.get(budgetLineId), amountMinor));
    }
    const { position, name } = rule ?? { position: null, name: BY_ACCOUNT_CODE };
    const sum = plus(before, transaction.amountMinor);
    const inMinor = (before?.inMinor ?? 0) + Math.min(0, transaction.amountMinor);
    this.#rules.set(id, { id, position, name, ...sum, inMinor, lines });
  }

  outcome(): Omit<RunOutcome, 'actsMs' | 'isCut'> {
    const last = Number.POSITIVE_INFINITY;
    const rules = [...this.#rules.values()].sort((one, two) => {
      return (one.position ?? last) - (two.position ?? last);
    });
    const ambiguousCodes = rankAmbiguous(this.#ambiguous.values()).slice(
      0,
      REPORTED.ambiguousCodes,
    );
    return { ...this.counts, ambiguousCodes, rules };
  }

  #addAmbiguous({ transaction, budgetLineIds, projectIds }: store.Ruling): void {
    const { accountCode } = transaction;
    if (accountCode === null) return;
    const projectCode = this.#known.claims.projectCodeOf(transaction.projectCode);
    const key = JSON.stringify([accountCode, projectCode, projectIds]);
    const count = (this.#ambiguous.get(key)?.count ?? 0) + 1;
    this.#ambiguous.set(key, { accountCode, projectCode, count, budgetLineIds });
  }
}

/** A sum with one more transaction. */
export function plus(sum: RuleSum | undefined, amountMinor: number): RuleSum {
  const { transactions, amountMinor: before } = sum ?? { transactions: 0, amountMinor: 0 };
  return { transactions: transactions + 1, amountMinor: before + amountMinor };
}
