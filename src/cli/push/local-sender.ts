/**
 * Senders that send nothing: rows are answered in this process, in the batches in which a service
 * would answer them.
 */

import { setImmediate } from 'node:timers/promises';
import { BATCH_ROWS, BudgetdError, type PushAnswer, type PushRow } from '../../client/index.ts';
import { addCounts, countResults, noCounts } from '../../client/push-counts.ts';
import {
  decideUpdate,
  type PushResult,
  readRow,
  shownExternalId,
  type ValidRow,
  withDuplicate,
} from '../../core/push.ts';
import type { Sender } from './runner.ts';

/** Answers one batch of rows. */
export type Answer = (rows: readonly PushRow[], dryRun: boolean) => PushAnswer;

/** A sender out of what answers a batch. */
export function localSender(answer: Answer): Sender {
  return {
    async push(rows, { dryRun, onBatch, stop }) {
      let total = noCounts(dryRun);
      for await (const batch of batchesOf(rows)) {
        // A turn of the event loop, or no interrupt would ever be heard.
        await setImmediate();
        if (stop.aborted) throw new BudgetdError('aborted', 'Stopped by the caller.');
        const firstIndex = total.received;
        const { data: results, meta } = answer(batch, dryRun);
        total = addCounts(total, meta);
        await onBatch({ firstIndex, results, meta, total, answerLost: false });
      }
      return total;
    },
  };
}

/**
 * Reads rows as a service does and stores them nowhere. What a service would have stored already is
 * not known: an accepted row counts as created. `places` is the currency's.
 */
export function checkingSender(places: number): Sender {
  return localSender((rows, dryRun) => {
    const seen = new Map<string, ValidRow>();
    const data = rows.map((row, index) => checkRow(row, { index, places, seen }));
    return { data, meta: countResults(data, dryRun) };
  });
}

function checkRow(
  value: unknown,
  { index, places, seen }: { index: number; places: number; seen: Map<string, ValidRow> },
): PushResult {
  const reading = readRow(value, places);
  if (reading.row === undefined) {
    const externalId = shownExternalId(value);
    return { index, externalId, status: 'rejected', errors: reading.errors };
  }
  const { row, warnings } = reading;
  const { externalId } = row;
  const before = seen.get(externalId);
  seen.set(externalId, row);
  const facts = { index, externalId, id: null, needsReview: false };
  if (before === undefined) return { ...facts, status: 'created', changed: [], warnings };
  const { changed } = decideUpdate({ ...before, allocatedMinor: 0, review: null }, row, 0);
  return { ...facts, status: 'updated', changed, warnings: withDuplicate(warnings) };
}

async function* batchesOf(rows: AsyncIterable<PushRow>): AsyncGenerator<PushRow[]> {
  let batch: PushRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
