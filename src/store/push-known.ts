/**
 * Finds what a batch meets: the transactions that its rows name, and those of other providers.
 */

import type { OrgId } from '../core/ids.ts';
import type { StoredRow, ValidRow } from '../core/push.ts';
import { PROVIDERS, type Provider, type Status } from '../core/transactions.ts';
import type { Db } from './database.ts';
import { namedColumns, statement } from './statements.ts';
import { toReview } from './transactions.ts';

/** A stored transaction while a batch is written. */
export interface KnownTransaction extends StoredRow {
  readonly id: number;
  readonly status: Status;
  readonly rawData: string | null;
  readonly updatedAtMs: number;
  /** Whether this batch created it: then a dry run must not return its id. */
  readonly isNew: boolean;
  /** Its state before this batch, if the batch has changed it. */
  readonly before: KnownTransaction | null;
}

/** What a batch meets, by externalId. */
export interface Met {
  /** The transactions that its rows name. */
  readonly known: Map<string, KnownTransaction>;
  /** The other provider that already has an externalId which the batch creates. */
  readonly elsewhere: ReadonlyMap<string, Provider>;
}

/** Finds what rows with these externalIds meet in a batch of this provider. */
export function findMet(
  db: Db,
  orgId: OrgId,
  provider: Provider,
  externalIds: readonly string[],
): Met {
  const known = new Map<string, KnownTransaction>();
  const wanted = JSON.stringify(externalIds);
  for (const record of selectKnown(db).raw().all(wanted, orgId, provider)) {
    known.set(KNOWN.read(record, 'externalId'), toKnown(record));
  }
  const missing = externalIds.filter((externalId) => !known.has(externalId));
  return { known, elsewhere: findElsewhere(db, orgId, provider, missing) };
}

/** Switching between files and a push would book every transaction twice without a warning. */
function findElsewhere(
  db: Db,
  orgId: OrgId,
  provider: Provider,
  externalIds: readonly string[],
): Map<string, Provider> {
  const elsewhere = new Map<string, Provider>();
  if (externalIds.length === 0) return elsewhere;
  const wanted = JSON.stringify(externalIds);
  for (const other of PROVIDERS) {
    // Most organisations have one provider, so this check usually ends here.
    if (other === provider || selectAny(db).get(orgId, other) === undefined) continue;
    for (const [externalId] of selectElsewhere(db).raw().all(wanted, orgId, other)) {
      elsewhere.set(externalId, other);
    }
  }
  return elsewhere;
}

/** What is read of each transaction that a batch names. */
interface Known extends ValidRow {
  readonly id: number;
  readonly allocatedMinor: number;
  readonly reviewPreviousMinor: number | null;
  readonly reviewChangedAtMs: number | null;
  readonly status: Status;
  readonly updatedAtMs: number;
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
  status: 't.status',
  updatedAtMs: 't.updated_at',
  rawData: 't.raw_data',
});

type Wanted = [wanted: string, orgId: OrgId, provider: Provider];

// The cross join makes SQLite seek each row of the batch, whatever table sizes it assumes.
const OF_BATCH = `from json_each(?) j cross join transactions t
  on t.organisation_id = ? and t.provider = ? and t.external_id = j.value`;

const selectKnown = statement<Wanted, readonly unknown[]>(`select ${KNOWN.text} ${OF_BATCH}`);

const selectElsewhere = statement<Wanted, [externalId: string]>(`select t.external_id ${OF_BATCH}`);

const selectAny = statement<[orgId: OrgId, provider: Provider]>(
  'select 1 from transactions where organisation_id = ? and provider = ? limit 1',
);

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
    rawData: of('rawData'),
    updatedAtMs: of('updatedAtMs'),
    isNew: false,
    before: null,
  };
}
