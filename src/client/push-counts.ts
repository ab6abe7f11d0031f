/**
 * Counts the results of a push, adds counts up, and decides whether a document is the answer to a
 * push: one result per row, in order and about that row. An answer about other rows, for example
 * from a cache, must never be counted.
 */

import { type Expectation, membersOf } from './answers.ts';
import type { PushAnswer, PushCounts, PushResultItem } from './documents.ts';

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
function countResults(results: readonly PushResultItem[], dryRun: boolean): PushCounts {
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

/** Expects the answer to these rows. A 422 for rejected rows is also an answer. */
export function expectResults(
  rowTexts: readonly string[],
  dryRun: boolean,
): Expectation<PushAnswer> {
  return {
    codes: ['all_rows_rejected'],
    name: 'the results of the rows that were sent',
    read: (document) => {
      const { data, meta } = membersOf(document) ?? {};
      if (!Array.isArray(data) || data.length !== rowTexts.length) return undefined;
      const isOfRows = data.every((result, index) => isResultOf(result, rowTexts[index], index));
      return isOfRows && isSumOf(meta, data, dryRun) ? ({ data, meta } as PushAnswer) : undefined;
    },
  };
}

function isResultOf(result: unknown, rowText: string | undefined, index: number): boolean {
  const members = membersOf(result) ?? {};
  const { status, needsReview, changed, warnings, errors } = members;
  const isWhole =
    status === 'rejected'
      ? isListOfIssues(errors)
      : (status === 'created' || status === 'updated') &&
        typeof needsReview === 'boolean' &&
        Array.isArray(changed) &&
        isListOfIssues(warnings);
  return isWhole && members['index'] === index && members['externalId'] === idOf(rowText);
}

function isListOfIssues(value: unknown): boolean {
  if (!Array.isArray(value)) return false;
  return value.every((issue) => {
    const { code, message } = membersOf(issue) ?? {};
    return typeof code === 'string' && typeof message === 'string';
  });
}

/** The service returns every externalId that is a string. */
function idOf(rowText = 'null'): string | null {
  const row: unknown = JSON.parse(rowText);
  const isObject = typeof row === 'object' && row !== null && Object.hasOwn(row, 'externalId');
  const externalId: unknown = isObject ? Reflect.get(row, 'externalId') : null;
  return typeof externalId === 'string' ? externalId : null;
}

function isSumOf(meta: unknown, results: readonly PushResultItem[], dryRun: boolean): boolean {
  const said = membersOf(meta) ?? {};
  const counts = countResults(results, dryRun);
  return Object.entries(counts).every(([name, count]) => said[name] === count);
}
