/**
 * What takes the rows of a push: the client, or a sender that sends nothing, because this process
 * answers the rows, in the same batches as a service.
 */

import { setImmediate } from 'node:timers/promises';
import {
  BATCH_ROWS,
  BudgetdError,
  type Client,
  type PushAnswer,
  type PushCounts,
  type PushedBatch,
  type PushRow,
} from '../../client/index.ts';
import { addCounts, noCounts } from '../../client/push.ts';
import { Failure } from '../../core/failures.ts';
import {
  decideUpdate,
  type PushResult,
  readRow,
  shownExternalId,
  withWarning,
} from '../../core/push.ts';
import { countResults } from '../../core/push-counts.ts';
import type { ValidRow } from '../../core/row-members.ts';
import { codesOf, type ListStored } from '../../files/index.ts';

/** Accepts rows in order and answers in batches, as {@link Client} does. */
export interface RowSender {
  push(
    rows: AsyncIterable<PushRow>,
    options: {
      readonly dryRun: boolean;
      readonly onBatch: (batch: PushedBatch) => Promise<void>;
      readonly stop: AbortSignal;
    },
  ): Promise<PushCounts>;
  /** Undefined where nothing is stored. */
  readonly listStored?: ListStored | undefined;
  /** Refuses amounts in another currency than the books are in, if only the service knows that. */
  readonly refuseCurrency?: (stated: string) => Promise<void>;
}

/** A sender to a service; `onUnread` is called if the key may not read what is stored. */
export function serviceSender(client: Client, prefix: string, onUnread = () => {}): RowSender {
  return {
    ...withIdPrefix(client, prefix),
    async *listStored({ externalIdPrefix, ...days }) {
      const query = { ...days, externalIdPrefix: prefix + externalIdPrefix };
      try {
        for await (const each of client.transactions.iterate(query)) {
          const { externalId, amount, status } = each;
          const counts = amount !== 0 && status !== 'excluded';
          if (externalId !== null && counts) yield externalId.slice(prefix.length);
        }
      } catch (error) {
        if (!(error instanceof BudgetdError && error.status === 403)) throw error;
        onUnread();
      }
    },
    refuseCurrency: currencyProbe(client),
  };
}

/** Asks the service with rows that it checks and does not store, one for each possible currency. */
function currencyProbe(client: Client): NonNullable<RowSender['refuseCurrency']> {
  return async (stated) => {
    const [first = '', ...more] = codesOf(stated);
    if (first === '') return;
    const rows = [first, ...more].map((currency) => {
      const externalId = `currency ${currency}`;
      return { externalId, date: '2000-01-01', description: 'currency', amount: 1, currency };
    });
    const { data } = await client.pushBatch(rows, { dryRun: true });
    const wrong = data.flatMap((each) => {
      const errors = each.status === 'rejected' ? each.errors : [];
      return errors.find(({ code }) => code === 'currency_mismatch') ?? [];
    });
    const [{ message } = { message: '' }] = wrong;
    if (wrong.length < rows.length) return;
    throw new Failure(
      'conflict',
      message.replace(first, () => stated),
    );
  };
}

/** A sender that sends what `change` makes of each row. */
export function changingRows(sender: RowSender, change: (row: PushRow) => PushRow): RowSender {
  async function* changed(rows: AsyncIterable<PushRow>) {
    for await (const row of rows) yield change(row);
  }
  return { push: (rows, options) => sender.push(changed(rows), options) };
}

/** A sender that puts a prefix before each externalId that is a text and not blank. */
function withIdPrefix(sender: RowSender, prefix: string): RowSender {
  if (prefix === '') return sender;
  return changingRows(sender, (row) => {
    // The service says what is wrong with anything else.
    const externalId: unknown = Object.hasOwn(Object(row), 'externalId') ? row.externalId : null;
    const isText = typeof externalId === 'string' && externalId.trim() !== '';
    return isText ? { ...row, externalId: prefix + externalId } : row;
  });
}

/** A sender to this process: `answer` is called with each batch. */
export function localSender(
  answer: (rows: readonly PushRow[], dryRun: boolean) => PushAnswer,
): RowSender {
  return {
    async push(rows, { dryRun, onBatch, stop }) {
      let total = noCounts(dryRun);
      for await (const batch of batchesOf(rows)) {
        // Let the event loop run, or an interrupt would never be handled.
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
 * Checks rows as a service does and stores nothing. It does not know what a service has stored, so
 * every accepted row counts as created.
 */
export function checkingSender(currency: Parameters<typeof readRow>[1], prefix: string): RowSender {
  const sender = localSender((rows, dryRun) => {
    const seen = new Map<string, ValidRow>();
    const data = rows.map((value, index): PushResult => {
      const reading = readRow(value, currency);
      if (reading.row === undefined) {
        const { errors } = reading;
        return { index, externalId: shownExternalId(value), status: 'rejected', errors };
      }
      const { row, warnings } = reading;
      const { externalId } = row;
      const before = seen.get(externalId);
      seen.set(externalId, row);
      const facts = { index, externalId, id: null, needsReview: false };
      if (before === undefined) return { ...facts, status: 'created', changed: [], warnings };
      const { changed } = decideUpdate({ row: before, allocatedMinor: 0, review: null }, row, 0);
      return {
        ...facts,
        status: 'updated',
        changed,
        warnings: withWarning('duplicate_in_batch', warnings),
      };
    });
    return { data, meta: countResults(data, dryRun) };
  });
  return withIdPrefix(sender, prefix);
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
