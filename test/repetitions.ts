/** How much of itself a test runs, as the variables of this suite say. */

/** `.ci/run` sets it for its first run: tests that look at chances try more of them. */
export const IS_SLOW = process.env['BUDGETD_SLOW_TESTS'] === '1';

/** By hand, on a quiet machine: as often as takes a few minutes for one file. */
export const IS_HEAVY = process.env['BUDGETD_HEAVY_TESTS'] === '1';

/** How often a test tries something: in `npm test`, in `.ci/run`, and by hand. */
export function repetitions<Count>(short: Count, slow: Count, heavy: Count): Count {
  if (IS_HEAVY) return heavy;
  return IS_SLOW ? slow : short;
}

/**
 * In the second run of `.ci/run`: why what depends on neither Node, the output nor the time zone is
 * skipped, such as programs of others that ask a service; false elsewhere.
 */
export const testedBefore =
  process.env['BUDGETD_TESTED_BEFORE'] === '1' && 'tested in the first run of .ci/run';
