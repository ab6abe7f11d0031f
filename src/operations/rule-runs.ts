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
import { lastIdOfMany } from '../store/totals.ts';
import { stoppedAfter } from './changes.ts';
import { cpuMsSince, nextTurn, type Steps, writeInTurn } from './turns.ts';

/** What happened to the unallocated transactions, except those of amount 0. */
export interface RunCounts {
  allocated: number;
  /** Claimed by several budget lines by account code: someone has to decide. */
  ambiguous: number;
  /** Transactions that no rule takes, and those that the rules leave alone. */
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
  /** The rules that took something, in their order, by account code last. */
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
  /** Whether to write nothing: the same answer. */
  readonly isDry?: boolean | undefined;
  /** Only so many, the oldest; all by default. */
  readonly most?: number | undefined;
  /** Receives the counts after each step. */
  readonly onStep?: ((soFar: RunCounts) => void) | undefined;
  /** Receives what became of each transaction. */
  readonly onRuling?: ((ruling: store.Ruling) => void) | undefined;
}

/** Time of the processor for a step that writes: waiting for the disk adds to it. */
const STEP_MS = 8;
/** Transactions that such a step looks at: the first one, and each at least. */
const FIRST_STEP = 110;
const LEAST_STEP = 25;
/** At most, and where nothing is written: about 2 ms. Steps of 100 took a sixth more in all. */
const MOST_STEP = 250;

/**
 * Runs the rules over every unallocated transaction, while other requests run between the steps.
 * Each step is one write with one audit entry, and finds what is stored by then. If it is
 * interrupted, the next run continues. Awaits `pause` before each further step. Refuses a wrong
 * date with `invalid_input`.
 */
export async function runRules(
  access: Access,
  actor: Actor,
  { pause, ...options }: RunOptions & { readonly pause?: () => Promise<void> } = {},
): Promise<RunOutcome> {
  const run = new RuleRun(access, options.isDry ? undefined : actor, options);
  await nextTurn();
  run.prepare();
  try {
    while (await writeInTurn(access, () => run.step())) await pause?.();
  } catch (error) {
    const stopped = failureOf(error);
    const { actsMs, allocated, ...outcome } = run.outcome();
    if (actsMs.length === 0 || stopped === undefined) throw error;
    if (options.accepts === undefined) throw stoppedAfter(allocated, 'allocated', stopped);
    return { ...outcome, actsMs, allocated, stopped, isCut: false };
  }
  return run.outcome();
}

/** What the rules would do, which writes nothing: a step for each turn. Refuses like `runRules`. */
export function* tryRules(access: Access, options: RunOptions): Steps<RunOutcome> {
  const run = new RuleRun(access, undefined, options);
  while (run.step()) yield;
  return run.outcome();
}

class RuleRun {
  readonly #access: Access;
  /** Undefined: nothing is written. */
  readonly #actor: Actor | undefined;
  readonly #options: RunOptions;
  readonly #known: store.KnownRules;
  readonly #sums: RunSums;
  readonly #actsMs: number[] = [];
  /** The last one to look at, if they are taken as they are stored. */
  readonly #lastId: number | undefined;
  #after: Position | undefined;
  #atOnce: number;
  #rest: number;

  constructor(access: Access, actor: Actor | undefined, options: RunOptions) {
    const { from, until, sinceMs, most } = options;
    for (const day of [from, until]) {
      if (day === undefined || isCalendarDate(day)) continue;
      throw new Failure('invalid_input', `"${day}" is not a date such as 2026-09-30.`);
    }
    this.#access = access;
    this.#actor = actor;
    this.#options = options;
    this.#known = new store.KnownRules(options);
    this.#sums = new RunSums(this.#known);
    this.#atOnce = actor ? FIRST_STEP : MOST_STEP;
    this.#rest = most ?? Number.POSITIVE_INFINITY;
    const isOfAll = [from, until, sinceMs, most].every((each) => each === undefined);
    this.#lastId = isOfAll ? lastIdOfMany(access) : undefined;
  }

  /** Looks up the rules in a turn of its own, because the first step is the longest. */
  prepare(): void {
    this.#known.refresh(this.#access, []);
  }

  /** Takes a step, and returns whether there is another. */
  step(): boolean {
    const { from, until, sinceMs, most, accepts, onStep, onRuling } = this.#options;
    const limit = Math.min(this.#atOnce, this.#rest);
    const lastId = this.#lastId ?? Number.POSITIVE_INFINITY;
    const before = process.cpuUsage();
    const page = { from, until, sinceMs, accepts, limit, isOldestFirst: most !== undefined };
    const place = { after: this.#after, known: this.#known, isAsStored: lastId < Infinity };
    const step = store.takeRulings(this.#access, { ...page, ...place }, this.#actor);
    for (const ruling of step.rulings) {
      this.#sums.add(ruling);
      onRuling?.(ruling);
    }
    if (this.#actor) this.#atOnce = resize(limit, cpuMsSince(before));
    if (step.atMs !== undefined) this.#actsMs.push(step.atMs);
    onStep?.({ ...this.#sums.counts });
    // Those that came after the run began are at the end, and could keep it from ending.
    this.#after = (step.next?.id ?? lastId) < lastId ? step.next : undefined;
    this.#rest -= limit;
    return this.#after !== undefined && this.#rest > 0;
  }

  outcome(): RunOutcome {
    const isCut = this.#after !== undefined;
    return { ...this.#sums.outcome(), actsMs: this.#actsMs, isCut };
  }
}

/** The size of the step after one of `size`: a slow one halves it at most. */
function resize(size: number, tookMs: number): number {
  const wanted = size * Math.min(2, Math.max(0.5, STEP_MS / tookMs));
  return Math.round(Math.min(MOST_STEP, Math.max(LEAST_STEP, wanted)));
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
      if (amountMinor !== 0)
        lines.set(budgetLineId, addToSum(lines.get(budgetLineId), amountMinor));
    }
    const { position, name } = rule ?? { position: null, name: BY_ACCOUNT_CODE };
    const sum = addToSum(before, transaction.amountMinor);
    const inMinor = (before?.inMinor ?? 0) + Math.min(0, transaction.amountMinor);
    this.#rules.set(id, { id, position, name, ...sum, inMinor, lines });
  }

  outcome(): Omit<RunOutcome, 'actsMs' | 'isCut'> {
    const last = Number.POSITIVE_INFINITY;
    const rules = [...this.#rules.values()].sort((one, two) => {
      return (one.position ?? last) - (two.position ?? last);
    });
    const ranked = rankAmbiguous(this.#ambiguous.values());
    const ambiguousCodes = ranked.slice(0, REPORTED.ambiguousCodes);
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
export function addToSum(sum: RuleSum | undefined, amountMinor: number): RuleSum {
  const { transactions, amountMinor: before } = sum ?? { transactions: 0, amountMinor: 0 };
  return { transactions: transactions + 1, amountMinor: before + amountMinor };
}
