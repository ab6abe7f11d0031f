/** Describes the counts of a push. */

import type { PushCounts } from '../../client/index.ts';
import { count } from '../../core/counts.ts';

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

/** What needs attention: ` 2 rows have warnings. 1 row needs review.`, or an empty text. */
export function describeConcerns({ warnings, needsReview }: PushCounts): string {
  return [
    warnings === 0 ? '' : ` ${count(warnings, 'row has a warning', 'rows have warnings')}.`,
    needsReview === 0 ? '' : ` ${count(needsReview, 'row needs', 'rows need')} review.`,
  ].join('');
}
