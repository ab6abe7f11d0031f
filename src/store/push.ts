/**
 * Stores a batch of rows: validates them all, then finds, decides and writes in one atomic step
 * (Spec 4.6, contract 6). Both `push` and `import` end here.
 */

import type { Act, Actor, AuditChange } from '../core/audit.ts';
import type { Currency } from '../core/currencies.ts';
import { formatId, type OrgId, readId } from '../core/ids.ts';
import { keyState } from '../core/keys.ts';
import {
  decideUpdate,
  type PushMeta,
  type PushResult,
  type RowWarning,
  readRow,
  shownExternalId,
  withWarning,
} from '../core/push.ts';
import { countResults } from '../core/push-counts.ts';
import { rawDataOf } from '../core/raw-data.ts';
import { type Coding, decideRecoded, type LinePlace } from '../core/recoded.ts';
import { type ChangeableField, isSameRow, type ValidRow } from '../core/row-members.ts';
import { type Coded, type Provider, statusOf } from '../core/transactions.ts';
import { atomically } from '../database/database.ts';
import { statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { KnownClaims } from './account-codes.ts';
import { beginAct, recordAudit } from './audit.ts';
import { findKeyByNumber } from './keys.ts';
import { findMet, type KnownTransaction, NewRows, NO_CHANGE, writeChanges } from './push-rows.ts';

/** One batch, from `push` or `import`. */
interface Batch {
  readonly rows: readonly unknown[];
  readonly provider: Provider;
  /** Whether to roll back at the end: the same answer, but nothing is written. */
  readonly dryRun: boolean;
  /** The name of the file that it is from, for the log. */
  readonly file?: string | undefined;
}

/** One result per row, in order, and the counts. */
export interface PushOutcome {
  readonly results: PushResult[];
  readonly meta: PushMeta;
}

/** A row of a batch that can be stored, and its raw data. */
interface ValidReading {
  readonly row: ValidRow;
  readonly rawData: string;
  readonly warnings: RowWarning[];
}

/** A row of a batch: what to store, or the result that rejects it. */
type Reading = ValidReading | Extract<PushResult, { status: 'rejected' }>;

/** What became of a row. */
interface TakenRow extends Pick<ReturnType<typeof decideRecoded>, 'field'> {
  readonly transaction: KnownTransaction;
  readonly changed: ChangeableField[];
}

/**
 * Stores every valid row of a batch, or none if storing fails. Returns a result for each row, in
 * their order, rejected ones included. Throws what SQLite throws.
 */
export function storeBatch(access: Access, batch: Batch, actor: Actor): PushOutcome {
  const { currency } = access.organisation;
  const readings = Array.from(batch.rows, (value, index) => read(value, index, currency));
  let outcome: PushOutcome | undefined;
  try {
    const write = () => {
      outcome = new BatchWriter(access, batch, beginAct(access, actor)).write(readings);
      if (batch.dryRun) throw new RollBack();
    };
    atomically(access, write, { changesKeys: false });
  } catch (error) {
    if (!(error instanceof RollBack)) throw error;
  }
  if (outcome === undefined) throw new Error('a batch ended without an outcome');
  return outcome;
}

function read(value: unknown, index: number, currency: Currency): Reading {
  const reading = readRow(value, currency);
  if (reading.row === undefined) {
    const externalId = shownExternalId(value);
    return { index, externalId, status: 'rejected', errors: reading.errors };
  }
  const { row, sent, warnings } = reading;
  return { row, rawData: rawDataOf(sent, row, currency.places), warnings };
}

/** Thrown to roll back a dry run. */
class RollBack extends Error {}

/**
 * Finds where a transaction is and where it belongs, which decides its mark, for the transactions
 * of one batch, in which no project changes.
 */
function codingFinder(access: Access): (transactionId: number, coded: Coded) => Coding {
  const { db, organisation } = access;
  let known: KnownClaims | undefined;
  return (transactionId, coded) => {
    if (known === undefined) {
      known = new KnownClaims();
      known.refresh(access);
    }
    const { kind, budgetLineIds } = known.claimOf(access, coded);
    return {
      places: selectPlaces(db).all(organisation.id, transactionId),
      budgetLineId: kind === 'claimed' ? budgetLineIds[0] : undefined,
      projectIds: known.ownersOf(coded.projectCode),
    };
  };
}

const selectPlaces = statement<[OrgId, number], LinePlace>`
  select a.budget_line_id as budgetLineId, a.project_id as projectId,
          p.start_date as startDate, p.end_date as endDate
     from allocations a cross join projects p on p.id = a.project_id
    where a.organisation_id = ? and a.transaction_id = ?`;

/** Writes the rows of one batch, inside its atomic step. */
class BatchWriter {
  readonly #access: Access;
  readonly #batch: Batch;
  readonly #act: Act;
  #met: ReturnType<typeof findMet> = { known: new Map(), elsewhere: new Map() };
  /** The externalIds of the rows so far. */
  #seen = new Set<string>();
  readonly #codingOf: ReturnType<typeof codingFinder>;
  /** The key that pushes; null if no key does. */
  readonly #keyId: number | null;
  readonly #created: NewRows;
  /** Whether each other key that was met is live: looking it up for each row took time. */
  readonly #liveKeys = new Map<number, boolean>();

  constructor(access: Access, batch: Batch, act: Act) {
    this.#access = access;
    this.#batch = batch;
    this.#act = act;
    this.#keyId = readId('key', act.name) ?? null;
    this.#codingOf = codingFinder(access);
    this.#created = new NewRows(access, batch.provider, act.stampMs, this.#keyId);
  }

  write(readings: readonly Reading[]): PushOutcome {
    const externalIds: string[] = [];
    for (const each of readings) if ('row' in each) externalIds.push(each.row.externalId);
    this.#met = findMet(this.#access, this.#batch.provider, externalIds);
    const results = readings.map((each, index) => {
      return 'row' in each ? this.#takeRow(index, each) : each;
    });
    const changes = writeChanges(this.#access, this.#met.known, this.#act.stampMs);
    const meta = countResults(results, this.#batch.dryRun);
    this.#record(meta, changes);
    return { results, meta };
  }

  #record({ dryRun: _, ...counts }: PushMeta, changes: readonly AuditChange[]): void {
    // One batch numbers its new records without gaps.
    const { first, last } = this.#created;
    const created = [formatId('txn', first), formatId('txn', last)] as const;
    recordAudit(this.#access, this.#act, {
      action: 'transactions.pushed',
      subject: null,
      details: {
        provider: this.#batch.provider,
        file: this.#batch.file,
        ...counts,
        createdIds: first === 0 ? [] : [created],
        changes,
      },
    });
  }

  #takeRow(index: number, reading: ValidReading): PushResult {
    const { externalId } = reading.row;
    const known = this.#met.known.get(externalId);
    const { transaction, changed, field } =
      known === undefined ? this.#create(reading) : this.#change(known, reading);
    const keyId = changed.length > 0 ? known?.keyId : undefined;
    const warnings = this.#warningsOf(reading, known === undefined, keyId ?? null);
    const { id, isNew, review } = transaction;
    return {
      index,
      externalId,
      status: known === undefined ? 'created' : 'updated',
      id: isNew && this.#batch.dryRun ? null : formatId('txn', id),
      needsReview: review !== null,
      changed,
      warnings: field === undefined ? warnings : withWarning('recoded', warnings, field),
    };
  }

  /**
   * The warnings that need the batch or the database, then those of the row itself; `keyId` is the
   * key whose transaction the row has changed, if any.
   */
  #warningsOf(reading: ValidReading, isNew: boolean, keyId: number | null): RowWarning[] {
    const { externalId } = reading.row;
    const warnings = this.#isOtherKey(keyId)
      ? withWarning('other_key', reading.warnings)
      : reading.warnings;
    if (this.#seen.has(externalId)) return withWarning('duplicate_in_batch', warnings);
    this.#seen.add(externalId);
    // Switching between files and a push would book every transaction twice without a warning.
    const other = isNew ? this.#met.elsewhere.get(externalId) : undefined;
    return other === undefined ? warnings : withWarning('other_provider', warnings, other);
  }

  /** Whether it is another key that still pushes, so that two systems may use the same ids. */
  #isOtherKey(keyId: number | null): boolean {
    if (keyId === null || this.#keyId === null || keyId === this.#keyId) return false;
    const known = this.#liveKeys.get(keyId);
    if (known !== undefined) return known;
    const key = findKeyByNumber(this.#access, keyId);
    const isLive = key !== undefined && keyState(key, this.#act.stampMs) === 'live';
    this.#liveKeys.set(keyId, isLive);
    return isLive;
  }

  #create({ row, rawData }: ValidReading): TakenRow {
    const transaction: KnownTransaction = {
      id: this.#created.insert(row, rawData),
      row,
      allocatedMinor: 0,
      review: null,
      recoded: null,
      status: 'unallocated',
      rawData,
      updatedAtMs: this.#act.stampMs,
      keyId: this.#keyId,
      isNew: true,
      before: null,
      changed: NO_CHANGE,
    };
    this.#met.known.set(row.externalId, transaction);
    return { transaction, changed: [] };
  }

  #change(known: KnownTransaction, { row, rawData }: ValidReading): TakenRow {
    if (rawData === known.rawData && isSameRow(known.row, row)) {
      return { transaction: known, changed: [] };
    }
    const { id, allocatedMinor } = known;
    const { amountMinor } = row;
    const { stampMs } = this.#act;
    const { changed, review } = decideUpdate(known, row, stampMs);
    const isChange = changed.length > 0;
    const excluded = known.status === 'excluded';
    const { recoded, field }: ReturnType<typeof decideRecoded> =
      allocatedMinor === 0
        ? { recoded: null }
        : decideRecoded(known, row, stampMs, () => this.#codingOf(id, row));
    const transaction: KnownTransaction = {
      id,
      row,
      allocatedMinor,
      review,
      recoded,
      status: statusOf({ excluded, review, amountMinor, allocatedMinor }),
      rawData,
      updatedAtMs: isChange ? stampMs : known.updatedAtMs,
      keyId: isChange ? this.#keyId : known.keyId,
      isNew: known.isNew,
      before: known.before ?? known,
      changed: known.changed.length === 0 ? changed : [...new Set([...known.changed, ...changed])],
    };
    this.#met.known.set(row.externalId, transaction);
    return { transaction, changed, field };
  }
}
