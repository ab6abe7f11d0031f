/**
 * Stores a batch of rows: validates them all, then finds, decides and writes in one atomic step
 * (Spec 4.6, contract 6). Both `push` and `import` end here.
 */

import {
  type Act,
  type Actor,
  type AuditChange,
  type AuditState,
  changeOf,
} from '../core/audit.ts';
import { formatId } from '../core/ids.ts';
import type { Organisation } from '../core/organisations.ts';
import {
  decideUpdate,
  type PushMeta,
  type PushResult,
  type ReadRow,
  type RowReading,
  type RowWarning,
  readRow,
  type StoredRow,
  shownExternalId,
  type ValidRow,
  withDuplicate,
  withOtherProvider,
} from '../core/push.ts';
import { countResults } from '../core/push-counts.ts';
import { rawDataOf } from '../core/raw-data.ts';
import { PROVIDERS, type Provider, type Status, statusOf } from '../core/transactions.ts';
import { beginAct, recordAudit, reviewState } from './audit.ts';
import { atomically, type Db } from './database.ts';
import { namedColumns, runAssembled, type SqlValue, statement } from './statements.ts';
import { toReview } from './transactions.ts';

/** One batch, from `push` or `import`. */
export interface Batch {
  readonly rows: readonly unknown[];
  readonly provider: Provider;
  /** Whether to roll back at the end: the same answer, but nothing is written. */
  readonly dryRun: boolean;
}

/** One result per row, in order, and the counts. */
export interface PushOutcome {
  readonly results: PushResult[];
  readonly meta: PushMeta;
}

/** A stored transaction while a batch is written. */
interface KnownTransaction extends StoredRow {
  readonly id: number;
  readonly status: Status;
  readonly excluded: boolean;
  readonly rawData: string | null;
  readonly updatedAtMs: number;
  /** Whether this batch created it: then a dry run must not return its id. */
  readonly isNew: boolean;
  readonly inBatch: boolean;
  /** Its state before this batch, if the batch has changed it. */
  readonly before: KnownTransaction | null;
}

/** Stores every valid row of a batch, or none if storing fails. Throws what SQLite throws. */
export function pushTransactions(
  db: Db,
  organisation: Organisation,
  batch: Batch,
  actor: Actor,
): PushOutcome {
  const { places } = organisation.currency;
  const readings = Array.from(batch.rows, (row) => readRow(row, places));
  let outcome: PushOutcome | undefined;
  try {
    atomically(db, () => {
      const act = beginAct(db, organisation.id, actor);
      const writer = new BatchWriter(db, organisation, batch.provider, act);
      outcome = writer.write(batch, readings);
      if (batch.dryRun) throw new RollBack();
    });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
  if (outcome === undefined) throw new Error('a batch ended without an outcome');
  return outcome;
}

/** Thrown to roll back a dry run. */
class RollBack extends Error {}

/** Writes the rows of one batch, inside its atomic step. */
class BatchWriter {
  readonly #db: Db;
  readonly #organisation: Organisation;
  readonly #provider: Provider;
  readonly #act: Act;
  #known = new Map<string, KnownTransaction>();
  /** The other provider that already has an externalId which this batch creates. */
  #elsewhere = new Map<string, Provider>();
  #firstCreated = 0;
  #lastCreated = 0;

  constructor(db: Db, organisation: Organisation, provider: Provider, act: Act) {
    this.#db = db;
    this.#organisation = organisation;
    this.#provider = provider;
    this.#act = act;
  }

  write(batch: Batch, readings: readonly RowReading[]): PushOutcome {
    this.#findKnown(readings);
    const results = readings.map((reading, index): PushResult => {
      if (reading.row === undefined) {
        const externalId = shownExternalId(batch.rows[index]);
        return { index, externalId, status: 'rejected', errors: reading.errors };
      }
      return this.#writeRow(index, reading);
    });
    const meta = countResults(results, batch.dryRun);
    this.#record(meta);
    return { results: batch.dryRun ? results.map((each) => this.#hideNew(each)) : results, meta };
  }

  #record({ dryRun: _, ...counts }: PushMeta): void {
    // One batch numbers its new records without gaps.
    const first = formatId('txn', this.#firstCreated);
    const last = formatId('txn', this.#lastCreated);
    recordAudit(this.#db, this.#organisation.id, this.#act, {
      action: 'transactions.pushed',
      subject: null,
      details: {
        provider: this.#provider,
        ...counts,
        createdIds: this.#firstCreated === 0 ? [] : [[first, last]],
        changes: this.#listChanges(),
      },
    });
  }

  #listChanges(): AuditChange[] {
    const changes: AuditChange[] = [];
    for (const after of this.#known.values()) {
      const { id, before } = after;
      if (before === null) continue;
      const { updatedAtMs } = before;
      changes.push(changeOf(formatId('txn', id), stateOf(before), stateOf(after), updatedAtMs));
    }
    return changes;
  }

  #findKnown(readings: readonly RowReading[]): void {
    const externalIds: string[] = [];
    for (const { row } of readings) if (row !== undefined) externalIds.push(row.externalId);
    const wanted = JSON.stringify(externalIds);
    const select = selectKnown(this.#db).raw();
    for (const record of select.all(wanted, this.#organisation.id, this.#provider)) {
      this.#known.set(KNOWN.read(record, 'externalId'), toKnown(record));
    }
    this.#findElsewhere(externalIds.filter((externalId) => !this.#known.has(externalId)));
  }

  /** Switching between files and a push would book every transaction twice without a warning. */
  #findElsewhere(externalIds: readonly string[]): void {
    if (externalIds.length === 0) return;
    const wanted = JSON.stringify(externalIds);
    for (const provider of PROVIDERS) {
      if (provider === this.#provider) continue;
      // Most organisations have one provider, so this check usually ends here.
      if (selectAny(this.#db).get(this.#organisation.id, provider) === undefined) continue;
      const found = selectElsewhere(this.#db).raw();
      for (const [externalId] of found.all(wanted, this.#organisation.id, provider)) {
        this.#elsewhere.set(externalId, provider);
      }
    }
  }

  #writeRow(index: number, { row, sent, warnings }: ReadRow): PushResult {
    const rawData = rawDataOf(sent, row, this.#organisation.currency.places);
    const known = this.#known.get(row.externalId);
    const { stampMs } = this.#act;
    const { amountMinor } = row;
    const decision = known && decideUpdate(known, row, stampMs);
    const review = decision?.review ?? null;
    const isChange = known !== undefined && decision?.changed.length !== 0;
    const allocatedMinor = known?.allocatedMinor ?? 0;
    const excluded = known?.excluded ?? false;
    const status = statusOf({ excluded, review, amountMinor, allocatedMinor });
    // Spreading the row here took half the time of a batch.
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
      updatedAtMs: known === undefined || isChange ? stampMs : known.updatedAtMs,
      before: known?.before ?? (isChange && !known.isNew ? known : null),
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
      warnings: this.#warningsOf(row.externalId, known, warnings),
    };
  }

  /** The warnings that need the batch or the database, then those of the row itself. */
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
      this.#act.stampMs,
      this.#act.stampMs,
      rawData,
    ]);
    this.#lastCreated = Number(lastInsertRowid);
    this.#firstCreated ||= this.#lastCreated;
    return this.#lastCreated;
  }

  /** Sets only the columns that differ: SQLite rewrites every index of a column that is set. */
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

/** What a batch reads of each transaction that it already knows. */
interface Known {
  readonly id: number;
  readonly externalId: string;
  readonly date: string;
  readonly description: string;
  readonly contact: string | null;
  readonly accountCode: string | null;
  readonly amountMinor: number;
  readonly allocatedMinor: number;
  readonly reviewPreviousMinor: number | null;
  readonly reviewChangedAtMs: number | null;
  readonly updatedAtMs: number;
  readonly status: Status;
  readonly excluded: 0 | 1;
  readonly rawData: string | null;
}

const KNOWN = namedColumns<Known>({
  id: 't.id',
  externalId: 't.external_id',
  date: 't.date',
  description: 't.description',
  contact: 't.contact',
  accountCode: 't.account_code',
  amountMinor: 't.amount_minor',
  allocatedMinor: 't.allocated_minor',
  reviewPreviousMinor: 't.review_previous_minor',
  reviewChangedAtMs: 't.review_changed_at',
  updatedAtMs: 't.updated_at',
  status: 't.status',
  excluded: 't.excluded_at is not null',
  rawData: 't.raw_data',
});

// The cross join makes SQLite seek each row of the batch, whatever table sizes it assumes.
const selectKnown = statement<
  [wanted: string, organisationId: number, provider: string],
  readonly unknown[]
>(
  `select ${KNOWN.text}
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

/** The columns that an update can change, and their values. */
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

/** The fields of a transaction that the audit log compares. */
function stateOf(transaction: KnownTransaction): AuditState {
  const { date, description, contact, accountCode, amountMinor, status, review } = transaction;
  return {
    date,
    description,
    contact,
    accountCode,
    amountMinor,
    status,
    review: reviewState(review),
  };
}

function toKnown(record: readonly unknown[]): KnownTransaction {
  const of = <Name extends keyof Known>(name: Name) => KNOWN.read(record, name);
  return {
    id: of('id'),
    date: of('date'),
    description: of('description'),
    contact: of('contact'),
    accountCode: of('accountCode'),
    amountMinor: of('amountMinor'),
    allocatedMinor: of('allocatedMinor'),
    review: toReview(of('reviewPreviousMinor'), of('reviewChangedAtMs')),
    status: of('status'),
    excluded: of('excluded') === 1,
    rawData: of('rawData'),
    updatedAtMs: of('updatedAtMs'),
    isNew: false,
    inBatch: false,
    before: null,
  };
}
