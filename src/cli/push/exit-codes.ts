/** The exit codes of a push (contract 8). */

import { BudgetdError, type PushCounts } from '../../client/index.ts';
import { EXIT } from '../command.ts';

/** Exit codes of `push` and `import`, including those of every command. */
export const PUSH_EXIT = {
  ...EXIT,
  someRejected: 3,
  refused: 4,
  allRejected: 5,
  gaveUpWaiting: 6,
} as const;

/** The exit code of a push that reached the end of the file. */
export function exitCodeOf({ received, rejected }: PushCounts): number {
  if (rejected === 0) return PUSH_EXIT.done;
  return rejected === received ? PUSH_EXIT.allRejected : PUSH_EXIT.someRejected;
}

/** The exit code of a push that an error ended. */
export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof BudgetdError)) return PUSH_EXIT.failed;
  if (error.code === 'aborted') return PUSH_EXIT.interrupted;
  if (error.code === 'rate_limit_wait_exceeded') return PUSH_EXIT.gaveUpWaiting;
  const isRefused = error.status === 401 || error.status === 403;
  return isRefused && error.code !== 'unexpected_answer' ? PUSH_EXIT.refused : PUSH_EXIT.failed;
}

/** From the best to the worst. */
const WORSE: readonly number[] = [
  PUSH_EXIT.done,
  PUSH_EXIT.someRejected,
  PUSH_EXIT.allRejected,
  PUSH_EXIT.usage,
  PUSH_EXIT.failed,
  PUSH_EXIT.gaveUpWaiting,
  PUSH_EXIT.refused,
  PUSH_EXIT.interrupted,
];

/** The worst exit code of several pushes; 0 if there are none. */
export function findWorstExit(exitCodes: readonly number[]): number {
  return exitCodes.reduce(
    (worst, each) => (WORSE.indexOf(each) > WORSE.indexOf(worst) ? each : worst),
    PUSH_EXIT.done,
  );
}
