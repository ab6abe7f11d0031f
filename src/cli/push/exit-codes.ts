/** The exit codes of a push (contract 8). */

import { BudgetdError, type PushCounts } from '../../client/index.ts';
import { EXIT } from '../command.ts';

/** The exit code of a push that reached the end of the file. */
export function exitCodeOf({ received, rejected }: PushCounts): number {
  if (rejected === 0) return EXIT.done;
  return rejected === received ? EXIT.allRejected : EXIT.someRejected;
}

/** The exit code of a push that an error ended. */
export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof BudgetdError)) return EXIT.failed;
  if (error.code === 'aborted') return EXIT.interrupted;
  if (error.code === 'rate_limit_wait_exceeded') return EXIT.gaveUpWaiting;
  const isRefused = error.status === 401 || error.status === 403;
  return isRefused && error.code !== 'unexpected_answer' ? EXIT.refused : EXIT.failed;
}

/** From the best to the worst. */
const WORSE: readonly number[] = [
  EXIT.done,
  EXIT.someRejected,
  EXIT.allRejected,
  EXIT.usage,
  EXIT.failed,
  EXIT.gaveUpWaiting,
  EXIT.refused,
  EXIT.interrupted,
];

/** The worst exit code of several pushes; 0 if there are none. */
export function findWorstExit(exitCodes: readonly number[]): number {
  return exitCodes.reduce(
    (worst, each) => (WORSE.indexOf(each) > WORSE.indexOf(worst) ? each : worst),
    EXIT.done,
  );
}
