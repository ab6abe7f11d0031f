/**
 * Finds what a batch meets: the transactions that already have the externalId of one of its rows.
 */

import {
  type AuditChange,
  type AuditValue,
  changeOf,
  recodedState,
  reviewState,
} from '../core/audit.ts';
import { formatId, type OrgId } from '../core/ids.ts';
import type { StoredRow } from '../core/push.ts';
import { readRecoded } from '../core/recoded.ts';
import {
  type ChangeableField,
  type CommonRow,
  nameOf,
  RARE,
  rowOf,
  type ValidRow,
} from '../core/row-members.ts';
import type { Provider, Recoded, Status } from '../core/transactions.ts';
import { namedColumns, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import { ROW_COLUMNS, toReview } from './transactions.ts';

/** A stored transaction while a batch is written. */
export interface KnownTransaction extends StoredRow {
  readonly row: ValidRow;
  readonly id: number;
  readonly recoded: Recoded | null;
  readonly status: Status;
  readonly rawData: string | null;
  readonly updatedAtMs: number;
  /** The key that created or changed it last; null for one that is not known, or without a key. */
  readonly keyId: number | null;
  /** Whether this batch created it: then a dry run must not return its id. */
  readonly isNew: boolean;
  /** What is stored of it, if the batch has changed it since. */
  readonly before: KnownTransaction | null;
  /** The members that it has changed. */
  readonly changed: readonly ChangeableField[];
}

/** What a batch meets, by externalId. */
export interface Met {
  /** The transactions of its provider. */
  readonly known: Map<string, KnownTransaction>;
  /** The last other provider that has a transaction. */
  readonly elsewhere: ReadonlyMap<string, Provider>;
}

/** Finds what rows with these externalIds meet in a batch of this provider. */
export function findMet(
  { db, organisation }: Access,
  provider: Provider,
  externalIds: readonly string[],
): Met {
  const known = new Map<string, KnownTransaction>();
  const elsewhere = new Map<string, Provider>();
  const select = selectKnown(db).raw();
  for (const record of select.all(provider, JSON.stringify(externalIds), organisation.id)) {
    const externalId = ROW.read(record, 'externalId');
    const other = KNOWN.read(record, 'otherProvider');
    if (other === null) known.set(externalId, toKnown(record));
    else elsewhere.set(externalId, other);
  }
  return { known, elsewhere };
}

/** What is read of each transaction that has an externalId of the batch, besides its row. */
interface Known {
  /** Null if it is the provider of the batch. */
  readonly otherProvider: Provider | null;
  readonly id: number;
  readonly allocatedMinor: number;
  /** Its review, its mark and its rare members as JSON: each column costs time for every row. */
  readonly rare: string | null;
  readonly status: Status;
  readonly updatedAtMs: number;
  readonly rawData: string | null;
  readonly keyId: number | null;
}

const RARE_COLUMNS = RARE.map((name) => ROW_COLUMNS[name]).join(', ');
const KNOWN = namedColumns<Known>({
  otherProvider: 'nullif(t.provider, ?)',
  id: 't.id',
  allocatedMinor: 't.allocated_minor',
  rare:
    `iif(coalesce(${RARE_COLUMNS}, t.review_changed_at, t.recoded) is null, null, ` +
    `json_array(${RARE_COLUMNS}, t.review_previous_minor, t.review_changed_at, t.recoded))`,
  status: 't.status',
  updatedAtMs: 't.updated_at',
  rawData: 't.raw_data',
  keyId: 't.key_id',
});
const { reference: _, bankAccount: __, projectCode: ___, ...COMMON_COLUMNS } = ROW_COLUMNS;
const ROW = namedColumns<CommonRow>(COMMON_COLUMNS, KNOWN.count);

// The cross join makes SQLite seek each row of the batch, whatever table sizes it assumes.
const selectKnown = statement<
  [provider: Provider, wanted: string, orgId: OrgId],
  readonly unknown[]
>(
  `select ${KNOWN.text}, ${ROW.text}
     from json_each(?) j cross join transactions t
       on t.organisation_id = ? and t.external_id = j.value`,
);

function toKnown(record: readonly unknown[]): KnownTransaction {
  const of = <Name extends keyof Known>(name: Name) => KNOWN.read(record, name);
  const text = of('rare');
  const rare = text === null ? NOTHING : JSON.parse(text);
  const [previousMinor, changedAtMs, recoded] = text === null ? NOTHING : rare.slice(RARE.length);
  return {
    id: of('id'),
    row: rowOf((name) => ROW.read(record, name), rare),
    allocatedMinor: of('allocatedMinor'),
    review: toReview(previousMinor, changedAtMs),
    recoded: readRecoded(recoded),
    status: of('status'),
    rawData: of('rawData'),
    updatedAtMs: of('updatedAtMs'),
    keyId: of('keyId'),
    isNew: false,
    before: null,
    changed: UNCHANGED,
  };
}

const NOTHING = [null, null, null] as const;
/** One for all: each of its own took time for every row. */
export const UNCHANGED: KnownTransaction['changed'] = [];

/** What the audit log has of a change, from what differs alone: it is written for each row. */
export function logOf(before: KnownTransaction, after: KnownTransaction): AuditChange {
  const old: Record<string, AuditValue> = {};
  const next: Record<string, AuditValue> = {};
  for (const field of after.changed) {
    const name = nameOf(field);
    if (before.row[name] === after.row[name]) continue;
    old[name] = before.row[name];
    next[name] = after.row[name];
  }
  if (before.review !== after.review) {
    old['status'] = before.status;
    next['status'] = after.status;
    old['review'] = reviewState(before.review);
    next['review'] = reviewState(after.review);
  }
  if (before.recoded !== after.recoded) {
    old['recoded'] = recodedState(before.recoded);
    next['recoded'] = recodedState(after.recoded);
  }
  return changeOf(formatId('txn', after.id), old, next, before.updatedAtMs);
}
