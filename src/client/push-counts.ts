/** Counts the results of a push, and adds counts up. */

import type { PushCounts, PushResultItem } from './documents.ts';

/** Counts of zero. */
export function noCounts(dryRun: boolean): PushCounts {
  return {
    received: 0,
    created: 0,
    updated: 0,
    unchanged: 0,
    rejected: 0,
    needsReview: 0,
    warnings: 0,
    dryRun,
  };
}

/** The counts of a batch's results, to compare with those that the service sent. */
export function countResults(results: readonly PushResultItem[], dryRun: boolean): PushCounts {
  const counts = noCounts(dryRun);
  for (const result of results) {
    counts.received += 1;
    counts[result.status] += 1;
    if (result.status === 'rejected') continue;
    if (result.status === 'updated' && result.changed.length === 0) counts.unchanged += 1;
    if (result.needsReview) counts.needsReview += 1;
    if (result.warnings.length > 0) counts.warnings += 1;
  }
  return counts;
}

/** The sum of two counts, with the `dryRun` of the first. */
export function addCounts(some: PushCounts, more: PushCounts): PushCounts {
  return {
    received: some.received + more.received,
    created: some.created + more.created,
    updated: some.updated + more.updated,
    unchanged: some.unchanged + more.unchanged,
    rejected: some.rejected + more.rejected,
    needsReview: some.needsReview + more.needsReview,
    warnings: some.warnings + more.warnings,
    dryRun: some.dryRun,
  };
}
