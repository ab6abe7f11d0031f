/** Describes the counts of a push. */

import type { PushCounts } from '../../client/index.ts';
import { count } from '../../core/counts.ts';

/** `1,200 created, 3 updated, 7 unchanged, 0 rejected`; without `unchanged` if it is 0. */
export function describeCounts(counts: PushCounts): string {
  const parts = listParts(counts);
  return joinCounts(parts.filter(([word, number]) => number > 0 || word !== 'unchanged'));
}

/** The same without those that are 0, for a line with little room. */
export function describeSomeCounts(counts: PushCounts): string {
  return joinCounts(listParts(counts).filter(([, number]) => number > 0));
}

/** What needs attention: ` 2 rows have warnings. 1 row needs review.`, or an empty text. */
export function describeConcerns({ warnings, needsReview }: PushCounts): string {
  const have = warnings === 1 ? 'has a warning' : 'have warnings';
  const need = needsReview === 1 ? 'needs' : 'need';
  return [
    warnings === 0 ? '' : ` ${count(warnings, 'row')} ${have}.`,
    needsReview === 0 ? '' : ` ${count(needsReview, 'row')} ${need} review.`,
  ].join('');
}

type Part = readonly [word: string, number: number];

/** Unlike the interface, this does not count an unchanged row as updated. */
function listParts({ created, updated, unchanged, rejected }: PushCounts): Part[] {
  return Object.entries({ created, updated: updated - unchanged, unchanged, rejected });
}

function joinCounts(parts: readonly Part[]): string {
  return parts.map(([word, number]) => count(number, word, word)).join(', ');
}
