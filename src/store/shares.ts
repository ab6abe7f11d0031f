/** The allocations of transactions: reading them, and writing those of an act. */

import type { Act } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import { type SqlRecord, type SqlValue, statement } from '../database/statements.ts';
import type { Access } from './access.ts';
import type { TransactionRecord } from './transactions.ts';

/** One allocation of a transaction: stored if it has a number, otherwise new. */
export interface Share {
  readonly id?: number | undefined;
  readonly budgetLineId: number;
  /** 0 removes a stored allocation. */
  readonly amountMinor: number;
  readonly note: string | null;
  /** What made it, such as `By account code`; null or absent: a person. */
  readonly rule?: string | null | undefined;
}

/** A stored allocation. */
export type StoredShare = Share & { readonly id: number };

/** The allocations of a transaction before an act, and after it. */
interface KeptShares {
  readonly transaction: Pick<TransactionRecord, 'id' | 'date'>;
  readonly shares: readonly StoredShare[];
  readonly kept: readonly Share[];
}

/** All allocations of an act at once: one statement for each of them took half as long again. */
export function saveShares(
  { db, organisation }: Access,
  results: readonly KeptShares[],
  { stampMs }: Act,
): void {
  const rules = new Map<string, number>();
  const removed: number[] = [];
  const changed: SqlValue[][] = [];
  const added: SqlValue[][] = [];
  for (const { transaction, shares, kept } of results) {
    countRules(rules, shares, -1);
    countRules(rules, kept, 1);
    const amounts = new Map(kept.map((share) => [share.id, share.amountMinor]));
    for (const { id, amountMinor } of shares) {
      const after = amounts.get(id);
      if (after === undefined) removed.push(id);
      else if (after !== amountMinor) changed.push([id, after]);
    }
    for (const { id, budgetLineId, amountMinor, note, rule = null } of kept) {
      if (id !== undefined) continue;
      added.push([transaction.id, transaction.date, budgetLineId, amountMinor, note, rule]);
    }
  }
  const values = { orgId: organisation.id, stampMs };
  if (removed.length > 0)
    deleteShares(db).run({ orgId: organisation.id, removed: JSON.stringify(removed) });
  if (changed.length > 0) updateShares(db).run({ ...values, changed: JSON.stringify(changed) });
  if (added.length > 0) insertShares(db).run({ ...values, added: JSON.stringify(added) });
  const counts = [...rules].filter(([, count]) => count !== 0);
  if (counts.length > 0) addTotals(db).run(organisation.id, JSON.stringify(counts));
}

/** Counts a transaction once for each rule that its allocations have. */
function countRules(counts: Map<string, number>, shares: readonly Share[], times: 1 | -1): void {
  for (const [at, { rule = null }] of shares.entries()) {
    if (rule === null || shares.findIndex((share) => share.rule === rule) < at) continue;
    counts.set(rule, (counts.get(rule) ?? 0) + times);
  }
}

/** The allocations of transactions, oldest first, by the number of the transaction. */
export function mapShares(
  { db, organisation }: Access,
  transactions: readonly Pick<TransactionRecord, 'id'>[],
): ReadonlyMap<number, readonly StoredShare[]> {
  const shares = new Map<number, StoredShare[]>(transactions.map(({ id }) => [id, []]));
  if (shares.size === 0) return shares;
  const ids = JSON.stringify([...shares.keys()]);
  for (const { transactionId, ...share } of selectShares(db).all(ids, organisation.id)) {
    shares.get(transactionId)?.push(share);
  }
  return shares;
}

// The plus has SQLite find these by their numbers: there is no index of an organisation's numbers.
const deleteShares = statement<[SqlRecord]>(
  `delete from allocations
    where +organisation_id = @orgId and id in (select value from json_each(@removed))`,
);
const updateShares = statement<[SqlRecord]>(
  `update allocations set amount_minor = j.value ->> 1, updated_at = @stampMs
     from json_each(@changed) j
    where +organisation_id = @orgId and allocations.id = j.value ->> 0`,
);
// An unknown line has no project, which the table refuses.
const insertShares = statement<[SqlRecord]>(
  `insert into allocations
     (organisation_id, project_id, budget_line_id, transaction_id, date, under_review,
      amount_minor, note, rule, created_at, updated_at)
   select @orgId, l.project_id, j.value ->> 2, j.value ->> 0, j.value ->> 1, 0,
          j.value ->> 3, j.value ->> 4, j.value ->> 5, @stampMs, @stampMs
     from json_each(@added) j
     left join budget_lines l on l.organisation_id = @orgId and l.id = j.value ->> 2`,
);
const addTotals = statement<[OrgId, counts: string]>(
  `insert into rule_totals (organisation_id, rule, transactions)
   select ?, value ->> 0, value ->> 1 from json_each(?) where true
   on conflict do update set transactions = transactions + excluded.transactions`,
);
const selectShares = statement<[ids: string, OrgId], StoredShare & { transactionId: number }>(
  `select a.transaction_id as transactionId, a.id, a.budget_line_id as budgetLineId,
          a.amount_minor as amountMinor, a.note, a.rule
     from json_each(?) j
    cross join allocations a indexed by allocations_by_transaction
       on a.organisation_id = ? and a.transaction_id = j.value
    order by a.id`,
);

/** What rules have allocated since an instant, as far as it is still so: in steps. */
export function* sumRuledSince(
  { db, organisation }: Access,
  sinceMs: number,
): Generator<undefined, { transactions: number; amountMinor: number }, undefined> {
  const sum = { transactions: 0, amountMinor: 0 };
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const found = selectRuled(db).get({ orgId: organisation.id, sinceMs, before });
    if (found === undefined) return sum;
    sum.transactions += found.transactions;
    sum.amountMinor += found.amountMinor;
    // Allocations are never older than one with a lower number, unless the clock was set back.
    if (found.firstId === null || found.newestMs < sinceMs) return sum;
    before = found.firstId;
    yield;
  }
}

/** The newest allocations below a number. Of a transaction, the first one counts it. */
const selectRuled = statement<
  [SqlRecord],
  { firstId: number | null; newestMs: number; transactions: number; amountMinor: number }
>(
  `select min(id) as firstId, max(created_at) as newestMs,
          ifnull(sum(isRuled and not exists (
            select 1 from allocations b indexed by allocations_by_transaction
             where b.organisation_id = @orgId and b.transaction_id = a.transaction_id
               and b.id < a.id)), 0) as transactions,
          ifnull(sum(iif(isRuled, amount_minor, 0)), 0) as amountMinor
     from (select id, transaction_id, amount_minor, created_at,
                  organisation_id = @orgId and created_at >= @sinceMs
                    and rule is not null as isRuled
             from allocations where id < @before
            order by id desc limit 4000) a`,
);
