/** What each write adds to the hash of a transaction (core/row-hash). */

import type { OrgId } from '../core/ids.ts';
import { writeRecoded } from '../core/recoded.ts';
import { addHash, HASH_MASK, hashChange, valueHash } from '../core/row-hash.ts';
import { STORED_MEMBERS, type ValidRow } from '../core/row-members.ts';
import type { Provider, Recoded } from '../core/transactions.ts';
import { statement } from '../database/statements.ts';
import type { KnownTransaction } from './push-known.ts';
import type { TransactionRecord } from './transactions.ts';

/** For an update: adds a change, the value of this parameter, to the hash. */
export function changeHash(parameter: '?' | '@change'): string {
  return `row_hash = (row_hash + ${parameter}) & ${HASH_MASK}`;
}

/** What all the new transactions of a batch have in common. */
export function newHash(
  orgId: OrgId,
  provider: Provider,
  stampMs: number,
  keyId: number | null,
): number {
  return [
    valueHash('organisation_id', orgId),
    valueHash('provider', provider),
    valueHash('key_id', keyId),
    valueHash('status', 'unallocated'),
    valueHash('allocated_minor', 0),
    valueHash('created_at', stampMs),
    valueHash('updated_at', stampMs),
  ].reduce(addHash);
}

/** The hash of a new transaction; `common` comes from {@link newHash}. */
export function createdHash(common: number, id: number, row: ValidRow, rawData: string): number {
  let sum = addHash(addHash(common, valueHash('id', id)), valueHash('raw_data', rawData));
  for (const { name, column } of STORED_MEMBERS) sum = addHash(sum, valueHash(column, row[name]));
  return sum;
}

/** What a push that changes a transaction adds to its hash, with the review that it begins. */
export function pushedChange(before: KnownTransaction, after: KnownTransaction): number {
  let sum = hashChange('raw_data', before.rawData, after.rawData);
  for (const { name, column } of STORED_MEMBERS) {
    sum = addHash(sum, hashChange(column, before.row[name], after.row[name]));
  }
  sum = addHash(sum, hashChange('updated_at', before.updatedAtMs, after.updatedAtMs));
  sum = addHash(sum, hashChange('key_id', before.keyId, after.keyId));
  sum = addHash(sum, recodedChange(before.recoded, after.recoded));
  if (before.review !== null || after.review === null) return sum;
  sum = addHash(sum, hashChange('status', before.status, after.status));
  sum = addHash(sum, valueHash('review_previous_minor', after.review.previousMinor));
  return addHash(sum, valueHash('review_changed_at', after.review.changedAtMs));
}

function recodedChange(before: Recoded | null, after: Recoded | null): number {
  if (before === after) return 0;
  return hashChange('recoded', before && writeRecoded(before), after && writeRecoded(after));
}

/** Who excluded a transaction, when and why. */
export interface Exclusion {
  readonly at: number;
  readonly by: string;
  readonly reason: string;
}

/** What an act changes in a transaction. */
type Worked = Pick<
  TransactionRecord,
  'allocatedMinor' | 'status' | 'review' | 'recoded' | 'updatedAtMs'
>;

/** What an act adds to the hash of a transaction; `was` is its exclusion until then. */
export function actChange(
  before: Worked,
  was: Exclusion | null,
  after: Worked & { readonly exclusion: Exclusion | null },
): number {
  let sum = hashChange('allocated_minor', before.allocatedMinor, after.allocatedMinor);
  sum = addHash(sum, hashChange('status', before.status, after.status));
  sum = addHash(sum, hashChange('updated_at', before.updatedAtMs, after.updatedAtMs));
  sum = addHash(sum, recodedChange(before.recoded, after.recoded));
  const [from, to] = [before.review, after.review];
  if (from !== null || to !== null) {
    const [previous, changed] = ['review_previous_minor', 'review_changed_at'] as const;
    sum = addHash(sum, hashChange(previous, from?.previousMinor, to?.previousMinor));
    sum = addHash(sum, hashChange(changed, from?.changedAtMs, to?.changedAtMs));
  }
  const is = after.exclusion;
  if (was === null && is === null) return sum;
  sum = addHash(sum, hashChange('excluded_at', was?.at, is?.at));
  sum = addHash(sum, hashChange('excluded_by', was?.by, is?.by));
  return addHash(sum, hashChange('excluded_reason', was?.reason, is?.reason));
}

/** The number of the newest transaction. */
export const selectLastId = statement<[], number | null>('select max(id) from transactions');
