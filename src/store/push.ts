/**
 * Storing a batch of rows: read them all, then find, decide and write in one atomic step
 * (Spec 4.6, contract 6). The doors `push` and `import` both end here.
 */

import type { Actor } from '../core/audit.ts';
import { formatId } from '../core/ids.ts';
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
  type ValidRow,
  withDuplicate,
  withOtherProvider,
} from '../core/push.ts';
import { PROVIDERS, type Provider, type Status, statusOf } from '../core/transactions.ts';
import { recordAudit } from './audit.ts';
import { atomically, type Db } from './database.ts';
import { runAssembled, type SqlValue, statement } from './statements.ts';
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
  readonly status: Status;
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
  /** Which provider has an externalId that this batch is about to create. */
  #elsewhere = new Map<string, Provider>();
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
    const select = selectKnown(this.#db).raw();
    for (const columns of select.all(wanted, this.#organisation.id, this.#provider)) {
      this.#known.set(columns[1], toKnown(columns));
    }
    this.#findElsewhere(externalIds.filter((externalId) => !this.#known.has(externalId)));
  }

  /** Whoever moves from files to a push, or back, would book everything twice unnoticed. */
  #findElsewhere(externalIds: readonly string[]): void {
    if (externalIds.length === 0) return;
    const wanted = JSON.stringify(externalIds);
    for (const provider of PROVIDERS) {
      if (provider === this.#provider) continue;
      // Most organisations have one provider: then this is the whole cost.
      if (selectAny(this.#db).get(this.#organisation.id, provider) === undefined) continue;
      const found = selectElsewhere(this.#db).raw();
      for (const [externalId] of found.all(wanted, this.#organisation.id, provider)) {
        this.#elsewhere.set(externalId, provider);
      }
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
    const { amountMinor } = row;
    const decision = known && decideUpdate(known, row, stampMs);
    const review = decision?.review ?? null;
    const allocatedMinor = known?.allocatedMinor ?? 0;
    const excluded = known?.excluded ?? false;
    const status = statusOf({ excluded, review, amountMinor, allocatedMinor });
    // Named one by one: to spread the row here took half of a batch's time.
    const next: KnownTransaction = {
      id: known?.id ?? this.#insert(row, rawData),
      date: row.date,
      description: row.description,
      contact: row.contact,
      accountCode: row.accountCode,
      amountMinor,
      allocatedMinor,
      review,
      status,
      excluded,
      rawData,
      updatedAtMs: known && decision?.changed.length === 0 ? known.updatedAtMs : stampMs,
      isNew: known?.isNew ?? true,
      inBatch: true,
    };
    if (known !== undefined) this.#update(known, next);
    this.#known.set(row.externalId, next);
    return {
      index,
      externalId: row.externalId,
      status: known === undefined ? 'created' : 'updated',
      id: formatId('txn', next.id),
      needsReview: review !== null,
      changed: decision?.changed ?? [],
      warnings: this.#warningsOf(row.externalId, known, reading.warnings),
    };
  }

  /** The warnings of the row itself, after what only the batch and the database can show. */
  #warningsOf(
    externalId: string,
    known: KnownTransaction | undefined,
    warnings: RowWarning[],
  ): RowWarning[] {
    const elsewhere = known === undefined ? this.#elsewhere.get(externalId) : undefined;
    if (elsewhere !== undefined) return withOtherProvider(elsewhere, warnings);
    return known?.inBatch ? withDuplicate(warnings) : warnings;
  }

  #insert(row: ValidRow, rawData: string): number {
    const { lastInsertRowid } = insertTransaction(this.#db).run([
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
    ]);
    return Number(lastInsertRowid);
  }

  /** Names only the columns that differ: SQLite writes each index of a named one again. */
  #update(known: KnownTransaction, next: KnownTransaction): void {
    const columns: string[] = [];
    const values: SqlValue[] = [];
    for (const [column, of] of UPDATED_COLUMNS) {
      const value = of(next);
      if (value === of(known)) continue;
      columns.push(`${column} = ?`);
      values.push(value);
    }
    if (columns.length === 0) return;
    const text = `update transactions set ${columns.join(', ')} where id = ?`;
    runAssembled(this.#db, text, [...values, known.id]);
  }

  #hideNew(result: PushResult): PushResult {
    if (result.status === 'rejected' || !this.#known.get(result.externalId)?.isNew) return result;
    return { ...result, id: null };
  }
}

// The cross join makes SQLite walk the batch and seek each row, whatever it believes of the sizes.
const selectKnown = statement<
  [wanted: string, organisationId: number, provider: string],
  KnownColumns
>(
  `select t.id, t.external_id, t.date, t.description, t.contact, t.account_code, t.amount_minor,
          t.allocated_minor, t.review_previous_minor, t.review_changed_at,
          t.updated_at, t.status, t.excluded_at is not null as excluded, t.raw_data
     from json_each(?) j cross join transactions t
       on t.organisation_id = ? and t.provider = ? and t.external_id = j.value`,
);

const selectAny = statement<[organisationId: number, provider: string]>(
  'select 1 from transactions where organisation_id = ? and provider = ? limit 1',
);

const selectElsewhere = statement<
  [wanted: string, organisationId: number, provider: string],
  [externalId: string]
>(
  `select t.external_id from json_each(?) j cross join transactions t
       on t.organisation_id = ? and t.provider = ? and t.external_id = j.value`,
);

const insertTransaction = statement<[readonly SqlValue[]]>(
  `insert into transactions
     (organisation_id, provider, external_id, date, description, contact, account_code,
      amount_minor, status, allocated_minor, created_at, updated_at, raw_data)
   values (?, ?, ?, ?, ?, ?, ?, ?, 'unallocated', 0, ?, ?, ?)`,
);

/** What an update can change, and what there is of it. */
const UPDATED_COLUMNS: readonly [string, (transaction: KnownTransaction) => SqlValue][] = [
  ['date', ({ date }) => date],
  ['description', ({ description }) => description],
  ['contact', ({ contact }) => contact],
  ['account_code', ({ accountCode }) => accountCode],
  ['amount_minor', ({ amountMinor }) => amountMinor],
  ['status', ({ status }) => status],
  ['review_previous_minor', ({ review }) => review?.previousMinor ?? null],
  ['review_changed_at', ({ review }) => review?.changedAtMs ?? null],
  ['updated_at', ({ updatedAtMs }) => updatedAtMs],
  ['raw_data', ({ rawData }) => rawData],
];

/** The columns of selectKnown: plain arrays are made in half the time of objects. */
type KnownColumns = [
  id: number,
  externalId: string,
  date: string,
  description: string,
  contact: string | null,
  accountCode: string | null,
  amountMinor: number,
  allocatedMinor: number,
  reviewPreviousMinor: number | null,
  reviewChangedAt: number | null,
  updatedAt: number,
  status: Status,
  excluded: 0 | 1,
  rawData: string | null,
];

function toKnown(columns: KnownColumns): KnownTransaction {
  return {
    id: columns[0],
    date: columns[2],
    description: columns[3],
    contact: columns[4],
    accountCode: columns[5],
    amountMinor: columns[6],
    allocatedMinor: columns[7],
    review: toReview(columns[8], columns[9]),
    status: columns[11],
    excluded: columns[12] === 1,
    rawData: columns[13],
    updatedAtMs: columns[10],
    isNew: false,
    inBatch: false,
  };
}

function countResults(results: readonly PushResult[], dryRun: boolean): PushMeta {
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
