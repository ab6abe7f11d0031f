/** Counts of a push, made and in words. */

import type { PushCounts, PushResultItem } from '../../client/index.ts';
import { count } from '../amounts.ts';

/** The counts of nothing. */
export function noCounts(dryRun: boolean): PushCounts {
  return { received: 0, created: 0, updated: 0, rejected: 0, needsReview: 0, dryRun };
}

/** Two counts together; `dryRun` is the first one's. */
export function addCounts(some: PushCounts, more: PushCounts): PushCounts {
  return {
    received: some.received + more.received,
    created: some.created + more.created,
    updated: some.updated + more.updated,
    rejected: some.rejected + more.rejected,
    needsReview: some.needsReview + more.needsReview,
    dryRun: some.dryRun,
  };
}

/** The counts of a batch's results. */
export function countResults(results: readonly PushResultItem[], dryRun: boolean): PushCounts {
  const counts = { ...noCounts(dryRun), received: results.length };
  for (const result of results) {
    counts[result.status] += 1;
    if (result.status !== 'rejected' && result.needsReview) counts.needsReview += 1;
  }
  return counts;
}

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
