/** Changes of many transactions, in steps between which other requests run. */

import { Failure } from '../core/failures.ts';
import { changeRest, type PartlyChanged, type Refusal } from '../core/refusals.ts';
import type { Preview } from '../store/acts.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import type { Target } from './input.ts';
import { nextTurn } from './turns.ts';

/** Transactions that are changed in one write, which takes about 6 ms. */
export const CHANGED_AT_ONCE = 200;

/** What became of a change of many. */
export interface ManyChanged {
  /** How many were changed, and their amounts together. */
  readonly count: number;
  readonly sumMinor: number;
  /** The stamp of each write: each can be undone. */
  readonly actsMs: readonly number[];
  /** Why others were left. Those with `now` have changed since they were seen. */
  readonly refusals: readonly Refusal<TransactionRecord>[];
  /** Why the steps after the last write were not taken; undefined if all were. */
  readonly stopped: Failure | undefined;
}

/** The steps of a change of these transactions. `act` changes all of them or none. */
export function stepsOf<Request extends Target>(
  requests: readonly Request[],
  act: (step: readonly Request[]) => readonly TransactionRecord[],
): (() => PartlyChanged<TransactionRecord>)[] {
  return splitUp(requests).map((step) => () => {
    return changeRest(step, ({ transactionId }) => transactionId, act);
  });
}

/** What a change of these transactions would do, looked up in the same steps. */
export async function previewMany<Request extends Target>(
  requests: readonly Request[],
  preview: (step: readonly Request[]) => Preview,
): Promise<Preview> {
  const previews: Preview[] = [];
  for (const step of splitUp(requests)) {
    await nextTurn();
    previews.push(preview(step));
  }
  return {
    planned: previews.flatMap(({ planned }) => planned),
    refusals: previews.flatMap(({ refusals }) => refusals),
  };
}

function splitUp<Request>(requests: readonly Request[]): (readonly Request[])[] {
  const starts = Array.from({ length: Math.ceil(requests.length / CHANGED_AT_ONCE) }).keys();
  return [...starts].map((step) => {
    return requests.slice(step * CHANGED_AT_ONCE, (step + 1) * CHANGED_AT_ONCE);
  });
}

/**
 * Takes steps, each of which is one write, and says what they did. A step leaves what it refuses.
 * What stops a step is thrown if nothing was changed before, and is part of the result otherwise.
 */
export async function changeMany(
  steps: readonly (() => PartlyChanged<TransactionRecord>)[],
): Promise<ManyChanged> {
  let [count, sumMinor] = [0, 0];
  const actsMs: number[] = [];
  const refusals: Refusal<TransactionRecord>[] = [];
  for (const step of steps) {
    await nextTurn();
    try {
      const { changed, refusals: refused } = step();
      count += changed.length;
      for (const { amountMinor } of changed) sumMinor += amountMinor;
      actsMs.push(...changed.slice(0, 1).map(({ updatedAtMs }) => updatedAtMs));
      refusals.push(...refused);
    } catch (stopped) {
      if (!(stopped instanceof Failure) || count === 0) throw stopped;
      return { count, sumMinor, actsMs, refusals, stopped };
    }
  }
  return { count, sumMinor, actsMs, refusals, stopped: undefined };
}
