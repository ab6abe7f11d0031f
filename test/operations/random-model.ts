/** The rules of contract 5 in their simplest form, to compare the operations with. */

import assert from 'node:assert/strict';
import { rescaleShares } from '../../src/core/allocations.ts';
import type { FailureCode } from '../../src/core/failures.ts';
import { START_MS, YEAR } from '../store/workshop.ts';

/** An allocation. */
export interface Share {
  readonly line: number;
  readonly amount: number;
  readonly note: string | null;
}

/** What people have made of a transaction, all of which an undo brings back. */
export interface Work {
  readonly shares: readonly Share[];
  readonly reason: string | null;
  readonly review: { readonly previousMinor: number; readonly changedAtMs: number } | null;
}

/** A transaction. */
export interface Txn {
  amount: number;
  date: string;
  code: string | null;
  updatedAtMs: number;
  work: Work;
}

/** Untouched. */
export const IDLE: Work = { shares: [], reason: null, review: null };
/** What allocations add up to. */
export const sum = (shares: readonly Share[]) =>
  shares.reduce((all, { amount }) => all + amount, 0);

/** The refusal that the model expects. */
export class Refused extends Error {
  readonly code: FailureCode;

  constructor(code: FailureCode) {
    super(code);
    this.code = code;
  }
}

/** The transactions of an organisation, and the lines of its only project. */
export class Model {
  readonly txns = new Map<number, Txn>();
  readonly acts: { readonly atMs: number; readonly before: ReadonlyMap<number, Work> }[] = [];
  /** The account codes of each line of the project. */
  lines = new Map<number, string>();
  endDate = YEAR.endDate;
  lastMs = START_MS - 60_000;

  stamp(nowMs: number): number {
    this.lastMs = Math.max(nowMs, this.lastMs + 1);
    return this.lastMs;
  }

  txn(id: number): Txn {
    return this.txns.get(id) ?? assert.fail(`no transaction ${id}`);
  }

  /** One act on several transactions: all or none. */
  act(
    targets: readonly { id: number; seenMs?: number | undefined }[],
    nowMs: number,
    decide: (txn: Txn, id: number) => Work,
  ): void {
    const codes = new Set<FailureCode>();
    const after = targets.map(({ id, seenMs }): Work => {
      const txn = this.txn(id);
      try {
        if (seenMs !== undefined && seenMs !== txn.updatedAtMs) throw new Refused('conflict');
        return decide(txn, id);
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        codes.add(error.code);
        return IDLE;
      }
    });
    const [code, ...others] = codes;
    if (code !== undefined) throw new Refused(others.length > 0 ? 'conflict' : code);
    const atMs = this.stamp(nowMs);
    this.acts.push({ atMs, before: new Map(targets.map(({ id }) => [id, this.txn(id).work])) });
    for (const [at, { id }] of targets.entries()) {
      Object.assign(this.txn(id), { work: after[at], updatedAtMs: atMs });
    }
  }

  push(id: number, row: { amount: number; date: string; code: string | null }, atMs: number): void {
    const txn = this.txn(id);
    const { shares, review } = txn.work;
    if (row.amount !== txn.amount && shares.length > 0 && review === null) {
      const begun = { previousMinor: txn.amount, changedAtMs: atMs };
      txn.work = { ...txn.work, review: begun };
    }
    Object.assign(txn, row, { updatedAtMs: atMs });
  }

  claimOf({ amount, date, code, work }: Txn): number | undefined {
    const isIdle = work.shares.length === 0 && work.reason === null && work.review === null;
    if (!isIdle || amount === 0 || date > this.endDate) return undefined;
    const claims = [...this.lines].filter(([, claimed]) => claimed === code);
    return claims.length === 1 ? claims[0]?.[0] : undefined;
  }
}

/** The work on a transaction once it has these allocations. */
export function allocated(txn: Txn, lines: Model['lines'], shares: readonly Share[]): Work {
  if (txn.work.reason !== null) throw new Refused('conflict');
  const fits = shares.every(({ amount }) => Math.sign(amount) === Math.sign(txn.amount));
  const isWrong = !fits || Math.abs(sum(shares)) > Math.abs(txn.amount);
  if (isWrong || shares.some(({ amount }) => amount === 0)) throw new Refused('invalid_input');
  if (shares.some(({ line }) => !lines.has(line))) throw new Refused('not_found');
  return { ...IDLE, shares };
}

/** The work on a transaction once its review is settled. */
export function settled({ amount, work }: Txn, resolution: 'keep' | 'rescale' | 'clear'): Work {
  const { shares, review } = work;
  if (review === null) throw new Refused('conflict');
  if (resolution === 'clear') return IDLE;
  const amounts = shares.map((share) => share.amount);
  if (resolution === 'rescale') {
    const rescaled = rescaleShares(amount, amounts, review);
    const scaled = shares.map((share, at) => ({ ...share, amount: rescaled[at] ?? 0 }));
    return { ...IDLE, shares: scaled.filter((share) => share.amount !== 0) };
  }
  const isKept = amounts.every((each) => Math.sign(each) === Math.sign(amount));
  if (!isKept || Math.abs(sum(shares)) > Math.abs(amount)) throw new Refused('conflict');
  return { ...IDLE, shares };
}
