/** Counts of a push in words. */

import type { PushCounts } from '../../client/index.ts';
import { count } from '../amounts.ts';

/** `1,200 created, 3 updated, 0 rejected`. */
export function describeCounts({ created, updated, rejected }: PushCounts): string {
  return joinCounts(Object.entries({ created, updated, rejected }));
}

/** The same without those that are 0, for a line with little room. */
export function describeSomeCounts({ created, updated, rejected }: PushCounts): string {
  const parts = Object.entries({ created, updated, rejected });
  return joinCounts(parts.filter(([, number]) => number > 0));
}

function joinCounts(parts: [word: string, number: number][]): string {
  return parts.map(([word, number]) => count(number, word, word)).join(', ');
}
