/**
 * All transactions and allocations of an organisation for an export: record by record, so that it
 * takes the same memory however many there are. Read them on one snapshot. Not `statement`s,
 * because they read whole tables on purpose.
 */

import type { OrgId } from '../core/ids.ts';
import { namedColumns } from '../database/statements.ts';
import type { Access } from './access.ts';
import type { Exclusion } from './acts.ts';
import type { AllocationRecord } from './allocations.ts';
import type { Found } from './pages.ts';
import { TRANSACTION_COLUMNS, type TransactionRecord, toTransaction } from './transactions.ts';

/** A transaction with all that is stored about it. */
interface WholeTransaction extends TransactionRecord {
  readonly exclusion: Exclusion | null;
  /** The last accepted row; see core/raw-data. */
  readonly rawData: string | null;
  readonly allocations: readonly AllocationRecord[];
}

/** Every transaction with its allocations, in the order in which they were created. */
export function* walkTransactions({ db, organisation }: Access): Generator<WholeTransaction> {
  const shares = db.prepare<[OrgId], FoundShare>(SHARES).iterate(organisation.id);
  try {
    let share = shares.next();
    const select = db.prepare<[OrgId], Found>(TRANSACTIONS).raw();
    for (const found of select.iterate(organisation.id)) {
      const transaction = toTransaction(found);
      const { rawData, atMs, by, reason } = WHOLE.toObject(found);
      const exclusion = atMs === null ? null : { atMs, by, reason };
      const { id: transactionId, provider, externalId, date, description, contact } = transaction;
      const shown = { transactionId, provider, externalId, date, description, contact };
      const allocations: AllocationRecord[] = [];
      while (share.done !== true && share.value.transactionId === transactionId) {
        allocations.push({ ...share.value, ...shown });
        share = shares.next();
      }
      yield { ...transaction, rawData, exclusion, allocations };
    }
  } finally {
    shares.return?.();
  }
}

/** What a transaction has besides. */
const WHOLE = namedColumns<{
  rawData: string | null;
  atMs: number | null;
  by: string;
  reason: string;
}>(
  {
    rawData: 't.raw_data',
    atMs: 't.excluded_at',
    by: 't.excluded_by',
    reason: 't.excluded_reason',
  },
  2 + TRANSACTION_COLUMNS.count,
);
const TRANSACTIONS = `select t.newest_first, t.id, ${TRANSACTION_COLUMNS.text}, ${WHOLE.text}
  from transactions t where t.organisation_id = ? order by t.id`;

type FoundShare = Omit<AllocationRecord, keyof Omit<Shown, 'transactionId'>>;
type Shown = Pick<
  AllocationRecord,
  'transactionId' | 'provider' | 'externalId' | 'date' | 'description' | 'contact'
>;

/** In the order of an index, so that nothing is sorted. */
const SHARES = `select a.id, a.project_id as projectId, a.budget_line_id as budgetLineId,
    l.code as lineCode, l.name as lineName, a.transaction_id as transactionId,
    a.amount_minor as amountMinor, a.note, a.rule,
    a.created_at as createdAtMs, a.updated_at as updatedAtMs
  from allocations a indexed by allocations_by_transaction
  cross join budget_lines l on l.id = a.budget_line_id
 where a.organisation_id = ? order by a.transaction_id, a.newest_first, a.id`;
