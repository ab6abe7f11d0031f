/**
 * Makes and previews changes of transactions. `allocations`, `exclusions`, `restorations`,
 * `reviewEndings` and `undoing` say what is to become of transactions; each change is one act, with
 * one entry in the audit log. A change of many is made in steps between which other requests run.
 */

import type { Actor } from '../core/audit.ts';
import { count as counted } from '../core/counts.ts';
import { Failure } from '../core/failures.ts';
import type { Refusal } from '../core/refusals.ts';
import { failureOf } from '../database/sqlite-errors.ts';
import type { Access } from '../store/access.ts';
import * as store from '../store/acts.ts';
import type { TransactionRecord } from '../store/transactions.ts';
import { writeInTurn } from './turns.ts';

export { changeAll } from '../store/acts.ts';

/** Transactions that are changed in one write, which takes about 6 ms. */
const CHANGED_AT_ONCE = 200;

/** A change of many: each step says what to change when its turn comes. */
type Steps = readonly (() => store.Change)[];

/** The steps of a change of these transactions. */
export function inSteps<Request>(
  requests: readonly Request[],
  changeOf: (step: readonly Request[]) => store.Change,
  size = CHANGED_AT_ONCE,
): Steps {
  const starts = Array.from({ length: Math.ceil(requests.length / size) }).keys();
  return [...starts].map((step) => () => changeOf(requests.slice(step * size, (step + 1) * size)));
}

/** What became of a change of many. */
interface ManyChanged {
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

/** What stopped a change of many half-way, with what was done before, for callers without pages. */
export function stoppedAfter(done: number, verb: string, stopped: Failure): Failure {
  const said = `${counted(done, 'transaction was', 'transactions were')} ${verb}.`;
  return new Failure(stopped.code, `${said} The rest was not changed: ${stopped.message}`, stopped);
}

/**
 * Takes steps, each of which is one write, and says what they did. A step leaves what it refuses.
 * What stops a step is thrown if nothing was changed before, and is part of the result otherwise.
 */
export async function changeMany(access: Access, steps: Steps, actor: Actor): Promise<ManyChanged> {
  let [count, sumMinor] = [0, 0];
  const actsMs: number[] = [];
  const refusals: Refusal<TransactionRecord>[] = [];
  for (const step of steps) {
    try {
      const done = await writeInTurn(access, () => store.changeRest(access, step(), actor));
      count += done.changed.length;
      for (const { amountMinor } of done.changed) sumMinor += amountMinor;
      actsMs.push(...done.changed.slice(0, 1).map(({ updatedAtMs }) => updatedAtMs));
      refusals.push(...done.refusals);
    } catch (error) {
      const stopped = failureOf(error);
      if (stopped === undefined || count === 0) throw error;
      return { count, sumMinor, actsMs, refusals, stopped };
    }
  }
  return { count, sumMinor, actsMs, refusals, stopped: undefined };
}
