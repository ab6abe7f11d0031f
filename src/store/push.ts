/**
 * Storing a batch of rows: read them all, then find, decide and write in one atomic step
 * (Spec 4.6, contract 6). The doors `push` and `import` both end here.
 */

import type { Actor } from '../core/audit.ts';
import { formatId } from '../core/ids.ts';
import { ROW_WARNINGS } from '../core/limits.ts';
import type { Organisation } from '../core/organisations.ts';
import {
  decideUpdate,
  type PushMeta,
  type PushResult,
  type RowReading,
  type RowWarning,
  readRow,
  type StoredRow,
  shownExternalId,
  type UpdateDecision,
  type ValidRow,
} from '../core/push.ts';
import { type Provider, statusOf } from '../core/transactions.ts';
import { recordAudit } from './audit.ts';
import { atomically, type Db } from './database.ts';
import { type SqlRecord, statement } from './statements.ts';
import { latestUpdate, toReview } from './transactions.ts';

/** One batch, whoever sends it. */
export interface Batch {
  readonly rows: readonly unknown[];
  readonly provider: Provider;
  /** Whether everything is rolled back at the end: the same answer, nothing written. */
  readonly dryRun: boolean;
}

/** A result for each row, in the order of the rows, and the counts. */
export interface PushOutcome {
  readonly results: PushResult[];
  readonly meta: PushMeta;
}

/** What is known of a stored transaction while a batch is written. */
interface KnownTransaction extends StoredRow {
  readonly id: number;
  readonly excluded: boolean;
  readonly rawData: string | null;
  readonly updatedAtMs: number;
  /** Whether this very batch created it, and so whether a dry run must not show its id. */
  readonly isNew: boolean;
  readonly inBatch: boolean;
}

/** Stores a batch: every valid row, or, when storing fails, none. Throws what SQLite throws. */
export function pushTransactions(
  db: Db,
  organisation: Organisation,
  batch: Batch,
  actor: Actor,
): PushOutcome {
  const { places } = organisation.currency;
  const readings = batch.rows.map((row) => readRow(row, places));
  let outcome: PushOutcome | undefined;
  try {
    atomically(db, () => {
      const writer = new BatchWriter(db, organisation, batch.provider, actor);
      outcome = writer.write(batch, readings);
      if (batch.dryRun) throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
  if (outcome === undefined) throw new Error('a batch ended without an outcome');
  return outcome;
}

/** Ends the atomic step of a dry run. */
class RollBack extends Error {}

/** Writes the rows of one batch, inside its atomic step. */
class BatchWriter {
  readonly #db: Db;
  readonly #organisation: Organisation;
  readonly #provider: Provider;
  readonly #actor: Actor;
  #known = new Map<string, KnownTransaction>();
  /** When this batch happened: never before what is stored, should the clock have gone back. */
  readonly #stampMs: number;

  constructor(db: Db, organisation: Organisation, provider: Provider, actor: Actor) {
    this.#db = db;
    this.#organisation = organisation;
    this.#provider = provider;
    this.#actor = actor;
    this.#stampMs = Math.max(actor.nowMs, latestUpdate(db, organisation.id));
  }

  write(batch: Batch, readings: readonly RowReading[]): PushOutcome {
    this.#findKnown(readings);
    const results = readings.map((reading, index): PushResult => {
      const value = batch.rows[index];
      if (reading.row === undefined) {
        const externalId = shownExternalId(value);
        return { index, externalId, status: 'rejected', errors: reading.errors };
      }
      return this.#writeRow(index, value, reading);
    });
    const meta = countResults(results, batch.dryRun);
    const { received, created, updated, rejected, needsReview } = meta;
    recordAudit(this.#db, this.#organisation.id, this.#actor, {
      action: 'transactions.pushed',
      subject: null,
      details: { provider: this.#provider, received, created, updated, rejected, needsReview },
    });
    return { results: batch.dryRun ? results.map((each) => this.#hideNew(each)) : results, meta };
  }

  #findKnown(readings: readonly RowReading[]): void {
    const externalIds: string[] = [];
    for (const { row } of readings) if (row !== undefined) externalIds.push(row.externalId);
    const wanted = JSON.stringify(externalIds);
    for (const record of selectKnown(this.#db).all(wanted, this.#organisation.id, this.#provider)) {
      this.#known.set(record.external_id, toKnown(record));
    }
  }

  #writeRow(
    index: number,
    value: unknown,
    reading: { row: ValidRow; warnings: RowWarning[] },
  ): PushResult {
    const { row } = reading;
    const rawData = JSON.stringify(value);
    const known = this.#known.get(row.externalId);
    // A change moves updatedAt, within one millisecond or under a clock that went back, too.
    const stampMs = Math.max(this.#stampMs, known === undefined ? 0 : known.updatedAtMs + 1);
    const decision = known && decideUpdate(known, row, stampMs);
    const review = decision?.review ?? null;
    const id =
      known === undefined || decision === undefined
        ? this.#insert(row, rawData)
        : this.#update(known, { ...decision, stampMs }, row, rawData);
    this.#known.set(row.externalId, {
      ...row,
      id,
      rawData,
      review,
      updatedAtMs: known && decision?.changed.length === 0 ? known.updatedAtMs : stampMs,
      excluded: known?.excluded ?? false,
      allocatedMinor: known?.allocatedMinor ?? 0,
      isNew: known?.isNew ?? true,
      inBatch: true,
    });
    return {
      index,
      externalId: row.externalId,
      status: known === undefined ? 'created' : 'updated',
      id: formatId('txn', id),
      needsReview: review !== null,
      changed: decision?.changed ?? [],
      warnings: known?.inBatch ? withDuplicateWarning(reading.warnings) : reading.warnings,
    };
  }

  #insert(row: ValidRow, rawData: string): number {
    const { lastInsertRowid } = insertTransaction(this.#db).run(
      this.#organisation.id,
      this.#provider,
      row.externalId,
      row.date,
      row.description,
      row.contact,
      row.accountCode,
      row.amountMinor,
      this.#stampMs,
      this.#stampMs,
      rawData,
    );
    return Number(lastInsertRowid);
  }

  #update(
    known: KnownTransaction,
    decision: UpdateDecision & { readonly stampMs: number },
    row: ValidRow,
    rawData: string,
  ): number {
    if (decision.changed.length === 0) {
      if (known.rawData !== rawData) updateRawData(this.#db).run(rawData, known.id);
      return known.id;
    }
    const { review } = decision;
    updateTransaction(this.#db).run({
      id: known.id,
      date: row.date,
      description: row.description,
      contact: row.contact,
      account_code: row.accountCode,
      amount_minor: row.amountMinor,
      status: statusOf({ ...known, review, amountMinor: row.amountMinor }),
      review_previous_minor: review?.previousMinor ?? null,
      review_changed_at: review?.changedAtMs ?? null,
      updated_at: decision.stampMs,
      raw_data: rawData,
    });
    return known.id;
  }

  #hideNew(result: PushResult): PushResult {
    if (result.status === 'rejected' || !this.#known.get(result.externalId)?.isNew) return result;
    return { ...result, id: null };
  }
}

// The cross join makes SQLite walk the batch and seek each row, whatever it believes of the sizes.
const selectKnown = statement<
  [wanted: string, organisationId: number, provider: string],
  KnownRecord
>(
  `select t.id, t.external_id, t.date, t.description, t.contact, t.account_code, t.amount_minor,
          t.allocated_minor, t.review_previous_minor, t.review_changed_at,
          t.updated_at, t.excluded_at is not null as excluded, t.raw_data
     from json_each(?) j cross join transactions t
       on t.organisation_id = ? and t.provider = ? and t.external_id = j.value`,
);

const insertTransaction = statement<
  [
    number,
    string,
    string,
    string,
    string,
    string | null,
    string | null,
    number,
    number,
    number,
    string,
  ]
>(
  `insert into transactions
     (organisation_id, provider, external_id, date, description, contact, account_code,
      amount_minor, status, allocated_minor, created_at, updated_at, raw_data)
   values (?, ?, ?, ?, ?, ?, ?, ?, 'unallocated', 0, ?, ?, ?)`,
);

const updateTransaction = statement<[SqlRecord]>(
  `update transactions
      set date = @date, description = @description, contact = @contact,
          account_code = @account_code, amount_minor = @amount_minor, status = @status,
          review_previous_minor = @review_previous_minor, review_changed_at = @review_changed_at,
          updated_at = @updated_at, raw_data = @raw_data
    where id = @id`,
);

const updateRawData = statement<[string, number]>(
  'update transactions set raw_data = ? where id = ?',
);

interface KnownRecord {
  id: number;
  external_id: string;
  date: string;
  description: string;
  contact: string | null;
  account_code: string | null;
  amount_minor: number;
  allocated_minor: number;
  review_previous_minor: number | null;
  review_changed_at: number | null;
  updated_at: number;
  excluded: 0 | 1;
  raw_data: string | null;
}

function toKnown(record: KnownRecord): KnownTransaction {
  return {
    id: record.id,
    date: record.date,
    description: record.description,
    contact: record.contact,
    accountCode: record.account_code,
    amountMinor: record.amount_minor,
    allocatedMinor: record.allocated_minor,
    review: toReview(record),
    excluded: record.excluded === 1,
    rawData: record.raw_data,
    updatedAtMs: record.updated_at,
    isNew: false,
    inBatch: false,
  };
}

function withDuplicateWarning(warnings: readonly RowWarning[]): RowWarning[] {
  const message = 'An earlier row of this batch has the same externalId; this one came after it.';
  const duplicate: RowWarning = { field: 'externalId', code: 'duplicate_in_batch', message };
  return [duplicate, ...warnings].slice(0, ROW_WARNINGS);
}

function countResults(results: readonly PushResult[], dryRun: boolean): PushMeta {
  const meta = { received: results.length, created: 0, updated: 0, rejected: 0, needsReview: 0 };
  for (const result of results) {
    meta[result.status] += 1;
    if (result.status !== 'rejected' && result.needsReview) meta.needsReview += 1;
  }
  return { ...meta, dryRun };
}
