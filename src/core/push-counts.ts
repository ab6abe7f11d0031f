/** Counts the results of a push (contract 6). */

import type { PushMeta, PushResult } from './push.ts';

/** The counts of the results of a batch. */
export function countResults(results: readonly PushResult[], dryRun: boolean): PushMeta {
  const counts = { created: 0, updated: 0, unchanged: 0, rejected: 0, needsReview: 0, warnings: 0 };
  for (const result of results) {
    counts[result.status] += 1;
    if (result.status === 'rejected') continue;
    if (result.status === 'updated' && result.changed.length === 0) counts.unchanged += 1;
    if (result.needsReview) counts.needsReview += 1;
    if (result.warnings.length > 0) counts.warnings += 1;
  }
  return { received: results.length, ...counts, dryRun };
}
