/** The allocations of transactions: reading them, and writing those of an act. */

import type { Act } from '../core/audit.ts';
import type { OrgId } from '../core/ids.ts';
import type { Db } from '../database/database.ts';
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
export type StoredShare = Share & { readonly id: number; readonly createdAtMs: number };

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
  const ruled = new RuledChange(stampMs);
  const removed: number[] = [];
  const changed: SqlValue[][] = [];
  const added: SqlValue[][] = [];
  for (const { transaction, shares, kept } of results) {
    const madeAtMs = new Map(shares.map(({ id, createdAtMs }) => [id, createdAtMs]));
    ruled.add(shares, madeAtMs, -1);
    ruled.add(kept, madeAtMs, 1);
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
  ruled.write(db, organisation.id);
}

/**
 * Marks the allocations of transactions whose review begins, and adds them to the sums of their
 * projects. All at once: triggers took twice as long for each allocation (decision 0004). What is
 * marked already, as the triggers of an earlier schema 3 do, is not added again.
 */
export function markReviewed({ db, organisation }: Access, transactionIds: readonly number[]) {
  if (transactionIds.length === 0) return;
  const ids = JSON.stringify(transactionIds);
  addReviews(db).run(ids, organisation.id);
  updateReviewed(db).run(ids, organisation.id);
}

const QUARTER_MS = 900_000;

/** What an act changes of the sums of what rules have allocated. */
class RuledChange {
  readonly #stampMs: number;
  /** Transactions by rule. */
  readonly #rules = new Map<string, number>();
  /** Transactions and amounts by quarter of an hour. */
  readonly #quarters = new Map<number, readonly [transactions: number, amountMinor: number]>();

  constructor(stampMs: number) {
    this.#stampMs = stampMs;
  }

  /** Adds the shares of one transaction. `madeAtMs`: when the stored ones were made, by number. */
  add(shares: readonly Share[], madeAtMs: ReadonlyMap<number, number>, times: 1 | -1): void {
    const seen = new Set<string | number>();
    for (const { id = 0, rule = null, amountMinor } of shares) {
      if (rule === null) continue;
      const quarter = Math.floor((madeAtMs.get(id) ?? this.#stampMs) / QUARTER_MS);
      const [transactions, sum] = this.#quarters.get(quarter) ?? [0, 0];
      const isNew = Number(!seen.has(quarter));
      this.#quarters.set(quarter, [transactions + isNew * times, sum + amountMinor * times]);
      if (!seen.has(rule)) this.#rules.set(rule, (this.#rules.get(rule) ?? 0) + times);
      seen.add(quarter).add(rule);
    }
  }

  write(db: Db, orgId: OrgId): void {
    const rules = [...this.#rules].filter(([, count]) => count !== 0);
    if (rules.length > 0) addRuleTotals(db).run(orgId, JSON.stringify(Object.fromEntries(rules)));
    const quarters = [...this.#quarters].filter(([, sums]) => sums.some((sum) => sum !== 0));
    const sums = quarters.map(([quarter, each]) => [quarter, ...each]);
    if (sums.length > 0) addRuled(db).run(orgId, JSON.stringify(sums));
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
const deleteShares = statement<[SqlRecord]>`delete from allocations
    where +organisation_id = @orgId and id in (select value from json_each(@removed))`;
const updateShares = statement<[SqlRecord]>`
  update allocations set amount_minor = j.value ->> 1, updated_at = @stampMs
     from json_each(@changed) j
    where +organisation_id = @orgId and allocations.id = j.value ->> 0`;
// An unknown line has no project, which the table refuses.
const insertShares = statement<[SqlRecord]>`insert into allocations
     (organisation_id, project_id, budget_line_id, transaction_id, date, under_review,
      amount_minor, note, rule, created_at, updated_at)
   select @orgId, l.project_id, l.id, j.value ->> 0, j.value ->> 1, 0,
          j.value ->> 3, j.value ->> 4, j.value ->> 5, @stampMs, @stampMs
     from json_each(@added) j
     left join budget_lines l on l.organisation_id = @orgId and l.id = j.value ->> 2`;
const OF_TRANSACTIONS = `json_each(?) j
  cross join allocations a indexed by allocations_by_transaction
     on a.organisation_id = ? and a.transaction_id = j.value and a.under_review = 0`;
const addReviews = statement<[ids: string, OrgId]>`
  insert into reviews (organisation_id, project_id, transactions, amount_minor)
   select a.organisation_id, a.project_id, count(distinct a.transaction_id), sum(a.amount_minor)
     from ${OF_TRANSACTIONS} group by a.organisation_id, a.project_id
   on conflict do update set transactions = transactions + excluded.transactions,
                             amount_minor = amount_minor + excluded.amount_minor`;
const updateReviewed = statement<[ids: string, OrgId]>`
  update allocations set under_review = 1 where id in (select a.id from ${OF_TRANSACTIONS})`;
const addRuleTotals = statement<[OrgId, counts: string]>`
  insert into rule_totals (organisation_id, rule, transactions)
   select ?, key, value from json_each(?) where true
   on conflict do update set transactions = transactions + excluded.transactions`;
const addRuled = statement<[OrgId, sums: string]>`
  insert into ruled (organisation_id, quarter, transactions, amount_minor)
   select ?, value ->> 0, value ->> 1, value ->> 2 from json_each(?) where true
   on conflict do update set transactions = transactions + excluded.transactions,
                             amount_minor = amount_minor + excluded.amount_minor`;
const selectShares = statement<[ids: string, OrgId], StoredShare & { transactionId: number }>`
  select a.transaction_id as transactionId, a.id, a.budget_line_id as budgetLineId,
          a.amount_minor as amountMinor, a.note, a.rule, a.created_at as createdAtMs
     from json_each(?) j
    cross join allocations a indexed by allocations_by_transaction
       on a.organisation_id = ? and a.transaction_id = j.value
    order by a.id`;

/** What rules have allocated since a day began, as far as it is still so. */
export function sumRuledSince({ db, organisation }: Access, sinceMs: number): Ruled | undefined {
  return selectRuled(db).get(organisation.id, Math.floor(sinceMs / QUARTER_MS));
}

interface Ruled {
  readonly transactions: number;
  readonly amountMinor: number;
}

const selectRuled = statement<[OrgId, quarter: number], Ruled>`
  select sum(transactions) as transactions, sum(amount_minor) as amountMinor
     from ruled where organisation_id = ? and quarter >= ? having sum(transactions) > 0`;
